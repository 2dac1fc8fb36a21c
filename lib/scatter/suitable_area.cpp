#include "suitable_area.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

/// The samples that a row or a column of blocks looks at, block by block: both corners of each cell, or the
/// nearest ones.
enum class Samples { kAround, kNearest };

struct Axis {
  Coord begin = 0;  ///< of the first block
  std::int64_t blocks = 0;
};

std::vector<Span> spans_of(const Axis& axis, Coord origin, double spacing, std::int32_t first_index,
                           std::int32_t samples, Samples which) {
  const bool nearest = which == Samples::kNearest;
  std::vector<Span> spans;
  spans.reserve(static_cast<std::size_t>(axis.blocks));
  for (std::int64_t i = 0; i < axis.blocks; ++i) {
    const Coord low = axis.begin + i * kBlockSide;
    Span span = span_of(low, low + kBlockSide, origin, spacing, first_index, nearest ? 0.5 : 0,
                        nearest ? kTie : 0, 0, samples - 1);
    span.last = nearest ? span.last : std::min(span.last + 1, samples - 1);
    spans.push_back(span);
  }
  return spans;
}

/// A raster under a grid of blocks.
template <class T>
struct BlockSamples {
  BlockSamples(const RasterView<T>& raster_in, const Axis& across, const Axis& along, Samples which)
      : raster(raster_in),
        columns(spans_of(across, raster.x0, raster.dx, raster.first_column, raster.width, which)),
        rows(spans_of(along, raster.y0, raster.dy, raster.first_row, raster.height, which)) {}

  const RasterView<T>& raster;
  std::vector<Span> columns;
  std::vector<Span> rows;
};

/// Whether the samples around the block's cells may interpolate to something in the range. Missing ones make
/// places nodata, which are rejected.
bool may_hold(const BlockSamples<float>& samples, std::size_t column_block, std::size_t row_block,
              const Range& range) noexcept {
  const RasterView<float>& raster = samples.raster;
  const Span x = samples.columns[column_block];
  const Span y = samples.rows[row_block];
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::int32_t row = y.first; row <= y.last; ++row) {
    for (std::int32_t column = x.first; column <= x.last; ++column) {
      const float value = raster.at(column, row);
      if (!raster.is_nodata(value)) {
        low = std::min(low, static_cast<double>(value));
        high = std::max(high, static_cast<double>(value));
      }
    }
  }
  return high >= range.minimum - kSlack && low <= range.maximum + kSlack;
}

bool may_hold(const BlockSamples<std::uint8_t>& samples, std::size_t column_block, std::size_t row_block,
              const std::bitset<256>& accepted) noexcept {
  const Span x = samples.columns[column_block];
  const Span y = samples.rows[row_block];
  for (std::int32_t row = y.first; row <= y.last; ++row) {
    for (std::int32_t column = x.first; column <= x.last; ++column) {
      if (accepted[samples.raster.at(column, row)]) {
        return true;
      }
    }
  }
  return false;
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
  const Axis across = {whole.x0, columns_};
  const Axis along = {whole.y0, rows};
  std::optional<BlockSamples<float>> elevation;
  std::optional<BlockSamples<float>> slope;
  std::optional<BlockSamples<std::uint8_t>> biome;
  if (rules.altitude_m && !terrain.elevation.empty()) {
    elevation.emplace(terrain.elevation, across, along, Samples::kAround);
  }
  if (rules.slope_degrees && !terrain.slope.empty()) {
    slope.emplace(terrain.slope, across, along, Samples::kAround);
  }
  if (rules.biomes && !terrain.biome.empty()) {
    biome.emplace(terrain.biome, across, along, Samples::kNearest);
  }
  const auto may_pass = [&](std::size_t column, std::size_t row) {
    return (!elevation || may_hold(*elevation, column, row, *rules.altitude_m)) &&
           (!slope || may_hold(*slope, column, row, *rules.slope_degrees)) &&
           (!biome || may_hold(*biome, column, row, *rules.biomes));
  };
  Rect found = {whole.x1, whole.y1, whole.x0, whole.y0};
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns_; ++column) {
      const Coord x = whole.x0 + column * kBlockSide;
      const Coord y = whole.y0 + row * kBlockSide;
      const Rect block = {x, y, x + kBlockSide, y + kBlockSide};
      if (may_pass(static_cast<std::size_t>(column), static_cast<std::size_t>(row))) {
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
