// Assembly: what holds of every map, and its log.
#include <gtest/gtest.h>

#include "maps.hpp"

namespace strew::snap {
namespace {

TEST(Assembly, StandardMapsOfTheOwnKitAreSound) {
  const Kit kit = own_kit();
  std::size_t plain_loops = 0;
  for (const bool prefer : {false, true}) {
    Rules rules = standard_rules();
    rules.prefer_loops = prefer;
    rules.close_dead_ends = prefer;
    const Pass pass = pass_of(arena(), {{"max_pieces", 30}}, rules);
    std::size_t loops = 0;
    for (std::int64_t seed = 0; seed < 40; ++seed) {
      const auto map = make(kit, rules, {pass}, seed);
      ASSERT_TRUE(map.ok());
      expect_sound(kit, rules, map.value());
      std::size_t plain = 0;
      for (const Placement& p : map.value().placements) {
        plain += kit.pieces[p.piece].cap ? 0U : 1U;
      }
      EXPECT_EQ(plain, 30U);
      EXPECT_EQ(map.value().placements.size() > 30, prefer);
      loops += map.value().joints.size() + 1 - map.value().placements.size();
    }
    EXPECT_GT(loops, prefer ? plain_loops : 2U);
    plain_loops = loops;
  }
}

TEST(Assembly, EveryMethodEndsAndDependsOnTheSeedAlone) {
  const Kit kit = own_kit();
  for (const SelectionMethod* method : {&arena(), &corridor(), &star(), &branch()}) {
    for (const Mode mode : {Mode::kReference, Mode::kStandard}) {
      Rules rules = standard_rules();
      rules.mode = mode;
      const Pass pass = pass_of(*method, {}, rules);
      auto assembler = Assembler::create(kit, rules, {pass});
      ASSERT_TRUE(assembler.ok());
      std::set<std::size_t> sizes;
      for (std::int64_t seed = -5; seed < 25; ++seed) {
        ASSERT_TRUE(assembler.value().run(seed).ok());
        Map reused;
        assembler.value().copy_map(reused);
        const auto fresh = make(kit, rules, {pass}, seed);
        ASSERT_TRUE(fresh.ok());
        ASSERT_EQ(reused.placements.size(), fresh.value().placements.size());
        for (std::size_t i = 0; i < reused.placements.size(); ++i) {
          EXPECT_EQ(reused.placements[i].position, fresh.value().placements[i].position);
          EXPECT_EQ(reused.placements[i].piece, fresh.value().placements[i].piece);
        }
        sizes.insert(reused.placements.size() * 1000 + reused.joints.size() + reused.placements.back().piece);
      }
      EXPECT_GT(sizes.size(), 1U) << method->info().id;
    }
  }
}

TEST(Assembly, CountsAndCapsAreKept) {
  Kit kit = own_kit();
  for (Piece& piece : kit.pieces) {
    piece.maximum_count = piece.name == "hall" ? 1 : -1;
    piece.minimum_count = piece.name == "tower" ? 2 : 0;
  }
  Rules rules = standard_rules();
  rules.close_dead_ends = true;
  rules.cap_pieces = 25;
  const Pass pass = pass_of(arena(), {{"max_pieces", 20}}, rules);
  for (std::int64_t seed = 0; seed < 20; ++seed) {
    const auto map = make(kit, rules, {pass}, seed);
    ASSERT_TRUE(map.ok());
    std::size_t halls = 0;
    std::size_t towers = 0;
    for (const Placement& p : map.value().placements) {
      halls += kit.pieces[p.piece].name == "hall" ? 1U : 0U;
      towers += kit.pieces[p.piece].name == "tower" ? 1U : 0U;
    }
    EXPECT_LE(halls, 1U);
    EXPECT_GE(towers, 2U);
    EXPECT_LE(map.value().placements.size(), 25U);
  }
}

TEST(Assembly, BacktrackingLeavesADeadEnd) {
  // The stopper fits everywhere and has no other end: without going back the map would end with it.
  Kit kit = bars();
  Piece stopper = bar("stopper");
  stopper.connectors.pop_back();
  stopper.weight = 3;
  kit.pieces.push_back(stopper);
  Rules rules = standard_rules();
  const Pass pass = pass_of(corridor(), {{"max_pieces", 12}}, rules);
  std::size_t with = 0;
  std::size_t without = 0;
  for (std::int64_t seed = 0; seed < 50; ++seed) {
    rules.backtrack = 8;
    with += make(kit, rules, {pass}, seed).value().placements.size();
    rules.backtrack = 0;
    without += make(kit, rules, {pass}, seed).value().placements.size();
  }
  EXPECT_GT(with, 2 * without);
}

TEST(Log, TellsEveryDecision) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  rules.close_dead_ends = true;
  const Pass pass = pass_of(arena(), {{"max_pieces", 20}}, rules);
  auto assembler = Assembler::create(kit, rules, {pass});
  std::vector<Event> events;
  ASSERT_TRUE(assembler.value().run(21, &events).ok());
  const std::vector<std::string> lines = narrate(kit, events);
  ASSERT_EQ(lines.size(), events.size());
  EXPECT_EQ(lines.front(), "Starting piece is 'hall' with 8 free connectors");
  EXPECT_NE(lines.back().find("End of map generation"), std::string::npos);
  std::size_t snaps = 0;
  for (const Event& event : events) {
    snaps += event.kind == Event::Kind::kSnap || event.kind == Event::Kind::kCap ? 1U : 0U;
  }
  EXPECT_EQ(snaps + 1, assembler.value().pieces());
}

}  // namespace
}  // namespace strew::snap
