#include "point_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

namespace strew::scatter {

namespace {

constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

/// Sorts words by their bits from `low` to `high`, stably: least digit first. O(words) per digit.
void radix_sort(std::vector<std::uint64_t>& words, int low, int high) {
  std::vector<std::uint64_t> sorted(words.size());
  std::vector<std::size_t> begin(kDigits + 1);
  for (int shift = low; shift < high; shift += kDigitBits) {
    const std::uint64_t mask = (std::uint64_t{1} << std::min(kDigitBits, high - shift)) - 1;
    std::fill(begin.begin(), begin.end(), std::size_t{0});
    for (const std::uint64_t word : words) {
      ++begin[(word >> shift & mask) + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const std::uint64_t word : words) {
      sorted[begin[word >> shift & mask]++] = word;
    }
    words.swap(sorted);
  }
}

/// Bits of the numbers from 0 to `most`.
int bits_for(std::uint64_t most) noexcept {
  return static_cast<int>(std::bit_width(most));
}

}  // namespace

void sort_by_place(const std::vector<std::int64_t>& x, const std::vector<std::int64_t>& y,
                   std::vector<std::size_t>& order) {
  if (order.empty()) {
    return;
  }
  std::int64_t x0 = x[order[0]];
  std::int64_t x1 = x0;
  std::int64_t y0 = y[order[0]];
  std::int64_t y1 = y0;
  std::size_t last = 0;
  for (const std::size_t i : order) {
    x0 = std::min(x0, x[i]);
    x1 = std::max(x1, x[i]);
    y0 = std::min(y0, y[i]);
    y1 = std::max(y1, y[i]);
    last = std::max(last, i);
  }
  const auto across = [](std::int64_t low, std::int64_t high) {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  };
  const int index_bits = bits_for(last);
  const int x_bits = bits_for(across(x0, x1));
  const int y_bits = bits_for(across(y0, y1));
  if (index_bits + x_bits + y_bits > 63) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return y[a] != y[b] ? y[a] < y[b] : x[a] < x[b]; });
    return;
  }
  std::vector<std::uint64_t> words(order.size());  // place and index
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint64_t place = across(y0, y[order[i]]) << x_bits | across(x0, x[order[i]]);
    words[i] = place << index_bits | order[i];
  }
  if (words.size() < kDigits) {
    std::sort(words.begin(), words.end());
  } else {
    radix_sort(words, index_bits, index_bits + x_bits + y_bits);
  }
  const std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;
  std::transform(words.begin(), words.end(), order.begin(),
                 [index_mask](std::uint64_t word) { return static_cast<std::size_t>(word & index_mask); });
}

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
