// A picture of a point set.
#pragma once

#include "strew/io/files.hpp"

namespace strew {

/// White ground, north up, the longer side 2048 pixels. Dark anti-aliased discs; where the points stand
/// closer than a disc can show, the number of points per pixel as a shade of grey. Points outside `region`
/// are left out. Precondition: the region is not empty.
[[nodiscard]] Image draw_points(const PointSet& points, const Rect& region);

}  // namespace strew
