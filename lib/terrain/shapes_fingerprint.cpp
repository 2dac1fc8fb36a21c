// What signed distances in an area depend on.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "guard.hpp"
#include "shapes_impl.hpp"
#include "strew/hash.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

using shape_parts::crosses;
using shape_parts::distance_to;
using shape_parts::Edge;
using shape_parts::metres_between;

/// Of a segment from a rectangle, in metres; 0 where they meet. Never above the truth.
double distance_to(const Edge& edge, const Rect& area) noexcept {
  // The part of the segment that is left by the sides of the rectangle, one by one (Liang and Barsky, "A new
  // concept and method for line clipping", 1984); where none is left, one of these distances is the least: of
  // a corner from the segment, or of an end from the rectangle.
  const double x = metres_between(area.x0, edge.low.x);
  const double y = metres_between(area.y0, edge.low.y);
  const double along_x = metres_between(edge.low.x, edge.high.x);
  const double along_y = metres_between(edge.low.y, edge.high.y);
  const double width = metres_between(area.x0, area.x1);
  const double height = metres_between(area.y0, area.y1);
  double from = 0;
  double to = 1;
  const auto clip = [&](double towards, double room) {
    if (towards == 0) {
      to = room < 0 ? -1 : to;
    } else if (towards < 0) {
      from = std::max(from, room / towards);
    } else {
      to = std::min(to, room / towards);
    }
  };
  clip(-along_x, x);
  clip(along_x, width - x);
  clip(-along_y, y);
  clip(along_y, height - y);
  if (from <= to) {
    return 0;
  }
  double least = HUGE_VAL;
  for (const Coord corner_x : {area.x0, area.x1}) {
    for (const Coord corner_y : {area.y0, area.y1}) {
      least = std::min(least, distance_to(edge, corner_x, corner_y));
    }
  }
  for (const double at : {0.0, 1.0}) {
    const double end_x = x + at * along_x;
    const double end_y = y + at * along_y;
    const double away_x = std::max({-end_x, end_x - width, 0.0});
    const double away_y = std::max({-end_y, end_y - height, 0.0});
    least = std::min(least, exact_sqrt(away_x * away_x + away_y * away_y));
  }
  return least;
}

std::uint64_t hash_of(const Edge& edge) noexcept {
  const std::array<std::uint64_t, 4> words = {
      static_cast<std::uint64_t>(edge.low.x), static_cast<std::uint64_t>(edge.low.y),
      static_cast<std::uint64_t>(edge.high.x), static_cast<std::uint64_t>(edge.high.y)};
  return hash_words(words);
}

}  // namespace

std::vector<std::uint32_t> Shapes::Impl::near(const Rect& area) const {
  std::vector<std::uint32_t> found;
  const std::int64_t c1 = std::min(columns - 1, floor_div(area.x1 - x0, side));
  const std::int64_t r1 = std::min(rows - 1, floor_div(area.y1 - y0, side));
  for (std::int64_t r = std::max<std::int64_t>(0, floor_div(area.y0 - y0, side)); r <= r1; ++r) {
    for (std::int64_t c = std::max<std::int64_t>(0, floor_div(area.x0 - x0, side)); c <= c1; ++c) {
      const auto here = cells.of(static_cast<std::size_t>(r * columns + c));
      found.insert(found.end(), here.begin(), here.end());
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  // Half of the metre that cells have to spare: for what rounding takes.
  std::erase_if(found, [&](std::uint32_t e) { return distance_to(edges[e], area) > far + 0.5; });
  return found;
}

std::vector<std::uint32_t> Shapes::Impl::around(Coord x, Coord y) const {
  std::vector<std::uint32_t> found;
  const std::int64_t band = bands == 0 || y < band_y0 ? -1 : (y - band_y0) / band_height;
  if (band < 0 || band >= bands) {
    return found;
  }
  for (const std::uint32_t e : crossed.of(static_cast<std::size_t>(band))) {
    if (!crosses(edges[e], x, y)) {
      continue;
    }
    // Edges of one polygon follow one another: a second crossing takes back the first.
    if (!found.empty() && found.back() == edges[e].polygon) {
      found.pop_back();
    } else {
      found.push_back(edges[e].polygon);
    }
  }
  return found;
}

// Whether a place is inside a polygon changes only across its edges: those near the area and what holds at
// one corner of it tell for all of it.
Result<std::uint64_t> Shapes::fingerprint(const Rect& area) const {
  return guarded([&]() -> Result<std::uint64_t> {
    std::uint64_t sum = mix64(std::bit_cast<std::uint64_t>(impl_->reach) ^
                              mix64(std::bit_cast<std::uint64_t>(impl_->buffer)));
    if (impl_->edges.empty()) {
      return sum;
    }
    const std::vector<std::uint32_t> near = impl_->near(area);
    const std::vector<std::uint32_t> around = impl_->around(area.x0, area.y0);
    auto inside = around.begin();
    constexpr std::uint64_t kInside = 0x9E3779B97F4A7C15U;
    for (std::size_t i = 0; i < near.size();) {
      const bool ring = near[i] < impl_->ring_edges;
      const std::uint32_t polygon = impl_->edges[near[i]].polygon;
      for (; ring && inside != around.end() && *inside < polygon; ++inside) {
        sum += mix64(kInside);
      }
      std::uint64_t one = 0;
      if (ring && inside != around.end() && *inside == polygon) {
        one = kInside;
        ++inside;
      }
      for (; i < near.size() && (near[i] < impl_->ring_edges) == ring &&
             (!ring || impl_->edges[near[i]].polygon == polygon);
           ++i) {
        one += hash_of(impl_->edges[near[i]]);
      }
      sum += mix64(one ^ (ring ? 0 : 1));
    }
    for (; inside != around.end(); ++inside) {
      sum += mix64(kInside);
    }
    return mix64(sum);
  });
}

}  // namespace strew
