// Several passes over one map: growth, detached islands and floors, bridges between clusters.
#include <gtest/gtest.h>

#include "maps.hpp"

namespace strew::snap {
namespace {

TEST(Passes, AddToWhatIsThere) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const Pass first = pass_of(corridor(), {{"max_pieces", 8}}, rules);
  const Pass second = pass_of(arena(), {{"max_pieces", 15}}, rules);
  const auto one = make(kit, rules, {first}, 3);
  const auto two = make(kit, rules, {first, second}, 3);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(one.value().placements.size(), 8U);
  EXPECT_EQ(two.value().placements.size(), 15U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(one.value().placements[i].position, two.value().placements[i].position);
  }
  expect_sound(kit, rules, two.value());
}

/// A bar at the origin and one at (gap + 2, 0, 0): `gap` metres between their ends.
std::vector<Pass> two_islands(Rules& rules, double gap, std::int64_t bridge_pieces) {
  std::vector<Pass> passes = {pass_of(corridor(), {{"max_pieces", 1}}, rules),
                              pass_of(corridor(), {{"max_pieces", 1}}, rules)};
  passes[1].detached = true;
  passes[1].origin = {gap + 2, 0, 0};
  if (bridge_pieces > 0) {
    passes.push_back(pass_of(connect(), {{"bridge_pieces", bridge_pieces}}, rules));
  }
  return passes;
}

TEST(Passes, TwoIslandsBecomeOneByABridgeOfTheRightLength) {
  const Kit kit = bars();
  Rules rules = standard_rules();
  const auto parts = [&](double gap, std::int64_t bridge_pieces, Map& map) {
    auto assembler = Assembler::create(kit, rules, two_islands(rules, gap, bridge_pieces));
    EXPECT_TRUE(assembler.ok()) << assembler.status().text();
    EXPECT_TRUE(assembler.value().run(1).ok());
    assembler.value().copy_map(map);
    expect_sound(kit, rules, map);
    return assembler.value().parts();
  };
  Map map;
  EXPECT_EQ(parts(6, 0, map), 2U);
  EXPECT_EQ(map.placements.size(), 2U);
  EXPECT_EQ(map.placements[1].parent, -1);
  EXPECT_EQ(parts(6, 2, map), 2U);  // three bars are needed
  EXPECT_EQ(map.placements.size(), 2U);
  EXPECT_EQ(parts(6, 4, map), 1U);
  EXPECT_EQ(map.placements.size(), 5U);
  EXPECT_EQ(map.joints.size(), 4U);
  EXPECT_EQ(parts(5, 4, map), 2U);  // no number of bars fits
  EXPECT_EQ(map.placements.size(), 2U);
  EXPECT_EQ(parts(2, 1, map), 1U);
  EXPECT_EQ(map.placements.size(), 3U);
}

TEST(Passes, ABridgeGoesRoundACornerAndKeepsTheRules) {
  // A corner leads from +x to +y. The second island stands so that bar, corner, bar or corner, bar meet it.
  Kit kit = bars();
  Piece corner = bar("corner");
  corner.connectors[1].position = {0, 1, 0};
  corner.connectors[1].heading = {0, 1, 0};
  kit.pieces.push_back(corner);
  kit.pieces[0].weight = 1;
  ASSERT_TRUE(validate_kit(kit).ok());
  kit.starters = {0};
  Rules rules = standard_rules();
  rules.use_starter = true;
  std::vector<Pass> passes = two_islands(rules, 0, 4);
  passes[1].origin = {4, 4, 0};  // its near end is at (3, 4), heading -x: an S of two corners
  const auto joined = make(kit, rules, passes, 3);
  ASSERT_TRUE(joined.ok());
  expect_sound(kit, rules, joined.value());
  ASSERT_EQ(joined.value().placements.size(), 5U);  // corner, bar, corner
  EXPECT_EQ(joined.value().joints.size(), 4U);
  // Connectors that the rules do not match are not bridged.
  Kit apart = kit;
  apart.colour_matrix = {};
  EXPECT_EQ(make(apart, rules, passes, 3).value().placements.size(), 2U);
  // Nor is there a bridge through a piece that stands between.
  std::vector<Pass> walled = passes;
  Pass between = passes[1];
  between.origin = {2, 2, 0};
  walled.insert(walled.begin() + 1, between);
  const auto blocked = make(kit, rules, walled, 3);
  ASSERT_TRUE(blocked.ok());
  expect_sound(kit, rules, blocked.value());
}

/// Regions of the built-in kit by hand: the halves of a broken corridor are apart, all else is one region.
std::vector<nav::PieceRegions> broken_regions(const Kit& kit) {
  std::vector<nav::PieceRegions> out;
  for (const Piece& piece : kit.pieces) {
    nav::PieceRegions r;
    r.areas = {20};
    r.at_connector.assign(piece.connectors.size(), piece.cap ? -1 : 0);
    if (piece.name == "broken corridor") {
      r.areas = {10, 10};
      r.at_connector[1] = 1;
    }
    out.push_back(std::move(r));
  }
  return out;
}

TEST(Passes, ClustersThatNobodyWalksBetweenAreBridged) {
  Kit kit = own_kit();
  for (Piece& piece : kit.pieces) {
    piece.weight = piece.name == "broken corridor" ? 4 : piece.weight;
  }
  const auto regions = broken_regions(kit);
  auto scorer = FastScorer::create(kit, regions);
  Rules rules = standard_rules();
  const Pass grow = pass_of(arena(), {{"max_pieces", 15}}, rules);
  const Pass bridge = pass_of(connect(), {}, rules);
  auto plain = Assembler::create(kit, rules, {grow});
  auto joined = Assembler::create(kit, rules, {grow, bridge}, Isa::kBest, regions);
  auto again = Assembler::create(kit, rules, {grow, bridge}, Isa::kScalar, regions);
  ASSERT_TRUE(plain.ok() && joined.ok() && again.ok());
  std::size_t split = 0;
  std::size_t made_one = 0;
  double c_bar_before = 0;
  double c_bar_after = 0;
  for (std::int64_t seed = 0; seed < 60; ++seed) {
    ASSERT_TRUE(plain.value().run(seed).ok());
    const nav::Score before = scorer.value().score(plain.value());
    std::vector<Event> events;
    ASSERT_TRUE(joined.value().run(seed, &events).ok());
    const nav::Score after = scorer.value().score(joined.value());
    EXPECT_LE(after.regions, before.regions) << seed;
    split += before.regions > 1 ? 1U : 0U;
    made_one += before.regions > 1 && after.regions == 1 ? 1U : 0U;
    c_bar_before += before.connected_share;
    c_bar_after += after.connected_share;
    Map map;
    joined.value().copy_map(map);
    expect_sound(kit, rules, map);
    Map same;
    ASSERT_TRUE(again.value().run(seed).ok());
    again.value().copy_map(same);
    ASSERT_EQ(same.placements.size(), map.placements.size());
    for (std::size_t i = 0; i < map.placements.size(); ++i) {
      EXPECT_EQ(same.placements[i].piece, map.placements[i].piece);
      EXPECT_EQ(same.placements[i].position, map.placements[i].position);
    }
    // What the log says is what was done.
    std::size_t bridges = 0;
    std::size_t logged = 1;
    for (const Event& event : events) {
      bridges += event.kind == Event::Kind::kBridge ? 1U : 0U;
      logged += event.kind == Event::Kind::kSnap ? 1U : 0U;
    }
    EXPECT_EQ(bridges > 0, after.regions < before.regions) << seed;
    EXPECT_EQ(logged, map.placements.size());
    EXPECT_EQ(narrate(kit, events).size(), events.size());
  }
  EXPECT_GE(split, 30U);
  EXPECT_GE(made_one, 10U);
  EXPECT_GT(c_bar_after, c_bar_before + 5);
}

TEST(Passes, ADetachedPassGrowsAFloorOfItsOwn) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  std::vector<Pass> passes = {pass_of(arena(), {{"max_pieces", 12}}, rules),
                              pass_of(arena(), {{"max_pieces", 7}}, rules)};
  passes[1].detached = true;
  passes[1].origin = {0, 0, 60};
  for (std::int64_t seed = 0; seed < 20; ++seed) {
    const auto map = make(kit, rules, passes, seed);
    ASSERT_TRUE(map.ok());
    expect_sound(kit, rules, map.value());
    ASSERT_EQ(map.value().placements.size(), 19U);
    EXPECT_EQ(map.value().placements[12].parent, -1);
    EXPECT_EQ(map.value().placements[12].position, (Vec3{0, 0, 60}));
    for (std::size_t i = 13; i < 19; ++i) {
      EXPECT_GE(map.value().placements[i].parent, 12);
      EXPECT_GT(map.value().placements[i].position.z, 30);
    }
  }
  // Where no starter fits, the pass adds nothing.
  passes[1].origin = {};
  EXPECT_EQ(make(kit, rules, passes, 1).value().placements.size(), 12U);
}

TEST(Passes, WhatCannotBeIsRefused) {
  const Kit kit = bars();
  Rules rules = standard_rules();
  const Pass grow = pass_of(arena(), {{"max_pieces", 5}}, rules);
  const Pass bridge = pass_of(connect(), {}, rules);
  EXPECT_EQ(Assembler::create(kit, rules, {bridge}).status().where, "method");
  Pass detached = grow;
  detached.detached = true;
  EXPECT_EQ(Assembler::create(kit, rules, {detached, grow}).status().where, "origin");
  detached.origin.x = NAN;
  EXPECT_EQ(Assembler::create(kit, rules, {grow, detached}).status().where, "origin");
  const std::vector<nav::PieceRegions> wrong(3);
  EXPECT_EQ(Assembler::create(kit, rules, {grow, bridge}, Isa::kBest, wrong).status().where, "regions");
  Rules published;
  EXPECT_FALSE(Assembler::create(kit, published, {grow, bridge}).ok());
}

}  // namespace
}  // namespace strew::snap
