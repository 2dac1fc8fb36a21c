// Fixed-radius neighbour queries over points of the plane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "strew/types.hpp"

namespace strew::scatter {

/// Points sorted into square bins, a power of two and at least one radius wide; a query looks at those that
/// its circle may reach, at most 3 x 3. O(n) to build.
class PointBins {
 public:
  /// `radius` > 0; fewer than 2^31 points.
  PointBins(std::span<const Coord> x, std::span<const Coord> y, Coord radius);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Whether a point other than number `ignored` is closer than the radius, exactly.
  [[nodiscard]] bool any_closer(Coord x, Coord y, std::size_t ignored = kNone) const noexcept;

 private:
  [[nodiscard]] std::size_t bin(std::int64_t column, std::int64_t row) const noexcept {
    return static_cast<std::size_t>(row * columns_ + column);
  }
  struct Member {
    Coord x;
    Coord y;
    std::size_t index;
  };
  Coord radius_;
  int shift_ = 0;  ///< a bin is 2^shift units wide
  Coord x0_ = 0;
  Coord y0_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t rows_ = 0;
  std::vector<std::uint32_t> begin_;
  std::vector<Member> members_;  ///< by bin
};

}  // namespace strew::scatter
