// Edges of shapes, by the cells that they are in reach of and by the rows that they cross.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "strew/exact_math.hpp"
#include "strew/shapes.hpp"

namespace strew {
namespace shape_parts {

/// From the lower end to the upper one, so that two rings that share an edge agree on which side a place is.
struct Edge {
  Vertex low;
  Vertex high;
  std::uint32_t polygon = 0;  ///< number of the polygon that it bounds; of lines unused
};

/// Lists of edges by bin, one after another.
struct Bins {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> members;

  /// `each(edge number, add)` calls add(bin) for every bin of the edge; it is called twice.
  template <class Each>
  void fill(std::size_t bins, std::size_t edges, const Each& each) {
    begin.assign(bins + 1, 0);
    for (std::size_t e = 0; e < edges; ++e) {
      each(e, [&](std::size_t bin) { ++begin[bin + 1]; });
    }
    for (std::size_t b = 1; b < begin.size(); ++b) {
      begin[b] += begin[b - 1];
    }
    members.resize(begin.back());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t e = 0; e < edges; ++e) {
      each(e, [&](std::size_t bin) { members[next[bin]++] = static_cast<std::uint32_t>(e); });
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t bin) const noexcept {
    return {members.data() + begin[bin], members.data() + begin[bin + 1]};
  }
};

/// Differences of accepted coordinates stay below 2^63, and a double of one is off by 2^-53 of itself.
inline double metres_between(Coord from, Coord to) noexcept {
  return static_cast<double>(to - from) * (1.0 / 4294967296.0);
}

inline double distance_to(const Edge& edge, Coord x, Coord y) noexcept {
  const double along_x = metres_between(edge.low.x, edge.high.x);
  const double along_y = metres_between(edge.low.y, edge.high.y);
  const double to_x = metres_between(edge.low.x, x);
  const double to_y = metres_between(edge.low.y, y);
  const double length2 = along_x * along_x + along_y * along_y;
  const double share = length2 > 0 ? (to_x * along_x + to_y * along_y) / length2 : 0;
  const double at = share > 0 ? (share < 1 ? share : 1) : 0;
  const double away_x = to_x - at * along_x;
  const double away_y = to_y - at * along_y;
  return exact_sqrt(away_x * away_x + away_y * away_y);
}

/// Whether a ray from the place eastwards crosses the edge. Half-open in y: a vertex belongs to the edge
/// above.
inline bool crosses(const Edge& edge, Coord x, Coord y) noexcept {
  if (y < edge.low.y || y >= edge.high.y) {
    return false;
  }
  const double turn = metres_between(edge.low.x, edge.high.x) * metres_between(edge.low.y, y) -
                      metres_between(edge.low.x, x) * metres_between(edge.low.y, edge.high.y);
  return turn > 0;
}

}  // namespace shape_parts

struct Shapes::Impl {
  std::vector<shape_parts::Edge> edges;  ///< those of rings first
  std::size_t ring_edges = 0;
  double reach = 0;
  double buffer = 0;
  double far = 0;  ///< distances from here on are not told apart
  // Cells that an edge is in reach of.
  Coord x0 = 0;
  Coord y0 = 0;
  Coord side = 1;
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  shape_parts::Bins cells;
  // Bands of rows that edges of rings cross.
  Coord band_y0 = 0;
  Coord band_height = 1;
  std::int64_t bands = 0;
  shape_parts::Bins crossed;

  void build_cells();
  void build_bands();
  [[nodiscard]] bool inside(Coord x, Coord y) const noexcept {
    const std::int64_t band = bands == 0 || y < band_y0 ? -1 : (y - band_y0) / band_height;
    if (band < 0 || band >= bands) {
      return false;
    }
    // Edges of one polygon follow one another.
    bool odd = false;
    std::uint32_t polygon = 0;
    for (const std::uint32_t e : crossed.of(static_cast<std::size_t>(band))) {
      if (edges[e].polygon != polygon) {
        if (odd) {
          return true;
        }
        polygon = edges[e].polygon;
      }
      odd = odd != shape_parts::crosses(edges[e], x, y);
    }
    return odd;
  }

  /// Numbers of the edges that some place of the area can be nearer to than `far`, in order; and perhaps some
  /// of those a little farther away, the same whatever else there is.
  [[nodiscard]] std::vector<std::uint32_t> near(const Rect& area) const;
  /// Numbers of the polygons that a place is inside of.
  [[nodiscard]] std::vector<std::uint32_t> around(Coord x, Coord y) const;

  [[nodiscard]] double distance(Coord x, Coord y) const noexcept {
    double least = far;
    if (x < x0 || y < y0) {
      return least;
    }
    const std::int64_t column = (x - x0) / side;
    const std::int64_t row = (y - y0) / side;
    if (column >= columns || row >= rows) {
      return least;
    }
    for (const std::uint32_t e : cells.of(static_cast<std::size_t>(row * columns + column))) {
      const double away = shape_parts::distance_to(edges[e], x, y);
      least = away < least ? away : least;
    }
    return least;
  }
};

}  // namespace strew
