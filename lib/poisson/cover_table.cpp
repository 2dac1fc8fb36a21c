#include "cover_table.hpp"

#include <algorithm>
#include <cstdlib>

namespace strew::poisson {
namespace {

/// Largest distance on one axis between a position in [a0, a1] and one in [b0, b1].
std::int32_t farthest(std::int32_t a0, std::int32_t a1, std::int32_t b0, std::int32_t b1) noexcept {
  return std::max(std::abs(a1 - b0), std::abs(b1 - a0));
}

}  // namespace

CoverTable::CoverTable() noexcept {
  constexpr std::int32_t kSide = kCellSteps / 8;
  std::size_t entry = 0;
  for (const CellOffset offset : kNeighbours) {
    for (std::int32_t box_y = 0; box_y < kCellSteps; box_y += kBoxSide) {
      for (std::int32_t box_x = 0; box_x < kCellSteps; box_x += kBoxSide) {
        const std::int32_t x0 = offset.x * kCellSteps + box_x;
        const std::int32_t y0 = offset.y * kCellSteps + box_y;
        std::uint64_t mask = 0;
        for (std::int32_t bit = 0; bit < 64; ++bit) {
          const std::int32_t square_x = (bit % 8) * kSide;
          const std::int32_t square_y = (bit / 8) * kSide;
          const std::int32_t dx = farthest(square_x, square_x + kSide - 1, x0, x0 + kBoxSide - 1);
          const std::int32_t dy = farthest(square_y, square_y + kSide - 1, y0, y0 + kBoxSide - 1);
          // Up to four cells apart on an axis: the sum of squares needs 64 bits here.
          if (std::int64_t{dx} * dx + std::int64_t{dy} * dy < kRadiusSquared) {
            mask |= std::uint64_t{1} << bit;
          }
        }
        masks_[entry++] = mask;
      }
    }
  }
}

const CoverTable& cover_table() noexcept {
  static const CoverTable kTable;
  return kTable;
}

}  // namespace strew::poisson
