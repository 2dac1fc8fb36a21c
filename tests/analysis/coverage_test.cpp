#include "known_sets.hpp"

namespace strew {
namespace {

using strew_test::KnownSet;

CoverageReport coverage(const KnownSet& set, const CoverageOptions& options) {
  auto report = measure_coverage(set.view(), options, {});
  EXPECT_TRUE(report.ok()) << report.status().text();
  return report.ok() ? report.value() : CoverageReport{};
}

TEST(Coverage, VoidOfALatticeIsItsHalfDiagonal) {
  const KnownSet set = strew_test::square_lattice(20, 2);
  EXPECT_NEAR(coverage(set, {}).void_radius, std::sqrt(2.0), 1e-9);
}

TEST(Coverage, FractionOfALatticeIsKnown) {
  // Discs of half the step leave 1 - pi / 4 of the plane.
  const KnownSet set = strew_test::square_lattice(50, 2);
  const CoverageReport report = coverage(set, {.radius = 1, .probes = 400'000});
  EXPECT_GT(report.probes, 350'000U);
  EXPECT_LT(report.probes, 400'000U);
  EXPECT_NEAR(report.fraction, 1 - 0.785398163, 5 * report.error);
  EXPECT_NEAR(report.error, 0.00066, 0.0001);
  EXPECT_GT(report.upper, report.fraction);
}

TEST(Coverage, FindsAPlantedHoleAtItsPlaceWithItsRadius) {
  // Three points hold a disc of 3 m around (31.25, 17.5); the rest of the lattice keeps out of it.
  KnownSet set;
  set.window = {0, 0, 60, 40};
  constexpr double kX = 31.25;
  constexpr double kY = 17.5;
  for (int j = 0; j < 80; ++j) {
    for (int i = 0; i < 120; ++i) {
      const double x = i * 0.5 + 0.25;
      const double y = j * 0.5 + 0.25;
      if (std::hypot(x - kX, y - kY) > 3.01) {
        set.add(x, y);
      }
    }
  }
  set.add(kX + 3, kY);
  set.add(kX - 1.8, kY + 2.4);
  set.add(kX - 1.8, kY - 2.4);
  const CoverageReport report = coverage(set, {.radius = 0.8, .probes = 200'000, .seed = 4});
  EXPECT_NEAR(report.void_radius, 3, 1e-9);
  EXPECT_NEAR(report.void_x, kX, 1e-6);
  EXPECT_NEAR(report.void_y, kY, 1e-6);
  EXPECT_NEAR(report.fraction, 3.14159 * 2.2 * 2.2 / (58.4 * 38.4), 0.0015);
}

TEST(Coverage, AVoidStaysInTheWindow) {
  KnownSet set;
  set.window = {0, 0, 10, 4};
  set.add(9.9, 0.1);
  set.add(9.9, 3.9);
  const CoverageReport report = coverage(set, {});
  EXPECT_NEAR(report.void_radius, 2, 1e-6);  // half the window's height
  EXPECT_NEAR(report.void_y, 2, 1e-4);
}

TEST(Coverage, MaximalSetsLeaveNothing) {
  const KnownSet set = strew_test::generated("poisson/tiled", 200, 200, 2);
  const CoverageReport report = coverage(set, {.radius = 2.001, .probes = 500'000});
  EXPECT_EQ(report.uncovered, 0U);
  EXPECT_GT(report.upper, 0);
  EXPECT_LT(report.upper, 1e-5);
  EXPECT_LT(report.void_radius, 2.001);
  EXPECT_GT(report.void_radius, 1.9);
}

TEST(Coverage, ARadiusBeyondTheWindowHasNoProbes) {
  const KnownSet set = strew_test::poisson_process(100, 10, 1);
  const CoverageReport report = coverage(set, {.radius = 6});
  EXPECT_EQ(report.probes, 0U);
  EXPECT_EQ(report.fraction, 0);
  EXPECT_GT(report.void_radius, 0.5);
}

}  // namespace
}  // namespace strew
