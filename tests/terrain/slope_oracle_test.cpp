// Horn slope against rasters that this project did not make.
#include <gdal.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "shared_data.hpp"
#include "strew/terrain.hpp"

namespace strew {
namespace {

struct Band {
  int width = 0;
  int height = 0;
  double cell = 0;
  float nodata = 0;
  std::vector<float> data;  // row 0 is the northernmost
};

Band read_band(const std::string& path) {
  GDALAllRegister();
  Band band;
  GDALDatasetH dataset = GDALOpen(path.c_str(), GA_ReadOnly);
  EXPECT_NE(dataset, nullptr) << path;
  if (dataset == nullptr) {
    return band;
  }
  band.width = GDALGetRasterXSize(dataset);
  band.height = GDALGetRasterYSize(dataset);
  double transform[6];
  EXPECT_EQ(GDALGetGeoTransform(dataset, transform), CE_None);
  band.cell = transform[1];
  EXPECT_NEAR(transform[5], -transform[1], 1e-6);
  GDALRasterBandH handle = GDALGetRasterBand(dataset, 1);
  band.nodata = static_cast<float>(GDALGetRasterNoDataValue(handle, nullptr));
  band.data.resize(static_cast<std::size_t>(band.width) * static_cast<std::size_t>(band.height));
  EXPECT_EQ(GDALRasterIO(handle, GF_Read, 0, 0, band.width, band.height, band.data.data(), band.width,
                         band.height, GDT_Float32, 0, 0),
            CE_None);
  GDALClose(dataset);
  return band;
}

TEST(HornSlopeOracle, ShippedSlopeOfTheGorillasData) {
  STREW_REQUIRE_SHARED(elevation_path, "gorillas_elevation.tif");
  STREW_REQUIRE_SHARED(slope_path, "gorillas_slope_degrees.tif");
  const Band elevation = read_band(elevation_path);
  const Band truth = read_band(slope_path);
  ASSERT_EQ(elevation.width, truth.width);
  ASSERT_EQ(elevation.height, truth.height);
  RasterView<float> view{
      elevation.data.data() + static_cast<std::ptrdiff_t>(elevation.width) * (elevation.height - 1),
      elevation.width,
      elevation.height,
      -elevation.width,
      0,
      0,
      elevation.cell,
      elevation.cell,
      elevation.nodata,
      true};
  std::vector<float> slope(elevation.data.size());
  horn_slope(view, slope);
  std::size_t compared = 0;
  double worst = 0;
  for (std::int32_t row = 1; row + 1 < elevation.height; ++row) {
    for (std::int32_t column = 1; column + 1 < elevation.width; ++column) {
      const auto line = static_cast<std::size_t>(elevation.height - 1 - row);
      const float expected =
          truth.data[line * static_cast<std::size_t>(truth.width) + static_cast<std::size_t>(column)];
      const float found = slope[static_cast<std::size_t>(row * elevation.width + column)];
      if (std::isnan(found) || std::isnan(expected) || expected == truth.nodata) {
        continue;
      }
      worst = std::fmax(worst, std::fabs(static_cast<double>(found) - expected));
      ++compared;
    }
  }
  EXPECT_LT(worst, 1e-4);
  EXPECT_GT(compared, 20000U);
  RecordProperty("compared", static_cast<int>(compared));
  RecordProperty("worst_degrees", std::to_string(worst));
}

}  // namespace
}  // namespace strew
