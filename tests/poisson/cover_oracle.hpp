// Oracle of coverage: which lattice positions no disc covers, row by row, from integer square roots alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cell_lattice.hpp"

namespace strew::poisson {

struct Disc {
  std::int64_t x;
  std::int64_t y;
};

/// Largest w with w * w <= value, for 0 <= value < 2^31.
inline std::int64_t integer_root(std::int64_t value) {
  std::int64_t root = 0;
  for (std::int64_t bit = std::int64_t{1} << 16; bit > 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= value) {
      root += bit;
    }
  }
  return root;
}

/// Number of positions in [x0, x1) x [y0, y1) at squared distance >= kRadiusSquared from every disc centre.
inline std::int64_t uncovered_positions(const std::vector<Disc>& discs, std::int64_t x0, std::int64_t y0,
                                        std::int64_t x1, std::int64_t y1) {
  std::int64_t uncovered = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;
  for (std::int64_t y = y0; y < y1; ++y) {
    spans.clear();
    for (const Disc& disc : discs) {
      const std::int64_t left = kRadiusSquared - 1 - (y - disc.y) * (y - disc.y);
      if (left >= 0) {
        const std::int64_t half = integer_root(left);
        spans.emplace_back(disc.x - half, disc.x + half + 1);
      }
    }
    std::sort(spans.begin(), spans.end());
    std::int64_t reached = x0;
    for (const auto& [begin, end] : spans) {
      if (begin >= x1) {
        break;
      }
      uncovered += std::max<std::int64_t>(0, begin - reached);
      reached = std::max(reached, end);
    }
    uncovered += std::max<std::int64_t>(0, x1 - reached);
  }
  return uncovered;
}

}  // namespace strew::poisson
