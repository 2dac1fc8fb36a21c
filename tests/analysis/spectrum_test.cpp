#include <complex>

#include "known_sets.hpp"

namespace strew {
namespace {

using strew_test::KnownSet;

SpectrumReport spectrum(const KnownSet& set, const SpectrumOptions& options = {}) {
  auto report = measure_spectrum(set.view(), options, {});
  EXPECT_TRUE(report.ok()) << report.status().text();
  return report.ok() ? report.value() : SpectrumReport{};
}

TEST(Spectrum, EqualsTheSumByItsDefinition) {
  const KnownSet set = strew_test::poisson_process(1003, 20, 8);
  const SpectrumReport report = spectrum(set);
  ASSERT_EQ(report.segments, 1U);
  ASSERT_EQ(report.columns % 2, 1U);
  const auto half_x = static_cast<int>(report.columns / 2);
  const auto half_y = static_cast<int>(report.rows / 2);
  for (int my = -half_y; my <= half_y; my += 13) {
    for (int mx = -half_x; mx <= half_x; mx += 11) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < set.x.size(); ++i) {
        sum += std::polar(1.0, 2 * 3.141592653589793 * (mx * set.x[i] + my * set.y[i]) / 20);
      }
      const double frequency = std::hypot(mx, my) / 20;
      const bool shown = frequency > 0 && frequency <= 3 * std::sqrt(set.view().density());
      const auto at =
          static_cast<std::size_t>(my + half_y) * report.columns + static_cast<std::size_t>(mx + half_x);
      EXPECT_NEAR(static_cast<double>(report.power[at]), shown ? std::norm(sum) / 1003 : 0, 1e-4)
          << mx << " " << my;
    }
  }
}

TEST(Spectrum, PoissonProcessIsOneWithinItsErrors) {
  const KnownSet set = strew_test::poisson_process(40000, 200, 1);
  const SpectrumReport report = spectrum(set);
  EXPECT_GT(report.segments, 4U);
  int beyond_two = 0;
  for (const SpectrumBin& bin : report.bins) {
    EXPECT_NEAR(bin.power, 1, 5 * bin.error + 1e-9) << bin.frequency;
    beyond_two += std::fabs(bin.power - 1) > 2 * bin.error ? 1 : 0;
  }
  // 5 % of the bins on average.
  EXPECT_LT(beyond_two, static_cast<int>(report.bins.size()) / 7);
  // Isotropic: -10 log10(segments) on average.
  double sum = 0;
  for (std::size_t i = report.bins.size() / 2; i < report.bins.size(); ++i) {
    sum += report.bins[i].anisotropy_db - report.isotropic_db;
  }
  EXPECT_NEAR(sum / (static_cast<double>(report.bins.size()) / 2), 0, 0.3);
}

TEST(Spectrum, LatticeHasBraggPeaksOfHeightN) {
  const KnownSet set = strew_test::square_lattice(50, 1);
  const SpectrumReport report = spectrum(set, {.max_frequency = 2.5});
  ASSERT_EQ(report.segments, 1U);
  const std::size_t centre_x = report.columns / 2;
  const std::size_t centre_y = report.rows / 2;
  const auto power = [&](std::size_t mx, std::size_t my) {
    return static_cast<double>(report.power[(centre_y + my) * report.columns + centre_x + mx]);
  };
  EXPECT_NEAR(power(50, 0), 2500, 0.1);
  EXPECT_NEAR(power(0, 50), 2500, 0.1);
  EXPECT_NEAR(power(50, 100), 2500, 0.1);
  EXPECT_NEAR(power(49, 0), 0, 1e-3);
  EXPECT_NEAR(power(50, 1), 0, 1e-3);
  EXPECT_EQ(power(0, 0), 0);  // DC is left out
}

TEST(Spectrum, BlueNoiseIsQuietAtLowFrequency) {
  const KnownSet set = strew_test::generated("poisson/tiled", 320, 240, 4);
  const SpectrumReport report = spectrum(set);
  double low = 0;
  double vectors = 0;
  double peak = 0;
  for (const SpectrumBin& bin : report.bins) {
    if (bin.frequency * 2 < 0.3) {
      low += bin.power * static_cast<double>(bin.vectors);
      vectors += static_cast<double>(bin.vectors);
    }
    peak = std::max(peak, bin.power);
    if (bin.vectors > 50) {
      EXPECT_NEAR(bin.anisotropy_db, report.isotropic_db, 2.5) << bin.frequency;
    }
  }
  EXPECT_GT(vectors, 20);
  EXPECT_LT(low / vectors, 0.1);
  EXPECT_GT(low / vectors, 0.03);
  EXPECT_GT(peak, 1.4);
}

TEST(Spectrum, LongThinWindowsAndTinySets) {
  KnownSet thin = strew_test::poisson_process(3000, 100, 2);
  for (double& y : thin.y) {
    y /= 1000;
  }
  thin.window = {0, 0, 100, 0.1};
  EXPECT_FALSE(spectrum(thin).bins.empty());
  KnownSet two;
  two.window = {0, 0, 1, 1};
  two.add(0, 0);
  two.add(1, 1);
  for (const SpectrumBin& bin : spectrum(two).bins) {
    EXPECT_NEAR(bin.power, 2, 1e-5);  // both at phase 0
  }
}

TEST(Spectrum, RefusesMoreWaveVectorsThanItsLimit) {
  const KnownSet set = strew_test::square_lattice(10, 1);
  EXPECT_EQ(measure_spectrum(set.view(), {.max_frequency = 1e6}, {}).status().code,
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace strew
