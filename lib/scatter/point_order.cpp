#include "point_order.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace strew::scatter {

void sort_into(const std::vector<std::int64_t>& xs, const std::vector<std::int64_t>& ys, PointSet& out) {
  std::vector<std::size_t> order(xs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::int64_t step = out.lattice.identity_step;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const std::array<std::int64_t, 4> key_a = {floor_div(ys[a], step), floor_div(xs[a], step), ys[a], xs[a]};
    const std::array<std::int64_t, 4> key_b = {floor_div(ys[b], step), floor_div(xs[b], step), ys[b], xs[b]};
    return key_a < key_b;
  });
  out.x.clear();
  out.y.clear();
  out.class_of.clear();
  for (const std::size_t i : order) {
    out.x.push_back(xs[i]);
    out.y.push_back(ys[i]);
  }
}

Status check_region(const Rect& region) {
  if (region.empty()) {
    return invalid_argument("is empty; give x1 > x0 and y1 > y0", "region");
  }
  if (region.x0 < -kCoordLimit || region.y0 < -kCoordLimit || region.x1 > kCoordLimit ||
      region.y1 > kCoordLimit) {
    return invalid_argument("reaches beyond +-1073741823 m", "region");
  }
  return {};
}

}  // namespace strew::scatter
