// Off-mesh links: jumps across gaps, and drops from edges, found along the outline of the ground.
#include <algorithm>
#include <cmath>
#include <map>

#include "navmesh_impl.hpp"

namespace strew::nav {

void Navmesh::Impl::find_links() {
  auto made = query();
  if (!made.ok()) {
    return;  // memory: the next step says so
  }
  const dtNavMeshQuery& find = *made.value();
  const dtQueryFilter filter;
  const double radius = settings.agent_radius;
  const double climb = std::max(settings.agent_climb, settings.cell_height);
  /// Region and place of ground near a place, or -1.
  const auto ground = [&](const std::array<float, 3>& at, double up_down,
                          std::array<float, 3>& out) -> std::int64_t {
    const auto across = static_cast<float>(settings.cell_size);
    const float extents[3] = {across, static_cast<float>(up_down), across};
    dtPolyRef ref = 0;
    if (dtStatusFailed(find.findNearestPoly(at.data(), extents, &filter, &ref, out.data())) || ref == 0) {
      return -1;
    }
    return region_of_ref(ref);
  };
  // One link of each kind between two regions is enough for reachability; the first found along the outline.
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> jumped;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> dropped;
  for (std::size_t i = 0; i < count(); ++i) {
    const auto c = corners(i);
    const Tile& tile = tile_of(i);
    const rcPolyMesh& p = *tile.polygons;
    const unsigned short* const beyond =
        p.polys + ((i - tile.first) * 2 + 1) * static_cast<std::size_t>(p.nvp);
    for (std::size_t k = 0; region_of[i] != kNoRegion && k < c.size(); ++k) {
      // Neither a neighbour within the tile nor, with the high bit, one across its border.
      if (beyond[k] != RC_MESH_NULL_IDX) {
        continue;
      }
      const auto& a = c[k];
      const auto& b = c[(k + 1) % c.size()];
      const double dx = b[0] - a[0];
      const double dz = b[2] - a[2];
      const double size = std::sqrt(dx * dx + dz * dz);
      if (size < 1e-6) {
        continue;
      }
      // Outward of the polygon, whatever its turn: away from its first other corner.
      double nx = dz / size;
      double nz = -dx / size;
      const auto& other = c[(k + 2) % c.size()];
      if (nx * (other[0] - a[0]) + nz * (other[2] - a[2]) > 0) {
        nx = -nx;
        nz = -nz;
      }
      const int steps = std::max(1, static_cast<int>(size / radius));
      for (int s = 0; s < steps; ++s) {
        const double t = (s + 0.5) / steps;
        const std::array<float, 3> from = {static_cast<float>(a[0] + t * dx),
                                           static_cast<float>(a[1] + t * (b[1] - a[1])),
                                           static_cast<float>(a[2] + t * dz)};
        const auto outward = [&](double along) {
          return std::array<float, 3>{static_cast<float>(from[0] + nx * along), from[1],
                                      static_cast<float>(from[2] + nz * along)};
        };
        const std::uint32_t here = region_of[i];
        std::array<float, 3> to{};
        // The outline stands a radius inside the edge, on both sides of a gap.
        // Few steps, and these very sums are what output is made of.
        // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter)
        for (double along = settings.cell_size; along <= settings.jump_distance + 2 * radius;
             along += settings.cell_size) {
          const std::int64_t there = ground(outward(along), climb, to);
          if (there < 0 || there == here) {
            continue;
          }
          const auto reached = static_cast<std::uint32_t>(there);
          const std::pair key(std::min(here, reached), std::max(here, reached));
          if (jumped.try_emplace(key, true).second) {
            links.push_back({from, to, true});
          }
          break;
        }
        if (settings.drop_height <= 0) {
          continue;
        }
        std::array<float, 3> below = outward(3 * radius);
        below[1] = static_cast<float>(from[1] - climb - settings.drop_height / 2);
        const std::int64_t there = ground(below, settings.drop_height / 2, to);
        if (there >= 0 && there != here && to[1] < from[1] - climb &&
            dropped.try_emplace({here, static_cast<std::uint32_t>(there)}, true).second) {
          links.push_back({from, to, false});
        }
      }
    }
  }
}

}  // namespace strew::nav
