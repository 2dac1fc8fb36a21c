// Points sorted into square cells, to find those near a place.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "strew/types.hpp"

namespace strew {

class PointGrid {
 public:
  /// For queries up to `reach`. The points must span less than 2^62 units; memory is proportional to their
  /// number.
  PointGrid(std::span<const Coord> x, std::span<const Coord> y, Coord reach) {
    if (x.empty()) {
      return;
    }
    const auto [min_x, max_x] = std::minmax_element(x.begin(), x.end());
    const auto [min_y, max_y] = std::minmax_element(y.begin(), y.end());
    x0_ = *min_x;
    y0_ = *min_y;
    const double span = static_cast<double>(std::max(*max_x - x0_, *max_y - y0_));
    side_ = std::max({Coord{1}, reach, static_cast<Coord>(span / std::sqrt(static_cast<double>(x.size())))});
    columns_ = (*max_x - x0_) / side_ + 1;
    rows_ = (*max_y - y0_) / side_ + 1;
    starts_.assign(static_cast<std::size_t>(columns_ * rows_) + 1, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ++starts_[cell_of(x[i], y[i]) + 1];
    }
    for (std::size_t i = 1; i < starts_.size(); ++i) {
      starts_[i] += starts_[i - 1];
    }
    order_.resize(x.size());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      order_[next[cell_of(x[i], y[i])]++] = static_cast<std::uint32_t>(i);
    }
  }

  /// Calls visit(index) for every point at most `reach` away from (x, y) on both axes, and for some others;
  /// stops when it returns false.
  template <class Visit>
  void near(Coord x, Coord y, Coord reach, const Visit& visit) const {
    if (order_.empty()) {
      return;
    }
    const std::int64_t c0 = std::max<std::int64_t>(0, floor_div(x - reach - x0_, side_));
    const std::int64_t c1 = std::min(columns_ - 1, floor_div(x + reach - x0_, side_));
    const std::int64_t r0 = std::max<std::int64_t>(0, floor_div(y - reach - y0_, side_));
    const std::int64_t r1 = std::min(rows_ - 1, floor_div(y + reach - y0_, side_));
    for (std::int64_t row = r0; row <= r1 && c0 <= c1; ++row) {
      const std::uint32_t end = starts_[static_cast<std::size_t>(row * columns_ + c1) + 1];
      for (std::uint32_t at = starts_[static_cast<std::size_t>(row * columns_ + c0)]; at < end; ++at) {
        if (!visit(std::size_t{order_[at]})) {
          return;
        }
      }
    }
  }

 private:
  [[nodiscard]] std::size_t cell_of(Coord x, Coord y) const noexcept {
    return static_cast<std::size_t>((y - y0_) / side_ * columns_ + (x - x0_) / side_);
  }

  Coord x0_ = 0;
  Coord y0_ = 0;
  Coord side_ = 1;
  std::int64_t columns_ = 0;
  std::int64_t rows_ = 0;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> order_;
};

}  // namespace strew
