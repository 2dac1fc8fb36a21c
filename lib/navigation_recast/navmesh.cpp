// A navigation mesh as its users see it.
#include <algorithm>

#include "guard.hpp"
#include "navmesh_impl.hpp"

namespace strew::nav {

Navmesh::Navmesh(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Navmesh::Navmesh(Navmesh&&) noexcept = default;
Navmesh& Navmesh::operator=(Navmesh&&) noexcept = default;
Navmesh::~Navmesh() = default;

Result<Navmesh> Navmesh::build(const snap::Mesh& mesh, const Settings& settings,
                               std::span<const snap::Zone> zones, const RunContext& context) {
  return guarded([&]() -> Result<Navmesh> {
    auto impl = std::make_unique<Impl>();
    STREW_ASSIGN(impl->settings, resolved(settings));
    STREW_ASSIGN(impl->ground, build_polygons(mesh, impl->settings, zones, context));
    if (!impl->ground.tiles.empty()) {
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
std::size_t Navmesh::tiles() const noexcept {
  return impl_->ground.tiles.size();
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
  return static_cast<std::int32_t>(impl_->region_of_ref(ref));
}

void Navmesh::triangles(snap::Mesh& mesh, std::vector<std::uint32_t>& region) const {
  mesh = {};
  region.clear();
  const auto add_vertex = [&](const float* recast) {
    const snap::Vec3 v = from_recast(recast);
    mesh.positions.insert(mesh.positions.end(),
                          {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
  };
  for (const Tile& tile : impl_->ground.tiles) {
    for (std::size_t i = 0; i < tile.count(); ++i) {
      const std::uint32_t own = impl_->region_of[tile.first + i];
      if (own == Impl::kNoRegion) {
        continue;
      }
      const auto base = static_cast<std::uint32_t>(mesh.positions.size() / 3);
      if (tile.detail == nullptr) {
        const auto corners = impl_->corners(tile.first + i);
        for (const auto& corner : corners) {
          add_vertex(corner.data());
        }
        for (std::uint32_t k = 2; k < corners.size(); ++k) {
          mesh.triangles.insert(mesh.triangles.end(), {base, base + k - 1, base + k});
          region.push_back(own);
        }
        continue;
      }
      const rcPolyMeshDetail& detail = *tile.detail;
      const unsigned* const part = detail.meshes + 4 * i;
      for (unsigned v = 0; v < part[1]; ++v) {
        add_vertex(detail.verts + 3 * std::size_t{part[0] + v});
      }
      for (unsigned t = 0; t < part[3]; ++t) {
        const unsigned char* const corner = detail.tris + 4 * std::size_t{part[2] + t};
        mesh.triangles.insert(mesh.triangles.end(), {base + corner[0], base + corner[1], base + corner[2]});
        region.push_back(own);
      }
    }
  }
}

}  // namespace strew::nav
