// A k-d tree over a point set: nearest point, points within a distance.
//
// A tree and not a grid of cells, because real sets cluster: a grid's cell can then hold every point. Built
// with a total order (coordinate, then index), so its layout is the same everywhere.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "strew/analysis.hpp"

namespace strew::analysis {

class PointTree {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  struct Entry {
    double x;
    double y;
    std::uint32_t index;  ///< in the view
  };
  struct Nearest {
    double squared = std::numeric_limits<double>::infinity();
    std::uint32_t index = kNone;
  };

  explicit PointTree(const PointsView& points);

  /// All points, neighbours in the plane mostly near each other in the array.
  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  /// The nearest point other than `skip`; of several at one distance, that with the smallest index.
  [[nodiscard]] Nearest nearest(double x, double y, std::uint32_t skip = kNone) const noexcept;
  /// How many points (any `skip` included) have a squared distance below `squared`.
  [[nodiscard]] std::uint64_t count_below(double x, double y, double squared) const noexcept;
  /// Calls use(entry, squared distance) for every point with squared distance at most `squared`, in a fixed
  /// order.
  template <class Use>
  void for_each_within(double x, double y, double squared, const Use& use) const {
    std::array<std::uint32_t, kStack> stack;
    std::size_t depth = 0;
    stack[depth++] = 0;
    while (depth != 0) {
      const Node& node = nodes_[stack[--depth]];
      if (node.nearest_squared(x, y) > squared) {
        continue;
      }
      if (node.left != kNone) {
        stack[depth++] = node.left + 1;
        stack[depth++] = node.left;
        continue;
      }
      for (std::uint32_t i = node.begin; i < node.end; ++i) {
        const Entry& entry = entries_[i];
        const double d = squared_distance(entry, x, y);
        if (d <= squared) {
          use(entry, d);
        }
      }
    }
  }

 private:
  /// Depth of a tree of 2^31 points in leaves of 8, with one waiting sibling on each level.
  static constexpr std::size_t kStack = 64;
  static constexpr std::uint32_t kLeaf = 8;

  struct Node {
    double x0, y0, x1, y1;  ///< bounding box of its points
    std::uint32_t begin, end;
    std::uint32_t left;  ///< right child is left + 1; kNone in a leaf

    // Differences are taken as squared_distance takes them, so rounding never puts a point nearer than its
    // box.
    [[nodiscard]] double nearest_squared(double x, double y) const noexcept {
      const double dx = x < x0 ? x0 - x : (x > x1 ? x - x1 : 0.0);
      const double dy = y < y0 ? y0 - y : (y > y1 ? y - y1 : 0.0);
      return dx * dx + dy * dy;
    }
    [[nodiscard]] double farthest_squared(double x, double y) const noexcept {
      const double left_x = x - x0;
      const double right_x = x1 - x;
      const double left_y = y - y0;
      const double right_y = y1 - y;
      const double dx = left_x > right_x ? left_x : right_x;
      const double dy = left_y > right_y ? left_y : right_y;
      return dx * dx + dy * dy;
    }
  };
  static double squared_distance(const Entry& entry, double x, double y) noexcept {
    const double dx = entry.x - x;
    const double dy = entry.y - y;
    return dx * dx + dy * dy;
  }
  void build();

  std::vector<Entry> entries_;
  std::vector<Node> nodes_;
};

}  // namespace strew::analysis
