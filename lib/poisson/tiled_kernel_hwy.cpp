// poisson/tiled by Highway: sweeps over a window of cells, one kernel per ISA.
//
// The reference lets darts land in order of time. Here a cell is let land as soon as its clock is the
// earliest among the 21 cells of its neighbourhood: nothing that could matter to it is still to come, so it
// sees exactly the points that it sees in the reference, and the outcome is the same whatever the order of
// sweeps. Points push their effect to the cells around them: darts in conflict are marked dead, sub-squares
// in the disc are marked covered, and a cell all of whose sub-squares are covered is void at once, which the
// reference finds out only when the cell's dart lands. The two outer rings never land, so what depends on
// them stays pending.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiled_kernel_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include <cstring>

#include "tiled_draw-inl.hpp"
#include "tiled_kernel.hpp"
#include "tiled_land-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lanes of a block of cells whose clock is the earliest around, ties to the first in row-major order.
template <class D>
std::uint64_t earliest_lanes(D d, const float* at, std::ptrdiff_t stride) {
  const auto own = hn::LoadU(d, at);
  if (hn::AllTrue(d, hn::Eq(own, hn::Inf(d)))) {
    return 0;
  }
  const auto least = [&](auto a, const float* p) { return hn::Min(a, hn::LoadU(d, p)); };
  auto before = hn::Min(hn::LoadU(d, at - 2), hn::LoadU(d, at - 1));
  auto after = hn::Min(hn::LoadU(d, at + 1), hn::LoadU(d, at + 2));
  for (std::ptrdiff_t dx = -2; dx <= 2; ++dx) {
    before = least(before, at - stride + dx);
    after = least(after, at + stride + dx);
  }
  for (std::ptrdiff_t dx = -1; dx <= 1; ++dx) {
    before = least(before, at - 2 * stride + dx);
    after = least(after, at + 2 * stride + dx);
  }
  const auto first = hn::And(hn::Lt(own, before), hn::Le(own, after));
  alignas(8) std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, first, bits);
  std::uint64_t lanes = 0;
  std::memcpy(&lanes, bits, sizeof lanes);
  return lanes;
}

bool evaluate_window(const KernelWindow& window) {
  first_darts(window);
  Landing landing(window);
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  bool progress = true;
  while (progress && landing.core_pending() > 0) {
    progress = false;
    for (std::int32_t y = 2; y < window.height - 2; ++y) {
      const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * window.stride;
      for (std::int32_t x = 2; x < window.width - 2; x += lanes) {
        std::uint64_t ready = earliest_lanes(d, window.clock + row + x, window.stride);
        const std::int32_t inside = window.width - 2 - x;
        if (inside < lanes) {
          ready &= (std::uint64_t{1} << inside) - 1;
        }
        for (; ready != 0; ready &= ready - 1) {
          landing.land(x + static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(ready)), y);
          progress = true;
        }
      }
    }
  }
  return landing.core_pending() == 0;
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::poisson {

const KernelTable<TiledKernel>& tiled_kernels() noexcept {
  static constexpr KernelTable<TiledKernel> kTable = STREW_KERNEL_TABLE(evaluate_window);
  return kTable;
}

}  // namespace strew::poisson
#endif
