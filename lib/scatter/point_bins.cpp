#include "point_bins.hpp"

#include <algorithm>
#include <bit>

#include "wide.hpp"

namespace strew::scatter {

PointBins::PointBins(std::span<const Coord> x, std::span<const Coord> y, Coord radius) : radius_(radius) {
  if (x.empty()) {
    return;
  }
  const auto [low_x, high_x] = std::minmax_element(x.begin(), x.end());
  const auto [low_y, high_y] = std::minmax_element(y.begin(), y.end());
  x0_ = *low_x;
  y0_ = *low_y;
  const auto most = static_cast<std::int64_t>(2 * x.size()) + 16;
  for (shift_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(radius) - 1));; ++shift_) {
    columns_ = ((*high_x - x0_) >> shift_) + 1;
    rows_ = ((*high_y - y0_) >> shift_) + 1;
    if (columns_ <= most / rows_) {
      break;
    }
  }
  begin_.assign(static_cast<std::size_t>(columns_ * rows_) + 1, 0);
  std::vector<std::uint32_t> bins(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    bins[i] = static_cast<std::uint32_t>(bin((x[i] - x0_) >> shift_, (y[i] - y0_) >> shift_));
    ++begin_[bins[i] + 1];
  }
  for (std::size_t b = 1; b < begin_.size(); ++b) {
    begin_[b] += begin_[b - 1];
  }
  members_.resize(x.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    members_[next[bins[i]]++] = {x[i], y[i], i};
  }
}

bool PointBins::any_closer(Coord x, Coord y, std::size_t ignored) const noexcept {
  if (members_.empty()) {
    return false;
  }
  // Bins that hold a place nearer than the radius on both axes; those of a row lie side by side.
  const Coord reach = radius_ - 1;
  const std::int64_t first_column = std::max<std::int64_t>((x - x0_ - reach) >> shift_, 0);
  const std::int64_t last_column = std::min((x - x0_ + reach) >> shift_, columns_ - 1);
  const std::int64_t last_row = std::min((y - y0_ + reach) >> shift_, rows_ - 1);
  if (first_column > last_column) {
    return false;
  }
  for (std::int64_t row = std::max<std::int64_t>((y - y0_ - reach) >> shift_, 0); row <= last_row; ++row) {
    const std::uint32_t end = begin_[bin(last_column, row) + 1];
    for (std::uint32_t m = begin_[bin(first_column, row)]; m < end; ++m) {
      const Member& member = members_[m];
      if (member.x - x <= reach && x - member.x <= reach && member.index != ignored &&
          closer_than(x, y, member.x, member.y, radius_)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace strew::scatter
