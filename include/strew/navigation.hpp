// Navigability of a map: regions, their areas, and the measures made from them. See docs/navigability.md.
//
// A region is a set of places that can all be reached from one another; where links are one-way, a strongly
// connected component. This header has the measures and the interface; strew::navigation fulfils the
// interface with Recast (strew/navigation_recast.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "strew/status.hpp"

namespace strew::nav {

/// Disjoint sets with union by size and path halving. Sets are numbered by any member.
class UnionFind {
 public:
  void reset(std::size_t count);
  [[nodiscard]] std::uint32_t find(std::uint32_t a) noexcept {
    while (parent_[a] != a) {
      parent_[a] = parent_[parent_[a]];
      a = parent_[a];
    }
    return a;
  }
  /// False when they were one already.
  bool join(std::uint32_t a, std::uint32_t b) noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return parent_.size(); }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> size_;
};

/// A way from a node to another, not back.
struct OneWay {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// Strongly connected components of a graph of two-way and one-way links: the component of each node,
/// numbered by first node. O(nodes + links), no recursion.
[[nodiscard]] std::vector<std::uint32_t> components(std::size_t nodes, std::span<const OneWay> two_way,
                                                    std::span<const OneWay> one_way);
/// For each node's component c and d: whether d can be reached from c, as the sum over ordered pairs of
/// weight[c] * weight[d], c to d reachable or equal. `component` from components(). O(components * links).
[[nodiscard]] double reachable_pairs(std::span<const std::uint32_t> component,
                                     std::span<const OneWay> two_way, std::span<const OneWay> one_way,
                                     std::span<const double> weight);

/// c-bar = connected pairs over all pairs of n points, from the number of points in each region:
/// sum s (s - 1) / (n (n - 1)). 1 for fewer than two points, which no pair contradicts.
[[nodiscard]] double connected_share(std::span<const std::uint64_t> points_in_region) noexcept;
/// Its limit for points drawn by area: sum a^2 / (sum a)^2. 0 when there is no area.
[[nodiscard]] double connected_share_of_areas(std::span<const double> areas) noexcept;
/// A_r^max: the largest area over the sum. 0 when there is no area.
[[nodiscard]] double largest_share(std::span<const double> areas) noexcept;

/// Walkable regions of one piece, made once per kit.
struct PieceRegions {
  std::vector<double> areas;  ///< square metres, one per region, with neighbours at all connectors
  /// For each connector the region that walks through it, or -1.
  std::vector<std::int32_t> at_connector;
  /// For each connector the area that its region loses while nothing is joined there: a walker keeps its
  /// radius from an open edge. Empty: none.
  std::vector<double> end_loss;
  std::vector<OneWay> drops;  ///< one-way links between regions of the piece
};

/// Summary of a map's navigability.
struct Score {
  double largest_share = 0;    ///< A_r^max
  double connected_share = 0;  ///< c-bar, the limit for points drawn by area
  double area = 0;             ///< walkable, square metres
  double largest_area = 0;     ///< of the largest region
  std::uint32_t regions = 0;
};

}  // namespace strew::nav
