#include "known_sets.hpp"

namespace strew {
namespace {

using strew_test::KnownSet;

BorderReport borders(const KnownSet& set, const BorderOptions& options) {
  auto report = measure_borders(set.view(), options, {});
  EXPECT_TRUE(report.ok()) << report.status().text();
  return report.ok() ? report.value() : BorderReport{};
}

TEST(Borders, PoissonProcessIsFlatWithinItsErrors) {
  const KnownSet set = strew_test::poisson_process(40000, 200, 3);
  // Lines that do not divide the window, from an origin outside it.
  const BorderReport report = borders(set, {.lines = {-13, 7, 23, 31}, .bins = 20});
  ASSERT_EQ(report.bins.size(), 20U);
  std::uint64_t counted = 0;
  for (const BorderBin& bin : report.bins) {
    EXPECT_NEAR(bin.density, 1, 5 * bin.error) << bin.distance;
    EXPECT_LT(bin.error, 0.1);
    counted += bin.count;
  }
  EXPECT_LE(counted, set.x.size());
}

TEST(Borders, BandsAddUpToTheWindow) {
  // Up to half a square tile, the bands hold every point, and their areas the whole window.
  const KnownSet set = strew_test::poisson_process(5000, 50, 4);
  const BorderReport report = borders(set, {.lines = {3, -1, 8, 8}, .max_distance = 1e9, .bins = 7});
  std::uint64_t counted = 0;
  double area = 0;
  for (const BorderBin& bin : report.bins) {
    counted += bin.count;
    area += static_cast<double>(bin.count) / (bin.density * set.view().density());
  }
  EXPECT_EQ(counted, 5000U);
  EXPECT_NEAR(area, 2500, 1e-6);
}

TEST(Borders, BridsonCrowdsItsBorderAndTiledDoesNot) {
  // The border band of half a radius, of sets grown in rectangles of 120 m.
  const auto nearest_band = [](const char* id) {
    double mean = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const KnownSet set = strew_test::generated(id, 120, 120, seed);
      const BorderReport report = borders(set, {.lines = {0, 0, 120, 120}, .max_distance = 10, .bins = 10});
      mean += report.bins.front().density / 4;
      EXPECT_LT(report.bins.front().error, 0.15);
    }
    return mean;
  };
  EXPECT_GT(nearest_band("poisson/bridson"), 1.15);
  EXPECT_NEAR(nearest_band("poisson/tiled"), 1, 0.1);
}

TEST(Borders, BandsOutsideTheWindowAreLeftOut) {
  const KnownSet set = strew_test::poisson_process(500, 10, 4);
  EXPECT_TRUE(borders(set, {.lines = {-500, -500, 1000, 1000}}).bins.empty());
}

}  // namespace
}  // namespace strew
