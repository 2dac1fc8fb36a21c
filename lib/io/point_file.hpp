// Parts of read_points: one reader per format, from the file's bytes.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "strew/io/files.hpp"

namespace strew {

/// What the readers check of every position. `place`: "line 12", "row 3", as messages count.
[[nodiscard]] inline Status check_position(double x, double y, const std::string& path, std::string_view unit,
                                           std::size_t number) {
  if (std::isfinite(x) && std::isfinite(y)) {
    return {};
  }
  const char* const column = std::isfinite(x) ? "y" : "x";
  const double value = std::isfinite(x) ? y : x;
  return invalid_argument(std::string(unit) + " " + std::to_string(number) + ": " + column + " is " +
                              (std::isnan(value) ? "not a number (NaN)" : "infinite") +
                              "; correct it or leave the point out",
                          path);
}

[[nodiscard]] Result<PointColumns> read_points_csv(const std::string& path, std::string_view bytes);
[[nodiscard]] Result<PointColumns> read_points_npy(const std::string& path, std::string_view bytes);
[[nodiscard]] Result<PointColumns> read_points_ply(const std::string& path, std::string_view bytes);

}  // namespace strew
