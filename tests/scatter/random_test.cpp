// The strategy "random" against the sequential definition, and grid-jitter.
#include <gtest/gtest.h>

#include <cmath>

#include "point_checks.hpp"
#include "random_candidates.hpp"
#include "strew/scatter_strategies.hpp"

namespace strew {
namespace {

using scatter::Candidate;
using scatter::Overlap;
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct Setting {
  double density;
  bool disc;
  double width;
  double height;
};

PointSet make(const Setting& setting, const Rect& region, std::uint64_t seed,
              const RunContext& context = {}) {
  ParameterSet parameters;
  parameters.set("density", setting.density);
  parameters.set("overlap", std::string(setting.disc ? "disc" : "rect"));
  if (setting.disc) {
    parameters.set("radius", setting.width);
  } else {
    parameters.set("width", setting.width);
    parameters.set("height", setting.height);
  }
  auto points = Generator().points("random", {region, seed, 7}, parameters, context);
  EXPECT_TRUE(points.ok()) << points.status().text();
  return std::move(points).value();
}

Rect metres(double x0, double y0, double x1, double y1) {
  return rect_from_metres(x0, y0, x1, y1, "test").value();
}

/// All candidates of a wide square, taken one by one: each stands unless one that stands is in conflict.
Pairs sequential(const Setting& setting, std::uint64_t seed, double low, double high) {
  const auto steps = [](double m) { return static_cast<std::int64_t>(std::ceil(m * 65536.0)); };
  const Overlap overlap{setting.disc, steps(setting.width),
                        setting.disc ? steps(setting.width) : steps(setting.height)};
  const scatter::CandidateCells cells(stream_key(seed, 7), setting.density);
  std::vector<Candidate> all;
  for (std::int64_t y = floor_div(steps(low), cells.side()); y * cells.side() < steps(high); ++y) {
    for (std::int64_t x = floor_div(steps(low), cells.side()); x * cells.side() < steps(high); ++x) {
      cells.append(x, y, all);
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Candidate& a, const Candidate& b) { return a.order() < b.order(); });
  std::vector<Candidate> standing;
  for (const Candidate& candidate : all) {
    if (std::none_of(standing.begin(), standing.end(),
                     [&](const Candidate& other) { return overlap.conflict(candidate, other); })) {
      standing.push_back(candidate);
    }
  }
  Pairs out;
  for (const Candidate& candidate : standing) {
    out.emplace_back(candidate.x, candidate.y);
  }
  std::sort(out.begin(), out.end());
  return out;
}

constexpr Setting kSettings[] = {
    {0.2, true, 1.5, 0}, {3, true, 2, 0}, {0.5, false, 4, 1}, {0.3, true, 0, 0}, {2, false, 0.5, 3}};

TEST(Random, EqualsTheSequentialDefinition) {
  for (const Setting& setting : kSettings) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const Rect region = metres(-18, -11, 17, 23);
      // Chains from outside the square do not come this far: 35 m are more than eight footprints.
      Pairs expected = sequential(setting, seed, -58, 63);
      std::erase_if(expected, [&](const auto& p) {
        return !region.contains(p.first * scatter::kRandomPitch, p.second * scatter::kRandomPitch);
      });
      Pairs found = strew_test::pairs(make(setting, region, seed));
      std::sort(found.begin(), found.end());
      EXPECT_GT(found.size(), 50U);
      EXPECT_EQ(found, expected) << setting.density << ' ' << seed;
    }
  }
}

TEST(Random, CropEqualsWholeAndWorkersDoNotMatter) {
  for (const Setting& setting : kSettings) {
    const Rect whole_region = metres(-50, -40, 71, 60);
    const PointSet whole = make(setting, whole_region, 5);
    EXPECT_TRUE(strew_test::in_order(whole));
    for (const Rect& rect : {metres(-50, -40, 0, 0), metres(3.3, -7, 4.1, 20), metres(60, 50, 71, 60)}) {
      EXPECT_EQ(strew_test::pairs(make(setting, rect, 5)), strew_test::crop(whole, rect));
    }
    ShuffledExecutor shuffled(3, 5);
    RunContext context;
    context.executor = &shuffled.executor();
    EXPECT_EQ(strew_test::pairs(make(setting, whole_region, 5, context)), strew_test::pairs(whole));
  }
}

TEST(Random, CandidatesHaveTheDensityAskedForAndPoissonSpread) {
  const Setting setting{0.25, true, 0, 0};  // none deleted
  const PointSet points = make(setting, metres(0, 0, 800, 800), 11);
  const double expected = 0.25 * 800 * 800;
  EXPECT_NEAR(static_cast<double>(points.size()), expected, 4 * std::sqrt(expected));
  // Counts in squares of 10 m have their mean as variance.
  std::vector<double> counts(80 * 80);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto x = static_cast<std::size_t>(to_metres(points.unit_x(i)) / 10);
    const auto y = static_cast<std::size_t>(to_metres(points.unit_y(i)) / 10);
    ++counts[y * 80 + x];
  }
  double variance = 0;
  for (const double count : counts) {
    variance += (count - 25) * (count - 25);
  }
  EXPECT_NEAR(variance / 6400 / 25, 1, 4 * std::sqrt(2.0 / 6400));
}

// The third process of Matern at time t leaves as many as random sequential adsorption after t darts per
// area.
TEST(Random, ThinningIsThatOfRandomSequentialAdsorption) {
  const Setting setting{64, true, 1,
                        0};  // 50 candidates per disc area: near saturation, N r^2 / A 0.6 to 0.7
  const PointSet points = make(setting, metres(0, 0, 60, 60), 4);
  const double packed = static_cast<double>(points.size()) / 3600;
  EXPECT_GT(packed, 0.60);
  EXPECT_LT(packed, 0.70);
  EXPECT_EQ(strew_test::closest_pair(points, 1).violations, 0U);
}

TEST(Random, RectanglesDoNotOverlap) {
  const Setting setting{1, false, 3, 1};
  const PointSet points = make(setting, metres(0, 0, 60, 60), 4);
  int beside = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double dx = std::abs(to_metres(points.unit_x(i) - points.unit_x(j)));
      const double dy = std::abs(to_metres(points.unit_y(i) - points.unit_y(j)));
      EXPECT_TRUE(dx >= 3 || dy >= 1);
      beside += dx < 3 && dy < 2 ? 1 : 0;
    }
  }
  EXPECT_GT(beside, 100);  // closer than a disc around the longer side would allow
}

TEST(Random, RefusesWhatItCannotFill) {
  ParameterSet parameters;
  parameters.set("density", 10.0);
  parameters.set("radius", 5.0);
  const auto points = Generator().points("random", {metres(0, 0, 5, 5), 1, 1}, parameters);
  ASSERT_FALSE(points.ok());
  EXPECT_EQ(points.status().where, "density");
}

PointSet grid(const Rect& region, const std::string& lattice, double jitter, double rotation) {
  ParameterSet parameters;
  parameters.set("spacing", 2.0);
  parameters.set("lattice", lattice);
  parameters.set("jitter", jitter);
  parameters.set("rotation", rotation);
  auto points = Generator().points("grid-jitter", {region, 3, 0}, parameters);
  EXPECT_TRUE(points.ok()) << points.status().text();
  return std::move(points).value();
}

TEST(GridJitter, HexagonalNeighboursAreOneSpacingAway) {
  const PointSet points = grid(metres(-20, -20, 20, 20), "hexagonal", 0, 17);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = to_metres(points.unit_x(i));
    const double y = to_metres(points.unit_y(i));
    if (std::hypot(x, y) > 15) {
      continue;
    }
    int neighbours = 0;
    for (std::size_t j = 0; j < points.size(); ++j) {
      const double d = std::hypot(x - to_metres(points.unit_x(j)), y - to_metres(points.unit_y(j)));
      neighbours += i != j && d < 2.001 ? 1 : 0;
      EXPECT_TRUE(i == j || d > 1.999);
    }
    EXPECT_EQ(neighbours, 6);
  }
}

TEST(GridJitter, OnePointPerCellAndCropEqualsWhole) {
  for (const std::string lattice : {"square", "hexagonal"}) {
    const PointSet whole = grid(metres(-100, -100, 100, 100), lattice, 0.4, 30);
    const double cell = lattice == "square" ? 4 : 4 * 0.8660254;
    EXPECT_NEAR(static_cast<double>(whole.size()), 40000 / cell, 60);
    const Rect part = metres(-3, 12.5, 40, 31);
    EXPECT_EQ(strew_test::pairs(grid(part, lattice, 0.4, 30)), strew_test::crop(whole, part));
  }
}

}  // namespace
}  // namespace strew
