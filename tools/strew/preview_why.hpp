// strew preview --why LAYER: a map of rejections.
#pragma once

#include <string>

#include "canvas.hpp"
#include "world_input.hpp"

namespace strew_tool {

struct WhyOptions {
  std::string layer;  ///< "canopy", or "canopy/mushrooms"
  std::string path;
  bool without_terrain = false;
  bool legend = true;
};
/// Writes the picture, and the counts on standard error.
[[nodiscard]] strew::Status preview_why(const WhyOptions& options, const OpenWorld& world, const View& view,
                                        const strew::RunContext& context);

}  // namespace strew_tool
