#include <gtest/gtest.h>

#include <cmath>

#include "strew/terrain.hpp"

namespace strew {
namespace {

constexpr const char* kWhere = "layers[0].constraints";

std::string error_of(const Constraints& constraints) {
  const Status status = check_constraints(constraints, kWhere);
  if (!status.ok()) {
    EXPECT_EQ(status.code, StatusCode::kInvalidArgument);
  }
  return status.text();
}

TEST(CheckConstraints, AcceptsNothingAndOrdinaryRules) {
  Constraints constraints;
  EXPECT_EQ(error_of(constraints), "");
  constraints.biomes.emplace().set(255);
  constraints.altitude_m = Range{-10, 500};
  constraints.slope_degrees = Range{0, 90};
  constraints.noise = NoiseRule{NoiseSpec{}, -1};
  EXPECT_EQ(error_of(constraints), "");
  constraints.altitude_m = Range{5, 5};
  constraints.slope_degrees = Range{-HUGE_VAL, HUGE_VAL};
  EXPECT_EQ(error_of(constraints), "");
}

TEST(CheckConstraints, NamesFieldAndValues) {
  Constraints constraints;
  constraints.slope_degrees = Range{40, 30};
  EXPECT_EQ(error_of(constraints), "layers[0].constraints.slope_degrees: minimum 40 is above maximum 30");
  constraints = {};
  constraints.altitude_m = Range{std::nan(""), 1};
  EXPECT_EQ(error_of(constraints), "layers[0].constraints.altitude_m: minimum is NaN; give a number");
  constraints.altitude_m = Range{0, std::nan("")};
  EXPECT_EQ(error_of(constraints), "layers[0].constraints.altitude_m: maximum is NaN; give a number");
  constraints.altitude_m = Range{HUGE_VAL, HUGE_VAL};
  EXPECT_NE(error_of(constraints), "");
  constraints = {};
  constraints.slope_degrees = Range{0, 100};
  EXPECT_EQ(error_of(constraints),
            "layers[0].constraints.slope_degrees: maximum is 100; slopes lie within 0 to 90 degrees");
  constraints.slope_degrees = Range{-1, 10};
  EXPECT_EQ(error_of(constraints),
            "layers[0].constraints.slope_degrees: minimum is -1; slopes lie within 0 to 90 degrees");
  constraints = {};
  constraints.biomes.emplace();
  EXPECT_EQ(check_constraints(constraints, kWhere).where, "layers[0].constraints.biomes");
  constraints = {};
  constraints.noise = NoiseRule{NoiseSpec{}, 1.5};
  EXPECT_EQ(check_constraints(constraints, kWhere).where, "layers[0].constraints.noise.threshold");
  constraints.noise->threshold = std::nan("");
  EXPECT_EQ(check_constraints(constraints, kWhere).where, "layers[0].constraints.noise.threshold");
  constraints.noise->noise.frequency = -1;
  EXPECT_EQ(check_constraints(constraints, kWhere).where, "layers[0].constraints.noise.frequency");
}

TEST(RejectionNames, AreDistinctAndStable) {
  EXPECT_EQ(to_string(Rejection::kOutside), "outside");
  EXPECT_EQ(to_string(Rejection::kNodata), "nodata");
  EXPECT_EQ(to_string(Rejection::kBiome), "biome");
  EXPECT_EQ(to_string(Rejection::kAltitude), "altitude");
  EXPECT_EQ(to_string(Rejection::kSlope), "slope");
  EXPECT_EQ(to_string(Rejection::kNoise), "noise");
  EXPECT_EQ(to_string(Rejection::kSpacing), "spacing");
}

}  // namespace
}  // namespace strew
