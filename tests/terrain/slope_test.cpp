#include <gtest/gtest.h>

#include <cmath>

#include "raster_fixture.hpp"
#include "strew/exact_math.hpp"

namespace strew {
namespace {

using strew_test::kNaN;
using strew_test::Raster;

std::vector<float> slope_of(const RasterView<float>& view) {
  std::vector<float> out(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height), -1.0F);
  horn_slope(view, out);
  return out;
}

double degrees(double gradient) {
  return std::atan(gradient) * 180 / kPi;
}

TEST(HornSlope, PlanesHaveTheirSlope) {
  const double gradients[][2] = {{0, 0}, {1, 0}, {0, -2}, {0.25, 0.5}, {-3, 0.125}};
  for (const auto& g : gradients) {
    const Raster<float> raster(6, 5, 2.0, [&g](auto column, auto row) {
      return static_cast<float>(2 * g[0] * column + 2 * g[1] * row);
    });
    const auto slope = slope_of(raster.view);
    for (std::int32_t row = 1; row < 4; ++row) {
      for (std::int32_t column = 1; column < 5; ++column) {
        EXPECT_NEAR(slope[static_cast<std::size_t>(row * 6 + column)], degrees(std::hypot(g[0], g[1])), 1e-5);
      }
    }
  }
}

TEST(HornSlope, WeightsOfTheOperator) {
  // One raised sample at each place around the centre, cells of 1 m: side samples weigh 2/8, corners 1/8 in
  // both.
  const double expected[3][3] = {
      {std::hypot(1, 1), 2, std::hypot(1, 1)}, {2, 0, 2}, {std::hypot(1, 1), 2, std::hypot(1, 1)}};
  for (std::int32_t raised_row = 0; raised_row < 3; ++raised_row) {
    for (std::int32_t raised = 0; raised < 3; ++raised) {
      Raster<float> raster(3, 3, 1.0, [](auto, auto) { return 0.0F; });
      raster.at(raised, raised_row) = 4;
      EXPECT_NEAR(slope_of(raster.view)[4], degrees(expected[raised_row][raised] / 2), 1e-5);
    }
  }
}

TEST(HornSlope, AnisotropicCells) {
  Raster<float> raster(3, 3, 1.0, [](auto column, auto row) { return static_cast<float>(column + 3 * row); });
  raster.view.dx = 2;
  raster.view.dy = 12;
  EXPECT_NEAR(slope_of(raster.view)[4], degrees(std::hypot(0.5, 0.25)), 1e-5);
}

TEST(HornSlope, EdgesRepeatTheOuterSample) {
  // z = x: at the western edge the operator sees 0, 0, 1, half the gradient.
  const Raster<float> raster(4, 4, 1.0, [](auto column, auto) { return static_cast<float>(column); });
  const auto slope = slope_of(raster.view);
  EXPECT_NEAR(slope[0], degrees(0.5), 1e-5);
  EXPECT_NEAR(slope[1], degrees(1), 1e-5);
  EXPECT_NEAR(slope[3], degrees(0.5), 1e-5);
  EXPECT_NEAR(slope[13], degrees(1), 1e-5);
}

TEST(HornSlope, NodataSpreadsToItsNeighboursOnly) {
  for (const float hole : {-9999.0F, kNaN, HUGE_VALF}) {
    Raster<float> raster(7, 7, 1.0, [](auto column, auto) { return static_cast<float>(column); });
    raster.view.has_nodata = true;
    raster.view.nodata = -9999;
    raster.at(3, 3) = hole;
    const auto slope = slope_of(raster.view);
    for (std::int32_t row = 0; row < 7; ++row) {
      for (std::int32_t column = 0; column < 7; ++column) {
        const bool near_hole = std::abs(row - 3) <= 1 && std::abs(column - 3) <= 1;
        EXPECT_EQ(std::isnan(slope[static_cast<std::size_t>(row * 7 + column)]), near_hole)
            << column << ' ' << row;
      }
    }
  }
}

TEST(HornSlope, SmallestRasters) {
  const Raster<float> one(1, 1, 1.0, [](auto, auto) { return 5.0F; });
  EXPECT_EQ(slope_of(one.view)[0], 0);
  const Raster<float> row(3, 1, 1.0, [](auto column, auto) { return static_cast<float>(column); });
  EXPECT_NEAR(slope_of(row.view)[1], 45, 1e-5);
  const Raster<float> column(1, 3, 1.0, [](auto, auto line) { return static_cast<float>(2 * line); });
  EXPECT_NEAR(slope_of(column.view)[1], degrees(2), 1e-5);
  horn_slope(RasterView<float>{}, {});
}

TEST(HornSlope, SameThroughANegativeStride) {
  const Raster<float> raster(
      8, 8, 3.0, [](auto column, auto row) { return static_cast<float>((column * 7 + row * 13) % 11); });
  RasterView<float> flipped = raster.view;
  flipped.data = raster.data.data() + 56;
  flipped.stride = -8;
  const auto slope = slope_of(raster.view);
  const auto other = slope_of(flipped);
  for (std::size_t row = 0; row < 8; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      EXPECT_FLOAT_EQ(slope[row * 8 + column], other[(7 - row) * 8 + column]);
    }
  }
}

}  // namespace
}  // namespace strew
