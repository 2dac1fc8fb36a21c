// Structure factors of a square of the plane, straight from the definition.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "strew/exact_math.hpp"
#include "strew/strategy.hpp"

namespace strew_test {

struct Place {
  double x;
  double y;
};

/// Places in metres from the corner of the region, of one class or (class_index < 0) of all.
inline std::vector<Place> places(const strew::PointSet& points, const strew::Rect& region,
                                 int class_index = -1) {
  std::vector<Place> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (class_index < 0 || points.class_of[i] == class_index) {
      all.push_back(
          {strew::to_metres(points.unit_x(i) - region.x0), strew::to_metres(points.unit_y(i) - region.y0)});
    }
  }
  return all;
}

/// |sum exp(2 pi i (mx x + my y) / side)|^2 / N.
inline double structure_factor(const std::vector<Place>& places, double side, int mx, int my) {
  std::complex<double> sum = 0;
  for (const Place& place : places) {
    double sine = 0;
    double cosine = 0;
    strew::exact_sincos_turns((mx * place.x + my * place.y) / side, sine, cosine);
    sum += std::complex<double>(cosine, sine);
  }
  return std::norm(sum) / static_cast<double>(places.size());
}

/// Mean structure factor over the modes of the square below `frequency` (per metre). 1 for a Poisson process.
inline double low_structure_factor(const std::vector<Place>& places, double side, double frequency) {
  const int limit = static_cast<int>(frequency * side);
  double sum = 0;
  int modes = 0;
  for (int my = 0; my <= limit; ++my) {
    for (int mx = -limit; mx <= limit; ++mx) {
      if ((my > 0 || mx > 0) && mx * mx + my * my <= limit * limit) {
        sum += structure_factor(places, side, mx, my);
        ++modes;
      }
    }
  }
  return sum / modes;
}

/// As many uniform places in the square, for comparison.
inline std::vector<Place> poisson_process(std::size_t count, double side, std::uint64_t seed) {
  std::vector<Place> all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto random = strew::cell_draw(strew::stream_key(seed, 77), 0, 0, i);
    all.push_back({side * strew::draw_unit(random[0]), side * strew::draw_unit(random[1])});
  }
  return all;
}

}  // namespace strew_test
