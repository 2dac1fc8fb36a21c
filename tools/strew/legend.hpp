// The strip at the right of a picture: layers, species with their colours, a scale bar.
#pragma once

#include <cstdint>

#include "canvas.hpp"
#include "instance_picture.hpp"

namespace strew_tool {

/// Width in pixels that draw_legend needs.
[[nodiscard]] std::int32_t legend_width(const InstancePicture& picture);
/// Draws at columns from `column` to the canvas's right edge. Lines that do not fit below are left out.
void draw_legend(const InstancePicture& picture, const View& view, std::int32_t column, Canvas& canvas);

}  // namespace strew_tool
