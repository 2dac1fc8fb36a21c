#include "strew/world/world.hpp"

namespace strew {

std::string world_example() {
  return R"json(// A world for strew. `strew schema` prints every key with its unit and range.
{
  "version": 1,
  // Another seed is another world; the same seed is the same world, for ever and on every machine.
  "seed": 7,

  // Metres. Leave the extent out to take it from the terrain's raster.
  "extent": {"origin_m": [0, 0], "size_m": [2000, 2000]},

  // The built-in island needs no file. With rasters of your own (GeoTIFF and others, in metres):
  //   "terrain": {"elevation": "height.tif", "biome": "classes.tif"},
  //   "biomes": {"1": "Grassland", "2": "Forest"},
  "terrain": {"builtin": "island", "seed": 1, "size_m": 2000},

  "layers": [
    {
      "name": "canopy",
      // No two trees closer than the radius, and no room left for another one.
      "strategy": "poisson/tiled",
      "parameters": {"radius": 6},
      // An end of a range left open is null. Everything here is optional.
      "constraints": {
        "altitude_m": [1, null],
        "slope_degrees": [0, 35],
        "noise": {"frequency": 0.01, "octaves": 3, "gain": 0.5, "threshold": -0.2, "seed": 0}
      },
      // One species per tree, in proportion to the weights.
      "species": [
        {"name": "oak", "weight": 3, "scale": [0.8, 1.2]},
        {"name": "pine", "weight": 1, "scale": [0.9, 1.4], "yaw_degrees": [0, 360]}
      ],
      // Things around each tree. They appear and vanish with it.
      "secondaries": [
        {
          "name": "mushrooms",
          "amount": [0, 3],
          "ring_m": [0.5, 3],
          "spacing_siblings_m": 0.3,
          "constraints": "inherit",
          "species": [{"name": "mushroom", "scale": [0.5, 1]}]
        }
      ]
    },
    {
      "name": "shrubs",
      "strategy": "poisson/tiled",
      "parameters": {"radius": 2.5},
      "constraints": {"altitude_m": [0.5, null], "slope_degrees": [0, 45]},
      // Metres kept to the trees of an earlier layer.
      "spacing_m": {"canopy": 1.0},
      // Ferns lean with four fifths of the slope. Exports carry it, and offset_m, sink_m, scale_y, scale_z. A
      // "mesh": "fern.glb" would be shown; without one a species is a cone or a boulder.
      "species": [{"name": "hazel"}, {"name": "fern", "weight": 2, "align": 0.8}]
    }
  ],

  // How a bake is cut into files. Instances do not depend on it.
  "output": {"tile_size_m": 512}
}
)json";
}

}  // namespace strew
