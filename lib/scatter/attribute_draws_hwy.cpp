// draw_columns_ref by Highway: Philox in lanes of 64 bits, of which each round reads the lower halves.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "attribute_draws_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include <bit>

#include "attribute_draws.hpp"
#include "kernel_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::scatter::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void draw_columns(const DrawBatch& batch, const std::int64_t* x, const std::int64_t* y, std::size_t count,
                  const DrawColumns& out) noexcept {
  draw_columns_ref(batch, x, y, count, out);
}

#else

using Wide = hn::CappedTag<std::uint64_t, 8>;
using Signed = hn::RebindToSigned<Wide>;
using Halves = hn::Repartition<std::uint32_t, Wide>;
using Narrow = hn::Rebind<std::uint32_t, Wide>;

/// Four words of a counter, each in the lower half of its lanes; the upper halves hold anything.
struct Counter {
  hn::Vec<Wide> word[4];
};

HWY_INLINE hn::Vec<Wide> product(hn::Vec<Wide> factor, hn::Vec<Wide> word) {
  const Halves d;
  return hn::MulEven(hn::BitCast(d, factor), hn::BitCast(d, word));
}

HWY_INLINE void philox(Counter& counter, PhiloxKey key) {
  const Wide d;
  const auto factor0 = hn::Set(d, 0xD2511F53U);
  const auto factor1 = hn::Set(d, 0xCD9E8D57U);
  for (int round = 0; round < 10; ++round) {
    const auto product0 = product(factor0, counter.word[0]);
    const auto product1 = product(factor1, counter.word[2]);
    const auto first = hn::Xor(counter.word[1], hn::Set(d, key[0]));
    const auto third = hn::Xor(counter.word[3], hn::Set(d, key[1]));
    counter.word[0] = hn::Xor(hn::ShiftRight<32>(product1), first);
    counter.word[1] = product1;
    counter.word[2] = hn::Xor(hn::ShiftRight<32>(product0), third);
    counter.word[3] = product0;
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
}

HWY_INLINE Counter counter_at(const std::int64_t* x, const std::int64_t* y, int shift, std::uint64_t number) {
  const Wide d;
  const Signed ds;
  const auto square_x = hn::BitCast(d, hn::ShiftRightSame(hn::LoadU(ds, x), shift));
  const auto square_y = hn::BitCast(d, hn::ShiftRightSame(hn::LoadU(ds, y), shift));
  const auto byte = hn::Set(d, 0xFFU);
  const auto high = hn::Or(hn::Or(hn::And(hn::ShiftRight<32>(square_x), byte),
                                  hn::ShiftLeft<8>(hn::And(hn::ShiftRight<32>(square_y), byte))),
                           hn::Set(d, ((number >> 32) & 0xFFFFU) << 16));
  return {{square_x, square_y, hn::Set(d, number), high}};
}

HWY_INLINE void store(hn::Vec<Wide> word, std::uint32_t* to) {
  const Narrow d;
  hn::StoreU(hn::TruncateTo(d, word), d, to);
}

void draw_columns(const DrawBatch& batch, const std::int64_t* x, const std::int64_t* y, std::size_t count,
                  const DrawColumns& out) noexcept {
  const auto step = static_cast<std::uint64_t>(batch.identity_step);
  if (!std::has_single_bit(step)) {  // no lattice of the house
    draw_columns_ref(batch, x, y, count, out);
    return;
  }
  const int shift = std::countr_zero(step);
  constexpr std::size_t kLanes = hn::MaxLanes(Wide());
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Counter counter = counter_at(x + i, y + i, shift, batch.number);
    philox(counter, batch.key);
    store(counter.word[0], out.first + i);
    store(counter.word[1], out.second + i);
    store(counter.word[2], out.third + i);
  }
  draw_columns_ref(batch, x + i, y + i, count - i, {out.first + i, out.second + i, out.third + i});
}

#endif

}  // namespace strew::scatter::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::scatter {

Result<DrawColumnsFn> draw_columns_kernel(Isa isa) {
  static constexpr KernelTable<DrawColumnsFn> kTable = STREW_KERNEL_TABLE(draw_columns);
  return choose_kernel(kTable, isa);
}

}  // namespace strew::scatter
#endif
