// After the relaxation dart throwing of McCool and Fiume, "Hierarchical Poisson disk sampling distributions"
// (Graphics Interface 1992): darts are thrown, here at the instances themselves, with a radius that shrinks
// as room runs out.
#include "thinning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "strew/exact_math.hpp"
#include "strew/random.hpp"

namespace strew::exporting {
namespace {

/// The chosen, in square bins a radius wide.
class ChosenGrid {
 public:
  ChosenGrid(const std::vector<Placed>& placed, double x0, double y0, double width, double height,
             double radius)
      : placed_(placed),
        x0_(x0),
        y0_(y0),
        radius_(radius),
        columns_(static_cast<std::size_t>(width / radius) + 1),
        rows_(static_cast<std::size_t>(height / radius) + 1),
        heads_(columns_ * rows_, kEnd),
        next_(placed.size(), kEnd) {}

  [[nodiscard]] bool room_for(std::size_t i) const noexcept {
    const std::size_t column = column_of(i);
    const std::size_t row = row_of(i);
    for (std::size_t r = row > 0 ? row - 1 : 0; r <= std::min(row + 1, rows_ - 1); ++r) {
      for (std::size_t c = column > 0 ? column - 1 : 0; c <= std::min(column + 1, columns_ - 1); ++c) {
        for (std::uint32_t j = heads_[r * columns_ + c]; j != kEnd; j = next_[j]) {
          const double dx = placed_[i].x - placed_[j].x;
          const double dy = placed_[i].y - placed_[j].y;
          if (dx * dx + dy * dy < radius_ * radius_) {
            return false;
          }
        }
      }
    }
    return true;
  }
  void add(std::size_t i) noexcept {
    std::uint32_t& head = heads_[row_of(i) * columns_ + column_of(i)];
    next_[i] = head;
    head = static_cast<std::uint32_t>(i);
  }

 private:
  static constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();
  [[nodiscard]] std::size_t column_of(std::size_t i) const noexcept {
    return std::min(static_cast<std::size_t>((placed_[i].x - x0_) / radius_), columns_ - 1);
  }
  [[nodiscard]] std::size_t row_of(std::size_t i) const noexcept {
    return std::min(static_cast<std::size_t>((placed_[i].y - y0_) / radius_), rows_ - 1);
  }

  const std::vector<Placed>& placed_;
  double x0_;
  double y0_;
  double radius_;
  std::size_t columns_;
  std::size_t rows_;
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint32_t> next_;
};

}  // namespace

void thin(std::vector<Placed>& placed, std::size_t wanted) {
  if (wanted >= placed.size() || wanted == 0) {
    return;
  }
  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return mix64(a.id) < mix64(b.id); });
  const auto [x0, x1] = std::minmax_element(placed.begin(), placed.end(),
                                            [](const Placed& a, const Placed& b) { return a.x < b.x; });
  const auto [y0, y1] = std::minmax_element(placed.begin(), placed.end(),
                                            [](const Placed& a, const Placed& b) { return a.y < b.y; });
  const double left = x0->x;
  const double bottom = y0->y;
  const double width = std::max(1e-3, x1->x - left);
  const double height = std::max(1e-3, y1->y - bottom);
  double radius = 2 * exact_sqrt(width * height / static_cast<double>(wanted));
  // A bin per instance at least, so that the grid stays in proportion to the set.
  const double least = exact_sqrt(width * height / static_cast<double>(placed.size())) / 4;
  std::vector<bool> chosen(placed.size(), false);
  std::vector<std::size_t> order;
  while (order.size() < wanted && radius > least) {
    ChosenGrid grid(placed, left, bottom, width, height, radius);
    for (const std::size_t i : order) {
      grid.add(i);
    }
    for (std::size_t i = 0; i < placed.size() && order.size() < wanted; ++i) {
      if (!chosen[i] && grid.room_for(i)) {
        chosen[i] = true;
        order.push_back(i);
        grid.add(i);
      }
    }
    radius *= 0.8;
  }
  // Clusters tighter than a quarter of the mean spacing: the rest in the order drawn.
  for (std::size_t i = 0; i < placed.size() && order.size() < wanted; ++i) {
    if (!chosen[i]) {
      chosen[i] = true;
      order.push_back(i);
    }
  }
  std::vector<Placed> sorted;
  sorted.reserve(placed.size());
  for (const std::size_t i : order) {
    sorted.push_back(placed[i]);
  }
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (!chosen[i]) {
      sorted.push_back(placed[i]);
    }
  }
  placed = std::move(sorted);
}

}  // namespace strew::exporting
