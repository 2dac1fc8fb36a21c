// hash_rows_ref by Highway, a row in each lane of 64 bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hash_rows_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include "hash_rows.hpp"
#include "kernel_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::scatter::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

std::uint64_t hash_rows(std::uint32_t slot, const InstanceTable& table) noexcept {
  return hash_rows_ref(slot, table, 0);
}

#else

using Wide = hn::CappedTag<std::uint64_t, 8>;
using WideVec = hn::Vec<Wide>;
using Word = hn::Rebind<std::uint32_t, Wide>;
using Half = hn::Rebind<std::uint16_t, Wide>;

HWY_INLINE WideVec load(const std::uint16_t* from) {
  return hn::PromoteTo(Wide(), hn::PromoteTo(Word(), hn::LoadU(Half(), from)));
}

HWY_INLINE WideVec position(const std::int64_t* index, Coord pitch) {
  const hn::RebindToSigned<Wide> d;
  return hn::Mul(hn::BitCast(Wide(), hn::LoadU(d, index)),
                 hn::Set(Wide(), static_cast<std::uint64_t>(pitch)));
}

HWY_INLINE WideVec mix(WideVec value) {
  const Wide d;
  value = hn::Xor(value, hn::ShiftRight<30>(value));
  value = hn::Mul(value, hn::Set(d, 0xBF58476D1CE4E5B9U));
  value = hn::Xor(value, hn::ShiftRight<27>(value));
  value = hn::Mul(value, hn::Set(d, 0x94D049BB133111EBU));
  return hn::Xor(value, hn::ShiftRight<31>(value));
}

HWY_INLINE WideVec with_word(WideVec state, WideVec word) {
  return hn::Add(mix(hn::Xor(state, word)), hn::Set(Wide(), 0x9E3779B97F4A7C15U));
}

std::uint64_t hash_rows(std::uint32_t slot, const InstanceTable& table) noexcept {
  const Wide d;
  const Word dw;
  constexpr std::size_t kLanes = hn::MaxLanes(Wide());
  const auto slot_word = hn::Set(d, std::uint64_t{slot} << 48);
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kLanes <= table.size(); i += kLanes) {
    const hn::RebindToSigned<Word> steps;
    const auto height = hn::PromoteTo(d, hn::BitCast(dw, hn::LoadU(steps, table.z_steps.data() + i)));
    auto state = hn::Set(d, 0x243F6A8885A308D3U);
    state = with_word(state, position(table.x.data() + i, table.lattice.pitch));
    state = with_word(state, position(table.y.data() + i, table.lattice.pitch));
    state = with_word(state,
                      hn::Or(hn::Or(slot_word, hn::ShiftLeft<32>(load(table.species.data() + i))), height));
    state =
        with_word(state, hn::Or(hn::ShiftLeft<16>(load(table.yaw.data() + i)), load(table.scale.data() + i)));
    sum = hn::Add(sum, mix(state));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum)) + hash_rows_ref(slot, table, i);
}

#endif

}  // namespace strew::scatter::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::scatter {

Result<HashRowsFn> hash_rows_kernel(Isa isa) {
  static constexpr KernelTable<HashRowsFn> kTable = STREW_KERNEL_TABLE(hash_rows);
  return choose_kernel(kTable, isa);
}

}  // namespace strew::scatter
#endif
