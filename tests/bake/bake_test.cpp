#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "bake_fixture.hpp"
#include "tile_grid.hpp"

namespace strew {
namespace {

using namespace strew_test;

SetHash hash_at_once(const Scatter& scatter) {
  std::vector<InstanceTable> tables;
  EXPECT_TRUE(scatter.generate(scatter.spec().extent, flat_terrain(), {}, tables).ok());
  SetHash hash;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    hash.merge(hash_instances(scatter.slots()[i].slot, tables[i]));
  }
  return hash;
}

TEST(Bake, OneWorldHashForAnyTilesThreadsAndOrder) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  const SetHash expected = hash_at_once(scatter);
  ASSERT_GT(expected.count, 10000U);
  const auto two = ThreadPool::create(2);
  const auto three = ThreadPool::create(3);
  const ShuffledExecutor shuffled(9, 4);
  const std::array<const Executor*, 4> executors = {nullptr, &two.value().executor(),
                                                    &three.value().executor(), &shuffled.executor()};
  for (const double tile_size : {64.0, 100.0, 512.0}) {
    for (std::size_t i = 0; i < executors.size(); ++i) {
      RunContext context;
      context.executor = executors[i];
      const std::string name =
          folder / (std::to_string(static_cast<int>(tile_size)) + "_" + std::to_string(i));
      const BakeSummary summary = bake_flat(scatter, name, tiles_of(tile_size), context);
      EXPECT_EQ(summary.world_hash, expected.digest());
      EXPECT_EQ(summary.instances, expected.count);
      std::uint64_t placed = 0;
      for (const SlotReport& report : summary.reports) {
        placed += report.placed;
      }
      EXPECT_EQ(placed, expected.count);
    }
  }
}

TEST(Bake, FilesDoNotDependOnThreadsOrOrder) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  const auto pool = ThreadPool::create(3);
  const ShuffledExecutor shuffled(1, 5);
  bake_flat(scatter, folder / "serial", tiles_of(100));
  for (const Executor* executor : {&pool.value().executor(), &shuffled.executor()}) {
    RunContext context;
    context.executor = executor;
    BakeOptions options = tiles_of(100);
    options.force = true;
    bake_flat(scatter, folder / "other", options, context);
    const Manifest manifest = load_manifest(folder / "serial").value();
    std::vector<std::string> files = {"manifest.json"};
    for (const BakedTile& tile : manifest.tiles) {
      files.push_back(tile.file);
    }
    for (const std::string& file : files) {
      EXPECT_EQ(read_whole_file(folder / ("serial/" + file)).value(),
                read_whole_file(folder / ("other/" + file)).value())
          << file;
    }
  }
}

TEST(Bake, ARegionIsTheCropOfTheWhole) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  bake_flat(scatter, folder / "whole", tiles_of(100));
  BakeOptions options = tiles_of(64);
  options.region = metres(-33.5, -200, 77.25, 101);
  bake_flat(scatter, folder / "region", options);
  std::vector<Row> expected = rows_of(folder / "whole");
  std::erase_if(expected,
                [&](const Row& row) { return !options.region.contains(std::get<1>(row), std::get<2>(row)); });
  EXPECT_GT(expected.size(), 1000U);
  EXPECT_EQ(rows_of(folder / "region"), expected);
  EXPECT_EQ(load_manifest(folder / "region").value().region, metres(-33.5, -90, 77.25, 101));
}

TEST(Bake, OnlyTilesThatHoldSomethingGetFiles) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  BakeOptions options = tiles_of(3);  // points at multiples of 4: tiles between them are empty
  options.region = metres(0, 0, 24, 12);
  const BakeSummary summary = bake_flat(scatter, folder / "bake", options);
  EXPECT_EQ(summary.instances, 18U);
  EXPECT_EQ(summary.tiles, 18U);
  EXPECT_EQ(summary.tiles_total, 32U);
  EXPECT_GT(summary.bytes, 0U);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "bake/tiles")) {
    ++files;
  }
  EXPECT_EQ(files, 18U);
  const Manifest manifest = load_manifest(folder / "bake").value();
  EXPECT_EQ(manifest.slots[0].minimum_distance_m, 4);
  EXPECT_TRUE(manifest.slots[0].maximal);
}

struct Canceller {
  std::atomic<bool> flag{false};
  std::uint64_t after = 0;
  std::uint64_t calls = 0;
};

TEST(Bake, CancellingLeavesNoManifestAndTheNextBakeFinishes) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  const auto pool = ThreadPool::create(2);
  RunContext context;
  context.executor = &pool.value().executor();
  Canceller canceller;
  context.cancel = &canceller.flag;
  for (const bool by_flag : {true, false}) {
    canceller.flag = false;
    canceller.calls = 0;
    canceller.after = 5;
    const BakeProgressFn stop_by_flag = [](void* user, const BakeProgress&) {
      auto& state = *static_cast<Canceller*>(user);
      state.flag = ++state.calls >= state.after;
      return true;
    };
    const BakeProgressFn stop_by_return = [](void* user, const BakeProgress& progress) {
      auto& state = *static_cast<Canceller*>(user);
      EXPECT_EQ(progress.tiles_done, ++state.calls);
      EXPECT_EQ(progress.tiles_total, 32U);
      return state.calls < state.after;
    };
    BakeOptions options = tiles_of(32);
    options.force = true;
    const auto summary = bake(scatter, flat_terrain(), folder / "bake", options, context,
                              by_flag ? stop_by_flag : stop_by_return, &canceller);
    ASSERT_FALSE(summary.ok());
    EXPECT_EQ(summary.status().code, StatusCode::kCancelled);
    EXPECT_FALSE(std::filesystem::exists(folder / "bake/manifest.json"));
    EXPECT_EQ(load_manifest(folder / "bake").status().code, StatusCode::kNotFound);
  }
  const BakeSummary summary = bake_flat(scatter, folder / "bake", tiles_of(32));
  EXPECT_EQ(summary.instances, 64U * 32U);
  EXPECT_LE(summary.tiles_made, 27U);
}

/// Fails in every window that reaches beyond x = 100 m.
class BrokenTerrain final : public TerrainSource {
 public:
  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    if (need.x1 > 100 * kUnitsPerMetre) {
      return make_error(StatusCode::kIo, "no data", std::to_string(need.x0) + " " + std::to_string(need.y0));
    }
    return flat_terrain().window(need, out);
  }
};

TEST(Bake, TheFirstFailedTileInOrderIsReported) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  const BrokenTerrain terrain;
  const auto serial = bake(scatter, terrain, folder / "bake", tiles_of(32), {});
  ASSERT_FALSE(serial.ok());
  EXPECT_EQ(serial.status().code, StatusCode::kIo);
  const auto pool = ThreadPool::create(3);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ShuffledExecutor shuffled(seed, 3);
    for (const Executor* executor : {&shuffled.executor(), &pool.value().executor()}) {
      RunContext context;
      context.executor = executor;
      const auto other = bake(scatter, terrain, folder / "bake", tiles_of(32), context);
      ASSERT_FALSE(other.ok());
      EXPECT_EQ(other.status().where, serial.status().where);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "bake/manifest.json"));
}

TEST(Bake, BadOptionsAreRefusedByName) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  for (const double size : {0.5, 2e6, std::nan("")}) {
    const auto summary = bake(scatter, flat_terrain(), folder / "bake", tiles_of(size), {});
    ASSERT_FALSE(summary.ok());
    EXPECT_EQ(summary.status().where, "tile_size");
  }
  BakeOptions options = tiles_of(64);
  options.region = metres(1000, 0, 1001, 1);
  EXPECT_EQ(bake(scatter, flat_terrain(), folder / "bake", options, {}).status().where, "region");
  options = tiles_of(64);
  options.world_json = "\xfe";
  EXPECT_EQ(bake(scatter, flat_terrain(), folder / "bake", options, {}).status().where, "world_json");
  EXPECT_FALSE(std::filesystem::exists(folder / "bake"));
}

/// By its definition: the tiles sorted by the interleaved bits of their columns and rows.
std::vector<TileIndex> sorted_by_morton_code(const TileGrid& grid) {
  std::vector<std::pair<std::uint64_t, TileIndex>> coded;
  for (TileIndex tile{grid.x0, grid.y0}; tile.y < grid.y1; ++tile.y) {
    for (tile.x = grid.x0; tile.x < grid.x1; ++tile.x) {
      std::uint64_t code = 0;
      for (unsigned bit = 0; bit < 20; ++bit) {
        code |= (static_cast<std::uint64_t>(tile.x - grid.x0) >> bit & 1U) << (2 * bit) |
                (static_cast<std::uint64_t>(tile.y - grid.y0) >> bit & 1U) << (2 * bit + 1);
      }
      coded.emplace_back(code, tile);
    }
  }
  std::sort(coded.begin(), coded.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<TileIndex> tiles;
  for (const auto& [code, tile] : coded) {
    tiles.push_back(tile);
  }
  return tiles;
}

TEST(TileGrid, MortonOrderIsThatOfInterleavedBits) {
  for (const auto& [columns, rows] :
       {std::pair{1, 1}, {2, 1}, {1, 7}, {3, 2}, {4, 4}, {5, 13}, {64, 33}, {1000, 3}}) {
    const TileGrid grid{8, -2, 5, columns - 2, rows + 5};
    const std::vector<TileIndex> expected = sorted_by_morton_code(grid);
    ASSERT_EQ(expected.size(), grid.tiles());
    for (std::uint64_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(morton_tile(grid, i), expected[i]) << columns << " x " << rows << ", " << i;
      ASSERT_EQ(morton_number(grid, expected[i]), i);
    }
  }
  // The largest that a bake may have, in both shapes.
  for (const TileGrid& grid : {TileGrid{8, 0, 0, 1 << 26, 1}, TileGrid{8, 0, 0, 1 << 13, 1 << 13}}) {
    for (const std::uint64_t i : {std::uint64_t{0}, std::uint64_t{12345678}, grid.tiles() - 1}) {
      EXPECT_EQ(morton_number(grid, morton_tile(grid, i)), i);
    }
    EXPECT_EQ(morton_tile(grid, grid.tiles() - 1), (TileIndex{grid.x1 - 1, grid.y1 - 1}));
  }
}

}  // namespace
}  // namespace strew
