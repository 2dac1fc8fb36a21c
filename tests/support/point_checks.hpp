// Checks of point sets that share nothing with the code that makes them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "strew/strategy.hpp"

namespace strew_test {

/// Smallest distance in metres between two points, and how many pairs are closer than `radius`, from doubles.
struct Closest {
  double distance = INFINITY;
  std::uint64_t violations = 0;
};
inline Closest closest_pair(const strew::PointSet& points, double radius) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> bins;
  const auto bin = [&](double v) { return static_cast<std::int64_t>(std::floor(v / radius)); };
  std::vector<double> x(points.size());
  std::vector<double> y(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    x[i] = strew::to_metres(points.unit_x(i));
    y[i] = strew::to_metres(points.unit_y(i));
    bins[{bin(x[i]), bin(y[i])}].push_back(i);
  }
  Closest closest;
  for (const auto& [key, members] : bins) {
    for (std::int64_t dy = -1; dy <= 1; ++dy) {
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        const auto other = bins.find({key.first + dx, key.second + dy});
        if (other == bins.end()) {
          continue;
        }
        for (const std::size_t i : members) {
          for (const std::size_t j : other->second) {
            if (i < j) {
              const double d = std::hypot(x[i] - x[j], y[i] - y[j]);
              closest.distance = std::min(closest.distance, d);
              closest.violations += d < radius ? 1 : 0;
            }
          }
        }
      }
    }
  }
  return closest;
}

/// The points of `whole` inside `rect`, in order.
inline std::vector<std::pair<std::int64_t, std::int64_t>> crop(const strew::PointSet& whole,
                                                               const strew::Rect& rect) {
  std::vector<std::pair<std::int64_t, std::int64_t>> inside;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (rect.contains(whole.unit_x(i), whole.unit_y(i))) {
      inside.emplace_back(whole.x[i], whole.y[i]);
    }
  }
  return inside;
}
inline std::vector<std::pair<std::int64_t, std::int64_t>> pairs(const strew::PointSet& points) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    all.emplace_back(points.x[i], points.y[i]);
  }
  return all;
}

/// Whether the set is sorted as PointSet documents.
inline bool in_order(const strew::PointSet& points) {
  const std::int64_t step = points.lattice.identity_step;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto key = [&](std::size_t p) {
      return std::array<std::int64_t, 4>{strew::floor_div(points.y[p], step),
                                         strew::floor_div(points.x[p], step), points.y[p], points.x[p]};
    };
    if (!(key(i - 1) < key(i))) {
      return false;
    }
  }
  return true;
}

}  // namespace strew_test
