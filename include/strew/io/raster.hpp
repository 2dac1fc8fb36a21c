// Rasters through GDAL.
#pragma once

#include <memory>
#include <string>

#include "strew/scatter.hpp"

namespace strew {

struct RasterInfo {
  std::int32_t width = 0;
  std::int32_t height = 0;
  double x0_m = 0;  ///< footprint, metres, pixel edges (half a cell beyond the outer sample centres)
  double y0_m = 0;
  double x1_m = 0;
  double y1_m = 0;
  std::string crs_name;
  double linear_unit_m = 1;
};

/// Terrain from an elevation raster and, optionally, a biome raster on any grid of the same CRS, read by
/// windows.
class RasterTerrain : public TerrainSource {
 public:
  /// Refuses: files that do not open, are empty or truncated (named, with what GDAL said), a CRS in degrees
  /// (with the gdalwarp command that reprojects it), rotated geotransforms, CRSs that differ or are unknown
  /// unless assume_same_crs. A linear unit other than the metre is converted. Either path may be empty, not
  /// both.
  [[nodiscard]] static Result<std::unique_ptr<RasterTerrain>> open(const std::string& elevation_path,
                                                                   const std::string& biome_path,
                                                                   bool assume_same_crs);
  /// Of the elevation raster, or of the biome raster where there is no elevation.
  [[nodiscard]] virtual const RasterInfo& info() const noexcept = 0;
};

/// The coordinate system of a raster as WKT, for ExportOptions::crs. Refuses a raster that has none.
[[nodiscard]] Result<std::string> raster_crs(const std::string& path);

/// Whole-raster reads for tests, tools and pictures: row 0 southernmost.
struct FloatRaster {
  RasterInfo info;
  std::vector<float> data;  ///< nodata as NaN
  RasterView<float> view;
};
[[nodiscard]] Result<FloatRaster> read_float_raster(const std::string& path);

}  // namespace strew
