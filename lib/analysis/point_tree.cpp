#include "point_tree.hpp"

#include <algorithm>

namespace strew::analysis {

PointTree::PointTree(const PointsView& points) {
  entries_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    entries_[i] = {points.x[i], points.y[i], static_cast<std::uint32_t>(i)};
  }
  nodes_.reserve(points.size() / 2 + 2);
  build();
}

void PointTree::build() {
  const auto node_of = [this](std::uint32_t begin, std::uint32_t end) {
    const Entry& first = entries_[begin];
    Node node{first.x, first.y, first.x, first.y, begin, end, kNone};
    for (std::uint32_t i = begin + 1; i < end; ++i) {
      node.x0 = std::min(node.x0, entries_[i].x);
      node.x1 = std::max(node.x1, entries_[i].x);
      node.y0 = std::min(node.y0, entries_[i].y);
      node.y1 = std::max(node.y1, entries_[i].y);
    }
    return node;
  };
  const auto at = [this](std::uint32_t i) { return entries_.begin() + static_cast<std::ptrdiff_t>(i); };
  nodes_.push_back(node_of(0, static_cast<std::uint32_t>(entries_.size())));
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node node = nodes_[n];
    if (node.end - node.begin <= kLeaf) {
      std::sort(at(node.begin), at(node.end),
                [](const Entry& a, const Entry& b) { return a.index < b.index; });
      continue;
    }
    const std::uint32_t middle = node.begin + (node.end - node.begin) / 2;
    if (node.x1 - node.x0 >= node.y1 - node.y0) {
      std::nth_element(at(node.begin), at(middle), at(node.end), [](const Entry& a, const Entry& b) {
        return a.x != b.x ? a.x < b.x : a.index < b.index;
      });
    } else {
      std::nth_element(at(node.begin), at(middle), at(node.end), [](const Entry& a, const Entry& b) {
        return a.y != b.y ? a.y < b.y : a.index < b.index;
      });
    }
    nodes_[n].left = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node_of(node.begin, middle));
    nodes_.push_back(node_of(middle, node.end));
  }
}

PointTree::Nearest PointTree::nearest(double x, double y, std::uint32_t skip) const noexcept {
  Nearest best;
  std::array<std::uint32_t, kStack> stack;
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth != 0) {
    const Node& node = nodes_[stack[--depth]];
    if (node.nearest_squared(x, y) > best.squared) {
      continue;
    }
    if (node.left != kNone) {
      const bool left_first =
          nodes_[node.left].nearest_squared(x, y) <= nodes_[node.left + 1].nearest_squared(x, y);
      stack[depth++] = node.left + (left_first ? 1U : 0U);
      stack[depth++] = node.left + (left_first ? 0U : 1U);
      continue;
    }
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      const Entry& entry = entries_[i];
      const double d = squared_distance(entry, x, y);
      if (entry.index != skip && (d < best.squared || (d == best.squared && entry.index < best.index))) {
        best = {d, entry.index};
      }
    }
  }
  return best;
}

std::uint64_t PointTree::count_below(double x, double y, double squared) const noexcept {
  std::uint64_t count = 0;
  std::array<std::uint32_t, kStack> stack;
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth != 0) {
    const Node& node = nodes_[stack[--depth]];
    if (node.nearest_squared(x, y) >= squared) {
      continue;
    }
    // All inside at once: a radius far beyond the spacing costs no more than its circumference.
    if (node.farthest_squared(x, y) < squared) {
      count += node.end - node.begin;
      continue;
    }
    if (node.left != kNone) {
      stack[depth++] = node.left;
      stack[depth++] = node.left + 1;
      continue;
    }
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      count += squared_distance(entries_[i], x, y) < squared ? 1U : 0U;
    }
  }
  return count;
}

}  // namespace strew::analysis
