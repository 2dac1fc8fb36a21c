// Skipping what the terrain excludes changes nothing that is placed.
#include "suitable_area.hpp"

#include <gtest/gtest.h>

#include "world_fixture.hpp"

namespace strew {
namespace {

/// Altitude and class by place on samples of 4 m whose first centre stands at (-2, 3); nodata in a corner.
struct Relief {
  std::vector<float> elevation;
  std::vector<float> slope;
  std::vector<std::uint8_t> biome;
  TerrainView view;
  static constexpr std::int32_t kWidth = 60;
  static constexpr std::int32_t kHeight = 45;

  Relief() {
    for (std::int32_t row = 0; row < kHeight; ++row) {
      for (std::int32_t column = 0; column < kWidth; ++column) {
        const double h = 40 * gradient_noise({.frequency = 0.02, .octaves = 3, .seed = 8},
                                             column * 4 * kUnitsPerMetre, row * 4 * kUnitsPerMetre);
        elevation.push_back(row < 4 && column < 6 ? -9999.0F : static_cast<float>(h));
        biome.push_back(static_cast<std::uint8_t>(h > 5 ? 2 : h > -5 ? 1 : 0));
      }
    }
    view.elevation = {elevation.data(),   kWidth, kHeight, kWidth,   -2 * kUnitsPerMetre,
                      3 * kUnitsPerMetre, 4,      4,       -9999.0F, true};
    slope.resize(elevation.size());
    horn_slope(view.elevation, slope);
    view.slope = view.elevation;
    view.slope.data = slope.data();
    view.slope.has_nodata = false;
    view.biome = {biome.data(), kWidth, kHeight, kWidth, -2 * kUnitsPerMetre, 3 * kUnitsPerMetre, 4, 4};
  }
};

TEST(SuitableBlocks, NoPlaceThatPassesIsLeftOut) {
  const Relief relief;
  std::vector<Constraints> rules(6);
  rules[0].altitude_m = Range{12, 100};
  rules[1].slope_degrees = Range{24, 90};
  rules[2].biomes.emplace().set(2);
  rules[3].altitude_m = Range{-3, 3};
  rules[3].slope_degrees = Range{0, 8};
  rules[4].biomes.emplace().set(0);
  rules[4].altitude_m = Range{-100, -8};
  rules[5].altitude_m = Range{5000, 6000};
  const Rect area = {-20 * kUnitsPerMetre, -11 * kUnitsPerMetre, 250 * kUnitsPerMetre, 199 * kUnitsPerMetre};
  for (const Constraints& one : rules) {
    const scatter::SuitableBlocks suitable(relief.view, one, area);
    std::vector<Coord> x;
    std::vector<Coord> y;
    for (Coord py = area.y0; py < area.y1; py += kUnitsPerMetre / 2) {
      for (Coord px = area.x0; px < area.x1; px += kUnitsPerMetre / 2) {
        x.push_back(px);  // samples, ties between them and sides of blocks are all among these
        y.push_back(py);
      }
    }
    std::vector<std::uint64_t> accepted(x.size() / 64 + 1);
    std::vector<double> altitude(x.size());
    RejectionCounts counts{};
    validate_batch(x, y, relief.view, one, accepted, altitude, counts);
    std::uint64_t passed = 0;
    std::uint64_t skipped = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool kept = suitable.bounds().contains(x[i], y[i]) && suitable.contains(x[i], y[i]);
      const bool pass = ((accepted[i / 64] >> (i % 64)) & 1U) != 0;
      passed += pass ? 1U : 0U;
      skipped += kept ? 0U : 1U;
      ASSERT_TRUE(kept || !pass) << to_metres(x[i]) << " " << to_metres(y[i]);
    }
    EXPECT_GT(skipped, 1000U);
    EXPECT_EQ(passed == 0, one.altitude_m && one.altitude_m->minimum == 5000);
    EXPECT_EQ(suitable.bounds().empty(), passed == 0);
  }
}

TEST(SuitableBlocks, WithoutRulesAllOfTheAreaIsSuitable) {
  const Relief relief;
  const Rect area = {5, 7, 1000, 2000};
  EXPECT_EQ(scatter::SuitableBlocks(relief.view, {}, area).bounds(), area);
  Constraints noise;
  noise.noise = NoiseRule{{}, 0.9};
  const scatter::SuitableBlocks everywhere(relief.view, noise, area);
  EXPECT_EQ(everywhere.bounds(), area);
  EXPECT_TRUE(everywhere.all());
}

}  // namespace
}  // namespace strew
