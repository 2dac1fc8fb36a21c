// Keys of layers, their species and secondaries.
#pragma once

#include "world_fields.hpp"
#include "world_fields_rules.hpp"

namespace strew::world_file {

inline constexpr Field kMeshFields[] = {
    {.key = "name", .kind = FieldKind::kText, .description = "Name of the mesh.", .required = true},
    {.key = "weight",
     .kind = FieldKind::kNumber,
     .description = "Share of the instances, relative to the list's other weights.",
     .minimum = 0,
     .maximum = 1e9,
     .default_json = "1"},
};
inline constexpr ObjectInfo kMesh{"mesh", "Meshes that stand for the species, chosen per instance by weight.",
                                  kMeshFields};

inline constexpr Field kSpeciesFields[] = {
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
    {.key = "mesh",
     .kind = FieldKind::kPath,
     .description =
         "glTF file (.glb or .gltf) that exports show, relative to this file's folder; y up, standing "
         "at 0, in metres. Absent: a stand-in."},
    {.key = "meshes",
     .kind = FieldKind::kObjects,
     .description = kMesh.description,
     .default_json = "[]",
     .object = &kMesh},
};
inline constexpr ObjectInfo kSpecies{"species", "One kind of thing a layer places.", kSpeciesFields};

inline constexpr std::string_view kSecondariesText =
    "Things that stand around each primary of a layer and vanish with it.";
/// A type of its own, so that it can name itself: secondaries have secondaries.
struct SecondaryObject {
  static const ObjectInfo kInfo;
};
inline constexpr Field kSecondaryFields[] = {
    {.key = "name",
     .kind = FieldKind::kText,
     .description = "Unique within its list; no '/'.",
     .required = true},
    {.key = "amount",
     .kind = FieldKind::kIntegerOrRange,
     .description = "How many per parent: a number, or [minimum, maximum] to draw from.",
     .minimum = 0,
     .maximum = 64,
     .default_json = "[0, 1]"},
    {.key = "ring_m",
     .kind = FieldKind::kRange,
     .description = "Distance to the parent, [minimum, maximum] in metres, minimum below maximum.",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "[0, 1]"},
    {.key = "spacing_siblings_m",
     .kind = FieldKind::kNumber,
     .description = "Distance kept to other secondaries of the same parent and type, in metres.",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "0"},
    {.key = "spacing_parents_m",
     .kind = FieldKind::kNumber,
     .description = "Distance kept to everything that parents of this type can be, the own one included, in "
                    "metres.",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "0"},
    {.key = "spacing_primaries_m",
     .kind = FieldKind::kNumber,
     .description = "Distance kept to the layer's primaries other than the parent, in metres.",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "0"},
    {.key = "constraints",
     .description =
         "\"inherit\": the parent's rules, checked at the secondary's own place; or rules of its own.",
     .default_json = "\"inherit\"",
     .schema = R"({"anyOf": [{"const": "inherit"}, {"$ref": "#/$defs/constraints"}]})"},
    {.key = "species",
     .kind = FieldKind::kObjects,
     .description = "What is placed, chosen by weight.",
     .required = true,
     .object = &kSpecies},
    {.key = "secondaries",
     .kind = FieldKind::kObjects,
     .description = "Things that stand around each of these; at most 4 levels deep.",
     .default_json = "[]",
     .object = &SecondaryObject::kInfo},
};
inline const ObjectInfo SecondaryObject::kInfo{"secondary", kSecondariesText, kSecondaryFields};

inline constexpr Field kAmountFields[] = {
    {.key = "count",
     .kind = FieldKind::kIntegerOrRange,
     .description = "How many: a number, or [minimum, maximum] to draw from.",
     .minimum = 0,
     .maximum = 4194304,
     .required = true},
    {.key = "per_square_m",
     .kind = FieldKind::kNumber,
     .description = "Side of squares, anchored at the world's origin, that hold so many each, in metres. "
                    "Absent: the world holds so many.",
     .minimum = 1,
     .maximum = 100000},
};
inline constexpr ObjectInfo kAmount{
    "amount", "How many points stand: those with the smallest hashes. Where fewer are accepted, all of them.",
    kAmountFields};

inline constexpr Field kReservedFields[] = {
    {.key = "count",
     .kind = FieldKind::kInteger,
     .description = "How many, exactly.",
     .minimum = 0,
     .maximum = 4194304,
     .required = true},
    {.key = "per_square_m",
     .kind = FieldKind::kNumber,
     .description =
         "Side of squares that hold so many each, in metres: the world holds as many as that makes "
         "of its area, rounded down. Absent: the world holds so many.",
     .minimum = 1,
     .maximum = 100000},
};
inline constexpr ObjectInfo kReserved{
    "reserved",
    "An exact number of points, spread evenly; fewer only where the whole world accepts fewer. Not together "
    "with amount.",
    kReservedFields};

inline constexpr Field kLayerFields[] = {
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
    {.key = "amount", .kind = FieldKind::kObject, .description = kAmount.description, .object = &kAmount},
    {.key = "reserved",
     .kind = FieldKind::kObject,
     .description = kReserved.description,
     .object = &kReserved},
    {.key = "spacing_m",
     .description = "Distance kept to earlier layers, in metres, by layer name.",
     .minimum = 0,
     .maximum = 1000,
     .default_json = "{}",
     .schema = R"({"type": "object", "additionalProperties": {"anyOf": [
               {"type": "number", "minimum": 0, "maximum": 1000}, {"$ref": "#/$defs/variable"}]}})"},
    {.key = "secondaries",
     .kind = FieldKind::kObjects,
     .description = kSecondariesText,
     .default_json = "[]",
     .object = &SecondaryObject::kInfo},
};
inline constexpr ObjectInfo kLayer{
    "layer", "One layer of points. Later layers keep their distance to earlier ones.", kLayerFields};

}  // namespace strew::world_file
