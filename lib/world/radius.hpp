// Distances given in metres as doubles, compared exactly with distances between world coordinates.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "strew/types.hpp"
#include "wide.hpp"

namespace strew {

/// A radius in metres: 0 or more and below 2^30.
class Radius {
 public:
  explicit Radius(double metres) noexcept
      : metres_(metres),
        square_(ceil_square(metres)),
        reach_(static_cast<Coord>(std::ceil(metres * 4294967296.0))) {}

  [[nodiscard]] double metres() const noexcept { return metres_; }
  /// No difference of coordinates on one axis is larger between points within the radius.
  [[nodiscard]] Coord reach() const noexcept { return reach_; }
  /// Whether two points, `dx` and `dy` units apart on the axes, are closer than the radius; no rounding
  /// anywhere.
  [[nodiscard]] bool exceeds(std::uint64_t dx, std::uint64_t dy) const noexcept {
    return square(dx) + square(dy) < square_;
  }

 private:
  /// The smallest integer not below (metres * 2^32)^2: for integers n, n < it exactly when n < that square.
  static Unsigned128 ceil_square(double metres) noexcept {
    int exponent = 0;
    const double fraction = std::frexp(metres, &exponent);
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    Unsigned128 result = square(mantissa);
    int shift = 2 * (exponent - 53 + 32);
    for (; shift > 0; --shift) {
      result = {result.high << 1 | result.low >> 63, result.low << 1};
    }
    bool rest = false;
    for (; shift < 0 && (result.high | result.low) != 0; ++shift) {
      rest = rest || (result.low & 1U) != 0;
      result = {result.high >> 1, result.low >> 1 | result.high << 63};
    }
    return rest ? result + Unsigned128{0, 1} : result;
  }

  double metres_;
  Unsigned128 square_;
  Coord reach_;
};

}  // namespace strew
