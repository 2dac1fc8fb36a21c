// Where a layer can stand at all, so that no points are made for the sea.
#pragma once

#include <cstdint>
#include <vector>

#include "scatter_impl.hpp"

namespace strew::scatter {

/// Squares of the world, anchored at 0, that are looked at as a whole. Their suitability is a function of the
/// terrain in them alone, so that what is counted as a candidate does not depend on how the world is cut into
/// tiles.
inline constexpr Coord kBlockSide = 16 * kUnitsPerMetre;

/// `rect` grown to whole blocks.
[[nodiscard]] constexpr Rect whole_blocks(const Rect& rect) noexcept {
  return {floor_div(rect.x0, kBlockSide) * kBlockSide, floor_div(rect.y0, kBlockSide) * kBlockSide,
          ceil_div(rect.x1, kBlockSide) * kBlockSide, ceil_div(rect.y1, kBlockSide) * kBlockSide};
}

/// Blocks of an area in which some place may pass a layer's rules. In the others every point is rejected: by
/// altitude, slope or biome, or by nodata.
class SuitableBlocks {
 public:
  /// Conservative: compares the rules with the ranges of the samples around each block, widened for rounding.
  /// `terrain` must cover whole_blocks(area). O(samples).
  SuitableBlocks(const TerrainView& terrain, const Constraints& rules, const Rect& area);

  /// Holds every suitable place of the area; empty when there is none.
  [[nodiscard]] const Rect& bounds() const noexcept { return bounds_; }
  /// Whether all blocks that meet bounds() are suitable.
  [[nodiscard]] bool all() const noexcept { return all_; }
  /// Precondition: a place in the area.
  [[nodiscard]] bool contains(Coord x, Coord y) const noexcept {
    const std::int64_t column = floor_div(x, kBlockSide) - first_column_;
    const std::int64_t row = floor_div(y, kBlockSide) - first_row_;
    return suitable_[static_cast<std::size_t>(row * columns_ + column)];
  }

 private:
  std::int64_t first_column_ = 0;
  std::int64_t first_row_ = 0;
  std::int64_t columns_ = 0;
  std::vector<bool> suitable_;
  Rect bounds_;
  bool all_ = true;
};

}  // namespace strew::scatter
