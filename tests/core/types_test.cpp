#include "strew/types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace strew {
namespace {

TEST(Types, FloorAndCeilDivideNegativeNumbers) {
  EXPECT_EQ(floor_div(-1, 8), -1);
  EXPECT_EQ(floor_div(-8, 8), -1);
  EXPECT_EQ(floor_div(7, 8), 0);
  EXPECT_EQ(ceil_div(-7, 8), 0);
  EXPECT_EQ(ceil_div(1, 8), 1);
  EXPECT_EQ(floor_mod(-1, 8), 7);
}

TEST(Types, CoordRoundTripsFarFromOrigin) {
  for (const double metres : {0.0, 0.25, -1.5, 1e7 + 0.125, -1e7 - 0.0625, 1073741823.0}) {
    const auto coord = to_coord(metres, "x");
    ASSERT_TRUE(coord.ok()) << metres;
    EXPECT_EQ(to_metres(coord.value()), metres);
  }
}

TEST(Types, CoordRefusesWhatItCannotHold) {
  for (const double metres :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1.1e9}) {
    const auto coord = to_coord(metres, "extent.x0");
    ASSERT_FALSE(coord.ok());
    EXPECT_EQ(coord.status().where, "extent.x0");
  }
  EXPECT_FALSE(rect_from_metres(0, 0, 0, 1, "region").ok());
  EXPECT_FALSE(rect_from_metres(0, 2, 1, 1, "region").ok());
}

}  // namespace
}  // namespace strew
