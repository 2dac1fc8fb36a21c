// Detour's mesh over the polygons, regions from its links, samples and paths.
#include <recastnavigation/DetourNavMeshBuilder.h>

#include <algorithm>
#include <cmath>

#include "guard.hpp"
#include "navmesh_impl.hpp"
#include "number_text.hpp"
#include "strew/random.hpp"

namespace strew::nav {

Result<Settings> resolved(Settings s) {
  const auto within = [](double v, double low, double high) { return v >= low && v <= high; };
  if (!within(s.agent_radius, 0.01, 100) || !within(s.agent_height, 0.05, 1000) ||
      !within(s.agent_climb, 0, 100) || !within(s.agent_slope, 0, 89)) {
    return invalid_argument(
        "expected agent_radius 0.01 to 100 m, agent_height 0.05 to 1000 m, agent_climb 0 to 100 m, "
        "agent_slope 0 "
        "to 89 degrees",
        "navigation");
  }
  if (s.cell_size == 0) {
    s.cell_size = s.agent_radius / 6;
  }
  if (s.cell_height == 0) {
    s.cell_height = std::min(s.cell_size / 2, std::max(s.agent_climb / 4, 0.01));
  }
  if (!(s.cell_size > 0 && s.cell_size <= s.agent_radius / 4 + 1e-12)) {
    return invalid_argument("is " + number_text(s.cell_size) +
                                " m; expected above 0 and at most a quarter of " + "agent_radius, " +
                                number_text(s.agent_radius / 4) + " m (better a sixth)",
                            "cell_size");
  }
  if (!(s.cell_height > 0 && s.cell_height <= 10)) {
    return invalid_argument("is " + number_text(s.cell_height) + " m; expected above 0", "cell_height");
  }
  if (!within(s.min_region_area, 0, 1e6) || !within(s.edge_max_error, 0, 100) ||
      !within(s.jump_distance, 0, 100) || !within(s.drop_height, 0, 1000)) {
    return invalid_argument("min_region_area, edge_max_error, jump_distance and drop_height start at 0",
                            "navigation");
  }
  return s;
}

std::vector<std::array<float, 3>> Navmesh::Impl::corners(std::size_t i) const {
  const rcPolyMesh& p = *polygons;
  std::vector<std::array<float, 3>> out;
  const unsigned short* const polygon = p.polys + i * 2 * static_cast<std::size_t>(p.nvp);
  for (int k = 0; k < p.nvp && polygon[k] != RC_MESH_NULL_IDX; ++k) {
    const unsigned short* const v = p.verts + 3 * std::size_t{polygon[k]};
    out.push_back({p.bmin[0] + static_cast<float>(v[0]) * p.cs, p.bmin[1] + static_cast<float>(v[1]) * p.ch,
                   p.bmin[2] + static_cast<float>(v[2]) * p.cs});
  }
  return out;
}

namespace {

/// Area seen from above.
double area_of(const std::vector<std::array<float, 3>>& corners) {
  double twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto& a = corners[i];
    const auto& b = corners[(i + 1) % corners.size()];
    twice += (static_cast<double>(b[0]) - corners[0][0]) * (static_cast<double>(a[2]) - corners[0][2]) -
             (static_cast<double>(a[0]) - corners[0][0]) * (static_cast<double>(b[2]) - corners[0][2]);
  }
  return std::abs(twice) / 2;
}

}  // namespace

Status Navmesh::Impl::make_detour() {
  std::vector<float> ends;
  std::vector<float> radii(links.size(), static_cast<float>(settings.cell_size * 2));
  std::vector<unsigned short> flags(links.size(), 1);
  std::vector<unsigned char> kinds(links.size(), 1);
  std::vector<unsigned char> directions;
  for (const OffMeshLink& link : links) {
    ends.insert(ends.end(), link.from.begin(), link.from.end());
    ends.insert(ends.end(), link.to.begin(), link.to.end());
    directions.push_back(link.both_ways ? DT_OFFMESH_CON_BIDIR : 0);
  }
  dtNavMeshCreateParams params{};
  params.verts = polygons->verts;
  params.vertCount = polygons->nverts;
  params.polys = polygons->polys;
  params.polyAreas = polygons->areas;
  params.polyFlags = polygons->flags;
  params.polyCount = polygons->npolys;
  params.nvp = polygons->nvp;
  if (detail != nullptr) {
    params.detailMeshes = detail->meshes;
    params.detailVerts = detail->verts;
    params.detailVertsCount = detail->nverts;
    params.detailTris = detail->tris;
    params.detailTriCount = detail->ntris;
  }
  params.offMeshConVerts = ends.data();
  params.offMeshConRad = radii.data();
  params.offMeshConFlags = flags.data();
  params.offMeshConAreas = kinds.data();
  params.offMeshConDir = directions.data();
  params.offMeshConCount = static_cast<int>(links.size());
  params.walkableHeight = static_cast<float>(settings.agent_height);
  params.walkableRadius = static_cast<float>(settings.agent_radius);
  params.walkableClimb = static_cast<float>(std::max(settings.agent_climb, settings.cell_height));
  std::copy_n(polygons->bmin, 3, params.bmin);
  std::copy_n(polygons->bmax, 3, params.bmax);
  params.cs = polygons->cs;
  params.ch = polygons->ch;
  params.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  if (!dtCreateNavMeshData(&params, &data, &size)) {
    return make_error(StatusCode::kLimit, "Detour refuses the mesh; use a larger cell_size or fewer pieces",
                      "cell_size");
  }
  mesh.reset(dtAllocNavMesh());
  if (mesh == nullptr || dtStatusFailed(mesh->init(data, size, DT_TILE_FREE_DATA))) {
    dtFree(data);
    return make_error(StatusCode::kOutOfMemory, "no memory for the navigation mesh", "navigation");
  }
  return {};
}

void Navmesh::Impl::make_regions() {
  polygon_area.clear();
  for (std::size_t i = 0; i < static_cast<std::size_t>(polygons->npolys); ++i) {
    polygon_area.push_back(area_of(corners(i)));
  }
  const dtMeshTile* const tile = const_cast<const dtNavMesh&>(*mesh).getTile(0);
  const auto all = static_cast<std::size_t>(tile->header->polyCount);  // off-mesh links are polygons too
  std::vector<OneWay> edges;
  bool one_way = false;
  for (std::uint32_t i = 0; i < all; ++i) {
    for (unsigned l = tile->polys[i].firstLink; l != DT_NULL_LINK; l = tile->links[l].next) {
      edges.push_back({i, mesh->decodePolyIdPoly(tile->links[l].ref)});
    }
  }
  for (const OffMeshLink& link : links) {
    one_way = one_way || !link.both_ways;
  }
  std::vector<std::uint32_t> component(all);
  if (one_way) {
    component = components(all, {}, edges);
  } else {
    UnionFind sets;
    sets.reset(all);
    for (const OneWay& edge : edges) {
      sets.join(edge.from, edge.to);
    }
    for (std::uint32_t i = 0; i < all; ++i) {
      component[i] = sets.find(i);
    }
  }
  // Regions are numbered by their first ground polygon; a link by itself is no region.
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<std::uint32_t> name(all, kNone);
  region_of.clear();
  areas.clear();
  for (std::size_t i = 0; i < count(); ++i) {
    std::uint32_t& region = name[component[i]];
    if (region == kNone) {
      region = static_cast<std::uint32_t>(areas.size());
      areas.push_back(0);
    }
    region_of.push_back(region);
    areas[region] += polygon_area[i];
  }
  drops.clear();
  for (const OneWay& edge : edges) {
    const std::uint32_t a = name[component[edge.from]];
    const std::uint32_t b = name[component[edge.to]];
    if (a != b && a != kNone && b != kNone) {
      drops.push_back({a, b});
    }
  }
  connected = connected_share_of_areas(areas);
  if (one_way) {
    std::vector<std::uint32_t> self(areas.size());
    for (std::uint32_t i = 0; i < self.size(); ++i) {
      self[i] = i;
    }
    double total = 0;
    for (const double area : areas) {
      total += area;
    }
    connected = total > 0 ? reachable_pairs(self, {}, drops, areas) / (total * total) : 0;
  }
}

Navmesh::Navmesh(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Navmesh::Navmesh(Navmesh&&) noexcept = default;
Navmesh& Navmesh::operator=(Navmesh&&) noexcept = default;
Navmesh::~Navmesh() = default;

Result<Navmesh> Navmesh::build(const snap::Mesh& mesh, const Settings& settings,
                               std::span<const snap::Zone> zones) {
  return guarded([&]() -> Result<Navmesh> {
    auto impl = std::make_unique<Impl>();
    STREW_ASSIGN(impl->settings, resolved(settings));
    STREW_ASSIGN(Ground ground, build_polygons(mesh, impl->settings, zones));
    impl->polygons = std::move(ground.polygons);
    impl->detail = std::move(ground.detail);
    if (impl->polygons != nullptr) {
      STREW_RETURN_IF_ERROR(impl->make_detour());
      impl->make_regions();
      if (impl->settings.jump_distance > 0 || impl->settings.drop_height > 0) {
        impl->find_links();
        if (!impl->links.empty()) {
          STREW_RETURN_IF_ERROR(impl->make_detour());
          impl->make_regions();
        }
      }
    }
    return Navmesh(std::move(impl));
  });
}

const Settings& Navmesh::settings() const noexcept {
  return impl_->settings;
}
std::size_t Navmesh::regions() const noexcept {
  return impl_->areas.size();
}
std::span<const double> Navmesh::areas() const noexcept {
  return impl_->areas;
}
std::span<const OneWay> Navmesh::drops() const noexcept {
  return impl_->drops;
}

Score Navmesh::score() const {
  Score score;
  for (const double area : impl_->areas) {
    score.area += area;
    score.largest_area = std::max(score.largest_area, area);
  }
  score.regions = static_cast<std::uint32_t>(impl_->areas.size());
  score.largest_share = largest_share(impl_->areas);
  score.connected_share = impl_->connected;
  return score;
}

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
      const double area = area_of({c[0], c[k], c[k + 1]});
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
    const dtPolyRef base = impl_->mesh->getPolyRefBase(const_cast<const dtNavMesh&>(*impl_->mesh).getTile(0));
    const bool directed = !impl_->drops.empty();
    std::uint64_t connected = 0;
    std::uint64_t pairs = 0;
    std::vector<dtPolyRef> path(static_cast<std::size_t>(impl_->polygons->npolys) + impl_->links.size() + 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = directed ? 0 : i + 1; j < places.size(); ++j) {
        if (i == j) {
          continue;
        }
        const dtPolyRef goal = base | places[j].polygon;
        int count = 0;
        const dtStatus status =
            query->findPath(base | places[i].polygon, goal, places[i].at.data(), places[j].at.data(), &filter,
                            path.data(), &count, static_cast<int>(path.size()));
        ++pairs;
        connected += dtStatusSucceed(status) && count > 0 && path[static_cast<std::size_t>(count) - 1] == goal
                         ? 1U
                         : 0U;
      }
    }
    return pairs == 0 ? 1.0 : static_cast<double>(connected) / static_cast<double>(pairs);
  });
}

std::int32_t Navmesh::region_at(const snap::Vec3& place, double reach) const {
  if (impl_->mesh == nullptr) {
    return -1;
  }
  const auto query = impl_->query();
  if (!query.ok()) {
    return -1;
  }
  const auto at = to_recast(place);
  const auto across = static_cast<float>(reach);
  const float extents[3] = {across, 1.0F, across};
  const dtQueryFilter filter;
  dtPolyRef ref = 0;
  float nearest[3];
  if (dtStatusFailed(query.value()->findNearestPoly(at.data(), extents, &filter, &ref, nearest)) ||
      ref == 0) {
    return -1;
  }
  const unsigned polygon = impl_->mesh->decodePolyIdPoly(ref);
  return polygon < impl_->count() ? static_cast<std::int32_t>(impl_->region_of[polygon]) : -1;
}

void Navmesh::triangles(snap::Mesh& mesh, std::vector<std::uint32_t>& region) const {
  mesh = {};
  region.clear();
  for (std::size_t i = 0; i < impl_->count() && impl_->detail != nullptr; ++i) {
    const rcPolyMeshDetail& detail = *impl_->detail;
    const unsigned* const part = detail.meshes + 4 * i;
    const auto base = static_cast<std::uint32_t>(mesh.positions.size() / 3);
    for (unsigned v = 0; v < part[1]; ++v) {
      const snap::Vec3 at = from_recast(detail.verts + 3 * std::size_t{part[0] + v});
      mesh.positions.insert(mesh.positions.end(),
                            {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
    }
    for (unsigned t = 0; t < part[3]; ++t) {
      const unsigned char* const corner = detail.tris + 4 * std::size_t{part[2] + t};
      mesh.triangles.insert(mesh.triangles.end(), {base + corner[0], base + corner[1], base + corner[2]});
      region.push_back(impl_->region_of[i]);
    }
  }
  if (impl_->detail != nullptr) {
    return;
  }
  for (std::size_t i = 0; i < impl_->count(); ++i) {
    const auto corners = impl_->corners(i);
    const auto base = static_cast<std::uint32_t>(mesh.positions.size() / 3);
    for (const auto& corner : corners) {
      const snap::Vec3 v = from_recast(corner.data());
      mesh.positions.insert(mesh.positions.end(),
                            {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
    }
    for (std::uint32_t k = 2; k < corners.size(); ++k) {
      mesh.triangles.insert(mesh.triangles.end(), {base, base + k - 1, base + k});
      region.push_back(impl_->region_of[i]);
    }
  }
}

}  // namespace strew::nav
