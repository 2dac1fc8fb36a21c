#include <cmath>
#include <limits>

#include "strew/exact_math.hpp"
#include "strew/terrain.hpp"

namespace strew {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Horn's weights 1 2 1 across the three samples of one side.
double side(float first, float middle, float last) noexcept {
  const double centre = middle;
  return (static_cast<double>(first) + static_cast<double>(last)) + (centre + centre);
}

}  // namespace

void horn_slope(const RasterView<float>& elevation, std::span<float> out) noexcept {
  if (elevation.empty()) {
    return;
  }
  const double per_dx = 1.0 / (8.0 * elevation.dx);
  const double per_dy = 1.0 / (8.0 * elevation.dy);
  const auto load = [&elevation](std::int32_t column, std::int32_t row) noexcept {
    const float value = elevation.at(column, row);
    return elevation.is_nodata(value) ? kNaN : value;
  };
  for (std::int32_t row = 0; row < elevation.height; ++row) {
    const std::int32_t south = row > 0 ? row - 1 : 0;
    const std::int32_t north = row + 1 < elevation.height ? row + 1 : row;
    float* line = out.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(elevation.width);
    // A window of three columns slides east; the column beyond the western edge repeats the first.
    float west_s = load(0, south);
    float west_m = load(0, row);
    float west_n = load(0, north);
    float mid_s = west_s;
    float mid_m = west_m;
    float mid_n = west_n;
    for (std::int32_t column = 0; column < elevation.width; ++column) {
      const std::int32_t east = column + 1 < elevation.width ? column + 1 : column;
      const float east_s = load(east, south);
      const float east_m = load(east, row);
      const float east_n = load(east, north);
      const double gradient_x = (side(east_s, east_m, east_n) - side(west_s, west_m, west_n)) * per_dx;
      const double gradient_y = (side(west_n, mid_n, east_n) - side(west_s, mid_s, east_s)) * per_dy;
      const double steepness = exact_sqrt(gradient_x * gradient_x + gradient_y * gradient_y);
      const auto degrees = static_cast<float>(exact_atan(steepness) * (180.0 / kPi));
      // The operator does not weigh the centre, so a missing centre must be looked at; an infinite sample
      // makes an infinite gradient, which is no slope either.
      const bool known = std::isfinite(mid_m) && std::isfinite(steepness);
      line[column] = known ? degrees : kNaN;
      west_s = mid_s;
      west_m = mid_m;
      west_n = mid_n;
      mid_s = east_s;
      mid_m = east_m;
      mid_n = east_n;
    }
  }
}

}  // namespace strew
