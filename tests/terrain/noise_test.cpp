#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "noise_field.hpp"
#include "raster_fixture.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

using strew_test::units;

NoiseSpec spec_of(double frequency, std::int32_t octaves = 1, std::uint64_t seed = 1) {
  NoiseSpec spec;
  spec.frequency = frequency;
  spec.octaves = octaves;
  spec.seed = seed;
  return spec;
}

struct Statistics {
  double mean = 0;
  double deviation = 0;
  double lowest = 9;
  double highest = -9;
};

Statistics statistics(const NoiseSpec& spec, Coord x0, Coord y0) {
  Statistics result;
  double sum = 0;
  double squares = 0;
  constexpr int kSide = 1024;
  std::vector<float> row(kSide);
  const Coord step = units(0.1373 / spec.frequency);
  for (int line = 0; line < kSide; ++line) {
    gradient_noise_row(spec, x0, y0 + line * step, step, row);
    for (const float value : row) {
      sum += value;
      squares += static_cast<double>(value) * value;
      result.lowest = std::fmin(result.lowest, value);
      result.highest = std::fmax(result.highest, value);
    }
  }
  result.mean = sum / (kSide * kSide);
  result.deviation = std::sqrt(squares / (kSide * kSide) - result.mean * result.mean);
  return result;
}

TEST(GradientNoise, MeanRangeAndDeviationHereAndFarAway) {
  for (const double place : {0.0, 1e7, -1e7, 1e9}) {
    for (const std::int32_t octaves : {1, 5}) {
      const Statistics s = statistics(spec_of(0.01, octaves), units(place), units(-place));
      EXPECT_NEAR(s.mean, 0, 0.01) << place;
      EXPECT_NEAR(s.deviation, octaves == 1 ? 0.30 : 0.18, 0.02) << place;
      EXPECT_GE(s.lowest, -1);
      EXPECT_LE(s.highest, 1);
      EXPECT_GT(s.highest, octaves == 1 ? 0.85 : 0.5);
      EXPECT_LT(s.lowest, octaves == 1 ? -0.85 : -0.5);
    }
  }
}

// Gradients must prefer no direction: squared differences along 0, 45 and 90 degrees agree.
TEST(GradientNoise, NoPreferredDirection) {
  const NoiseSpec spec = spec_of(0.01, 1, 5);
  double along[4] = {};
  const double step = 2.0;
  const double diagonal = step * std::sqrt(0.5);
  const double offsets[4][2] = {{step, 0}, {diagonal, diagonal}, {0, step}, {-diagonal, diagonal}};
  for (std::uint64_t k = 0; k < 40000; ++k) {
    const Coord x = static_cast<Coord>(mix64(k) >> 18);
    const Coord y = static_cast<Coord>(mix64(k + 1000000) >> 18);
    const double here = gradient_noise(spec, x, y);
    for (int direction = 0; direction < 4; ++direction) {
      const double there =
          gradient_noise(spec, x + units(offsets[direction][0]), y + units(offsets[direction][1]));
      along[direction] += (there - here) * (there - here);
    }
  }
  for (int direction = 1; direction < 4; ++direction) {
    EXPECT_NEAR(along[direction] / along[0], 1, 0.05) << direction;
  }
}

// World coordinates of a lattice point of one octave.
struct LatticePoints {
  NoiseField field;
  std::size_t octave;
  [[nodiscard]] Coord x(std::int64_t cell) const {
    return (cell * field.period - field.octave[octave].phase_x) >> octave;
  }
  [[nodiscard]] Coord y(std::int64_t cell) const {
    return (cell * field.period - field.octave[octave].phase_y) >> octave;
  }
};

TEST(GradientNoise, ZeroOnTheLatticeAndContinuousAcrossIt) {
  const NoiseSpec spec = spec_of(1.0 / 64);
  const LatticePoints lattice{make_noise_field(spec), 0};
  for (std::int64_t cell = -50; cell < 50; ++cell) {
    const Coord x = lattice.x(cell);
    EXPECT_EQ(gradient_noise(spec, x, lattice.y(3)), 0);
    const Coord y = cell * 7777777777 + 5;
    const double at = gradient_noise(spec, x, y);
    EXPECT_NEAR(gradient_noise(spec, x - 1, y), at, 1e-6) << cell;
    EXPECT_NEAR(gradient_noise(spec, x + 1, y), at, 1e-6) << cell;
    // The first derivative is continuous too.
    const double left = at - gradient_noise(spec, x - units(0.25), y);
    const double right = gradient_noise(spec, x + units(0.25), y) - at;
    EXPECT_NEAR(left, right, 5e-4) << cell;
    const Coord line = lattice.y(cell);
    EXPECT_NEAR(gradient_noise(spec, y, line - 1), gradient_noise(spec, y, line), 1e-6) << cell;
  }
}

TEST(GradientNoise, SecondOctaveDoublesTheFrequency) {
  NoiseSpec two = spec_of(1.0 / 64, 2);
  two.gain = 1;
  const NoiseSpec one = spec_of(1.0 / 64, 1);
  const LatticePoints fine{make_noise_field(two), 1};
  // On the lattice of the second octave only half of the first remains.
  for (std::int64_t k = -20; k < 20; ++k) {
    const Coord x = fine.x(k);
    const Coord y = fine.y(3 * k + 1);
    EXPECT_NEAR(gradient_noise(two, x, y), gradient_noise(one, x, y) / 2, 1e-7);
  }
  two.gain = 0;
  EXPECT_EQ(gradient_noise(two, 123456789, 987654321), gradient_noise(one, 123456789, 987654321));
}

TEST(GradientNoise, OriginIsNoSpecialPlace) {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const double value = gradient_noise(spec_of(0.01, 4, seed), 0, 0);
    sum += value * value;
  }
  EXPECT_NEAR(std::sqrt(sum / 1000), 0.187, 0.02);
}

TEST(GradientNoise, SeedsAndStreamsAreIndependent) {
  const NoiseSpec base = spec_of(0.02, 1, 10);
  NoiseSpec seed = base;
  seed.seed = 11;
  NoiseSpec stream = base;
  stream.stream = 1;
  double with_seed = 0;
  double with_stream = 0;
  double self = 0;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const Coord x = static_cast<Coord>(mix64(k) >> 16);
    const Coord y = static_cast<Coord>(mix64(k + 77777) >> 16);
    const double value = gradient_noise(base, x, y);
    self += value * value;
    with_seed += value * gradient_noise(seed, x, y);
    with_stream += value * gradient_noise(stream, x, y);
  }
  EXPECT_NEAR(with_seed / self, 0, 0.04);
  EXPECT_NEAR(with_stream / self, 0, 0.04);
}

TEST(GradientNoise, RowEqualsPointsBitForBit) {
  std::vector<float> row(257);
  for (const double frequency : {1e-6, 0.003, 0.37, 1000.0}) {
    for (const std::int32_t octaves : {1, 3, 16}) {
      for (const double step_m : {0.001, 1.0, 8.0, 3000.7}) {
        const NoiseSpec spec = spec_of(frequency, octaves, 3);
        const Coord x = units(-300.3);
        const Coord y = units(1e6) + 17;
        const Coord step = units(step_m);
        gradient_noise_row(spec, x, y, step, row);
        for (std::size_t i = 0; i < row.size(); ++i) {
          ASSERT_EQ(static_cast<double>(row[i]), gradient_noise(spec, x + static_cast<Coord>(i) * step, y))
              << frequency << ' ' << octaves << ' ' << step_m << ' ' << i;
        }
      }
    }
  }
  gradient_noise_row(spec_of(1), 0, 0, 1, {});
}

// The bits are part of the output: a change here changes worlds.
TEST(GradientNoise, GoldenBits) {
  std::uint64_t hash = 0;
  NoiseSpec spec = spec_of(0.0123, 4, 42);
  spec.stream = 7;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const Coord x = static_cast<Coord>(mix64(k)) >> 4;
    const Coord y = static_cast<Coord>(mix64(k + 99)) >> 4;
    hash = mix64(hash ^ std::bit_cast<std::uint64_t>(gradient_noise(spec, x, y)));
  }
  EXPECT_EQ(hash, 0x7DEC6AB8B9EF73AAU);
}

NoiseSpec ridged_of(double frequency, std::int32_t octaves = 1) {
  NoiseSpec spec = spec_of(frequency, octaves);
  spec.kind = NoiseKind::kRidged;
  return spec;
}

TEST(RidgedNoise, MeanRangeAndDeviationHereAndFarAway) {
  for (const double place : {0.0, 1e7, -1e7, 1e9}) {
    for (const std::int32_t octaves : {1, 5}) {
      const Statistics s = statistics(ridged_of(0.01, octaves), units(place), units(-place));
      EXPECT_NEAR(s.mean, 0.205, 0.02) << place;
      EXPECT_NEAR(s.deviation, octaves == 1 ? 0.485 : 0.285, 0.02) << place;
      EXPECT_GE(s.lowest, -1);
      EXPECT_LE(s.highest, 1);
      EXPECT_GT(s.highest, octaves == 1 ? 0.999 : 0.9);
      EXPECT_LT(s.lowest, octaves == 1 ? -0.95 : -0.6);
    }
  }
}

TEST(RidgedNoise, CrestsStandWhereTheNoiseIsZero) {
  const NoiseSpec plain = spec_of(1.0 / 64);
  const NoiseSpec ridged = ridged_of(1.0 / 64);
  for (std::int64_t k = 0; k < 5000; ++k) {
    const Coord x = k * 7777777777;
    const Coord y = k * 3333333331;
    const double fold = 1 - std::fabs(gradient_noise(plain, x, y));
    EXPECT_NEAR(gradient_noise(ridged, x, y), 2 * fold * fold - 1, 1e-6);
  }
}

/// Shares of the variance along rows in octaves of frequency: share b is of [2^b, 2^(b+1)) times a quarter of
/// the noise's own frequency; the first one has what is below, too.
std::vector<double> spectrum(const NoiseSpec& spec) {
  constexpr std::size_t kSamples = 512;
  constexpr int kRows = 48;
  constexpr double kPeriods = 32;  // of the first octave along a row
  std::vector<float> row(kSamples);
  std::vector<double> shares(8);
  double total = 0;
  const Coord step = units(kPeriods / spec.frequency / kSamples);
  for (int line = 0; line < kRows; ++line) {
    gradient_noise_row(spec, units(17.3), line * units(37.7 / spec.frequency), step, row);
    double mean = 0;
    for (const float value : row) {
      mean += value / static_cast<double>(kSamples);
    }
    for (std::size_t k = 1; k < kSamples / 2; ++k) {
      double re = 0;
      double im = 0;
      for (std::size_t i = 0; i < kSamples; ++i) {
        const double at = static_cast<double>(i) / kSamples;
        const double window = 0.5 - 0.5 * std::cos(2 * 3.14159265358979 * at);  // no leak over the row's ends
        const double angle = 2 * 3.14159265358979 * static_cast<double>(k) * at;
        re += (row[i] - mean) * window * std::cos(angle);
        im += (row[i] - mean) * window * std::sin(angle);
      }
      const double power = re * re + im * im;
      const double band = std::log2(static_cast<double>(k) / kPeriods) + 2;
      shares[static_cast<std::size_t>(std::fmax(0, std::fmin(7, std::floor(band))))] += power;
      total += power;
    }
  }
  for (double& share : shares) {
    share /= total;
  }
  return shares;
}

TEST(RidgedNoise, SpectrumIsThatOfFoldedNoise) {
  const std::vector<double> plain = spectrum(spec_of(0.01));
  const std::vector<double> ridged = spectrum(ridged_of(0.01));
  // Gradient noise ends at about its frequency.
  EXPECT_GT(plain[0] + plain[1], 0.97);
  EXPECT_LT(plain[3] + plain[4], 2e-4);
  // Folding doubles the frequency, and its creases leave a tail of k^-4: an eighth from octave to octave.
  EXPECT_GT(ridged[2], 10 * plain[2]);
  EXPECT_GT(ridged[3], 100 * plain[3]);
  EXPECT_NEAR(std::log2(ridged[3] / ridged[4]), 3, 0.7);
  // Each octave adds its own band, weaker by the square of the gain.
  const std::vector<double> many = spectrum(ridged_of(0.01, 4));
  EXPECT_GT(many[3], 2 * ridged[3]);
  EXPECT_GT(many[4], 4 * ridged[4]);
  for (std::size_t band = 0; band < 4; ++band) {
    EXPECT_GT(many[band], many[band + 1]) << band;
  }
}

TEST(CheckNoise, NamesTheField) {
  EXPECT_TRUE(check_noise(spec_of(1e-6, 16), "n").ok());
  EXPECT_TRUE(check_noise(spec_of(1e3), "n").ok());
  for (const double frequency : {0.0, -1.0, 9e-7, 1001.0, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(check_noise(spec_of(frequency), "n").where, "n.frequency") << frequency;
  }
  EXPECT_EQ(check_noise(spec_of(1, 0), "n").where, "n.octaves");
  EXPECT_EQ(check_noise(spec_of(1, 17), "n").where, "n.octaves");
  NoiseSpec spec = spec_of(1);
  spec.gain = 1.5;
  EXPECT_EQ(check_noise(spec, "").where, "gain");
  spec.gain = std::nan("");
  EXPECT_EQ(check_noise(spec, "n").where, "n.gain");
}

}  // namespace
}  // namespace strew
