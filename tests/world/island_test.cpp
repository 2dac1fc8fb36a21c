#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "strew/random.hpp"
#include "strew/world/world.hpp"

namespace strew {
namespace {

constexpr std::uint64_t kSeed = 1;

Rect metres(double x0, double y0, double x1, double y1) {
  const Result<Rect> rect = rect_from_metres(x0, y0, x1, y1, "test");
  EXPECT_TRUE(rect.ok());
  return rect.value();
}

// Windows are movable with their views: the views point into the vectors' memory.
TerrainWindow window_of(const TerrainSource& island, const Rect& need) {
  TerrainWindow window;
  const Status status = island.window(need, window);
  EXPECT_TRUE(status.ok()) << status.text();
  return window;
}

struct Sample {
  double elevation = 0;
  double slope = 0;
  std::uint8_t biome = 255;
  friend bool operator==(const Sample&, const Sample&) = default;
};

Sample sample(const TerrainWindow& window, Coord x, Coord y) {
  Sample result;
  EXPECT_EQ(sample_bilinear(window.view.elevation, x, y, result.elevation), SampleState::kValid);
  EXPECT_EQ(sample_bilinear(window.view.slope, x, y, result.slope), SampleState::kValid);
  EXPECT_EQ(sample_nearest(window.view.biome, x, y, result.biome), SampleState::kValid);
  return result;
}

TEST(Island, EveryWindowSamplesAlike) {
  const auto island = make_island(kSeed, 8000, 8000, 16000);
  const TerrainWindow whole = window_of(*island, metres(5000, 6000, 8000, 9000));
  for (std::uint64_t k = 0; k < 60; ++k) {
    const double x0 = 5000 + static_cast<double>(mix64(k) % 2500) + 0.37;
    const double y0 = 6000 + static_cast<double>(mix64(k + 100) % 2500) + 0.71;
    const double side = 0.01 + static_cast<double>(mix64(k + 200) % 400);
    const Rect need = metres(x0, y0, x0 + side, y0 + side);
    const TerrainWindow part = window_of(*island, need);
    const Coord x_last = need.x1 - 1;
    const Coord y_last = need.y1 - 1;
    for (std::uint64_t j = 0; j < 40; ++j) {
      const Coord x =
          need.x0 + static_cast<Coord>(mix64(k * 100 + j) % static_cast<std::uint64_t>(x_last - need.x0));
      const Coord y =
          need.y0 + static_cast<Coord>(mix64(k * 777 + j) % static_cast<std::uint64_t>(y_last - need.y0));
      ASSERT_EQ(sample(part, x, y), sample(whole, x, y)) << k << ' ' << j;
    }
    ASSERT_EQ(sample(part, need.x0, need.y0), sample(whole, need.x0, need.y0)) << k;
    ASSERT_EQ(sample(part, x_last, y_last), sample(whole, x_last, y_last)) << k;
  }
}

TEST(Island, BordersOnTheGridSampleAlike) {
  const auto island = make_island(kSeed, 0, 0, 16000);
  const TerrainWindow whole = window_of(*island, metres(-400, -400, 400, 400));
  for (const double x0 : {-16.0, -8.0, -4.0, 0.0, 4.0, 12.0}) {
    const Rect need = metres(x0, x0, x0 + 8, x0 + 8);
    const TerrainWindow part = window_of(*island, need);
    for (const Coord x : {need.x0, need.x0 + 1, need.x1 - 1}) {
      for (const Coord y : {need.y0, need.y0 + 1, need.y1 - 1}) {
        EXPECT_EQ(sample(part, x, y), sample(whole, x, y)) << x0;
      }
    }
  }
}

TEST(Island, MovedByWholeCellsItIsTheSameIsland) {
  const auto here = make_island(kSeed, 0, 0, 16000);
  const auto there = make_island(kSeed, 1e7, -1e7, 16000);
  const TerrainWindow a = window_of(*here, metres(-500, 1000, 500, 2000));
  const TerrainWindow b = window_of(*there, metres(1e7 - 500, 1000 - 1e7, 1e7 + 500, 2000 - 1e7));
  EXPECT_EQ(a.elevation, b.elevation);
  EXPECT_EQ(a.biome, b.biome);
  ASSERT_EQ(a.slope.size(), b.slope.size());
  EXPECT_TRUE(std::equal(a.slope.begin(), a.slope.end(), b.slope.begin()));
  const auto other = make_island(kSeed + 1, 0, 0, 16000);
  EXPECT_NE(window_of(*other, metres(-500, 1000, 500, 2000)).elevation, a.elevation);
}

TEST(Island, SlopeIsHornOfElevation) {
  const auto island = make_island(3, 0, 0, 16000);
  const TerrainWindow window = window_of(*island, metres(-2000, -2000, 2000, 2000));
  const RasterView<float>& view = window.view.elevation;
  std::vector<float> slope(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
  horn_slope(view, slope);
  for (std::int32_t row = 1; row + 1 < view.height; ++row) {
    for (std::int32_t column = 1; column + 1 < view.width; ++column) {
      ASSERT_EQ(window.view.slope.at(column, row),
                slope[static_cast<std::size_t>(row * view.width + column)]);
    }
  }
}

struct Census {
  double samples = 0;
  double land = 0;
  double steep25 = 0;
  double steep45 = 0;
  double highest = -1e9;
  double lowest = 1e9;
  std::array<double, 256> classes{};
};

Census census(std::uint64_t seed, double size) {
  Census result;
  const auto island = make_island(seed, 0, 0, size);
  const TerrainWindow window = window_of(*island, metres(-size / 2, -size / 2, size / 2, size / 2));
  const TerrainView& view = window.view;
  for (std::int32_t row = 0; row < view.elevation.height; ++row) {
    for (std::int32_t column = 0; column < view.elevation.width; ++column) {
      const double z = view.elevation.at(column, row);
      const double slope = view.slope.at(column, row);
      const std::uint8_t biome = view.biome.at(column, row);
      EXPECT_EQ(biome == 0, z < 0);
      result.samples += 1;
      result.land += z >= 0 ? 1 : 0;
      result.steep25 += z >= 0 && slope > 25 ? 1 : 0;
      result.steep45 += z >= 0 && slope > 45 ? 1 : 0;
      result.highest = std::fmax(result.highest, z);
      result.lowest = std::fmin(result.lowest, z);
      result.classes[biome] += 1;
    }
  }
  return result;
}

TEST(Island, LandMountainsAndEveryBiome) {
  double land = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Census found = census(seed, 16000);
    land += found.land / found.samples / 4;
    EXPECT_GT(found.highest, 800) << seed;
    EXPECT_LT(found.highest, 1300) << seed;
    EXPECT_GT(found.lowest, -141) << seed;
    EXPECT_GT(found.steep25 / found.land, 0.03) << seed;
    EXPECT_LT(found.steep25 / found.land, 0.25) << seed;
    EXPECT_LT(found.steep45 / found.land, 0.05) << seed;
    for (const auto& [biome, name] : island_biome_names()) {
      EXPECT_GT(found.classes[biome], found.samples * 0.0005) << seed << ' ' << name;
    }
    const double forest = found.classes[3] + found.classes[4] + found.classes[5];
    EXPECT_GT(forest / found.land, 0.3) << seed;
  }
  EXPECT_NEAR(land, 0.45, 0.04);
}

TEST(Island, SmallerIslandsAreLowerAndStillIslands) {
  const Census found = census(1, 2000);
  EXPECT_NEAR(found.land / found.samples, 0.45, 0.12);
  EXPECT_LT(found.highest, 200);
  EXPECT_GT(found.highest, 60);
}

TEST(Island, SidesOfTheSquareAndBeyondAreSea) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto island = make_island(seed, 0, 0, 16000);
    for (const Rect& need : {metres(-8000, -8000, 8000, -7990), metres(7990, -8000, 8000, 8000),
                             metres(-20000, 9000, -19000, 10000)}) {
      const TerrainWindow window = window_of(*island, need);
      EXPECT_LT(*std::max_element(window.elevation.begin(), window.elevation.end()), 0) << seed;
      EXPECT_EQ(*std::max_element(window.biome.begin(), window.biome.end()), 0) << seed;
      EXPECT_FALSE(window.view.biome.has_nodata);
    }
  }
}

TEST(Island, RefusesWhatItCannotBe) {
  TerrainWindow window;
  for (const double size : {0.0, -5.0, 99.0, 2e6, std::nan("")}) {
    EXPECT_EQ(make_island(1, 0, 0, size)->window(metres(0, 0, 1, 1), window).where, "terrain.island.size_m");
  }
  EXPECT_EQ(make_island(1, std::nan(""), 0, 1000)->window(metres(0, 0, 1, 1), window).code,
            StatusCode::kInvalidArgument);
  EXPECT_EQ(make_island(1, 0, 0, 1000)->window(metres(-1e6, -1e6, 1e6, 1e6), window).code,
            StatusCode::kLimit);
  EXPECT_TRUE(make_island(1, 0, 0, 1000)->window(Rect{}, window).ok());
  EXPECT_TRUE(window.view.elevation.empty());
}

// The bits are part of the output: a change here changes worlds.
TEST(Island, GoldenBits) {
  const auto island = make_island(kSeed, 8000, 8000, 16000);
  const TerrainWindow window = window_of(*island, metres(6000, 6000, 8000, 8000));
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < window.elevation.size(); ++i) {
    hash = mix64(hash ^ std::bit_cast<std::uint32_t>(window.elevation[i]));
    hash = mix64(hash ^ std::bit_cast<std::uint32_t>(window.slope[i]) ^ window.biome[i]);
  }
  EXPECT_EQ(hash, 0x592B98DA7BC3B556U);
}

}  // namespace
}  // namespace strew
