// From a world file, or from the world that a bake recorded, to a validated Scatter over opened terrain.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strew/scatter.hpp"
#include "strew/world/bake.hpp"
#include "strew/world/world.hpp"

namespace strew_tool {

struct OpenWorld {
  strew::WorldFile file;  ///< the extent is resolved, the seed is the one in force
  std::unique_ptr<strew::TerrainSource> owned_terrain;  ///< null: flat
  strew::Scatter scatter;
  strew::Scatter::TerrainKinds kinds;  ///< what the terrain has

  [[nodiscard]] const strew::TerrainSource& terrain() const noexcept {
    return owned_terrain != nullptr ? *owned_terrain : strew::flat_terrain();
  }
};

/// Reads, validates and opens everything a world names. `defines`: "NAME=VALUE" texts of -D.
[[nodiscard]] strew::Result<OpenWorld> open_world(const std::string& path,
                                                  const std::vector<std::string>& defines,
                                                  const std::optional<std::uint64_t>& seed);
/// The world a bake was made from, by what its manifest recorded.
[[nodiscard]] strew::Result<OpenWorld> open_baked_world(const strew::Manifest& manifest);

/// A baked world's Scatter, and its elevations and biomes without its maps and shapes: what transforms need.
struct BakedGround {
  strew::WorldFile file;
  std::unique_ptr<strew::TerrainSource> owned_terrain;  ///< null: flat, or not opened
  strew::Scatter scatter;

  [[nodiscard]] const strew::TerrainSource& terrain() const noexcept {
    return owned_terrain != nullptr ? *owned_terrain : strew::flat_terrain();
  }
};
/// Opens no file.
[[nodiscard]] strew::Result<BakedGround> baked_world(const strew::Manifest& manifest);
[[nodiscard]] strew::Status open_baked_ground(BakedGround& ground);

/// The terrain section with its paths made absolute, as recorded in a manifest.
[[nodiscard]] std::string terrain_record(const OpenWorld& world);
/// Changes whenever the terrain may have changed: a hash of the record and of the sizes and times of its
/// files. 0 where that cannot be told, as with formats that lead to further files.
[[nodiscard]] std::uint64_t inputs_stamp(const OpenWorld& world);
/// Hash of everything that enters the output: the canonical world and the seed in force.
[[nodiscard]] std::string config_hash(const OpenWorld& world);

}  // namespace strew_tool
