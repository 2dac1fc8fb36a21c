#include "known_sets.hpp"

namespace strew {
namespace {

using strew_test::KnownSet;

SpacingReport spacing(const KnownSet& set, double radius) {
  auto report = measure_spacing(set.view(), {.radius = radius}, {});
  EXPECT_TRUE(report.ok()) << report.status().text();
  return report.ok() ? report.value() : SpacingReport{};
}

TEST(Spacing, TwoPoints) {
  KnownSet set;
  set.window = {-10, -10, 10, 10};
  set.add(-1.5, 2);
  set.add(1.5, 6);
  const SpacingReport report = spacing(set, 5.5);
  EXPECT_EQ(report.minimum_distance, 5);
  EXPECT_EQ(report.mean_nearest, 5);
  EXPECT_EQ(report.closest_a, 0U);
  EXPECT_EQ(report.closest_b, 1U);
  EXPECT_EQ(report.violations, 1U);
  EXPECT_EQ(spacing(set, 5).violations, 0U);  // at the radius is no violation
  EXPECT_EQ(spacing(set, 0).violations, 0U);
}

TEST(Spacing, LatticeIsAllOneDistance) {
  const KnownSet set = strew_test::square_lattice(40, 0.5);
  auto report = measure_spacing(set.view(), {.radius = 0.5, .bins = 10, .bin_width = 0.125}, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.value().minimum_distance, 0.5);
  EXPECT_EQ(report.value().mean_nearest, 0.5);
  EXPECT_EQ(report.value().violations, 0U);
  EXPECT_EQ(report.value().nearest.counts[4], 1600U);
  EXPECT_EQ(report.value().nearest.beyond, 0U);
}

TEST(Spacing, CountsEveryPairCloserThanTheRadius) {
  // Against all pairs by brute force, for radii from well below to far beyond the spacing.
  const KnownSet set = strew_test::poisson_process(700, 30, 3);
  for (const double radius : {0.01, 0.3, 1.0, 4.0, 25.0, 100.0}) {
    std::uint64_t pairs = 0;
    double closest = INFINITY;
    for (std::size_t i = 0; i < set.x.size(); ++i) {
      for (std::size_t j = i + 1; j < set.x.size(); ++j) {
        const double dx = set.x[i] - set.x[j];
        const double dy = set.y[i] - set.y[j];
        pairs += dx * dx + dy * dy < radius * radius ? 1 : 0;
        closest = std::min(closest, std::sqrt(dx * dx + dy * dy));
      }
    }
    const SpacingReport report = spacing(set, radius);
    EXPECT_EQ(report.violations, pairs) << radius;
    EXPECT_EQ(report.minimum_distance, closest);
  }
}

TEST(Spacing, FindsOnePlantedViolation) {
  KnownSet set = strew_test::square_lattice(100, 3);
  set.add(set.x[4321] + 0.3, set.y[4321] + 0.4);
  const SpacingReport report = spacing(set, 2);
  EXPECT_EQ(report.violations, 1U);
  EXPECT_NEAR(report.minimum_distance, 0.5, 1e-12);
  EXPECT_EQ(report.closest_a, 4321U);
  EXPECT_EQ(report.closest_b, 10000U);
}

TEST(Spacing, MeanNearestOfAPoissonProcess) {
  // 1 / (2 sqrt(density)), the border making it a little longer.
  const KnownSet set = strew_test::poisson_process(20000, 100, 5);
  EXPECT_NEAR(spacing(set, 0).mean_nearest * 2 * std::sqrt(2.0), 1, 0.02);
}

TEST(Spacing, EqualPointsAreAtDistanceZero) {
  KnownSet set = strew_test::poisson_process(50, 10, 1);
  for (int i = 0; i < 300; ++i) {
    set.add(5, 5);
  }
  const SpacingReport report = spacing(set, 1e-6);
  EXPECT_EQ(report.minimum_distance, 0);
  EXPECT_EQ(report.violations, 300U * 299 / 2);
}

TEST(Spacing, GeneratedSetsKeepTheRadius) {
  const KnownSet set = strew_test::generated("poisson/tiled", 200, 150, 9);
  const SpacingReport report = spacing(set, 2);
  EXPECT_EQ(report.violations, 0U);
  EXPECT_GE(report.minimum_distance, 2);
  EXPECT_LT(report.minimum_distance, 2.01);
  EXPECT_NEAR(set.view().density() * 4, 0.69656, 0.015);
}

}  // namespace
}  // namespace strew
