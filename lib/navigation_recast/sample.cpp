// Points drawn by area, the regions they fall into, and the path queries that region sizes replace.
#include <algorithm>
#include <cmath>

#include "guard.hpp"
#include "navmesh_impl.hpp"
#include "strew/random.hpp"

namespace strew::nav {

std::vector<Navmesh::Impl::Place> Navmesh::Impl::places(std::uint32_t points, std::uint64_t seed) const {
  std::vector<double> before(count() + 1, 0);
  for (std::size_t i = 0; i < count(); ++i) {
    before[i + 1] = before[i] + polygon_area[i];
  }
  std::vector<Place> out;
  const PhiloxKey key = stream_key(seed, 0x6E6176U);  // "nav"
  for (std::uint32_t n = 0; n < points && before.back() > 0; ++n) {
    const PhiloxCounter draw = cell_draw(key, n, 0, 0);
    const double at = draw_unit(draw[0]) * before.back();
    const auto after = std::upper_bound(before.begin() + 1, before.end(), at);
    const auto polygon = std::min(static_cast<std::size_t>(after - before.begin()) - 1, count() - 1);
    const auto c = corners(polygon);
    // A triangle of the fan by area, then a point in it.
    double left = draw_unit(draw[1]) * polygon_area[polygon];
    std::size_t k = 1;
    for (; k + 2 < c.size(); ++k) {
      const double area = area_from_above({c[0], c[k], c[k + 1]});
      if (left < area) {
        break;
      }
      left -= area;
    }
    const double r = std::sqrt(draw_unit(draw[2]));
    const double u = 1 - r;
    const double v = r * (1 - draw_unit(draw[3]));
    Place place{static_cast<std::uint32_t>(polygon), {}};
    for (std::size_t a = 0; a < 3; ++a) {
      place.at[a] = static_cast<float>(u * c[0][a] + v * c[k][a] + (1 - u - v) * c[k + 1][a]);
    }
    out.push_back(place);
  }
  return out;
}

std::vector<std::uint32_t> Navmesh::sample(std::uint32_t points, std::uint64_t seed) const {
  std::vector<std::uint32_t> out;
  for (const Impl::Place& place : impl_->places(points, seed)) {
    out.push_back(impl_->region_of[place.polygon]);
  }
  return out;
}

double Navmesh::connected_share_of_sample(std::uint32_t points, std::uint64_t seed) const {
  std::vector<double> counts(impl_->areas.size(), 0);
  double total = 0;
  for (const std::uint32_t region : sample(points, seed)) {
    counts[region] += 1;
    total += 1;
  }
  if (total < 2) {
    return 1;
  }
  double pairs = 0;
  if (impl_->drops.empty()) {
    for (const double s : counts) {
      pairs += s * s;
    }
  } else {
    std::vector<std::uint32_t> self(counts.size());
    for (std::uint32_t i = 0; i < self.size(); ++i) {
      self[i] = i;
    }
    pairs = reachable_pairs(self, {}, impl_->drops, counts);
  }
  // Pairs of a point with itself are none.
  return (pairs - total) / (total * (total - 1));
}

Result<QueryPtr> Navmesh::Impl::query() const {
  QueryPtr out(dtAllocNavMeshQuery());
  if (out == nullptr || dtStatusFailed(out->init(mesh.get(), 65535))) {
    return make_error(StatusCode::kOutOfMemory, "no memory for path queries", "navigation");
  }
  return out;
}

Result<double> Navmesh::connected_share_by_paths(std::uint32_t points, std::uint64_t seed) const {
  return guarded([&]() -> Result<double> {
    if (impl_->mesh == nullptr) {
      return 0.0;
    }
    STREW_ASSIGN(const QueryPtr query, impl_->query());
    const auto places = impl_->places(points, seed);
    const dtQueryFilter filter;
    const bool directed = !impl_->drops.empty();
    std::uint64_t connected = 0;
    std::uint64_t pairs = 0;
    std::vector<dtPolyRef> path(impl_->count() + impl_->links.size() + 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = directed ? 0 : i + 1; j < places.size(); ++j) {
        if (i == j) {
          continue;
        }
        const dtPolyRef goal = impl_->ref_of(places[j].polygon);
        int count = 0;
        const dtStatus status =
            query->findPath(impl_->ref_of(places[i].polygon), goal, places[i].at.data(), places[j].at.data(),
                            &filter, path.data(), &count, static_cast<int>(path.size()));
        ++pairs;
        connected += dtStatusSucceed(status) && count > 0 && path[static_cast<std::size_t>(count) - 1] == goal
                         ? 1U
                         : 0U;
      }
    }
    return pairs == 0 ? 1.0 : static_cast<double>(connected) / static_cast<double>(pairs);
  });
}

}  // namespace strew::nav
