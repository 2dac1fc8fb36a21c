// Every variant equals the reference bit for bit: sizes, borders, rules, instruction sets, depths, workers.
#include <gtest/gtest.h>

#include "patterns.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

using strew_test::copy_of;
using strew_test::crop_of;
using strew_test::random_grid;

constexpr std::array<Border, 3> kBorders = {Border::kDead, Border::kAlive, Border::kPeriodic};

/// Variants and instruction sets that this machine runs, without the reference.
struct Runner {
  AutomatonVariant variant;
  Isa isa;
};
std::vector<Runner> runners() {
  std::vector<Runner> all;
  for (const AutomatonVariant variant : automaton_variants()) {
    if (variant == AutomatonVariant::kRef) {
      continue;
    }
    if (variant == AutomatonVariant::kSwar) {
      all.push_back({variant, Isa::kBest});
      continue;
    }
    for (const Isa isa : {Isa::kScalar, Isa::kSse4, Isa::kAvx2, Isa::kAvx512}) {
      RunContext context;
      context.max_isa = isa;
      if (automaton_isa(variant, context).ok()) {
        all.push_back({variant, isa});
      }
    }
  }
  return all;
}
std::string name(const Runner& runner) {
  return std::string(to_string(runner.variant)) + "/" + std::string(to_string(runner.isa));
}

AutomatonRule random_rule(std::uint64_t i) {
  const std::uint64_t bits = mix64(i + 77);
  return {static_cast<std::uint16_t>(bits & 0x1FFU), static_cast<std::uint16_t>((bits >> 9) & 0x1FFU)};
}

void expect_equal(const AutomatonRule& rule, Border border, std::int64_t width, std::int64_t height,
                  std::int64_t generations, std::int32_t depth) {
  const BitGrid start = random_grid(width, height, 0.5, static_cast<std::uint64_t>(width * 1000 + height));
  BitGrid expected = copy_of(start);
  AutomatonOptions options;
  options.variant = AutomatonVariant::kRef;
  ASSERT_TRUE(advance(rule, border, generations, expected, options).ok());
  for (const Runner& runner : runners()) {
    BitGrid grid = copy_of(start);
    options.variant = runner.variant;
    options.depth = depth;
    RunContext context;
    context.max_isa = runner.isa;
    const Status status = advance(rule, border, generations, grid, options, context);
    ASSERT_TRUE(status.ok()) << status.text();
    ASSERT_TRUE(grid == expected) << name(runner) << " " << to_string(rule) << " " << to_string(border) << " "
                                  << width << "x" << height << " generations " << generations << " depth "
                                  << depth;
  }
}

TEST(AutomatonVariants, EqualTheReferenceAtOddSizes) {
  constexpr std::array<std::array<std::int64_t, 2>, 14> kSizes = {{{1, 1},
                                                                   {2, 3},
                                                                   {63, 5},
                                                                   {64, 4},
                                                                   {65, 1},
                                                                   {127, 2},
                                                                   {128, 9},
                                                                   {300, 1},
                                                                   {511, 7},
                                                                   {512, 3},
                                                                   {513, 6},
                                                                   {1, 70},
                                                                   {8064, 2},
                                                                   {8200, 3}}};
  std::uint64_t i = 0;
  for (const auto& [width, height] : kSizes) {
    for (const Border border : kBorders) {
      expect_equal(random_rule(i++), border, width, height, 3, 0);
      expect_equal(kDayAndNight, border, width, height, 2, 0);
    }
  }
}

TEST(AutomatonVariants, EqualTheReferenceForNamedAndRandomRules) {
  for (const NamedRule& named : named_rules()) {
    expect_equal(named.rule, Border::kDead, 150, 40, 2, 0);
  }
  for (std::uint64_t i = 100; i < 130; ++i) {
    expect_equal(random_rule(i), kBorders[i % 3], 130, 12, 2, 0);
  }
}

TEST(AutomatonVariants, EqualTheReferenceAtEveryDepth) {
  for (std::int32_t depth = 1; depth <= 16; ++depth) {
    expect_equal(kDayAndNight, kBorders[static_cast<std::size_t>(depth) % 3], 200, 30, 16, depth);
  }
  expect_equal(random_rule(5), Border::kPeriodic, 70, 9, 64, 64);
}

TEST(AutomatonVariants, ManyStripsAndBandsMeet) {
  for (const Border border : kBorders) {
    const BitGrid start = random_grid(17000, 90, 0.7, 4);
    BitGrid expected = copy_of(start);
    AutomatonOptions options;
    options.variant = AutomatonVariant::kSwar;
    options.depth = 1;
    ASSERT_TRUE(advance(kDayAndNight, border, 6, expected, options).ok());
    for (const Runner& runner : runners()) {
      for (const std::uint32_t workers : {1U, 2U, 3U, 7U}) {
        const ShuffledExecutor shuffled(workers, workers);
        RunContext context;
        context.max_isa = runner.isa;
        context.executor = &shuffled.executor();
        options.variant = runner.variant;
        options.depth = static_cast<std::int32_t>(workers);
        options.band_rows = 11 * workers;
        BitGrid grid = copy_of(start);
        ASSERT_TRUE(advance(kDayAndNight, border, 6, grid, options, context).ok());
        ASSERT_TRUE(grid == expected) << name(runner) << " " << to_string(border) << " workers " << workers;
      }
    }
  }
}

TEST(AutomatonVariants, ThreadsGiveTheSame) {
  const BitGrid start = random_grid(5000, 300, 0.7, 4);
  BitGrid expected = copy_of(start);
  ASSERT_TRUE(advance(kDayAndNight, Border::kDead, 10, expected).ok());
  for (const std::uint32_t workers : {2U, 3U, 7U}) {
    const auto pool = ThreadPool::create(workers);
    ASSERT_TRUE(pool.ok());
    RunContext context;
    context.executor = &pool.value().executor();
    BitGrid grid = copy_of(start);
    ASSERT_TRUE(advance(kDayAndNight, Border::kDead, 10, grid, {}, context).ok());
    EXPECT_TRUE(grid == expected) << workers;
  }
}

TEST(AutomatonVariants, FillsAndWindowsEqualTheReference) {
  for (std::uint64_t i = 0; i < 12; ++i) {
    const AutomatonPlane plane{
        random_rule(i), {0.1 + 0.07 * static_cast<double>(i), i, i % 3}, static_cast<std::int64_t>(i % 5)};
    const auto x0 = static_cast<std::int64_t>(mix64(i) % 2000000000) - 1000000000;
    const auto y0 = static_cast<std::int64_t>(mix64(i + 50) % 2000000000) - 1000000000;
    const CellRange range{x0, y0, x0 + 1 + static_cast<std::int64_t>(i * 37),
                          y0 + 1 + static_cast<std::int64_t>(i)};
    AutomatonOptions options;
    options.variant = AutomatonVariant::kRef;
    const auto expected = automaton_window(plane, range, options);
    ASSERT_TRUE(expected.ok());
    for (const Runner& runner : runners()) {
      RunContext context;
      context.max_isa = runner.isa;
      options.variant = runner.variant;
      options.depth = static_cast<std::int32_t>(i % 4);  // some in several passes
      const auto window = automaton_window(plane, range, options, context);
      ASSERT_TRUE(window.ok()) << window.status().text();
      ASSERT_TRUE(window.value() == expected.value()) << name(runner) << " " << i;
    }
  }
}

TEST(AutomatonVariants, StreamsEqualTheReferenceAndTheWhole) {
  struct Collected {
    BitGrid grid;
    std::int64_t y0;
  };
  const auto collect = [](void* user, const BitGrid& band, std::int64_t y0) -> Status {
    auto& into = *static_cast<Collected*>(user);
    for (std::int64_t y = 0; y < band.height(); ++y) {
      for (std::int64_t x = 0; x < band.width(); ++x) {
        into.grid.set(x, y0 - into.y0 + y, band.get(x, y));
      }
    }
    return {};
  };
  for (const Border border : kBorders) {
    for (const std::int64_t width : {1, 70, 200}) {
      AutomatonWorld world{{kDayAndNight, {0.6, 3, 0}, 5}, border, width, 50};
      // The whole by filling and stepping.
      BitGrid whole = BitGrid::create(width, 50).value();
      ASSERT_TRUE(fill_grid(world.plane.fill, 0, 0, whole).ok());
      ASSERT_TRUE(advance(kDayAndNight, border, 5, whole).ok());
      const CellRange range{width / 3, 4, width, 47};
      const BitGrid expected = crop_of(whole, range.x0, range.y0, range.x1, range.y1);
      auto all = runners();
      all.push_back({AutomatonVariant::kRef, Isa::kBest});
      for (const Runner& runner : all) {
        RunContext context;
        context.max_isa = runner.isa;
        AutomatonOptions options;
        options.variant = runner.variant;
        options.band_rows = 9;
        options.depth = 2;
        Collected into{BitGrid::create(range.x1 - range.x0, range.y1 - range.y0).value(), range.y0};
        const Status status = automaton_stream(world, range, collect, &into, options, context);
        ASSERT_TRUE(status.ok()) << status.text();
        ASSERT_TRUE(into.grid == expected) << name(runner) << " " << to_string(border) << " " << width;
      }
    }
  }
}

TEST(AutomatonVariants, AnIsaThatIsMissingIsAnError) {
  for (const Isa isa : {Isa::kSse4, Isa::kAvx2, Isa::kAvx512}) {
    RunContext context;
    context.max_isa = isa;
    if (!automaton_isa(AutomatonVariant::kBest, context).ok() &&
        automaton_variants().front() == AutomatonVariant::kHwy) {
      BitGrid grid = BitGrid::create(8, 8).value();
      const Status status = advance(kDayAndNight, Border::kDead, 1, grid, {}, context);
      EXPECT_EQ(status.code, StatusCode::kUnsupported);
      EXPECT_EQ(status.where, "isa");
    }
  }
}

}  // namespace
}  // namespace strew
