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

/// Ground polygons of one tile; a map that a solo mesh holds is one tile.
struct Tile {
  int x = 0;
  int z = 0;
  PolyMeshPtr polygons;        ///< null when nothing is walkable
  DetailPtr detail;            ///< null without detail_distance
  std::size_t first = 0;       ///< index of its first ground polygon among those of all tiles
  std::size_t first_link = 0;  ///< nodes of its off-mesh links begin here, after all ground polygons
  dtPolyRef base = 0;

  [[nodiscard]] std::size_t count() const noexcept {
    return polygons == nullptr ? 0 : static_cast<std::size_t>(polygons->npolys);
  }
};

/// Recast's part: voxels, regions, outlines, polygons of every tile that has any, in order of rows.
struct Ground {
  std::vector<Tile> tiles;
  std::array<float, 3> origin{};
  float tile_width = 0;
  bool tiled = false;  ///< small islands across tile borders are still there
};
[[nodiscard]] Result<Ground> build_polygons(const snap::Mesh& mesh, const Settings& settings,
                                            std::span<const snap::Zone> zones, const RunContext& context);

/// Area of a polygon seen from above, Recast's frame.
[[nodiscard]] double area_from_above(const std::vector<std::array<float, 3>>& corners) noexcept;

struct Navmesh::Impl {
  static constexpr std::uint32_t kNoRegion = 0xFFFFFFFFU;

  Settings settings;
  Ground ground;
  NavMeshPtr mesh;
  std::vector<OffMeshLink> links;
  std::vector<double> polygon_area;      ///< of ground polygons; 0 for those of islands left out
  std::vector<std::uint32_t> region_of;  ///< of ground polygons; kNoRegion for those of islands left out
  std::vector<double> areas;             ///< per region
  std::vector<OneWay> drops;             ///< between regions
  double connected = 0;                  ///< c-bar of areas

  [[nodiscard]] std::size_t count() const noexcept { return polygon_area.size(); }
  [[nodiscard]] const Tile& tile_of(std::size_t polygon) const noexcept;
  [[nodiscard]] dtPolyRef ref_of(std::size_t polygon) const noexcept {
    const Tile& tile = tile_of(polygon);
    return tile.base | static_cast<dtPolyRef>(polygon - tile.first);
  }
  /// Node of a Detour polygon: ground polygons first, off-mesh links after them.
  [[nodiscard]] std::size_t node_of(dtPolyRef ref) const noexcept;
  /// Region of a Detour polygon, or -1.
  [[nodiscard]] std::int64_t region_of_ref(dtPolyRef ref) const noexcept {
    const std::size_t node = node_of(ref);
    return node < count() && region_of[node] != kNoRegion ? static_cast<std::int64_t>(region_of[node]) : -1;
  }
  /// World corners of ground polygon i, Recast's frame.
  [[nodiscard]] std::vector<std::array<float, 3>> corners(std::size_t i) const;
  [[nodiscard]] Status make_detour();
  void make_regions();
  void find_links();
  [[nodiscard]] Result<QueryPtr> query() const;
  struct Place {
    std::size_t polygon;
    std::array<float, 3> at;
  };
  [[nodiscard]] std::vector<Place> places(std::uint32_t points, std::uint64_t seed) const;

 private:
  [[nodiscard]] Status add_tile(Tile& tile);
  [[nodiscard]] std::vector<OneWay> links_of_polygons() const;
  void name_regions(const std::vector<std::uint32_t>& component, std::span<const OneWay> edges);
  void leave_out_small_islands();
  [[nodiscard]] int index_of(const Tile& tile) const noexcept {
    return static_cast<int>(&tile - ground.tiles.data());
  }
};

}  // namespace strew::nav
