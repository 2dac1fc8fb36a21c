#include "strew/strategy.hpp"

#include <array>

#include "point_hash.hpp"

namespace strew {

std::vector<std::string_view> promise_names(std::uint32_t promises) {
  constexpr std::array<std::string_view, 4> kNames = {"crop equals whole", "minimum distance", "maximal",
                                                      "unbiased"};
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (((promises >> i) & 1U) != 0) {
      names.push_back(kNames[i]);
    }
  }
  return names;
}

std::string StrategyInfo::full_id() const {
  return std::string(id) + "/" + std::string(backend);
}

SetHash hash_points_between(const PointSet& points, std::size_t begin, std::size_t end) noexcept {
  SetHash hash;
  for (std::size_t i = begin; i < end; ++i) {
    const std::array<std::uint64_t, 3> words = {static_cast<std::uint64_t>(points.unit_x(i)),
                                                static_cast<std::uint64_t>(points.unit_y(i)),
                                                points.class_of.empty() ? 0U : points.class_of[i]};
    // Without classes only the position counts, so that the hash of a plain set is that of its places.
    hash.add(hash_words(std::span(words).first(points.class_of.empty() ? 2U : 3U)));
  }
  return hash;
}

SetHash hash_points(const PointSet& points) noexcept {
  return hash_points_between(points, 0, points.size());
}

}  // namespace strew
