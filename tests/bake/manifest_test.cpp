#include "manifest.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string_view>
#include <tuple>

namespace strew {
namespace {

Manifest sample() {
  Manifest manifest;
  manifest.output_version = 3;
  manifest.config_hash = "00ff";
  manifest.seed = std::numeric_limits<std::uint64_t>::max();
  manifest.extent = {-kCoordLimit, -5, kCoordLimit, 7 * kUnitsPerMetre};
  manifest.region = {0, 0, 200 * kUnitsPerMetre, 7 * kUnitsPerMetre};
  manifest.tile_size = 100 * kUnitsPerMetre + 1;
  manifest.world_hash = 0xFEDCBA9876543210U;
  manifest.instances = 12;
  manifest.world_json = "{\n  // \"quoted\" \\ \u00e4\n}";
  manifest.terrain_json = "{}";
  BakedSlot canopy;
  canopy.slot = 0;
  canopy.name = "canopy";
  canopy.lattice = {1483001, 8192};
  canopy.minimum_distance_m = 0.1;
  canopy.maximal = true;
  canopy.species = {{"oak", 0.3, {0.9, 1.1}, {0, 360}}, {"ash", 1, {1, 1}, {-5, 5}}};
  BakedSlot ring;
  ring.slot = 63;
  ring.name = "canopy/mushrooms";
  ring.lattice = {(Coord{1} << 60) + 1, 1};
  ring.spacing_m = {{"canopy", 1.0 / 3}};
  manifest.slots = {canopy, ring};
  manifest.tiles = {{0, 0, "tiles/0_0.strewtile", 100, 1, {3, 4}},
                    {1, 0, "tiles/1_0.strewtile", 80, 2, {5, 0}}};
  return manifest;
}

std::string text_of(const Manifest& manifest) {
  auto text = manifest_text(manifest);
  EXPECT_TRUE(text.ok());
  return text.ok() ? text.value() : std::string();
}

TEST(Manifest, RoundTrips) {
  const Manifest before = sample();
  const std::string text = text_of(before);
  const auto parsed = parse_manifest(text, "manifest.json");
  ASSERT_TRUE(parsed.ok()) << parsed.status().text();
  const Manifest& after = parsed.value();
  EXPECT_EQ(after.seed, before.seed);
  EXPECT_EQ(after.extent, before.extent);
  EXPECT_EQ(after.region, before.region);
  EXPECT_EQ(after.tile_size, before.tile_size);
  EXPECT_EQ(after.world_hash, before.world_hash);
  EXPECT_EQ(after.world_json, before.world_json);
  ASSERT_EQ(after.slots.size(), 2U);
  EXPECT_EQ(after.slots[0].minimum_distance_m, 0.1);
  EXPECT_TRUE(after.slots[0].maximal);
  EXPECT_EQ(after.slots[0].species[0].weight, 0.3);
  EXPECT_EQ(after.slots[1].lattice, before.slots[1].lattice);
  EXPECT_EQ(after.slots[1].spacing_m, before.slots[1].spacing_m);
  ASSERT_EQ(after.tiles.size(), 2U);
  EXPECT_EQ(after.tiles[1].counts, before.tiles[1].counts);
  EXPECT_EQ(text_of(after), text);
  std::istringstream stream(text);
  EXPECT_TRUE(is_manifest(stream));
  std::istringstream torn(text.substr(0, text.size() - 3));
  EXPECT_FALSE(is_manifest(torn));
}

TEST(Manifest, ExactColumnsAndMeshesRoundTrip) {
  Manifest before = sample();
  EXPECT_EQ(text_of(before).find("columns"), std::string::npos);
  EXPECT_EQ(text_of(before).find("mesh"), std::string::npos);
  before.exact_columns = true;
  before.format_version = kManifestVersion;
  before.slots[0].species[1].mesh = "/models/ash \"old\".glb";
  const auto after = parse_manifest(text_of(before), "manifest.json");
  ASSERT_TRUE(after.ok()) << after.status().text();
  EXPECT_TRUE(after.value().exact_columns);
  EXPECT_EQ(after.value().format_version, 2U);
  EXPECT_EQ(after.value().slots[0].species[0].mesh, "");
  EXPECT_EQ(after.value().slots[0].species[1].mesh, before.slots[0].species[1].mesh);
  EXPECT_EQ(text_of(after.value()), text_of(before));
  std::string text = text_of(before);
  text.replace(text.find("\"exact\""), 7, "\"vague\"");
  const auto refused = parse_manifest(text, "m");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().where, "m: columns");
}

/// Parses the sample with `from` replaced by `to`.
Status damaged(const std::string& from, const std::string& to) {
  std::string text = text_of(sample());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto parsed = parse_manifest(text, "m");
  return parsed.ok() ? Status{} : parsed.status();
}

TEST(Manifest, BadFieldsAreNamed) {
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"\"seed\"", "\"sead\"", "m: seed"},
      {"\"18446744073709551615\"", "\"18446744073709551616\"", "m: seed"},
      {"\"18446744073709551615\"", "18446744073709551615", "m: seed"},
      {"\"fedcba9876543210\"", "\"fedcba987654321\"", "m: world_hash"},
      {"\"instances\": 12", "\"instances\": -1", "m: instances"},
      {"\"instances\": 12", "\"instances\": 1.5", "m: instances"},
      {"[\"0\",\"0\"", "[\"0\",\"900000000000\"", "m: region"},
      {"\"slot\":63", "\"slot\":0", "m: slots[1]"},
      {"\"slot\":63", "\"slot\":64", "m: slots[1].slot"},
      {"\"weight\":0.3", "\"weight\":-0.3", "m: slots[0].species[0].weight"},
      {"\"weight\":0.3", "\"weight\":1e400", "m"},
      {"tiles/1_0.strewtile", "../../etc/passwd", "m: tiles[1].file"},
      {"\"counts\":[5,0]", "\"counts\":[5]", "m: tiles[1].counts"},
      {"\"x\":1,", "\"x\":7,", "m: tiles[1]"},
      {"\"tile_size\": \"429496729601\"", "\"tile_size\": \"0\"", "m: tile_size"},
      {"\"format\": \"strew-bake\"", "\"format\": \"other\"", "m: format"},
  };
  for (const auto& [from, to, where] : cases) {
    const Status status = damaged(from, to);
    EXPECT_EQ(status.code, StatusCode::kCorrupt) << from << " -> " << to;
    EXPECT_EQ(status.where, where) << status.text();
  }
}

TEST(Manifest, DamagedTextIsPlacedInWordsOfItsOwn) {
  const auto status_of = [](std::string_view text) { return parse_manifest(text, "m").status(); };
  for (const auto& [text, where, words] :
       {std::tuple<std::string_view, std::string_view, std::string_view>{"{\n \"format\": nonsense}",
                                                                         "m: line 2, column 13", "no JSON"},
        {"{\"format\": \"strew\"", "m: line 1, column 19", "ends before"},
        {"", "m: line 1, column 1", "ends before"},
        {"{\"a\": 1e999}", "m", "no double"},
        {"[]", "m", "no object"}}) {
    const Status status = status_of(text);
    EXPECT_EQ(status.code, StatusCode::kCorrupt);
    EXPECT_EQ(status.where, where);
    EXPECT_NE(status.message.find(words), std::string::npos) << status.text();
    EXPECT_NE(status.message.find("bake again"), std::string::npos) << status.text();
    EXPECT_EQ(status.message.find("json.exception"), std::string::npos) << status.text();
  }
}

TEST(Manifest, ANewerFormatIsRefusedByName) {
  const Status status = damaged("\"format_version\": 1", "\"format_version\": 3");
  EXPECT_EQ(status.code, StatusCode::kUnsupported);
  EXPECT_EQ(status.where, "m: format_version");
}

TEST(Manifest, EveryTruncationIsRefused) {
  const std::string text = text_of(sample());
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const auto parsed = parse_manifest(std::string_view(text).substr(0, length), "m");
    ASSERT_FALSE(parsed.ok()) << length;
    ASSERT_EQ(parsed.status().code, StatusCode::kCorrupt);
  }
}

TEST(Manifest, TextThatIsNotUtf8IsRefusedByName) {
  Manifest manifest = sample();
  manifest.world_json = "\xff";
  const auto text = manifest_text(manifest);
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.status().code, StatusCode::kInvalidArgument);
  EXPECT_EQ(text.status().where, "world_json");
}

TEST(Manifest, OtherDocumentsAreNotOurs) {
  for (const char* text : {"", "[]", "{}", "{\"format\": 3}", "{\"name\": \"app\"}",
                           "{\"name\": \"strew-bake\"}", "[{\"format\": \"strew-bake\"}]",
                           "{\"of\": {\"format\": \"strew-bake\"}}", "{\"format\": [\"strew-bake\"]}"}) {
    std::istringstream stream(text);
    EXPECT_FALSE(is_manifest(stream)) << text;
  }
}

}  // namespace
}  // namespace strew
