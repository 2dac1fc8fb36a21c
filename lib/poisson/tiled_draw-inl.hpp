// Draws of poisson/tiled in vector form: blocks of AES rounds, exponential gaps, and the first dart of every
// cell. Equal bit for bit to dart_words, exact_exponential and first_dart.
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

/// square_word, lane by lane.
template <class DU>
HWY_INLINE hn::VFromD<DU> square_words(DU du, hn::VFromD<DU> place, hn::VFromD<DU> wait) {
  const auto high = hn::Set(du, 0xFFF00000U);
  return hn::Or(hn::And(place, high), hn::AndNot(high, wait));
}

/// The position in a square that a place chooses, as a pair.
template <class DU>
HWY_INLINE hn::VFromD<DU> offsets_in(DU du, std::int32_t side, hn::VFromD<DU> place) {
  const auto within = hn::Set(du, static_cast<std::uint32_t>(side - 1));
  return hn::Or(hn::And(place, within), hn::ShiftLeft<16>(hn::And(hn::ShiftRight<10>(place), within)));
}

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

/// exact_exponential, lane by lane.
template <class DF>
HWY_INLINE hn::VFromD<DF> exponential(DF df, hn::VFromD<hn::RebindToUnsigned<DF>> draw) {
  const hn::RebindToUnsigned<DF> du;
  const hn::RebindToSigned<DF> di;
  // (2 draw + 1) with its leading one shifted out. The low end takes in the odd bit, which enters below the
  // draw's own bits.
  const auto none = hn::VecFromMask(du, hn::Eq(draw, hn::Zero(du)));
  auto zeros = hn::Zero(du);
  auto top = draw;  // the draw shifted left by the zeros found so far
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if constexpr (hn::MaxLanes(du) == 16) {
    // Rounded towards zero, a float's exponent is the place of the leading one.
    const auto rounded =
        hn::VFromD<DF>{_mm512_cvt_roundepu32_ps(draw.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
    const auto place = hn::ShiftRight<23>(hn::BitCast(du, rounded));
    zeros = hn::Min(hn::Sub(hn::Set(du, 158), place), hn::Set(du, 32));
    top = hn::VFromD<decltype(du)>{_mm512_sllv_epi32(draw.raw, zeros.raw)};  // by 32: nothing is left
  } else
#endif
  {
    // Binary search for the leading zeros: stage k shifts by 2^k when the 2^k highest bits are clear.
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
    zeros = hn::Add(zeros, hn::And(none, hn::Set(du, 1)));
  }
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

/// Draws of as many cells as a vector holds, 16 at most.
using DDraw = hn::CappedTag<std::uint32_t, 16>;
using DrawWords = hn::VFromD<DDraw>[4];

/// Round keys in every 128 bits of a vector.
struct VectorKeys {
  hn::VFromD<hn::Repartition<std::uint8_t, DDraw>> round[kAesRounds + 1];

  explicit VectorKeys(const DartKeys& keys) {
    const hn::Repartition<std::uint64_t, DDraw> d64;
    const hn::Repartition<std::uint8_t, DDraw> d8;
    for (std::size_t r = 0; r <= kAesRounds; ++r) {
      round[r] = hn::BitCast(d8, hn::LoadDup128(d64, keys.round[r].data()));
    }
  }
};

/// Four rows of words to blocks of four words and back: block k of each 128 bits is made of lane k of the
/// rows' 128 bits.
HWY_INLINE void transpose(DrawWords& rows) {
  const DDraw du;
  const hn::Repartition<std::uint64_t, DDraw> d64;
  const auto low01 = hn::BitCast(d64, hn::InterleaveLower(du, rows[0], rows[1]));
  const auto high01 = hn::BitCast(d64, hn::InterleaveUpper(du, rows[0], rows[1]));
  const auto low23 = hn::BitCast(d64, hn::InterleaveLower(du, rows[2], rows[3]));
  const auto high23 = hn::BitCast(d64, hn::InterleaveUpper(du, rows[2], rows[3]));
  rows[0] = hn::BitCast(du, hn::InterleaveLower(d64, low01, low23));
  rows[1] = hn::BitCast(du, hn::InterleaveUpper(d64, low01, low23));
  rows[2] = hn::BitCast(du, hn::InterleaveLower(d64, high01, high23));
  rows[3] = hn::BitCast(du, hn::InterleaveUpper(d64, high01, high23));
}

/// aes_block for every four words of a vector.
HWY_INLINE hn::VFromD<DDraw> draw_blocks(const VectorKeys& keys, hn::VFromD<DDraw> counters) {
  const hn::Repartition<std::uint8_t, DDraw> d8;
  auto state = hn::Xor(hn::BitCast(d8, counters), keys.round[0]);
  for (std::size_t r = 1; r <= kAesRounds; ++r) {
    state = hn::AESRound(state, keys.round[r]);
  }
  return hn::BitCast(DDraw(), state);
}

/// aes_block for each lane: words of the counters in, words of the blocks out.
HWY_INLINE void draw_words(const VectorKeys& keys, DrawWords& words) {
  transpose(words);
  for (auto& four : words) {
    four = draw_blocks(keys, four);
  }
  transpose(words);
}

/// The times after waits for draws on areas; always later, were it by one float.
template <class V>
HWY_INLINE V times_after(V time, V wait, V area) {
  const hn::RebindToFloat<DDraw> df;
  const hn::RebindToSigned<DDraw> di;
  const auto gap = hn::Div(hn::Set(df, kCellArea), area);
  const auto next = hn::BitCast(df, hn::Add(hn::BitCast(di, time), hn::Set(di, 1)));
  return hn::Max(hn::Add(time, hn::Mul(wait, gap)), next);
}

/// Counters of dart_words for the cells of a window.
class CellWords {
 public:
  explicit CellWords(const KernelWindow& window)
      : x_low_(static_cast<std::uint32_t>(window.x0)),
        x_high_(static_cast<std::uint32_t>(window.x0 >> 32)),
        y_low_(static_cast<std::uint32_t>(window.y0)),
        y_high_(static_cast<std::uint32_t>(window.y0 >> 32)) {}

  /// Of the first two draws of cells (x, y) of the window, entered at the times whose bits are `entry`.
  HWY_INLINE void counter(hn::VFromD<DDraw> x, hn::VFromD<DDraw> y, hn::VFromD<DDraw> entry,
                          DrawWords& words) const {
    const DDraw du;
    words[0] = hn::Add(x, hn::Set(du, x_low_));
    words[1] = hn::Add(y, hn::Set(du, y_low_));
    words[2] = entry;
    const auto byte = hn::Set(du, 0xFFU);
    const auto high = [&](hn::VFromD<DDraw> low, std::uint32_t base_low, std::uint32_t base_high) HWY_ATTR {
      const auto carry = hn::And(hn::VecFromMask(du, hn::Lt(low, hn::Set(du, base_low))), hn::Set(du, 1));
      return hn::And(hn::Add(hn::Set(du, base_high), carry), byte);
    };
    words[3] = hn::Or(high(words[0], x_low_, x_high_), hn::ShiftLeft<8>(high(words[1], y_low_, y_high_)));
  }

 private:
  std::uint32_t x_low_;
  std::uint32_t x_high_;
  std::uint32_t y_low_;
  std::uint32_t y_high_;
};

/// Clocks and positions of the first darts of `count` cells of a row, and of as many more as fill a vector,
/// from half a block each. The x of the first is even, and the low words of all take no carry.
HWY_INLINE void first_darts_of_pairs(const KernelWindow& window, const VectorKeys& keys, std::int32_t x,
                                     std::int32_t y, std::int32_t count) {
  const DDraw du;
  const hn::RebindToFloat<DDraw> df;
  constexpr auto kLanes = static_cast<std::int32_t>(hn::MaxLanes(DDraw()));
  alignas(64) std::uint32_t lanes[16];
  for (std::uint32_t i = 0; i < 16; i += 4) {
    const auto counter = dart_counter(window.x0 + x + i / 2, window.y0 + y, 0.0F, 0);
    std::copy(counter.begin(), counter.end(), lanes + i);
  }
  auto counters = hn::Load(du, lanes);
  for (std::uint32_t i = 0; i < 16; ++i) {
    lanes[i] = i % 4 == 0 ? static_cast<std::uint32_t>(kLanes) / 2 : 0;
  }
  const auto step = hn::Load(du, lanes);
  const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(y) * window.stride + x;
  std::uint32_t* const position = window.position + first;
  float* const clock = window.clock + first;
  for (std::int32_t i = 0; i < count; i += kLanes) {
    const auto low = draw_blocks(keys, counters);
    counters = hn::Add(counters, step);
    const auto high = draw_blocks(keys, counters);
    counters = hn::Add(counters, step);
    const auto place = hn::ConcatEven(du, high, low);
    const auto across = hn::And(place, hn::Set(du, 0x1FFFU));
    const auto along = hn::And(hn::ShiftLeft<16 - kCellBits>(place), hn::Set(du, 0x1FFF0000U));
    hn::StoreU(hn::Or(across, along), du, position + i);
    hn::StoreU(exponential(df, hn::ConcatOdd(du, high, low)), df, clock + i);
  }
}

#endif

inline void first_dart_alone(const KernelWindow& window, std::int32_t x, std::int32_t y) {
  const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * window.stride + x;
  const Clock clock = first_dart(window.keys, window.x0 + x, window.y0 + y);
  window.position[cell] =
      static_cast<std::uint32_t>(clock.dart.x) | (static_cast<std::uint32_t>(clock.dart.y) << 16);
  window.clock[cell] = clock.time;
}

inline void first_darts_of_row(const KernelWindow& window, std::int32_t y) {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const VectorKeys keys(window.keys);
  std::int32_t x = 0;
  if (window.x0 % 2 != 0) {
    first_dart_alone(window, x++, y);
  }
  while (x < window.width) {
    // To where the low word of x overflows, if it does: at 0 to begin with.
    constexpr std::int64_t kOverflow = std::int64_t{1} << 32;
    const std::int64_t low = (window.x0 + x) & (kOverflow - 1);
    const auto count = static_cast<std::int32_t>(std::min<std::int64_t>(kOverflow - low, window.width - x));
    first_darts_of_pairs(window, keys, x, y, count);
    x += count;
  }
#else
  for (std::int32_t x = 0; x < window.width; ++x) {
    first_dart_alone(window, x, y);
  }
#endif
}

/// The first dart of each cell of rows, and nothing covered yet.
inline void first_darts(const KernelWindow& window, std::int32_t y0, std::int32_t y1) {
  for (std::int32_t y = y0; y < y1; ++y) {
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
