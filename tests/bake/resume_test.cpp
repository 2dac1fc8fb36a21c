// A bake that was stopped goes on; one whose inputs changed makes what changed; the result is always that of
// a bake from nothing, byte for byte.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "bake_fixture.hpp"
#include "folder_bytes.hpp"
#include "journal.hpp"
#include "painted_terrain.hpp"

namespace strew {
namespace {

using namespace strew_test;

bool die_after(void* user, const BakeProgress& progress) {
  if (progress.tiles_done >= *static_cast<std::uint64_t*>(user)) {
    _exit(9);  // no destructor runs, as with kill -9
  }
  return true;
}

/// Bakes in a child that dies after some tiles, or lives to finish.
void bake_and_die(const Scatter& scatter, const std::string& folder, const BakeOptions& options,
                  std::uint64_t tiles) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto done = bake(scatter, flat_terrain(), folder, options, {}, die_after, &tiles);
    _exit(done.ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status) && (WEXITSTATUS(status) == 9 || WEXITSTATUS(status) == 0));
}

TEST(Resume, ABakeThatDiesAgainAndAgainEndsAsOneThatDidNot) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  bake_flat(scatter, folder / "whole", tiles_of(50));
  for (const std::uint64_t tiles : {1U, 3U, 7U, 2U, 11U}) {
    bake_and_die(scatter, folder / "bake", tiles_of(50), tiles);
    EXPECT_FALSE(std::filesystem::exists(folder / "bake/manifest.json"));
  }
  // What a process killed between writing and renaming leaves.
  std::ofstream(folder / "bake/tiles/0_0.strewtile.tmp") << "half";
  const BakeSummary summary = bake_flat(scatter, folder / "bake", tiles_of(50));
  EXPECT_EQ(summary.tiles_total - summary.tiles_made, 24U);
  EXPECT_EQ(folder_bytes(folder / "bake"), folder_bytes(folder / "whole"));
}

TEST(Resume, AJournalTornAnywhereCostsAtMostItsLastTiles) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  bake_flat(scatter, folder / "whole", tiles_of(64));
  const auto whole = folder_bytes(folder / "whole");
  bake_and_die(scatter, folder / "torn", tiles_of(64), 3);
  const auto journal = read_whole_file(folder / "torn/bake.journal").value();
  for (std::size_t size = 64; size <= journal.size(); size += 7) {
    std::filesystem::copy(folder / "torn", folder / "bake", std::filesystem::copy_options::recursive);
    std::filesystem::resize_file(folder / "bake/bake.journal", size);
    const BakeSummary summary = bake_flat(scatter, folder / "bake", tiles_of(64));
    EXPECT_EQ(summary.tiles_made, 8 - 3 * (size - 64) / (journal.size() - 64));
    EXPECT_EQ(folder_bytes(folder / "bake"), whole);
    std::filesystem::remove_all(folder / "bake");
  }
  // Bytes that never reached the disk read as zeros.
  std::filesystem::copy(folder / "torn", folder / "bake", std::filesystem::copy_options::recursive);
  std::filesystem::resize_file(folder / "bake/bake.journal", journal.size() - 9);
  std::filesystem::resize_file(folder / "bake/bake.journal", journal.size());
  EXPECT_EQ(bake_flat(scatter, folder / "bake", tiles_of(64)).tiles_made, 6U);
  EXPECT_EQ(folder_bytes(folder / "bake"), whole);
}

TEST(Resume, DamagedAndDeletedTilesAreNamedAndMadeAgain) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  bake_flat(scatter, folder / "bake", tiles_of(100));
  const auto whole = folder_bytes(folder / "bake");
  EXPECT_EQ(bake_flat(scatter, folder / "bake", tiles_of(100)).tiles_made, 0U);
  std::filesystem::remove(folder / "bake/tiles/1_1.strewtile");
  std::fstream file(folder / "bake/tiles/0_0.strewtile", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(1000);
  file.put('!');
  file.close();
  const BakeSummary summary = bake_flat(scatter, folder / "bake", tiles_of(100));
  EXPECT_EQ(summary.tiles_made, 2U);
  EXPECT_EQ(summary.tiles_damaged, 2U);
  EXPECT_EQ(summary.damaged, (std::vector<std::string>{"tiles/0_0.strewtile", "tiles/1_1.strewtile"}));
  EXPECT_EQ(folder_bytes(folder / "bake"), whole);
}

TEST(Resume, AnotherBakeIsNeverTakenUp) {
  const TemporaryFolder folder;
  bake_and_die(forest_world(), folder / "bake", tiles_of(100), 2);
  ScatterSpec other = forest_spec();
  other.layers[1].species[0].weight = 3;
  const Scatter changed = std::move(Scatter::create(other, {})).value();
  const auto refused = bake(changed, flat_terrain(), folder / "bake", tiles_of(100), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message.find("unfinished bake of another world"), std::string::npos);
  const auto tiles = bake(forest_world(), flat_terrain(), folder / "bake", tiles_of(64), {});
  EXPECT_FALSE(tiles.ok());
  BakeOptions shard = tiles_of(100);
  shard.shards = 2;
  EXPECT_NE(
      bake(forest_world(), flat_terrain(), folder / "bake", shard, {}).status().message.find("shard 0/1"),
      std::string::npos);
}

TEST(Resume, NewerVersionsAreRefused) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  bake_flat(scatter, folder / "bake", tiles_of(64));
  const auto bytes = read_whole_file(folder / "bake/manifest.json").value();
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  text.replace(text.find("\"format_version\": 1"), 19, "\"format_version\": 3");
  std::ofstream(folder / "bake/manifest.json", std::ios::binary) << text;
  const auto refused = bake(scatter, flat_terrain(), folder / "bake", tiles_of(64), {});
  EXPECT_EQ(refused.status().code, StatusCode::kUnsupported);
  EXPECT_NE(refused.status().where.find("manifest.json"), std::string::npos);
  BakeOptions force = tiles_of(64);
  force.force = true;
  bake_flat(scatter, folder / "bake", force);
  JournalHead head;
  head.record_bytes = 128;
  auto journal = journal_head_bytes(head);
  journal[8] = std::byte{2};
  std::ofstream(folder / "bake/bake.journal", std::ios::binary)
      .write(reinterpret_cast<const char*>(journal.data()), static_cast<std::streamsize>(journal.size()));
  const auto damaged = bake(scatter, flat_terrain(), folder / "bake", tiles_of(64), {});
  EXPECT_EQ(damaged.status().code, StatusCode::kCorrupt);
  EXPECT_NE(damaged.status().message.find("--force"), std::string::npos);
}

TEST(Incremental, PaintingACornerMakesOnlyTheTilesItCanReach) {
  const TemporaryFolder folder;
  const Scatter scatter = painted_world();
  PaintedTerrain terrain;
  const auto run = [&](const std::string& name, std::uint64_t stamp) {
    BakeOptions options = tiles_of(32);
    options.inputs_stamp = stamp;
    auto summary = bake(scatter, terrain, folder / name, options, {});
    EXPECT_TRUE(summary.ok()) << summary.status().text();
    return std::move(summary).value();
  };
  EXPECT_EQ(run("bake", 1).tiles_made, 64U);
  terrain.windows = 0;
  EXPECT_EQ(run("bake", 1).tiles_made, 0U);
  EXPECT_EQ(terrain.windows, 0U);  // the stamp says it all
  EXPECT_EQ(run("bake", 2).tiles_made, 0U);
  EXPECT_EQ(terrain.windows, 64U);

  // 15 m of one corner: the tile they are in. With what the layers look around, its neighbours too once it
  // comes near them.
  terrain.paint(0, 0, 15, 15, 2);
  const BakeSummary corner = run("bake", 3);
  EXPECT_EQ(corner.tiles_made, 1U);
  EXPECT_EQ(corner.tiles_changed, 1U);
  run("fresh", 3);
  EXPECT_EQ(folder_bytes(folder / "bake"), folder_bytes(folder / "fresh"));
  terrain.paint(0, 0, 31, 15, 3);
  EXPECT_EQ(run("bake", 4).tiles_made, 2U);
  // The tile becomes empty: its file goes. Back again, and so does the file come.
  terrain.paint(0, 0, 40, 40, 9);
  EXPECT_EQ(run("bake", 0).tiles_made, 4U);
  EXPECT_FALSE(std::filesystem::exists(folder / "bake/tiles/0_0.strewtile"));
  terrain.paint(0, 0, 40, 40, 1);
  terrain.paint(0, 0, 15, 15, 2);
  EXPECT_EQ(run("bake", 3).tiles_made, 4U);
  EXPECT_EQ(folder_bytes(folder / "bake"), folder_bytes(folder / "fresh"));
}

TEST(Incremental, AnInterruptedChangeNeverPassesForTheOldState) {
  const TemporaryFolder folder;
  const Scatter scatter = painted_world();
  PaintedTerrain terrain;
  ASSERT_TRUE(bake(scatter, terrain, folder / "bake", tiles_of(32), {}).ok());
  const auto before = folder_bytes(folder / "bake");
  terrain.paint(0, 0, 128, 128, 2);
  const BakeProgressFn stop = [](void*, const BakeProgress& progress) { return progress.tiles_done < 3; };
  EXPECT_EQ(bake(scatter, terrain, folder / "bake", tiles_of(32), {}, stop).status().code,
            StatusCode::kCancelled);
  EXPECT_FALSE(load_manifest(folder / "bake").ok());
  terrain.paint(0, 0, 128, 128, 1);
  ASSERT_TRUE(bake(scatter, terrain, folder / "bake", tiles_of(32), {}).ok());
  EXPECT_EQ(folder_bytes(folder / "bake"), before);
}

}  // namespace
}  // namespace strew
