#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "minimal_world.hpp"

namespace strew {
namespace {

class LoadWorld : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "strew_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(LoadWorld, PathsAreRelativeToTheFile) {
  strew_test::Json world = strew_test::full_world();
  world["terrain"]["elevation"] = "../data/e.tif";
  world["terrain"]["shapes"][0]["path"] = "../data/r.gpkg";
  const auto loaded = load_world(write("world.json", world.dump()));
  ASSERT_TRUE(loaded.ok()) << loaded.status().text();
  EXPECT_EQ(loaded.value().terrain.elevation_path, (folder_.parent_path() / "data/e.tif").string());
  EXPECT_EQ(loaded.value().terrain.shapes[0].path, (folder_.parent_path() / "data/r.gpkg").string());
}

TEST_F(LoadWorld, ErrorsNameTheFileAndThePlaceInIt) {
  const std::string path = write("world.json", R"({"version": 1, "layrs": []})");
  const auto loaded = load_world(path);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.status().where, path + ": layrs");
  EXPECT_NE(loaded.status().message.find("layers"), std::string::npos);
}

TEST_F(LoadWorld, FilesThatCannotBeRead) {
  const auto refused = [](const std::string& path, const std::string& part) {
    const auto loaded = load_world(path);
    ASSERT_FALSE(loaded.ok()) << path;
    EXPECT_EQ(loaded.status().code, StatusCode::kInvalidArgument);
    EXPECT_EQ(loaded.status().where, path);
    EXPECT_NE(loaded.status().message.find(part), std::string::npos) << loaded.status().message;
  };
  refused((folder_ / "none.json").string(), "does not exist");
  refused(folder_.string(), "is a folder");
  refused(write("empty.json", ""), "is empty");
  refused(write("blank.json", " \n\t\n"), "is empty");
  const std::string huge = write("huge.json", "");
  std::filesystem::resize_file(huge, std::uintmax_t{1} << 30);
  refused(huge, "at most");
}

}  // namespace
}  // namespace strew
