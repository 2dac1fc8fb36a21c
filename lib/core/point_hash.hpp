// The hash of a part of a point set.
#pragma once

#include <cstddef>

#include "strew/hash.hpp"
#include "strew/strategy.hpp"

namespace strew {

/// hash_points of points `begin` to `end` - 1. Thread-safe.
[[nodiscard]] SetHash hash_points_between(const PointSet& points, std::size_t begin,
                                          std::size_t end) noexcept;

}  // namespace strew
