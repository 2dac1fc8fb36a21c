#include <cmath>

#include "field_name.hpp"
#include "number_text.hpp"
#include "strew/terrain.hpp"

namespace strew {
namespace {

// Infinite bounds leave a range open on one side.
Status check_range(const Range& range, std::string field) {
  if (std::isnan(range.minimum) || std::isnan(range.maximum)) {
    return invalid_argument(
        std::string(std::isnan(range.minimum) ? "minimum" : "maximum") + " is NaN; give a number",
        std::move(field));
  }
  if (range.minimum > range.maximum) {
    return invalid_argument(
        "minimum " + number_text(range.minimum) + " is above maximum " + number_text(range.maximum),
        std::move(field));
  }
  return {};
}

Status check_slope_bound(double degrees, const char* name, const std::string& field) {
  if (std::isfinite(degrees) && !(degrees >= 0 && degrees <= 90)) {
    return invalid_argument(
        std::string(name) + " is " + number_text(degrees) + "; slopes lie within 0 to 90 degrees", field);
  }
  return {};
}

Status check_fields(const std::vector<FieldRule>& rules, const std::string& where) {
  if (rules.size() > kMaxFieldRules) {
    return invalid_argument(
        "has " + std::to_string(rules.size()) + " rules; at most 8: combine maps or shapes into one", where);
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::string at = where + "[" + std::to_string(i) + "]";
    STREW_RETURN_IF_ERROR(check_range(rules[i].accept, at + ".accept"));
    if (rules[i].accept.minimum == HUGE_VAL || rules[i].accept.maximum == -HUGE_VAL) {
      return invalid_argument("no value lies in a range that begins or ends beyond all numbers",
                              at + ".accept");
    }
    if (!(rules[i].falloff >= 0 && std::isfinite(rules[i].falloff))) {
      return invalid_argument("is " + number_text(rules[i].falloff) + "; give a finite width, at least 0",
                              at + ".falloff");
    }
  }
  return {};
}

}  // namespace

Status check_constraints(const Constraints& constraints, std::string_view where) {
  if (constraints.biomes && constraints.biomes->none()) {
    return invalid_argument(
        "accepts no class, so nothing could stand anywhere; name a class or leave the rule out",
        field_name(where, "biomes"));
  }
  if (constraints.altitude_m) {
    const std::string field = field_name(where, "altitude_m");
    STREW_RETURN_IF_ERROR(check_range(*constraints.altitude_m, field));
    if (constraints.altitude_m->minimum == HUGE_VAL || constraints.altitude_m->maximum == -HUGE_VAL) {
      return invalid_argument("no altitude lies in a range that begins or ends beyond all numbers", field);
    }
  }
  if (constraints.slope_degrees) {
    const std::string field = field_name(where, "slope_degrees");
    STREW_RETURN_IF_ERROR(check_range(*constraints.slope_degrees, field));
    STREW_RETURN_IF_ERROR(check_slope_bound(constraints.slope_degrees->minimum, "minimum", field));
    STREW_RETURN_IF_ERROR(check_slope_bound(constraints.slope_degrees->maximum, "maximum", field));
    if (constraints.slope_degrees->minimum == HUGE_VAL || constraints.slope_degrees->maximum == -HUGE_VAL) {
      return invalid_argument("no slope lies in a range that begins or ends beyond 0 to 90 degrees", field);
    }
  }
  if (constraints.noise) {
    const std::string field = field_name(where, "noise");
    STREW_RETURN_IF_ERROR(check_noise(constraints.noise->noise, field));
    if (!(constraints.noise->threshold >= -1 && constraints.noise->threshold <= 1)) {
      return invalid_argument("is " + number_text(constraints.noise->threshold) +
                                  "; noise lies within -1 to 1, and a place passes where noise >= threshold",
                              field + ".threshold");
    }
  }
  STREW_RETURN_IF_ERROR(check_fields(constraints.maps, field_name(where, "maps")));
  return check_fields(constraints.shapes, field_name(where, "shapes"));
}

std::string_view to_string(Rejection rejection) noexcept {
  switch (rejection) {
    case Rejection::kOutside:
      return "outside";
    case Rejection::kNodata:
      return "nodata";
    case Rejection::kBiome:
      return "biome";
    case Rejection::kAltitude:
      return "altitude";
    case Rejection::kSlope:
      return "slope";
    case Rejection::kMap:
      return "map";
    case Rejection::kNoise:
      return "noise";
    case Rejection::kShape:
      return "shape";
    case Rejection::kSpacing:
      return "spacing";
    case Rejection::kSpecies:
      return "species";
    case Rejection::kAmount:
      return "amount";
    case Rejection::kCount:
      break;
  }
  return "unknown";
}

}  // namespace strew
