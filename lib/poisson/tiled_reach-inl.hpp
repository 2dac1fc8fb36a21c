// What is around a position: the 4 x 4 cells that it may be in conflict with.
#if defined(STREW_POISSON_TILED_REACH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_REACH_INL
#undef STREW_POISSON_TILED_REACH_INL
#else
#define STREW_POISSON_TILED_REACH_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What a position may be in conflict with lies in 4 x 4 cells: no more than one of the two outer columns is
// nearer than the radius, the one on its side of the cell's middle, and so are the rows.
static_assert(9 * kCellSteps * kCellSteps / 4 > kRadiusSquared);
using DCells = hn::CappedTag<std::uint32_t, 16>;  ///< a lane for each of several cells
using DReach = hn::CappedTag<std::int32_t, 16>;
inline constexpr std::size_t kReachCells = 16;

/// For each quarter of a cell that a position may lie in, of the 16 cells, row by row: from kOriginLane on
/// the corner as a pair, far away for those in no conflict; from kAddedLane on what makes of the bits of the
/// own clock the one that theirs must be less than to be earlier: one float more for those that precede the
/// own cell in row-major order, something negative for those in no conflict.
inline constexpr std::size_t kOriginLane = 0;
inline constexpr std::size_t kAddedLane = kReachCells;
inline constexpr std::size_t kQuarterLanes = 2 * kReachCells;
struct ReachLanes {
  alignas(64) std::int32_t lane[4 * kQuarterLanes];
};
inline constexpr ReachLanes kReachTable = [] {
  ReachLanes table{};
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    std::int32_t* const lanes = table.lane + kQuarterLanes * quarter;
    for (std::size_t i = 0; i < kReachCells; ++i) {
      const std::int32_t dx = static_cast<std::int32_t>(i % 4 + quarter % 2) - 2;
      const std::int32_t dy = static_cast<std::int32_t>(i / 4 + quarter / 2) - 2;
      const bool neighbour = dx * dx + dy * dy < 8 && (dx != 0 || dy != 0);
      const bool precedes = dy < 0 || (dy == 0 && dx < 0);
      lanes[kOriginLane + i] =
          neighbour ? pack_pair(dx * kCellSteps, dy * kCellSteps) : pack_pair(3 * kCellSteps, 0);
      lanes[kAddedLane + i] = neighbour ? (precedes ? 1 : 0) : std::numeric_limits<std::int32_t>::min();
    }
  }
  return table;
}();

/// The 4 x 4 cells around a position of a cell.
struct Reach {
  std::size_t lanes;     ///< place of the quarter's in a table
  std::ptrdiff_t first;  ///< place of the first of them in the window's arrays
};
HWY_INLINE Reach reach_of(std::ptrdiff_t cell, std::ptrdiff_t stride, std::uint32_t position) noexcept {
  const std::uint32_t right = (position >> (kCellBits - 1)) & 1U;
  const std::uint32_t upper = (position >> (16 + kCellBits - 1)) & 1U;
  return {kQuarterLanes * (right + 2 * upper),
          cell + (static_cast<std::ptrdiff_t>(upper) - 2) * stride + static_cast<std::ptrdiff_t>(right) - 2};
}

/// Calls each(i, cells, words) for `count` cells (y << 16 | x) from the i-th on, a vector at a time: their
/// places in the window's arrays, and their positions with marks. Where a vector has more, those of cell 0.
template <class Each>
HWY_INLINE void each_word(const KernelWindow& window, const std::uint32_t* packed, std::size_t count,
                          const Each& each) {
  const DCells d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto meant = hn::IfThenElseZero(hn::FirstN(d, count - i), hn::LoadU(d, packed + i));
    const auto cells = cell_indices(d, window.stride, meant);
    each(i, cells, hn::GatherIndex(d, window.position, hn::BitCast(hn::RebindToSigned<DCells>(), cells)));
  }
}

/// The same of the positions of up to kPiece cells, worked out by vectors, so that the loop that looks at
/// what is around them has only that to do.
struct Reaches {
  alignas(64) std::uint32_t cell[kPiece];   ///< place in the window's arrays
  alignas(64) std::uint32_t word[kPiece];   ///< position and marks
  alignas(64) std::uint32_t first[kPiece];  ///< place of the first of the 16 cells
  alignas(64) std::uint32_t lanes[kPiece];  ///< place of the quarter's in a table

  /// Those of the cells in lanes `i` on.
  HWY_INLINE void set(std::size_t i, std::int32_t stride, hn::VFromD<DCells> cells,
                      hn::VFromD<DCells> words) {
    const DCells d;
    const auto one = hn::Set(d, 1);
    const auto right = hn::And(hn::ShiftRight<kCellBits - 1>(words), one);
    const auto upper = hn::And(hn::ShiftRight<16 + kCellBits - 1>(words), one);
    const auto row = static_cast<std::uint32_t>(stride);
    const auto row_of_upper = hn::IfThenElseZero(hn::Eq(upper, one), hn::Set(d, row));
    hn::Store(cells, d, cell + i);
    hn::Store(words, d, word + i);
    hn::Store(hn::Add(hn::Sub(cells, hn::Set(d, 2 * row + 2)), hn::Add(row_of_upper, right)), d, first + i);
    static_assert(kQuarterLanes == 32);
    hn::Store(hn::ShiftLeft<5>(hn::Add(right, hn::Add(upper, upper))), d, lanes + i);
  }
  HWY_INLINE void find(const KernelWindow& window, const std::uint32_t* packed, std::size_t count) {
    each_word(window, packed, count,
              [&](std::size_t i, hn::VFromD<DCells> cells, hn::VFromD<DCells> words)
                  HWY_ATTR { set(i, window.stride, cells, words); });
  }
};

/// The lanes from `lane` on of the 16 values around a position.
template <class T>
HWY_INLINE hn::VFromD<hn::Rebind<T, DReach>> load_reach(const T* first, std::ptrdiff_t stride,
                                                        std::size_t lane) {
  const hn::Rebind<T, DReach> d;
  const T* const row = first + static_cast<std::ptrdiff_t>(lane / 4) * stride;
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return hn::LoadU(d, row + lane % 4);
#else
  const hn::CappedTag<T, 4> d4;
  if constexpr (hn::MaxLanes(d) == 16) {
    const hn::Half<decltype(d)> half;
    return hn::Combine(d, hn::Combine(half, hn::LoadU(d4, row + 3 * stride), hn::LoadU(d4, row + 2 * stride)),
                       hn::Combine(half, hn::LoadU(d4, row + stride), hn::LoadU(d4, row)));
  } else if constexpr (hn::MaxLanes(d) == 8) {
    return hn::Combine(d, hn::LoadU(d4, row + stride), hn::LoadU(d4, row));
  } else {
    return hn::LoadU(d, row);
  }
#endif
}
/// Stores what load_reach loads.
HWY_INLINE void store_reach(hn::VFromD<DReach> values, std::int32_t* first, std::ptrdiff_t stride,
                            std::size_t lane) {
  const DReach d;
  std::int32_t* const row = first + static_cast<std::ptrdiff_t>(lane / 4) * stride;
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  hn::StoreU(values, d, row + lane % 4);
#else
  if constexpr (hn::MaxLanes(d) == 16) {
    const hn::Half<DReach> half;
    const hn::Half<decltype(half)> quarter;
    const auto low = hn::LowerHalf(half, values);
    const auto high = hn::UpperHalf(half, values);
    hn::StoreU(hn::LowerHalf(quarter, low), quarter, row);
    hn::StoreU(hn::UpperHalf(quarter, low), quarter, row + stride);
    hn::StoreU(hn::LowerHalf(quarter, high), quarter, row + 2 * stride);
    hn::StoreU(hn::UpperHalf(quarter, high), quarter, row + 3 * stride);
  } else if constexpr (hn::MaxLanes(d) == 8) {
    const hn::Half<DReach> half;
    hn::StoreU(hn::LowerHalf(half, values), half, row);
    hn::StoreU(hn::UpperHalf(half, values), half, row + stride);
  } else {
    hn::StoreU(values, d, row);
  }
#endif
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
