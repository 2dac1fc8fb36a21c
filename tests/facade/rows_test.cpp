#include <gtest/gtest.h>

#include "point_checks.hpp"
#include "strew/strategy.hpp"

namespace strew {
namespace {

PointSet rows(const Rect& region, double rotation, double offset, double jitter) {
  ParameterSet parameters;
  parameters.set("spacing_along", 2.0);
  parameters.set("spacing_across", 5.0);
  parameters.set("rotation", rotation);
  parameters.set("row_offset", offset);
  parameters.set("jitter", jitter);
  auto points = Generator().points("rows", {region, 3, 0}, parameters);
  EXPECT_TRUE(points.ok()) << (points.ok() ? "" : points.status().text());
  return points.ok() ? std::move(points).value() : PointSet{};
}

TEST(Rows, PlainRowsStandWhereTheyShould) {
  const PointSet points = rows(rect_from_metres(0, 0, 6, 10, "test").value(), 0, 0, 0);
  ASSERT_EQ(points.size(), 6U);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(std::fmod(to_metres(points.unit_x(i)), 2), 0);
    EXPECT_EQ(std::fmod(to_metres(points.unit_y(i)), 5), 0);
  }
}

TEST(Rows, CountDensityDistanceAndOrderHold) {
  const Rect region = rect_from_metres(1e7, -1e7, 1e7 + 400, -1e7 + 300, "test").value();
  for (const double rotation : {0.0, 33.0, 90.0, -200.0}) {
    for (const double jitter : {0.0, 0.4, 0.99}) {
      const PointSet points = rows(region, rotation, 0.5, jitter);
      EXPECT_NEAR(static_cast<double>(points.size()), 400 * 300 / 10.0, 200) << rotation;
      EXPECT_EQ(strew_test::closest_pair(points, 2 - 2 * jitter - 1e-3).violations, 0U)
          << rotation << " " << jitter;
      EXPECT_TRUE(strew_test::in_order(points));
    }
  }
}

TEST(Rows, AnyRectangleEqualsTheWholeCut) {
  const Rect whole_region = rect_from_metres(-300, -300, 300, 300, "test").value();
  const PointSet whole = rows(whole_region, 33, 0.3, 0.7);
  for (std::int64_t i = 0; i < 20; ++i) {
    const PhiloxCounter random = cell_draw(stream_key(1, 1), i, 0, 0);
    const double x = -300 + 500 * draw_unit(random[0]);
    const double y = -300 + 500 * draw_unit(random[1]);
    const Rect rect =
        rect_from_metres(x, y, x + 100 * draw_unit(random[2]), y + 100 * draw_unit(random[3]), "cut").value();
    EXPECT_EQ(strew_test::pairs(rows(rect, 33, 0.3, 0.7)), strew_test::crop(whole, rect));
  }
}

TEST(Rows, JitterThatLetsPointsMeetIsRefused) {
  ParameterSet parameters;
  parameters.set("spacing_along", 2.0);
  parameters.set("jitter", 1.5);
  const auto points =
      Generator().points("rows", {rect_from_metres(0, 0, 6, 10, "test").value(), 3, 0}, parameters);
  ASSERT_FALSE(points.ok());
  EXPECT_EQ(points.status().where, "jitter");
}

}  // namespace
}  // namespace strew
