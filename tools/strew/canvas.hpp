// A picture being drawn, and the map between its pixels and the world.
#pragma once

#include <cstdint>
#include <string_view>

#include "strew/io/files.hpp"
#include "strew/types.hpp"

namespace strew_tool {

struct Colour {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
};
/// Hue in degrees, saturation and lightness in [0, 1].
[[nodiscard]] Colour from_hsl(double hue, double saturation, double lightness);
/// a at t = 0, b at t = 1; t is clamped.
[[nodiscard]] Colour mix(Colour a, Colour b, double t);
/// Each channel times `factor`, clamped.
[[nodiscard]] Colour scaled(Colour colour, double factor);

/// North is up, pixels are square; row 0 is the northernmost.
struct View {
  strew::Rect region;
  std::int32_t width = 0;
  std::int32_t height = 0;
  double metres_per_pixel = 1;

  /// A view of `region` whose longer side has `pixels` pixels.
  [[nodiscard]] static View of(const strew::Rect& region, std::int32_t pixels);
  /// World position of a pixel's centre; columns and rows outside the picture are allowed.
  [[nodiscard]] strew::Coord world_x(std::int32_t column) const noexcept;
  [[nodiscard]] strew::Coord world_y(std::int32_t row) const noexcept;
  /// Continuous pixel position: pixel (c, r) covers [c, c + 1) x [r, r + 1).
  [[nodiscard]] double pixel_x(strew::Coord x) const noexcept;
  [[nodiscard]] double pixel_y(strew::Coord y) const noexcept;
};

class Canvas {
 public:
  Canvas(std::int32_t width, std::int32_t height, Colour ground);
  [[nodiscard]] std::int32_t width() const noexcept { return image_.width; }
  [[nodiscard]] std::int32_t height() const noexcept { return image_.height; }
  [[nodiscard]] const strew::Image& image() const noexcept { return image_; }
  /// Pixels outside the picture are ignored by all of these.
  void set(std::int32_t column, std::int32_t row, Colour colour) noexcept;
  void blend(std::int32_t column, std::int32_t row, Colour colour, double alpha) noexcept;
  void fill(std::int32_t column, std::int32_t row, std::int32_t width, std::int32_t height,
            Colour colour) noexcept;
  /// An antialiased disc around a continuous pixel position, with a darker rim where there is room for one.
  void disc(double x, double y, double radius, Colour colour) noexcept;
  /// Text with its top left corner at (column, row), each dot of the font `scale` pixels wide.
  void text(std::int32_t column, std::int32_t row, std::string_view words, Colour colour,
            std::int32_t scale) noexcept;

 private:
  [[nodiscard]] std::uint8_t* at(std::int32_t column, std::int32_t row) noexcept;
  strew::Image image_;
};

}  // namespace strew_tool
