#include <gtest/gtest.h>

#include "cell_lattice.hpp"
#include "point_checks.hpp"
#include "strew/poisson.hpp"

namespace strew {
namespace {

PointSet make(const Rect& region, double radius, std::uint64_t seed, const RunContext& context = {}) {
  ParameterSet parameters;
  parameters.set("radius", radius);
  auto points = Generator().points("poisson/tiled/ref", {region, seed, 0}, parameters, context);
  EXPECT_TRUE(points.ok()) << (points.ok() ? "" : points.status().text());
  return points.ok() ? std::move(points).value() : PointSet{};
}

Rect square_at(double x, double y, double size) {
  return rect_from_metres(x, y, x + size, y + size, "test").value();
}

TEST(Tiled, NoPairIsCloserThanTheRadius) {
  const PointSet points = make(square_at(-50, -50, 200), 2, 7);
  EXPECT_GT(points.size(), 6000U);
  const auto closest = strew_test::closest_pair(points, 2);
  EXPECT_EQ(closest.violations, 0U);
  EXPECT_LT(closest.distance, 2.002);  // and none is wasted
  EXPECT_TRUE(strew_test::in_order(points));
}

TEST(Tiled, RadiusIsKeptExactlyFarAwayAndForExtremeRadii) {
  for (const double radius : {0.01, 0.3, 1000.0}) {
    for (const double at : {-1e7, 0.0, 1e7}) {
      const PointSet points = make(square_at(at, -at, radius * 40), radius, 3);
      EXPECT_GT(points.size(), 900U);
      EXPECT_EQ(strew_test::closest_pair(points, radius).violations, 0U) << radius << " at " << at;
    }
  }
}

TEST(Tiled, AnyRectangleEqualsTheWholeCut) {
  const PhiloxKey key = stream_key(4, 4);
  for (int i = 0; i < 24; ++i) {
    const PhiloxCounter random = cell_draw(key, i, 0, 0);
    const double radius = std::pow(10.0, -2 + 5 * draw_unit(random[0]));
    const double x = (2 * draw_unit(random[1]) - 1) * 1e7;
    const double y = (2 * draw_unit(random[2]) - 1) * 1e7;
    const std::uint64_t seed = random[3];
    const PointSet whole = make(square_at(x, y, radius * 30), radius, seed);
    const PhiloxCounter cut = cell_draw(key, i, 1, 0);
    const double w = radius * 30;
    const double cut_x = x + w * draw_unit(cut[0]) * 0.9;
    const double cut_y = y + w * draw_unit(cut[1]) * 0.9;
    const Rect rect = rect_from_metres(cut_x, cut_y, std::min(x + w, cut_x + w * (0.01 + draw_unit(cut[2]))),
                                       std::min(y + w, cut_y + w * (0.01 + draw_unit(cut[3]))), "cut")
                          .value();
    EXPECT_EQ(strew_test::pairs(make(rect, radius, seed)), strew_test::crop(whole, rect))
        << "radius " << radius << " at " << x << "," << y;
  }
}

TEST(Tiled, PointsDoNotDependOnWorkersOrOrder) {
  // Wider than a block of 256 cells on both axes, so that blocks meet.
  const Rect region = square_at(-100, 30, 420);
  const PointSet serial = make(region, 1.5, 5);
  for (const std::uint32_t workers : {1U, 2U, 3U, 7U}) {
    const auto pool = ThreadPool::create(workers);
    ASSERT_TRUE(pool.ok());
    RunContext context;
    context.executor = &pool.value().executor();
    EXPECT_EQ(strew_test::pairs(make(region, 1.5, 5, context)), strew_test::pairs(serial));
  }
  const ShuffledExecutor shuffled(9, 4);
  RunContext context;
  context.executor = &shuffled.executor();
  EXPECT_EQ(strew_test::pairs(make(region, 1.5, 5, context)), strew_test::pairs(serial));
  EXPECT_TRUE(strew_test::in_order(serial));
}

// Pinned bytes: they change only together with output_version. The same on every compiler and machine.
TEST(Tiled, GoldenHashes) {
  EXPECT_EQ(hash_points(make(square_at(0, 0, 100), 2, 7)).digest(), 10370589256292436653U);
  EXPECT_EQ(hash_points(make(square_at(1e6, -2e6, 10), 0.25, 0xFFFFFFFFFFFFFFFFU)).digest(),
            873269363582895815U);
}

TEST(Tiled, SeedsAndStreamsAreIndependent) {
  const Rect region = square_at(0, 0, 50);
  const auto a = hash_points(make(region, 2, 1)).digest();
  EXPECT_NE(a, hash_points(make(region, 2, 2)).digest());
  ParameterSet parameters;
  parameters.set("radius", 2.0);
  const auto b = Generator().points("poisson/tiled", {region, 1, 1}, parameters);
  ASSERT_TRUE(b.ok());
  EXPECT_NE(a, hash_points(b.value()).digest());
}

TEST(Tiled, DensityImpliesTheRadius) {
  ParameterSet parameters;
  parameters.set("density", 0.25);
  const auto points = Generator().points("poisson/tiled", {square_at(0, 0, 300), 1, 0}, parameters);
  ASSERT_TRUE(points.ok());
  EXPECT_NEAR(static_cast<double>(points.value().size()), 0.25 * 300 * 300, 0.25 * 300 * 300 * 0.01);
}

TEST(Tiled, ATinyRegionMayBeEmpty) {
  const Rect speck{0, 0, 1, 1};
  EXPECT_EQ(make(speck, 5, 1).size(), 0U);
}

struct BadParameter {
  const char* name;
  ParameterValue value;
  const char* where;
};

TEST(Tiled, BadParametersAreRefusedByNameValueAndRange) {
  const BadParameter cases[] = {{"radius", 0.0, "radius"},
                                {"radius", -1.0, "radius"},
                                {"radius", std::nan(""), "radius"},
                                {"radius", std::string("nan"), "radius"},
                                {"radius", std::string("two"), "radius"},
                                {"radius", true, "radius"},
                                {"radius", 1e9, "radius"},
                                {"raduis", 2.0, "raduis"},
                                {"density", 0.0, "density"}};
  for (const BadParameter& bad : cases) {
    ParameterSet parameters;
    parameters.set(bad.name, bad.value);
    const auto points = Generator().points("poisson/tiled", {square_at(0, 0, 10), 1, 0}, parameters);
    ASSERT_FALSE(points.ok()) << bad.name;
    EXPECT_EQ(points.status().code, StatusCode::kInvalidArgument);
    EXPECT_EQ(points.status().where, bad.where);
  }
  ParameterSet both;
  both.set("radius", 1.0);
  both.set("density", 1.0);
  EXPECT_EQ(Generator().points("poisson/tiled", {square_at(0, 0, 10), 1, 0}, both).status().where, "density");
}

TEST(Tiled, BadRegionsAreRefused) {
  ParameterSet parameters;
  parameters.set("radius", 0.01);
  const Generator generator;
  EXPECT_EQ(generator.points("poisson/tiled", {{0, 0, 0, 1}, 1, 0}, parameters).status().where, "region");
  const Rect world{-kCoordLimit, -kCoordLimit, kCoordLimit, kCoordLimit};
  const auto huge = generator.points("poisson/tiled", {world, 1, 0}, parameters);
  ASSERT_FALSE(huge.ok());
  EXPECT_NE(huge.status().message.find("2^48"), std::string::npos) << huge.status().text();
}

TEST(Tiled, CancellationStops) {
  const std::atomic<bool> cancel{true};
  RunContext context;
  context.cancel = &cancel;
  ParameterSet parameters;
  const auto points = Generator().points("poisson/tiled", {square_at(0, 0, 10), 1, 0}, parameters, context);
  ASSERT_FALSE(points.ok());
  EXPECT_EQ(points.status().code, StatusCode::kCancelled);
}

}  // namespace
}  // namespace strew
