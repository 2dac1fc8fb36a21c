// The integer lattice of Poisson disk sampling: cells of side r / sqrt(2) that hold at most one point, 8192
// lattice steps wide, so that every distance is decided exactly in integers: two points conflict when d^2 < 2
// * 8192^2.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "strew/types.hpp"

namespace strew::poisson {

inline constexpr std::int32_t kCellBits = 13;
inline constexpr std::int32_t kCellSteps = 1 << kCellBits;
/// Squared minimum distance in lattice steps.
inline constexpr std::int32_t kRadiusSquared = 2 * kCellSteps * kCellSteps;
/// N r^2 / A of random sequential adsorption at saturation (coverage 0.54707).
inline constexpr double kSaturation = 0.69656;

/// Position inside a cell, each in [0, 8192).
struct Fraction {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

struct CellOffset {
  std::int32_t x;
  std::int32_t y;
};
/// The cells that can hold a point in conflict with one in the centre cell: within two cells on each axis,
/// less the four corners (at least 8193 steps away on both axes), row-major. The first ten precede the centre
/// in row-major order.
inline constexpr std::array<CellOffset, 20> kNeighbours = {
    {{-1, -2}, {0, -2}, {1, -2}, {-2, -1}, {-1, -1}, {0, -1}, {1, -1}, {2, -1}, {-2, 0}, {-1, 0},
     {1, 0},   {2, 0},  {-2, 1}, {-1, 1},  {0, 1},   {1, 1},  {2, 1},  {-1, 2}, {0, 2},  {1, 2}}};

[[nodiscard]] constexpr bool in_conflict(std::int32_t dx, std::int32_t dy) noexcept {
  return dx * dx + dy * dy < kRadiusSquared;  // |dx|, |dy| < 3 * 8192: the sum stays below 2^31
}

/// Units per lattice step for a radius in metres. One step more than the exact quotient, so that lattice
/// distance at least sqrt(2) * 8192 means at least `radius` metres, also after both positions are rounded to
/// double.
[[nodiscard]] inline Coord pitch_for_radius(double radius) noexcept {
  constexpr double kStepsPerRadius = 11585.237502960395;  // 8192 * sqrt(2)
  return static_cast<Coord>(std::ceil(radius / kStepsPerRadius * 4294967296.0)) + 1;
}

/// Half-open rectangle of cells.
struct CellRect {
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int64_t x1 = 0;
  std::int64_t y1 = 0;
  [[nodiscard]] constexpr std::int64_t width() const noexcept { return x1 - x0; }
  [[nodiscard]] constexpr std::int64_t height() const noexcept { return y1 - y0; }
};

/// The cells that overlap a world rectangle.
[[nodiscard]] constexpr CellRect cells_over(const Rect& rect, Coord pitch) noexcept {
  const Coord side = pitch * kCellSteps;
  return {floor_div(rect.x0, side), floor_div(rect.y0, side), floor_div(rect.x1 - 1, side) + 1,
          floor_div(rect.y1 - 1, side) + 1};
}

}  // namespace strew::poisson
