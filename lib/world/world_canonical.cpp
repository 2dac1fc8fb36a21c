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

/// What a rule refers to: by name, or by number where the names are not known.
template <class Item>
Json field_json(const std::vector<Item>& items, std::uint32_t field) {
  return field < items.size() ? Json(items[field].name) : Json(field);
}

Json constraints_json(const Constraints& constraints, const TerrainSpec& terrain) {
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
    if (noise.kind == NoiseKind::kRidged) {
      result["noise"]["kind"] = "ridged";
    }
  }
  for (const FieldRule& rule : constraints.maps) {
    result["maps"].push_back({{"map", field_json(terrain.maps, rule.field)},
                              {"accept", range_json(rule.accept)},
                              {"falloff", rule.falloff},
                              {"missing", rule.accept_missing ? "accept" : "reject"}});
  }
  for (const FieldRule& rule : constraints.shapes) {
    result["shapes"].push_back({{"shape", field_json(terrain.shapes, rule.field)},
                                {"distance_m", range_json(rule.accept)},
                                {"falloff_m", rule.falloff}});
  }
  return result;
}

/// What most species leave at its default, where it is not.
void add_species_extras(const SpeciesSpec& species, const TerrainSpec& terrain, Json& out) {
  if (species.constraints) {
    out["constraints"] = constraints_json(*species.constraints, terrain);
  }
  for (const BiomeWeight& weight : species.biome_weights) {
    out["biome_weights"][std::to_string(weight.biome)] = weight.factor;
  }
  const TransformSpec& transform = species.transform;
  const TransformSpec plain;
  if (transform.align != plain.align) {
    out["align"] = transform.align;
  }
  if (transform.max_tilt_degrees != plain.max_tilt_degrees) {
    out["max_tilt_degrees"] = transform.max_tilt_degrees;
  }
  if (transform.offset_m.minimum != 0 || transform.offset_m.maximum != 0) {
    out["offset_m"] = range_json(transform.offset_m);
  }
  if (transform.sink_m != plain.sink_m) {
    out["sink_m"] = transform.sink_m;
  }
  if (transform.scale_y) {
    out["scale_y"] = range_json(*transform.scale_y);
  }
  if (transform.scale_z) {
    out["scale_z"] = range_json(*transform.scale_z);
  }
  for (const MeshSpec& mesh : transform.meshes) {
    out["meshes"].push_back({{"name", mesh.name}, {"weight", mesh.weight}});
  }
}

Json species_json(const std::vector<SpeciesSpec>& list, const TerrainSpec& terrain) {
  Json result = Json::array();
  for (const SpeciesSpec& species : list) {
    result.push_back({{"name", species.name},
                      {"weight", species.weight},
                      {"scale", range_json(species.scale)},
                      {"yaw_degrees", range_json(species.yaw_degrees)}});
    add_species_extras(species, terrain, result.back());
  }
  return result;
}

Json secondaries_json(const std::vector<SecondarySpec>& list, const TerrainSpec& terrain) {
  Json result = Json::array();
  for (const SecondarySpec& secondary : list) {
    result.push_back(
        {{"name", secondary.name},
         {"amount", Json::array({secondary.amount_min, secondary.amount_max})},
         {"ring_m", range_json(secondary.ring_m)},
         {"spacing_siblings_m", secondary.spacing_siblings_m},
         {"spacing_primaries_m", secondary.spacing_primaries_m},
         {"constraints", secondary.own_constraints ? constraints_json(*secondary.own_constraints, terrain)
                                                   : Json("inherit")},
         {"species", species_json(secondary.species, terrain)}});
    // What most leave at its default, where it is not.
    if (secondary.spacing_parents_m != 0) {
      result.back()["spacing_parents_m"] = secondary.spacing_parents_m;
    }
    if (!secondary.secondaries.empty()) {
      result.back()["secondaries"] = secondaries_json(secondary.secondaries, terrain);
    }
  }
  return result;
}

Json layer_json(const LayerSpec& layer, const TerrainSpec& terrain) {
  Json parameters = Json::object();
  for (const ParameterSet::Entry& entry : layer.parameters.entries()) {
    std::visit([&](const auto& value) { parameters[entry.name] = value; }, entry.value);
  }
  Json spacing = Json::object();
  for (const auto& [name, metres] : layer.spacing_m) {
    spacing[name] = metres;
  }
  Json result = {{"name", layer.name},
                 {"strategy", layer.strategy},
                 {"parameters", std::move(parameters)},
                 {"constraints", constraints_json(layer.constraints, terrain)},
                 {"species", species_json(layer.species, terrain)},
                 {"spacing_m", std::move(spacing)},
                 {"secondaries", secondaries_json(layer.secondaries, terrain)}};
  if (!layer.stream.empty()) {
    result["stream"] = layer.stream;
  }
  if (layer.amount) {
    const AmountSpec& amount = *layer.amount;
    const bool reserved = amount.choice == AmountSpec::Choice::kReserved;
    Json item = {{"count", reserved ? Json(amount.minimum) : Json::array({amount.minimum, amount.maximum})}};
    if (amount.per_square_m > 0) {
      item["per_square_m"] = amount.per_square_m;
    }
    result[reserved ? "reserved" : "amount"] = std::move(item);
  }
  if (layer.point_class) {
    result["class"] = *layer.point_class;
  }
  return result;
}

Json terrain_json(const TerrainSpec& terrain) {
  Json result = Json::object();
  if (terrain.kind == TerrainSpec::Kind::kIsland) {
    result = {{"builtin", "island"}, {"seed", terrain.island_seed}, {"size_m", terrain.island_size_m}};
  }
  if (!terrain.elevation_path.empty()) {
    result["elevation"] = "*";
  }
  if (!terrain.biome_path.empty()) {
    result["biome"] = "*";
  }
  for (const MapSpec& map : terrain.maps) {
    Json item = {{"name", map.name}, {"path", "*"}, {"band", map.band}};
    if (map.minus_band != 0) {
      item["minus_band"] = map.minus_band;
    }
    result["maps"].push_back(std::move(item));
  }
  for (const ShapeSpec& shape : terrain.shapes) {
    Json item = {{"name", shape.name}, {"path", "*"}, {"buffer_m", shape.buffer_m}};
    if (!shape.layer.empty()) {
      item["layer"] = shape.layer;
    }
    result["shapes"].push_back(std::move(item));
  }
  return result;
}

Json extent_json(const Rect& extent) {
  return {{"origin_m", Json::array({to_metres(extent.x0), to_metres(extent.y0)})},
          {"size_m", Json::array({to_metres(extent.x1 - extent.x0), to_metres(extent.y1 - extent.y0)})}};
}

/// The keys by which species are transformed, out of every list of species.
void erase_transforms(Json& value) {
  for (auto& item : value.items()) {
    if (value.is_object() && item.key() == "species" && item.value().is_array()) {
      for (Json& species : item.value()) {
        for (const char* key :
             {"align", "max_tilt_degrees", "offset_m", "sink_m", "scale_y", "scale_z", "meshes"}) {
          if (species.is_object()) {
            species.erase(key);
          }
        }
      }
    } else if (item.value().is_structured()) {
      erase_transforms(item.value());
    }
  }
}

}  // namespace

std::string text_without_transforms(std::string_view canonical_json) {
  Json document = Json::parse(canonical_json, nullptr, false);
  if (document.is_discarded() || !document.is_object()) {
    return std::string(canonical_json);
  }
  erase_transforms(document);
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json canonical_document(const WorldFile& world) {
  Json result = {{"version", 1}, {"seed", world.scatter.seed}};
  if (!world.extent_from_raster) {
    result["extent"] = extent_json(world.scatter.extent);
  }
  if (Json terrain = terrain_json(world.terrain); !terrain.empty()) {
    result["terrain"] = std::move(terrain);
  }
  Json layers = Json::array();
  for (const LayerSpec& layer : world.scatter.layers) {
    layers.push_back(layer_json(layer, world.terrain));
  }
  result["layers"] = std::move(layers);
  return result;
}

}  // namespace strew::world_file
