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
    {.key = "kind",
     .description = "\"fbm\" adds the octaves; \"ridged\" folds each at 0 into crests at 1.",
     .default_json = "\"fbm\"",
     .schema = R"({"enum": ["fbm", "ridged"]})"},
};
constexpr ObjectInfo kNoise{"noise", "Gradient noise that opens clearings.", kNoiseFields};

constexpr Field kMapRuleFields[] = {
    {.key = "map",
     .kind = FieldKind::kText,
     .description = "Name of a map of the terrain.",
     .required = true},
    {.key = "accept",
     .kind = FieldKind::kOpenRange,
     .description = "Values where a point always passes, [minimum, maximum], both inclusive.",
     .required = true},
    {.key = "falloff",
     .kind = FieldKind::kNumber,
     .description =
         "Outside of that the probability falls linearly to 0 over this much of the value; 0: a sharp edge.",
     .minimum = 0,
     .default_json = "0"},
    {.key = "missing",
     .description = "What becomes of a point where the map has no data or does not reach.",
     .default_json = "\"reject\"",
     .schema = R"({"enum": ["reject", "accept"]})"},
};
constexpr ObjectInfo kMapRule{"map_rule", "Density maps and masks; every rule of the list must pass.",
                              kMapRuleFields};

constexpr Field kShapeRuleFields[] = {
    {.key = "shape",
     .kind = FieldKind::kText,
     .description = "Name of a shape of the terrain.",
     .required = true},
    {.key = "distance_m",
     .kind = FieldKind::kOpenRange,
     .description =
         "Distances where a point always passes, in metres, negative inside: [null, 0] keeps inside, "
         "[5, null] keeps out and 5 m off.",
     .minimum = -10000,
     .maximum = 10000,
     .required = true},
    {.key = "falloff_m",
     .kind = FieldKind::kNumber,
     .description =
         "Outside of that the probability falls linearly to 0 over this distance; 0: a sharp edge.",
     .minimum = 0,
     .maximum = 10000,
     .default_json = "0"},
};
constexpr ObjectInfo kShapeRule{
    "shape_rule", "Distance to polygons and lines; every rule of the list must pass.", kShapeRuleFields};

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
    {.key = "maps",
     .kind = FieldKind::kObjects,
     .description = kMapRule.description,
     .default_json = "[]",
     .object = &kMapRule},
    {.key = "shapes",
     .kind = FieldKind::kObjects,
     .description = kShapeRule.description,
     .default_json = "[]",
     .object = &kShapeRule},
};
constexpr ObjectInfo kConstraints{
    "constraints", "Rules of where a point may stand; an absent rule accepts everything.", kConstraintFields};

constexpr Field kMeshFields[] = {
    {.key = "name", .kind = FieldKind::kText, .description = "Name of the mesh.", .required = true},
    {.key = "weight",
     .kind = FieldKind::kNumber,
     .description = "Share of the instances, relative to the list's other weights.",
     .minimum = 0,
     .maximum = 1e9,
     .default_json = "1"},
};
constexpr ObjectInfo kMesh{"mesh", "Meshes that stand for the species, chosen per instance by weight.",
                           kMeshFields};

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
    {.key = "constraints",
     .kind = FieldKind::kObject,
     .description =
         "Each rule given here replaces the layer's own for this species; a point where no species may "
         "stand is rejected.",
     .object = &kConstraints},
    {.key = "biome_weights",
     .description = "Factors of the weight by biome, by name or class number; biomes not listed: 1.",
     .schema = R"({"type": "object", "additionalProperties": {"anyOf": [
               {"type": "number", "minimum": 0, "maximum": 1000000000}, {"$ref": "#/$defs/variable"}]}})"},
    {.key = "align",
     .kind = FieldKind::kNumber,
     .description = "Share of the terrain's tilt that is taken over.",
     .minimum = 0,
     .maximum = 1,
     .default_json = "0"},
    {.key = "max_tilt_degrees",
     .kind = FieldKind::kNumber,
     .description = "Largest tilt, in degrees.",
     .minimum = 0,
     .maximum = 90,
     .default_json = "90"},
    {.key = "offset_m",
     .kind = FieldKind::kNumberOrRange,
     .description = "Height above the ground, in metres: a number, or [minimum, maximum] to draw from.",
     .minimum = -1000,
     .maximum = 1000,
     .default_json = "[0, 0]"},
    {.key = "sink_m",
     .kind = FieldKind::kNumber,
     .description = "Lowered by this times the tangent of the slope, in metres.",
     .minimum = 0,
     .maximum = 100,
     .default_json = "0"},
    {.key = "scale_y",
     .kind = FieldKind::kNumberOrRange,
     .description = "Scale along y, drawn apart. Absent: that of x.",
     .minimum = 1e-3,
     .maximum = 1e3},
    {.key = "scale_z",
     .kind = FieldKind::kNumberOrRange,
     .description = "Scale along z, drawn apart. Absent: that of x.",
     .minimum = 1e-3,
     .maximum = 1e3},
    {.key = "meshes",
     .kind = FieldKind::kObjects,
     .description = kMesh.description,
     .default_json = "[]",
     .object = &kMesh},
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
    {.key = "stream",
     .kind = FieldKind::kText,
     .description =
         "Keys the strategy's points in place of the name: layers of one stream share one set of points."},
    {.key = "class",
     .kind = FieldKind::kInteger,
     .description =
         "Class of points that this layer takes, of a strategy that makes several (poisson/multiclass).",
     .minimum = 0,
     .maximum = 255},
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

constexpr Field kMapFields[] = {
    {.key = "name", .kind = FieldKind::kText, .description = "Unique; what rules call it.", .required = true},
    {.key = "path",
     .kind = FieldKind::kPath,
     .description = "Raster on any grid of the same CRS, relative to this file's folder.",
     .required = true},
    {.key = "band",
     .kind = FieldKind::kInteger,
     .description = "Band that holds the values, from 1.",
     .minimum = 1,
     .maximum = 65535,
     .default_json = "1"},
    {.key = "minus_band",
     .kind = FieldKind::kInteger,
     .description = "The map is (band - minus_band) / (band + minus_band): NDVI, of near infrared and red.",
     .minimum = 1,
     .maximum = 65535},
};
constexpr ObjectInfo kMap{"map", "Density maps and masks that rules refer to by name.", kMapFields};

constexpr Field kShapeFields[] = {
    {.key = "name", .kind = FieldKind::kText, .description = "Unique; what rules call it.", .required = true},
    {.key = "path",
     .kind = FieldKind::kPath,
     .description =
         "GeoJSON, GeoPackage or other vector file of the same CRS, relative to this file's folder.",
     .required = true},
    {.key = "layer", .kind = FieldKind::kText, .description = "Layer of the file. Absent: all of them."},
    {.key = "buffer_m",
     .kind = FieldKind::kNumber,
     .description = "Grows polygons and lines by this: half the width of a road, in metres.",
     .minimum = 0,
     .maximum = 10000,
     .default_json = "0"},
};
constexpr ObjectInfo kShape{"shape", "Polygons and lines (plots, roads, rivers) that rules refer to by name.",
                            kShapeFields};

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
     .description = "Accept files whose coordinate systems differ or are unknown.",
     .default_json = "false"},
    {.key = "maps",
     .kind = FieldKind::kObjects,
     .description = kMap.description,
     .default_json = "[]",
     .object = &kMap},
    {.key = "shapes",
     .kind = FieldKind::kObjects,
     .description = kShape.description,
     .default_json = "[]",
     .object = &kShape},
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
