// Seed search, scores, expressions.
#include <gtest/gtest.h>

#include "maps.hpp"
#include "strew/random.hpp"

namespace strew::snap {
namespace {

TEST(Search, WorkersOrderAndInterruptionDoNotShow) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const std::vector<Pass> passes = {pass_of(arena(), {{"max_pieces", 15}}, rules)};
  const auto regions = made_regions(kit);
  const SearchSpec spec = spec_of("A_r_max + 0.001 * loops", {"dead_ends <= 20", "c_bar > 0.1"}, 5000);
  const SearchResult serial = search_seeds(kit, rules, passes, regions, spec, 20).value();
  EXPECT_GT(serial.qualified, 100U);
  EXPECT_GT(serial.failures[0], 10U);
  EXPECT_GT(serial.failures[1], 10U);
  const auto same = [&](const Result<SearchResult>& other) {
    ASSERT_TRUE(other.ok());
    EXPECT_EQ(other.value().failed, serial.failed);
    EXPECT_EQ(other.value().failures, serial.failures);
    ASSERT_EQ(other.value().best.size(), serial.best.size());
    for (std::size_t i = 0; i < serial.best.size(); ++i) {
      EXPECT_EQ(other.value().best[i].seed, serial.best[i].seed);
      EXPECT_EQ(other.value().best[i].objective, serial.best[i].objective);
    }
  };
  for (const std::uint32_t workers : {1U, 2U, 3U, 7U}) {
    const auto pool = ThreadPool::create(workers);
    RunContext context;
    context.executor = &pool.value().executor();
    same(search_seeds(kit, rules, passes, regions, spec, 20, context));
    const ShuffledExecutor shuffled(workers, workers);
    context.executor = &shuffled.executor();
    same(search_seeds(kit, rules, passes, regions, spec, 20, context));
  }
  // Stopped after two parts, then resumed from what was kept.
  struct Kept {
    std::vector<ChunkResult> chunks;
    std::atomic<bool> stop{false};
  } kept;
  const ShuffledExecutor shuffled(5, 2);
  RunContext context;
  context.executor = &shuffled.executor();
  context.cancel = &kept.stop;
  const ChunkSink sink = [](void* self, const ChunkResult& chunk) -> Status {
    auto& to = *static_cast<Kept*>(self);
    to.chunks.push_back(chunk);
    to.stop = to.chunks.size() == 2;
    return {};
  };
  EXPECT_EQ(search_seeds(kit, rules, passes, regions, spec, 20, context, {}, sink, &kept).status().code,
            StatusCode::kCancelled);
  ASSERT_EQ(kept.chunks.size(), 2U);
  same(search_seeds(kit, rules, passes, regions, spec, 20, {}, kept.chunks));
  // Ties by the lowest seed.
  const SearchResult ties = search_seeds(kit, rules, passes, regions, spec_of("1", {}, 3000), 5).value();
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(ties.best[i].seed, -100 + static_cast<std::int64_t>(i));
  }
}

TEST(Search, NothingQualifiesIsAResult) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const std::vector<Pass> passes = {pass_of(arena(), {{"max_pieces", 5}}, rules)};
  const auto result = search_seeds(kit, rules, passes, made_regions(kit),
                                   spec_of("1", {"A_r_max > 2", "pieces >= 5", "loops > 90"}, 50), 5);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().qualified, 0U);
  EXPECT_TRUE(result.value().best.empty());
  EXPECT_EQ(result.value().failures[1], 0U);
  EXPECT_EQ(result.value().failures[2], 50U);  // structure is looked at before the dearer score
  EXPECT_EQ(search_seeds(kit, rules, passes, made_regions(kit), spec_of("1", {}, 0), 5).status().where,
            "seeds");
}

TEST(Search, TheClosestMissesByLeast) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const std::vector<Pass> passes = {pass_of(arena(), {{"max_pieces", 12}}, rules)};
  const auto regions = made_regions(kit);
  constexpr std::uint64_t kSeeds = 3000;
  const SearchResult ends =
      search_seeds(kit, rules, passes, regions, spec_of("dead_ends", {}, kSeeds), 1).value();
  const auto least = std::min_element(ends.objective.begin(), ends.objective.end());
  ASSERT_GT(*least, 2);
  ASSERT_NE(least, ends.objective.begin());
  const SearchSpec spec = spec_of("A_r_max", {"A_r_max > 2", "dead_ends <= 2"}, kSeeds);
  for (const std::uint32_t workers : {1U, 3U}) {
    const ShuffledExecutor shuffled(workers, workers);
    RunContext context;
    context.executor = &shuffled.executor();
    const SearchResult none = search_seeds(kit, rules, passes, regions, spec, 5, context).value();
    EXPECT_EQ(none.qualified, 0U);
    EXPECT_EQ(none.closest, spec.first_seed + (least - ends.objective.begin()));
  }
}

TEST(Search, SeedsReachToBothEndsOfTheirRange) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const std::vector<Pass> passes = {pass_of(arena(), {{"max_pieces", 4}}, rules)};
  SearchSpec spec = spec_of("-pieces", {}, 8);
  spec.first_seed = std::numeric_limits<std::int64_t>::max() - 7;
  const auto last = search_seeds(kit, rules, passes, made_regions(kit), spec, 8);
  ASSERT_TRUE(last.ok()) << last.status().text();
  EXPECT_EQ(last.value().best.back().seed, std::numeric_limits<std::int64_t>::max());
  ++spec.first_seed;
  EXPECT_EQ(search_seeds(kit, rules, passes, made_regions(kit), spec, 8).status().where, "seeds");
  spec.first_seed = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(search_seeds(kit, rules, passes, made_regions(kit), spec, 8).value().best.front().seed,
            spec.first_seed);
}

TEST(Search, PartsOfAnotherSearchAreRefused) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const std::vector<Pass> passes = {pass_of(arena(), {{"max_pieces", 4}}, rules)};
  const SearchSpec spec = spec_of("pieces", {"pieces > 0"}, 3);
  for (const std::uint8_t failed : {std::uint8_t{2}, std::uint8_t{200}, kBeyondRanking}) {
    const ChunkResult foreign{0, {1, 1, 1}, {0, failed, 0}};
    EXPECT_EQ(search_seeds(kit, rules, passes, made_regions(kit), spec, 1, {}, std::span(&foreign, 1))
                  .status()
                  .where,
              "resume");
  }
  const ChunkResult own{0, {1, 1, 1}, {0, 1, 0}};
  EXPECT_TRUE(search_seeds(kit, rules, passes, made_regions(kit), spec, 1, {}, std::span(&own, 1)).ok());
}

TEST(Search, FastScoreOfAChainIsWorkedOutByHand) {
  const Kit kit = bars();
  Rules rules = standard_rules();
  auto assembler = Assembler::create(kit, rules, {pass_of(corridor(), {{"max_pieces", 4}}, rules)});
  ASSERT_TRUE(assembler.value().run(1).ok());
  nav::PieceRegions through{{10}, {0, 0}, {1, 1}, {}};
  auto whole = FastScorer::create(kit, {through});
  const nav::Score one = whole.value().score(assembler.value());
  EXPECT_EQ(one.regions, 1U);
  EXPECT_DOUBLE_EQ(one.area, 4 * 10 - 2);  // two open ends
  EXPECT_DOUBLE_EQ(one.largest_share, 1);
  nav::PieceRegions split{{6, 4}, {0, 1}, {}, {}};
  auto broken = FastScorer::create(kit, {split});
  const nav::Score parts = broken.value().score(assembler.value());
  EXPECT_EQ(parts.regions, 5U);  // three joints, each between two halves
  nav::PieceRegions blocked{{10}, {-1, 0}, {}, {}};
  auto closed = FastScorer::create(kit, {blocked});
  std::uint32_t passable = 0;
  for (const Joint& joint : assembler.value().joints()) {
    passable += joint.a_connector == 1 && joint.b_connector == 1 ? 1U : 0U;
  }
  EXPECT_EQ(closed.value().score(assembler.value()).regions, 4U - passable);
  // A drop from half 0 to half 1 of each piece: all is one way, and pairs count in order.
  split.drops = {{0, 1}};
  auto drops = FastScorer::create(kit, {split});
  const nav::Score directed = drops.value().score(assembler.value());
  EXPECT_EQ(directed.regions, 5U);
  EXPECT_GT(directed.connected_share, parts.connected_share);
  EXPECT_FALSE(FastScorer::create(kit, {nav::PieceRegions{{1}, {0, 3}, {}, {}}}).ok());
}

/// What an expression is worth lies within its bounds, whatever the measures are.
TEST(Measures, WaysThroughAMapEqualFloydWarshall) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  auto assembler = Assembler::create(kit, rules, {pass_of(arena(), {{"max_pieces", 25}}, rules)});
  std::size_t with_loops = 0;
  std::size_t trees = 0;
  for (std::int64_t seed = 0; seed < 60; ++seed) {
    ASSERT_TRUE(assembler.value().run(seed).ok());
    const Assembler& map = assembler.value();
    const std::size_t n = map.pieces();
    for (const bool hops : {true, false}) {
      std::vector<double> way(n * n, INFINITY);
      for (const Joint& joint : map.joints()) {
        const Vec3 at = map.connector_position(joint.a, joint.a_connector);
        const double along =
            hops ? 1 : length(at - map.position_of(joint.a)) + length(at - map.position_of(joint.b));
        for (const std::size_t place : {joint.a * n + joint.b, joint.b * n + joint.a}) {
          way[place] = std::min(way[place], along);
        }
      }
      double widest = 0;
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            way[i * n + j] = i == j ? 0 : std::min(way[i * n + j], way[i * n + k] + way[k * n + j]);
          }
        }
      }
      for (const double w : way) {
        widest = std::max(widest, w);
      }
      Measures measures{};
      measure(kit, map, nullptr, ~0U, measures);
      EXPECT_NEAR(measures[static_cast<std::size_t>(hops ? Measure::kDiameter : Measure::kLongestPath)],
                  widest, 1e-9 * widest);
    }
    (map.joints().size() >= n ? with_loops : trees) += 1;
  }
  EXPECT_GT(with_loops, 10U);
  EXPECT_GT(trees, 10U);
}

TEST(Expressions, BoundsHoldWhateverTheMeasures) {
  const char* const texts[] = {"pieces * loops - dead_ends",
                               "pieces / loops",
                               "sqrt(loops - 2) + A_r_max",
                               "min(pieces, loops / dead_ends)",
                               "max(loops / dead_ends, 3)",
                               "abs(loops - dead_ends) * -2",
                               "pieces > loops && !(dead_ends == 3)",
                               "(loops / dead_ends < 1) != (pieces <= 2)",
                               "sqrt(loops - 2) || dead_ends - 3",
                               "loops / dead_ends == loops / dead_ends",
                               "!(loops / dead_ends)",
                               "-(pieces >= loops) + (dead_ends != 2)"};
  std::uint64_t state = 7;
  const auto draw = [&](std::uint64_t below) {
    state = mix64(state + 1);
    return static_cast<double>(state % below);
  };
  std::size_t tight = 0;
  for (const char* text : texts) {
    const Expression e = Expression::parse(text).value();
    for (int round = 0; round < 3000; ++round) {
      MeasureBounds bounds{};
      Measures measures{};
      for (const Measure m :
           {Measure::kPieces, Measure::kLoops, Measure::kDeadEnds, Measure::kLargestShare}) {
        const auto at = static_cast<std::size_t>(m);
        const double low = draw(6) - 1;
        const double width = round % 3 == 0 ? 0 : draw(4);
        bounds[at] = {low, low + width, false};
        measures[at] = low + (width > 0 ? draw(static_cast<std::uint64_t>(width) + 1) : 0);
      }
      const double value = e.value(measures);
      const Bounds b = e.bounds(bounds);
      if (std::isnan(value)) {
        EXPECT_TRUE(b.nan) << text;
      } else {
        EXPECT_TRUE(b.low <= value && value <= b.high)
            << text << ": " << value << " in " << b.low << ", " << b.high;
      }
      tight += b.low == b.high ? 1U : 0U;
    }
  }
  EXPECT_GT(tight, 9000U);
}

TEST(Expressions, InfinityWithinBoundsMayBeNoNumber) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  MeasureBounds bounds{};
  Measures measures{};
  bounds[static_cast<std::size_t>(Measure::kPieces)] = {-1, 5, false};
  measures[static_cast<std::size_t>(Measure::kPieces)] = 0;
  const Expression product = Expression::parse("pieces * (1e308 * 10)").value();
  EXPECT_TRUE(std::isnan(product.value(measures)));
  EXPECT_TRUE(product.bounds(bounds).nan);
  bounds[static_cast<std::size_t>(Measure::kLoops)] = {-kFar, kFar, false};
  bounds[static_cast<std::size_t>(Measure::kDeadEnds)] = {-kFar, kFar, false};
  measures[static_cast<std::size_t>(Measure::kLoops)] = kFar;
  measures[static_cast<std::size_t>(Measure::kDeadEnds)] = -kFar;
  const Expression sum = Expression::parse("loops + dead_ends").value();
  EXPECT_TRUE(std::isnan(sum.value(measures)));
  EXPECT_TRUE(sum.bounds(bounds).nan);
}

TEST(Expressions, ShortfallSaysHowNear) {
  Measures measures{};
  measures[static_cast<std::size_t>(Measure::kPieces)] = 20;
  measures[static_cast<std::size_t>(Measure::kLoops)] = 3;
  const auto missing = [&](std::string_view text) {
    return Expression::parse(text).value().shortfall(measures);
  };
  EXPECT_EQ(missing("pieces >= 20"), 0);
  EXPECT_EQ(missing("pieces >= 25"), 5);
  EXPECT_EQ(missing("pieces == 18 && loops > 7"), 6);
  EXPECT_EQ(missing("pieces == 18 || loops > 7"), 2);
  EXPECT_EQ(missing("!pieces"), 1);
  EXPECT_EQ(missing("pieces > 30 && loops == 3"), 10);
  EXPECT_EQ(missing("sqrt(-1)"), std::numeric_limits<double>::infinity());
}

TEST(Search, BoundsNeverShowInTheRanking) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const std::vector<Pass> passes = {pass_of(arena(), {{"max_pieces", 12}}, rules)};
  const auto regions = made_regions(kit);
  struct Case {
    const char* objective;
    std::initializer_list<std::string_view> requirements;
  };
  for (const Case& c : {Case{"A_r_max", {"diameter >= 5 || pieces < 3", "area <= 400 && dead_ends <= 20"}},
                        Case{"longest_path + 100 * A_r_max", {"c_bar > 0.1"}}, Case{"diameter - loops", {}},
                        Case{"min(A_r_max, c_bar) + regions / (loops - 1)", {"width < 60 || A_r_max > 2"}},
                        Case{"1 / (loops - 2)", {"loops + diameter > 4"}}, Case{"A_r_max > 0.3", {}},
                        Case{"c_bar", {"A_r_max > 2"}}}) {
    SearchSpec spec = spec_of(c.objective, c.requirements, 2200);
    spec.early_exit = false;
    const SearchResult plain = search_seeds(kit, rules, passes, regions, spec, 12).value();
    spec.early_exit = true;
    const SearchResult bounded = search_seeds(kit, rules, passes, regions, spec, 12).value();
    EXPECT_EQ(bounded.failed, plain.failed) << c.objective;
    EXPECT_EQ(bounded.closest, plain.closest);
    const auto same = [&](const SearchResult& other) {
      EXPECT_EQ(other.failures, plain.failures) << c.objective;
      EXPECT_EQ(other.qualified, plain.qualified) << c.objective;
      ASSERT_EQ(other.best.size(), plain.best.size()) << c.objective;
      for (std::size_t i = 0; i < plain.best.size(); ++i) {
        EXPECT_EQ(other.best[i].seed, plain.best[i].seed) << c.objective << " " << i;
        EXPECT_EQ(other.best[i].objective, plain.best[i].objective);
      }
    };
    same(bounded);
    spec.ranking_only = true;
    for (const std::uint32_t workers : {1U, 3U}) {
      RunContext context;
      const ShuffledExecutor shuffled(workers, workers);
      context.executor = &shuffled.executor();
      same(search_seeds(kit, rules, passes, regions, spec, 12, context).value());
      const auto pool = ThreadPool::create(workers);
      context.executor = &pool.value().executor();
      same(search_seeds(kit, rules, passes, regions, spec, 12, context).value());
    }
  }
  // It does leave something out.
  SearchSpec spec = spec_of("100 * loops + diameter", {}, 4000);
  spec.ranking_only = true;
  const SearchResult pruned = search_seeds(kit, rules, passes, regions, spec, 3).value();
  EXPECT_GT(std::count(pruned.failed.begin(), pruned.failed.end(), kBeyondRanking), 300);
  EXPECT_EQ(pruned.qualified, 4000U);
}

TEST(Expressions, ValuesAndFaults) {
  Measures measures{};
  measures[static_cast<std::size_t>(Measure::kPieces)] = 20;
  measures[static_cast<std::size_t>(Measure::kLargestShare)] = 0.5;
  const auto value = [&](std::string_view text) { return Expression::parse(text).value().value(measures); };
  EXPECT_EQ(value("1 + 2 * 3 - 8 / 4"), 5);
  EXPECT_EQ(value("-(1 + 2) * -3"), 9);
  EXPECT_EQ(value("pieces >= 20 && A_r_max < 1"), 1);
  EXPECT_EQ(value("!(pieces == 20) || 0"), 0);
  EXPECT_EQ(value("max(pieces, 30) - min(1, 2) + abs(-2) + sqrt(9)"), 34);
  EXPECT_EQ(value("1 < 2 == 1"), 1);
  for (const char* text : {"", "1 +", "(1", "pieces pieces", "min(1)", "1..2", "$", "a && "}) {
    const auto parsed = Expression::parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.status().message.find("column"), std::string::npos) << parsed.status().text();
  }
  EXPECT_NE(Expression::parse("piecez > 1").status().message.find("'pieces'"), std::string::npos);
  for (const char* text : {"5 <= pieces <= 20", "pieces == loops == 1"}) {
    EXPECT_NE(Expression::parse(text).status().message.find("do not chain"), std::string::npos) << text;
  }
  EXPECT_NE(Expression::parse("pieces = 20").status().message.find("=="), std::string::npos);
  const auto deep = Expression::parse(std::string(5000, '('));
  ASSERT_FALSE(deep.ok());
  EXPECT_LT(deep.status().message.size(), 300U);
}

TEST(Measures, NamesAreThoseOfTheSpecification) {
  EXPECT_EQ(measure_name(Measure::kLargestShare), "A_r_max");
  EXPECT_EQ(measure_name(Measure::kConnectedShare), "c_bar");
}

}  // namespace
}  // namespace strew::snap
