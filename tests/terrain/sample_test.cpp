#include <gtest/gtest.h>

#include <algorithm>

#include "raster_fixture.hpp"

namespace strew {
namespace {

using strew_test::kNaN;
using strew_test::Raster;
using strew_test::units;

float corner_values(std::int32_t column, std::int32_t row) {
  const float values[2][2] = {{1, 3}, {10, 20}};
  return values[row][column];
}

double bilinear(const RasterView<float>& view, double x, double y) {
  double value = -1;
  EXPECT_EQ(sample_bilinear(view, units(x), units(y), value), SampleState::kValid) << x << ' ' << y;
  return value;
}

SampleState state_at(const RasterView<float>& view, double x, double y) {
  double value = 0;
  return sample_bilinear(view, units(x), units(y), value);
}

TEST(SampleBilinear, KnownValues) {
  const Raster<float> raster(2, 2, 4.0, corner_values);
  EXPECT_EQ(bilinear(raster.view, 0, 0), 1);
  EXPECT_EQ(bilinear(raster.view, 4, 0), 3);
  EXPECT_EQ(bilinear(raster.view, 0, 4), 10);
  EXPECT_EQ(bilinear(raster.view, 4, 4), 20);
  EXPECT_EQ(bilinear(raster.view, 2, 0), 2);
  EXPECT_EQ(bilinear(raster.view, 0, 2), 5.5);
  EXPECT_EQ(bilinear(raster.view, 2, 2), 8.5);
  EXPECT_EQ(bilinear(raster.view, 1, 3), 1.5 + (12.5 - 1.5) * 0.75);
}

TEST(SampleBilinear, PlaneIsReproduced) {
  const Raster<float> raster(9, 7, 2.5, [](auto column, auto row) {
    return static_cast<float>(column) * 2.5F + static_cast<float>(row) * 5.0F - 3.0F;
  });
  for (double y = 0; y <= 15; y += 0.37) {
    for (double x = 0; x <= 20; x += 0.41) {
      EXPECT_NEAR(bilinear(raster.view, x, y), x + 2 * y - 3, 1e-9) << x << ' ' << y;
    }
  }
}

TEST(SampleBilinear, UnequalCellSizesAndOrigin) {
  Raster<float> raster(2, 2, 1.0, corner_values, units(100), units(-50));
  raster.view.dx = 10;
  raster.view.dy = 2;
  EXPECT_EQ(bilinear(raster.view, 105, -50), 2);
  EXPECT_EQ(bilinear(raster.view, 100, -49), 5.5);
}

TEST(SampleBilinear, OuterHalfCellExtendsTheEdge) {
  const Raster<float> raster(2, 2, 4.0, corner_values);
  EXPECT_EQ(bilinear(raster.view, -2, -2), 1);
  EXPECT_EQ(bilinear(raster.view, -1.5, 2), 5.5);
  EXPECT_EQ(bilinear(raster.view, 5.9, 0), 3);
  EXPECT_EQ(bilinear(raster.view, 2, 5.5), 15);
  EXPECT_EQ(bilinear(raster.view, 5.99, 5.99), 20);
}

TEST(SampleBilinear, FootprintIsHalfOpen) {
  const Raster<float> raster(2, 2, 4.0, corner_values);
  double value = 0;
  EXPECT_EQ(sample_bilinear(raster.view, units(-2), 0, value), SampleState::kValid);
  EXPECT_EQ(sample_bilinear(raster.view, units(-2) - 1, 0, value), SampleState::kOutside);
  EXPECT_EQ(sample_bilinear(raster.view, units(6) - 1, 0, value), SampleState::kValid);
  EXPECT_EQ(sample_bilinear(raster.view, units(6), 0, value), SampleState::kOutside);
  EXPECT_EQ(sample_bilinear(raster.view, 0, units(-2) - 1, value), SampleState::kOutside);
  EXPECT_EQ(sample_bilinear(raster.view, 0, units(6), value), SampleState::kOutside);
}

TEST(SampleBilinear, FarAndAbsentRastersAreOutside) {
  const Raster<float> raster(2, 2, 4.0, corner_values, kCoordLimit, -kCoordLimit);
  double value = 0;
  EXPECT_EQ(sample_bilinear(raster.view, -kCoordLimit, kCoordLimit, value), SampleState::kOutside);
  EXPECT_EQ(sample_bilinear(raster.view, -kCoordLimit - units(9), -kCoordLimit, value),
            SampleState::kOutside);
  EXPECT_EQ(sample_bilinear(raster.view, kCoordLimit, -kCoordLimit, value), SampleState::kValid);
  EXPECT_EQ(sample_bilinear(RasterView<float>{}, 0, 0, value), SampleState::kOutside);
}

TEST(SampleBilinear, AnyOfFourNodataRefuses) {
  for (int corner = 0; corner < 4; ++corner) {
    for (const bool as_nan : {false, true}) {
      Raster<float> raster(2, 2, 4.0, corner_values);
      raster.view.has_nodata = true;
      raster.view.nodata = -9999;
      raster.at(corner % 2, corner / 2) = as_nan ? kNaN : -9999;
      EXPECT_EQ(state_at(raster.view, 1, 1), SampleState::kNodata) << corner;
      // Exactly on a sample the weight of the others is 0, and they are asked all the same.
      EXPECT_EQ(state_at(raster.view, 0, 0), SampleState::kNodata) << corner;
    }
  }
}

TEST(SampleBilinear, NodataValueCountsOnlyWhenDeclared) {
  Raster<float> raster(2, 2, 4.0, corner_values);
  raster.view.nodata = 1;
  EXPECT_EQ(state_at(raster.view, 1, 1), SampleState::kValid);
  raster.view.has_nodata = true;
  EXPECT_EQ(state_at(raster.view, 1, 1), SampleState::kNodata);
}

TEST(SampleBilinear, InfiniteSampleIsNoHeight) {
  Raster<float> raster(2, 2, 4.0, corner_values);
  raster.at(1, 1) = HUGE_VALF;
  EXPECT_EQ(state_at(raster.view, 1, 1), SampleState::kNodata);
  EXPECT_EQ(state_at(raster.view, 0, 0), SampleState::kNodata);
}

TEST(SampleBilinear, NegativeStrideViewsANorthUpRaster) {
  Raster<float> raster(3, 4, 1.0,
                       [](auto column, auto row) { return static_cast<float>(10 * row + column); });
  RasterView<float> view = raster.view;
  view.data = raster.data.data() + 9;
  view.stride = -3;
  EXPECT_EQ(bilinear(view, 0, 0), 30);
  EXPECT_EQ(bilinear(view, 2, 3), 2);
  EXPECT_EQ(bilinear(view, 1, 0.5), 26);
}

TEST(SampleBilinear, FarFromTheOriginIsTheSame) {
  const auto wave = [](std::int32_t column, std::int32_t row) {
    return static_cast<float>(column * column) * 0.37F - static_cast<float>(row) * 1.91F;
  };
  const Coord far = units(1e7) + 12345;
  const Raster<float> here(20, 20, 30.71, wave);
  const Raster<float> there(20, 20, 30.71, wave, far, -far);
  for (std::int64_t k = 0; k < 5000; ++k) {
    const Coord x = k * 521234567 - units(20);
    const Coord y = k * 499234561 - units(20);
    double near_value = 0;
    double far_value = 0;
    const SampleState near_state = sample_bilinear(here.view, x, y, near_value);
    EXPECT_EQ(sample_bilinear(there.view, x + far, y - far, far_value), near_state);
    EXPECT_EQ(near_value, far_value) << k;
  }
}

TEST(SampleBilinear, OneSampleAndOneRow) {
  const Raster<float> one(1, 1, 2.0, [](auto, auto) { return 7.0F; });
  EXPECT_EQ(bilinear(one.view, -1, 0.9), 7);
  EXPECT_EQ(state_at(one.view, 1, 0), SampleState::kOutside);
  const Raster<float> row(3, 1, 2.0, [](auto column, auto) { return static_cast<float>(column); });
  EXPECT_EQ(bilinear(row.view, 1, 0.5), 0.5);
  EXPECT_EQ(bilinear(row.view, 4.5, -1), 2);
}

std::uint8_t nearest(const RasterView<std::uint8_t>& view, double x, double y) {
  std::uint8_t value = 255;
  EXPECT_EQ(sample_nearest(view, units(x), units(y), value), SampleState::kValid) << x << ' ' << y;
  return value;
}

TEST(SampleNearest, ValuesTiesAndEdges) {
  Raster<std::uint8_t> raster(
      3, 2, 2.0, [](auto column, auto row) { return static_cast<std::uint8_t>(10 * row + column); });
  EXPECT_EQ(nearest(raster.view, 0.9, 0), 0);
  EXPECT_EQ(nearest(raster.view, 1.0, 0), 1);
  EXPECT_EQ(nearest(raster.view, 1.0, 1.0), 11);
  EXPECT_EQ(nearest(raster.view, -1.0, -1.0), 0);
  EXPECT_EQ(nearest(raster.view, 4.99, 2.99), 12);
  std::uint8_t value = 0;
  EXPECT_EQ(sample_nearest(raster.view, units(5), 0, value), SampleState::kOutside);
  EXPECT_EQ(sample_nearest(raster.view, units(5) - 1, units(3) - 1, value), SampleState::kValid);
  EXPECT_EQ(value, 12);
  EXPECT_EQ(sample_nearest(raster.view, 0, units(-1) - 1, value), SampleState::kOutside);
  raster.view.has_nodata = true;
  raster.view.nodata = 11;
  EXPECT_EQ(sample_nearest(raster.view, units(2), units(2), value), SampleState::kNodata);
  EXPECT_EQ(sample_nearest(RasterView<std::uint8_t>{}, 0, 0, value), SampleState::kOutside);
}

}  // namespace
}  // namespace strew
