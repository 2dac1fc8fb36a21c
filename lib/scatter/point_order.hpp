// PointSet order for points that come in any order.
#pragma once

#include <cstdint>
#include <vector>

#include "strew/strategy.hpp"

namespace strew::scatter {

/// Fills `out` with the points in PointSet order; out.lattice must be set.
void sort_into(const std::vector<std::int64_t>& xs, const std::vector<std::int64_t>& ys, PointSet& out);

/// Sorts the rows `order`, which rise, by y, then x, then row. O(rows) for places within 2^32 steps or so.
void sort_by_place(const std::vector<std::int64_t>& x, const std::vector<std::int64_t>& y,
                   std::vector<std::size_t>& order);

/// Refuses an empty region and coordinates beyond the limit.
[[nodiscard]] Status check_region(const Rect& region);

}  // namespace strew::scatter
