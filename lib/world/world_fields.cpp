#include "world_fields.hpp"

namespace strew::world_file {
namespace {

constexpr double kCoordLimitMetres = 1073741823;

constexpr Field kNoiseFields[] = {
    {.key = "frequency",
     .kind = FieldKind::kNumber,
     .description = "Frequency of the first octave, in 1/m: 0.01 makes patches about 100 m wide.",
     .minimum = 1e-6,
     .maximum = 1e3,
     .default_json = "0.01"},
    {.key = "octaves",
     .kind = FieldKind::kInteger,
     .description = "Number of octaves; each doubles the frequency.",
     .minimum = 1,
     .maximum = 16,
     .default_json = "1"},
    {.key = "gain",
     .kind = FieldKind::kNumber,
     .description = "Ratio of amplitudes from one octave to the next.",
     .minimum = 0,
     .maximum = 1,
     .default_json = "0.5"},
    {.key = "threshold",
     .kind = FieldKind::kNumber,
     .description = "A place passes where the noise, which lies in [-1, 1], is at least this.",
     .minimum = -1,
     .maximum = 1,
     .default_json = "0"},
    {.key = "seed",
     .kind = FieldKind::kSeed,
     .description = "Seed of this noise. The world's seed does not enter; the layer's name does, so that two "
                    "layers differ.",
     .default_json = "0"},
};
constexpr ObjectInfo kNoise{"noise", "Gradient noise that opens clearings.", kNoiseFields};

constexpr Field kConstraintFields[] = {
    {.key = "biomes",
     .description = "Biomes where a point may stand, by name or class number. Absent: all.",
     .schema = R"({"type": "array", "minItems": 1, "items": {"anyOf": [{"type": "string", "minLength": 1},
               {"type": "integer", "minimum": 0, "maximum": 255}]}})"},
    {.key = "altitude_m",
     .kind = FieldKind::kOpenRange,
     .description = "Altitudes where a point may stand, [minimum, maximum] in metres, both inclusive."},
    {.key = "slope_degrees",
     .kind = FieldKind::kOpenRange,
     .description = "Slopes where a point may stand, [minimum, maximum] in degrees, both inclusive.",
     .minimum = 0,
     .maximum = 90},
    {.key = "noise", .kind = FieldKind::kObject, .description = kNoise.description, .object = &kNoise},
};
constexpr ObjectInfo kConstraints{
    "constraints", "Rules of where a point may stand; an absent rule accepts everything.", kConstraintFields};

constexpr Field kSpeciesFields[] = {
    {.key = "name", .kind = FieldKind::kText, .description = "Unique within its list.", .required = true},
    {.key = "weight",
     .kind = FieldKind::kNumber,
     .description = "Share of the points, relative to the other weights of the list; they cannot all be 0.",
     .minimum = 0,
     .maximum = 1e9,
     .default_json = "1"},
    {.key = "scale",
     .kind = FieldKind::kNumberOrRange,
     .description = "Scale factor: a number, or [minimum, maximum] to draw from.",
     .minimum = 1e-3,
     .maximum = 1e3,
     .default_json = "[1, 1]"},
    {.key = "yaw_degrees",
     .kind = FieldKind::kNumberOrRange,
     .description = "Rotation about the vertical, in degrees: a number, or [minimum, maximum] to draw from.",
     .minimum = -360,
     .maximum = 360,
     .default_json = "[0, 360]"},
};
constexpr ObjectInfo kSpecies{"species", "One kind of thing a layer places.", kSpeciesFields};

constexpr Field kSecondaryFields[] = {
    {.key = "name",
     .kind = FieldKind::kText,
     .description = "Unique within its layer; no '/'.",
     .required = true},
    {.key = "amount",
     .kind = FieldKind::kIntegerOrRange,
     .description = "How many per primary: a number, or [minimum, maximum] to draw from.",
     .minimum = 0,
     .maximum = 64,
     .default_json = "[0, 1]"},
    {.key = "ring_m",
     .kind = FieldKind::kRange,
     .description = "Distance to the primary, [minimum, maximum] in metres, minimum below maximum.",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "[0, 1]"},
    {.key = "spacing_siblings_m",
     .kind = FieldKind::kNumber,
     .description = "Distance kept to other secondaries of the same primary and type, in metres.",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "0"},
    {.key = "spacing_primaries_m",
     .kind = FieldKind::kNumber,
     .description = "Distance kept to the layer's other primaries, in metres.",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "0"},
    {.key = "constraints",
     .description =
         "\"inherit\": the layer's rules, checked at the secondary's own place; or rules of its own.",
     .default_json = "\"inherit\"",
     .schema = R"({"anyOf": [{"const": "inherit"}, {"$ref": "#/$defs/constraints"}]})"},
    {.key = "species",
     .kind = FieldKind::kObjects,
     .description = "What is placed, chosen by weight.",
     .required = true,
     .object = &kSpecies},
};
constexpr ObjectInfo kSecondary{
    "secondary", "Things that stand around each primary of a layer and vanish with it.", kSecondaryFields};

constexpr Field kLayerFields[] = {
    {.key = "name",
     .kind = FieldKind::kText,
     .description = "Unique, no '/'. Keys the layer's random numbers: renaming a layer moves its points, "
                    "reordering does not.",
     .required = true},
    {.key = "strategy",
     .kind = FieldKind::kText,
     .description = "Id of the point strategy; `strew strategies` lists them with their parameters.",
     .default_json = "\"poisson/tiled\""},
    {.key = "parameters",
     .description = "Parameters of the strategy, by name.",
     .default_json = "{}",
     .schema = R"({"type": "object", "additionalProperties": {"type": ["number", "boolean", "string"]}})"},
    {.key = "constraints",
     .kind = FieldKind::kObject,
     .description = kConstraints.description,
     .default_json = "{}",
     .object = &kConstraints},
    {.key = "species",
     .kind = FieldKind::kObjects,
     .description = "What is placed, chosen by weight.",
     .required = true,
     .object = &kSpecies},
    {.key = "spacing_m",
     .description = "Distance kept to earlier layers, in metres, by layer name.",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "{}",
     .schema = R"({"type": "object", "additionalProperties": {"anyOf": [
               {"type": "number", "minimum": 0, "maximum": 1000}, {"$ref": "#/$defs/variable"}]}})"},
    {.key = "secondaries",
     .kind = FieldKind::kObjects,
     .description = kSecondary.description,
     .default_json = "[]",
     .object = &kSecondary},
};
constexpr ObjectInfo kLayer{"layer", "One layer of points. Later layers keep their distance to earlier ones.",
                            kLayerFields};

constexpr Field kExtentFields[] = {
    {.key = "origin_m",
     .kind = FieldKind::kPair,
     .description = "South-west corner, [x, y] in metres.",
     .minimum = -kCoordLimitMetres,
     .maximum = kCoordLimitMetres,
     .default_json = "[0, 0]"},
    {.key = "size_m",
     .kind = FieldKind::kPair,
     .description = "Width (east) and height (north) in metres.",
     .minimum = 0,
     .maximum = 2 * kCoordLimitMetres,
     .above_minimum = true,
     .required = true},
};
constexpr ObjectInfo kExtent{
    "extent", "The rectangle that is filled. Absent: the footprint of the terrain's raster.", kExtentFields};

constexpr Field kTerrainFields[] = {
    {.key = "builtin",
     .description = "The built-in terrain, centred in the extent; not together with rasters.",
     .schema = R"({"const": "island"})"},
    {.key = "seed",
     .kind = FieldKind::kSeed,
     .description = "Seed of the built-in terrain.",
     .default_json = "0"},
    {.key = "size_m",
     .kind = FieldKind::kNumber,
     .description = "Side of the square that the built-in terrain fills, in metres.",
     .minimum = 100,
     .maximum = 1e6,
     .default_json = "16000"},
    {.key = "elevation",
     .kind = FieldKind::kPath,
     .description = "Elevation raster in metres, relative to this file's folder."},
    {.key = "biome",
     .kind = FieldKind::kPath,
     .description =
         "Raster of biome classes 0 to 255, relative to this file's folder; any grid of the same CRS."},
    {.key = "assume_same_crs",
     .kind = FieldKind::kFlag,
     .description = "Accept rasters whose coordinate systems differ or are unknown.",
     .default_json = "false"},
};
constexpr ObjectInfo kTerrain{
    "terrain", "The built-in island, raster files, or absent: flat ground without rules on terrain.",
    kTerrainFields};

constexpr Field kOutputFields[] = {
    {.key = "tile_size_m",
     .kind = FieldKind::kNumber,
     .description = "Side of a tile of the bake, in metres. Instances do not depend on it.",
     .minimum = 1,
     .maximum = 1e6,
     .default_json = "512"},
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
