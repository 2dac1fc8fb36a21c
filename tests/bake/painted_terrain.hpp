// A biome raster of 1 m to paint on, and a world that grows on class 1 to 3.
#pragma once

#include <atomic>
#include <vector>

#include "bake_fixture.hpp"

namespace strew_test {

/// 256 m x 256 m of class 1.
class PaintedTerrain final : public strew::TerrainSource {
 public:
  static constexpr std::int32_t kSide = 256;
  mutable std::atomic<std::uint64_t> windows{0};

  void paint(std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1, std::uint8_t biome) {
    for (std::int32_t y = y0; y < y1; ++y) {
      for (std::int32_t x = x0; x < x1; ++x) {
        biomes_[static_cast<std::size_t>(y * kSide + x)] = biome;
      }
    }
  }
  [[nodiscard]] strew::Status window(const strew::Rect& need, strew::TerrainWindow& out) const override {
    ++windows;
    const auto index = [](strew::Coord at) {
      return static_cast<std::int32_t>(
          std::clamp<std::int64_t>(strew::floor_div(at, strew::kUnitsPerMetre), 0, kSide - 1));
    };
    const std::int32_t x0 = index(need.x0);
    const std::int32_t y0 = index(need.y0);
    const std::int32_t width = index(need.x1 - 1) - x0 + 1;
    const std::int32_t height = index(need.y1 - 1) - y0 + 1;
    out = {};
    for (std::int32_t row = 0; row < height; ++row) {
      const auto first = biomes_.begin() + (y0 + row) * kSide + x0;
      out.biome.insert(out.biome.end(), first, first + width);
    }
    out.view.biome = {out.biome.data(),
                      width,
                      height,
                      width,
                      strew::kUnitsPerMetre / 2,
                      strew::kUnitsPerMetre / 2,
                      1,
                      1,
                      0,
                      false,
                      x0,
                      y0};
    return {};
  }

 private:
  std::vector<std::uint8_t> biomes_ = std::vector<std::uint8_t>(std::size_t{kSide} * kSide, 1);
};

inline strew::ScatterSpec painted_spec() {
  strew::ScatterSpec spec = forest_spec();
  spec.extent = metres(0, 0, 256, 256);
  spec.layers[0].secondaries.clear();
  spec.layers[0].constraints = {};
  spec.layers[0].constraints.biomes.emplace().set(1).set(2);
  spec.layers[1].constraints.biomes.emplace().set(1).set(3);
  return spec;
}
inline strew::Scatter painted_world() {
  auto scatter = strew::Scatter::create(painted_spec(), {.elevation = false, .biome = true});
  EXPECT_TRUE(scatter.ok()) << scatter.status().text();
  return std::move(scatter).value();
}

}  // namespace strew_test
