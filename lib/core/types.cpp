#include "strew/types.hpp"

#include <cmath>

#include "number_text.hpp"

namespace strew {

Result<Coord> to_coord(double metres, std::string_view where) {
  if (!(std::fabs(metres) <= to_metres(kCoordLimit))) {
    return invalid_argument("is " + number_text(metres) + " m; coordinates lie within +-1073741823 m",
                            std::string(where));
  }
  // Scaling by a power of two is exact and the product is below 2^62; nearbyint honours the default rounding
  // (ties to even), which strew never changes.
  return static_cast<Coord>(std::nearbyint(metres * 4294967296.0));
}

Result<Rect> rect_from_metres(double x0, double y0, double x1, double y1, std::string_view where) {
  STREW_ASSIGN(const Coord ux0, to_coord(x0, where));
  STREW_ASSIGN(const Coord uy0, to_coord(y0, where));
  STREW_ASSIGN(const Coord ux1, to_coord(x1, where));
  STREW_ASSIGN(const Coord uy1, to_coord(y1, where));
  const Rect rect{ux0, uy0, ux1, uy1};
  if (rect.empty()) {
    return invalid_argument("the rectangle from (" + number_text(x0) + ", " + number_text(y0) + ") to (" +
                                number_text(x1) + ", " + number_text(y1) +
                                ") is empty; give x1 > x0 and y1 > y0, in metres",
                            std::string(where));
  }
  return rect;
}

}  // namespace strew
