// Lists of lattice positions, and their order in a PointSet.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "strew/strategy.hpp"

namespace strew::poisson {

/// A point by its lattice indices, with its class where the strategy has several.
struct Site {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::uint8_t class_index = 0;
};

/// Sorts `sites` and replaces the contents of `out` by them, in PointSet order; out.lattice must be set. No
/// two sites may have the same position.
inline void sort_into(std::vector<Site>& sites, bool with_classes, PointSet& out) {
  const std::int64_t step = out.lattice.identity_step;
  const auto key = [step](const Site& site) {
    return std::array<std::int64_t, 4>{floor_div(site.y, step), floor_div(site.x, step), site.y, site.x};
  };
  std::sort(sites.begin(), sites.end(), [&](const Site& a, const Site& b) { return key(a) < key(b); });
  out.x.clear();
  out.y.clear();
  out.class_of.clear();
  out.x.reserve(sites.size());
  out.y.reserve(sites.size());
  for (const Site& site : sites) {
    out.x.push_back(site.x);
    out.y.push_back(site.y);
    if (with_classes) {
      out.class_of.push_back(site.class_index);
    }
  }
}

}  // namespace strew::poisson
