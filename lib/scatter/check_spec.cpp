#include "check_spec.hpp"

#include <bitset>
#include <cmath>

#include "number_text.hpp"
#include "quota.hpp"

namespace strew::scatter {
namespace {

Status check_range(const Range& range, double low, double high, const std::string& where) {
  if (!(range.minimum >= low && range.maximum <= high)) {
    return invalid_argument("is " + number_text(range.minimum) + " to " + number_text(range.maximum) +
                                "; expected values from " + number_text(low) + " to " + number_text(high),
                            where);
  }
  if (range.minimum > range.maximum) {
    return invalid_argument(
        "minimum " + number_text(range.minimum) + " is above maximum " + number_text(range.maximum), where);
  }
  return {};
}

Status check_length(double metres, double low, double high, const std::string& where) {
  if (!(metres >= low && metres <= high)) {
    return invalid_argument(
        "is " + number_text(metres) + "; expected " + number_text(low) + " to " + number_text(high) + " m",
        where);
  }
  return {};
}

Status check_transform(const TransformSpec& transform, const std::string& where) {
  const auto number = [&where](double value, double low, double high, const char* field) -> Status {
    if (!(value >= low && value <= high)) {
      return invalid_argument(
          "is " + number_text(value) + "; expected " + number_text(low) + " to " + number_text(high),
          where + "." + field);
    }
    return {};
  };
  STREW_RETURN_IF_ERROR(number(transform.align, 0, 1, "align"));
  STREW_RETURN_IF_ERROR(number(transform.max_tilt_degrees, 0, 90, "max_tilt_degrees"));
  STREW_RETURN_IF_ERROR(number(transform.sink_m, 0, 100, "sink_m"));
  STREW_RETURN_IF_ERROR(check_range(transform.offset_m, -1000, 1000, where + ".offset_m"));
  if (transform.scale_y) {
    STREW_RETURN_IF_ERROR(check_range(*transform.scale_y, 1e-3, 1e3, where + ".scale_y"));
  }
  if (transform.scale_z) {
    STREW_RETURN_IF_ERROR(check_range(*transform.scale_z, 1e-3, 1e3, where + ".scale_z"));
  }
  double total = transform.meshes.empty() ? 1 : 0;
  for (std::size_t i = 0; i < transform.meshes.size(); ++i) {
    STREW_RETURN_IF_ERROR(number(transform.meshes[i].weight, 0, 1e9, "meshes.weight"));
    total += transform.meshes[i].weight;
  }
  if (total <= 0 || transform.meshes.size() > 65535) {
    return invalid_argument("needs a weight above 0, and at most 65535 entries", where + ".meshes");
  }
  return {};
}

Status check_biome_weights(const SpeciesSpec& species, Scatter::TerrainKinds terrain,
                           const std::string& where) {
  if (!species.biome_weights.empty() && !terrain.biome) {
    return invalid_argument("needs a biome raster; the terrain has none", where + ".biome_weights");
  }
  std::bitset<256> seen;
  for (const BiomeWeight& weight : species.biome_weights) {
    const std::string at = where + ".biome_weights." + std::to_string(weight.biome);
    if (!(weight.factor >= 0 && weight.factor <= 1e9)) {
      return invalid_argument("is " + number_text(weight.factor) + "; expected 0 to 1e9", at);
    }
    if (seen[weight.biome]) {
      return invalid_argument("is given twice", at);
    }
    seen.set(weight.biome);
  }
  return {};
}

Status check_fields(const std::vector<FieldRule>& rules, std::size_t available, const char* what,
                    const std::string& where) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].field >= available) {
      return invalid_argument("names " + std::string(what) + " " + std::to_string(rules[i].field) +
                                  "; the terrain has " + std::to_string(available),
                              where + "[" + std::to_string(i) + "]");
    }
  }
  return {};
}

}  // namespace

Status check_name(const std::string& name, const std::string& where) {
  if (name.empty() || name.find('/') != std::string::npos) {
    return invalid_argument("is '" + name + "'; expected a name without '/'", where);
  }
  return {};
}

Status check_species(const std::vector<SpeciesSpec>& species, Scatter::TerrainKinds terrain,
                     const std::string& where) {
  if (species.empty()) {
    return invalid_argument("is empty; list at least one species", where);
  }
  constexpr std::size_t kMaxSpecies = 65535;
  if (species.size() > kMaxSpecies) {
    return invalid_argument("has " + std::to_string(species.size()) + " species; at most 65535", where);
  }
  double total = 0;
  bool rules = false;
  for (std::size_t i = 0; i < species.size(); ++i) {
    const SpeciesSpec& one = species[i];
    const std::string at = where + "[" + std::to_string(i) + "]";
    if (one.name.empty()) {
      return invalid_argument("is empty; name the species", at + ".name");
    }
    if (!(one.weight >= 0 && one.weight <= 1e9)) {
      return invalid_argument("is " + number_text(one.weight) + "; expected 0 to 1e9", at + ".weight");
    }
    STREW_RETURN_IF_ERROR(check_range(one.scale, 1e-3, 1e3, at + ".scale"));
    STREW_RETURN_IF_ERROR(check_range(one.yaw_degrees, -360, 360, at + ".yaw_degrees"));
    STREW_RETURN_IF_ERROR(check_transform(one.transform, at));
    STREW_RETURN_IF_ERROR(check_biome_weights(one, terrain, at));
    if (one.constraints) {
      STREW_RETURN_IF_ERROR(check_rules(*one.constraints, terrain, at + ".constraints"));
    }
    rules = rules || one.constraints || !one.biome_weights.empty();
    total += one.weight;
  }
  if (total <= 0) {
    return invalid_argument("has only weights of 0; at least one must be above", where);
  }
  if (rules && species.size() > 64) {
    return invalid_argument("has " + std::to_string(species.size()) +
                                " species; at most 64 where one has constraints or biome weights of its own",
                            where);
  }
  return {};
}

Status check_rules(const Constraints& constraints, Scatter::TerrainKinds terrain, const std::string& where) {
  STREW_RETURN_IF_ERROR(check_constraints(constraints, where));
  if (constraints.biomes && !terrain.biome) {
    return invalid_argument("needs a biome raster; the terrain has none", where + ".biomes");
  }
  if (constraints.altitude_m && !terrain.elevation) {
    return invalid_argument("needs an elevation raster; the terrain has none", where + ".altitude_m");
  }
  if (constraints.slope_degrees && !terrain.elevation) {
    return invalid_argument("needs an elevation raster; the terrain has none", where + ".slope_degrees");
  }
  STREW_RETURN_IF_ERROR(check_fields(constraints.maps, terrain.maps, "map", where + ".maps"));
  return check_fields(constraints.shapes, terrain.shapes, "shape", where + ".shapes");
}

Status check_amount(const AmountSpec& amount, const std::string& where) {
  if (amount.minimum < 0 || amount.maximum > kMostCounted) {
    return invalid_argument("is " + std::to_string(amount.minimum) + " to " + std::to_string(amount.maximum) +
                                "; expected counts from 0 to " + std::to_string(kMostCounted),
                            where + ".count");
  }
  if (amount.minimum > amount.maximum) {
    return invalid_argument(
        "minimum " + std::to_string(amount.minimum) + " is above maximum " + std::to_string(amount.maximum),
        where + ".count");
  }
  if (amount.choice == AmountSpec::Choice::kReserved && amount.minimum != amount.maximum) {
    return invalid_argument("is " + std::to_string(amount.minimum) + " to " + std::to_string(amount.maximum) +
                                "; a reserved count is exact, give one number",
                            where + ".count");
  }
  if (!(amount.per_square_m == 0 || (amount.per_square_m >= 1 && amount.per_square_m <= 1e5))) {
    return invalid_argument(
        "is " + number_text(amount.per_square_m) + "; expected 1 to 100000 m, or 0 for the whole world",
        where + ".per_square_m");
  }
  return {};
}

Status check_secondary(const SecondarySpec& secondary, Scatter::TerrainKinds terrain,
                       const std::string& where) {
  STREW_RETURN_IF_ERROR(check_name(secondary.name, where + ".name"));
  constexpr std::int32_t kMaxAmount = 64;
  if (secondary.amount_min < 0 || secondary.amount_max > kMaxAmount) {
    return invalid_argument("is " + std::to_string(secondary.amount_min) + " to " +
                                std::to_string(secondary.amount_max) + "; expected counts from 0 to 64",
                            where + ".amount");
  }
  if (secondary.amount_min > secondary.amount_max) {
    return invalid_argument("minimum " + std::to_string(secondary.amount_min) + " is above maximum " +
                                std::to_string(secondary.amount_max),
                            where + ".amount");
  }
  STREW_RETURN_IF_ERROR(check_range(secondary.ring_m, 0, 1000, where + ".ring_m"));
  if (secondary.ring_m.maximum - secondary.ring_m.minimum < 0.01) {
    return invalid_argument("is narrower than 0.01 m; widen it so that positions fit", where + ".ring_m");
  }
  STREW_RETURN_IF_ERROR(check_length(secondary.spacing_siblings_m, 0, 1000, where + ".spacing_siblings_m"));
  STREW_RETURN_IF_ERROR(check_length(secondary.spacing_parents_m, 0, 1000, where + ".spacing_parents_m"));
  STREW_RETURN_IF_ERROR(check_length(secondary.spacing_primaries_m, 0, 1000, where + ".spacing_primaries_m"));
  if (secondary.own_constraints) {
    STREW_RETURN_IF_ERROR(check_rules(*secondary.own_constraints, terrain, where + ".constraints"));
  }
  return check_species(secondary.species, terrain, where + ".species");
}

}  // namespace strew::scatter
