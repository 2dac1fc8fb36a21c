// The sections of a world file, each read by one function.
#pragma once

#include <map>
#include <string>

#include "world_read.hpp"

namespace strew::world_file {

using BiomeNames = std::map<std::uint8_t, std::string>;

[[nodiscard]] Status read_terrain(const ObjectReader& world, TerrainSpec& out);
/// The built-in terrain's own names, then the file's, which win.
[[nodiscard]] Status read_biome_names(const ObjectReader& world, const TerrainSpec& terrain, BiomeNames& out);
[[nodiscard]] Status read_extent(const ObjectReader& world, WorldFile& out);
[[nodiscard]] Status read_layers(const ObjectReader& world, const BiomeNames& names,
                                 std::vector<LayerSpec>& out);
/// `owner`: the layer's name, or "layer/secondary"; it keys the noise, so that two layers with the same rule
/// differ.
[[nodiscard]] Status read_constraints(const ObjectReader& reader, const BiomeNames& names,
                                      std::string_view owner, Constraints& out);

/// The world as a world file again: keys sorted, defaults filled in, biomes as class numbers. What does not
/// change the output is left out (names of biomes, tile size) and raster paths are replaced by "*".
[[nodiscard]] Json canonical_document(const WorldFile& world);

}  // namespace strew::world_file
