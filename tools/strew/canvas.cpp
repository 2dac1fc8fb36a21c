#include "canvas.hpp"

#include <algorithm>
#include <cmath>

#include "font.hpp"

namespace strew_tool {
namespace {

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0) + 0.5);
}

double hue_channel(double hue, double saturation, double lightness, double offset) {
  const double k = std::fmod(offset + hue / 30.0, 12.0);
  const double a = saturation * std::min(lightness, 1 - lightness);
  return lightness - a * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
}

}  // namespace

Colour from_hsl(double hue, double saturation, double lightness) {
  return {to_byte(254.5 * hue_channel(hue, saturation, lightness, 0)),
          to_byte(254.5 * hue_channel(hue, saturation, lightness, 8)),
          to_byte(254.5 * hue_channel(hue, saturation, lightness, 4))};
}

Colour mix(Colour a, Colour b, double t) {
  const double u = std::clamp(t, 0.0, 1.0);
  const auto channel = [u](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(from + (to - from) * u + 0.5);
  };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

Colour scaled(Colour colour, double factor) {
  const auto channel = [factor](std::uint8_t value) {
    return static_cast<std::uint8_t>(std::clamp(value * factor, 0.0, 255.0));
  };
  return {channel(colour.r), channel(colour.g), channel(colour.b)};
}

View View::of(const strew::Rect& region, std::int32_t pixels) {
  const double width_m = strew::to_metres(region.x1 - region.x0);
  const double height_m = strew::to_metres(region.y1 - region.y0);
  View view;
  view.region = region;
  view.metres_per_pixel = std::max(width_m, height_m) / pixels;
  view.width = std::max(1, static_cast<std::int32_t>(std::lround(width_m / view.metres_per_pixel)));
  view.height = std::max(1, static_cast<std::int32_t>(std::lround(height_m / view.metres_per_pixel)));
  return view;
}

strew::Coord View::world_x(std::int32_t column) const noexcept {
  return region.x0 + static_cast<strew::Coord>((column + 0.5) * metres_per_pixel *
                                               static_cast<double>(strew::kUnitsPerMetre));
}

strew::Coord View::world_y(std::int32_t row) const noexcept {
  return region.y1 - static_cast<strew::Coord>((row + 0.5) * metres_per_pixel *
                                               static_cast<double>(strew::kUnitsPerMetre));
}

double View::pixel_x(strew::Coord x) const noexcept {
  return strew::to_metres(x - region.x0) / metres_per_pixel;
}

double View::pixel_y(strew::Coord y) const noexcept {
  return strew::to_metres(region.y1 - y) / metres_per_pixel;
}

Canvas::Canvas(std::int32_t width, std::int32_t height, Colour ground) {
  image_.width = width;
  image_.height = height;
  image_.rgb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  fill(0, 0, width, height, ground);
}

std::uint8_t* Canvas::at(std::int32_t column, std::int32_t row) noexcept {
  if (column < 0 || row < 0 || column >= image_.width || row >= image_.height) {
    return nullptr;
  }
  return image_.rgb.data() + 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image_.width) +
                                  static_cast<std::size_t>(column));
}

void Canvas::set(std::int32_t column, std::int32_t row, Colour colour) noexcept {
  if (std::uint8_t* const pixel = at(column, row); pixel != nullptr) {
    pixel[0] = colour.r;
    pixel[1] = colour.g;
    pixel[2] = colour.b;
  }
}

void Canvas::blend(std::int32_t column, std::int32_t row, Colour colour, double alpha) noexcept {
  if (std::uint8_t* const pixel = at(column, row); pixel != nullptr) {
    const Colour mixed = mix({pixel[0], pixel[1], pixel[2]}, colour, alpha);
    pixel[0] = mixed.r;
    pixel[1] = mixed.g;
    pixel[2] = mixed.b;
  }
}

void Canvas::fill(std::int32_t column, std::int32_t row, std::int32_t width, std::int32_t height,
                  Colour colour) noexcept {
  for (std::int32_t r = row; r < row + height; ++r) {
    for (std::int32_t c = column; c < column + width; ++c) {
      set(c, r, colour);
    }
  }
}

void Canvas::disc(double x, double y, double radius, Colour colour) noexcept {
  constexpr double kRimFrom = 3.5;  // below this radius in pixels a rim would be all there is
  const Colour rim = radius >= kRimFrom ? scaled(colour, 0.6) : colour;
  const auto first_column = static_cast<std::int32_t>(std::floor(x - radius - 1));
  const auto last_column = static_cast<std::int32_t>(std::ceil(x + radius + 1));
  const auto first_row = static_cast<std::int32_t>(std::floor(y - radius - 1));
  const auto last_row = static_cast<std::int32_t>(std::ceil(y + radius + 1));
  for (std::int32_t row = std::max(0, first_row); row <= std::min(image_.height - 1, last_row); ++row) {
    for (std::int32_t column = std::max(0, first_column); column <= std::min(image_.width - 1, last_column);
         ++column) {
      const double dx = column + 0.5 - x;
      const double dy = row + 0.5 - y;
      const double distance = std::sqrt(dx * dx + dy * dy);
      const double alpha = std::clamp(radius - distance + 0.5, 0.0, 1.0);
      if (alpha > 0) {
        blend(column, row, mix(colour, rim, std::clamp(distance - radius + 1.5, 0.0, 1.0)), alpha);
      }
    }
  }
}

void Canvas::text(std::int32_t column, std::int32_t row, std::string_view words, Colour colour,
                  std::int32_t scale) noexcept {
  for (const char letter : words) {
    const Glyph& glyph = glyph_of(letter);
    for (std::int32_t y = 0; y < kGlyphHeight; ++y) {
      for (std::int32_t x = 0; x < kGlyphWidth; ++x) {
        if (((glyph[static_cast<std::size_t>(y)] >> (kGlyphWidth - 1 - x)) & 1) != 0) {
          fill(column + x * scale, row + y * scale, scale, scale, colour);
        }
      }
    }
    column += (kGlyphWidth + 1) * scale;
  }
}

}  // namespace strew_tool
