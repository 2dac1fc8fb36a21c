#include "radius.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "point_grid.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

TEST(Radius, WholeUnitsAreExact) {
  for (const double metres : {1.0, 4.0, 0.5, 1000.0, 1e6, 1.0 / 4294967296.0}) {
    const Radius radius(metres);
    const auto units = static_cast<std::uint64_t>(radius.reach());
    EXPECT_EQ(to_metres(radius.reach()), metres);
    EXPECT_TRUE(radius.exceeds(units - 1, 0));
    EXPECT_FALSE(radius.exceeds(units, 0));
    EXPECT_FALSE(radius.exceeds(units, 1));
    // The 3-4-5 triangle, scaled: on the circle, and one unit inside.
    if (units % 5 == 0) {
      EXPECT_FALSE(radius.exceeds(units / 5 * 3, units / 5 * 4));
      EXPECT_TRUE(radius.exceeds(units / 5 * 3, units / 5 * 4 - 1));
    }
  }
}

TEST(Radius, FractionsOfUnitsAreNotRounded) {
  // 0.1 m in units is 429496729.6 and a little: 429496729 is below it, 429496730 is not.
  const Radius radius(0.1);
  EXPECT_TRUE(radius.exceeds(429496729, 0));
  EXPECT_FALSE(radius.exceeds(429496730, 0));
  EXPECT_EQ(radius.reach(), 429496730);
  // At 45 degrees, against 0.1 / sqrt(2) m = 303700049.99... units.
  EXPECT_TRUE(radius.exceeds(303700049, 303700049));
  EXPECT_FALSE(radius.exceeds(303700050, 303700050));
}

TEST(Radius, NothingIsCloserThanZero) {
  EXPECT_FALSE(Radius(0).exceeds(0, 0));
  EXPECT_EQ(Radius(0).reach(), 0);
}

TEST(PointGrid, FindsWhatASearchOfAllFinds) {
  for (const std::size_t count : {0U, 1U, 2U, 500U}) {
    std::vector<Coord> x;
    std::vector<Coord> y;
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(static_cast<Coord>(mix64(i) % 1000) - 500);
      y.push_back(static_cast<Coord>(mix64(i + 1000000) % 300) - 150);
    }
    for (const Coord reach : {0, 1, 10, 100, 5000}) {
      const PointGrid grid(x, y, reach);
      for (Coord at = -700; at < 700; at += 37) {
        std::vector<std::size_t> expected;
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < count; ++i) {
          if (std::max(std::abs(x[i] - at), std::abs(y[i] - at / 3)) <= reach) {
            expected.push_back(i);
          }
        }
        grid.near(at, at / 3, reach, [&](std::size_t i) {
          if (std::max(std::abs(x[i] - at), std::abs(y[i] - at / 3)) <= reach) {
            found.push_back(i);
          }
          return true;
        });
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
      }
    }
  }
}

}  // namespace
}  // namespace strew
