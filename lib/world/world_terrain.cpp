#include <filesystem>

#include "world_parts.hpp"

namespace strew::world_file {
namespace {

constexpr std::string_view kIslandName = "island";

Status refuse_with_builtin(const ObjectReader& reader, std::string_view key) {
  if (!reader.has(key)) {
    return {};
  }
  return invalid_argument("does not go with \"builtin\"; use the built-in terrain or rasters, not both",
                          reader.path(key));
}

template <class Item>
Status check_unique(const std::vector<Item>& earlier, const ObjectReader& reader, const std::string& name) {
  for (const Item& item : earlier) {
    if (item.name == name) {
      return invalid_argument("is " + in_quotes(name) + ", as an earlier one of the list; names must differ",
                              reader.path("name"));
    }
  }
  return {};
}

Status read_fields(const ObjectReader& terrain, TerrainSpec& out) {
  STREW_RETURN_IF_ERROR(terrain.each("maps", [&out](const ObjectReader& reader) -> Status {
    MapSpec map;
    STREW_RETURN_IF_ERROR(reader.text("name", map.name));
    STREW_RETURN_IF_ERROR(check_unique(out.maps, reader, map.name));
    STREW_RETURN_IF_ERROR(resolve_path(reader, "path", map.path));
    STREW_RETURN_IF_ERROR(reader.integer("band", map.band));
    STREW_RETURN_IF_ERROR(reader.integer("minus_band", map.minus_band));
    out.maps.push_back(std::move(map));
    return {};
  }));
  STREW_RETURN_IF_ERROR(terrain.each("shapes", [&out](const ObjectReader& reader) -> Status {
    ShapeSpec shape;
    STREW_RETURN_IF_ERROR(reader.text("name", shape.name));
    STREW_RETURN_IF_ERROR(check_unique(out.shapes, reader, shape.name));
    STREW_RETURN_IF_ERROR(resolve_path(reader, "path", shape.path));
    STREW_RETURN_IF_ERROR(reader.text("layer", shape.layer));
    STREW_RETURN_IF_ERROR(reader.number("buffer_m", shape.buffer_m));
    out.shapes.push_back(std::move(shape));
    return {};
  }));
  return terrain.flag("assume_same_crs", out.assume_same_crs);
}

Status read_island(const ObjectReader& reader, TerrainSpec& out) {
  std::string name;
  STREW_RETURN_IF_ERROR(reader.text("builtin", name));
  if (name != kIslandName) {
    return invalid_argument("is " + in_quotes(name) + "; the only built-in terrain is \"island\"",
                            reader.path("builtin"));
  }
  for (const std::string_view key : {"elevation", "biome"}) {
    STREW_RETURN_IF_ERROR(refuse_with_builtin(reader, key));
  }
  out.kind = TerrainSpec::Kind::kIsland;
  STREW_RETURN_IF_ERROR(reader.seed("seed", out.island_seed));
  return reader.number("size_m", out.island_size_m);
}

Status read_rasters(const ObjectReader& reader, TerrainSpec& out) {
  for (const std::string_view key : {"seed", "size_m"}) {
    if (reader.has(key)) {
      return invalid_argument("belongs to the built-in terrain; add \"builtin\": \"island\", or leave it out",
                              reader.path(key));
    }
  }
  STREW_RETURN_IF_ERROR(resolve_path(reader, "elevation", out.elevation_path));
  STREW_RETURN_IF_ERROR(resolve_path(reader, "biome", out.biome_path));
  if (out.elevation_path.empty() && out.biome_path.empty()) {
    if (reader.has("maps") || reader.has("shapes")) {
      return {};  // flat ground with fields
    }
    return invalid_argument(
        "names no terrain; give \"builtin\": \"island\", or \"elevation\" and \"biome\" rasters, or leave "
        "terrain out "
        "for flat ground",
        reader.path());
  }
  out.kind = TerrainSpec::Kind::kRasters;
  return {};
}

}  // namespace

Status resolve_path(const ObjectReader& reader, std::string_view key, std::string& out) {
  std::string text;
  STREW_RETURN_IF_ERROR(reader.text(key, text));
  if (!text.empty()) {
    // An absolute path replaces the folder.
    out = (std::filesystem::path(reader.scope().folder) / text).lexically_normal().string();
  }
  return {};
}

Status read_terrain(const ObjectReader& world, TerrainSpec& out) {
  if (!world.has("terrain")) {
    return {};
  }
  STREW_ASSIGN(const ObjectReader reader, world.child("terrain"));
  STREW_RETURN_IF_ERROR(reader.has("builtin") ? read_island(reader, out) : read_rasters(reader, out));
  return read_fields(reader, out);
}

Status read_extent(const ObjectReader& world, WorldFile& out) {
  if (!world.has("extent")) {
    if (out.terrain.kind != TerrainSpec::Kind::kRasters) {
      return invalid_argument(
          "is missing, and there is no raster to take it from; give {\"origin_m\": [x, y], \"size_m\": "
          "[width, "
          "height]}",
          world.path("extent"));
    }
    out.extent_from_raster = true;
    return {};
  }
  STREW_ASSIGN(const ObjectReader reader, world.child("extent"));
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  STREW_RETURN_IF_ERROR(reader.pair("origin_m", x, y));
  STREW_RETURN_IF_ERROR(reader.pair("size_m", width, height));
  STREW_ASSIGN(out.scatter.extent, rect_from_metres(x, y, x + width, y + height, reader.path()));
  return {};
}

}  // namespace strew::world_file
