// Signed distance to polygons and lines: a grid of cells lists the edges in reach of each, bands of rows list
// the edges that a ray eastwards can cross.
#include "strew/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "guard.hpp"
#include "number_text.hpp"
#include "strew/exact_math.hpp"

namespace strew {
namespace {

constexpr std::size_t kMaxEdges = std::size_t{1} << 24;
constexpr double kMostMetres = 10000;

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
double metres_between(Coord from, Coord to) noexcept {
  return static_cast<double>(to - from) * (1.0 / 4294967296.0);
}

double distance_to(const Edge& edge, Coord x, Coord y) noexcept {
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
bool crosses(const Edge& edge, Coord x, Coord y) noexcept {
  if (y < edge.low.y || y >= edge.high.y) {
    return false;
  }
  const double turn = metres_between(edge.low.x, edge.high.x) * metres_between(edge.low.y, y) -
                      metres_between(edge.low.x, x) * metres_between(edge.low.y, edge.high.y);
  return turn > 0;
}

Status check_part(const std::vector<std::vector<Vertex>>& parts, std::size_t least, const std::string& name) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string where = name + "[" + std::to_string(i) + "]";
    if (parts[i].size() < least) {
      return invalid_argument("has " + std::to_string(parts[i].size()) + " vertices; at least " +
                                  std::to_string(least) + " make one",
                              where);
    }
    for (const Vertex& vertex : parts[i]) {
      if (vertex.x < -kCoordLimit || vertex.x > kCoordLimit || vertex.y < -kCoordLimit ||
          vertex.y > kCoordLimit) {
        return invalid_argument("reaches beyond +-1073741823 m", where);
      }
    }
  }
  return {};
}

Edge ordered(const Vertex& a, const Vertex& b, std::uint32_t polygon) noexcept {
  const bool up = a.y < b.y || (a.y == b.y && a.x <= b.x);
  return up ? Edge{a, b, polygon} : Edge{b, a, polygon};
}

}  // namespace

struct Shapes::Impl {
  std::vector<Edge> edges;  ///< those of rings first
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
  Bins cells;
  // Bands of rows that edges of rings cross.
  Coord band_y0 = 0;
  Coord band_height = 1;
  std::int64_t bands = 0;
  Bins crossed;

  void build_cells() {
    const auto margin = static_cast<Coord>(far * 4294967296.0) + kUnitsPerMetre;
    x0 = y0 = INT64_MAX;
    Coord x1 = INT64_MIN;
    Coord y1 = INT64_MIN;
    for (const Edge& edge : edges) {
      x0 = std::min({x0, edge.low.x - margin, edge.high.x - margin});
      x1 = std::max({x1, edge.low.x + margin, edge.high.x + margin});
      y0 = std::min(y0, edge.low.y - margin);
      y1 = std::max(y1, edge.high.y + margin);
    }
    const auto most = static_cast<std::int64_t>(4 * edges.size()) + 65536;
    for (side = margin;; side += side / 2) {
      columns = (x1 - x0) / side + 1;
      rows = (y1 - y0) / side + 1;
      if (columns <= most / rows) {
        break;
      }
    }
    const double half_diagonal = to_metres(side) * 0.7072;
    cells.fill(static_cast<std::size_t>(columns * rows), edges.size(), [&](std::size_t e, const auto& add) {
      const Edge& edge = edges[e];
      const std::int64_t c0 = (std::min(edge.low.x, edge.high.x) - margin - x0) / side;
      const std::int64_t c1 = (std::max(edge.low.x, edge.high.x) + margin - x0) / side;
      const std::int64_t r1 = (edge.high.y + margin - y0) / side;
      for (std::int64_t r = (edge.low.y - margin - y0) / side; r <= r1; ++r) {
        for (std::int64_t c = c0; c <= c1; ++c) {
          // The metre in the margin covers what rounding adds.
          if (distance_to(edge, x0 + c * side + side / 2, y0 + r * side + side / 2) <=
              far + 1 + half_diagonal) {
            add(static_cast<std::size_t>(r * columns + c));
          }
        }
      }
    });
  }

  void build_bands() {
    if (ring_edges == 0) {
      return;
    }
    band_y0 = INT64_MAX;
    Coord y1 = INT64_MIN;
    for (std::size_t e = 0; e < ring_edges; ++e) {
      band_y0 = std::min(band_y0, edges[e].low.y);
      y1 = std::max(y1, edges[e].high.y);
    }
    const auto wanted = std::min<std::int64_t>(static_cast<std::int64_t>(ring_edges), 65536);
    band_height = (y1 - band_y0) / wanted + 1;
    bands = (y1 - band_y0) / band_height + 1;
    crossed.fill(static_cast<std::size_t>(bands), ring_edges, [&](std::size_t e, const auto& add) {
      const std::int64_t last = (edges[e].high.y - band_y0) / band_height;
      for (std::int64_t b = (edges[e].low.y - band_y0) / band_height; b <= last; ++b) {
        add(static_cast<std::size_t>(b));
      }
    });
  }

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
      odd = odd != crosses(edges[e], x, y);
    }
    return odd;
  }

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
      const double away = distance_to(edges[e], x, y);
      least = away < least ? away : least;
    }
    return least;
  }
};

Result<Shapes> Shapes::create(const ShapeData& data, double reach_m) {
  return guarded([&]() -> Result<Shapes> {
    if (!(reach_m > 0 && reach_m <= kMostMetres)) {
      return invalid_argument("is " + number_text(reach_m) + " m; expected above 0, at most 10000",
                              "reach_m");
    }
    if (!(data.buffer_m >= 0 && data.buffer_m <= kMostMetres)) {
      return invalid_argument("is " + number_text(data.buffer_m) + " m; expected 0 to 10000", "buffer_m");
    }
    STREW_RETURN_IF_ERROR(check_part(data.lines, 2, "lines"));
    std::size_t count = 0;
    for (std::size_t i = 0; i < data.polygons.size(); ++i) {
      STREW_RETURN_IF_ERROR(check_part(data.polygons[i], 3, "polygons[" + std::to_string(i) + "].rings"));
      for (const Ring& ring : data.polygons[i]) {
        count += ring.size();
      }
    }
    for (const auto& line : data.lines) {
      count += line.size();
    }
    if (count > kMaxEdges) {
      return invalid_argument("have " + std::to_string(count) +
                                  " vertices together; at most 16777216: simplify them, or cut them to the "
                                  "world's extent",
                              "shapes");
    }
    auto impl = std::make_unique<Impl>();
    impl->reach = reach_m;
    impl->buffer = data.buffer_m;
    impl->far = reach_m + data.buffer_m;
    for (std::size_t p = 0; p < data.polygons.size(); ++p) {
      for (const Ring& ring : data.polygons[p]) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
          const Vertex& next = ring[i + 1 < ring.size() ? i + 1 : 0];
          if (!(ring[i] == next)) {
            impl->edges.push_back(ordered(ring[i], next, static_cast<std::uint32_t>(p)));
          }
        }
      }
    }
    impl->ring_edges = impl->edges.size();
    for (const auto& line : data.lines) {
      for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        impl->edges.push_back(ordered(line[i], line[i + 1], 0));
      }
    }
    if (!impl->edges.empty()) {
      impl->build_cells();
      impl->build_bands();
    }
    return Shapes(std::move(impl));
  });
}

Shapes::Shapes(std::unique_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}
Shapes::Shapes(Shapes&&) noexcept = default;
Shapes& Shapes::operator=(Shapes&&) noexcept = default;
Shapes::~Shapes() = default;

double Shapes::signed_distance(Coord x, Coord y) const noexcept {
  const double raw = impl_->distance(x, y);
  const double outside = (impl_->inside(x, y) ? -raw : raw) - impl_->buffer;
  const double low = outside > -impl_->reach ? outside : -impl_->reach;
  return low < impl_->reach ? low : impl_->reach;
}
double Shapes::reach_m() const noexcept {
  return impl_->reach;
}
std::size_t Shapes::edges() const noexcept {
  return impl_->edges.size();
}

}  // namespace strew
