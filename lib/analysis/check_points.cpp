#include "check_points.hpp"

#include <cmath>

#include "number_text.hpp"

namespace strew::analysis {
namespace {

std::string text(const PlaneWindow& window) {
  return "[" + number_text(window.x0) + ", " + number_text(window.x1) + "] x [" + number_text(window.y0) +
         ", " + number_text(window.y1) + "]";
}

}  // namespace

Status check_points(const PointsView& points) {
  constexpr std::size_t kMostPoints = std::size_t{1} << 31;
  if (points.x.size() != points.y.size()) {
    return invalid_argument("there are " + std::to_string(points.x.size()) + " x and " +
                                std::to_string(points.y.size()) + " y values; give as many of each",
                            "points");
  }
  if (points.size() < 2) {
    return invalid_argument("there " + std::string(points.size() == 1 ? "is 1 point" : "are no points") +
                                "; an analysis needs at least 2",
                            "points");
  }
  if (points.size() >= kMostPoints) {
    return make_error(StatusCode::kLimit, "there are 2^31 points or more; analyse a part of the window",
                      "points");
  }
  const PlaneWindow& window = points.window;
  if (!(window.width() > 0 && window.height() > 0 && std::isfinite(window.area()) && window.area() > 0)) {
    return invalid_argument("the window " + text(window) + " has no area; give x1 > x0 and y1 > y0",
                            "window");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points.x[i];
    const double y = points.y[i];
    // A NaN fails every comparison.
    if (!(x >= window.x0 && x <= window.x1 && y >= window.y0 && y <= window.y1)) {
      return invalid_argument("point " + std::to_string(i) + " at (" + number_text(x) + ", " +
                                  number_text(y) + ") is not in the window " + text(window) +
                                  "; leave it out or give a larger window",
                              "points");
    }
  }
  return {};
}

Status check_option(double value, double minimum, double maximum, std::string_view name) {
  if (value >= minimum && value <= maximum) {
    return {};
  }
  return invalid_argument(
      number_text(value) + " is not in [" + number_text(minimum) + ", " + number_text(maximum) + "]",
      std::string(name));
}

}  // namespace strew::analysis
