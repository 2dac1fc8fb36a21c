// Shards of a bake, joined again.
#include <set>

#include "bake_fixture.hpp"
#include "folder_bytes.hpp"
#include "shards.hpp"

namespace strew {
namespace {

using namespace strew_test;

std::vector<std::string> bake_shards(const Scatter& scatter, const std::string& base, std::uint32_t shards,
                                     double tile_size) {
  std::vector<std::string> folders;
  for (std::uint32_t i = 0; i < shards; ++i) {
    BakeOptions options = tiles_of(tile_size);
    options.shard = i;
    options.shards = shards;
    folders.push_back(base + std::to_string(i));
    bake_flat(scatter, folders.back(), options);
  }
  return folders;
}

TEST(Shards, EveryTileBelongsToOne) {
  for (const std::int64_t side : {1, 3, 20, 100}) {
    const TileGrid grid{1, -3, 5, side - 3, side + 5};
    for (const std::uint32_t shards : {1U, 2U, 7U, 40U}) {
      std::set<std::pair<std::int64_t, std::int64_t>> seen;
      std::uint64_t largest = 0;
      for (std::uint32_t shard = 0; shard < shards; ++shard) {
        const TileShare part(grid, shard, shards);
        const TileShare other(grid, (shard + 1) % shards, shards);
        largest = std::max(largest, part.size());
        for (std::uint64_t i = 0; i < part.size(); ++i) {
          const TileIndex tile = part[i];
          EXPECT_TRUE(grid.contains(tile));
          EXPECT_TRUE(seen.emplace(tile.x, tile.y).second);
          EXPECT_EQ(part.find(tile), i);
          EXPECT_EQ(shard_of(grid, tile, shards), shard);
          EXPECT_EQ(other.find(tile), shards == 1 ? i : other.size());
        }
        EXPECT_EQ(part.find({side - 3, 5}), part.size());
      }
      EXPECT_EQ(seen.size(), grid.tiles());
      EXPECT_LE(largest, grid.tiles() / shards + grid.tiles() / (16 * shards) + 1);
    }
  }
}

TEST(Merge, AnyNumberOfShardsGivesTheWholeBake) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  const BakeSummary whole = bake_flat(scatter, folder / "whole", tiles_of(50));
  const auto expected = folder_bytes(folder / "whole");
  const auto pool = ThreadPool::create(2);
  RunContext context;
  context.executor = &pool.value().executor();
  for (const std::uint32_t shards : {1U, 2U, 7U}) {
    const auto folders = bake_shards(scatter, folder / (std::to_string(shards) + "_"), shards, 50);
    for (const bool move : {false, true}) {
      const std::string out = folder / ("merged" + std::to_string(shards) + (move ? "m" : ""));
      const auto merged = merge_bakes(folders, out, {.force = false, .move = move}, context);
      ASSERT_TRUE(merged.ok()) << merged.status().text();
      EXPECT_EQ(merged.value().world_hash, whole.world_hash);
      EXPECT_EQ(merged.value().instances, whole.instances);
      EXPECT_EQ(folder_bytes(out), expected);
      EXPECT_EQ(bake_flat(scatter, out, tiles_of(50)).tiles_made, 0U);  // and it can be taken up
    }
  }
}

TEST(Merge, OtherTransformsAreRefusedUntilTheShardIsBakedAgain) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  std::vector<std::string> folders;
  BakeOptions options = tiles_of(50);
  options.shards = 2;
  const auto bake_shard = [&](std::uint32_t shard, const char* align) {
    options.shard = shard;
    options.world_json = std::string(R"({"layers":[{"species":[{"name":"oak","align":)") + align + "}]}]}";
    return bake_flat(scatter, folders.at(shard), options).tiles_made;
  };
  folders = {folder / "0", folder / "1"};
  bake_shard(0, "0.5");
  bake_shard(1, "0.25");
  const auto refused = merge_bakes(folders, folder / "out", {}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().where, folders[1]);
  EXPECT_NE(refused.status().message.find("other transforms of species"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  EXPECT_EQ(bake_shard(1, "0.5"), 0U);
  const auto merged = merge_bakes(folders, folder / "out", {}, {});
  EXPECT_TRUE(merged.ok()) << merged.status().text();
}

TEST(Merge, WhatIsNotOneWholeBakeIsRefused) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  auto folders = bake_shards(scatter, folder / "a", 3, 50);
  const auto refused = [&](const std::vector<std::string>& shards, const std::string& words) {
    const auto merged = merge_bakes(shards, folder / "out", {}, {});
    ASSERT_FALSE(merged.ok());
    EXPECT_NE(merged.status().text().find(words), std::string::npos) << merged.status().text();
    EXPECT_FALSE(std::filesystem::exists(folder / "out/manifest.json"));
  };
  EXPECT_EQ(verify(folders[0], nullptr, nullptr, {}).status().code, StatusCode::kInvalidArgument);
  refused({}, "give the folders");
  refused({folders[0], folders[2]}, "lack 1 of 3: 1");
  refused({folders[0], folders[1], folders[0] + "/"}, "being baked into");
  std::filesystem::copy(folders[0], folder / "copy", std::filesystem::copy_options::recursive);
  refused({folders[0], folders[1], folder / "copy"}, "give each shard once");
  refused({folders[0], folders[1], bake_shards(scatter, folder / "b", 3, 64)[2]}, "another bake");
  refused({folders[0], folders[1], folder / "nothing"}, "not a finished bake");
  EXPECT_FALSE(merge_bakes(folders, folders[1], {}, {}).ok());
  std::string damaged;
  for (const auto& entry : std::filesystem::directory_iterator(folders[1] + "/tiles")) {
    damaged = entry.path().string();
  }
  std::filesystem::resize_file(damaged, std::filesystem::file_size(damaged) - 1);
  refused(folders, "is damaged");
  BakeOptions options = tiles_of(50);
  options.shard = 1;
  options.shards = 3;
  EXPECT_EQ(bake_flat(scatter, folders[1], options).tiles_damaged, 1U);
  const auto merged = merge_bakes(folders, folder / "out", {}, {});
  EXPECT_TRUE(merged.ok()) << merged.status().text();
}

}  // namespace
}  // namespace strew
