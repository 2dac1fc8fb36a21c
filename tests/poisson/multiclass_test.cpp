// poisson/multiclass: the matrix holds for every pair, classes fill evenly, each and their union are blue
// noise.
#include <gtest/gtest.h>

#include <array>

#include "class_matrix.hpp"
#include "point_checks.hpp"
#include "spectrum_checks.hpp"
#include "strew/poisson.hpp"

namespace strew {
namespace {

Rect square_at(double x, double y, double size) {
  return rect_from_metres(x, y, x + size, y + size, "test").value();
}

ParameterSet radii_of(const std::vector<double>& radii) {
  constexpr std::array<const char*, 4> kNames = {"radius_0", "radius_1", "radius_2", "radius_3"};
  ParameterSet parameters;
  parameters.set("classes", static_cast<std::int64_t>(radii.size()));
  for (std::size_t i = 0; i < radii.size(); ++i) {
    parameters.set(kNames[i], radii[i]);
  }
  return parameters;
}

PointSet make(const Rect& region, std::uint64_t seed, const ParameterSet& parameters) {
  auto points = Generator().points("poisson/multiclass", {region, seed, 0}, parameters);
  EXPECT_TRUE(points.ok()) << (points.ok() ? "" : points.status().text());
  return points.ok() ? std::move(points).value() : PointSet{};
}

poisson::ClassMatrix matrix_for(const ParameterSet& parameters) {
  const auto resolved = ResolvedParameters::resolve(poisson_multiclass().info(), parameters);
  return poisson::matrix_of(resolved.value()).value();
}

TEST(ClassMatrix, FollowsTheUniformRule) {
  // By hand from the rule: 1 / sqrt(sum of 1 / r^2 over the classes that are at least as wide as the
  // narrower).
  const auto matrix = matrix_for(radii_of({4, 2, 1}));
  EXPECT_DOUBLE_EQ(matrix.radius[0][1], 1 / std::sqrt(1 / 16.0 + 1 / 4.0));
  EXPECT_DOUBLE_EQ(matrix.radius[0][2], 1 / std::sqrt(1 / 16.0 + 1 / 4.0 + 1));
  EXPECT_DOUBLE_EQ(matrix.radius[2][1], matrix.radius[0][2]);
  const auto equal = matrix_for(radii_of({3, 3, 3}));
  EXPECT_DOUBLE_EQ(equal.radius[0][2], 3 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(equal.radius[1][0], 3 / std::sqrt(3.0));
  ParameterSet given = radii_of({4, 2});
  given.set("radius_01", 3.5);
  EXPECT_DOUBLE_EQ(matrix_for(given).radius[1][0], 3.5);
}

TEST(Multiclass, NoPairIsBelowItsEntry) {
  ParameterSet apart = radii_of({3, 2});
  apart.set("radius_01", 5.0);  // the classes keep away from one another
  for (const ParameterSet& parameters : {radii_of({4, 2, 1}), radii_of({2, 2, 3, 1.5}), apart}) {
    const auto matrix = matrix_for(parameters);
    for (const double at : {0.0, -1e7}) {
      const PointSet points = make(square_at(at, 3, 50), 5, parameters);
      ASSERT_EQ(points.class_of.size(), points.size());
      std::array<std::array<double, 4>, 4> closest{};
      for (auto& row : closest) {
        row.fill(INFINITY);
      }
      for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const double distance = std::hypot(to_metres(points.unit_x(i)) - to_metres(points.unit_x(j)),
                                             to_metres(points.unit_y(i)) - to_metres(points.unit_y(j)));
          double& entry = closest[points.class_of[i]][points.class_of[j]];
          entry = std::min(entry, distance);
        }
      }
      for (std::size_t a = 0; a < matrix.classes; ++a) {
        for (std::size_t b = 0; b < matrix.classes; ++b) {
          const double found = std::min(closest[a][b], closest[b][a]);
          EXPECT_GE(found, matrix.radius[a][b]) << a << b;
          EXPECT_LT(found, matrix.radius[a][b] * 1.1) << a << b << ": the entry is not wasted";
        }
      }
    }
  }
}

TEST(Multiclass, ClassesFillEvenlyAndAreBlueAloneAndTogether) {
  constexpr double kSize = 120;
  const Rect region = square_at(0, 0, kSize);
  for (const std::vector<double>& radii : {std::vector<double>{2, 1}, {1.5, 1.5}, {4, 2, 1}}) {
    const PointSet points = make(region, 11, radii_of(radii));
    for (std::size_t c = 0; c < radii.size(); ++c) {
      const auto places = strew_test::places(points, region, static_cast<int>(c));
      const double fill = static_cast<double>(places.size()) * radii[c] * radii[c] / (kSize * kSize);
      EXPECT_NEAR(fill, 0.53, 0.09) << "class " << c << " of radius " << radii[c];
      const double low = strew_test::low_structure_factor(places, kSize, 0.2 / radii[c]);
      const double random = strew_test::low_structure_factor(
          strew_test::poisson_process(places.size(), kSize, c), kSize, 0.2 / radii[c]);
      RecordProperty("low" + std::to_string(radii.size()) + std::to_string(c), std::to_string(low));
      EXPECT_LT(low, 0.5 * random) << "class " << c << " of radius " << radii[c];
    }
    const auto all = strew_test::places(points, region);
    const double spacing = matrix_for(radii_of(radii)).smallest();
    EXPECT_LT(strew_test::low_structure_factor(all, kSize, 0.2 / spacing), 0.25);
  }
}

}  // namespace
}  // namespace strew
