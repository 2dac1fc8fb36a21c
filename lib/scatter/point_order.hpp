// PointSet order for points that come in any order.
#pragma once

#include <cstdint>
#include <vector>

#include "strew/strategy.hpp"

namespace strew::scatter {

/// Fills `out` with the points in PointSet order; out.lattice must be set.
void sort_into(const std::vector<std::int64_t>& xs, const std::vector<std::int64_t>& ys, PointSet& out);

/// Refuses an empty region and coordinates beyond the limit.
[[nodiscard]] Status check_region(const Rect& region);

}  // namespace strew::scatter
