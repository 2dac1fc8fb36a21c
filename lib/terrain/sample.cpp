#include <cmath>

#include "grid_frame.hpp"
#include "strew/terrain.hpp"

namespace strew {

SampleState sample_bilinear(const RasterView<float>& raster, const GridFrame& frame, Coord x, Coord y,
                            double& value) noexcept {
  const double at_x = frame.x.samples(x);
  const double at_y = frame.y.samples(y);
  if (!frame.x.inside(at_x) || !frame.y.inside(at_y)) {
    return SampleState::kOutside;
  }
  const AxisPlace column = frame.x.place(at_x);
  const AxisPlace row = frame.y.place(at_y);
  const float south_west = raster.at(column.first, row.first);
  const float south_east = raster.at(column.second, row.first);
  const float north_west = raster.at(column.first, row.second);
  const float north_east = raster.at(column.second, row.second);
  if (raster.is_nodata(south_west) || raster.is_nodata(south_east) || raster.is_nodata(north_west) ||
      raster.is_nodata(north_east)) {
    return SampleState::kNodata;
  }
  const double west_south = south_west;
  const double west_north = north_west;
  const double south = west_south + (south_east - west_south) * column.fraction;
  const double north = west_north + (north_east - west_north) * column.fraction;
  const double result = south + (north - south) * row.fraction;
  // An infinite sample spreads to the result whatever its weight; it is no height to stand on.
  if (!std::isfinite(result)) {
    return SampleState::kNodata;
  }
  value = result;
  return SampleState::kValid;
}

SampleState sample_nearest(const RasterView<std::uint8_t>& raster, const GridFrame& frame, Coord x, Coord y,
                           std::uint8_t& value) noexcept {
  const double at_x = frame.x.samples(x);
  const double at_y = frame.y.samples(y);
  if (!frame.x.inside(at_x) || !frame.y.inside(at_y)) {
    return SampleState::kOutside;
  }
  const std::uint8_t sample = raster.at(frame.x.nearest(at_x), frame.y.nearest(at_y));
  if (raster.is_nodata(sample)) {
    return SampleState::kNodata;
  }
  value = sample;
  return SampleState::kValid;
}

SampleState sample_bilinear(const RasterView<float>& raster, Coord x, Coord y, double& value) noexcept {
  return sample_bilinear(raster, GridFrame(raster), x, y, value);
}

SampleState sample_nearest(const RasterView<std::uint8_t>& raster, Coord x, Coord y,
                           std::uint8_t& value) noexcept {
  return sample_nearest(raster, GridFrame(raster), x, y, value);
}

}  // namespace strew
