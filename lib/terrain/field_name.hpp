// Names of fields in errors: "layers[0].constraints" and "slope_degrees" to
// "layers[0].constraints.slope_degrees".
#pragma once

#include <string>
#include <string_view>

namespace strew {

[[nodiscard]] inline std::string field_name(std::string_view where, std::string_view field) {
  return where.empty() ? std::string(field) : std::string(where) + "." + std::string(field);
}

}  // namespace strew
