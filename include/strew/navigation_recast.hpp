// Navigability by Recast and Detour: the exact score of a map, and the regions of pieces for the fast one.
//
// Link strew::navigation. Frame: z up, metres, right-handed. See docs/navigability.md.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "strew/navigation.hpp"
#include "strew/snapmesh.hpp"

namespace strew::nav {

/// How walkers are. Sizes are rounded by Recast to whole cells: heights up, radius up, climb down.
struct Settings {
  double agent_radius = 0.4;     ///< m
  double agent_height = 2.0;     ///< m
  double agent_climb = 0.4;      ///< m, highest step
  double agent_slope = 45;       ///< degrees, steepest walkable
  double cell_size = 0.0;        ///< m; 0: agent_radius / 6
  double cell_height = 0.0;      ///< m; 0: cell_size / 2, at most agent_climb / 4
  double min_region_area = 0.5;  ///< m2; smaller islands are left out
  double edge_max_error = 1.0;   ///< cells, of simplified outlines
  double detail_distance = 0;    ///< m; spacing of height samples of triangles(); 0: polygons' corners only
  double jump_distance = 0;      ///< m; off-mesh jumps across gaps of equal height, both ways; 0: none
  double drop_height = 0;        ///< m; off-mesh drops from edges, one way; 0: none
  /// Cells along a tile's side, 64 to 4096. 0: maps of up to 4 million columns of voxels are built in one
  /// piece, larger ones, and those with more vertices than 16 bits name, in tiles of 512.
  std::int32_t tile_cells = 0;
};
/// The settings with the defaults worked out; refuses what Recast cannot keep.
[[nodiscard]] Result<Settings> resolved(Settings settings);

/// A polygon mesh of walkable ground with its regions.
class Navmesh {
 public:
  /// Triangles of the map; `zones` (world boxes) keep only polygons whose centre lies in one of them, when
  /// given. Large maps are built in tiles, in parallel over them; areas at the border of a tile may differ by
  /// what outlines are simplified. Refuses meshes that are not finite, more than 8,190 layers high, or of
  /// more polygons than Detour names (tiles times the most in one: four million), saying what would do.
  [[nodiscard]] static Result<Navmesh> build(const snap::Mesh& mesh, const Settings& settings,
                                             std::span<const snap::Zone> zones = {},
                                             const RunContext& context = {});
  Navmesh(Navmesh&&) noexcept;
  Navmesh& operator=(Navmesh&&) noexcept;
  ~Navmesh();

  [[nodiscard]] const Settings& settings() const noexcept;
  /// Tiles with any ground: 1 for a map that was built in one piece.
  [[nodiscard]] std::size_t tiles() const noexcept;
  /// Regions by first polygon: connected, or strongly connected where drops are.
  [[nodiscard]] std::size_t regions() const noexcept;
  [[nodiscard]] std::span<const double> areas() const noexcept;  ///< per region, m2, seen from above
  [[nodiscard]] Score score() const;
  /// Regions of n points drawn by area. c-bar of them is connected_share() of the counts.
  [[nodiscard]] std::vector<std::uint32_t> sample(std::uint32_t points, std::uint64_t seed) const;
  /// The same points' c-bar by a Detour path query for each pair (ordered where drops are): what the
  /// union-find replaces. n (n - 1) / 2 queries.
  [[nodiscard]] Result<double> connected_share_by_paths(std::uint32_t points, std::uint64_t seed) const;
  /// Share of ordered pairs of the points that are connected, drops included.
  [[nodiscard]] double connected_share_of_sample(std::uint32_t points, std::uint64_t seed) const;
  /// Region at a place, within `reach` metres across and agent_climb + cell_height up or down; -1: none.
  [[nodiscard]] std::int32_t region_at(const snap::Vec3& place, double reach) const;
  /// Triangles of the walkable ground and the region of each.
  void triangles(snap::Mesh& mesh, std::vector<std::uint32_t>& region) const;
  [[nodiscard]] std::span<const OneWay> drops() const noexcept;  ///< between regions

 private:
  struct Impl;
  explicit Navmesh(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// Triangles of a map, and its zones in the world (empty where no piece has any).
[[nodiscard]] snap::Mesh map_mesh(const snap::Kit& kit, const snap::Map& map);
[[nodiscard]] std::vector<snap::Zone> map_zones(const snap::Kit& kit, const snap::Map& map);
/// Regions of every piece, for snap::FastScorer: each piece is built with floor stubs at its connectors,
/// since erosion would close them, and its areas are clipped back. Pieces without a mesh count as one region
/// of their boxes' ground, joined to all connectors. Parallel over pieces.
[[nodiscard]] Result<std::vector<PieceRegions>> piece_regions(const snap::Kit& kit, const Settings& settings,
                                                              const RunContext& context = {});

}  // namespace strew::nav
