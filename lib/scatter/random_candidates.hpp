// Candidates of the strategy "random": a Poisson process of points, each with a place in one order of the
// whole plane. Known cell by cell.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "strew/exact_math.hpp"
#include "strew/random.hpp"
#include "strew/types.hpp"

namespace strew::scatter {

/// 2^-16 m.
inline constexpr Coord kRandomPitch = Coord{1} << 16;
inline constexpr double kRandomStepsPerMetre = 65536.0;

struct Candidate {
  std::int64_t x = 0;  ///< lattice steps
  std::int64_t y = 0;
  std::uint32_t priority = 0;
  std::int64_t cell_x = 0;
  std::int64_t cell_y = 0;
  std::uint32_t number = 0;  ///< in its cell

  /// The order in which candidates are taken; equal for no two.
  [[nodiscard]] std::array<std::int64_t, 4> order() const noexcept {
    return {priority, cell_y, cell_x, number};
  }
};

/// Square cells that hold a Poisson number of candidates, 2 on average.
class CandidateCells {
 public:
  CandidateCells(PhiloxKey key, double density) noexcept
      : key_(key),
        side_(static_cast<std::int64_t>(exact_sqrt(2.0 / density) * kRandomStepsPerMetre) + 1),
        mean_(density * (static_cast<double>(side_) / kRandomStepsPerMetre) *
              (static_cast<double>(side_) / kRandomStepsPerMetre)) {}

  [[nodiscard]] std::int64_t side() const noexcept { return side_; }
  /// Appends the candidates of a cell: as many as there are events of rate 1 before time `mean`.
  void append(std::int64_t cell_x, std::int64_t cell_y, std::vector<Candidate>& out) const {
    double time = 0;
    for (std::uint32_t number = 0;; ++number) {
      const PhiloxCounter draw = cell_draw(key_, cell_x, cell_y, number);
      time += static_cast<double>(exact_exponential(draw[3]));
      if (time > mean_) {
        return;
      }
      const auto side = static_cast<std::uint32_t>(side_);
      out.push_back({cell_x * side_ + draw_below(draw[0], side), cell_y * side_ + draw_below(draw[1], side),
                     draw[2], cell_x, cell_y, number});
    }
  }

 private:
  PhiloxKey key_;
  std::int64_t side_;
  double mean_;
};

/// When two candidates cannot both stand. All in lattice steps.
struct Overlap {
  bool disc = true;
  std::int64_t width = 1;  ///< of a disc: the distance
  std::int64_t height = 1;
  [[nodiscard]] std::int64_t reach() const noexcept { return width > height ? width : height; }
  [[nodiscard]] bool conflict(const Candidate& a, const Candidate& b) const noexcept {
    const std::int64_t dx = a.x < b.x ? b.x - a.x : a.x - b.x;
    const std::int64_t dy = a.y < b.y ? b.y - a.y : a.y - b.y;
    if (dx >= width || dy >= height) {
      return false;
    }
    return !disc || dx * dx + dy * dy < width * width;
  }
};

}  // namespace strew::scatter
