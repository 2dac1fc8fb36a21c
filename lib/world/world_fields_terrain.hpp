// Keys of the extent and of the terrain.
#pragma once

#include "world_fields.hpp"

namespace strew::world_file {

inline constexpr double kCoordLimitMetres = 1073741823;

inline constexpr Field kExtentFields[] = {
    {.key = "origin_m",
     .kind = FieldKind::kPair,
     .description = "South-west corner, [x, y] in metres.",
     .minimum = -kCoordLimitMetres,
     .maximum = kCoordLimitMetres,
     .default_json = "[0, 0]"},
    {.key = "size_m",
     .kind = FieldKind::kPair,
     .description = "Width (east) and height (north) in metres.",
     .minimum = 0,
     .maximum = 2 * kCoordLimitMetres,
     .above_minimum = true,
     .required = true},
};
inline constexpr ObjectInfo kExtent{
    "extent", "The rectangle that is filled. Absent: the footprint of the terrain's raster.", kExtentFields};

inline constexpr Field kMapFields[] = {
    {.key = "name", .kind = FieldKind::kText, .description = "Unique; what rules call it.", .required = true},
    {.key = "path",
     .kind = FieldKind::kPath,
     .description = "Raster on any grid of the same CRS, relative to this file's folder.",
     .required = true},
    {.key = "band",
     .kind = FieldKind::kInteger,
     .description = "Band that holds the values, from 1.",
     .minimum = 1,
     .maximum = 65535,
     .default_json = "1"},
    {.key = "minus_band",
     .kind = FieldKind::kInteger,
     .description = "The map is (band - minus_band) / (band + minus_band): NDVI, of near infrared and red.",
     .minimum = 1,
     .maximum = 65535},
};
inline constexpr ObjectInfo kMap{"map", "Density maps and masks that rules refer to by name.", kMapFields};

inline constexpr Field kShapeFields[] = {
    {.key = "name", .kind = FieldKind::kText, .description = "Unique; what rules call it.", .required = true},
    {.key = "path",
     .kind = FieldKind::kPath,
     .description =
         "GeoJSON, GeoPackage or other vector file of the same CRS, relative to this file's folder.",
     .required = true},
    {.key = "layer", .kind = FieldKind::kText, .description = "Layer of the file. Absent: all of them."},
    {.key = "buffer_m",
     .kind = FieldKind::kNumber,
     .description = "Grows polygons and lines by this: half the width of a road, in metres.",
     .minimum = 0,
     .maximum = 10000,
     .default_json = "0"},
};
inline constexpr ObjectInfo kShape{
    "shape", "Polygons and lines (plots, roads, rivers) that rules refer to by name.", kShapeFields};

inline constexpr Field kTerrainFields[] = {
    {.key = "builtin",
     .description = "The built-in terrain, centred in the extent; not together with rasters.",
     .schema = R"({"const": "island"})"},
    {.key = "seed",
     .kind = FieldKind::kSeed,
     .description = "Seed of the built-in terrain.",
     .default_json = "0"},
    {.key = "size_m",
     .kind = FieldKind::kNumber,
     .description = "Side of the square that the built-in terrain fills, in metres.",
     .minimum = 100,
     .maximum = 1e6,
     .default_json = "16000"},
    {.key = "elevation",
     .kind = FieldKind::kPath,
     .description = "Elevation raster in metres, relative to this file's folder."},
    {.key = "biome",
     .kind = FieldKind::kPath,
     .description =
         "Raster of biome classes 0 to 255, relative to this file's folder; any grid of the same CRS."},
    {.key = "assume_same_crs",
     .kind = FieldKind::kFlag,
     .description = "Accept files whose coordinate systems differ or are unknown.",
     .default_json = "false"},
    {.key = "maps",
     .kind = FieldKind::kObjects,
     .description = kMap.description,
     .default_json = "[]",
     .object = &kMap},
    {.key = "shapes",
     .kind = FieldKind::kObjects,
     .description = kShape.description,
     .default_json = "[]",
     .object = &kShape},
};
inline constexpr ObjectInfo kTerrain{
    "terrain", "The built-in island, raster files, or absent: flat ground without rules on terrain.",
    kTerrainFields};

}  // namespace strew::world_file
