#include "snap_schema.hpp"

namespace strew_tool {

std::string_view map_schema() noexcept {
  return R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "strew map of snapped pieces",
  "type": "object",
  "required": ["kit", "mode", "frame", "method", "seed", "end", "placed", "tentatives", "placements", "loops"],
  "additionalProperties": false,
  "properties": {
    "kit": {"type": "string", "description": "name of the kit"},
    "mode": {"enum": ["reference", "standard"]},
    "frame": {"enum": ["Unity left-handed", "z up, right-handed, metres"]},
    "method": {"type": "string", "description": "strategy of the first pass, such as snapmesh/arena"},
    "seed": {"type": "integer"},
    "end": {"type": "string", "description": "why growth ended, in words"},
    "placed": {"type": "integer", "minimum": 1},
    "tentatives": {"type": "integer", "minimum": 0},
    "rng_draws": {"type": "integer", "minimum": 0, "description": "reference mode"},
    "rng_state_after": {
      "type": "array", "minItems": 4, "maxItems": 4, "description": "reference mode: words of the generator",
      "items": {"type": "integer", "minimum": 0, "maximum": 4294967295}
    },
    "placements": {
      "type": "array", "minItems": 1, "description": "in order of placement",
      "items": {
        "type": "object",
        "required": ["piece", "position", "rotation", "parent", "parent_connector", "own_connector"],
        "additionalProperties": false,
        "properties": {
          "piece": {"type": "string"},
          "position": {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "number"}},
          "rotation": {
            "type": "array", "minItems": 4, "maxItems": 4, "description": "unit quaternion x, y, z, w",
            "items": {"type": "number", "minimum": -1.000001, "maximum": 1.000001}
          },
          "parent": {"type": ["integer", "null"], "minimum": 0, "description": "an earlier placement; null: a starter"},
          "parent_connector": {
            "type": ["integer", "null"], "minimum": 0, "maximum": 63,
            "description": "index in the order of connectors: as listed, then stable by pins descending"
          },
          "own_connector": {"type": ["integer", "null"], "minimum": 0, "maximum": 63}
        }
      }
    },
    "loops": {
      "type": "array", "description": "joints beyond parent and child",
      "items": {
        "type": "object",
        "required": ["a", "a_connector", "b", "b_connector"],
        "additionalProperties": false,
        "properties": {
          "a": {"type": "integer", "minimum": 0},
          "a_connector": {"type": "integer", "minimum": 0, "maximum": 63},
          "b": {"type": "integer", "minimum": 0},
          "b_connector": {"type": "integer", "minimum": 0, "maximum": 63}
        }
      }
    }
  }
})json";
}

}  // namespace strew_tool
