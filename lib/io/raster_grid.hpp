// Where a raster lies: from GDAL's geotransform and CRS to metres, refusing what strew cannot place.
#pragma once

#include <gdal.h>
#include <ogr_srs_api.h>

#include <string>

#include "strew/io/raster.hpp"

namespace strew {

/// A raster's grid. Rows here count from the south, whatever the file's order.
struct RasterGrid {
  RasterInfo info;
  Coord x0 = 0;   ///< centre of the westernmost column
  Coord y0 = 0;   ///< centre of the southernmost row
  double dx = 1;  ///< metres, > 0
  double dy = 1;
  bool north_up = true;  ///< the file's first row is the northernmost
  bool crs_known = false;
};

/// What a raster will be used for: it decides the resampling that a refused raster's repair command
/// recommends.
enum class RasterRole : std::uint8_t { kElevation, kBiome, kMap };

[[nodiscard]] Result<RasterGrid> read_grid(GDALDatasetH dataset, const std::string& path, RasterRole role);
/// Whether two datasets share a CRS. Precondition: both have one.
[[nodiscard]] bool same_crs(GDALDatasetH a, GDALDatasetH b);

}  // namespace strew
