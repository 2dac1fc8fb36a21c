#include <algorithm>
#include <numeric>

#include "strew/navigation.hpp"

namespace strew::nav {

void UnionFind::reset(std::size_t count) {
  parent_.resize(count);
  std::iota(parent_.begin(), parent_.end(), 0U);
  size_.assign(count, 1);
}

bool UnionFind::join(std::uint32_t a, std::uint32_t b) noexcept {
  a = find(a);
  b = find(b);
  if (a == b) {
    return false;
  }
  if (size_[a] < size_[b]) {
    std::swap(a, b);
  }
  parent_[b] = a;
  size_[a] += size_[b];
  return true;
}

double connected_share(std::span<const std::uint64_t> points_in_region) noexcept {
  double total = 0;
  double pairs = 0;
  for (const std::uint64_t s : points_in_region) {
    const auto size = static_cast<double>(s);
    total += size;
    pairs += size * (size - 1);
  }
  return total < 2 ? 1 : pairs / (total * (total - 1));
}

double connected_share_of_areas(std::span<const double> areas) noexcept {
  double total = 0;
  double squares = 0;
  for (const double area : areas) {
    total += area;
    squares += area * area;
  }
  return total > 0 ? squares / (total * total) : 0;
}

double largest_share(std::span<const double> areas) noexcept {
  double total = 0;
  double largest = 0;
  for (const double area : areas) {
    total += area;
    largest = std::max(largest, area);
  }
  return total > 0 ? largest / total : 0;
}

}  // namespace strew::nav
