#include "points_picture.hpp"

#include <algorithm>
#include <cmath>

namespace strew {
namespace {

constexpr double kLongerSide = 2048;
constexpr double kInk = 30;  ///< brightness of a fully covered pixel
constexpr double kPaper = 255;
constexpr double kRadiusToSpacing = 0.2;  ///< discs that nearly touch hide the pattern
constexpr double kSmallestRadius = 0.5;   ///< pixels; a smaller disc is no disc
constexpr double kLargestRadius = 8;

/// Pixel coordinates; y counts down from the top, as the rows of a picture do.
struct Mapping {
  double west;
  double north;
  double pixels_per_unit;
  std::int32_t width;
  std::int32_t height;

  explicit Mapping(const Rect& region)
      : west(static_cast<double>(region.x0)), north(static_cast<double>(region.y1)) {
    const double units_x = static_cast<double>(region.x1) - west;
    const double units_y = north - static_cast<double>(region.y0);
    pixels_per_unit = kLongerSide / std::max(units_x, units_y);
    width = std::max(1, static_cast<std::int32_t>(std::lround(units_x * pixels_per_unit)));
    height = std::max(1, static_cast<std::int32_t>(std::lround(units_y * pixels_per_unit)));
  }
  [[nodiscard]] double x(Coord unit) const { return (static_cast<double>(unit) - west) * pixels_per_unit; }
  [[nodiscard]] double y(Coord unit) const { return (north - static_cast<double>(unit)) * pixels_per_unit; }
};

std::int32_t pixel(double at, std::int32_t count) {
  return std::clamp(static_cast<std::int32_t>(std::floor(at)), 0, count - 1);
}

class Canvas {
 public:
  Canvas(std::int32_t width, std::int32_t height)
      : width_(width),
        height_(height),
        grey_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kPaper) {}

  /// Each pixel is covered in proportion to how far it reaches into the disc; overlapping discs do not add
  /// up.
  void disc(double x, double y, double radius) {
    const std::int32_t left = pixel(x - radius - 1, width_);
    const std::int32_t right = pixel(x + radius + 1, width_);
    const std::int32_t top = pixel(y - radius - 1, height_);
    const std::int32_t bottom = pixel(y + radius + 1, height_);
    for (std::int32_t row = top; row <= bottom; ++row) {
      for (std::int32_t column = left; column <= right; ++column) {
        const double distance = std::hypot(column + 0.5 - x, row + 0.5 - y);
        const double cover = std::clamp(radius + 0.5 - distance, 0.0, 1.0);
        double& value = at(column, row);
        value = std::min(value, kPaper + (kInk - kPaper) * cover);
      }
    }
  }
  double& at(std::int32_t column, std::int32_t row) {
    return grey_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                 static_cast<std::size_t>(column)];
  }
  [[nodiscard]] Image image() const {
    Image image{width_, height_, {}};
    image.rgb.reserve(grey_.size() * 3);
    for (const double value : grey_) {
      image.rgb.insert(image.rgb.end(), 3, static_cast<std::uint8_t>(std::lround(value)));
    }
    return image;
  }

 private:
  std::int32_t width_;
  std::int32_t height_;
  std::vector<double> grey_;
};

void draw_density(const PointSet& points, const Rect& region, const Mapping& map, Canvas& canvas) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(map.width) *
                                    static_cast<std::size_t>(map.height));
  double total = 0;
  double occupied = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Coord x = points.unit_x(i);
    const Coord y = points.unit_y(i);
    if (!region.contains(x, y)) {
      continue;
    }
    const auto row = static_cast<std::size_t>(pixel(map.y(y), map.height));
    const auto column = static_cast<std::size_t>(pixel(map.x(x), map.width));
    std::uint32_t& count = counts[row * static_cast<std::size_t>(map.width) + column];
    occupied += count == 0 ? 1 : 0;
    total += 1;
    ++count;
  }
  // The mean of the occupied pixels is drawn half dark, so that both sparser and denser places show.
  const double darkest = occupied > 0 ? 2 * total / occupied : 1;
  std::size_t index = 0;
  for (std::int32_t row = 0; row < map.height; ++row) {
    for (std::int32_t column = 0; column < map.width; ++column) {
      const double share = std::min(1.0, counts[index++] / darkest);
      canvas.at(column, row) = kPaper + (kInk - kPaper) * share;
    }
  }
}

}  // namespace

Image draw_points(const PointSet& points, const Rect& region) {
  const Mapping map(region);
  Canvas canvas(map.width, map.height);
  const double pixels = static_cast<double>(map.width) * map.height;
  const double spacing = std::sqrt(pixels / std::max(1.0, static_cast<double>(points.size())));
  const double radius = std::min(kRadiusToSpacing * spacing, kLargestRadius);
  if (radius < kSmallestRadius) {
    draw_density(points, region, map, canvas);
    return canvas.image();
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Coord x = points.unit_x(i);
    const Coord y = points.unit_y(i);
    if (region.contains(x, y)) {
      canvas.disc(map.x(x), map.y(y), radius);
    }
  }
  return canvas.image();
}

}  // namespace strew
