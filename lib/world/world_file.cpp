#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>

#include "world_parts.hpp"

namespace strew {
namespace {

/// A world file is written by hand or by a script; a larger one is another file given by mistake.
constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20;

Result<WorldFile> parse(std::string_view text, const std::string& folder, const Definitions& definitions) {
  using world_file::Json;
  using world_file::ObjectReader;
  STREW_ASSIGN(const Json document, world_file::parse_document(text));
  const world_file::Scope scope{definitions, folder};
  STREW_ASSIGN(const ObjectReader reader,
               ObjectReader::open(document, {}, world_file::world_object(), scope));
  WorldFile world;
  std::int32_t version = 1;
  std::string schema;
  STREW_RETURN_IF_ERROR(reader.integer("version", version));
  STREW_RETURN_IF_ERROR(reader.text("$schema", schema));
  STREW_RETURN_IF_ERROR(reader.seed("seed", world.scatter.seed));
  STREW_RETURN_IF_ERROR(world_file::read_terrain(reader, world.terrain));
  STREW_RETURN_IF_ERROR(world_file::read_extent(reader, world));
  STREW_RETURN_IF_ERROR(world_file::read_biome_names(reader, world.terrain, world.biome_names));
  world_file::Names names{world.biome_names, {}, {}};
  for (const MapSpec& map : world.terrain.maps) {
    names.maps.push_back(map.name);
  }
  for (const ShapeSpec& shape : world.terrain.shapes) {
    names.shapes.push_back(shape.name);
  }
  STREW_RETURN_IF_ERROR(world_file::read_layers(reader, names, world.scatter.layers));
  if (reader.has("output")) {
    STREW_ASSIGN(const ObjectReader output, reader.child("output"));
    STREW_RETURN_IF_ERROR(output.number("tile_size_m", world.tile_size_m));
    std::string columns = "quantised";
    STREW_RETURN_IF_ERROR(output.text("columns", columns));
    if (columns != "quantised" && columns != "exact") {
      return invalid_argument(
          "is " + world_file::in_quotes(columns) + "; expected \"quantised\" or \"exact\"",
          output.path("columns"));
    }
    world.scatter.exact_columns = columns == "exact";
  }
  // A variable's value may hold bytes that are no UTF-8, which the writer would otherwise answer with an
  // exception.
  world.canonical_json =
      world_file::canonical_document(world).dump(-1, ' ', false, Json::error_handler_t::replace);
  world.config_json = world_file::text_without_transforms(world.canonical_json);
  return world;
}

Result<std::string> read_text(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return invalid_argument(
        "does not exist or cannot be reached; give the path of a world file (`strew init` writes one)", path);
  }
  if (std::filesystem::is_directory(status)) {
    return invalid_argument("is a folder; give the path of a world file", path);
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kLargestFile) {
    return invalid_argument(
        "has " + std::to_string(size) + " bytes; a world file has at most " + std::to_string(kLargestFile),
        path);
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) {
    return invalid_argument("cannot be read; check the permission to read it", path);
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return invalid_argument("is empty; `strew init` writes an example to start from", path);
  }
  return text;
}

/// Runs `body` and turns what the standard library or the JSON library throws into a Status.
template <class Body>
Result<WorldFile> guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "not enough memory for the world file");
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal,
                      std::string("reading the world file failed: ") + exception.what());
  }
}

void widen_reach(const Constraints& rules, std::size_t index, double& reach) {
  for (const FieldRule& rule : rules.shapes) {
    if (rule.field == index) {
      for (const double end : {rule.accept.minimum, rule.accept.maximum}) {
        if (std::isfinite(end)) {
          reach = std::max(reach, std::fabs(end) + rule.falloff + 1);
        }
      }
    }
  }
}

}  // namespace

double shape_reach_m(const ScatterSpec& spec, std::size_t index) {
  double reach = 1;
  const auto widen_species = [&](const std::vector<SpeciesSpec>& list) {
    for (const SpeciesSpec& species : list) {
      if (species.constraints) {
        widen_reach(*species.constraints, index, reach);
      }
    }
  };
  const auto widen_secondaries = [&](const auto& self, const std::vector<SecondarySpec>& list) -> void {
    for (const SecondarySpec& secondary : list) {
      if (secondary.own_constraints) {
        widen_reach(*secondary.own_constraints, index, reach);
      }
      widen_species(secondary.species);
      self(self, secondary.secondaries);
    }
  };
  for (const LayerSpec& layer : spec.layers) {
    widen_reach(layer.constraints, index, reach);
    widen_species(layer.species);
    widen_secondaries(widen_secondaries, layer.secondaries);
  }
  return std::min(reach, 10000.0);
}

Result<WorldFile> parse_world(std::string_view text, const std::string& folder,
                              const Definitions& definitions) {
  return guarded([&] { return parse(text, folder, definitions); });
}

Result<WorldFile> load_world(const std::string& path, const Definitions& definitions) {
  return guarded([&]() -> Result<WorldFile> {
    STREW_ASSIGN(const std::string text, read_text(path));
    Result<WorldFile> world = parse(text, std::filesystem::path(path).parent_path().string(), definitions);
    if (!world.ok()) {
      Status status = world.status();
      status.where = status.where.empty() ? path : path + ": " + status.where;
      return status;
    }
    return world;
  });
}

}  // namespace strew
