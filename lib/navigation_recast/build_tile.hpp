// One tile of a navigation mesh, or a map in one piece.
#pragma once

#include "navmesh_impl.hpp"

namespace strew::nav {

/// The map in Recast's frame, and the grid of its voxels.
struct Scene {
  std::vector<float> vertices;
  std::vector<int> triangles;
  std::array<float, 3> low{};
  std::array<float, 3> high{};
  int width = 0;
  int height = 0;
};

/// Where a kLimit is when a tile of the size asked for does not hold it: a map in one piece is then cut into
/// tiles.
inline constexpr const char* kTileLimit = "tile_cells";

/// Polygons of the box from `low` to `high`, `border` cells of which on each side belong to neighbours.
/// Pointers stay null where nothing is walkable. kLimit in `where` "outline": more vertices than 16 bits
/// name.
[[nodiscard]] Status build_tile(const Scene& scene, std::span<const int> triangles,
                                const std::array<float, 3>& low, const std::array<float, 3>& high, int border,
                                const Settings& settings, std::span<const snap::Zone> zones, Tile& tile);

}  // namespace strew::nav
