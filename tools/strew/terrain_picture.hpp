// Hillshaded terrain: tinted by biome where there are biomes, else by altitude; the sea is blue, nodata is
// hatched.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "canvas.hpp"
#include "strew/scatter.hpp"

namespace strew_tool {

/// Draws the view's region at the canvas's top left corner.
[[nodiscard]] strew::Status draw_terrain(const strew::TerrainSource& terrain,
                                         const std::map<std::uint8_t, std::string>& biome_names,
                                         const View& view, const strew::RunContext& context, Canvas& canvas);

}  // namespace strew_tool
