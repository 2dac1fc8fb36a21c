#include <cmath>

#include "world_parts.hpp"

namespace strew::world_file {
namespace {

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json range_json(const Range& range) {
  return Json::array({number_or_null(range.minimum), number_or_null(range.maximum)});
}

Json constraints_json(const Constraints& constraints) {
  Json result = Json::object();
  if (constraints.biomes) {
    Json classes = Json::array();
    for (std::size_t i = 0; i < constraints.biomes->size(); ++i) {
      if (constraints.biomes->test(i)) {
        classes.push_back(i);
      }
    }
    result["biomes"] = std::move(classes);
  }
  if (constraints.altitude_m) {
    result["altitude_m"] = range_json(*constraints.altitude_m);
  }
  if (constraints.slope_degrees) {
    result["slope_degrees"] = range_json(*constraints.slope_degrees);
  }
  if (constraints.noise) {
    const NoiseSpec& noise = constraints.noise->noise;
    result["noise"] = {{"frequency", noise.frequency},
                       {"octaves", noise.octaves},
                       {"gain", noise.gain},
                       {"threshold", constraints.noise->threshold},
                       {"seed", noise.seed}};
  }
  return result;
}

Json species_json(const std::vector<SpeciesSpec>& list) {
  Json result = Json::array();
  for (const SpeciesSpec& species : list) {
    result.push_back({{"name", species.name},
                      {"weight", species.weight},
                      {"scale", range_json(species.scale)},
                      {"yaw_degrees", range_json(species.yaw_degrees)}});
  }
  return result;
}

Json secondaries_json(const std::vector<SecondarySpec>& list) {
  Json result = Json::array();
  for (const SecondarySpec& secondary : list) {
    result.push_back({{"name", secondary.name},
                      {"amount", Json::array({secondary.amount_min, secondary.amount_max})},
                      {"ring_m", range_json(secondary.ring_m)},
                      {"spacing_siblings_m", secondary.spacing_siblings_m},
                      {"spacing_primaries_m", secondary.spacing_primaries_m},
                      {"constraints", secondary.own_constraints ? constraints_json(*secondary.own_constraints)
                                                                : Json("inherit")},
                      {"species", species_json(secondary.species)}});
  }
  return result;
}

Json layer_json(const LayerSpec& layer) {
  Json parameters = Json::object();
  for (const ParameterSet::Entry& entry : layer.parameters.entries()) {
    std::visit([&](const auto& value) { parameters[entry.name] = value; }, entry.value);
  }
  Json spacing = Json::object();
  for (const auto& [name, metres] : layer.spacing_m) {
    spacing[name] = metres;
  }
  return {{"name", layer.name},
          {"strategy", layer.strategy},
          {"parameters", std::move(parameters)},
          {"constraints", constraints_json(layer.constraints)},
          {"species", species_json(layer.species)},
          {"spacing_m", std::move(spacing)},
          {"secondaries", secondaries_json(layer.secondaries)}};
}

Json terrain_json(const TerrainSpec& terrain) {
  if (terrain.kind == TerrainSpec::Kind::kIsland) {
    return {{"builtin", "island"}, {"seed", terrain.island_seed}, {"size_m", terrain.island_size_m}};
  }
  Json result = Json::object();
  if (!terrain.elevation_path.empty()) {
    result["elevation"] = "*";
  }
  if (!terrain.biome_path.empty()) {
    result["biome"] = "*";
  }
  return result;
}

Json extent_json(const Rect& extent) {
  return {{"origin_m", Json::array({to_metres(extent.x0), to_metres(extent.y0)})},
          {"size_m", Json::array({to_metres(extent.x1 - extent.x0), to_metres(extent.y1 - extent.y0)})}};
}

}  // namespace

Json canonical_document(const WorldFile& world) {
  Json result = {{"version", 1}, {"seed", world.scatter.seed}};
  if (!world.extent_from_raster) {
    result["extent"] = extent_json(world.scatter.extent);
  }
  if (world.terrain.kind != TerrainSpec::Kind::kFlat) {
    result["terrain"] = terrain_json(world.terrain);
  }
  Json layers = Json::array();
  for (const LayerSpec& layer : world.scatter.layers) {
    layers.push_back(layer_json(layer));
  }
  result["layers"] = std::move(layers);
  return result;
}

}  // namespace strew::world_file
