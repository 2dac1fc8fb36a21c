// World files: JSON (comments allowed) to a WorldFile, its schema, and the terrain it names.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strew/scatter.hpp"

namespace strew {

/// A map of the terrain section: one band, or (band - minus_band) / (band + minus_band).
struct MapSpec {
  std::string name;
  std::string path;
  std::int32_t band = 1;
  std::int32_t minus_band = 0;
};
/// Polygons and lines of the terrain section.
struct ShapeSpec {
  std::string name;
  std::string path;
  std::string layer;
  double buffer_m = 0;
};

/// Terrain section of a world file: the built-in island, raster files, or neither (flat).
struct TerrainSpec {
  enum class Kind : std::uint8_t { kFlat, kIsland, kRasters };
  Kind kind = Kind::kFlat;
  std::uint64_t island_seed = 0;
  double island_size_m = 16000;  ///< side of the square the island fills, centred in the extent
  std::string elevation_path;    ///< resolved against the world file's folder
  std::string biome_path;
  bool assume_same_crs = false;
  std::vector<MapSpec> maps;  ///< rules refer to them by index
  std::vector<ShapeSpec> shapes;
};
/// How far from shape `index` some rule of the world still tells distances apart, in metres.
[[nodiscard]] double shape_reach_m(const ScatterSpec& spec, std::size_t index);

struct WorldFile {
  ScatterSpec scatter;  ///< extent is empty when extent_from_raster
  TerrainSpec terrain;
  bool extent_from_raster = false;
  std::map<std::uint8_t, std::string> biome_names;
  double tile_size_m = 512;
  std::string canonical_json;  ///< normalised text; paths and tile size left out
  std::string config_json;  ///< that without transforms, which tiles do not hold; its hash is the config hash
};

using Definitions = std::map<std::string, std::string, std::less<>>;

/// Parses JSON text with // and /* */ comments. `${NAME}` in strings is replaced from `definitions`, else
/// from the environment variable NAME; an undefined one is refused. Unknown keys are refused with the nearest
/// known one suggested; every message names the path in the file ("layers[2].slope_degrees: minimum 40 is
/// above maximum 30"). Syntax errors name line and column. `folder`: base of relative paths.
[[nodiscard]] Result<WorldFile> parse_world(std::string_view text, const std::string& folder,
                                            const Definitions& definitions = {});
/// Reads and parses a file; kInvalidArgument when it cannot be read.
[[nodiscard]] Result<WorldFile> load_world(const std::string& path, const Definitions& definitions = {});
/// JSON Schema (draft 2020-12) of world files.
[[nodiscard]] std::string world_schema();
/// A commented example world that parses and bakes.
[[nodiscard]] std::string world_example();

/// The built-in island: ridged fBm with radial falloff, sampled on a grid of `island_cell_m` anchored at
/// world 0, with biome classes from altitude, slope and moisture (island_biome_names()). A pure function of
/// seed and place.
[[nodiscard]] std::unique_ptr<TerrainSource> make_island(std::uint64_t seed, double centre_x_m,
                                                         double centre_y_m, double size_m);
[[nodiscard]] std::map<std::uint8_t, std::string> island_biome_names();

}  // namespace strew
