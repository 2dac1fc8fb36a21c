#include "known_sets.hpp"

namespace strew {
namespace {

using strew_test::KnownSet;

PairCorrelationReport correlation(const KnownSet& set, const PairCorrelationOptions& options = {}) {
  auto report = measure_pair_correlation(set.view(), options, {});
  EXPECT_TRUE(report.ok()) << report.status().text();
  return report.ok() ? report.value() : PairCorrelationReport{};
}

TEST(PairCorrelation, PoissonProcessIsOneWithinItsErrors) {
  const KnownSet set = strew_test::poisson_process(20000, 100, 6);
  const PairCorrelationReport report = correlation(set, {.bins = 40});
  EXPECT_EQ(report.blocks, 8U);
  EXPECT_EQ(report.centres, 20000U);
  int beyond_two = 0;
  for (const PairCorrelationBin& bin : report.bins) {
    EXPECT_GT(bin.error, 0);
    EXPECT_NEAR(bin.g, 1, 4.5 * bin.error) << bin.distance;
    beyond_two += std::fabs(bin.g - 1) > 2 * bin.error ? 1 : 0;
  }
  EXPECT_LE(beyond_two, 7);
}

TEST(PairCorrelation, TheBorderDoesNotPullItDown) {
  // Without the correction, 10 m in a window of 40 m would lose about a third of the pairs.
  double mean = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const PairCorrelationReport report =
        correlation(strew_test::poisson_process(1500, 40, 100 + seed), {.max_distance = 20, .bins = 10});
    mean += report.bins.back().g / 20;
  }
  EXPECT_NEAR(mean, 1, 0.01);
}

TEST(PairCorrelation, LatticePeaksAtItsDistances) {
  const KnownSet set = strew_test::square_lattice(60, 1);
  // Bins of 0.1 with edges between the lattice's distances 1, sqrt 2, 2, sqrt 5.
  const PairCorrelationReport report = correlation(set, {.max_distance = 2.35, .bins = 47});
  const double width = report.bin_width;
  const auto g = [&](double r) { return report.bins[static_cast<std::size_t>(r / width)].g; };
  const auto expected = [&](double neighbours, double r) {
    const double inner = std::floor(r / width) * width;
    return neighbours / (3.141592653589793 * width * (2 * inner + width));
  };
  EXPECT_NEAR(g(1.0 + 1e-9), expected(4, 1.0 + 1e-9), 0.02 * expected(4, 1.0));
  EXPECT_NEAR(g(std::sqrt(2.0)), expected(4, std::sqrt(2.0)), 0.02 * expected(4, std::sqrt(2.0)));
  EXPECT_NEAR(g(std::sqrt(5.0)), expected(8, std::sqrt(5.0)), 0.02 * expected(8, std::sqrt(5.0)));
  EXPECT_EQ(g(0.5), 0);
  EXPECT_EQ(g(1.2), 0);
}

TEST(PairCorrelation, NothingBelowTheRadiusAndAPeakAtIt) {
  const KnownSet set = strew_test::generated("poisson/tiled", 200, 200, 12);
  const PairCorrelationReport report = correlation(set, {.max_distance = 10, .bins = 100});
  for (const PairCorrelationBin& bin : report.bins) {
    if (bin.distance < 1.99) {
      EXPECT_EQ(bin.g, 0);
    }
  }
  EXPECT_GT(report.bins[20].g, 2);
  EXPECT_NEAR(report.bins[95].g, 1, 0.1);
}

TEST(PairCorrelation, ManyPairsAreThinnedByCentres) {
  const KnownSet set = strew_test::poisson_process(20000, 100, 6);
  const PairCorrelationReport report = correlation(set, {.bins = 20, .max_pairs = 300'000});
  EXPECT_LT(report.centres, 6000U);
  EXPECT_GT(report.centres, 2000U);
  for (const PairCorrelationBin& bin : report.bins) {
    EXPECT_NEAR(bin.g, 1, 5 * bin.error) << bin.distance;
  }
}

}  // namespace
}  // namespace strew
