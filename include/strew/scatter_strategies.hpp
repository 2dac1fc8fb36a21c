// Point strategies that are not blue noise: what plantations and most engines place.
#pragma once

#include "strew/strategy.hpp"

namespace strew {

/// rows/ref: aligned rows, rotated about the world's origin, each shifted along itself by row_offset, points
/// jittered. A function of the place alone; O(points); 2^-16 m lattice. Parameters: spacing_along,
/// spacing_across (m), rotation (degrees), row_offset (share of spacing_along added per row), jitter (m, at
/// most 0.499 of the smaller spacing, so that no two points meet).
[[nodiscard]] const PointStrategy& rows_strategy() noexcept;

/// grid-jitter/ref: a square or hexagonal lattice, rotated about the world's origin, each point shifted
/// uniformly within +-jitter * spacing on both axes of the lattice. A function of the place alone; O(points);
/// 2^-16 m lattice. Parameters: spacing (m), lattice (square, hexagonal), jitter (share of spacing, below
/// 0.499 of the distance between rows), rotation (degrees).
[[nodiscard]] const PointStrategy& grid_jitter_strategy() noexcept;

/// random/ref: candidates of a Poisson process of the plane, taken one by one in a random but fixed order;
/// each that stands deletes the later ones that it conflicts with. Two conflict when they are closer than
/// `radius` (overlap = disc), or when axis-aligned rectangles of width x height around them overlap (rect).
/// The order is one of the whole plane (32-bit draw, then cell and number), so any rectangle alone equals its
/// crop. O(candidates log candidates); the halo grows until no fate in the block depends on what is outside.
/// Parallel over blocks. Parameters: density of candidates (1/m2), overlap, radius, width, height (m); at
/// most 64 candidates per area of a footprint. Promises crop equals whole and the minimum distance.
[[nodiscard]] const PointStrategy& random_strategy() noexcept;

}  // namespace strew
