#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "minimal_world.hpp"

namespace strew {
namespace {

using strew_test::full_world;
using strew_test::Json;
using strew_test::minimal_world;
using strew_test::parse;

WorldFile parsed(const Json& document, const Definitions& definitions = {}) {
  auto result = parse(document, definitions);
  EXPECT_TRUE(result.ok()) << result.status().text();
  return result.ok() ? std::move(result).value() : WorldFile{};
}

TEST(ParseWorld, MinimalWorldHasTheDefaults) {
  const WorldFile world = parsed(minimal_world());
  EXPECT_EQ(world.scatter.seed, 0U);
  EXPECT_EQ(world.scatter.extent, rect_from_metres(0, 0, 100, 50, "e").value());
  EXPECT_FALSE(world.extent_from_raster);
  EXPECT_EQ(world.terrain.kind, TerrainSpec::Kind::kFlat);
  EXPECT_EQ(world.tile_size_m, 512);
  EXPECT_FALSE(world.scatter.exact_columns);
  ASSERT_EQ(world.scatter.layers.size(), 1U);
  const LayerSpec& layer = world.scatter.layers[0];
  EXPECT_EQ(layer.strategy, "poisson/tiled");
  EXPECT_FALSE(layer.constraints.biomes || layer.constraints.altitude_m || layer.constraints.slope_degrees ||
               layer.constraints.noise);
  EXPECT_EQ(layer.species[0].weight, 1);
  EXPECT_EQ(layer.species[0].scale.maximum, 1);
  EXPECT_EQ(layer.species[0].yaw_degrees.maximum, 360);
}

TEST(ParseWorld, EveryKeyReachesItsPlace) {
  const WorldFile world = parsed(full_world());
  EXPECT_EQ(world.scatter.seed, UINT64_MAX);
  EXPECT_EQ(world.scatter.extent, rect_from_metres(-5.5, 10, 94.5, 60, "e").value());
  EXPECT_EQ(world.terrain.kind, TerrainSpec::Kind::kRasters);
  EXPECT_EQ(world.terrain.elevation_path, "/base/e.tif");
  EXPECT_EQ(world.terrain.biome_path, "/base/b.tif");
  EXPECT_TRUE(world.terrain.assume_same_crs);
  EXPECT_EQ(world.biome_names, (std::map<std::uint8_t, std::string>{{1, "Forest"}, {2, "Meadow"}}));
  EXPECT_EQ(world.tile_size_m, 256);
  EXPECT_TRUE(world.scatter.exact_columns);
  ASSERT_EQ(world.scatter.layers.size(), 2U);
  const LayerSpec& trees = world.scatter.layers[0];
  EXPECT_EQ(std::get<double>(*trees.parameters.find("radius")), 4.5);
  ASSERT_TRUE(trees.constraints.biomes.has_value());
  EXPECT_EQ(trees.constraints.biomes->count(), 2U);
  EXPECT_TRUE(trees.constraints.biomes->test(1) && trees.constraints.biomes->test(7));
  EXPECT_EQ(trees.constraints.altitude_m->minimum, 5);
  EXPECT_EQ(trees.constraints.altitude_m->maximum, HUGE_VAL);
  EXPECT_EQ(trees.constraints.slope_degrees->minimum, 0);
  EXPECT_EQ(trees.constraints.slope_degrees->maximum, 35);
  const NoiseRule& noise = *trees.constraints.noise;
  EXPECT_EQ(noise.noise.frequency, 0.02);
  EXPECT_EQ(noise.noise.octaves, 3);
  EXPECT_EQ(noise.noise.gain, 0.25);
  EXPECT_EQ(noise.noise.seed, 9U);
  EXPECT_EQ(noise.threshold, 0.1);
  EXPECT_EQ(trees.species[0].weight, 2);
  EXPECT_EQ(trees.species[0].scale.minimum, 0.5);
  EXPECT_EQ(trees.species[0].mesh, "/base/models/oak.glb");
  EXPECT_EQ(trees.species[0].yaw_degrees.minimum, 10);
  ASSERT_EQ(trees.secondaries.size(), 1U);
  const SecondarySpec& moss = trees.secondaries[0];
  EXPECT_EQ(moss.amount_min, 1);
  EXPECT_EQ(moss.amount_max, 3);
  EXPECT_EQ(moss.ring_m.minimum, 0.5);
  EXPECT_EQ(moss.spacing_siblings_m, 0.25);
  EXPECT_EQ(moss.spacing_primaries_m, 1);
  ASSERT_TRUE(moss.own_constraints.has_value());
  EXPECT_EQ(moss.own_constraints->slope_degrees->maximum, 20);
  ASSERT_EQ(moss.secondaries.size(), 1U);
  EXPECT_EQ(moss.secondaries[0].name, "snail");
  EXPECT_EQ(moss.secondaries[0].spacing_parents_m, 0.125);
  EXPECT_FALSE(moss.secondaries[0].own_constraints.has_value());
  ASSERT_TRUE(trees.amount.has_value());
  EXPECT_EQ(trees.amount->choice, AmountSpec::Choice::kSmallest);
  EXPECT_EQ(trees.amount->minimum, 100);
  EXPECT_EQ(trees.amount->maximum, 200);
  EXPECT_EQ(trees.amount->per_square_m, 25);
  const LayerSpec& rocks = world.scatter.layers[1];
  ASSERT_TRUE(rocks.amount.has_value());
  EXPECT_EQ(rocks.amount->choice, AmountSpec::Choice::kReserved);
  EXPECT_EQ(rocks.amount->minimum, 7);
  EXPECT_EQ(rocks.amount->maximum, 7);
  EXPECT_EQ(rocks.amount->per_square_m, 50);
  EXPECT_EQ(rocks.species[0].scale.minimum, 2);
  EXPECT_EQ(rocks.species[0].yaw_degrees.maximum, 45);
  ASSERT_EQ(rocks.spacing_m.size(), 1U);
  EXPECT_EQ(rocks.spacing_m[0], (std::pair<std::string, double>("trees", 1.5)));
}

TEST(ParseWorld, ParametersKeepTheirKind) {
  Json world = minimal_world();
  world["layers"][0]["parameters"] = {{"a", 6},    {"b", 6.0},    {"c", 6.5},
                                      {"d", true}, {"e", "rect"}, {"f", -3}};
  const WorldFile file = parsed(world);
  const ParameterSet& parameters = file.scatter.layers[0].parameters;
  EXPECT_EQ(*parameters.find("a"), ParameterValue(std::int64_t{6}));
  EXPECT_EQ(*parameters.find("b"), ParameterValue(std::int64_t{6}));
  EXPECT_EQ(*parameters.find("c"), ParameterValue(6.5));
  EXPECT_EQ(*parameters.find("d"), ParameterValue(true));
  EXPECT_EQ(*parameters.find("e"), ParameterValue(std::string("rect")));
  EXPECT_EQ(*parameters.find("f"), ParameterValue(std::int64_t{-3}));
}

TEST(ParseWorld, TheIslandHasItsOwnBiomeNames) {
  Json world = minimal_world();
  world["terrain"] = {{"builtin", "island"}, {"seed", 3}, {"size_m", 8000}};
  WorldFile file = parsed(world);
  EXPECT_EQ(file.terrain.kind, TerrainSpec::Kind::kIsland);
  EXPECT_EQ(file.terrain.island_seed, 3U);
  EXPECT_EQ(file.terrain.island_size_m, 8000);
  EXPECT_EQ(file.biome_names, island_biome_names());
  world["biomes"] = {{"200", "Lava"}};
  file = parsed(world);
  EXPECT_EQ(file.biome_names.at(200), "Lava");
  EXPECT_EQ(file.biome_names.size(), island_biome_names().size() + 1);
}

TEST(ParseWorld, ExtentFromTheRaster) {
  Json world = minimal_world();
  world.erase("extent");
  world["terrain"] = {{"elevation", "/data/e.tif"}};
  const WorldFile file = parsed(world);
  EXPECT_TRUE(file.extent_from_raster);
  EXPECT_TRUE(file.scatter.extent.empty());
  EXPECT_EQ(file.terrain.elevation_path, "/data/e.tif");
}

TEST(ParseWorld, VariablesFromDefinitionsThenTheEnvironment) {
  ASSERT_EQ(setenv("STREW_TEST_VARIABLE", "from_environment", 1), 0);
  Json world = minimal_world();
  world["terrain"] = {{"elevation", "${STREW_TEST_VARIABLE}/${NAME}.tif"}};
  world["seed"] = "${SEED}";
  world["layers"][0]["parameters"] = {{"radius", "${RADIUS}"}, {"text", "${WORD}"}};
  const Definitions definitions = {{"NAME", "dem"}, {"SEED", "12"}, {"RADIUS", "2.5"}, {"WORD", "disc"}};
  WorldFile file = parsed(world, definitions);
  EXPECT_EQ(file.terrain.elevation_path, "/base/from_environment/dem.tif");
  EXPECT_EQ(file.scatter.seed, 12U);
  EXPECT_EQ(*file.scatter.layers[0].parameters.find("radius"), ParameterValue(2.5));
  EXPECT_EQ(*file.scatter.layers[0].parameters.find("text"), ParameterValue(std::string("disc")));
  Definitions overriding = definitions;
  overriding["STREW_TEST_VARIABLE"] = "/given";
  file = parsed(world, overriding);
  EXPECT_EQ(file.terrain.elevation_path, "/given/dem.tif");
  unsetenv("STREW_TEST_VARIABLE");
}

TEST(ParseWorld, NoiseFollowsTheName) {
  Json world = minimal_world();
  const Json rule = {{"noise", {{"frequency", 0.1}}}};
  world["layers"][0]["constraints"] = rule;
  world["layers"][0]["secondaries"] =
      Json::array({{{"name", "a"}, {"constraints", rule}, {"species", world["layers"][0]["species"]}}});
  world["layers"].push_back(world["layers"][0]);
  world["layers"][1]["name"] = "bushes";
  const WorldFile file = parsed(world);
  const auto stream = [](const Constraints& constraints) { return constraints.noise->noise.stream; };
  const std::uint64_t trees = stream(file.scatter.layers[0].constraints);
  EXPECT_NE(trees, stream(file.scatter.layers[1].constraints));
  EXPECT_NE(trees, stream(*file.scatter.layers[0].secondaries[0].own_constraints));
  // The stream is part of every recorded world: it must not change.
  EXPECT_EQ(trees, 0x893C7E88DCD5D028U);
}

TEST(CanonicalJson, IsAWorldFileAgainAndThenStaysTheSame) {
  for (const Json& document : {minimal_world(), full_world()}) {
    const WorldFile world = parsed(document);
    const WorldFile again = parsed(Json::parse(world.canonical_json));
    EXPECT_EQ(again.canonical_json, world.canonical_json);
    EXPECT_EQ(again.scatter.extent, world.scatter.extent);
  }
}

TEST(CanonicalJson, SpellingDoesNotCount) {
  Json world = full_world();
  const std::string canonical = parsed(world).canonical_json;
  world["terrain"]["elevation"] = "elsewhere/e.tif";
  world["output"]["tile_size_m"] = 1024;
  world["output"]["columns"] = "quantised";
  world["layers"][0]["species"][0]["mesh"] = "models/elm.glb";
  world["biomes"] = {{"1", "Wald"}};
  world["layers"][0]["constraints"]["biomes"] = {7, "Wald", 1};
  world["layers"][0]["parameters"]["radius"] = 4.50;
  world["layers"][1]["strategy"] = "poisson/tiled";
  world["layers"][1]["species"][0]["weight"] = 1.0;
  world["layers"][1]["secondaries"] = Json::array();
  EXPECT_EQ(parsed(world).canonical_json, canonical);
  const std::string commented = "/* a world */ " + world.dump(4) + " // end";
  EXPECT_EQ(parse_world(commented, "").value().canonical_json, canonical);
}

TEST(CanonicalJson, WhatChangesTheOutputCounts) {
  const std::string canonical = parsed(full_world()).canonical_json;
  const std::vector<std::pair<std::string, Json>> changes = {
      {"/seed", 1},
      {"/extent/origin_m", {0, 0}},
      {"/layers/0/name", "firs"},
      {"/layers/0/parameters/radius", 4.25},
      {"/layers/0/constraints/biomes", {"Meadow"}},
      {"/layers/0/constraints/altitude_m", {5, 100}},
      {"/layers/0/constraints/noise/seed", 1},
      {"/layers/0/species/0/weight", 3},
      {"/layers/0/species/0/scale", 1},
      {"/layers/0/secondaries/0/amount", 1},
      {"/layers/0/secondaries/0/constraints", "inherit"},
      {"/layers/0/secondaries/0/secondaries/0/ring_m", {0, 1}},
      {"/layers/0/secondaries/0/secondaries/0/spacing_parents_m", 0},
      {"/layers/0/amount/count", 100},
      {"/layers/0/amount/per_square_m", 24},
  };
  for (const auto& [pointer, value] : changes) {
    Json world = full_world();
    world["layers"].erase(1);  // it names the first layer
    const std::string before = parsed(world).canonical_json;
    world[Json::json_pointer(pointer)] = value;
    EXPECT_NE(parsed(world).canonical_json, before) << pointer;
    EXPECT_NE(before, canonical);
  }
}

}  // namespace
}  // namespace strew
