// Kit files, meshes and GLB.
#include "strew/io/kit.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "shared_data.hpp"
#include "strew/io/files.hpp"

namespace strew {
namespace {

class KitFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("strew-kit-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string put(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

void refused(const std::string& text, const std::string& where, const std::string& words) {
  const auto kit = parse_kit(text, ".");
  ASSERT_FALSE(kit.ok()) << text;
  EXPECT_NE(kit.status().where.find(where), std::string::npos) << kit.status().text();
  EXPECT_NE(kit.status().text().find(words), std::string::npos) << kit.status().text();
}

const char* const kOne =
    R"({"version": 1, "pieces": [{"name": "hub", "connectors": [
      {"name": "a", "position": [1, 0, 0], "heading": [2, 0, 0], "pins": 1, "colour": "red"},
      {"name": "b", "position": [-1, 0, 0], "heading": [-1, 0, 0], "pins": 3, "colour": 4}],
      "boxes": [{"centre": [0, 0, 0], "half_extents": [1, 1, 1]}], "weight": 2, "maximum": 5}], "starters": ["hub"]})";

TEST_F(KitFile, OwnFormIsReadOrderedAndWritten) {
  const auto kit = parse_kit(kOne, ".");
  ASSERT_TRUE(kit.ok()) << kit.status().text();
  const snap::Piece& piece = kit.value().pieces.front();
  ASSERT_EQ(piece.connectors.size(), 2U);
  EXPECT_EQ(piece.connectors[0].name, "b");  // more pins first
  EXPECT_EQ(piece.connectors[1].colour, 1);
  EXPECT_EQ(piece.connectors[1].heading, (snap::Vec3{1, 0, 0}));
  EXPECT_EQ(piece.maximum_count, 5);
  EXPECT_EQ(kit.value().starters, std::vector<std::uint32_t>{0});
  const auto again = parse_kit(kit_json(kit.value()), ".");
  ASSERT_TRUE(again.ok()) << again.status().text();
  EXPECT_EQ(kit_json(again.value()), kit_json(kit.value()));
  EXPECT_TRUE(nlohmann::json::accept(kit_schema()));
}

TEST_F(KitFile, FaultsNamePieceAndConnector) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kOne;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  refused("{", "kit", "JSON");
  refused("[]", "kit", "object");
  refused(R"({"version": 2, "pieces": []})", "version", "version 1");
  refused(R"({"version": 1, "pieces": []})", "pieces", "no pieces");
  refused(changed("\"weight\"", "\"wieght\""), "piece \"hub\"", "weight");
  refused(changed("[2, 0, 0]", "[2, 0]"), "piece \"hub\", connector \"a\": heading", "3 numbers");
  refused(changed("[2, 0, 0]", "[0, 0, 0]"), "piece \"hub\", connector \"a\"", "heading");
  refused(changed("\"red\"", "\"rde\""), "connector \"a\"", "red");
  refused(changed("\"pins\": 3", "\"pins\": 1.5"), "connector \"b\"", "whole");
  refused(changed("[\"hub\"]", "[\"hob\"]"), "starters", "hob");
  refused(changed("\"weight\": 2", "\"mesh\": \"none.glb\""), "piece \"hub\"", "none.glb");
  refused(changed("\"version\": 1", "\"version\": 1, \"frame\": \"mine\""), "frame", "mine");
  refused(R"({"pieces": []})", "version", "must be given");
  // By the place in the file, not after ordering by pins.
  refused(R"({"version": 1, "pieces": [{"name": "hub", "connectors": [
    {"position": [1, 0, 0], "heading": [1, 0, 0], "pins": -1}, {"position": [-1, 0, 0], "heading": [-1, 0, 0], "pins": 2}]}]})",
          "piece \"hub\", connector 0", "-1 pins");
  put("empty.obj", "v 0 0 0\n");
  refused(changed("\"weight\": 2", "\"mesh\": \"" + (folder_ / "empty.obj").string() + "\""), "piece \"hub\"",
          "no triangles");
  put("far.obj", "v inf 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
  refused(R"({"version": 1, "pieces": [{"name": "hub", "mesh": ")" + (folder_ / "far.obj").string() + "\"}]}",
          "piece \"hub\"", "vertex 0");
  const auto missing = read_kit((folder_ / "none.json").string());
  EXPECT_EQ(missing.status().code, StatusCode::kNotFound);
}

TEST_F(KitFile, MeshesBoxesAndConnectorsFromGltfAndObj) {
  // y up: a floor of 4 x 2 m, 0.5 m thick, as strew writes it itself.
  snap::Kit made = snap::built_in_kit();
  const snap::Piece& ramp = made.pieces[7];
  ASSERT_EQ(ramp.name, "ramp");
  const ColouredMesh mesh{"ramp", &ramp.mesh, {1, 0, 0}};
  const MeshNode nodes[] = {{"body", 0, {}, {}},
                            {"connector.green.1", -1, {6, 0, 3}, {0.5, 0.5, 0.5, 0.5}},
                            {"connector.5.2.east", -1, {-6, 0, 0}, {0.5, -0.5, -0.5, 0.5}}};
  ASSERT_TRUE(write_file_atomically((folder_ / "ramp.glb").string(), glb_bytes({&mesh, 1}, nodes)).ok());
  put("floor.obj", "v 0 0 0\nv 4 0 0\nv 4 0 -2\nv 0 0 -2\nf 1/1 2/2 3/3 -1\n");
  const std::string path = put("kit.json", R"({"version": 1, "pieces": [{"name": "ramp", "mesh": "ramp.glb"},
    {"name": "floor", "mesh": {"file": "floor.obj", "scale": 2}}]})");
  const auto kit = read_kit(path);
  ASSERT_TRUE(kit.ok()) << kit.status().text();
  const snap::Piece& read = kit.value().pieces[0];
  EXPECT_EQ(read.mesh.triangle_count(), ramp.mesh.triangle_count());
  ASSERT_EQ(read.connectors.size(), 2U);
  EXPECT_EQ(read.connectors[0].colour, 5);  // two pins first
  EXPECT_EQ(read.connectors[0].pins, 2);
  EXPECT_NEAR(read.connectors[0].position.x, -6, 1e-6);
  EXPECT_NEAR(read.connectors[1].position.z, 3, 1e-6);
  EXPECT_EQ(read.connectors[1].colour, 2);
  ASSERT_EQ(read.boxes.size(), 1U);
  EXPECT_NEAR(read.boxes[0].half_extents.x, 6, 0.03);
  const snap::Piece& floor = kit.value().pieces[1];
  EXPECT_EQ(floor.mesh.triangle_count(), 2U);
  EXPECT_NEAR(floor.boxes[0].centre.x, 4, 1e-6);
  EXPECT_NEAR(floor.boxes[0].centre.y, 2, 1e-6);
  for (const char* broken : {"v 0 0\n", "v 0 0 0\nf 1 2 3\n", "v 0 0 0\nf 0 1 1\n"}) {
    put("floor.obj", broken);
    const auto bad = read_kit(path);
    ASSERT_FALSE(bad.ok());
    EXPECT_NE(bad.status().where.find("line"), std::string::npos) << bad.status().text();
  }
  put("floor.obj", "v 0 0 nan\nv 1 0 0\nv 1 0 1\nf 1 2 3\n");
  EXPECT_NE(read_kit(path).status().text().find("not finite"), std::string::npos);
  put("ramp.glb", "glTF");
  EXPECT_NE(read_kit(path).status().where.find("ramp.glb"), std::string::npos);
}

TEST_F(KitFile, GlbIsCutAtEveryLengthWithoutHarm) {
  const snap::Kit made = snap::built_in_kit();
  const ColouredMesh mesh{"corner", &made.pieces[3].mesh, {1, 0, 0}};
  const MeshNode node{"body", 0, {}, {}};
  const std::vector<std::byte> bytes = glb_bytes({&mesh, 1}, {&node, 1});
  std::size_t good = 0;
  for (std::size_t size = 0; size <= bytes.size(); size += size < 200 ? 7 : 501) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), size);
    good += read_mesh(put("cut.glb", text)).ok() ? 1U : 0U;
  }
  EXPECT_EQ(good, 0U);
  const std::string whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_TRUE(read_mesh(put("cut.glb", whole)).ok());
}

TEST_F(KitFile, GlbChunksAddUp) {
  snap::Kit kit = snap::built_in_kit();
  snap::Map map;
  map.placements = {
      {0, {1, 2, 3}, {}, -1, -1, -1}, {12, {4, 5, 6}, {0, 0, 1, 0}, 0, 0, 0}, {0, {}, {}, 1, 0, 0}};
  const std::vector<std::byte> bytes = map_glb(kit, map);
  std::uint32_t words[5];
  std::memcpy(words, bytes.data(), sizeof words);
  EXPECT_EQ(words[0], 0x46546C67U);
  EXPECT_EQ(words[2], bytes.size());
  const auto document =
      nlohmann::json::parse(std::string(reinterpret_cast<const char*>(bytes.data()) + 20, words[3]));
  EXPECT_EQ(document["nodes"].size(), 3U);
  EXPECT_EQ(document["meshes"].size(), 2U);  // shared
  EXPECT_EQ(document["nodes"][0]["translation"], nlohmann::json::array({1.0, 3.0, -2.0}));
}

TEST_F(KitFile, PublishedPiecesTurnToZUp) {
  STREW_REQUIRE_SHARED(path, "snapmesh/benchmark_unity_lh.json");
  const auto read = read_kit(path);
  ASSERT_TRUE(read.ok()) << read.status().text();
  EXPECT_EQ(read.value().frame, snap::Frame::kUnity);
  const snap::Kit kit = snap::to_z_up(read.value());
  for (std::size_t i = 0; i < kit.pieces.size(); ++i) {
    const snap::Piece& piece = kit.pieces[i];
    EXPECT_GT(piece.mesh.triangle_count(), 10U) << piece.name;
    // The mesh lies where the boxes are.
    snap::Vec3 low{1e9, 1e9, 1e9};
    for (std::size_t v = 0; v + 2 < piece.mesh.positions.size(); v += 3) {
      low.x = std::min<double>(low.x, piece.mesh.positions[v]);
    }
    double box_low = 1e9;
    for (const snap::Box& box : piece.boxes) {
      box_low = std::min(box_low, box.centre.x - box.half_extents.x);
    }
    EXPECT_NEAR(low.x, box_low, 1.5) << piece.name;
  }
}

}  // namespace
}  // namespace strew
