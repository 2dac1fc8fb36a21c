// poisson/variable: the rule holds for every pair, density follows 1 / r^2 without bands, fields of the
// caller.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "point_checks.hpp"
#include "radius_fields.hpp"
#include "strew/poisson.hpp"
#include "strew/poisson_variable.hpp"

namespace strew {
namespace {

constexpr std::array<const char*, 3> kRules = {"min", "max", "mean"};

Rect square_at(double x, double y, double size) {
  return rect_from_metres(x, y, x + size, y + size, "test").value();
}

/// Radius growing along x from 1 m, a factor of two every 40 m.
class Growing final : public RadiusField {
 public:
  explicit Growing(double top) : top_(top) {}
  [[nodiscard]] double radius(Coord x, Coord /*y*/) const noexcept override {
    return std::exp2(to_metres(x) / 40);  // the test's own field need not be the same on every platform
  }
  [[nodiscard]] double minimum() const noexcept override { return 1; }
  [[nodiscard]] double maximum() const noexcept override { return top_; }

 private:
  double top_;
};

PointSet sample(const RadiusField& field, const Rect& region, std::uint64_t seed, const char* rule,
                double time = 16) {
  const VariablePoisson strategy(field);
  Registry registry;
  registry.strategies.push_back(&strategy);
  ParameterSet parameters;
  parameters.set("rule", std::string(rule));
  parameters.set("time", time);
  auto points = Generator(registry).points("poisson/variable_field", {region, seed, 0}, parameters);
  EXPECT_TRUE(points.ok()) << (points.ok() ? "" : points.status().text());
  return points.ok() ? std::move(points).value() : PointSet{};
}

double required(const char* rule, double a, double b) {
  return rule == kRules[0] ? std::min(a, b) : rule == kRules[1] ? std::max(a, b) : (a + b) / 2;
}

TEST(Variable, TheRuleHoldsForEveryPair) {
  const Growing field(16);
  for (const char* rule : kRules) {
    const PointSet points = sample(field, square_at(0, -40, 160), 3, rule);
    ASSERT_GT(points.size(), 400U);
    double tightest = INFINITY;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double radius = field.radius(points.unit_x(i), points.unit_y(i));
      for (std::size_t j = 0; j < i; ++j) {
        const double distance = std::hypot(to_metres(points.unit_x(i)) - to_metres(points.unit_x(j)),
                                           to_metres(points.unit_y(i)) - to_metres(points.unit_y(j)));
        const double least = required(rule, radius, field.radius(points.unit_x(j), points.unit_y(j)));
        ASSERT_GE(distance, least) << rule;
        tightest = std::min(tightest, distance / least);
      }
    }
    EXPECT_LT(tightest, 1.01) << rule;
  }
}

TEST(Variable, DensityFollowsTheRadiusWithoutBands) {
  // N r^2 / A in strips along x, four to an octave of the radius, so that half of the strips' borders are
  // octaves.
  const Growing field(8);
  constexpr int kStrips = 12;
  constexpr double kWidth = 10;
  constexpr double kHeight = 1200;
  std::array<double, kStrips> filling{};
  const Rect region = rect_from_metres(0, 0, kWidth * kStrips, kHeight, "test").value();
  const PointSet points = sample(field, region, 9, "mean");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double radius = field.radius(points.unit_x(i), 0);
    filling[static_cast<std::size_t>(to_metres(points.unit_x(i)) / kWidth)] +=
        radius * radius / (kWidth * kHeight);
  }
  for (int strip = 0; strip < kStrips; ++strip) {
    RecordProperty("strip" + std::to_string(strip), std::to_string(filling[static_cast<std::size_t>(strip)]));
  }
  // Away from the ends, where the field stops growing; the counts are from thousands down to a hundred.
  double mean = 0;
  for (int strip = 1; strip < kStrips - 1; ++strip) {
    mean += filling[static_cast<std::size_t>(strip)] / (kStrips - 2);
  }
  EXPECT_NEAR(mean, 0.636, 0.02);
  for (int strip = 1; strip < kStrips - 1; ++strip) {
    EXPECT_NEAR(filling[static_cast<std::size_t>(strip)], mean, 0.03) << strip;
  }
}

TEST(Variable, AConstantFieldIsDartThrowing) {
  ParameterSet parameters;
  parameters.set("field", std::string("constant"));
  parameters.set("radius_min", 1.0);
  parameters.set("radius_max", 1.0);
  constexpr double kSize = 150;
  const auto points = Generator().points("poisson/variable", {square_at(5, 5, kSize), 1, 0}, parameters);
  ASSERT_TRUE(points.ok());
  EXPECT_NEAR(static_cast<double>(points.value().size()) / (kSize * kSize), 0.652, 0.006);
}

TEST(Variable, FieldsBoundTheirRanges) {
  using poisson::BuiltInField;
  using poisson::FieldShape;
  const std::vector<float> raster = {1, 2, 3, 5, 4, 1.5F};
  const RasterRadiusField samples(raster, 3, 2, 0, 0, 20 * kUnitsPerMetre);
  const BuiltInField noise(FieldShape::kNoise, 1, 9, 30, stream_key(1, 1));
  const BuiltInField ramp(FieldShape::kRamp, 1, 9, 30, stream_key(1, 1));
  const RadiusField* const fields[] = {&samples, &noise, &ramp};
  for (const RadiusField* field : fields) {
    double least = INFINITY;
    double most = 0;
    for (int i = 0; i < 400; ++i) {
      const PhiloxCounter random = cell_draw(stream_key(3, 3), i, 0, 0);
      const double x = (draw_unit(random[0]) - 0.5) * 200;
      const double y = (draw_unit(random[1]) - 0.5) * 200;
      const double size = 0.5 + 8 * draw_unit(random[2]);
      const Rect area = square_at(x, y, size);
      const RadiusRange range = field->range(area);
      for (std::uint64_t k = 0; k < 20; ++k) {
        const PhiloxCounter place = cell_draw(stream_key(3, 4), i, 0, k);
        const double radius =
            field->radius(area.x0 + static_cast<Coord>(draw_unit(place[0]) * size * 4294967296.0),
                          area.y0 + static_cast<Coord>(draw_unit(place[1]) * size * 4294967296.0));
        ASSERT_GE(radius, range.low);
        ASSERT_LE(radius, range.high);
        least = std::min(least, radius);
        most = std::max(most, radius);
      }
    }
    EXPECT_GE(least, field->minimum());
    EXPECT_LE(most, field->maximum());
    EXPECT_GT(most, 1.7 * least);  // it varies
  }
}

TEST(Variable, ARasterIsReadBilinearlyAndHeldBeyondItsEdge) {
  const std::vector<float> raster = {2, 4, 6, 8};
  const RasterRadiusField field(raster, 2, 2, kUnitsPerMetre, kUnitsPerMetre, 4 * kUnitsPerMetre);
  const auto at = [&](double x, double y) {
    return field.radius(static_cast<Coord>(x * 4294967296.0), static_cast<Coord>(y * 4294967296.0));
  };
  EXPECT_EQ(at(1, 1), 2);
  EXPECT_EQ(at(5, 1), 4);
  EXPECT_EQ(at(1, 5), 6);
  EXPECT_EQ(at(3, 3), 5);
  EXPECT_EQ(at(-100, -100), 2);
  EXPECT_EQ(at(900, 900), 8);
  EXPECT_EQ(field.minimum(), 2);
  EXPECT_EQ(field.maximum(), 8);
}

TEST(Variable, ACallersFieldKeepsTheCropPromise) {
  std::vector<float> raster;
  for (std::int64_t i = 0; i < 100; ++i) {
    raster.push_back(1 + 5 * static_cast<float>(draw_unit(cell_draw(stream_key(6, 6), i, 0, 0)[0])));
  }
  raster[37] = std::numeric_limits<float>::quiet_NaN();  // no data: the largest radius
  const RasterRadiusField field(raster, 10, 10, 0, 0, 12 * kUnitsPerMetre);
  for (const char* rule : kRules) {
    const PointSet whole = sample(field, square_at(-10, -10, 140), 2, rule);
    const Rect part = square_at(31, 17, 40);
    EXPECT_EQ(strew_test::pairs(sample(field, part, 2, rule)), strew_test::crop(whole, part)) << rule;
  }
}

TEST(Variable, FieldsOutOfRangeAreRefused) {
  const Growing too_wide(17);
  const VariablePoisson strategy(too_wide);
  Registry registry;
  registry.strategies.push_back(&strategy);
  const auto wide = Generator(registry).points("poisson/variable_field", {square_at(0, 0, 10), 1, 0}, {});
  ASSERT_FALSE(wide.ok());
  EXPECT_EQ(wide.status().where, "field maximum");
  const std::vector<float> nothing = {std::numeric_limits<float>::quiet_NaN()};
  const RasterRadiusField empty(nothing, 1, 1, 0, 0, kUnitsPerMetre);
  const VariablePoisson on_nothing(empty);
  registry.strategies = {&on_nothing};
  const auto none = Generator(registry).points("poisson/variable_field", {square_at(0, 0, 10), 1, 0}, {});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.status().where, "field minimum");
}

}  // namespace
}  // namespace strew
