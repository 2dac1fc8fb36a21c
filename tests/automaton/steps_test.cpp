// Known patterns, crops of the plane, bad arguments.
#include <gtest/gtest.h>

#include "patterns.hpp"
#include "strew/automaton_rle.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

using strew_test::copy_of;
using strew_test::crop_of;
using strew_test::grid_of;
using strew_test::text_of;

constexpr AutomatonRule kLifeRule{0b000001000, 0b000001100};

std::string after(std::string_view text, std::int64_t generations, const AutomatonRule& rule,
                  Border border = Border::kDead) {
  std::string result;
  for (const AutomatonVariant variant : automaton_variants()) {
    BitGrid grid = grid_of(text);
    AutomatonOptions options;
    options.variant = variant;
    EXPECT_TRUE(advance(rule, border, generations, grid, options).ok());
    const std::string now = text_of(grid);
    EXPECT_TRUE(result.empty() || now == result) << to_string(variant);
    result = now;
  }
  return result;
}

TEST(AutomatonSteps, SmallKnownCases) {
  EXPECT_EQ(after("x.x.x/xxxx./.xxx./.xxx.", 1, kDayAndNight), "..x../xxx.x/.xx.x/.x.x.");
  EXPECT_EQ(after("...../..x../.xx../.....", 1, kDayAndNight), "...../.x.../...../.....");
}

TEST(AutomatonSteps, LifeKeepsItsStillLivesAndTurnsItsBlinker) {
  for (const char* still :
       {"..../.xx./.xx./....", "....../..xx../.x..x./..xx../......", "...../.xx../.x.x./..x../....."}) {
    EXPECT_EQ(after(still, 1, kLifeRule), still);
    EXPECT_EQ(after(still, 16, kLifeRule), still);
  }
  EXPECT_EQ(after("...../..x../..x../..x../.....", 1, kLifeRule), "...../...../.xxx./...../.....");
  EXPECT_EQ(after("...../..x../..x../..x../.....", 2, kLifeRule), "...../..x../..x../..x../.....");
}

TEST(AutomatonSteps, AGliderMovesOneCellInFourGenerations) {
  EXPECT_EQ(after(".x...../..x..../xxx..../......./......./......./.......", 4, kLifeRule),
            "......./..x..../...x.../.xxx.../......./......./.......");
  // Round a torus of 7 x 7 in 28 generations.
  EXPECT_EQ(
      after(".x...../..x..../xxx..../......./......./......./.......", 28, kLifeRule, Border::kPeriodic),
      ".x...../..x..../xxx..../......./......./......./.......");
}

TEST(AutomatonSteps, PublicDayAndNightPatterns) {
  // The fireball, a ship of period 40 and speed c/2 (LifeWiki, "OCA:Day & Night").
  constexpr std::string_view kFireball =
      "x = 11, y = 51, rule = "
      "B3678/S34678\n6bo$6b2o2$8bo$5bo2bo$5b3o9$3bo$3bo$b3obob2o$ob3ob2obo$ob7o$b9o$3b7o$"
      "11o$obob5obo$2b6obo$bob4obo$3b6o$3b5o$3b2o$2b2o$3b2ob2o$3b2obo$4b3o$obob2obo$o2b5o$2b4obo$ob4o$b6o$"
      "2b4o$"
      "2b4obo$3b4ob2o$3b7o$4b5o$3b7o$11o$11o$b9o$8o$b8o$2b6o$3b4o$4b2o!";
  const auto fireball = parse_rle(kFireball);
  ASSERT_TRUE(fireball.ok());
  BitGrid grid = BitGrid::create(80, 140).value();
  const BitGrid& ship = fireball.value().cells;
  const auto stamped = [&ship](const BitGrid& on, std::int64_t y0) {
    std::uint64_t same = 0;
    for (std::int64_t y = 0; y < ship.height(); ++y) {
      for (std::int64_t x = 0; x < ship.width(); ++x) {
        same += ship.get(x, y) && on.get(x + 30, y + y0) ? 1 : 0;
      }
    }
    return same == population(ship) && population(on) == population(ship);
  };
  for (std::int64_t y = 0; y < ship.height(); ++y) {
    for (std::int64_t x = 0; x < ship.width(); ++x) {
      grid.set(x + 30, y + 60, ship.get(x, y));
    }
  }
  for (std::int64_t t = 1; t <= 40; ++t) {
    ASSERT_TRUE(advance(kDayAndNight, Border::kDead, 1, grid).ok());
    EXPECT_EQ(stamped(grid, 40), t == 40) << t;  // south by 20 rows, in the file down
  }
  // The commonest oscillators of the rule's ashes: periods 2 and 4.
  EXPECT_EQ(after("...../..x../..xx./.x.../.....", 2, kDayAndNight), "...../..x../..xx./.x.../.....");
  EXPECT_NE(after("...../..x../..xx./.x.../.....", 1, kDayAndNight), "...../..x../..xx./.x.../.....");
  constexpr std::string_view kPlus = "......./......./...x.../..xxx../...x.../......./.......";
  EXPECT_EQ(after(kPlus, 4, kDayAndNight), kPlus);
  EXPECT_NE(after(kPlus, 2, kDayAndNight), kPlus);
}

TEST(AutomatonSteps, BornFromNothingOnlyInside) {
  // B0: everything is born at once, the dead border stays.
  EXPECT_EQ(after("../..", 1, {0b000000001, 0}), "xx/xx");
  EXPECT_EQ(after("xx/xx", 1, {0b000000001, 0}), "../..");
  EXPECT_EQ(after("x", 3, {0, 0b000000001}), "x");
  EXPECT_EQ(after("x", 1, {0, 0b100000000}, Border::kAlive), "x");
  EXPECT_EQ(after("x", 1, {0, 0b100000000}, Border::kPeriodic), "x");
}

TEST(AutomatonSteps, DayAndNightIsItsOwnComplement) {
  const BitGrid start = strew_test::random_grid(300, 60, 0.5, 9);
  BitGrid day = copy_of(start);
  BitGrid night = copy_of(start);
  for (std::int64_t y = 0; y < night.height(); ++y) {
    for (std::int64_t x = 0; x < night.width(); ++x) {
      night.set(x, y, !start.get(x, y));
    }
  }
  ASSERT_TRUE(advance(kDayAndNight, Border::kDead, 12, day).ok());
  ASSERT_TRUE(advance(kDayAndNight, Border::kAlive, 12, night).ok());
  for (std::int64_t y = 0; y < night.height(); ++y) {
    for (std::int64_t x = 0; x < night.width(); ++x) {
      ASSERT_NE(day.get(x, y), night.get(x, y));
    }
  }
}

TEST(AutomatonSteps, AnyRectangleOfThePlaneEqualsTheWholeCut) {
  for (const std::int64_t far : {std::int64_t{0}, std::int64_t{1000000000}, std::int64_t{-1000000000}}) {
    const AutomatonPlane plane{kDayAndNight, {0.7, 5, 1}, 10};
    const auto whole = automaton_window(plane, {far - 150, -far - 90, far + 170, -far + 80});
    ASSERT_TRUE(whole.ok());
    for (std::uint64_t i = 0; i < 12; ++i) {
      const auto x = static_cast<std::int64_t>(mix64(i) % 300);
      const auto y = static_cast<std::int64_t>(mix64(i + 20) % 160);
      const auto width = 1 + static_cast<std::int64_t>(mix64(i + 40) % static_cast<std::uint64_t>(320 - x));
      const auto height = 1 + static_cast<std::int64_t>(mix64(i + 60) % static_cast<std::uint64_t>(170 - y));
      const CellRange range{far - 150 + x, -far - 90 + y, far - 150 + x + width, -far - 90 + y + height};
      AutomatonOptions options;
      options.depth = static_cast<std::int32_t>(i % 11);
      options.band_rows = static_cast<std::int64_t>(i % 3) * 7;
      const auto part = automaton_window(plane, range, options);
      ASSERT_TRUE(part.ok());
      EXPECT_TRUE(part.value() == crop_of(whole.value(), x, y, x + width, y + height)) << far << " " << i;
    }
  }
}

TEST(AutomatonSteps, PopulationAndHashCountCells) {
  BitGrid grid = grid_of("x..x/.xx./....");
  EXPECT_EQ(population(grid), 4U);
  const SetHash hash = hash_cells(grid);
  grid.set(0, 0, false);
  EXPECT_NE(hash_cells(grid).digest(), hash.digest());
  // Parts add up to the whole.
  const BitGrid whole = strew_test::random_grid(300, 9, 0.5, 2);
  SetHash parts = hash_cells(crop_of(whole, 0, 0, 128, 9));
  parts.merge(hash_cells(crop_of(whole, 128, 0, 300, 5), 128, 0));
  parts.merge(hash_cells(crop_of(whole, 128, 5, 300, 9), 128, 5));
  EXPECT_EQ(parts.digest(), hash_cells(whole).digest());
  std::uint64_t one_by_one = 0;
  for (std::int64_t y = 0; y < whole.height(); ++y) {
    for (std::int64_t x = 0; x < whole.width(); ++x) {
      one_by_one += whole.get(x, y) ? 1 : 0;
    }
  }
  EXPECT_EQ(population(whole), one_by_one);
  const ShuffledExecutor shuffled(3, 3);
  RunContext context;
  context.executor = &shuffled.executor();
  const auto counted = grid_statistics(whole, 0, 0, context);
  ASSERT_TRUE(counted.ok());
  EXPECT_EQ(counted.value().population, population(whole));
  EXPECT_EQ(counted.value().hash.digest(), parts.digest());
}

// Pinned: another value is another world of the same seed, and raises forest's output_version.
TEST(AutomatonSteps, OutputsArePinned) {
  const auto cells = automaton_window({kDayAndNight, {0.7, 1, 2}, 10}, {-1000, -50, 3000, 150});
  ASSERT_TRUE(cells.ok());
  EXPECT_EQ(population(cells.value()), 583888U);
  EXPECT_EQ(hash_cells(cells.value(), -1000, -50).digest(), 11222788438366026759U);
}

TEST(AutomatonSteps, BadArgumentsAreNamed) {
  EXPECT_EQ(BitGrid::create(0, 5).status().where, "size");
  EXPECT_EQ(BitGrid::create(5, (std::int64_t{1} << 31) + 1).status().where, "size");
  BitGrid grid = BitGrid::create(8, 8).value();
  EXPECT_EQ(advance({1U << 9, 0}, Border::kDead, 1, grid).where, "rule");
  EXPECT_EQ(advance(kDayAndNight, Border::kDead, -1, grid).where, "generations");
  AutomatonOptions options;
  options.depth = 65;
  EXPECT_EQ(advance(kDayAndNight, Border::kDead, 1, grid, options).where, "depth");
  EXPECT_EQ(fill_grid({1.5, 0, 0}, 0, 0, grid).where, "fill");
  EXPECT_EQ(fill_grid({std::numeric_limits<double>::quiet_NaN(), 0, 0}, 0, 0, grid).where, "fill");
  EXPECT_EQ(automaton_window({}, {5, 5, 5, 9}).status().where, "range");
  EXPECT_EQ(automaton_window({}, {0, 0, std::int64_t{1} << 60, 9}).status().where, "range");
  const auto band = [](void*, const BitGrid&, std::int64_t) -> Status { return {}; };
  EXPECT_EQ(automaton_stream({{}, Border::kDead, 10, 10}, {0, 0, 11, 10}, band, nullptr).where, "range");
  EXPECT_EQ(automaton_stream({{}, Border::kDead, 0, 10}, {0, 0, 1, 1}, band, nullptr).where, "size");
}

TEST(AutomatonSteps, MemoryThatIsRefusedIsAStatus) {
  const Allocator none{[](void*, std::size_t, std::size_t) -> void* { return nullptr; },
                       [](void*, void*, std::size_t, std::size_t) {}, nullptr};
  EXPECT_EQ(BitGrid::create(8, 8, &none).status().code, StatusCode::kOutOfMemory);
  RunContext context;
  context.allocator = &none;
  BitGrid grid = BitGrid::create(8, 8).value();
  EXPECT_EQ(advance(kDayAndNight, Border::kDead, 1, grid, {}, context).code, StatusCode::kOutOfMemory);
  EXPECT_EQ(automaton_window({}, {0, 0, 9, 9}, {}, context).status().code, StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace strew
