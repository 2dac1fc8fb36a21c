#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "raster_fixture.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

using strew_test::kNaN;
using strew_test::Raster;
using strew_test::units;

struct Outcome {
  std::vector<std::uint64_t> words;
  std::vector<double> altitude;
  RejectionCounts counts{};

  [[nodiscard]] bool accepted(std::size_t i) const { return (words[i / 64] >> (i % 64) & 1U) != 0; }
  [[nodiscard]] std::uint64_t count(Rejection rejection) const {
    return counts[static_cast<std::size_t>(rejection)];
  }
  [[nodiscard]] std::uint64_t rejected() const {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
};

Outcome validate(const std::vector<Coord>& x, const std::vector<Coord>& y, const TerrainView& terrain,
                 const Constraints& constraints) {
  Outcome outcome;
  outcome.words.assign(x.size() / 64 + 2, ~std::uint64_t{0});
  outcome.altitude.assign(x.size(), -1);
  validate_batch(x, y, terrain, constraints, outcome.words, outcome.altitude, outcome.counts);
  return outcome;
}

Outcome validate_one(Coord x, Coord y, const TerrainView& terrain, const Constraints& constraints) {
  return validate({x}, {y}, terrain, constraints);
}

// 9 x 9 samples of 10 m: elevation rises 5 m per sample eastwards, slope equals 4 degrees times the row,
// biome 1 in the west, 2 from column 5 on.
class ValidateBatch : public ::testing::Test {
 protected:
  Raster<float> elevation_{9, 9, 10.0, [](auto column, auto) { return static_cast<float>(5 * column); }};
  Raster<float> slope_{9, 9, 10.0, [](auto, auto row) { return static_cast<float>(4 * row); }};
  Raster<std::uint8_t> biome_{
      9, 9, 10.0, [](auto column, auto) { return static_cast<std::uint8_t>(column < 5 ? 1 : 2); }};
  TerrainView terrain_{elevation_.view, slope_.view, biome_.view};

  void expect_only(const Constraints& constraints, double x, double y, Rejection reason) {
    const Outcome outcome = validate_one(units(x), units(y), terrain_, constraints);
    EXPECT_FALSE(outcome.accepted(0)) << x << ' ' << y;
    EXPECT_EQ(outcome.count(reason), 1U) << x << ' ' << y;
    EXPECT_EQ(outcome.rejected(), 1U);
  }
  void expect_accepted(const Constraints& constraints, double x, double y) {
    const Outcome outcome = validate_one(units(x), units(y), terrain_, constraints);
    EXPECT_TRUE(outcome.accepted(0)) << x << ' ' << y;
    EXPECT_EQ(outcome.rejected(), 0U);
  }
};

TEST_F(ValidateBatch, NoRulesAcceptsAndGivesAltitude) {
  const Outcome outcome = validate_one(units(15), units(40), terrain_, {});
  EXPECT_TRUE(outcome.accepted(0));
  EXPECT_EQ(outcome.altitude[0], 7.5);
  const Outcome flat = validate_one(units(1e6), units(40), {}, {});
  EXPECT_TRUE(flat.accepted(0));
  EXPECT_EQ(flat.altitude[0], 0);
}

TEST_F(ValidateBatch, OutsideOfElevationOrBiome) {
  expect_only({}, -5.1, 40, Rejection::kOutside);
  expect_only({}, 40, 85, Rejection::kOutside);
  terrain_.biome.width = 4;
  expect_only({}, 60, 40, Rejection::kOutside);
  // Beyond one raster and without data in the other: outside is the first reason.
  elevation_.at(6, 4) = kNaN;
  expect_only({}, 60, 40, Rejection::kOutside);
  terrain_.biome = {};
  expect_only({}, 60, 40, Rejection::kNodata);
  expect_accepted({}, 20, 20);
}

TEST_F(ValidateBatch, NodataOfElevationOrBiomeComesBeforeRules) {
  Constraints constraints;
  constraints.biomes.emplace().set(9);
  elevation_.at(2, 2) = kNaN;
  expect_only(constraints, 25, 25, Rejection::kNodata);
  expect_only(constraints, 45, 25, Rejection::kBiome);
  terrain_.biome.has_nodata = true;
  terrain_.biome.nodata = 2;
  expect_only(constraints, 60, 60, Rejection::kNodata);
}

TEST_F(ValidateBatch, BiomeRule) {
  Constraints constraints;
  constraints.biomes.emplace().set(2);
  expect_accepted(constraints, 45, 40);
  expect_only(constraints, 44.9, 40, Rejection::kBiome);
  terrain_.biome = {};
  expect_only(constraints, 45, 40, Rejection::kBiome);
}

TEST_F(ValidateBatch, AltitudeRuleIsInclusive) {
  Constraints constraints;
  constraints.altitude_m = Range{10, 20};
  expect_accepted(constraints, 20, 40);
  expect_accepted(constraints, 40, 40);
  expect_only(constraints, 19.99, 40, Rejection::kAltitude);
  expect_only(constraints, 40.01, 40, Rejection::kAltitude);
}

TEST_F(ValidateBatch, SlopeRuleIsInclusiveAndAsksItsRasterOnlyThen) {
  Constraints constraints;
  constraints.slope_degrees = Range{8, 16};
  expect_accepted(constraints, 20, 20);
  expect_accepted(constraints, 20, 40);
  expect_only(constraints, 20, 19.99, Rejection::kSlope);
  expect_only(constraints, 20, 40.01, Rejection::kSlope);
  slope_.at(2, 2) = kNaN;
  expect_only(constraints, 20, 20, Rejection::kNodata);
  expect_accepted({}, 20, 20);
  terrain_.slope.height = 3;
  expect_only(constraints, 60, 40, Rejection::kOutside);
  terrain_.slope = {};
  expect_only(constraints, 20, 20, Rejection::kSlope);
}

TEST_F(ValidateBatch, NoiseRuleUsesGradientNoise) {
  Constraints constraints;
  constraints.noise = NoiseRule{NoiseSpec{0.05, 2, 0.5, 3, 4}, 0.1};
  std::uint64_t passed = 0;
  for (int k = 0; k < 500; ++k) {
    const Coord x = units(k * 0.15);
    const Coord y = units(40 - k * 0.07);
    const double noise = gradient_noise(constraints.noise->noise, x, y);
    const Outcome outcome = validate_one(x, y, terrain_, constraints);
    EXPECT_EQ(outcome.accepted(0), noise >= 0.1);
    EXPECT_EQ(outcome.count(Rejection::kNoise), noise >= 0.1 ? 0U : 1U);
    passed += static_cast<std::uint64_t>(outcome.accepted(0));
    // A threshold equal to the noise passes.
    Constraints exact = constraints;
    exact.noise->threshold = noise;
    EXPECT_TRUE(validate_one(x, y, terrain_, exact).accepted(0));
  }
  EXPECT_GT(passed, 20U);
  EXPECT_LT(passed, 480U);
}

TEST_F(ValidateBatch, FirstRuleCounts) {
  Constraints constraints;
  constraints.biomes.emplace().set(2);
  constraints.altitude_m = Range{30, 100};
  constraints.slope_degrees = Range{20, 90};
  constraints.noise = NoiseRule{NoiseSpec{}, 1};
  expect_only(constraints, 10, 10, Rejection::kBiome);
  expect_only(constraints, 50, 10, Rejection::kAltitude);
  expect_only(constraints, 61, 10, Rejection::kSlope);
  expect_only(constraints, 61, 61, Rejection::kNoise);
}

TEST_F(ValidateBatch, SizesAroundAWordAgreeWithSinglePoints) {
  Constraints constraints;
  constraints.biomes.emplace().set(1);
  constraints.altitude_m = Range{3, 30};
  constraints.slope_degrees = Range{5, 28};
  constraints.noise = NoiseRule{NoiseSpec{0.1, 1, 0.5, 1, 1}, -0.3};
  elevation_.at(4, 4) = kNaN;
  for (const std::size_t n : {0U, 1U, 63U, 64U, 65U, 128U, 1000U}) {
    std::vector<Coord> x;
    std::vector<Coord> y;
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back(units(static_cast<double>(mix64(i) % 1000) * 0.1 - 8));
      y.push_back(units(static_cast<double>(mix64(i + 5000) % 1000) * 0.1 - 8));
    }
    const Outcome outcome = validate(x, y, terrain_, constraints);
    RejectionCounts counts{};
    for (std::size_t i = 0; i < n; ++i) {
      const Outcome single = validate_one(x[i], y[i], terrain_, constraints);
      EXPECT_EQ(outcome.accepted(i), single.accepted(0)) << n << ' ' << i;
      if (single.accepted(0)) {
        EXPECT_EQ(outcome.altitude[i], single.altitude[0]);
      }
      for (std::size_t kind = 0; kind < kRejectionKinds; ++kind) {
        counts[kind] += single.counts[kind];
      }
    }
    EXPECT_EQ(outcome.counts, counts);
    for (std::size_t bit = n; bit < outcome.words.size() * 64; ++bit) {
      EXPECT_FALSE(outcome.accepted(bit)) << n << ' ' << bit;
    }
  }
}

TEST_F(ValidateBatch, CountsAreAddedTo) {
  Outcome outcome = validate_one(units(-100), 0, terrain_, {});
  const std::vector<Coord> far(3, units(-100));
  outcome.altitude.resize(3);
  validate_batch(far, far, terrain_, {}, outcome.words, outcome.altitude, outcome.counts);
  EXPECT_EQ(outcome.count(Rejection::kOutside), 4U);
}

}  // namespace
}  // namespace strew
