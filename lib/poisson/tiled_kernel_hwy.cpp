// poisson/tiled by Highway: stages of rain over a window of cells, one kernel per ISA.
//
// The reference lets darts land in order of time. Here, inside a stage, a dart lands as soon as no dart of
// the cells around it is earlier: nothing that could matter to it is still to come, so it sees exactly the
// points that it sees in the reference, whatever the order of cells. A point marks the darts in conflict as
// dead; a dead dart is replaced at once, since its successor depends on older points only. At the end of the
// stage the points add what they cover to the masks around them, and a cell all of whose sub-squares are
// covered is void, which the reference finds out only when the cell's dart lands. The two outer rings never
// land; what waits for them at the end of a stage is unknown, and stays so: its clock lags behind the stages
// and holds up what depends on it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiled_kernel_hwy.cpp"
// AES rounds on whole vectors, where the processor has them.
#define HWY_WANT_AVX3_DL
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "tiled_kernel.hpp"
#include "tiled_landing-inl.hpp"
#include "tiled_redraw-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Bits of the lanes whose masks at `covered` are full.
template <class D>
HWY_INLINE std::uint32_t full_masks(D /*of the cells*/, const std::uint64_t* covered) {
  const hn::CappedTag<std::uint64_t, 8> d64;
  const auto full = hn::Set(d64, ~std::uint64_t{0});
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < hn::MaxLanes(D()); i += hn::Lanes(d64)) {
    bits |= mask_bits(d64, hn::Eq(hn::LoadU(d64, covered + i), full)) << i;
  }
  return bits;
}

/// Calls take(d, packed cells, bits of those with a clock in [from, to), positions) for vectors of cells. The
/// cells among them that are covered whole become void instead.
template <class Reserve, class Take>
HWY_INLINE void scan(const KernelWindow& window, const WindowRect& box, float from, float to,
                     const Reserve& reserve, const Take& take) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const hn::RebindToFloat<decltype(d)> df;
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  for (std::int32_t y = box.y0; y < box.y1; ++y) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * window.stride;
    reserve(static_cast<std::size_t>(box.x1 - box.x0));
    for (std::int32_t x = box.x0; x < box.x1; x += lanes) {
      const auto time = hn::LoadU(df, window.clock + row + x);
      std::uint32_t due =
          mask_bits(df, hn::And(hn::Ge(time, hn::Set(df, from)), hn::Lt(time, hn::Set(df, to))));
      if (box.x1 - x < lanes) {
        due &= (1U << (box.x1 - x)) - 1U;
      }
      const std::uint32_t whole = due & full_masks(d, window.covered + row + x);
      hn::StoreU(hn::IfThenElse(mask_of(df, whole), hn::Inf(df), time), df, window.clock + row + x);
      due ^= whole;
      const auto packed = hn::Add(
          hn::Iota(d, 0), hn::Set(d, (static_cast<std::uint32_t>(y) << 16) | static_cast<std::uint32_t>(x)));
      take(d, packed, due, hn::LoadU(d, window.position + row + x));
    }
  }
}

/// Lists the cells of the stage, by whether their dart is lost, as (y << 16 | x).
HWY_INLINE void scan_due(const KernelWindow& window, const WindowRect& box, float begin, float end,
                         KernelLists& lists) {
  WordList& active = lists.active;
  WordList& dead = lists.dead;
  active.size = 0;
  dead.size = 0;
  scan(
      window, box, begin, end,
      [&](std::size_t count) { active.reserve_more(count), dead.reserve_more(count); },
      [&](auto d, auto packed, std::uint32_t due, auto position) HWY_ATTR {
        const auto dead_bit = hn::Set(d, kDead);
        const std::uint32_t lost = due & mask_bits(d, hn::Eq(hn::And(position, dead_bit), dead_bit));
        active.size += compress(d, packed, due ^ lost, active.memory.data() + active.size);
        dead.size += compress(d, packed, lost, dead.memory.data() + dead.size);
      });
}
/// Lists all undecided cells of this stage and later ones.
HWY_INLINE void scan_rest(const KernelWindow& window, const WindowRect& box, float begin,
                          KernelLists& lists) {
  WordList& later = lists.later;
  later.size = 0;
  scan(
      window, box, begin, HUGE_VALF, [&](std::size_t count) { later.reserve_more(count); },
      [&](auto d, auto packed, std::uint32_t due, auto /*position*/)
          HWY_ATTR { later.size += compress(d, packed, due, later.memory.data() + later.size); });
}
/// Takes what is due before `end` from the later list, by whether its dart is lost; what is not in the box or
/// decided is forgotten.
HWY_INLINE void take_due(const KernelWindow& window, const WindowRect& box, float end, KernelLists& lists) {
  WordList& later = lists.later;
  WordList& active = lists.active;
  WordList& dead = lists.dead;
  active.size = 0;
  dead.size = 0;
  active.reserve_more(later.size);
  dead.reserve_more(later.size);
  const hn::CappedTag<std::uint32_t, 16> d;
  const hn::RebindToFloat<decltype(d)> df;
  const hn::RebindToSigned<decltype(d)> di;
  const auto set = [&](std::int32_t value) HWY_ATTR { return hn::Set(d, static_cast<std::uint32_t>(value)); };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < later.size; i += hn::Lanes(d)) {
    const auto packed = hn::LoadU(d, later.memory.data() + i);
    const auto x = hn::And(packed, hn::Set(d, 0xFFFFU));
    const auto y = hn::ShiftRight<16>(packed);
    // Below the box is a great number without a sign.
    std::uint32_t near = mask_bits(d, hn::And(hn::Lt(hn::Sub(x, set(box.x0)), set(box.x1 - box.x0)),
                                              hn::Lt(hn::Sub(y, set(box.y0)), set(box.y1 - box.y0))));
    const std::size_t left = later.size - i;
    near &= left < hn::Lanes(d) ? (1U << left) - 1U : ~0U;
    const auto index = hn::BitCast(
        di, hn::IfThenElse(hn::Lt(y, set(window.height)), hn::Add(hn::Mul(y, set(window.stride)), x),
                           hn::Zero(d)));  // past the end of the list anything may stand
    const auto time = hn::GatherIndex(df, window.clock, index);
    const auto position = hn::GatherIndex(d, window.position, index);
    const auto dead_bit = hn::Set(d, kDead);
    const std::uint32_t early = near & mask_bits(df, hn::Lt(time, hn::Set(df, end)));
    const std::uint32_t open = near & mask_bits(df, hn::Lt(time, hn::Inf(df)));
    const std::uint32_t lost = early & mask_bits(d, hn::Eq(hn::And(position, dead_bit), dead_bit));
    active.size += compress(d, packed, early ^ lost, active.memory.data() + active.size);
    dead.size += compress(d, packed, lost, dead.memory.data() + dead.size);
    kept += compress(d, packed, open & ~early, later.memory.data() + kept);
  }
  later.size = kept;
}
#include "tiled_stages-inl.hpp"

bool evaluate_window(const KernelWindow& window) {
  return Stages(window).run();
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::poisson {

const KernelTable<TiledKernel>& tiled_kernels() noexcept {
  static constexpr KernelTable<TiledKernel> kTable = STREW_KERNEL_TABLE(evaluate_window);
  return kTable;
}
Result<TiledKernel> tiled_kernel(Isa isa) {
  static constexpr std::array<TiledKernel, 1> kWide = {HWY_CHOOSE_AVX3_DL(evaluate_window)};
  return choose_kernel(tiled_kernels(), kWide, isa);
}

}  // namespace strew::poisson
#endif
