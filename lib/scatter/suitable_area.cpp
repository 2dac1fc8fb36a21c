#include "suitable_area.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strew::scatter {
namespace {

/// Interpolation in floating point may leave the range of its samples by a rounding; metres and degrees. It
/// covers a place that rounding gives to the neighbouring cell, too: the two agree along their common side.
constexpr double kSlack = 1e-3;
/// The nearest sample of a place this near to the middle between two may be either.
constexpr double kTie = 1e-6;

struct Span {
  std::int32_t first = 0;
  std::int32_t last = -1;
};

/// Indices floor(t + shift) for places from `low` to `high` on one axis, `slack` wider, cut to [least, most].
Span span_of(Coord low, Coord high, Coord origin, double spacing, std::int32_t first_index, double shift,
             double slack, std::int32_t least, std::int32_t most) noexcept {
  const auto index = [&](Coord at, double by) {
    const double t = to_metres(at - origin) / spacing - first_index + shift + by;
    return static_cast<std::int32_t>(
        std::clamp(std::floor(t), static_cast<double>(least), static_cast<double>(most)));
  };
  return {index(low, -slack), index(high - 1, slack)};
}

/// Whether the samples around the block's cells may interpolate to something in the range. Missing ones make
/// places nodata, which are rejected.
bool may_hold(const RasterView<float>& raster, const Rect& block, const Range& range) noexcept {
  const Span x =
      span_of(block.x0, block.x1, raster.x0, raster.dx, raster.first_column, 0, 0, 0, raster.width - 1);
  const Span y =
      span_of(block.y0, block.y1, raster.y0, raster.dy, raster.first_row, 0, 0, 0, raster.height - 1);
  const std::int32_t x_end = std::min(x.last + 1, raster.width - 1);
  const std::int32_t y_end = std::min(y.last + 1, raster.height - 1);
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::int32_t row = y.first; row <= y_end; ++row) {
    for (std::int32_t column = x.first; column <= x_end; ++column) {
      const float value = raster.at(column, row);
      if (!raster.is_nodata(value)) {
        low = std::min(low, static_cast<double>(value));
        high = std::max(high, static_cast<double>(value));
      }
    }
  }
  return high >= range.minimum - kSlack && low <= range.maximum + kSlack;
}

bool may_hold(const RasterView<std::uint8_t>& raster, const Rect& block,
              const std::bitset<256>& accepted) noexcept {
  const Span x =
      span_of(block.x0, block.x1, raster.x0, raster.dx, raster.first_column, 0.5, kTie, 0, raster.width - 1);
  const Span y =
      span_of(block.y0, block.y1, raster.y0, raster.dy, raster.first_row, 0.5, kTie, 0, raster.height - 1);
  for (std::int32_t row = y.first; row <= y.last; ++row) {
    for (std::int32_t column = x.first; column <= x.last; ++column) {
      if (accepted[raster.at(column, row)]) {
        return true;
      }
    }
  }
  return false;
}

bool may_pass(const TerrainView& terrain, const Constraints& rules, const Rect& block) noexcept {
  return (!rules.altitude_m || terrain.elevation.empty() ||
          may_hold(terrain.elevation, block, *rules.altitude_m)) &&
         (!rules.slope_degrees || terrain.slope.empty() ||
          may_hold(terrain.slope, block, *rules.slope_degrees)) &&
         (!rules.biomes || terrain.biome.empty() || may_hold(terrain.biome, block, *rules.biomes));
}

}  // namespace

SuitableBlocks::SuitableBlocks(const TerrainView& terrain, const Constraints& rules, const Rect& area) {
  const bool anywhere = (terrain.elevation.empty() || (!rules.altitude_m && !rules.slope_degrees)) &&
                        (terrain.biome.empty() || !rules.biomes);
  if (anywhere) {
    bounds_ = area;
    return;
  }
  const Rect whole = whole_blocks(area);
  first_column_ = whole.x0 / kBlockSide;
  first_row_ = whole.y0 / kBlockSide;
  columns_ = (whole.x1 - whole.x0) / kBlockSide;
  const std::int64_t rows = (whole.y1 - whole.y0) / kBlockSide;
  suitable_.resize(static_cast<std::size_t>(columns_ * rows));
  Rect found = {whole.x1, whole.y1, whole.x0, whole.y0};
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns_; ++column) {
      const Coord x = whole.x0 + column * kBlockSide;
      const Coord y = whole.y0 + row * kBlockSide;
      const Rect block = {x, y, x + kBlockSide, y + kBlockSide};
      if (may_pass(terrain, rules, block)) {
        suitable_[static_cast<std::size_t>(row * columns_ + column)] = true;
        ++count;
        found = {std::min(found.x0, block.x0), std::min(found.y0, block.y0), std::max(found.x1, block.x1),
                 std::max(found.y1, block.y1)};
      }
    }
  }
  all_ = count == ((found.x1 - found.x0) / kBlockSide) * ((found.y1 - found.y0) / kBlockSide);
  bounds_ = count == 0 ? Rect{} : intersection(found, area);
}

}  // namespace strew::scatter
