#include "world_input.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common.hpp"
#include "fmt/format.h"
#include "strew/hash.hpp"
#include "strew/io/fields.hpp"
#include "strew/io/raster.hpp"

namespace strew_tool {
namespace {

using Json = nlohmann::ordered_json;

// A relative path given on the command line starts from the current folder, as in a shell; one written inside
// the world file starts from the file's folder. What holds a slash is a path: no name in a world file may.
std::string as_typed(const std::string& value) {
  return value.find('/') != std::string::npos && std::filesystem::path(value).is_relative()
             ? std::filesystem::absolute(value).lexically_normal().string()
             : value;
}

strew::Result<strew::Definitions> parse_definitions(const std::vector<std::string>& defines) {
  strew::Definitions definitions;
  for (const std::string& define : defines) {
    const std::size_t equals = define.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return strew::invalid_argument(fmt::format("expected NAME=VALUE, found \"{}\"", define), "-D");
    }
    definitions[define.substr(0, equals)] = as_typed(define.substr(equals + 1));
  }
  return definitions;
}

std::string absolute_path(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

// A bake records where meshes lie, for exports that may run in another folder.
void place_meshes(std::vector<strew::SpeciesSpec>& species, std::vector<strew::SecondarySpec>& secondaries) {
  for (strew::SpeciesSpec& one : species) {
    one.mesh = absolute_path(one.mesh);
  }
  for (strew::SecondarySpec& one : secondaries) {
    place_meshes(one.species, one.secondaries);
  }
}

// Elevations and biomes; null where the ground is flat. Takes the extent from the raster where the world says
// so.
strew::Result<std::unique_ptr<strew::TerrainSource>> open_ground(strew::WorldFile& file) {
  std::unique_ptr<strew::TerrainSource> terrain;
  strew::Rect& extent = file.scatter.extent;
  const strew::TerrainSpec& spec = file.terrain;
  if (spec.kind == strew::TerrainSpec::Kind::kRasters) {
    STREW_ASSIGN(auto rasters,
                 strew::RasterTerrain::open(spec.elevation_path, spec.biome_path, spec.assume_same_crs));
    const strew::RasterInfo& info = rasters->info();
    if (info.linear_unit_m != 1) {
      fmt::print(stderr, "strew: {} has units of {} m; converted to metres\n", spec.elevation_path,
                 info.linear_unit_m);
    }
    if (file.extent_from_raster) {
      STREW_ASSIGN(extent, strew::rect_from_metres(info.x0_m, info.y0_m, info.x1_m, info.y1_m, "extent"));
    }
    terrain = std::move(rasters);
  } else if (spec.kind == strew::TerrainSpec::Kind::kIsland) {
    const double centre_x = (strew::to_metres(extent.x0) + strew::to_metres(extent.x1)) / 2;
    const double centre_y = (strew::to_metres(extent.y0) + strew::to_metres(extent.y1)) / 2;
    terrain = strew::make_island(spec.island_seed, centre_x, centre_y, spec.island_size_m);
  }
  return terrain;
}

strew::Scatter::TerrainKinds kinds_of(const strew::TerrainSpec& spec) {
  const bool island = spec.kind == strew::TerrainSpec::Kind::kIsland;
  return {.elevation = island || !spec.elevation_path.empty(),
          .biome = island || !spec.biome_path.empty(),
          .maps = spec.maps.size(),
          .shapes = spec.shapes.size()};
}

// Opens the terrain a world names.
strew::Result<OpenWorld> open_parsed(strew::WorldFile file) {
  STREW_ASSIGN(std::unique_ptr<strew::TerrainSource> terrain, open_ground(file));
  const strew::TerrainSpec& spec = file.terrain;
  if (!spec.maps.empty() || !spec.shapes.empty()) {
    strew::FieldFiles fields;
    fields.crs_of = spec.elevation_path.empty() ? spec.biome_path : spec.elevation_path;
    fields.assume_same_crs = spec.assume_same_crs;
    for (const strew::MapSpec& map : spec.maps) {
      fields.maps.push_back({map.path, map.band, map.minus_band});
    }
    for (std::size_t i = 0; i < spec.shapes.size(); ++i) {
      const strew::ShapeSpec& shape = spec.shapes[i];
      fields.shapes.push_back(
          {shape.path, shape.layer, shape.buffer_m, strew::shape_reach_m(file.scatter, i)});
    }
    STREW_ASSIGN(terrain, strew::with_fields(std::move(terrain), fields));
  }
  const strew::Scatter::TerrainKinds kinds = kinds_of(spec);
  STREW_ASSIGN(strew::Scatter scatter, strew::Scatter::create(file.scatter, kinds));
  return OpenWorld{std::move(file), std::move(terrain), std::move(scatter), kinds};
}

std::uint64_t hash_text(const std::string& text, std::uint64_t seed) {
  std::vector<std::uint64_t> words((text.size() + 7) / 8 + 2, 0);
  words[0] = seed;
  words[1] = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    words[2 + i / 8] |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * (i % 8));
  }
  return strew::hash_words(words);
}

// The inverse of terrain_record(); the canonical world leaves out paths and names, which do not change the
// output.
strew::Status read_terrain_record(const std::string& text, strew::WorldFile& file) {
  const Json record = Json::parse(text, nullptr, false);
  strew::TerrainSpec spec;
  try {
    const auto kind = record.at("kind").get<std::string>();
    if (kind == "island") {
      spec.kind = strew::TerrainSpec::Kind::kIsland;
      spec.island_seed = record.at("seed").get<std::uint64_t>();
      spec.island_size_m = record.at("size_m").get<double>();
    } else if (kind == "rasters") {
      spec.kind = strew::TerrainSpec::Kind::kRasters;
      spec.elevation_path = record.at("elevation").get<std::string>();
      spec.biome_path = record.at("biome").get<std::string>();
      spec.assume_same_crs = record.at("assume_same_crs").get<bool>();
    }
    // Records of older bakes have no fields; names and bands come from the world itself.
    spec.maps = file.terrain.maps;
    spec.shapes = file.terrain.shapes;
    if (record.contains("assume_same_crs")) {
      spec.assume_same_crs = record.at("assume_same_crs").get<bool>();
    }
    for (std::size_t i = 0; i < spec.maps.size(); ++i) {
      spec.maps[i].path = record.at("maps").at(i).get<std::string>();
    }
    for (std::size_t i = 0; i < spec.shapes.size(); ++i) {
      spec.shapes[i].path = record.at("shapes").at(i).get<std::string>();
    }
    file.biome_names.clear();
    for (const auto& [index, name] : record.at("biome_names").items()) {
      file.biome_names[static_cast<std::uint8_t>(std::stoul(index))] = name.get<std::string>();
    }
  } catch (const std::exception& error) {
    return strew::make_error(strew::StatusCode::kCorrupt, error.what(), "manifest.json: terrain");
  }
  file.terrain = std::move(spec);
  return {};
}

strew::Result<strew::WorldFile> recorded_world(const strew::Manifest& manifest) {
  if (manifest.world_json.empty()) {
    return strew::invalid_argument("the bake does not record its world, so its terrain is unknown",
                                   "manifest.json");
  }
  STREW_ASSIGN(strew::WorldFile file, strew::parse_world(manifest.world_json, "."));
  STREW_RETURN_IF_ERROR(read_terrain_record(manifest.terrain_json, file));
  file.scatter.extent = manifest.extent;
  file.scatter.seed = manifest.seed;
  file.extent_from_raster = false;
  return file;
}

}  // namespace

strew::Result<OpenWorld> open_world(const std::string& path, const std::vector<std::string>& defines,
                                    const std::optional<std::uint64_t>& seed) {
  STREW_ASSIGN(const strew::Definitions definitions, parse_definitions(defines));
  STREW_ASSIGN(strew::WorldFile file, strew::load_world(path, definitions));
  if (seed.has_value()) {
    file.scatter.seed = *seed;
  }
  for (strew::LayerSpec& layer : file.scatter.layers) {
    place_meshes(layer.species, layer.secondaries);
  }
  return open_parsed(std::move(file));
}

strew::Result<OpenWorld> open_baked_world(const strew::Manifest& manifest) {
  STREW_ASSIGN(strew::WorldFile file, recorded_world(manifest));
  return open_parsed(std::move(file));
}

strew::Result<BakedGround> baked_world(const strew::Manifest& manifest) {
  STREW_ASSIGN(strew::WorldFile file, recorded_world(manifest));
  STREW_ASSIGN(strew::Scatter scatter, strew::Scatter::create(file.scatter, kinds_of(file.terrain)));
  return BakedGround{std::move(file), nullptr, std::move(scatter)};
}

strew::Status open_baked_ground(BakedGround& ground) {
  STREW_ASSIGN(ground.owned_terrain, open_ground(ground.file));
  return {};
}

std::string terrain_record(const OpenWorld& world) {
  const strew::TerrainSpec& spec = world.file.terrain;
  Json record;
  switch (spec.kind) {
    case strew::TerrainSpec::Kind::kFlat:
      record["kind"] = "flat";
      break;
    case strew::TerrainSpec::Kind::kIsland:
      record["kind"] = "island";
      record["seed"] = spec.island_seed;
      record["size_m"] = spec.island_size_m;
      break;
    case strew::TerrainSpec::Kind::kRasters:
      record["kind"] = "rasters";
      record["elevation"] = absolute_path(spec.elevation_path);
      record["biome"] = absolute_path(spec.biome_path);
      record["assume_same_crs"] = spec.assume_same_crs;
      break;
  }
  if (!spec.maps.empty() || !spec.shapes.empty()) {
    record["assume_same_crs"] = spec.assume_same_crs;
    record["maps"] = Json::array();
    record["shapes"] = Json::array();
    for (const strew::MapSpec& map : spec.maps) {
      record["maps"].push_back(absolute_path(map.path));
    }
    for (const strew::ShapeSpec& shape : spec.shapes) {
      record["shapes"].push_back(absolute_path(shape.path));
    }
  }
  record["biome_names"] = Json::object();
  for (const auto& [index, name] : world.file.biome_names) {
    record["biome_names"][std::to_string(index)] = name;
  }
  return record.dump();
}

std::uint64_t inputs_stamp(const OpenWorld& world) {
  namespace fs = std::filesystem;
  std::string text = terrain_record(world);
  const strew::TerrainSpec& spec = world.file.terrain;
  const auto add = [&text](const fs::path& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (!error) {
      text += fmt::format("|{} {} {}", file.string(), size,
                          fs::last_write_time(file, error).time_since_epoch().count());
    }
  };
  std::vector<std::string> rasters = {spec.elevation_path, spec.biome_path};
  for (const strew::MapSpec& map : spec.maps) {
    rasters.push_back(map.path);
  }
  for (const std::string& path : rasters) {
    const std::string extension = fs::path(path).extension().string();
    if (path.empty()) {
      continue;
    }
    if (extension != ".tif" && extension != ".tiff") {
      return 0;
    }
    // What GDAL reads beside a GeoTIFF.
    for (const fs::path& file : {fs::path(path), fs::path(path + ".aux.xml"), fs::path(path + ".ovr"),
                                 fs::path(path).replace_extension(".tfw"), fs::path(path + ".msk")}) {
      add(file);
    }
  }
  for (const strew::ShapeSpec& shape : spec.shapes) {
    if (!shape.path.ends_with(".geojson")) {
      return 0;
    }
    add(shape.path);
  }
  return std::max<std::uint64_t>(1, hash_text(text, 0));
}

std::string config_hash(const OpenWorld& world) {
  return hex(hash_text(world.file.config_json, world.file.scatter.seed));
}

}  // namespace strew_tool
