#include "bake_folder.hpp"

#include <atomic>

#include "bake_fixture.hpp"

namespace strew {
namespace {

using namespace strew_test;

void put(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

TEST(BakeFolder, TileNamesAreRecognised) {
  for (const char* name : {"0_0.strewtile", "-3_17.strewtile", "5_-6.strewtile.tmp"}) {
    EXPECT_TRUE(is_tile_name(name)) << name;
  }
  for (const char* name : {"", "0_0", "0_.strewtile", "_0.strewtile", "a_0.strewtile", "0_0.strewtile.bak",
                           "0_0_0.strewtile", "--1_0.strewtile", "notes.tmp", ".strewtile"}) {
    EXPECT_FALSE(is_tile_name(name)) << name;
  }
}

TEST(BakeFolder, AFinishedBakeIsReplacedOnlyByForce) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  bake_flat(scatter, folder / "bake", tiles_of(16));
  const auto before = read_whole_file(folder / "bake/manifest.json").value();
  const auto refused = bake(scatter, flat_terrain(), folder / "bake", tiles_of(64), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code, StatusCode::kInvalidArgument);
  EXPECT_NE(refused.status().message.find("--force"), std::string::npos);
  EXPECT_EQ(read_whole_file(folder / "bake/manifest.json").value(), before);

  put(folder / "bake/preview.png", "a picture beside a bake stays");
  BakeOptions options = tiles_of(64);
  options.force = true;
  EXPECT_EQ(bake_flat(scatter, folder / "bake", options).tiles, 8U);
  EXPECT_FALSE(std::filesystem::exists(folder / "bake/tiles/15_7.strewtile"));
  EXPECT_TRUE(std::filesystem::exists(folder / "bake/preview.png"));
}

TEST(BakeFolder, AForcedBakeThatIsCancelledLeavesNoManifest) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  bake_flat(scatter, folder / "bake", tiles_of(16));
  const std::atomic<bool> stop{true};
  RunContext context;
  context.cancel = &stop;
  BakeOptions options = tiles_of(16);
  options.force = true;
  EXPECT_EQ(bake(scatter, flat_terrain(), folder / "bake", options, context).status().code,
            StatusCode::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(folder / "bake/manifest.json"));
}

struct SecondBake {
  const Scatter& scatter;
  std::string folder;
  Status status;
};

bool bake_again(void* user, const BakeProgress& /*progress*/) {
  auto& second = *static_cast<SecondBake*>(user);
  BakeOptions options = tiles_of(16);
  options.force = true;
  const auto summary = bake(second.scatter, flat_terrain(), second.folder, options, {});
  second.status = summary.ok() ? Status{} : summary.status();
  return true;
}

TEST(BakeFolder, ASecondBakeIntoTheSameFolderAtTheSameTimeIsRefused) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  SecondBake second{scatter, folder / "bake", {}};
  const auto first = bake(scatter, flat_terrain(), second.folder, tiles_of(16), {}, bake_again, &second);
  ASSERT_TRUE(first.ok()) << first.status().text();
  EXPECT_EQ(second.status.code, StatusCode::kInvalidArgument);
  EXPECT_NE(second.status.message.find("baked into"), std::string::npos) << second.status.text();
  EXPECT_TRUE(load_manifest(second.folder).ok());
}

TEST(BakeFolder, WhatIsNotOursIsNeverTouched) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  put(folder / "notes/thesis.txt", "three years of work");
  put(folder / "inside/tiles/mosaic.png", "kitchen");
  put(folder / "app/manifest.json", "{\"name\": \"app\"}");
  for (const bool force : {false, true}) {
    BakeOptions options = tiles_of(64);
    options.force = force;
    for (const char* name : {"notes", "inside", "app"}) {
      const auto summary = bake(scatter, flat_terrain(), folder / name, options, {});
      ASSERT_FALSE(summary.ok()) << name;
      EXPECT_EQ(summary.status().code, StatusCode::kInvalidArgument);
    }
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "notes/thesis.txt"));
  EXPECT_FALSE(std::filesystem::exists(folder / "notes/tiles"));
  EXPECT_TRUE(std::filesystem::exists(folder / "inside/tiles/mosaic.png"));
  EXPECT_TRUE(std::filesystem::exists(folder / "app/manifest.json"));
}

TEST(BakeFolder, APathThroughAFileIsRefused) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  put(folder / "file", "text");
  const auto on_file = bake(scatter, flat_terrain(), folder / "file", tiles_of(64), {});
  ASSERT_FALSE(on_file.ok());
  EXPECT_EQ(on_file.status().code, StatusCode::kInvalidArgument);
  const auto below = bake(scatter, flat_terrain(), folder / "file/bake", tiles_of(64), {});
  ASSERT_FALSE(below.ok());
  EXPECT_EQ(below.status().code, StatusCode::kIo);
  EXPECT_NE(below.status().message.find("Not a directory"), std::string::npos) << below.status().text();
  EXPECT_EQ(below.status().where, folder / "file/bake");
  EXPECT_EQ(bake(scatter, flat_terrain(), "", tiles_of(64), {}).status().code, StatusCode::kInvalidArgument);
}

TEST(BakeFolder, ReadingWhatIsNoBakeSaysSo) {
  const TemporaryFolder folder;
  const auto missing = load_manifest(folder / "nowhere");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.status().code, StatusCode::kNotFound);
  std::filesystem::create_directories(folder / "empty");
  const auto unfinished = load_manifest(folder / "empty");
  ASSERT_FALSE(unfinished.ok());
  EXPECT_EQ(unfinished.status().code, StatusCode::kNotFound);
  EXPECT_NE(unfinished.status().message.find("not a finished bake"), std::string::npos);
  put(folder / "broken/manifest.json", "{");
  EXPECT_EQ(load_manifest(folder / "broken").status().code, StatusCode::kCorrupt);
}

TEST(BakeFolder, ATileIsCheckedAgainstTheManifest) {
  const TemporaryFolder folder;
  const Scatter scatter = grid_world();
  bake_flat(scatter, folder / "bake", tiles_of(64));
  const Manifest manifest = load_manifest(folder / "bake").value();
  ASSERT_TRUE(load_tile(folder / "bake", manifest, manifest.tiles[0]).ok());
  std::filesystem::copy_file(folder / ("bake/" + manifest.tiles[1].file),
                             folder / ("bake/" + manifest.tiles[0].file),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(load_tile(folder / "bake", manifest, manifest.tiles[0]).status().code, StatusCode::kCorrupt);
  std::filesystem::remove(folder / ("bake/" + manifest.tiles[2].file));
  EXPECT_EQ(load_tile(folder / "bake", manifest, manifest.tiles[2]).status().code, StatusCode::kCorrupt);
  tamper(folder / "bake", 3, 1,
         [](std::vector<InstanceTable>& tables) { std::swap(tables[0].x[4], tables[0].x[5]); });
  const Manifest changed = load_manifest(folder / "bake").value();
  const auto unordered = load_tile(folder / "bake", changed, changed.tiles.back());
  EXPECT_EQ(unordered.status().code, StatusCode::kCorrupt);
  EXPECT_NE(unordered.status().message.find("row 5"), std::string::npos) << unordered.status().text();
}

}  // namespace
}  // namespace strew
