// World coordinates and rectangles.
//
// A world coordinate is an int64 in units of 2^-32 m, so that nothing degrades far from the origin: a world
// at 1e7 m has the same 0.23 nm resolution as one at 0. The usable range is +-2^30 m (one million
// kilometres), which leaves headroom for halos. World frame: x east, y north, z up, metres.
#pragma once

#include <cstdint>

#include "strew/status.hpp"

namespace strew {

/// World coordinate in units of 2^-32 m.
using Coord = std::int64_t;

inline constexpr Coord kUnitsPerMetre = Coord{1} << 32;
/// Coordinates accepted by the library lie in [-kCoordLimit, kCoordLimit].
/// One metre short of 2^30 m, so that the width of the widest rectangle still fits in a Coord.
inline constexpr Coord kCoordLimit = ((Coord{1} << 30) - 1) * kUnitsPerMetre;

/// Half-open world rectangle [x0, x1) x [y0, y1), in units.
struct Rect {
  Coord x0 = 0;
  Coord y0 = 0;
  Coord x1 = 0;
  Coord y1 = 0;

  [[nodiscard]] constexpr bool empty() const noexcept { return x1 <= x0 || y1 <= y0; }
  [[nodiscard]] constexpr bool contains(Coord x, Coord y) const noexcept {
    return x >= x0 && x < x1 && y >= y0 && y < y1;
  }
  friend constexpr bool operator==(const Rect&, const Rect&) = default;
};

/// Largest integer not above a / b, for b > 0.
[[nodiscard]] constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) noexcept {
  return a / b - static_cast<std::int64_t>(a % b < 0);
}
/// Smallest integer not below a / b, for b > 0.
[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) noexcept {
  return a / b + static_cast<std::int64_t>(a % b > 0);
}
/// a - b * floor_div(a, b): in [0, b) for b > 0.
[[nodiscard]] constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) noexcept {
  return a - b * floor_div(a, b);
}

/// `rect` grown by `margin` units on each side. Precondition: the result stays inside int64.
[[nodiscard]] constexpr Rect expanded(const Rect& rect, Coord margin) noexcept {
  return {rect.x0 - margin, rect.y0 - margin, rect.x1 + margin, rect.y1 + margin};
}
/// Common part of two rectangles; may be empty().
[[nodiscard]] constexpr Rect intersection(const Rect& a, const Rect& b) noexcept {
  return {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
          a.y1 < b.y1 ? a.y1 : b.y1};
}

/// Nearest coordinate to `metres` (exact power-of-two scaling, ties to even). Refuses NaN and |metres| >
/// 2^30; `where` names the argument in the error.
[[nodiscard]] Result<Coord> to_coord(double metres, std::string_view where);
/// Nearest double to the coordinate, in metres. Relative error at most 2^-53.
[[nodiscard]] constexpr double to_metres(Coord coord) noexcept {
  return static_cast<double>(coord) * (1.0 / 4294967296.0);
}
/// Rectangle from metres; refuses what to_coord refuses and empty rectangles.
[[nodiscard]] Result<Rect> rect_from_metres(double x0, double y0, double x1, double y1,
                                            std::string_view where);

}  // namespace strew
