// Point strategies that are not blue noise: what plantations and most engines place.
#pragma once

#include "strew/strategy.hpp"

namespace strew {

/// rows/ref: aligned rows, rotated about the world's origin, each shifted along itself by row_offset, points
/// jittered. A function of the place alone; O(points); 2^-16 m lattice. Parameters: spacing_along,
/// spacing_across (m), rotation (degrees), row_offset (share of spacing_along added per row), jitter (m, at
/// most 0.499 of the smaller spacing, so that no two points meet).
[[nodiscard]] const PointStrategy& rows_strategy() noexcept;

}  // namespace strew
