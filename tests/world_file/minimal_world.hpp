// A small valid world as a JSON document, for a test to change in one place.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "strew/world/world.hpp"

namespace strew_test {

using Json = nlohmann::json;

inline Json minimal_world() {
  return Json::parse(R"({
    "version": 1,
    "extent": {"size_m": [100, 50]},
    "layers": [{"name": "trees", "species": [{"name": "oak"}]}]
  })");
}

/// Every key there is, none at its default.
inline Json full_world() {
  return Json::parse(R"({
    "$schema": "strew.schema.json",
    "version": 1,
    "seed": 18446744073709551615,
    "extent": {"origin_m": [-5.5, 10], "size_m": [100, 50]},
    "terrain": {"elevation": "e.tif", "biome": "b.tif", "assume_same_crs": true,
                "maps": [{"name": "ndvi", "path": "n.tif", "band": 4, "minus_band": 3}],
                "shapes": [{"name": "road", "path": "r.gpkg", "layer": "roads", "buffer_m": 4}]},
    "biomes": {"1": "Forest", "2": "Meadow"},
    "layers": [
      {"name": "trees", "strategy": "poisson/tiled", "parameters": {"radius": 4.5},
       "constraints": {"biomes": ["Forest", 7], "altitude_m": [5, null], "slope_degrees": [null, 35],
                       "noise": {"frequency": 0.02, "octaves": 3, "gain": 0.25, "threshold": 0.1, "seed": 9,
                                 "kind": "ridged"},
                       "maps": [{"map": "ndvi", "accept": [0.2, null], "falloff": 0.1, "missing": "accept"}],
                       "shapes": [{"shape": "road", "distance_m": [5, null], "falloff_m": 10}]},
       "stream": "joint", "class": 1,
       "species": [{"name": "oak", "weight": 2, "scale": [0.5, 2], "yaw_degrees": [10, 20],
                    "constraints": {"altitude_m": [0, 5]}, "biome_weights": {"1": 2}, "align": 0.5,
                    "max_tilt_degrees": 30, "offset_m": [0, 1], "sink_m": 0.1, "scale_y": [1, 2], "scale_z": 3,
                    "mesh": "models/oak.glb", "meshes": [{"name": "a", "weight": 2}]}],
       "spacing_m": {},
       "secondaries": [
         {"name": "moss", "amount": [1, 3], "ring_m": [0.5, 3], "spacing_siblings_m": 0.25,
          "spacing_primaries_m": 1, "constraints": {"slope_degrees": [0, 20]}, "species": [{"name": "moss"}],
          "secondaries": [{"name": "snail", "ring_m": [0.1, 0.5], "spacing_parents_m": 0.125,
                           "species": [{"name": "snail"}]}]}],
       "amount": {"count": [100, 200], "per_square_m": 25}},
      {"name": "rocks", "species": [{"name": "rock", "scale": 2, "yaw_degrees": 45}], "spacing_m": {"trees": 1.5},
       "reserved": {"count": 7, "per_square_m": 50}}
    ],
    "output": {"tile_size_m": 256, "columns": "exact"}
  })");
}

inline strew::Result<strew::WorldFile> parse(const Json& document,
                                             const strew::Definitions& definitions = {}) {
  return strew::parse_world(document.dump(), "/base", definitions);
}

}  // namespace strew_test
