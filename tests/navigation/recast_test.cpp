// The exact score: areas, regions, samples and path queries on small worlds whose answer is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "slabs.hpp"
#include "strew/navigation_recast.hpp"

namespace strew::nav {
namespace {

using snap::Mesh;
using snap::Vec3;

Navmesh built(const Mesh& mesh, const Settings& settings = {}, std::span<const snap::Zone> zones = {}) {
  auto navmesh = Navmesh::build(mesh, settings, zones);
  EXPECT_TRUE(navmesh.ok()) << navmesh.status().text();
  return std::move(navmesh).value();
}

/// Islands of 10 x 10, 6 x 6 and 4 x 4 m, far apart.
Mesh islands() {
  Mesh mesh;
  add_slab(mesh, {0, 0, -0.3}, {10, 10, 0});
  add_slab(mesh, {20, 0, -0.3}, {26, 6, 0});
  add_slab(mesh, {40, 0, -0.3}, {44, 4, 0});
  return mesh;
}

TEST(Recast, AreasAreThoseOfTheGroundLessTheWalkersRadius) {
  const Navmesh navmesh = built(islands());
  ASSERT_EQ(navmesh.regions(), 3U);
  const double expected[] = {9.2 * 9.2, 5.2 * 5.2, 3.2 * 3.2};
  for (const double area : expected) {
    bool found = false;
    for (const double got : navmesh.areas()) {
      found = found || std::abs(got - area) < 0.06 * std::sqrt(area) * 4;
    }
    EXPECT_TRUE(found) << area;
  }
  const Score score = navmesh.score();
  EXPECT_NEAR(score.largest_share, expected[0] / (expected[0] + expected[1] + expected[2]), 0.01);
}

TEST(Recast, RegionSizesGiveWhatPathQueriesGive) {
  for (const bool linked : {false, true}) {
    Mesh mesh = islands();
    Settings settings;
    if (linked) {
      // The first island can be left for the lower one only by a drop, and has a jump to a near one.
      add_slab(mesh, {10.4, 0, -2.3}, {16, 10, -2});
      add_slab(mesh, {0, 11, -0.3}, {10, 14, 0});
      settings.drop_height = 3;
      settings.jump_distance = 1.5;
    }
    const Navmesh navmesh = built(mesh, settings);
    EXPECT_EQ(navmesh.drops().empty(), !linked);
    const auto by_paths = navmesh.connected_share_by_paths(120, 5);
    ASSERT_TRUE(by_paths.ok());
    EXPECT_DOUBLE_EQ(navmesh.connected_share_of_sample(120, 5), by_paths.value());
    EXPECT_GT(by_paths.value(), 0.1);
    EXPECT_LT(by_paths.value(), 0.95);
    if (!linked) {
      std::vector<std::uint64_t> counts(navmesh.regions(), 0);
      for (const std::uint32_t region : navmesh.sample(120, 5)) {
        ++counts[region];
      }
      EXPECT_DOUBLE_EQ(connected_share(counts), by_paths.value());
    } else {
      // By a jump both ways: one region; by a drop one way: two.
      EXPECT_EQ(navmesh.regions(), 4U);
    }
  }
}

TEST(Recast, AreasAgreeWithSampledPoints) {
  const Navmesh navmesh = built(islands());
  std::vector<double> counts(navmesh.regions(), 0);
  constexpr std::uint32_t kPoints = 5000;
  for (const std::uint32_t region : navmesh.sample(kPoints, 9)) {
    counts[region] += 1;
  }
  const double share = navmesh.score().largest_share;
  const double sigma = std::sqrt(share * (1 - share) / kPoints);
  EXPECT_NEAR(largest_share(counts), share, 4 * sigma);
  EXPECT_NE(navmesh.sample(100, 1), navmesh.sample(100, 2));
  EXPECT_EQ(navmesh.sample(100, 1), navmesh.sample(100, 1));
}

TEST(Recast, SlopesStepsAndZones) {
  Mesh stairs;
  add_slab(stairs, {0, 0, -0.3}, {4, 4, 0});
  add_slab(stairs, {4, 0, -0.3}, {8, 4, 0.3});   // a step that can be climbed
  add_slab(stairs, {8, 0, -0.3}, {12, 4, 1.3});  // and one that cannot
  const Navmesh navmesh = built(stairs);
  EXPECT_EQ(navmesh.regions(), 2U);
  EXPECT_EQ(navmesh.region_at({2, 2, 0}, 0.2), navmesh.region_at({6, 2, 0.3}, 0.2));
  EXPECT_NE(navmesh.region_at({6, 2, 0.3}, 0.2), navmesh.region_at({10, 2, 1.3}, 0.2));
  EXPECT_EQ(navmesh.region_at({30, 2, 0}, 0.2), -1);
  const snap::Zone low{{0, 0, -1}, {12, 4, 0.5}};
  EXPECT_EQ(built(stairs, {}, {&low, 1}).regions(), 1U);
}

TEST(Recast, DetailFollowsTheGround) {
  // Flat, a slope up to 3 m, flat: one polygon may span all three, and cuts the corners without detail.
  Mesh mesh;
  add_slab(mesh, {0, 0, -0.3}, {6, 4, 0});
  add_slab(mesh, {12, 0, 2.7}, {18, 4, 3});
  const auto base = static_cast<std::uint32_t>(mesh.positions.size() / 3);
  for (const float v : {6.0F, 0.0F, 0.0F, 12.0F, 0.0F, 3.0F, 12.0F, 4.0F, 3.0F, 6.0F, 4.0F, 0.0F}) {
    mesh.positions.push_back(v);
  }
  mesh.triangles.insert(mesh.triangles.end(), {base, base + 1, base + 2, base, base + 2, base + 3});
  Settings settings;
  settings.detail_distance = 0.5;
  const Navmesh navmesh = built(mesh, settings);
  EXPECT_EQ(navmesh.regions(), 1U);
  Mesh ground;
  std::vector<std::uint32_t> region;
  navmesh.triangles(ground, region);
  for (std::size_t t = 0; t < region.size(); ++t) {
    double x = 0;
    double z = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      x += ground.positions[3 * std::size_t{ground.triangles[3 * t + k]}] / 3;
      z += ground.positions[3 * std::size_t{ground.triangles[3 * t + k]} + 2] / 3;
    }
    EXPECT_NEAR(z, std::clamp((x - 6) / 2, 0.0, 3.0), 0.25) << x;
  }
  const Score flat = built(mesh).score();
  EXPECT_DOUBLE_EQ(flat.area, navmesh.score().area);
}

TEST(Recast, WhatCannotBeBuiltIsSaid) {
  EXPECT_EQ(built(Mesh{}).regions(), 0U);
  Mesh bad = islands();
  bad.positions[4] = NAN;
  EXPECT_NE(Navmesh::build(bad, {}).status().text().find("vertex 1"), std::string::npos);
  Mesh far = islands();
  add_slab(far, {90000, 90000, 0}, {90001, 90001, 1});
  const Status large = Navmesh::build(far, {}).status();
  EXPECT_EQ(large.code, StatusCode::kLimit);
  EXPECT_NE(large.message.find("cell_size"), std::string::npos);
  Mesh high = islands();
  add_slab(high, {0, 0, 600}, {5, 5, 601});
  EXPECT_EQ(Navmesh::build(high, {}).status().where, "cell_height");
  Settings coarse;
  coarse.cell_size = 0.2;  // above a quarter of the radius
  EXPECT_EQ(Navmesh::build(islands(), coarse).status().where, "cell_size");
  Settings tiles;
  tiles.tile_cells = 20;
  EXPECT_EQ(Navmesh::build(islands(), tiles).status().where, "tile_cells");
  Settings slope;
  slope.agent_slope = 95;
  EXPECT_FALSE(Navmesh::build(islands(), slope).ok());
}

}  // namespace
}  // namespace strew::nav
