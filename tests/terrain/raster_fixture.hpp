// A raster that owns its samples, for tests.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "strew/terrain.hpp"

namespace strew_test {

inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

inline strew::Coord units(double metres) {
  return static_cast<strew::Coord>(std::llround(metres * 4294967296.0));
}

template <class T>
struct Raster {
  std::vector<T> data;
  strew::RasterView<T> view;

  Raster(std::int32_t width, std::int32_t height, double cell_m,
         const std::function<T(std::int32_t, std::int32_t)>& sample, strew::Coord x0 = 0,
         strew::Coord y0 = 0) {
    for (std::int32_t row = 0; row < height; ++row) {
      for (std::int32_t column = 0; column < width; ++column) {
        data.push_back(sample(column, row));
      }
    }
    view = {data.data(), width, height, width, x0, y0, cell_m, cell_m, T{}, false};
  }
  Raster(const Raster&) = delete;
  Raster& operator=(const Raster&) = delete;

  T& at(std::int32_t column, std::int32_t row) {
    return data[static_cast<std::size_t>(row * view.width + column)];
  }
};

}  // namespace strew_test
