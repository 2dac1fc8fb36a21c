#include "known_sets.hpp"

namespace strew {
namespace {

using strew_test::KnownSet;

std::vector<HarmonicReport> harmonics(const KnownSet& set, const std::vector<HarmonicRequest>& requests) {
  auto report = measure_harmonics(set.view(), requests, {});
  EXPECT_TRUE(report.ok()) << report.status().text();
  return report.ok() ? report.value() : std::vector<HarmonicReport>(requests.size());
}

TEST(Harmonics, BraggPeaksOfALatticeInAWindowOfPartPeriods) {
  // The window ends in the middle of a period; whole periods are cut from it.
  KnownSet set = strew_test::square_lattice(40, 1.5);
  set.window.x1 += 0.7;
  const auto reports = harmonics(set, {{1.5, 1, 0}, {1.5, 0, 2}, {1.5, 1, 1}});
  for (const HarmonicReport& report : reports) {
    EXPECT_EQ(report.points, 1600U);
    EXPECT_EQ(report.neighbours, 24U);
    EXPECT_NEAR(report.power, 1600, 1e-6);
    EXPECT_LT(report.beside, 1e-9);
    EXPECT_LT(report.chance, 1e-9);
  }
}

TEST(Harmonics, PoissonProcessShowsNothing) {
  const KnownSet set = strew_test::poisson_process(10000, 100, 13);
  const auto reports =
      harmonics(set, {{10, 1, 0}, {10, 0, 1}, {10, 2, 0}, {3.7, 1, 0}, {3.7, 1, 1}, {50, 1, 0}});
  for (const HarmonicReport& report : reports) {
    EXPECT_NEAR(report.beside, 1, 0.9);
    EXPECT_GT(report.chance, 1e-3);
  }
}

TEST(Harmonics, AFaintLatticeStandsOut) {
  // Every cell of 4 m has a little more in one half: invisible by eye, plain at the harmonic.
  KnownSet set = strew_test::poisson_process(40000, 200, 21);
  for (std::size_t i = 0; i < set.x.size(); i += 8) {
    const double cell = std::floor(set.x[i] / 4) * 4;
    set.x[i] = cell + (set.x[i] - cell) / 2;
  }
  const auto reports = harmonics(set, {{4, 1, 0}, {4, 0, 1}});
  EXPECT_GT(reports[0].power, 50 * reports[0].beside);
  EXPECT_LT(reports[0].chance, 1e-9);
  EXPECT_GT(reports[1].chance, 1e-3);
}

TEST(Harmonics, NeighboursAreNeverHarmonicsThemselves) {
  const KnownSet set = strew_test::square_lattice(20, 1);
  // Two periods of 10: every second wave vector is a harmonic, and only those that are not are beside.
  const auto reports = harmonics(set, {{10, 1, 0}});
  EXPECT_EQ(reports[0].neighbours, 16U);
}

TEST(Harmonics, RefusesWhatTheWindowCannotHold) {
  const KnownSet set = strew_test::square_lattice(20, 1);
  for (const HarmonicRequest request :
       {HarmonicRequest{10.5, 1, 0}, HarmonicRequest{0, 1, 0}, HarmonicRequest{1, 0, 0},
        HarmonicRequest{NAN, 1, 0}, HarmonicRequest{5e-9, 0, 1}}) {
    const auto report = measure_harmonics(set.view(), {{request}}, {});
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.status().code, StatusCode::kInvalidArgument);
    EXPECT_FALSE(report.status().where.empty());
  }
}

}  // namespace
}  // namespace strew
