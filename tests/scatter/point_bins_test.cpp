#include "point_bins.hpp"

#include <gtest/gtest.h>

#include "strew/random.hpp"
#include "wide.hpp"

namespace strew {
namespace {

TEST(Wide, SquaresAndSumsCarry) {
  const std::uint64_t big = (std::uint64_t{1} << 62) + 12345;
  const Unsigned128 squared = square(big);
  // (2^62 + 12345)^2 = 2^124 + 12345 * 2^63 + 12345^2
  EXPECT_EQ(squared.low, (std::uint64_t{12345} << 63) + std::uint64_t{12345} * 12345);
  EXPECT_EQ(squared.high, (std::uint64_t{1} << 60) + (std::uint64_t{12345} >> 1));
  const Unsigned128 sum = Unsigned128{0, ~std::uint64_t{0}} + Unsigned128{0, 1};
  EXPECT_EQ(sum.high, 1U);
  EXPECT_EQ(sum.low, 0U);
}

TEST(Wide, CloserThanIsExactAtTheEdge) {
  const std::int64_t scale = std::int64_t{1} << 40;
  EXPECT_FALSE(closer_than(0, 0, 3 * scale, 4 * scale, 5 * scale));
  EXPECT_TRUE(closer_than(0, 0, 3 * scale, 4 * scale - 1, 5 * scale));
  EXPECT_TRUE(closer_than(-7, 9, -7, 9, 1));
  EXPECT_FALSE(closer_than(-7, 9, -7, 9, 0));
}

TEST(PointBins, AgreesWithBruteForce) {
  for (const Coord radius : {Coord{1}, Coord{1} << 20, Coord{3} << 32, Coord{500} << 32}) {
    std::vector<Coord> x;
    std::vector<Coord> y;
    const auto coordinate = [&](std::uint32_t draw) {
      return static_cast<Coord>(draw_below(draw, 40)) * (radius / 3 + 1) - 20 * radius;
    };
    for (std::int64_t i = 0; i < 120; ++i) {
      const PhiloxCounter random = cell_draw(stream_key(1, 7), i, 0, 0);
      x.push_back(coordinate(random[0]));
      y.push_back(coordinate(random[1]));
    }
    const scatter::PointBins bins(x, y, radius);
    int hits = 0;
    for (std::int64_t i = 0; i < 400; ++i) {
      const PhiloxCounter random = cell_draw(stream_key(2, 7), i, 0, 0);
      const Coord qx = coordinate(random[0]);
      const Coord qy = coordinate(random[1]);
      const std::size_t ignored = random[2] % x.size();
      bool expected = false;
      for (std::size_t j = 0; j < x.size(); ++j) {
        expected = expected || (j != ignored && closer_than(qx, qy, x[j], y[j], radius));
      }
      EXPECT_EQ(bins.any_closer(qx, qy, ignored), expected);
      hits += expected ? 1 : 0;
    }
    EXPECT_GT(hits, 20);
    EXPECT_LT(hits, 400);
  }
  const std::vector<Coord> none;
  EXPECT_FALSE(scatter::PointBins(none, none, 5).any_closer(0, 0));
}

}  // namespace
}  // namespace strew
