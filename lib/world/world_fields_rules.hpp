// Keys of constraints.
#pragma once

#include "world_fields.hpp"

namespace strew::world_file {

inline constexpr Field kNoiseFields[] = {
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
inline constexpr ObjectInfo kNoise{"noise", "Gradient noise that opens clearings.", kNoiseFields};

inline constexpr Field kMapRuleFields[] = {
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
inline constexpr ObjectInfo kMapRule{"map_rule", "Density maps and masks; every rule of the list must pass.",
                                     kMapRuleFields};

inline constexpr Field kShapeRuleFields[] = {
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
inline constexpr ObjectInfo kShapeRule{
    "shape_rule", "Distance to polygons and lines; every rule of the list must pass.", kShapeRuleFields};

inline constexpr Field kConstraintFields[] = {
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
inline constexpr ObjectInfo kConstraints{
    "constraints", "Rules of where a point may stand; an absent rule accepts everything.", kConstraintFields};

}  // namespace strew::world_file
