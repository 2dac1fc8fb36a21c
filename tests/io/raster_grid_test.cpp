#include <gtest/gtest.h>

#include <cmath>

#include "made_raster.hpp"
#include "shared_data.hpp"
#include "strew/io/raster.hpp"
#include "temporary_folder.hpp"

namespace strew {
namespace {

using strew_test::MadeRaster;
using strew_test::TemporaryFolder;

double elevation_at(const RasterView<float>& view, double x, double y) {
  double value = NAN;
  const SampleState state = sample_bilinear(view, to_coord(x, "x").value(), to_coord(y, "y").value(), value);
  return state == SampleState::kValid ? value : NAN;
}

FloatRaster read(const MadeRaster& raster, const TemporaryFolder& folder) {
  raster.write(folder.file("made.tif"));
  auto result = read_float_raster(folder.file("made.tif"));
  EXPECT_TRUE(result.ok()) << result.status().text();
  return result.ok() ? std::move(result).value() : FloatRaster{};
}

TEST(RasterGrid, NorthUpRowsAreTurned) {
  const TemporaryFolder folder;
  const FloatRaster raster = read(MadeRaster{}, folder);  // 4 x 3 at 10 m, values 0 to 11 from the north-west
  EXPECT_EQ(raster.info.width, 4);
  EXPECT_EQ(raster.info.height, 3);
  EXPECT_EQ(raster.info.x0_m, 500000);
  EXPECT_EQ(raster.info.x1_m, 500040);
  EXPECT_EQ(raster.info.y0_m, 4000000);
  EXPECT_EQ(raster.info.y1_m, 4000030);
  EXPECT_EQ(raster.view.at(0, 0), 8);
  EXPECT_EQ(raster.view.at(3, 2), 3);
  // Samples stand at the centres of pixels.
  EXPECT_EQ(elevation_at(raster.view, 500005, 4000025), 0);
  EXPECT_EQ(elevation_at(raster.view, 500035, 4000005), 11);
  EXPECT_EQ(elevation_at(raster.view, 500010, 4000025), 0.5);
}

TEST(RasterGrid, SouthUpFilesAreTheSameTerrain) {
  const TemporaryFolder folder;
  MadeRaster raster;
  raster.transform = {500000, 10, 0, 4000000, 0, 10};
  raster.values = {8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3};
  const FloatRaster south_up = read(raster, folder);
  const FloatRaster north_up = read(MadeRaster{}, folder);
  EXPECT_EQ(south_up.data, north_up.data);
  EXPECT_EQ(south_up.view.x0, north_up.view.x0);
  EXPECT_EQ(south_up.view.y0, north_up.view.y0);
  EXPECT_EQ(south_up.info.y0_m, north_up.info.y0_m);
  EXPECT_EQ(south_up.info.y1_m, north_up.info.y1_m);
}

TEST(RasterGrid, AnotherLinearUnitIsConverted) {
  const TemporaryFolder folder;
  MadeRaster raster;
  raster.crs = "EPSG:2225";  // NAD83 / California zone 1 (ftUS)
  const FloatRaster feet = read(raster, folder);
  const double foot = 1200.0 / 3937.0;
  EXPECT_NEAR(feet.info.linear_unit_m, foot, 1e-12);
  EXPECT_NEAR(feet.view.dx, 10 * foot, 1e-9);
  EXPECT_NEAR(feet.info.x0_m, 500000 * foot, 1e-5);
  EXPECT_NEAR(to_metres(feet.view.x0), 500005 * foot, 1e-5);
}

TEST(RasterGrid, NodataScaleOffsetAndUnitOfTheBand) {
  const TemporaryFolder folder;
  MadeRaster raster;
  raster.type = GDT_Int16;
  raster.has_nodata = true;
  raster.nodata = -32768;
  raster.scale = 0.5;
  raster.offset = 100;
  raster.values = {-32768, 2};
  const FloatRaster scaled = read(raster, folder);
  EXPECT_TRUE(std::isnan(scaled.view.at(0, 2)));
  EXPECT_EQ(scaled.view.at(1, 2), 101);
  raster.unit = "ft";
  EXPECT_NEAR(read(raster, folder).view.at(1, 2), 101 * 0.3048, 1e-5);
}

TEST(RasterGrid, DoubleNodataBeyondFloatIsRecognised) {
  const TemporaryFolder folder;
  MadeRaster raster;
  raster.type = GDT_Float64;
  raster.has_nodata = true;
  raster.nodata = -1.7976931348623157e308;
  raster.values = {-1.7976931348623157e308, 1.5, 1e300};
  const FloatRaster read_back = read(raster, folder);
  EXPECT_TRUE(std::isnan(read_back.view.at(0, 2)));
  EXPECT_EQ(read_back.view.at(1, 2), 1.5F);
  EXPECT_TRUE(std::isnan(read_back.view.at(2, 2)));
}

TEST(RasterGrid, OnlyTheFirstOfSeveralBandsIsUsed) {
  const TemporaryFolder folder;
  MadeRaster raster;
  raster.bands = 3;
  EXPECT_EQ(read(raster, folder).data, read(MadeRaster{}, folder).data);
}

TEST(RasterGrid, BiomeNodataIsKept) {
  const TemporaryFolder folder;
  const auto biome_of = [&folder](const MadeRaster& raster, TerrainWindow& window) {
    raster.write(folder.file("b.tif"));
    const auto terrain = RasterTerrain::open("", folder.file("b.tif"), false);
    ASSERT_TRUE(terrain.ok()) << terrain.status().text();
    const Rect all{0, 0, kCoordLimit, kCoordLimit};
    ASSERT_TRUE(terrain.value()->window(all, window).ok());
    EXPECT_TRUE(window.view.elevation.empty());
    EXPECT_TRUE(window.view.slope.empty());
  };
  MadeRaster raster;
  raster.type = GDT_Byte;
  TerrainWindow window;
  biome_of(raster, window);
  EXPECT_FALSE(window.view.biome.has_nodata);
  EXPECT_EQ(window.view.biome.at(0, 0), 8);
  raster.has_nodata = true;
  raster.nodata = 3;
  biome_of(raster, window);
  EXPECT_TRUE(window.view.biome.has_nodata);
  EXPECT_EQ(window.view.biome.nodata, 3);
  raster.type = GDT_Int32;
  raster.nodata = -9999;
  raster.values = {-9999, 1};
  biome_of(raster, window);
  EXPECT_TRUE(window.view.biome.has_nodata);
  EXPECT_TRUE(window.view.biome.is_nodata(window.view.biome.at(0, 2)));
  EXPECT_EQ(window.view.biome.at(1, 2), 1);
}

TEST(RasterGrid, SlopeThroughAWindowAgreesWithTheShippedOne) {
  STREW_REQUIRE_SHARED(elevation, "gorillas_elevation.tif");
  STREW_REQUIRE_SHARED(slope, "gorillas_slope_degrees.tif");
  const auto terrain = RasterTerrain::open(elevation, "", false);
  ASSERT_TRUE(terrain.ok()) << terrain.status().text();
  const auto oracle = read_float_raster(slope);
  ASSERT_TRUE(oracle.ok());
  TerrainWindow window;
  const Rect all{0, 0, kCoordLimit, kCoordLimit};
  ASSERT_TRUE(terrain.value()->window(all, window).ok());
  ASSERT_EQ(window.slope.size(), oracle.value().data.size());
  // The shipped raster has another rule on its outer ring, where neighbours are missing.
  const RasterView<float>& view = window.view.slope;
  int compared = 0;
  for (std::int32_t row = 1; row + 1 < view.height; ++row) {
    for (std::int32_t column = 1; column + 1 < view.width; ++column) {
      const float expected = oracle.value().view.at(column, row);
      if (!std::isnan(view.at(column, row)) && !std::isnan(expected)) {
        ASSERT_NEAR(view.at(column, row), expected, 2e-5);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 20000);
}

}  // namespace
}  // namespace strew
