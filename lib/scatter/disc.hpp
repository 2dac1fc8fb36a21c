// Whether offsets lie within a disc: mostly told by floating point, exactly where that is in doubt.
#pragma once

#include "strew/types.hpp"
#include "wide.hpp"

namespace strew::scatter {

class Disc {
 public:
  /// 0 <= radius < 2^53.
  explicit Disc(Coord radius) noexcept
      : radius_(radius), square_(static_cast<double>(radius) * static_cast<double>(radius)) {}

  /// Whether (dx, dy) is closer to the centre than the radius, exactly. Precondition: |dx|, |dy| < 2^53.
  [[nodiscard]] bool contains(Coord dx, Coord dy) const noexcept {
    // Three roundings of 2^-53 each, on either side: far below the margin.
    constexpr double kMargin = 1e-12;
    const auto x = static_cast<double>(dx);
    const auto y = static_cast<double>(dy);
    const double distance = x * x + y * y;
    if (distance < square_ * (1 - kMargin)) {
      return true;
    }
    return distance <= square_ * (1 + kMargin) && closer_than(0, 0, dx, dy, radius_);
  }

 private:
  Coord radius_;
  double square_;
};

}  // namespace strew::scatter
