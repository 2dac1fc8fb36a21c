// Maps and shapes from files, beside any terrain: density maps and masks, polygons and lines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "strew/scatter.hpp"
#include "strew/shapes.hpp"

namespace strew {

/// One band of a raster, or the normalised difference of two: (band - minus_band) / (band + minus_band),
/// which of near infrared and red is the vegetation index NDVI; no data where either has none or the sum is
/// 0.
struct MapFile {
  std::string path;
  std::int32_t band = 1;        ///< from 1
  std::int32_t minus_band = 0;  ///< 0: none
};

/// Polygons and lines of a vector file that GDAL reads (GeoJSON, GeoPackage, Shapefile, ...).
struct ShapeFile {
  std::string path;
  std::string layer;     ///< empty: all layers of the file
  double buffer_m = 0;   ///< as of ShapeData
  double reach_m = 100;  ///< as of Shapes::create
};

struct FieldFiles {
  std::vector<MapFile> maps;
  std::vector<ShapeFile> shapes;
  /// A raster whose CRS the files must have; empty: they need only be in metres.
  std::string crs_of;
  bool assume_same_crs = false;  ///< accept files whose CRS differs or is unknown
};

/// `base` (null: flat ground) with the maps and shapes in its windows, in the order given. Maps are read by
/// windows at full resolution, whatever overviews a file has; shapes are held in memory. Refuses what
/// RasterTerrain::open refuses of a raster; bands that are not there; vector files without polygons or lines,
/// in degrees, or with coordinates that are no numbers, each with the remedy. Rings of less than three
/// corners and lines of one vertex enclose and mark nothing and are left out.
[[nodiscard]] Result<std::unique_ptr<TerrainSource>> with_fields(std::unique_ptr<TerrainSource> base,
                                                                 const FieldFiles& files);

/// The shapes of a file, for tools and tests. `crs_of` and `assume_same_crs` as in FieldFiles.
[[nodiscard]] Result<ShapeData> read_shapes(const ShapeFile& file, const std::string& crs_of,
                                            bool assume_same_crs);

}  // namespace strew
