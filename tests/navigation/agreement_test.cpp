// The fast score against the exact one on maps of the own kit.
#include <gtest/gtest.h>

#include <cmath>

#include "strew/navigation_recast.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew::snap {
namespace {

TEST(Agreement, OwnKitWithinOnePercent) {
  Kit kit = built_in_kit();
  ASSERT_TRUE(validate_kit(kit).ok());
  const nav::Settings walker;
  const auto regions = nav::piece_regions(kit, walker);
  ASSERT_TRUE(regions.ok()) << regions.status().text();
  for (std::size_t i = 0; i < kit.pieces.size(); ++i) {
    const nav::PieceRegions& r = regions.value()[i];
    const std::string& name = kit.pieces[i].name;
    const std::size_t expected = kit.pieces[i].cap                                ? 0
                                 : name == "gallery" || name == "broken corridor" ? 2
                                                                                  : 1;
    EXPECT_EQ(r.areas.size(), expected) << name;
    for (const std::int32_t region : r.at_connector) {
      EXPECT_EQ(region >= 0, !kit.pieces[i].cap) << name;
    }
  }
  Rules rules = standard_rules();
  ParameterSet parameters;
  parameters.set("max_pieces", std::int64_t{12});
  Pass pass;
  ASSERT_TRUE(configure(arena(), parameters, rules, pass).ok());
  auto assembler = Assembler::create(kit, rules, {pass});
  auto scorer = FastScorer::create(kit, regions.value());
  ASSERT_TRUE(assembler.ok() && scorer.ok());
  std::size_t split = 0;
  for (std::int64_t seed = 0; seed < 12; ++seed) {
    ASSERT_TRUE(assembler.value().run(seed).ok());
    Map map;
    assembler.value().copy_map(map);
    const nav::Score fast = scorer.value().score(assembler.value());
    const auto navmesh = nav::Navmesh::build(nav::map_mesh(kit, map), walker, nav::map_zones(kit, map));
    ASSERT_TRUE(navmesh.ok()) << navmesh.status().text();
    const nav::Score exact = navmesh.value().score();
    EXPECT_NEAR(fast.largest_share, exact.largest_share, 0.01) << seed;
    EXPECT_NEAR(fast.connected_share, exact.connected_share, 0.02) << seed;
    EXPECT_NEAR(fast.area, exact.area, 0.02 * exact.area) << seed;
    EXPECT_EQ(fast.regions, exact.regions) << seed;
    split += exact.regions > 1 ? 1U : 0U;
  }
  EXPECT_GE(split, 3U);  // otherwise there was nothing to get wrong
}

}  // namespace
}  // namespace strew::snap
