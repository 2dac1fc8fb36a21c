#include <gtest/gtest.h>

#include "point_checks.hpp"
#include "strew/poisson.hpp"

namespace strew {
namespace {

PointSet make(double size, std::uint64_t seed, const char* ring = "radius") {
  ParameterSet parameters;
  parameters.set("radius", 2.0);
  parameters.set("ring", std::string(ring));
  auto points = Generator().points("poisson/bridson",
                                   {rect_from_metres(0, 0, size, size, "test").value(), seed, 0}, parameters);
  EXPECT_TRUE(points.ok());
  return points.ok() ? std::move(points).value() : PointSet{};
}

TEST(Bridson, KeepsTheRadiusAndOrder) {
  for (const char* ring : {"radius", "area"}) {
    const PointSet points = make(150, 3, ring);
    EXPECT_EQ(strew_test::closest_pair(points, 2).violations, 0U);
    EXPECT_TRUE(strew_test::in_order(points));
    // N r^2 / A of the classic with k = 30 is near 0.61 by radius; borders add a little.
    EXPECT_NEAR(static_cast<double>(points.size()) * 4 / (150 * 150), 0.62, 0.03) << ring;
  }
}

TEST(Bridson, CrowdsItsBorders) {
  double rim = 0;
  double all = 0;
  constexpr double kSize = 120;
  constexpr double kRim = 0.5;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const PointSet points = make(kSize, seed);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double x = to_metres(points.unit_x(i));
      const double y = to_metres(points.unit_y(i));
      rim += std::min({x, y, kSize - x, kSize - y}) < kRim ? 1 : 0;
    }
    all += static_cast<double>(points.size());
  }
  const double rim_area = kSize * kSize - (kSize - 2 * kRim) * (kSize - 2 * kRim);
  EXPECT_GT(rim / rim_area / (all / (kSize * kSize)), 1.15);
}

TEST(Bridson, GoldenHash) {
  EXPECT_EQ(hash_points(make(100, 7)).digest(), 12468391294780646447U);
}

}  // namespace
}  // namespace strew
