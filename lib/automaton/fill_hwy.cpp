// fill_row_ref by Highway: as many blocks at once as a vector holds, with the processor's AES rounds.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fill_hwy.cpp"
// Rounds on whole vectors, where the processor has them.
#define HWY_WANT_AVX3_DL
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include <cstring>

#include "kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::automaton::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void fill_row(const FillTable& table, std::int64_t y, std::int64_t block, std::int64_t blocks,
              std::uint64_t* out) {
  fill_row_ref(table, y, block, blocks, out);
}

#else

using Bytes = hn::CappedTag<std::uint8_t, 64>;
using Signed = hn::RebindToSigned<Bytes>;
using Words = hn::Repartition<std::uint64_t, Bytes>;

struct Tables {
  hn::Vec<Signed> high;
  hn::Vec<Signed> low;
  hn::Vec<Bytes> alias;
};

/// Patterns of four cells from their columns (0..15 in each byte) and two random bytes each.
HWY_INLINE hn::Vec<Bytes> pattern(const Tables& tables, hn::Vec<Bytes> column, hn::Vec<Bytes> high,
                                  hn::Vec<Bytes> low) {
  const Signed ds;
  const Bytes d;
  const auto signed_column = hn::BitCast(ds, column);
  const auto h = hn::BitCast(ds, high);
  const auto h_bound = hn::TableLookupBytes(tables.high, signed_column);
  const auto l_bound = hn::TableLookupBytes(tables.low, signed_column);
  const auto keep =
      hn::Or(hn::Lt(h, h_bound), hn::And(hn::Eq(h, h_bound), hn::Lt(hn::BitCast(ds, low), l_bound)));
  const auto alias = hn::TableLookupBytes(tables.alias, column);
  return hn::IfThenElse(hn::RebindMask(d, keep), column, alias);
}

void fill_row(const FillTable& table, std::int64_t y, std::int64_t block, std::int64_t blocks,
              std::uint64_t* out) {
  const Bytes d;
  const Signed ds;
  const Words dw;
  constexpr std::size_t kWords = hn::MaxLanes(Words());
  constexpr std::int64_t kBlocks = kWords / 2;
  hn::Vec<Bytes> keys[kAesRounds + 1];
  for (std::size_t r = 0; r <= kAesRounds; ++r) {
    alignas(64) std::uint64_t lanes[kWords];
    for (std::size_t i = 0; i < kWords; ++i) {
      lanes[i] = table.keys.round[r][i % 2];
    }
    keys[r] = hn::BitCast(d, hn::Load(dw, lanes));
  }
  const Tables tables = {hn::LoadDup128(ds, table.high.data()), hn::LoadDup128(ds, table.low.data()),
                         hn::LoadDup128(d, table.alias.data())};
  const auto low_nibble = hn::Set(d, 0x0F);
  alignas(64) std::uint64_t first[kWords];
  for (std::size_t i = 0; i < kWords; ++i) {
    first[i] = i % 2 == 0 ? (static_cast<std::uint64_t>(block) + i / 2) * 8 : static_cast<std::uint64_t>(y);
  }
  alignas(64) std::uint64_t step_lanes[kWords];
  alignas(64) std::uint64_t plane_lanes[kWords];
  for (std::size_t i = 0; i < kWords; ++i) {
    step_lanes[i] = i % 2 == 0 ? static_cast<std::uint64_t>(kBlocks) * 8 : 0;
    plane_lanes[i] = i % 2 == 0 ? 1 : 0;
  }
  const auto step = hn::Load(dw, step_lanes);
  const auto next_plane = hn::Load(dw, plane_lanes);
  auto counter = hn::Load(dw, first);
  for (std::int64_t b = 0; b < blocks; b += kBlocks) {
    hn::Vec<Bytes> r[kFillPlanes];
    auto plane_counter = counter;
    for (auto& plane : r) {
      plane = hn::Xor(hn::BitCast(d, plane_counter), keys[0]);
      plane_counter = hn::Add(plane_counter, next_plane);
    }
    // Round by round over all planes: the rounds of a plane wait for one another, planes do not.
    for (std::size_t round = 1; round <= kAesRounds; ++round) {
      for (auto& plane : r) {
        plane = hn::AESRound(plane, keys[round]);
      }
    }
    const auto column0 = hn::And(r[0], low_nibble);
    const auto column1 = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(dw, r[0]))), low_nibble);
    const auto low = pattern(tables, column0, r[1], r[2]);
    const auto high = pattern(tables, column1, r[3], r[4]);
    const auto cells = hn::BitCast(dw, hn::Or(low, hn::BitCast(d, hn::ShiftLeft<4>(hn::BitCast(dw, high)))));
    counter = hn::Add(counter, step);
    if (blocks - b >= kBlocks) {
      hn::StoreU(cells, dw, out + kFillWords * b);
    } else {
      alignas(64) std::uint64_t rest[kWords];
      hn::Store(cells, dw, rest);
      std::memcpy(out + kFillWords * b, rest, static_cast<std::size_t>(blocks - b) * 16);
    }
  }
}

#endif

}  // namespace strew::automaton::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::automaton {

Result<FillKernel> fill_kernel_hwy(Isa isa) {
  // The second entry of AVX-512: with rounds on whole vectors.
  static constexpr std::array<FillKernel, 1> kWide = {HWY_CHOOSE_AVX3_DL(fill_row)};
  static constexpr KernelTable<FillKernel> kTable = STREW_KERNEL_TABLE(fill_row);
  return choose_kernel(kTable, kWide, isa);
}

}  // namespace strew::automaton
#endif
