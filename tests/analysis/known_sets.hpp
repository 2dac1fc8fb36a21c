// Point sets whose measures are known.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "strew/analysis.hpp"
#include "strew/random.hpp"
#include "strew/strategy.hpp"

namespace strew_test {

struct KnownSet {
  std::vector<double> x;
  std::vector<double> y;
  strew::PlaneWindow window;

  [[nodiscard]] strew::PointsView view() const { return {x, y, window}; }
  void add(double px, double py) {
    x.push_back(px);
    y.push_back(py);
  }
};

/// (i + 1/2, j + 1/2) * step, `side` by `side`, filling its window.
inline KnownSet square_lattice(int side, double step) {
  KnownSet set;
  set.window = {0, 0, side * step, side * step};
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      set.add((i + 0.5) * step, (j + 0.5) * step);
    }
  }
  return set;
}

/// `count` independent uniform points (a binomial process) in a square of `side` metres.
inline KnownSet poisson_process(std::uint32_t count, double side, std::uint64_t seed) {
  KnownSet set;
  set.window = {0, 0, side, side};
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto draw = strew::philox4x32({i, 0, 0, 0}, strew::stream_key(seed, 17));
    set.add(side * strew::draw_unit(draw[0]), side * strew::draw_unit(draw[1]));
  }
  return set;
}

/// A strategy's points in [0, width) x [0, height), of radius 2 m.
inline KnownSet generated(const char* id, double width, double height, std::uint64_t seed) {
  KnownSet set;
  set.window = {0, 0, width, height};
  strew::ParameterSet parameters;
  parameters.set("radius", 2.0);
  const auto rect = strew::rect_from_metres(0, 0, width, height, "rect");
  EXPECT_TRUE(rect.ok());
  const auto points = strew::Generator().points(id, {rect.value(), seed, 0}, parameters);
  EXPECT_TRUE(points.ok());
  for (std::size_t i = 0; points.ok() && i < points.value().size(); ++i) {
    set.add(strew::to_metres(points.value().unit_x(i)), strew::to_metres(points.value().unit_y(i)));
  }
  return set;
}

}  // namespace strew_test
