// The sections of a world file, each read by one function.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "world_read.hpp"

namespace strew::world_file {

using BiomeNames = std::map<std::uint8_t, std::string>;

/// What rules may call by name.
struct Names {
  BiomeNames biomes;
  std::vector<std::string> maps;
  std::vector<std::string> shapes;
};

/// A path of a kPath field, against the folder of the world file.
[[nodiscard]] Status resolve_path(const ObjectReader& reader, std::string_view key, std::string& out);
[[nodiscard]] Status read_terrain(const ObjectReader& world, TerrainSpec& out);
/// The built-in terrain's own names, then the file's, which win.
[[nodiscard]] Status read_biome_names(const ObjectReader& world, const TerrainSpec& terrain, BiomeNames& out);
[[nodiscard]] Status read_extent(const ObjectReader& world, WorldFile& out);
[[nodiscard]] Status read_layers(const ObjectReader& world, const Names& names, std::vector<LayerSpec>& out);
/// `owner`: the layer's name, or "layer/secondary"; it keys the noise, so that two layers with the same rule
/// differ.
[[nodiscard]] Status read_constraints(const ObjectReader& reader, const Names& names, std::string_view owner,
                                      Constraints& out);
/// The class of a biome by name or number, at `path`.
[[nodiscard]] Result<std::uint8_t> biome_class(const std::string& text, const BiomeNames& names,
                                               const std::string& path);
/// The species of a layer or secondary, whose name is `owner`.
[[nodiscard]] Status read_species(const ObjectReader& reader, const Names& names, const std::string& owner,
                                  std::vector<SpeciesSpec>& out);

/// The world as a world file again: keys sorted, defaults filled in, biomes as class numbers. What does not
/// change the output is left out (names of biomes, tile size) and raster paths are replaced by "*".
[[nodiscard]] Json canonical_document(const WorldFile& world);
/// Such text without the transforms of species, which tiles do not hold. Text that is no JSON object stays.
[[nodiscard]] std::string text_without_transforms(std::string_view canonical_json);

}  // namespace strew::world_file
