#include <gdal.h>
#include <gtest/gtest.h>

#include <cmath>

#include "made_raster.hpp"
#include "shared_data.hpp"
#include "strew/io/raster.hpp"
#include "temporary_folder.hpp"

namespace strew {
namespace {

using strew_test::MadeRaster;
using strew_test::read_file;
using strew_test::TemporaryFolder;
using strew_test::write_file;

Status elevation_status(const std::string& path, bool assume = false) {
  const auto result = RasterTerrain::open(path, "", assume);
  return result.ok() ? Status{} : result.status();
}

Status biome_status(const std::string& path) {
  const auto result = RasterTerrain::open("", path, false);
  return result.ok() ? Status{} : result.status();
}

/// Refused as bad input, at `path`, with each of `parts` in the message.
void expect_refused(const Status& status, const std::string& path, const std::vector<std::string>& parts) {
  EXPECT_EQ(status.code, StatusCode::kInvalidArgument);
  EXPECT_EQ(status.where, path);
  for (const std::string& part : parts) {
    EXPECT_NE(status.message.find(part), std::string::npos) << part << "\nis not in: " << status.message;
  }
}

TEST(RasterErrors, MissingEmptyAndForeignFiles) {
  const TemporaryFolder folder;
  expect_refused(elevation_status(folder.file("none.tif")), folder.file("none.tif"), {"does not exist"});
  write_file(folder.file("empty.tif"), "");
  expect_refused(elevation_status(folder.file("empty.tif")), folder.file("empty.tif"), {"empty file"});
  write_file(folder.file("text.tif"),
             "this is no raster, but it is long enough to be looked at by every driver\n");
  expect_refused(elevation_status(folder.file("text.tif")), folder.file("text.tif"),
                 {"cannot be opened", "GDAL:"});
  expect_refused(elevation_status(folder.path()), folder.path(), {"cannot be opened"});
  const auto neither = RasterTerrain::open("", "", false);
  ASSERT_FALSE(neither.ok());
  EXPECT_EQ(neither.status().code, StatusCode::kInvalidArgument);
}

TEST(RasterErrors, TruncatedFileIsRefusedWhenOpened) {
  STREW_REQUIRE_SHARED(source, "olinda_dem_utm25s.tif");
  const TemporaryFolder folder;
  const std::string bytes = read_file(source);
  ASSERT_TRUE(elevation_status(source).ok());
  for (const double share : {0.05, 0.3, 0.6, 0.9, 0.99}) {
    const std::string path = folder.file("cut.tif");
    write_file(path, bytes.substr(0, static_cast<std::size_t>(static_cast<double>(bytes.size()) * share)));
    expect_refused(elevation_status(path), path, {"GDAL:"});
    const auto whole = read_float_raster(path);
    EXPECT_FALSE(whole.ok());
  }
}

TEST(RasterErrors, DegreesAreRefusedWithTheCommandThatReprojects) {
  STREW_REQUIRE_SHARED(path, "elev_degrees_epsg4326.tif");
  // The raster covers Luxembourg, at about 6.1 east and 49.8 north: zone 32.
  expect_refused(elevation_status(path), path, {"degrees", "`gdalwarp -t_srs EPSG:32632 ", path, ".tif`"});
  expect_refused(elevation_status(path, true), path, {"degrees"});
}

TEST(RasterErrors, TheSuggestedZoneFollowsThePlace) {
  const TemporaryFolder folder;
  const std::string path = folder.file("it's here.tif");
  MadeRaster raster;
  raster.crs = "EPSG:4326";
  raster.transform = {-35, 0.01, 0, -8, 0, -0.01};
  raster.write(path);
  expect_refused(elevation_status(path), path, {"EPSG:32725", "'" + folder.path() + "/it'\\''s here.tif'"});
  raster.transform = {179.9, 0.01, 0, 10, 0, -0.01};
  raster.write(path);
  expect_refused(elevation_status(path), path, {"EPSG:32660"});
  raster.transform = {10, 0.01, 0, 89, 0, -0.01};
  raster.write(path);
  expect_refused(elevation_status(path), path, {"EPSG:32661"});
}

TEST(RasterErrors, UnplacedAndRotatedRasters) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  MadeRaster raster;
  raster.placed = false;
  raster.write(path);
  expect_refused(elevation_status(path), path, {"no geotransform", "gdal_translate"});
  raster.placed = true;
  raster.transform = {500000, 10, 1, 4000000, 1, -10};
  raster.write(path);
  expect_refused(elevation_status(path), path, {"rotated", "gdalwarp"});
  raster.transform = {500000, -10, 0, 4000000, 0, -10};
  raster.write(path);
  expect_refused(elevation_status(path), path, {"-10", "above 0"});
}

TEST(RasterErrors, DifferentOrUnknownSystemsNeedTheAssumption) {
  const TemporaryFolder folder;
  MadeRaster raster;
  raster.write(folder.file("a.tif"));
  raster.type = GDT_Byte;
  raster.crs = "EPSG:32633";
  raster.write(folder.file("b.tif"));
  const auto refused = RasterTerrain::open(folder.file("a.tif"), folder.file("b.tif"), false);
  ASSERT_FALSE(refused.ok());
  expect_refused(refused.status(), folder.file("b.tif"), {"zone 32N", "zone 33N", "assume_same_crs"});
  EXPECT_TRUE(RasterTerrain::open(folder.file("a.tif"), folder.file("b.tif"), true).ok());
  raster.crs = "EPSG:32632";
  raster.write(folder.file("b.tif"));
  EXPECT_TRUE(RasterTerrain::open(folder.file("a.tif"), folder.file("b.tif"), false).ok());
  raster.crs.clear();
  raster.write(folder.file("b.tif"));
  const auto unknown = RasterTerrain::open(folder.file("a.tif"), folder.file("b.tif"), false);
  ASSERT_FALSE(unknown.ok());
  expect_refused(unknown.status(), folder.file("b.tif"), {"does not name its CRS", "assume_same_crs"});
  EXPECT_TRUE(RasterTerrain::open(folder.file("a.tif"), folder.file("b.tif"), true).ok());
}

TEST(RasterErrors, ValuesThatAreNoHeightsOrClasses) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  MadeRaster raster;
  raster.type = GDT_CFloat32;
  raster.write(path);
  expect_refused(elevation_status(path), path, {"complex"});
  raster.type = GDT_Float32;
  raster.write(path);
  expect_refused(biome_status(path), path, {"Float32", "gdal_translate -ot Byte"});
  raster.type = GDT_Int16;
  raster.values = {1, 2, 300};
  raster.write(path);
  const auto terrain = RasterTerrain::open("", path, false);
  ASSERT_TRUE(terrain.ok()) << terrain.status().text();
  TerrainWindow window;
  const Rect all{0, 0, kCoordLimit, kCoordLimit};
  expect_refused(terrain.value()->window(all, window), path, {"300", "0 to 255"});
}

/// State of the elevation at a place given in metres.
SampleState state_at(const TerrainSource& terrain, double x, double y) {
  const Rect place = rect_from_metres(x, y, x + 0.5, y + 0.5, "test").value();
  TerrainWindow window;
  EXPECT_TRUE(terrain.window(place, window).ok());
  double value = 0;
  return sample_bilinear(window.view.elevation, place.x0, place.y0, value);
}

TEST(RasterValues, NotANumberAndInfinityAreNoGround) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    MadeRaster raster;
    raster.width = 6;
    raster.height = 6;
    raster.transform = {500000, 10, 0, 4000060, 0, -10};
    raster.values = std::vector<double>(36, 7);
    raster.values[14] = bad;  // row 2 from the north, column 2: its centre at (500025, 4000035)
    raster.write(path);
    const auto terrain = RasterTerrain::open(path, "", false);
    ASSERT_TRUE(terrain.ok()) << terrain.status().text();
    EXPECT_EQ(state_at(*terrain.value(), 500025, 4000035), SampleState::kNodata);
    EXPECT_EQ(state_at(*terrain.value(), 500018, 4000042), SampleState::kNodata);  // of the four samples one
    EXPECT_EQ(state_at(*terrain.value(), 500045, 4000035), SampleState::kValid);
    EXPECT_EQ(state_at(*terrain.value(), 500025, 4000055), SampleState::kValid);
  }
}

TEST(RasterValues, NothingButNodataIsNoGroundAnywhere) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  MadeRaster raster;
  raster.has_nodata = true;
  raster.nodata = -9999;
  raster.values = std::vector<double>(12, -9999);
  raster.write(path);
  const auto terrain = RasterTerrain::open(path, "", false);
  ASSERT_TRUE(terrain.ok()) << terrain.status().text();
  EXPECT_EQ(state_at(*terrain.value(), 500015, 4000015), SampleState::kNodata);
  EXPECT_EQ(state_at(*terrain.value(), 499000, 4000015), SampleState::kOutside);
}

TEST(RasterValues, OneSampleIsFlatGroundOfOneCell) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  MadeRaster raster;
  raster.width = 1;
  raster.height = 1;
  raster.transform = {500000, 10, 0, 4000010, 0, -10};
  raster.values = {42};
  raster.write(path);
  const auto terrain = RasterTerrain::open(path, "", false);
  ASSERT_TRUE(terrain.ok()) << terrain.status().text();
  TerrainWindow window;
  const Rect cell = rect_from_metres(500000, 4000000, 500010, 4000010, "test").value();
  ASSERT_TRUE(terrain.value()->window(cell, window).ok());
  double value = 0;
  double slope = 9;
  EXPECT_EQ(sample_bilinear(window.view.elevation, cell.x0, cell.y0, value), SampleState::kValid);
  EXPECT_EQ(value, 42);
  EXPECT_EQ(sample_bilinear(window.view.slope, cell.x0, cell.y0, slope), SampleState::kValid);
  EXPECT_EQ(slope, 0);
  EXPECT_EQ(state_at(*terrain.value(), 500011, 4000005), SampleState::kOutside);
}

/// Overwrites the value of a tag in the directory of a small little-endian TIFF.
void set_tiff_tag(std::string& bytes, unsigned tag, std::uint32_t value) {
  const auto number = [&bytes](std::size_t at, std::size_t size) {
    std::uint32_t out = 0;
    for (std::size_t i = size; i-- > 0;) {
      out = out << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return out;
  };
  const std::size_t directory = number(4, 4);
  for (std::size_t i = 0; i < number(directory, 2); ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    if (number(entry, 2) == tag) {
      bytes[entry + 2] = 4;  // 32 bits
      bytes[entry + 3] = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        bytes[entry + 8 + k] = static_cast<char>(value >> (8 * k));
      }
      return;
    }
  }
  FAIL() << "no tag " << tag;
}

TEST(RasterErrors, HugeDimensionsOverATruncatedBodyAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tif");
  MadeRaster().write(path);
  const std::string good = read_file(path);
  for (const std::uint32_t side : {100000U, 2000000000U}) {
    std::string bytes = good;
    set_tiff_tag(bytes, 256, side);  // width
    set_tiff_tag(bytes, 257, side);  // height
    set_tiff_tag(bytes, 278, side);  // rows of the one strip
    write_file(path, bytes);
    const auto terrain = RasterTerrain::open(path, "", false);
    if (!terrain.ok()) {
      EXPECT_EQ(terrain.status().where, path);
      continue;
    }
    // Opened on trust: what is not there is an error as soon as it is read, at the price of what was asked
    // for.
    TerrainWindow window;
    const Rect here = rect_from_metres(500000, 3990000, 500100, 3990100, "test").value();
    const Status status = terrain.value()->window(here, window);
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.where, path);
  }
}

TEST(RasterErrors, AReadThatFailsLaterIsAnIoError) {
  STREW_REQUIRE_SHARED(source, "olinda_dem_utm25s.tif");
  const TemporaryFolder folder;
  const std::string path = folder.file("dem.tif");
  write_file(path, read_file(source));
  const auto terrain = RasterTerrain::open(path, "", false);
  ASSERT_TRUE(terrain.ok());
  std::filesystem::resize_file(path, 4000);
  TerrainWindow window;
  const Rect all{0, 0, kCoordLimit, kCoordLimit};
  const Status status = terrain.value()->window(all, window);
  EXPECT_EQ(status.code, StatusCode::kIo) << status.text();
  EXPECT_EQ(status.where, path);
}

TEST(RasterErrors, GdalStaysQuiet) {
  testing::internal::CaptureStderr();
  const TemporaryFolder folder;
  write_file(folder.file("text.tif"), std::string("II*\0garbage garbage garbage garbage", 35));
  EXPECT_FALSE(elevation_status(folder.file("text.tif")).ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace strew
