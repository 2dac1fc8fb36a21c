#include "strew/exact_math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "strew/hash.hpp"

namespace strew {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Points dense around 0 and around the borders of the argument reduction, on both sides of each.
std::vector<double> atan_samples() {
  std::vector<double> samples;
  for (int exponent = -40; exponent <= 40; ++exponent) {
    for (int step = 0; step < 2000; ++step) {
      samples.push_back(std::ldexp(1.0 + step / 2000.0 + 1e-5, exponent));
    }
  }
  for (const double border : {0.41421356237309503, 1.0, 2.414213562373095}) {
    double x = border;
    for (int step = 0; step < 100; ++step) {
      x = std::nextafter(x, 0.0);
    }
    for (int step = 0; step < 200; ++step) {
      samples.push_back(x);
      x = std::nextafter(x, 10.0);
    }
  }
  return samples;
}

TEST(ExactAtan, WithinStatedError) {
  double worst = 0;
  for (const double x : atan_samples()) {
    const long double truth = std::atan(static_cast<long double>(x));
    worst = std::fmax(worst, static_cast<double>(std::fabs((exact_atan(x) - truth) / truth)));
  }
  EXPECT_LT(worst, 4e-16);
  EXPECT_GT(worst, 0);
}

TEST(ExactAtan, OddAndRisingBeyondRounding) {
  double previous_x = 0;
  double previous = 0;
  for (double x = 1e-6; x < 100; x *= 1.0001) {
    const double value = exact_atan(x);
    EXPECT_GT(value, previous) << "between " << previous_x << " and " << x;
    EXPECT_EQ(exact_atan(-x), -value);
    previous = value;
    previous_x = x;
  }
}

TEST(ExactAtan, SpecialValues) {
  EXPECT_EQ(exact_atan(kInfinity), kPi / 2);
  EXPECT_EQ(exact_atan(-kInfinity), -kPi / 2);
  EXPECT_EQ(exact_atan(1.0), kPi / 4);
  EXPECT_EQ(exact_atan(0.0), 0.0);
  EXPECT_TRUE(std::signbit(exact_atan(-0.0)));
  EXPECT_TRUE(std::isnan(exact_atan(kNaN)));
  EXPECT_EQ(exact_atan(5e-324), 5e-324);
  EXPECT_EQ(exact_atan(1e300), kPi / 2);
}

TEST(ExactSincos, WithinStatedErrorOverOneTurnAndFarOut) {
  double worst = 0;
  for (const double whole : {0.0, 1.0, 12345.0, 1048576.0, 2147483647.0}) {
    for (int step = -40000; step <= 40000; ++step) {
      const double turns = whole + step / 40000.0 + 1.0 / 300007.0;
      double sine = 0;
      double cosine = 0;
      exact_sincos_turns(turns, sine, cosine);
      const long double angle = 2 * 3.14159265358979323846264L * (static_cast<long double>(turns) - whole);
      worst = std::fmax(worst, static_cast<double>(std::fabs(sine - std::sin(angle))));
      worst = std::fmax(worst, static_cast<double>(std::fabs(cosine - std::cos(angle))));
    }
  }
  EXPECT_LT(worst, 4e-16);
}

TEST(ExactSincos, QuartersAreExactAndSymmetryHolds) {
  const double quarter[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
  for (int k = -8; k <= 8; ++k) {
    double sine = 0;
    double cosine = 0;
    exact_sincos_turns(k * 0.25, sine, cosine);
    EXPECT_EQ(sine, quarter[(k + 8) % 4][0]) << k;
    EXPECT_EQ(cosine, quarter[(k + 8) % 4][1]) << k;
  }
  for (int k = 0; k < 4096; ++k) {
    const double turns = k / 4096.0;
    double sine = 0;
    double cosine = 0;
    double sine_back = 0;
    double cosine_back = 0;
    exact_sincos_turns(turns, sine, cosine);
    exact_sincos_turns(-turns, sine_back, cosine_back);
    EXPECT_EQ(sine, -sine_back) << turns;
    EXPECT_EQ(cosine, cosine_back) << turns;
    EXPECT_NEAR(sine * sine + cosine * cosine, 1.0, 5e-16);
  }
  double sine = 0;
  double cosine = 0;
  exact_sincos_turns(kNaN, sine, cosine);
  EXPECT_TRUE(std::isnan(sine) && std::isnan(cosine));
  exact_sincos_turns(1e-300, sine, cosine);
  EXPECT_NEAR(sine / 1e-300, 2 * kPi, 1e-15);
}

double exponential_truth(std::uint32_t draw) {
  return static_cast<double>(-std::log((static_cast<long double>(draw) + 0.5L) / 4294967296.0L));
}

TEST(ExactExponential, WithinStatedErrorEverywhere) {
  double worst = 0;
  const auto look = [&worst](std::uint32_t draw) {
    const double truth = exponential_truth(draw);
    worst = std::fmax(worst, std::fabs(static_cast<double>(exact_exponential(draw)) - truth) / truth);
  };
  for (std::uint32_t k = 0; k < 100000; ++k) {
    look(k);
    look(0xFFFFFFFFU - k);
    look(0x7FFFFFFFU - 50000U + k);
    look(0xBFFFFFFFU - 50000U + k);
    look(0x5FFFFFFFU - 50000U + k);
    look(k * 42949U + 17U);
  }
  EXPECT_LT(worst, 1e-6);
}

TEST(ExactExponential, EndsAndPowersOfTwo) {
  EXPECT_FLOAT_EQ(exact_exponential(0), 22.873857F);
  EXPECT_EQ(exact_exponential(0xFFFFFFFFU), 0x1p-33F);
  EXPECT_GT(exact_exponential(0), exact_exponential(1));
  for (int bit = 0; bit < 32; ++bit) {
    const auto power = std::uint32_t{1} << bit;
    EXPECT_NEAR(exact_exponential(power), exponential_truth(power), 2e-6) << bit;
  }
}

// Rounding may turn neighbouring draws round, but never by more than a few units in the last place.
TEST(ExactExponential, FallsWithTheDrawUpToRounding) {
  float previous = exact_exponential(0);
  for (std::uint64_t draw = 1; draw < (std::uint64_t{1} << 32); draw += 4999) {
    const float value = exact_exponential(static_cast<std::uint32_t>(draw));
    EXPECT_LE(value, previous * (1.0F + 3e-7F)) << draw;
    previous = value;
  }
}

TEST(ExactExponential, MeanAndVarianceOfAStratifiedSample) {
  constexpr std::uint32_t kStride = 4096;
  constexpr std::uint32_t kCount = (std::uint32_t{1} << 20);
  double sum = 0;
  double squares = 0;
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const double value = exact_exponential(k * kStride + kStride / 2);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kCount;
  EXPECT_NEAR(mean, 1.0, 2e-6);
  EXPECT_NEAR(squares / kCount - mean * mean, 1.0, 5e-5);
}

// The bits are part of the output: a change here changes worlds.
TEST(ExactMath, GoldenBits) {
  std::uint64_t atan_hash = 0;
  std::uint64_t sincos_hash = 0;
  std::uint64_t exponential_hash = 0;
  for (std::uint32_t k = 0; k < 20000; ++k) {
    const std::uint32_t draw = static_cast<std::uint32_t>(mix64(k));
    double sine = 0;
    double cosine = 0;
    atan_hash = mix64(atan_hash ^ std::bit_cast<std::uint64_t>(exact_atan((k - 10000.0) / 1024.0)));
    exact_sincos_turns((draw - 2147483648.0) / 65536.0, sine, cosine);
    sincos_hash = mix64(sincos_hash ^ std::bit_cast<std::uint64_t>(sine));
    sincos_hash = mix64(sincos_hash ^ std::bit_cast<std::uint64_t>(cosine));
    exponential_hash = mix64(exponential_hash ^ std::bit_cast<std::uint32_t>(exact_exponential(draw)));
  }
  EXPECT_EQ(atan_hash, 0x66945085A8C969CEU);
  EXPECT_EQ(sincos_hash, 0x642F99BD4CE3A63EU);
  EXPECT_EQ(exponential_hash, 0x31756F104AD61227U);
  EXPECT_EQ(exact_sqrt(2.0), 0x1.6a09e667f3bcdp+0);
}

}  // namespace
}  // namespace strew
