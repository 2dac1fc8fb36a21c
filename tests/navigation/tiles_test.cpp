// Navigation meshes in tiles: the same ground as in one piece, and maps that one piece does not hold.
#include <gtest/gtest.h>

#include <cmath>

#include "slabs.hpp"
#include "strew/navigation_recast.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew::nav {
namespace {

snap::Kit own_kit() {
  snap::Kit kit = snap::built_in_kit();
  EXPECT_TRUE(snap::validate_kit(kit).ok());
  return kit;
}

/// The map of a seed; `score`, when given, receives the fast score.
snap::Map own_map(const snap::Kit& kit, std::int64_t pieces, std::int64_t seed, const Settings& walker,
                  Score* score) {
  snap::Rules rules = snap::standard_rules();
  ParameterSet parameters;
  parameters.set("max_pieces", pieces);
  snap::Pass pass;
  EXPECT_TRUE(snap::configure(snap::arena(), parameters, rules, pass).ok());
  auto assembler = snap::Assembler::create(kit, rules, {pass});
  EXPECT_TRUE(assembler.value().run(seed).ok());
  snap::Map map;
  assembler.value().copy_map(map);
  if (score != nullptr) {
    const auto regions = piece_regions(kit, walker);
    auto scorer = snap::FastScorer::create(kit, regions.value());
    *score = scorer.value().score(assembler.value());
  }
  return map;
}

TEST(Tiles, HaveTheGroundOfOnePiece) {
  const snap::Kit kit = own_kit();
  Settings walker;
  walker.agent_radius = 0.6;
  for (std::int64_t seed = 0; seed < 4; ++seed) {
    const snap::Map map = own_map(kit, 12, seed, walker, nullptr);
    const snap::Mesh mesh = map_mesh(kit, map);
    const auto zones = map_zones(kit, map);
    const auto whole = Navmesh::build(mesh, walker, zones);
    Settings cut = walker;
    cut.tile_cells = 128;
    const auto tiled = Navmesh::build(mesh, cut, zones);
    ASSERT_TRUE(whole.ok() && tiled.ok());
    EXPECT_EQ(whole.value().tiles(), 1U);
    EXPECT_GE(tiled.value().tiles(), 6U);
    const Score a = whole.value().score();
    const Score b = tiled.value().score();
    EXPECT_EQ(a.regions, b.regions) << seed;
    EXPECT_NEAR(a.area, b.area, 0.01 * a.area) << seed;
    EXPECT_NEAR(a.largest_share, b.largest_share, 0.005) << seed;
    EXPECT_NEAR(a.connected_share, b.connected_share, 0.01) << seed;
    // What region sizes say is what Detour's paths over the borders of tiles say.
    const auto paths = tiled.value().connected_share_by_paths(60, 5);
    ASSERT_TRUE(paths.ok());
    EXPECT_EQ(paths.value(), tiled.value().connected_share_of_sample(60, 5)) << seed;
    snap::Mesh ground;
    std::vector<std::uint32_t> region;
    tiled.value().triangles(ground, region);
    EXPECT_EQ(region.size(), ground.triangle_count());
  }
}

TEST(Tiles, SmallIslandsOnBordersAreLeftOut) {
  // Tiles of 64 cells of 0.1 m begin at x = -0.2; the islands stand on the border at 6.2 and away from it.
  // The walker's radius leaves 0.36 m2 of each, less than counts.
  snap::Mesh mesh;
  add_slab(mesh, {0, 0, -0.3}, {5, 5, 0});
  for (const double x : {5.35, 8.0}) {
    add_slab(mesh, {x, 0, -0.3}, {x + 1.8, 1.8, 0});
  }
  Settings walker;
  walker.agent_radius = 0.6;
  EXPECT_EQ(Navmesh::build(mesh, walker).value().regions(), 1U);
  walker.tile_cells = 64;
  const auto tiled = Navmesh::build(mesh, walker);
  ASSERT_TRUE(tiled.ok());
  EXPECT_GE(tiled.value().tiles(), 2U);
  EXPECT_EQ(tiled.value().regions(), 1U);
  const Score score = tiled.value().score();
  EXPECT_EQ(score.largest_share, 1);
  walker.min_region_area = 0.01;
  EXPECT_EQ(Navmesh::build(mesh, walker).value().regions(), 3U);
}

TEST(Tiles, JumpsAndDropsCrossBorders) {
  snap::Mesh mesh;
  add_slab(mesh, {0, 0, -0.3}, {6, 4, 0});
  add_slab(mesh, {6.4, 0, -0.3}, {12, 4, 0});     // over a gap that lies on the border
  add_slab(mesh, {12.05, 0, -3.3}, {18, 4, -3});  // below
  Settings walker;
  walker.agent_radius = 0.6;
  walker.jump_distance = 1;
  walker.drop_height = 4;
  for (const std::int32_t cells : {0, 64}) {
    walker.tile_cells = cells;
    const auto made = Navmesh::build(mesh, walker);
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(made.value().regions(), 2U) << cells;
    EXPECT_FALSE(made.value().drops().empty());
    EXPECT_EQ(made.value().connected_share_by_paths(50, 3).value(),
              made.value().connected_share_of_sample(50, 3));
  }
}

TEST(Tiles, AThousandPiecesAgreeWithTheFastScore) {
  const snap::Kit kit = own_kit();
  Settings walker;
  walker.agent_radius = 0.5;
  walker.cell_size = 0.125;
  Score fast;
  const snap::Map map = own_map(kit, 1000, 2, walker, &fast);
  ASSERT_EQ(map.placements.size(), 1000U);
  const auto pool = ThreadPool::create(0);
  RunContext context;
  context.executor = &pool.value().executor();
  Settings cut = walker;
  cut.tile_cells = 512;
  const auto made = Navmesh::build(map_mesh(kit, map), cut, map_zones(kit, map), context);
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_GT(made.value().tiles(), 9U);
  const Score exact = made.value().score();
  EXPECT_NEAR(fast.largest_share, exact.largest_share, 0.01);
  EXPECT_NEAR(fast.connected_share, exact.connected_share, 0.02);
  EXPECT_NEAR(fast.area, exact.area, 0.02 * exact.area);
  // The number of workers does not show.
  Settings coarse = walker;
  coarse.tile_cells = 256;
  const snap::Map small = own_map(kit, 30, 2, walker, nullptr);
  const auto serial = Navmesh::build(map_mesh(kit, small), coarse, map_zones(kit, small));
  const auto parallel = Navmesh::build(map_mesh(kit, small), coarse, map_zones(kit, small), context);
  ASSERT_TRUE(serial.ok() && parallel.ok());
  EXPECT_EQ(std::vector<double>(serial.value().areas().begin(), serial.value().areas().end()),
            std::vector<double>(parallel.value().areas().begin(), parallel.value().areas().end()));
}

}  // namespace
}  // namespace strew::nav
