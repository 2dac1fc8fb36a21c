// A map of a whole world as a pyramid of small pictures, as web maps read them: Z/X/Y.png.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "canvas.hpp"
#include "strew/context.hpp"

namespace strew_tool {

inline constexpr std::int32_t kPyramidPixels = 256;

struct Pyramid {
  std::string folder;
  strew::Rect square;           ///< of level 0, which is one picture; its north-west corner is the region's
  std::int32_t depth = 0;       ///< of the finest level, of 2^depth x 2^depth pictures
  double metres_per_pixel = 1;  ///< of that level

  /// The least depth at which `metres_per_pixel` shows all of the region. Refuses more than 2^16 pictures a
  /// side.
  [[nodiscard]] static strew::Result<Pyramid> over(std::string folder, const strew::Rect& region,
                                                   double metres_per_pixel);
};

/// Draws the finest pictures with `draw(view, canvas)`, thread-safe, and each coarser one from the four below
/// it. `meets(rect)` tells whether anything is there to be drawn; where nothing is, there is no file. Returns
/// the number of pictures. Memory: a few pictures a worker.
[[nodiscard]] strew::Result<std::uint64_t> write_pyramid(
    const Pyramid& pyramid, const strew::RunContext& context,
    const std::function<strew::Status(const View&, Canvas&)>& draw,
    const std::function<bool(const strew::Rect&)>& meets);

}  // namespace strew_tool
