// What a Navmesh keeps: Recast's polygons, Detour's mesh, and the regions made from its links.
#pragma once

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/Recast.h>

#include <array>

#include "strew/navigation_recast.hpp"

namespace strew::nav {

/// Recast has y up: (x, y, z) of strew is (x, z, -y) there.
[[nodiscard]] inline std::array<float, 3> to_recast(const snap::Vec3& v) noexcept {
  return {static_cast<float>(v.x), static_cast<float>(v.z), static_cast<float>(-v.y)};
}
[[nodiscard]] inline snap::Vec3 from_recast(const float* v) noexcept {
  return {v[0], -static_cast<double>(v[2]), v[1]};
}

/// Ends of an off-mesh link, Recast's frame.
struct OffMeshLink {
  std::array<float, 3> from;
  std::array<float, 3> to;
  bool both_ways = true;
};

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* p) const noexcept {
    Free(p);
  }
};
using PolyMeshPtr = std::unique_ptr<rcPolyMesh, Freed<rcFreePolyMesh>>;
using DetailPtr = std::unique_ptr<rcPolyMeshDetail, Freed<rcFreePolyMeshDetail>>;
using NavMeshPtr = std::unique_ptr<dtNavMesh, Freed<dtFreeNavMesh>>;
using QueryPtr = std::unique_ptr<dtNavMeshQuery, Freed<dtFreeNavMeshQuery>>;

struct Navmesh::Impl {
  Settings settings;
  PolyMeshPtr polygons;  ///< null when nothing is walkable
  DetailPtr detail;      ///< null without detail_distance
  NavMeshPtr mesh;
  std::vector<OffMeshLink> links;
  std::vector<double> polygon_area;      ///< of ground polygons
  std::vector<std::uint32_t> region_of;  ///< of ground polygons
  std::vector<double> areas;             ///< per region
  std::vector<OneWay> drops;             ///< between regions
  double connected = 0;                  ///< c-bar of areas

  [[nodiscard]] std::size_t count() const noexcept { return polygon_area.size(); }
  /// World corners of ground polygon i, Recast's frame.
  [[nodiscard]] std::vector<std::array<float, 3>> corners(std::size_t i) const;
  [[nodiscard]] Status make_detour();
  void make_regions();
  void find_links();
  [[nodiscard]] Result<QueryPtr> query() const;
  struct Place {
    std::uint32_t polygon;
    std::array<float, 3> at;
  };
  [[nodiscard]] std::vector<Place> places(std::uint32_t points, std::uint64_t seed) const;
};

/// Recast's part: voxels, regions, outlines, polygons. Null pointers when nothing is walkable.
struct Ground {
  PolyMeshPtr polygons;
  DetailPtr detail;
};
[[nodiscard]] Result<Ground> build_polygons(const snap::Mesh& mesh, const Settings& settings,
                                            std::span<const snap::Zone> zones);

}  // namespace strew::nav
