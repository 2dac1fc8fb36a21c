// Blue-noise point sets: the strategies of the family poisson/*. See docs/poisson.md.
#pragma once

#include "strew/strategy.hpp"

namespace strew {

/// poisson/tiled/ref: maximal, unbiased Poisson disk sampling of the plane, any rectangle alone. The points
/// are those of sequential dart throwing to saturation, decided on an integer lattice; O(cells log cells) per
/// block of some 384 x 384 cells, each with a halo of 32 cells, grown where that is too little; 26 bytes of
/// scratch per cell; parallel over blocks. Parameters: radius in metres, or density in points per square
/// metre.
[[nodiscard]] const PointStrategy& poisson_tiled_ref() noexcept;

/// poisson/tiled/hwy: the same points as poisson/tiled/ref bit for bit, vectorised with the instruction set
/// chosen at run time (RunContext::max_isa). Blocks are up to 1535 cells wide and 3071 high; one takes 16
/// bytes of scratch for each cell of 210 of its rows, whatever its height. Absent from builds with
/// STREW_SCALAR.
[[nodiscard]] const PointStrategy& poisson_tiled_hwy() noexcept;

/// poisson/tiled/xsimd: the same points once more by xsimd, for comparison: SSE4.1, AVX2 and AVX-512, no
/// scalar kernel. Only in builds for x86-64 that found xsimd.
[[nodiscard]] const PointStrategy& poisson_tiled_xsimd() noexcept;

/// poisson/bridson/ref: Bridson, "Fast Poisson disk sampling in arbitrary dimensions", SIGGRAPH sketches
/// 2007, as game code has it: sequential, grown from the centre of the region, which is a seed and not itself
/// a point. The set depends on the rectangle it is given (crowded borders, holes): for comparison, not for
/// worlds.
[[nodiscard]] const PointStrategy& poisson_bridson() noexcept;

/// poisson/dart/ref: plain dart throwing, Cook 1986, until `failures` darts in a row land too close to a
/// point: the quality reference. Sequential, and the set depends on the rectangle; `domain` = torus takes
/// toroidal distances (region at least 4 radii wide), for tiles to be repeated. Saturation is approached
/// slowly: the points missing go down with the cube root of failures per cell of radius / sqrt(2), from 7 %
/// at 0.3 over 3 % at 3 to 1.4 % at 30. A dart costs O(1); 4 bytes of scratch per cell, 16 per point.
/// Parameters: radius (m) or density (1/m2), failures, domain. Promises the minimum distance.
[[nodiscard]] const PointStrategy& poisson_dart() noexcept;

/// poisson/phased/ref: one dart per empty cell and pass, cells in phase groups of a `period` x `period`
/// pattern; after Wei, "Parallel Poisson disk sampling", SIGGRAPH 2008. Fast and pure, kept to show its
/// signature: at the harmonics of the pattern the structure factor has peaks that grow with the area, 370
/// beside 1.2 on a square of 126 cells. Not maximal: N r^2 / A is 0.511 after one pass, 0.561 after two.
/// O(cells); 8 bytes of scratch per cell of a block and its halo, which is 2 * period^2 * passes cells wide;
/// parallel over blocks. Parameters: radius or density, period, passes. Promises crop equals whole and the
/// minimum distance.
[[nodiscard]] const PointStrategy& poisson_phased() noexcept;

/// poisson/stamp/ref: the process of poisson/tiled on a torus of `period_cells` cells of radius / sqrt(2),
/// repeated over the plane; made anew by each call, O(period^2 log period), 25 bytes of scratch per cell of
/// the tile, then O(cells). Pure, maximal, the minimum distance holds across copies; periodic, and with the
/// density of its one tile. Promises crop equals whole, the minimum distance and maximality.
[[nodiscard]] const PointStrategy& poisson_stamp() noexcept;

/// poisson/multiclass/ref: two to four classes whose points keep the distances of a radius matrix, within and
/// between classes; each class and their union are blue noise; after Wei, "Multi-class blue noise sampling",
/// SIGGRAPH 2010. Parameters: classes, radius_0 ... (m), radius_01 ... for entries off the diagonal in place
/// of Wei's uniform rule (section 3.2), and time. PointSet::class_of holds the classes. Largest over smallest
/// entry at most 16. Promises crop equals whole and the minimum distance, the smallest entry of the matrix.
///
/// In place of Wei's global fill rates, which no crop could know, darts rain in continuous time, and a class
/// that finds less free ground has proportionally more rain. At time 32 N r^2 / A is, by class: 0.50 + 0.50
/// for radii 1:1; 0.56 + 0.56 for 2:1; 0.57 + 0.62 for 4:1; 0.49 + 0.49 + 0.55 for 4:2:1. O(n log n) for the
/// darts; 29 bytes of scratch per cell of radius / sqrt(2) and class, with a halo of 8 times the largest
/// entry around each block, grown until every point of the block is known; parallel over blocks.
[[nodiscard]] const PointStrategy& poisson_multiclass() noexcept;

/// poisson/variable/ref: radius r a function of place within [radius_min, radius_max], at most 16 times
/// apart. Two points keep at least the min, max or mean (`rule`) of the radii at their places. Parameters:
/// radius_min, radius_max (m), field (noise, ramp along x, constant), wavelength (m), rule, time. Fields of
/// the caller's own: VariablePoisson in strew/poisson_variable.hpp. Promises crop equals whole and the
/// minimum distance.
///
/// Darts rain on the plane with density 2 / r^2 until `time`; one becomes a point unless an earlier point is
/// nearer than the rule. So not maximal: for constant r, N r^2 / A is 0.636, 0.652 and 0.673 at time 16, 32
/// and 128, and 0.08, 0.03 and 0.005 % of the plane is left uncovered. Cost as poisson/multiclass, with the
/// halo in terms of radius_max.
[[nodiscard]] const PointStrategy& poisson_variable() noexcept;

/// poisson/elimination/ref: exactly `count` points (or density times the area) left of `oversampling` times
/// as many uniform candidates, the most crowded going first; Yuksel, "Sample elimination for generating
/// Poisson disk sample sets", Eurographics 2015, with its weight limit. The closest pair comes near 0.7 of
/// the distance of the densest lattice, but no distance is promised. Sequential; depends on the rectangle;
/// `domain` = torus takes toroidal distances. O(m N log(m N)), 45 bytes of scratch per candidate. Promises
/// nothing but the count.
[[nodiscard]] const PointStrategy& poisson_elimination() noexcept;

}  // namespace strew
