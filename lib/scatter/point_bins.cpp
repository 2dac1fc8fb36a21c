#include "point_bins.hpp"

#include <algorithm>

#include "wide.hpp"

namespace strew::scatter {

PointBins::PointBins(std::span<const Coord> x, std::span<const Coord> y, Coord radius)
    : x_(x), y_(y), radius_(radius), side_(radius) {
  if (x.empty()) {
    return;
  }
  const auto [low_x, high_x] = std::minmax_element(x.begin(), x.end());
  const auto [low_y, high_y] = std::minmax_element(y.begin(), y.end());
  x0_ = *low_x;
  y0_ = *low_y;
  const auto most = static_cast<std::int64_t>(2 * x.size()) + 16;
  for (;; side_ *= 2) {
    columns_ = (*high_x - x0_) / side_ + 1;
    rows_ = (*high_y - y0_) / side_ + 1;
    if (columns_ <= most / rows_) {
      break;
    }
  }
  begin_.assign(static_cast<std::size_t>(columns_ * rows_) + 1, 0);
  const auto bin_of = [&](std::size_t i) { return bin((x[i] - x0_) / side_, (y[i] - y0_) / side_); };
  for (std::size_t i = 0; i < x.size(); ++i) {
    ++begin_[bin_of(i) + 1];
  }
  for (std::size_t b = 1; b < begin_.size(); ++b) {
    begin_[b] += begin_[b - 1];
  }
  members_.resize(x.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    members_[next[bin_of(i)]++] = static_cast<std::uint32_t>(i);
  }
}

bool PointBins::any_closer(Coord x, Coord y, std::size_t ignored) const noexcept {
  if (members_.empty()) {
    return false;
  }
  const std::int64_t column = floor_div(x - x0_, side_);
  const std::int64_t row = floor_div(y - y0_, side_);
  for (std::int64_t r = std::max<std::int64_t>(row - 1, 0); r <= std::min(row + 1, rows_ - 1); ++r) {
    for (std::int64_t c = std::max<std::int64_t>(column - 1, 0); c <= std::min(column + 1, columns_ - 1);
         ++c) {
      const std::size_t b = bin(c, r);
      for (std::uint32_t m = begin_[b]; m < begin_[b + 1]; ++m) {
        const std::size_t i = members_[m];
        if (i != ignored && closer_than(x, y, x_[i], y_[i], radius_)) {
          return true;
        }
      }
    }
  }
  return false;
}

}  // namespace strew::scatter
