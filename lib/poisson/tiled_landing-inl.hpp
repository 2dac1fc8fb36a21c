// Landing: whether a dart may, what it does to the cells around, and what it covers.
#if defined(STREW_POISSON_TILED_LANDING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_LANDING_INL
#undef STREW_POISSON_TILED_LANDING_INL
#else
#define STREW_POISSON_TILED_LANDING_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether no undecided neighbour has an earlier clock; of equal ones the first in row-major order is.
[[nodiscard]] HWY_INLINE bool earliest(const KernelWindow& window, std::ptrdiff_t cell) {
  const DNear d;
  const hn::RebindToFloat<DNear> df;
  const auto own = hn::Set(d, std::bit_cast<std::int32_t>(window.clock[cell]));
  std::uint32_t earlier = 0;
  for (std::size_t v = 0; v < kNearVectors; ++v) {
    // Times before `bound` are earlier: the next float above the own time for cells that precede, 0 for lanes
    // that are no neighbours.
    const std::size_t i = v * hn::Lanes(d);
    const auto bound =
        hn::And(hn::Add(own, hn::Load(d, kNearTable.precedes + i)), hn::Load(d, kNearTable.neighbour + i));
    earlier |= mask_bits(df, hn::Lt(load_near(window.clock, cell, window.stride, v), hn::BitCast(df, bound)));
  }
  return earlier == 0;
}

/// Makes the dart of a cell a point and marks the darts in conflict with it.
HWY_INLINE void land(const KernelWindow& window, std::ptrdiff_t cell) {
  // A row at a time, also where two fit in a vector: halves would have to be stored apart.
  const DRow d;
  const std::uint32_t dart = window.position[cell];
  const auto own = hn::Set(d, static_cast<std::int32_t>(dart));
  window.clock[cell] = HUGE_VALF;
  constexpr std::size_t kLanes = 5 * std::min(std::size_t{8}, kNearLanes / 5);
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
    const NearPlace at = near_place(i);
    auto* const row = reinterpret_cast<std::int32_t*>(window.position + cell + at.dy * window.stride + at.dx);
    const auto word = hn::LoadU(d, row);
    const auto from_corner = subtract_pairs(d, own, hn::Load(d, kNearTable.origin + i));
    const auto conflict =
        hn::VecFromMask(d, in_radius(d, subtract_pairs(d, from_corner, fractions(d, word))));
    const auto dead = hn::And(hn::And(conflict, hn::Load(d, kNearTable.neighbour + i)),
                              hn::Set(d, static_cast<std::int32_t>(kDead)));
    hn::StoreU(hn::Or(word, dead), d, row);
  }
  window.position[cell] = dart | kIsPoint | kIsFresh;
}

/// The box of CoverRows that a position lies in.
[[nodiscard]] HWY_INLINE std::size_t cover_box(std::uint32_t dart) {
  constexpr auto kBoxShift =
      static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint32_t>(CoverTable::kBoxSide)));
  constexpr std::uint32_t kBoxMask = CoverRows::kBoxes - 1;
  return ((dart >> (16 + kBoxShift)) & kBoxMask) * CoverRows::kBoxes + ((dart >> kBoxShift) & kBoxMask);
}

/// Adds what a new point covers to the masks around it.
HWY_INLINE void cover(const KernelWindow& window, const CoverRows& rows, std::ptrdiff_t cell) {
  window.position[cell] &= ~kIsFresh;
  const std::uint32_t dart = window.position[cell];
  const std::size_t box = cover_box(dart);
  const hn::CappedTag<std::uint64_t, 8> d;
  for (std::int32_t dy = -2; dy <= 2; ++dy) {
    const std::uint64_t* const masks = rows.row(box, static_cast<std::size_t>(dy + 2));
    std::uint64_t* const covered = window.covered + cell + dy * window.stride - 2;
    for (std::size_t i = 0; i < 5; i += hn::Lanes(d)) {
      hn::StoreU(hn::Or(hn::LoadU(d, covered + i), hn::Load(d, masks + i)), d, covered + i);
    }
  }
}

/// Asks for the memory that `cover` will change.
HWY_INLINE void prefetch_cover(const KernelWindow& window, const CoverRows& rows, std::ptrdiff_t cell) {
  const std::size_t box = cover_box(window.position[cell]);
  for (std::ptrdiff_t dy = -2; dy <= 2; ++dy) {
    hwy::Prefetch(window.covered + cell + dy * window.stride);
    hwy::Prefetch(rows.row(box, static_cast<std::size_t>(dy + 2)));
  }
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
