// Draws of poisson/tiled in vector form: Philox4x32-10, exponential gaps, and the first dart of every cell.
// Equal bit for bit to cell_draw, exact_exponential and first_dart.
#if defined(STREW_POISSON_TILED_DRAW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_DRAW_INL
#undef STREW_POISSON_TILED_DRAW_INL
#else
#define STREW_POISSON_TILED_DRAW_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "dart_region.hpp"
#include "strew/exact_math.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

/// exact_exponential, lane by lane.
template <class DF>
HWY_INLINE hn::VFromD<DF> exponential(DF df, hn::VFromD<hn::RebindToUnsigned<DF>> draw) {
  const hn::RebindToUnsigned<DF> du;
  const hn::RebindToSigned<DF> di;
  // (2 draw + 1) with its leading one shifted out: binary search for the leading zeros. Stage k shifts by 2^k
  // when the 2^k highest bits are clear; the low end takes in the odd bit, which enters below the draw's own
  // bits.
  auto zeros = hn::Zero(du);
  auto top = draw;  // the draw shifted left by the zeros found so far
  const auto stage = [&](auto shift_constant, std::uint32_t below) HWY_ATTR {
    constexpr int kShift = decltype(shift_constant)::value;
    const auto clear = hn::VecFromMask(du, hn::Eq(hn::ShiftRight<32 - kShift>(top), hn::Zero(du)));
    zeros = hn::Add(zeros, hn::And(clear, hn::Set(du, below)));
    top = hn::Or(hn::AndNot(clear, top), hn::And(clear, hn::ShiftLeft<kShift>(top)));
  };
  stage(std::integral_constant<int, 16>{}, 16);
  stage(std::integral_constant<int, 8>{}, 8);
  stage(std::integral_constant<int, 4>{}, 4);
  stage(std::integral_constant<int, 2>{}, 2);
  stage(std::integral_constant<int, 1>{}, 1);
  // draw = 0 has 32 zeros: one more than the search finds.
  const auto none = hn::VecFromMask(du, hn::Eq(draw, hn::Zero(du)));
  zeros = hn::Add(zeros, hn::And(none, hn::Set(du, 1)));
  // fraction = ((draw << 1) | 1) << zeros: the draw's bits below its leading one, then the odd bit at
  // position `zeros`.
  const auto odd = hn::AndNot(none, hn::Shl(hn::Set(du, 1), hn::And(zeros, hn::Set(du, 31))));
  const auto fraction = hn::Or(hn::Add(top, top), odd);
  const auto upper = hn::ShiftRight<31>(fraction);
  const auto has_upper = hn::MaskFromVec(hn::BitCast(df, hn::VecFromMask(du, hn::Ne(upper, hn::Zero(du)))));
  const auto scale = hn::IfThenElse(has_upper, hn::Set(df, 0x1p-33F), hn::Set(df, 0x1p-32F));
  const auto f = hn::Mul(hn::ConvertTo(df, hn::BitCast(di, fraction)), scale);
  const auto exponent = hn::ConvertTo(df, hn::BitCast(di, hn::Sub(hn::Add(zeros, hn::Set(du, 1)), upper)));
  const auto s = hn::Div(f, hn::Add(hn::Set(df, 2.0F), f));
  const auto t = hn::Add(s, s);
  const auto z = hn::Mul(s, s);
  auto p = hn::Set(df, 0x1.32c83cp-3F);
  p = hn::Add(hn::Mul(p, z), hn::Set(df, 0x1.99625p-3F));
  p = hn::Add(hn::Mul(p, z), hn::Set(df, 0x1.555566p-2F));
  return hn::Sub(hn::Mul(exponent, hn::Set(df, 0x1.62e43p-1F)), hn::Add(t, hn::Mul(t, hn::Mul(z, p))));
}

/// Philox on the low halves of 64-bit lanes; high halves are ignored on input and unspecified on output.
template <class D64>
struct PhiloxLanes {
  hn::VFromD<D64> word[4];

  HWY_INLINE void run(D64 d, PhiloxKey key) {
    const hn::RepartitionToNarrow<D64> d32;
    const auto multiplier0 = hn::Set(d32, 0xD2511F53U);
    const auto multiplier1 = hn::Set(d32, 0xCD9E8D57U);
    for (int round = 0; round < 10; ++round) {
      const auto product0 = hn::MulEven(hn::BitCast(d32, word[0]), multiplier0);
      const auto product1 = hn::MulEven(hn::BitCast(d32, word[2]), multiplier1);
      word[0] = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), word[1]), hn::Set(d, std::uint64_t{key[0]}));
      word[2] = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), word[3]), hn::Set(d, std::uint64_t{key[1]}));
      word[1] = product1;
      word[3] = product0;
      key[0] += 0x9E3779B9U;
      key[1] += 0xBB67AE85U;
    }
  }
};

/// Clocks and positions of the first darts from two words each.
template <class DU>
HWY_INLINE void store_first(DU du, hn::VFromD<DU> place, hn::VFromD<DU> wait, std::uint32_t* position,
                            float* clock) {
  const hn::RebindToFloat<DU> df;
  const auto x = hn::And(place, hn::Set(du, 0x1FFFU));
  const auto y = hn::And(hn::ShiftLeft<16 - kCellBits>(place), hn::Set(du, 0x1FFF0000U));
  hn::StoreU(hn::Or(x, y), du, position);
  hn::StoreU(exponential(df, wait), df, clock);
}

inline void first_darts_of_row(const KernelWindow& window, std::int32_t y) {
  const hn::ScalableTag<std::uint64_t> d64;
  const hn::RepartitionToNarrow<decltype(d64)> d32;
  const std::size_t lanes = hn::Lanes(d32);
  const auto low_half = hn::Set(d64, 0xFFFFFFFFU);
  const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(window.stride);
  const auto cell_y = static_cast<std::uint64_t>(window.y0 + y);
  for (std::int32_t x = 0; x < window.width; x += static_cast<std::int32_t>(lanes)) {
    PhiloxLanes<decltype(d64)> part[2];
    for (std::size_t h = 0; h < 2; ++h) {
      // Lane i of part h is cell 2 i + h: even and odd 32-bit lanes of the result.
      const auto first = static_cast<std::uint64_t>(window.x0 + x) + h;
      const auto index = hn::Iota(d64, 0);
      const auto cell_x = hn::Add(hn::Set(d64, first), hn::Add(index, index));
      part[h].word[0] = cell_x;
      part[h].word[1] = hn::Set(d64, cell_y);
      part[h].word[2] = hn::Zero(d64);
      part[h].word[3] = hn::Or(hn::And(hn::ShiftRight<32>(cell_x), hn::Set(d64, 0xFFU)),
                               hn::Set(d64, ((cell_y >> 32) & 0xFFU) << 8));
      part[h].run(d64, window.key);
    }
    const auto word = [&](std::size_t w) HWY_ATTR {
      return hn::BitCast(d32, hn::Or(hn::And(part[0].word[w], low_half), hn::ShiftLeft<32>(part[1].word[w])));
    };
    store_first(d32, word(0), word(1), window.position + row + static_cast<std::size_t>(x),
                window.clock + row + static_cast<std::size_t>(x));
  }
}

/// Blocks of several calls of cell_draw: word w of block i goes to words[w][i], and the exponentials of words
/// 1 and 3 to waits[0][i] and waits[1][i]. `counter` holds the four counter words of each block.
template <std::size_t kBlocks>
inline void draw_blocks(PhiloxKey key, const std::uint32_t (&counter)[4][kBlocks],
                        std::uint32_t (&words)[4][kBlocks], float (&waits)[2][kBlocks]) {
  const hn::CappedTag<std::uint64_t, kBlocks> d64;
  const hn::Rebind<std::uint32_t, decltype(d64)> half;
  for (std::size_t i = 0; i < kBlocks; i += hn::Lanes(d64)) {
    PhiloxLanes<decltype(d64)> lanes;
    for (std::size_t w = 0; w < 4; ++w) {
      lanes.word[w] = hn::PromoteTo(d64, hn::LoadU(half, counter[w] + i));
    }
    lanes.run(d64, key);
    for (std::size_t w = 0; w < 4; ++w) {
      hn::StoreU(hn::TruncateTo(half, lanes.word[w]), half, words[w] + i);
    }
  }
  const hn::CappedTag<std::uint32_t, kBlocks> du;
  const hn::RebindToFloat<decltype(du)> df;
  for (std::size_t i = 0; i < kBlocks; i += hn::Lanes(du)) {
    hn::StoreU(exponential(df, hn::LoadU(du, words[1] + i)), df, waits[0] + i);
    hn::StoreU(exponential(df, hn::LoadU(du, words[3] + i)), df, waits[1] + i);
  }
}

#else  // one lane: plain C++

inline void first_darts_of_row(const KernelWindow& window, std::int32_t y) {
  const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(window.stride);
  for (std::int32_t x = 0; x < window.width; ++x) {
    const Clock clock = first_dart(window.key, window.x0 + x, window.y0 + y);
    window.position[row + static_cast<std::size_t>(x)] =
        static_cast<std::uint32_t>(clock.dart.x) | (static_cast<std::uint32_t>(clock.dart.y) << 16);
    window.clock[row + static_cast<std::size_t>(x)] = clock.time;
  }
}

template <std::size_t kBlocks>
inline void draw_blocks(PhiloxKey key, const std::uint32_t (&counter)[4][kBlocks],
                        std::uint32_t (&words)[4][kBlocks], float (&waits)[2][kBlocks]) {
  for (std::size_t i = 0; i < kBlocks; ++i) {
    const PhiloxCounter block = philox4x32({counter[0][i], counter[1][i], counter[2][i], counter[3][i]}, key);
    for (std::size_t w = 0; w < 4; ++w) {
      words[w][i] = block[w];
    }
    waits[0][i] = exact_exponential(block[1]);
    waits[1][i] = exact_exponential(block[3]);
  }
}

#endif

/// The first dart of each cell, and nothing covered yet.
inline void first_darts(const KernelWindow& window) {
  for (std::int32_t y = 0; y < window.height; ++y) {
    first_darts_of_row(window, y);
    const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(window.stride);
    std::fill_n(window.covered + row, window.stride, std::uint64_t{0});
    std::fill(window.clock + row + window.width, window.clock + row + window.stride, HUGE_VALF);
    std::fill(window.position + row + window.width, window.position + row + window.stride, 0U);
  }
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
