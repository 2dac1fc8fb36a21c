// A small world with every feature, over made-up hills.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "strew/scatter.hpp"

namespace strew {

/// Hills on a 10 m grid anchored at world 0, without end; biome by 80 m squares.
class Hills final : public TerrainSource {
 public:
  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    constexpr Coord kCell = 10 * kUnitsPerMetre;
    const std::int64_t x0 = floor_div(need.x0, kCell) - 2;
    const std::int64_t y0 = floor_div(need.y0, kCell) - 2;
    const auto width = static_cast<std::int32_t>(floor_div(need.x1, kCell) + 3 - x0);
    const auto height = static_cast<std::int32_t>(floor_div(need.y1, kCell) + 3 - y0);
    out = TerrainWindow{};
    for (std::int64_t y = y0; y < y0 + height; ++y) {
      for (std::int64_t x = x0; x < x0 + width; ++x) {
        const std::uint64_t bump = mix64(static_cast<std::uint64_t>(x * 7919 + y)) % 8;
        const std::int64_t ridge = floor_mod(x, 40) < 20 ? floor_mod(x, 40) : 40 - floor_mod(x, 40);
        out.elevation.push_back(
            static_cast<float>(100 + 4 * static_cast<double>(ridge) + static_cast<double>(bump)));
        out.biome.push_back(static_cast<std::uint8_t>(1 + floor_mod(floor_div(x, 8) + floor_div(y, 8), 3)));
      }
    }
    out.slope.resize(out.elevation.size());
    // Columns and rows are counted from far in the south-west, as a raster's are from its corner, so that a
    // place is interpolated alike in every window.
    constexpr std::int64_t kCorner = -2'000'000;
    out.view.elevation = {out.elevation.data(), width, height, width, kCorner * kCell,
                          kCorner * kCell,      10,    10,     0,     false};
    out.view.elevation.first_column = static_cast<std::int32_t>(x0 - kCorner);
    out.view.elevation.first_row = static_cast<std::int32_t>(y0 - kCorner);
    horn_slope(out.view.elevation, out.slope);
    out.view.slope = out.view.elevation;
    out.view.slope.data = out.slope.data();
    out.view.biome = {out.biome.data(), width, height, width, kCorner * kCell,
                      kCorner * kCell,  10,    10,     0,     false};
    out.view.biome.first_column = out.view.elevation.first_column;
    out.view.biome.first_row = out.view.elevation.first_row;
    return {};
  }
};

inline LayerSpec layer(const std::string& name, double radius) {
  LayerSpec spec;
  spec.name = name;
  spec.parameters.set("radius", radius);
  spec.species = {{name + "-a", 2, {0.5, 1.5}, {0, 360}}, {name + "-b", 1, {1, 1}, {0, 90}}};
  return spec;
}

/// canopy (5 m) with mushrooms, shrubs (2.5 m) away from canopy, herbs in rows away from both.
inline ScatterSpec forest(const Rect& extent) {
  ScatterSpec spec;
  spec.seed = 77;
  spec.extent = extent;
  spec.layers.push_back(layer("canopy", 5));
  spec.layers[0].constraints.biomes.emplace();
  spec.layers[0].constraints.biomes->set(1);
  spec.layers[0].constraints.biomes->set(2);
  SecondarySpec mushrooms;
  mushrooms.name = "mushrooms";
  mushrooms.amount_min = 1;
  mushrooms.amount_max = 4;
  mushrooms.ring_m = {0.5, 3};
  mushrooms.spacing_siblings_m = 0.6;
  mushrooms.spacing_primaries_m = 2.8;
  mushrooms.species = {{"cap", 1, {0.5, 1}, {0, 360}}};
  spec.layers[0].secondaries.push_back(mushrooms);
  spec.layers.push_back(layer("shrubs", 2.5));
  spec.layers[1].constraints.slope_degrees = Range{0, 24};
  spec.layers[1].spacing_m = {{"canopy", 1.7}};
  spec.layers.push_back(layer("herbs", 1));
  spec.layers[2].strategy = "rows";
  spec.layers[2].parameters = {};
  spec.layers[2].parameters.set("spacing_along", 1.5);
  spec.layers[2].parameters.set("spacing_across", 3.0);
  spec.layers[2].parameters.set("rotation", 20.0);
  spec.layers[2].parameters.set("jitter", 0.3);
  spec.layers[2].spacing_m = {{"canopy", 1.0}, {"shrubs", 0.8}};
  return spec;
}

inline Rect metres(double x0, double y0, double x1, double y1) {
  return rect_from_metres(x0, y0, x1, y1, "test").value();
}

inline Scatter make_scatter(ScatterSpec spec) {
  auto scatter = Scatter::create(std::move(spec), {true, true});
  if (!scatter.ok()) {
    ADD_FAILURE() << scatter.status().text();
    std::terminate();
  }
  return std::move(scatter).value();
}

inline std::vector<InstanceTable> generate(const Scatter& scatter, const Rect& region,
                                           std::span<SlotReport> reports = {},
                                           const RunContext& context = {}) {
  std::vector<InstanceTable> tables;
  const Status status = scatter.generate(region, Hills(), context, tables, reports);
  EXPECT_TRUE(status.ok()) << status.text();
  return tables;
}

/// Every column of every instance, by id: what "instance by instance" compares.
using ById = std::map<std::uint64_t, std::array<std::int64_t, 6>>;
inline ById by_id(const Scatter& scatter, const std::vector<InstanceTable>& tables, const Rect& inside) {
  ById all;
  for (std::size_t s = 0; s < tables.size(); ++s) {
    const InstanceTable& t = tables[s];
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (inside.contains(t.x[i] * t.lattice.pitch, t.y[i] * t.lattice.pitch)) {
        const auto added = all.emplace(
            instance_id(scatter.slots()[s].slot, t.lattice, t.x[i], t.y[i]),
            std::array<std::int64_t, 6>{t.x[i], t.y[i], t.z_steps[i], t.species[i], t.yaw[i], t.scale[i]});
        EXPECT_TRUE(added.second) << "two instances with one id in " << scatter.slots()[s].name;
      }
    }
  }
  return all;
}

}  // namespace strew
