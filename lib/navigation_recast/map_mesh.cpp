// Triangles and zones of a whole map.
#include <algorithm>

#include "navmesh_geometry.hpp"
#include "strew/navigation_recast.hpp"

namespace strew::nav {

snap::Mesh map_mesh(const snap::Kit& kit, const snap::Map& map) {
  snap::Mesh out;
  for (const snap::Placement& placement : map.placements) {
    const snap::Mesh& mesh = kit.pieces[placement.piece].mesh;
    const auto base = static_cast<std::uint32_t>(out.positions.size() / 3);
    for (std::size_t i = 0; i + 2 < mesh.positions.size(); i += 3) {
      const Vec3 v =
          add(rotated(placement.rotation, {mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]}),
              placement.position);
      out.positions.insert(out.positions.end(),
                           {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
    }
    for (const std::uint32_t index : mesh.triangles) {
      out.triangles.push_back(base + index);
    }
  }
  return out;
}

std::vector<snap::Zone> map_zones(const snap::Kit& kit, const snap::Map& map) {
  std::vector<snap::Zone> out;
  bool any = false;
  for (const snap::Piece& piece : kit.pieces) {
    any = any || !piece.zones.empty();
  }
  if (!any) {
    return out;
  }
  for (const snap::Placement& placement : map.placements) {
    std::vector<snap::Zone> zones = kit.pieces[placement.piece].zones;
    if (zones.empty()) {
      zones.push_back({{-1e6, -1e6, -1e6}, {1e6, 1e6, 1e6}});
      // No zones: all of its mesh.
      Vec3 low{1e9, 1e9, 1e9};
      Vec3 high{-1e9, -1e9, -1e9};
      const auto& positions = kit.pieces[placement.piece].mesh.positions;
      for (std::size_t i = 0; i + 2 < positions.size(); i += 3) {
        low = {std::min<double>(low.x, positions[i]), std::min<double>(low.y, positions[i + 1]),
               std::min<double>(low.z, positions[i + 2])};
        high = {std::max<double>(high.x, positions[i]), std::max<double>(high.y, positions[i + 1]),
                std::max<double>(high.z, positions[i + 2])};
      }
      zones[0] = {low, high};
    }
    for (const snap::Zone& zone : zones) {
      Vec3 low{1e18, 1e18, 1e18};
      Vec3 high{-1e18, -1e18, -1e18};
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 local{(corner & 1) != 0 ? zone.maximum.x : zone.minimum.x,
                         (corner & 2) != 0 ? zone.maximum.y : zone.minimum.y,
                         (corner & 4) != 0 ? zone.maximum.z : zone.minimum.z};
        const Vec3 v = add(rotated(placement.rotation, local), placement.position);
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
      }
      // Voxels of the ground may lie a cell above it.
      out.push_back({{low.x, low.y, low.z - 0.1}, {high.x, high.y, high.z + 0.1}});
    }
  }
  return out;
}

}  // namespace strew::nav
