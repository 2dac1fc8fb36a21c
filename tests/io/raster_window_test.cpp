// A position sampled through any window gives what the whole raster gives.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "made_raster.hpp"
#include "shared_data.hpp"
#include "strew/io/raster.hpp"
#include "strew/random.hpp"
#include "temporary_folder.hpp"

namespace strew {
namespace {

using strew_test::MadeRaster;
using strew_test::TemporaryFolder;

/// The three rasters sampled at one place.
struct Sampled {
  SampleState elevation = SampleState::kOutside;
  SampleState slope = SampleState::kOutside;
  SampleState biome = SampleState::kOutside;
  double altitude = 0;
  double degrees = 0;
  std::uint8_t biome_class = 0;
};

Sampled sample(const TerrainView& view, Coord x, Coord y) {
  Sampled result;
  result.elevation = sample_bilinear(view.elevation, x, y, result.altitude);
  result.slope = sample_bilinear(view.slope, x, y, result.degrees);
  result.biome = sample_nearest(view.biome, x, y, result.biome_class);
  return result;
}

/// Deterministic draws in sequence.
class Draws {
 public:
  explicit Draws(std::uint32_t seed) : seed_(seed) {}
  double unit() { return draw_unit(philox4x32({count_++, 0, 0, 0}, {seed_, 7})[0]); }
  Coord between(Coord low, Coord high) {
    return low + static_cast<Coord>(unit() * static_cast<double>(high - low));
  }

 private:
  std::uint32_t seed_;
  std::uint32_t count_ = 0;
};

struct Tolerance {
  double altitude_m;
  double degrees;
};

/// Compares many random windows, from single positions to the whole, inside, across and beyond every edge.
void expect_windows_equal_whole(const RasterTerrain& terrain, Tolerance tolerance, int windows = 300) {
  const RasterInfo& info = terrain.info();
  const Coord x0 = to_coord(info.x0_m, "x").value();
  const Coord y0 = to_coord(info.y0_m, "y").value();
  const Coord x1 = to_coord(info.x1_m, "x").value();
  const Coord y1 = to_coord(info.y1_m, "y").value();
  const Coord margin = (x1 - x0) / 8;
  TerrainWindow whole;
  ASSERT_TRUE(terrain.window({-kCoordLimit, -kCoordLimit, kCoordLimit, kCoordLimit}, whole).ok());
  ASSERT_EQ(whole.view.elevation.width, info.width);
  ASSERT_EQ(whole.view.elevation.height, info.height);
  Draws draws(99);
  TerrainWindow window;
  std::uint64_t valid = 0;
  std::uint64_t outside = 0;
  for (int i = 0; i < windows; ++i) {
    const double share = draws.unit();
    const auto width = static_cast<Coord>(share * share * share * static_cast<double>(x1 - x0));
    const auto height = static_cast<Coord>(draws.unit() * share * share * static_cast<double>(y1 - y0));
    Rect need;
    need.x0 = draws.between(x0 - margin, x1 + margin);
    need.y0 = draws.between(y0 - margin, y1 + margin);
    need.x1 = need.x0 + 1 + width;
    need.y1 = need.y0 + 1 + height;
    ASSERT_TRUE(terrain.window(need, window).ok());
    for (int k = 0; k < 60; ++k) {
      // Corners first: they lean hardest on the halo.
      const Coord x = k % 4 == 0 ? need.x0 : k % 4 == 1 ? need.x1 - 1 : draws.between(need.x0, need.x1);
      const Coord y = k % 3 == 0 ? need.y0 : k % 3 == 1 ? need.y1 - 1 : draws.between(need.y0, need.y1);
      const Sampled expected = sample(whole.view, x, y);
      const Sampled found = sample(window.view, x, y);
      ASSERT_EQ(found.elevation, expected.elevation);
      ASSERT_EQ(found.slope, expected.slope);
      ASSERT_EQ(found.biome, expected.biome);
      ASSERT_EQ(found.biome_class, expected.biome_class);
      ASSERT_NEAR(found.altitude, expected.altitude, tolerance.altitude_m);
      ASSERT_NEAR(found.degrees, expected.degrees, tolerance.degrees);
      valid += expected.slope == SampleState::kValid ? 1 : 0;
      outside += expected.elevation == SampleState::kOutside ? 1 : 0;
    }
  }
  EXPECT_GT(valid, 500U);
  EXPECT_GT(outside, 500U);
}

/// Rough heights with holes, so that a wrong sample shows.
MadeRaster rough_raster(double west, double north, double cell) {
  MadeRaster raster;
  raster.width = 67;
  raster.height = 45;
  raster.transform = {west, cell, 0, north, 0, -cell};
  raster.has_nodata = true;
  raster.nodata = -1;
  Draws draws(5);
  for (int i = 0; i < raster.width * raster.height; ++i) {
    raster.values.push_back(draws.unit() < 0.02 ? -1 : 10 * draws.unit());
  }
  return raster;
}

MadeRaster class_raster(double west, double north, double cell) {
  MadeRaster raster;
  raster.type = GDT_Byte;
  raster.width = 80;
  raster.height = 70;
  raster.transform = {west, cell, 0, north, 0, -cell};
  raster.has_nodata = true;
  Draws draws(6);
  for (int i = 0; i < raster.width * raster.height; ++i) {
    raster.values.push_back(std::floor(6 * draws.unit()));
  }
  return raster;
}

/// With cells of a power of two every step of sampling is exact, so equality is to the bit.
TEST(RasterWindow, EqualsTheWholeToTheBitNearAndFarFromTheOrigin) {
  const TemporaryFolder folder;
  for (const double shift : {0.0, -1'000'000.0, 2'000'000.0, 900'000'000.0}) {
    for (const double cell : {0.25, 1.0, 32.0}) {
      rough_raster(shift, shift + 100, cell).write(folder.file("e.tif"));
      class_raster(shift - 3 * cell, shift + 100 + 5 * cell, cell).write(folder.file("b.tif"));
      const auto terrain = RasterTerrain::open(folder.file("e.tif"), folder.file("b.tif"), false);
      ASSERT_TRUE(terrain.ok()) << terrain.status().text();
      expect_windows_equal_whole(*terrain.value(), {0, 0}, 120);
    }
  }
}

TEST(RasterWindow, EqualsTheWholeOnRealRastersOfDifferentGrids) {
  STREW_REQUIRE_SHARED(elevation, "gorillas_elevation.tif");
  STREW_REQUIRE_SHARED(biome, "gorillas_vegetation.tif");
  const auto terrain = RasterTerrain::open(elevation, biome, false);
  ASSERT_TRUE(terrain.ok()) << terrain.status().text();
  // Cells of 30.7095... m: positions are measured from the whole raster's origin, so that windows agree to
  // the bit.
  expect_windows_equal_whole(*terrain.value(), {0, 0});
}

TEST(RasterWindow, ReadsOnlyWhatIsNeeded) {
  const TemporaryFolder folder;
  rough_raster(0, 45, 1).write(folder.file("e.tif"));
  const auto terrain = RasterTerrain::open(folder.file("e.tif"), "", false);
  ASSERT_TRUE(terrain.ok());
  TerrainWindow window;
  // Sample centres stand at half metres: positions in [20, 24) lie between samples 19 and 24.
  ASSERT_TRUE(terrain.value()->window(rect_from_metres(20, 10, 24, 11, "need").value(), window).ok());
  EXPECT_EQ(window.view.elevation.width, 6 + 2);
  EXPECT_EQ(window.view.elevation.height, 3 + 2);
  EXPECT_EQ(window.elevation.size(), 40U);
  // Far outside: one edge sample, which says so.
  ASSERT_TRUE(terrain.value()->window(rect_from_metres(1e6, 1e6, 2e6, 2e6, "need").value(), window).ok());
  EXPECT_EQ(window.elevation.size(), 1U);
  double value = 0;
  EXPECT_EQ(sample_bilinear(window.view.elevation, to_coord(1.5e6, "x").value(), to_coord(1.5e6, "y").value(),
                            value),
            SampleState::kOutside);
}

TEST(RasterWindow, AWindowUsedAgainForgetsTheOldRasters) {
  const TemporaryFolder folder;
  rough_raster(0, 45, 1).write(folder.file("e.tif"));
  class_raster(0, 45, 1).write(folder.file("b.tif"));
  const auto both = RasterTerrain::open(folder.file("e.tif"), folder.file("b.tif"), false);
  const auto biome = RasterTerrain::open("", folder.file("b.tif"), false);
  ASSERT_TRUE(both.ok() && biome.ok());
  TerrainWindow window;
  const Rect need = rect_from_metres(1, 1, 5, 5, "need").value();
  ASSERT_TRUE(both.value()->window(need, window).ok());
  EXPECT_FALSE(window.view.elevation.empty());
  ASSERT_TRUE(biome.value()->window(need, window).ok());
  EXPECT_TRUE(window.view.elevation.empty());
  EXPECT_TRUE(window.view.slope.empty());
  EXPECT_FALSE(window.view.biome.empty());
  EXPECT_EQ(biome.value()->info().width, 80);
}

TEST(RasterWindow, ManyThreadsReadOneRaster) {
  STREW_REQUIRE_SHARED(elevation, "olinda_dem_utm25s.tif");
  const auto terrain = RasterTerrain::open(elevation, "", false);
  ASSERT_TRUE(terrain.ok()) << terrain.status().text();
  const RasterInfo& info = terrain.value()->info();
  TerrainWindow whole;
  ASSERT_TRUE(terrain.value()->window({-kCoordLimit, -kCoordLimit, kCoordLimit, kCoordLimit}, whole).ok());
  std::vector<int> wrong(7, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      Draws draws(static_cast<std::uint32_t>(t));
      TerrainWindow window;
      for (int i = 0; i < 200; ++i) {
        const double x = info.x0_m + draws.unit() * (info.x1_m - info.x0_m - 600);
        const double y = info.y0_m + draws.unit() * (info.y1_m - info.y0_m - 600);
        const Rect need = rect_from_metres(x, y, x + 500, y + 500, "need").value();
        if (!terrain.value()->window(need, window).ok()) {
          ++wrong[t];
          continue;
        }
        const Sampled expected = sample(whole.view, need.x0, need.y1 - 1);
        const Sampled found = sample(window.view, need.x0, need.y1 - 1);
        wrong[t] +=
            std::fabs(found.altitude - expected.altitude) < 1e-7 && found.slope == expected.slope ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, std::vector<int>(7, 0));
}

}  // namespace
}  // namespace strew
