// Blue-noise point sets: the strategies of the family poisson/*. See docs/poisson.md.
#pragma once

#include "strew/strategy.hpp"

namespace strew {

/// poisson/tiled/ref: maximal, unbiased Poisson disk sampling of the plane, any rectangle alone. The points
/// are those of sequential dart throwing to saturation, decided on an integer lattice; O(cells log cells) per
/// block of 256 x 256 cells, each with a halo of about 40 cells; 17 bytes of scratch per cell; parallel over
/// blocks. Parameters: radius in metres, or density in points per square metre.
[[nodiscard]] const PointStrategy& poisson_tiled_ref() noexcept;

/// poisson/tiled/hwy: the same points as poisson/tiled/ref bit for bit, vectorised with the instruction set chosen at run
/// time (RunContext::max_isa). 24 bytes of scratch per cell. Absent from builds with STREW_SCALAR.
[[nodiscard]] const PointStrategy& poisson_tiled_hwy() noexcept;

/// poisson/bridson/ref: Bridson, "Fast Poisson disk sampling in arbitrary dimensions", SIGGRAPH sketches
/// 2007, as game code has it: sequential, grown from the centre of the region, which is a seed and not itself
/// a point. The set depends on the rectangle it is given (crowded borders, holes): for comparison, not for
/// worlds.
[[nodiscard]] const PointStrategy& poisson_bridson() noexcept;

}  // namespace strew
