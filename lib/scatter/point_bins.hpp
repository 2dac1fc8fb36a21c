// Fixed-radius neighbour queries over points of the plane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "strew/types.hpp"

namespace strew::scatter {

/// Points sorted into square bins at least one radius wide; a query looks at 3 x 3 bins. O(n) to build.
class PointBins {
 public:
  /// Keeps the spans; they must outlive the bins. `radius` > 0.
  PointBins(std::span<const Coord> x, std::span<const Coord> y, Coord radius);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Whether a point other than number `ignored` is closer than the radius, exactly.
  [[nodiscard]] bool any_closer(Coord x, Coord y, std::size_t ignored = kNone) const noexcept;

 private:
  [[nodiscard]] std::size_t bin(std::int64_t column, std::int64_t row) const noexcept {
    return static_cast<std::size_t>(row * columns_ + column);
  }
  std::span<const Coord> x_;
  std::span<const Coord> y_;
  Coord radius_;
  Coord side_ = 1;
  Coord x0_ = 0;
  Coord y0_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t rows_ = 0;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> members_;
};

}  // namespace strew::scatter
