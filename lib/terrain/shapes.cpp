// Signed distance to polygons and lines: a grid of cells lists the edges in reach of each, bands of rows list
// the edges that a ray eastwards can cross.
#include <algorithm>

#include "guard.hpp"
#include "number_text.hpp"
#include "shapes_impl.hpp"

namespace strew {
namespace {

using shape_parts::distance_to;
using shape_parts::Edge;

constexpr std::size_t kMaxEdges = std::size_t{1} << 24;
constexpr double kMostMetres = 10000;

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

void Shapes::Impl::build_cells() {
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

void Shapes::Impl::build_bands() {
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
