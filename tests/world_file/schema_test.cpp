#include <gtest/gtest.h>

#include "minimal_world.hpp"

namespace strew {
namespace {

using strew_test::full_world;
using strew_test::Json;
using strew_test::minimal_world;
using strew_test::parse;

/// One object of a world file: where it stands in full_world(), its path in messages, its schema.
struct Place {
  std::string pointer;
  std::string path;
  Json schema;
};

std::vector<Place> places() {
  const Json schema = Json::parse(world_schema());
  const Json& definitions = schema["$defs"];
  return {
      {"", "", schema},
      {"/extent", "extent", definitions["extent"]},
      {"/terrain", "terrain", definitions["terrain"]},
      {"/output", "output", definitions["output"]},
      {"/layers/0", "layers[0]", definitions["layer"]},
      {"/layers/0/constraints", "layers[0].constraints", definitions["constraints"]},
      {"/layers/0/constraints/noise", "layers[0].constraints.noise", definitions["noise"]},
      {"/layers/0/species/0", "layers[0].species[0]", definitions["species"]},
      {"/layers/0/secondaries/0", "layers[0].secondaries[0]", definitions["secondary"]},
      {"/layers/0/amount", "layers[0].amount", definitions["amount"]},
      {"/layers/1/reserved", "layers[1].reserved", definitions["reserved"]},
      {"/terrain/maps/0", "terrain.maps[0]", definitions["map"]},
      {"/terrain/shapes/0", "terrain.shapes[0]", definitions["shape"]},
      {"/layers/0/constraints/maps/0", "layers[0].constraints.maps[0]", definitions["map_rule"]},
      {"/layers/0/constraints/shapes/0", "layers[0].constraints.shapes[0]", definitions["shape_rule"]},
      {"/layers/0/species/0/meshes/0", "layers[0].species[0].meshes[0]", definitions["mesh"]},
  };
}

/// A world where `key` of the place belongs: the built-in terrain has keys that rasters exclude.
Json world_for(const Place& place, const std::string& key) {
  Json world = full_world();
  if (place.pointer == "/terrain" && (key == "builtin" || key == "seed" || key == "size_m")) {
    world["terrain"] = {{"builtin", "island"}};
  }
  if (place.pointer == "/terrain" && key != "elevation" && key != "biome" && key != "assume_same_crs") {
    // Rules lean on the maps and shapes that go.
    world["layers"][0]["constraints"].erase("maps");
    world["layers"][0]["constraints"].erase("shapes");
  }
  return world;
}

TEST(Schema, IsASchemaOfEveryObject) {
  const Json schema = Json::parse(world_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  // All definitions but the variable are places of a world.
  EXPECT_EQ(schema["$defs"].size() - 1, places().size() - 1);
  for (const Place& place : places()) {
    EXPECT_EQ(place.schema["additionalProperties"], false);
    for (const auto& property : place.schema["properties"].items()) {
      EXPECT_TRUE(property.value().contains("description")) << place.path << "." << property.key();
    }
  }
}

/// Every key of the schema is read: a value that fits nothing is refused at that very place.
TEST(Schema, EveryKeyIsReadByTheParser) {
  const Json nonsense = Json::array({Json::array({Json::array()})});
  for (const Place& place : places()) {
    for (const auto& property : place.schema["properties"].items()) {
      Json world = world_for(place, property.key());
      world[Json::json_pointer(place.pointer + "/" + property.key())] = nonsense;
      const auto result = parse(world);
      const std::string path = place.path.empty() ? property.key() : place.path + "." + property.key();
      ASSERT_FALSE(result.ok()) << path;
      EXPECT_TRUE(result.status().where.starts_with(path)) << path << " / " << result.status().text();
      EXPECT_EQ(result.status().message.find("is not a key"), std::string::npos) << result.status().text();
    }
  }
}

/// full_world() has every key, so none is known to the parser alone.
TEST(Schema, EveryKeyOfAWorldIsInTheSchema) {
  const Json world = full_world();
  ASSERT_TRUE(parse(world).ok()) << parse(world).status().text();
  for (const Place& place : places()) {
    const Json& object = world[Json::json_pointer(place.pointer)];
    for (const auto& item : object.items()) {
      EXPECT_TRUE(place.schema["properties"].contains(item.key())) << place.path << "." << item.key();
    }
    Json changed = world;
    changed[Json::json_pointer(place.pointer + "/surely_unknown")] = 1;
    EXPECT_FALSE(parse(changed).ok()) << place.path;
  }
}

TEST(Schema, RequiredKeysAreRequired) {
  for (const Place& place : places()) {
    for (const auto& property : place.schema["properties"].items()) {
      Json world = full_world();
      Json& object = world[Json::json_pointer(place.pointer)];
      if (!object.contains(property.key()) || property.key() == "biomes" || property.key() == "terrain" ||
          place.path == "terrain") {
        continue;  // other parts of the world lean on these
      }
      object.erase(property.key());
      const Json required = place.schema.value("required", Json::array());
      const bool needed = std::find(required.begin(), required.end(), property.key()) != required.end();
      EXPECT_EQ(parse(world).ok(), !needed) << place.path << "." << property.key();
    }
  }
}

/// Writing a default out changes nothing: the schema says what the parser does.
TEST(Schema, DefaultsAreTheParsers) {
  int compared = 0;
  for (const Place& place : places()) {
    for (const auto& property : place.schema["properties"].items()) {
      if (!property.value().contains("default")) {
        continue;
      }
      Json world = world_for(place, property.key());
      const Json::json_pointer pointer(place.pointer + "/" + property.key());
      world[pointer.parent_pointer()].erase(property.key());
      const auto absent = parse(world);
      world[pointer] = property.value()["default"];
      const auto given = parse(world);
      // A layer without rules has no biomes; nothing else in a full world leans on a key with a default.
      ASSERT_TRUE(absent.ok() && given.ok()) << pointer.to_string();
      EXPECT_EQ(absent.value().canonical_json, given.value().canonical_json) << pointer.to_string();
      EXPECT_EQ(absent.value().tile_size_m, given.value().tile_size_m);
      EXPECT_EQ(absent.value().scatter.exact_columns, given.value().scatter.exact_columns);
      EXPECT_EQ(absent.value().terrain.assume_same_crs, given.value().terrain.assume_same_crs);
      ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

/// The bounds of plain numbers are the parser's: both ends are accepted and what lies beyond is not.
TEST(Schema, BoundsAreTheParsers) {
  int compared = 0;
  for (const Place& place : places()) {
    for (const auto& property : place.schema["properties"].items()) {
      if (!property.value().contains("anyOf") || !property.value()["anyOf"][0].contains("maximum") ||
          property.key() == "seed") {
        continue;
      }
      const Json& number = property.value()["anyOf"][0];
      const auto accepted = [&](double value) {
        Json world = world_for(place, property.key());
        world[Json::json_pointer(place.pointer + "/" + property.key())] = value;
        return parse(world).ok();
      };
      const double maximum = number["maximum"].get<double>();
      EXPECT_TRUE(accepted(maximum)) << place.path << "." << property.key();
      EXPECT_FALSE(accepted(maximum + 1)) << place.path << "." << property.key();
      const bool open = number.contains("exclusiveMinimum");
      const double minimum = number[open ? "exclusiveMinimum" : "minimum"].get<double>();
      if (property.key() != "weight") {  // the only species: its weight cannot be the 0 that a weight may be
        EXPECT_EQ(accepted(minimum), !open) << place.path << "." << property.key();
      }
      EXPECT_FALSE(accepted(minimum - 1)) << place.path << "." << property.key();
      ++compared;
    }
  }
  EXPECT_GT(compared, 9);
}

TEST(Example, ParsesAndShowsEveryKindOfThing) {
  const auto world = parse_world(world_example(), ".");
  ASSERT_TRUE(world.ok()) << world.status().text();
  EXPECT_EQ(world.value().terrain.kind, TerrainSpec::Kind::kIsland);
  EXPECT_EQ(world.value().scatter.layers.size(), 2U);
  EXPECT_FALSE(world.value().scatter.layers[0].secondaries.empty());
  EXPECT_FALSE(world.value().scatter.layers[1].spacing_m.empty());
}

TEST(Example, IsAcceptedByScatter) {
  const auto world = parse_world(world_example(), ".");
  ASSERT_TRUE(world.ok());
  const auto scatter = Scatter::create(world.value().scatter, {.elevation = true, .biome = true});
  EXPECT_TRUE(scatter.ok()) << scatter.status().text();
}

}  // namespace
}  // namespace strew
