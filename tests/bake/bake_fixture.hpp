// Small worlds, folders that vanish, and hands to tamper with a bake.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "atomic_write.hpp"
#include "manifest.hpp"
#include "strew/world/bake.hpp"
#include "tile_store.hpp"

namespace strew_test {

/// A folder of its own for each test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("strew_" + std::string(info->test_suite_name()) + "_" + info->name() + "_" +
             std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "_" +
             std::to_string(std::filesystem::file_time_type::clock::now().time_since_epoch().count()));
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// A square grid: 16 lattice steps of spacing / 16 between points. It leaves no hole of radius `spacing`.
class GridStrategy final : public strew::PointStrategy {
 public:
  static constexpr std::int64_t kSteps = 16;
  [[nodiscard]] const strew::StrategyInfo& info() const noexcept override { return info_; }
  [[nodiscard]] strew::Result<strew::Lattice> lattice(
      const strew::ResolvedParameters& parameters) const override {
    return strew::Lattice{static_cast<strew::Coord>(parameters.real("spacing") * 4294967296.0) / kSteps,
                          kSteps};
  }
  [[nodiscard]] double minimum_distance(const strew::ResolvedParameters& parameters) const override {
    return parameters.real("spacing");
  }
  [[nodiscard]] strew::Status generate(const strew::PointRequest& request,
                                       const strew::ResolvedParameters& parameters,
                                       const strew::RunContext& /*context*/,
                                       strew::PointSet& out) const override {
    out = {};
    out.lattice = lattice(parameters).value();
    const strew::Coord side = out.lattice.pitch * kSteps;
    const strew::Rect& region = request.region;
    for (std::int64_t y = strew::ceil_div(region.y0, side); y * side < region.y1; ++y) {
      for (std::int64_t x = strew::ceil_div(region.x0, side); x * side < region.x1; ++x) {
        out.x.push_back(x * kSteps);
        out.y.push_back(y * kSteps);
      }
    }
    return {};
  }

 private:
  std::array<strew::ParameterInfo, 1> parameters_ = {strew::ParameterInfo{.name = "spacing",
                                                                          .unit = "m",
                                                                          .minimum = 0.5,
                                                                          .maximum = 100,
                                                                          .default_value = 4,
                                                                          .meaning = "between points"}};
  strew::StrategyInfo info_{.id = "test/grid",
                            .backend = "ref",
                            .description = "a square grid",
                            .source = "original",
                            .promises = strew::kCropEqualsWhole | strew::kMinimumDistance | strew::kMaximal,
                            .parameters = parameters_};
};

inline strew::Registry grid_registry() {
  static const GridStrategy kGrid;
  strew::Registry registry = strew::builtin_registry();
  registry.strategies.push_back(&kGrid);
  return registry;
}

inline strew::Rect metres(double x0, double y0, double x1, double y1) {
  return strew::rect_from_metres(x0, y0, x1, y1, "test").value();
}

inline strew::LayerSpec grid_layer(const std::string& name, double spacing) {
  strew::LayerSpec layer;
  layer.name = name;
  layer.strategy = "test/grid";
  layer.parameters.set("spacing", spacing);
  layer.species = {{"oak", 2, {0.8, 1.2}, {0, 360}}, {"ash", 1, {1, 1}, {-10, 10}}};
  return layer;
}

/// A grid of 4 m over 256 m x 128 m.
inline strew::Scatter grid_world() {
  strew::ScatterSpec spec;
  spec.seed = 11;
  spec.extent = metres(0, 0, 256, 128);
  spec.layers = {grid_layer("grid", 4)};
  auto scatter = strew::Scatter::create(spec, {}, grid_registry());
  EXPECT_TRUE(scatter.ok()) << scatter.status().text();
  return std::move(scatter).value();
}

/// Two layers of blue noise with secondaries, under a noise rule so that there are clearings, around the
/// origin.
inline strew::ScatterSpec forest_spec() {
  strew::ScatterSpec spec;
  spec.seed = 42;
  spec.extent = metres(-150, -90, 250, 210);
  strew::LayerSpec canopy = grid_layer("canopy", 4);
  canopy.strategy = "poisson/tiled";
  canopy.parameters = {};
  canopy.parameters.set("radius", 4.0);
  canopy.constraints.noise = strew::NoiseRule{{.frequency = 0.02, .octaves = 2, .seed = 3}, -0.1};
  strew::SecondarySpec mushrooms;
  mushrooms.name = "mushrooms";
  mushrooms.amount_max = 3;
  mushrooms.ring_m = {0.5, 3};
  mushrooms.spacing_siblings_m = 0.3;
  mushrooms.spacing_primaries_m = 1;
  mushrooms.species = {{"chanterelle", 1, {0.5, 2}, {0, 360}}};
  canopy.secondaries = {mushrooms};
  strew::LayerSpec understory = grid_layer("understory", 2.5);
  understory.strategy = "poisson/tiled";
  understory.parameters = {};
  understory.parameters.set("radius", 2.5);
  understory.spacing_m = {{"canopy", 1.5}};
  spec.layers = {canopy, understory};
  return spec;
}
inline strew::Scatter forest_world() {
  auto scatter = strew::Scatter::create(forest_spec(), {});
  EXPECT_TRUE(scatter.ok()) << scatter.status().text();
  return std::move(scatter).value();
}

inline strew::BakeOptions tiles_of(double tile_size_m) {
  strew::BakeOptions options;
  options.tile_size_m = tile_size_m;
  options.registry = grid_registry();
  return options;
}

/// Bakes over flat ground; the test fails when that does.
inline strew::BakeSummary bake_flat(const strew::Scatter& scatter, const std::string& folder,
                                    const strew::BakeOptions& options,
                                    const strew::RunContext& context = {}) {
  auto summary = strew::bake(scatter, strew::flat_terrain(), folder, options, context);
  EXPECT_TRUE(summary.ok()) << summary.status().text();
  return summary.ok() ? std::move(summary).value() : strew::BakeSummary{};
}

/// Every instance of a bake as units and columns, sorted: two bakes hold the same when these are equal.
using Row = std::tuple<std::uint32_t, strew::Coord, strew::Coord, std::int32_t, std::uint16_t, std::uint16_t,
                       std::uint16_t>;
inline std::vector<Row> rows_of(const std::string& folder) {
  std::vector<Row> rows;
  const auto manifest = strew::load_manifest(folder);
  EXPECT_TRUE(manifest.ok()) << manifest.status().text();
  for (const strew::BakedTile& tile : manifest.value().tiles) {
    const auto tables = strew::load_tile(folder, manifest.value(), tile);
    EXPECT_TRUE(tables.ok()) << tables.status().text();
    for (std::size_t s = 0; s < tables.value().size(); ++s) {
      const strew::InstanceTable& table = tables.value()[s];
      for (std::size_t i = 0; i < table.size(); ++i) {
        rows.emplace_back(manifest.value().slots[s].slot, table.x[i] * table.lattice.pitch,
                          table.y[i] * table.lattice.pitch, table.z_steps[i], table.species[i], table.yaw[i],
                          table.scale[i]);
      }
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

inline void write_manifest(const std::string& folder, const strew::Manifest& manifest) {
  const auto text = strew::manifest_text(manifest);
  ASSERT_TRUE(text.ok());
  std::ofstream(folder + "/manifest.json", std::ios::binary) << text.value();
}

/// Changes one tile and writes it back with a manifest that agrees about its checksum, size and counts, but
/// not about the world's hash and total.
inline void tamper(const std::string& folder, std::int64_t tile_x, std::int64_t tile_y,
                   const std::function<void(std::vector<strew::InstanceTable>&)>& change) {
  auto manifest = strew::load_manifest(folder);
  ASSERT_TRUE(manifest.ok());
  for (strew::BakedTile& tile : manifest.value().tiles) {
    if (tile.tile_x != tile_x || tile.tile_y != tile_y) {
      continue;
    }
    const std::string path = folder + "/" + tile.file;
    auto decoded = strew::decode_tile(strew::read_whole_file(path).value(), path);
    ASSERT_TRUE(decoded.ok());
    change(decoded.value().tables);
    const auto encoded = strew::encode_tile(tile_x, tile_y, decoded.value().slots, decoded.value().tables);
    ASSERT_TRUE(encoded.ok());
    ASSERT_TRUE(strew::write_atomically(path, encoded.value().bytes).ok());
    tile.checksum = encoded.value().checksum;
    tile.bytes = encoded.value().bytes.size();
    for (std::size_t i = 0; i < tile.counts.size(); ++i) {
      manifest.value().instances += decoded.value().tables[i].size() - tile.counts[i];
      tile.counts[i] = decoded.value().tables[i].size();
    }
    write_manifest(folder, manifest.value());
    return;
  }
  FAIL() << "no tile " << tile_x << ", " << tile_y;
}

/// The violations of one check.
inline std::uint64_t violations(const strew::VerifyReport& report, const std::string& name) {
  for (const strew::VerifyCheck& check : report.checks) {
    if (check.name == name) {
      return check.violations;
    }
  }
  ADD_FAILURE() << "no check " << name;
  return 0;
}
inline const strew::VerifyCheck& find_check(const strew::VerifyReport& report, const std::string& name) {
  for (const strew::VerifyCheck& check : report.checks) {
    if (check.name == name) {
      return check;
    }
  }
  ADD_FAILURE() << "no check " << name;
  return report.checks.front();
}

}  // namespace strew_test
