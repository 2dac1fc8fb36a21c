#include "world_fields.hpp"

#include "world_fields_layers.hpp"
#include "world_fields_rules.hpp"
#include "world_fields_terrain.hpp"

namespace strew::world_file {
namespace {

constexpr Field kOutputFields[] = {
    {.key = "tile_size_m",
     .kind = FieldKind::kNumber,
     .description = "Side of a tile of the bake, in metres. Instances do not depend on it.",
     .minimum = 1,
     .maximum = 1e6,
     .default_json = "512"},
    {.key = "columns",
     .description = "\"quantised\": altitude in steps of 1/1024 m, yaw and scale in 16 bits; \"exact\": as "
                    "sampled and drawn, 8 bytes an instance more.",
     .default_json = "\"quantised\"",
     .schema = R"({"enum": ["quantised", "exact"]})"},
};
constexpr ObjectInfo kOutput{"output", "How a bake is cut into files.", kOutputFields};

constexpr Field kWorldFields[] = {
    {.key = "$schema", .kind = FieldKind::kText, .description = "Names the schema for editors; not read."},
    {.key = "version",
     .kind = FieldKind::kInteger,
     .description = "Version of the format: 1.",
     .minimum = 1,
     .maximum = 1,
     .required = true},
    {.key = "seed", .kind = FieldKind::kSeed, .description = "Seed of every layer.", .default_json = "0"},
    {.key = "extent", .kind = FieldKind::kObject, .description = kExtent.description, .object = &kExtent},
    {.key = "terrain", .kind = FieldKind::kObject, .description = kTerrain.description, .object = &kTerrain},
    {.key = "biomes",
     .description =
         "Names of the biome classes, by class number. They add to the built-in terrain's own names.",
     .schema =
         R"({"type": "object", "propertyNames": {"pattern": "^(0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$"},
               "additionalProperties": {"type": "string", "minLength": 1}})"},
    {.key = "layers",
     .kind = FieldKind::kObjects,
     .description = "In order: a layer keeps its distance to earlier ones.",
     .required = true,
     .object = &kLayer},
    {.key = "output",
     .kind = FieldKind::kObject,
     .description = kOutput.description,
     .default_json = "{}",
     .object = &kOutput},
};
constexpr ObjectInfo kWorld{"world", "A world for strew: layers of species over terrain.", kWorldFields};

}  // namespace

const ObjectInfo& world_object() noexcept {
  return kWorld;
}
const ObjectInfo& constraints_object() noexcept {
  return kConstraints;
}

}  // namespace strew::world_file
