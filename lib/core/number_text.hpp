// Numbers in messages: shortest text that reads back as the same double.
#pragma once

#include <charconv>
#include <cmath>
#include <string>

namespace strew {

[[nodiscard]] inline std::string number_text(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end.ptr};
}

}  // namespace strew
