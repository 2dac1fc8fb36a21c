#include <gtest/gtest.h>

#include "minimal_world.hpp"

namespace strew {
namespace {

using strew_test::full_world;
using strew_test::Json;
using strew_test::minimal_world;
using strew_test::parse;

/// Parsing fails at `where`, with each of `parts` in the message.
void expect_error(const Result<WorldFile>& result, const std::string& where,
                  const std::vector<std::string>& parts) {
  ASSERT_FALSE(result.ok()) << "nothing was refused at " << where;
  EXPECT_EQ(result.status().code, StatusCode::kInvalidArgument);
  EXPECT_EQ(result.status().where, where) << result.status().message;
  for (const std::string& part : parts) {
    EXPECT_NE(result.status().message.find(part), std::string::npos)
        << part << "\nis not in: " << result.status().message;
  }
}

/// full_world() with one place changed, refused.
void expect_refused(const std::string& pointer, const Json& value, const std::string& where,
                    const std::vector<std::string>& parts) {
  Json world = full_world();
  world[Json::json_pointer(pointer)] = value;
  SCOPED_TRACE(pointer + " = " + value.dump());
  expect_error(parse(world), where, parts);
}

TEST(WorldErrors, SyntaxNamesLineAndColumn) {
  expect_error(parse_world("", ""), "line 1, column 1", {"unexpected end of input"});
  expect_error(parse_world("{\n  \"version\": 1,\n  \"seed\": oops\n}", ""), "line 3, column 11",
               {"invalid literal"});
  expect_error(parse_world("{\"version\": 1} x", ""), "line 1, column 16", {"end of input"});
  expect_error(parse_world("{\n\"version\": NaN}", ""), "line 2, column 12", {"invalid literal"});
  expect_error(parse_world("{\"version\": 1, /* open", ""), "line 1, column 23", {"comment"});
  expect_error(parse_world("{\"version\":\n 1e999}", ""), "line 2, column 6", {"1e999"});
  expect_error(parse_world("[1, 2]", ""), "the document", {"array", "object"});
}

TEST(WorldErrors, DeepNestingIsRefused) {
  const std::string deep(100'000, '[');
  const auto result = parse_world(deep, "");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.status().message.find("nested deeper"), std::string::npos);
}

TEST(WorldErrors, DuplicateKeys) {
  expect_error(parse_world(R"({"version": 1, "seed": 1, "seed": 2})", ""), "seed", {"given twice"});
  expect_error(parse_world(R"({"layers": [{}, {"species": [{"name": "a", "name": "b"}]}]})", ""),
               "layers[1].species[0].name", {"given twice"});
}

TEST(WorldErrors, UnknownKeysSuggestTheNearest) {
  expect_refused("/sead", 1, "sead", {"did you mean \"seed\"?"});
  expect_refused("/layers/0/specis", 1, "layers[0].specis", {"did you mean \"species\"?"});
  expect_refused("/layers/0/constraints/slope", Json::array({0, 1}), "layers[0].constraints.slope",
                 {"not a key"});
  expect_refused("/layers/1/species/0/qqqqqqqqqqqqqqq", 1, "layers[1].species[0].qqqqqqqqqqqqqqq",
                 {"known keys: name, weight, scale, yaw_degrees"});
}

TEST(WorldErrors, MissingKeys) {
  for (const std::string pointer : {"/version", "/layers", "/layers/0/name", "/layers/1/species",
                                    "/layers/0/secondaries/0/species", "/extent/size_m"}) {
    Json world = full_world();
    const Json::json_pointer place(pointer);
    world[place.parent_pointer()].erase(place.back());
    const auto result = parse(world);
    ASSERT_FALSE(result.ok()) << pointer;
    EXPECT_NE(result.status().message.find("is missing"), std::string::npos);
    EXPECT_TRUE(result.status().where.ends_with(place.back())) << result.status().where;
  }
  Json world = minimal_world();
  world.erase("extent");
  expect_error(parse(world), "extent", {"is missing", "size_m"});
}

TEST(WorldErrors, RangesAndTypes) {
  expect_refused("/layers/0/constraints/slope_degrees", {40, 30}, "layers[0].constraints.slope_degrees",
                 {"minimum 40 is above maximum 30"});
  expect_refused("/layers/0/constraints/slope_degrees", {0, 95}, "layers[0].constraints.slope_degrees[1]",
                 {"is 95", "at most 90"});
  expect_refused("/layers/0/constraints/altitude_m", {10, 5}, "layers[0].constraints.altitude_m",
                 {"minimum 10 is above maximum 5"});
  expect_refused("/layers/0/constraints/altitude_m", {1, 2, 3}, "layers[0].constraints.altitude_m",
                 {"array of 3", "two numbers"});
  expect_refused("/layers/0/constraints/altitude_m", 7, "layers[0].constraints.altitude_m", {"is 7"});
  expect_refused("/layers/0/constraints/altitude_m", {"high", 2}, "layers[0].constraints.altitude_m[0]",
                 {"the text \"high\"", "expected a finite number"});
  expect_refused("/layers/0/species", Json::object(), "layers[0].species", {"an object", "array"});
  expect_refused("/layers/0/species", Json::array(), "layers[0].species", {"empty", "at least one species"});
  expect_refused("/layers", Json::array(), "layers", {"empty", "at least one layer"});
  expect_refused("/layers/0", 3, "layers[0]", {"is 3", "expected an object"});
  expect_refused("/layers/0/name", 3, "layers[0].name", {"is 3", "expected text"});
  expect_refused("/layers/0/name", "", "layers[0].name", {"empty"});
  expect_refused("/layers/0/name", "a/b", "layers[0].name", {"'/'"});
  expect_refused("/layers/0/name", "a\nb", "layers[0].name", {"control character"});
  expect_refused("/version", 2, "version", {"is 2"});
  expect_refused("/seed", -1, "seed", {"is -1", "18446744073709551615"});
  expect_refused("/seed", 1.5, "seed", {"is 1.5"});
  expect_refused("/terrain/assume_same_crs", "yes", "terrain.assume_same_crs", {"true or false"});
  expect_refused("/extent/size_m", {0, 5}, "extent.size_m[0]", {"is 0", "above 0"});
  expect_refused("/extent/origin_m", {1e10, 5}, "extent.origin_m[0]", {"1e+10"});
  expect_refused("/output/columns", "precise", "output.columns", {"precise", "quantised", "exact"});
  expect_refused("/output/tile_size_m", 0.5, "output.tile_size_m", {"is 0.5", "at least 1"});
  expect_refused("/layers/0/constraints/noise/octaves", 2.5, "layers[0].constraints.noise.octaves",
                 {"whole"});
  expect_refused("/layers/0/constraints/noise/frequency", 0, "layers[0].constraints.noise.frequency",
                 {"1e-06"});
  expect_refused("/layers/0/constraints/noise/threshold", "nan", "layers[0].constraints.noise.threshold",
                 {"\"nan\"", "finite number"});
}

TEST(WorldErrors, SpeciesAndSecondaries) {
  expect_refused("/layers/0/species/0/weight", -1, "layers[0].species[0].weight", {"is -1", "at least 0"});
  expect_refused("/layers/0/species/0/weight", 0, "layers[0].species", {"weights of 0"});
  expect_refused("/layers/0/species/0/weight", nullptr, "layers[0].species[0].weight", {"is null"});
  expect_refused("/layers/0/species/0/scale", {0, 1}, "layers[0].species[0].scale[0]", {"at least 0.001"});
  expect_refused("/layers/0/species/0/scale", {2, 1}, "layers[0].species[0].scale",
                 {"minimum 2 is above maximum 1"});
  expect_refused("/layers/0/species/0/scale", nullptr, "layers[0].species[0].scale",
                 {"is null", "a number or"});
  expect_refused("/layers/0/species/0/scale", {1, nullptr}, "layers[0].species[0].scale[1]", {"is null"});
  expect_refused("/layers/0/species/1", {{"name", "oak"}}, "layers[0].species[1].name",
                 {"names must differ"});
  expect_refused("/layers/1/name", "trees", "layers[1].name", {"\"trees\"", "names must differ"});
  expect_refused("/layers/0/secondaries/0/amount", {3, 1}, "layers[0].secondaries[0].amount", {"minimum 3"});
  expect_refused("/layers/0/secondaries/0/amount", 65, "layers[0].secondaries[0].amount", {"at most 64"});
  expect_refused("/layers/0/secondaries/0/amount", {0, 1.5}, "layers[0].secondaries[0].amount[1]", {"whole"});
  expect_refused("/layers/0/secondaries/0/ring_m", {2, 2}, "layers[0].secondaries[0].ring_m",
                 {"without area"});
  expect_refused("/layers/0/secondaries/0/secondaries/0/name", "a/b",
                 "layers[0].secondaries[0].secondaries[0].name", {"cannot hold a '/'"});
  expect_refused("/layers/0/secondaries/0/secondaries/0/spacing_parents_m", -1,
                 "layers[0].secondaries[0].secondaries[0].spacing_parents_m", {"at least 0"});
  Json deep = full_world()["layers"][0]["secondaries"][0]["secondaries"][0];
  for (int level = 0; level < 3; ++level) {
    Json outer = deep;
    outer["secondaries"] = Json::array({deep});
    deep = outer;
  }
  expect_refused("/layers/0/secondaries/0/secondaries/0", deep,
                 "layers[0].secondaries[0].secondaries[0].secondaries[0].secondaries[0].secondaries",
                 {"4 levels deep"});
  expect_refused("/layers/0/reserved", {{"count", 3}}, "layers[0].reserved", {"beside amount"});
  expect_refused("/layers/0/amount/count", {3, 1}, "layers[0].amount.count", {"minimum 3"});
  expect_refused("/layers/0/amount/count", -1, "layers[0].amount.count", {"at least 0"});
  expect_refused("/layers/0/amount/per_square_m", 0.5, "layers[0].amount.per_square_m", {"at least 1"});
  expect_refused("/layers/1/reserved/count", {1, 2}, "layers[1].reserved.count", {"an array"});
  expect_refused("/layers/1/reserved", Json::object(), "layers[1].reserved.count", {"is missing"});
  expect_refused("/layers/0/secondaries/0/constraints", "own", "layers[0].secondaries[0].constraints",
                 {"\"own\"", "\"inherit\""});
}

TEST(WorldErrors, Parameters) {
  expect_refused("/layers/0/parameters/radius", "nan", "layers[0].parameters.radius", {"\"nan\"", "finite"});
  expect_refused("/layers/0/parameters/radius", "-Infinity", "layers[0].parameters.radius", {"finite"});
  expect_refused("/layers/0/parameters/radius", nullptr, "layers[0].parameters.radius", {"is null"});
  expect_refused("/layers/0/parameters/radius", {1}, "layers[0].parameters.radius", {"an array"});
  expect_refused("/layers/0/parameters", 1, "layers[0].parameters", {"is 1", "expected an object"});
}

TEST(WorldErrors, Spacing) {
  expect_refused("/layers/1/spacing_m", {{"tree", 1}}, "layers[1].spacing_m.tree",
                 {"did you mean \"trees\"?"});
  expect_refused("/layers/1/spacing_m", {{"rocks", 1}}, "layers[1].spacing_m.rocks", {"the layer itself"});
  expect_refused("/layers/0/spacing_m", {{"rocks", 1}}, "layers[0].spacing_m.rocks",
                 {"later layer", "list \"rocks\" before \"trees\""});
  expect_refused("/layers/1/spacing_m", {{"trees", -1}}, "layers[1].spacing_m.trees",
                 {"is -1", "at least 0"});
  expect_refused("/layers/1/spacing_m", {1}, "layers[1].spacing_m", {"an array"});
}

TEST(WorldErrors, Biomes) {
  const std::string where = "layers[0].constraints.biomes";
  expect_refused("/layers/0/constraints/biomes", {"Forst"}, where + "[0]", {"did you mean \"Forest\"?"});
  expect_refused("/layers/0/constraints/biomes", {"Forest", "Qqqqqqqqqq"}, where + "[1]",
                 {"known biomes: Forest, Meadow"});
  expect_refused("/layers/0/constraints/biomes", {256}, where + "[0]", {"is 256", "0 to 255"});
  expect_refused("/layers/0/constraints/biomes", {1.5}, where + "[0]", {"is 1.5"});
  expect_refused("/layers/0/constraints/biomes", Json::array(), where, {"empty"});
  expect_refused("/biomes/256", "Sea", "biomes.256", {"\"0\" to \"255\""});
  expect_refused("/biomes/01", "Sea", "biomes.01", {"\"0\" to \"255\""});
  expect_refused("/biomes/3", "Forest", "biomes.3", {"class 1"});
  Json world = full_world();
  world.erase("biomes");
  expect_error(parse(world), where + "[0]", {"names no biomes", "\"biomes\""});
}

TEST(WorldErrors, Terrain) {
  expect_refused("/terrain", Json::object(), "terrain", {"names no terrain", "island"});
  expect_refused("/terrain/builtin", "island", "terrain.elevation", {"not both"});
  expect_refused("/terrain/seed", 1, "terrain.seed", {"belongs to the built-in"});
  expect_refused("/terrain", {{"builtin", "moon"}}, "terrain.builtin", {"\"moon\"", "\"island\""});
}

TEST(WorldErrors, Variables) {
  expect_refused("/terrain/elevation", "${STREW_TEST_UNDEFINED}/e.tif", "terrain.elevation",
                 {"${STREW_TEST_UNDEFINED}", "-D STREW_TEST_UNDEFINED=VALUE", "environment variable"});
  expect_refused("/terrain/elevation", "${OPEN", "terrain.elevation", {"write ${NAME}"});
  expect_refused("/terrain/elevation", "${a b}", "terrain.elevation", {"write ${NAME}"});
  Json world = full_world();
  world["seed"] = "${SEED}";
  expect_error(parse(world, {{"SEED", "nan"}}), "seed", {"the text \"nan\""});
  world["seed"] = "7";  // text in quotes is no number
  expect_error(parse(world), "seed", {"the text \"7\""});
}

}  // namespace
}  // namespace strew
