// What an instance is, apart from where it stands: species, yaw, scale, height steps. Keyed by its identity
// square.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "accepted.hpp"

namespace strew::scatter {

/// Weighted choice by inversion of the cumulative weights.
class SpeciesChoice {
 public:
  explicit SpeciesChoice(std::span<const SpeciesSpec> species);
  [[nodiscard]] std::uint16_t choose(std::uint32_t draw) const noexcept;
  /// choose(draw[i]) for each, without a branch: by thresholds of the draw, which are found once. O(n).
  void choose_all(std::span<const std::uint32_t> draw, std::uint16_t* out) const noexcept;
  /// Among the species of `valid`, with their weights at a place of the biome. Precondition: one has a weight
  /// above 0 there.
  [[nodiscard]] std::uint16_t choose_valid(std::uint32_t draw, std::uint64_t valid,
                                           std::uint8_t biome) const noexcept;

 private:
  std::span<const SpeciesSpec> species_;
  std::vector<double> cumulative_;
  std::vector<std::uint32_t> thresholds_;  ///< the least draws beyond each of cumulative_, where there is one
  std::uint16_t last_ = 0;                 ///< last species with a weight above 0
};

/// All species of a list may stand.
inline constexpr std::uint64_t kAllSpecies = ~std::uint64_t{0};
/// Draws of an instance beside its position: 0 for the columns of its table, 1 for its transform.
[[nodiscard]] PhiloxCounter attribute_draw(std::uint64_t seed, std::uint64_t stream, const Lattice& lattice,
                                           std::int64_t x, std::int64_t y, std::uint64_t number) noexcept;

/// Where instances stand. `valid`: species that may stand there, as bits; empty: all of them.
struct Places {
  std::span<const std::int64_t> lattice_x;
  std::span<const std::int64_t> lattice_y;
  std::span<const double> altitude;
  std::span<const std::uint64_t> valid;
};

/// Appends an instance at each place, of a species that may stand there. Refuses elevations that the z column
/// cannot hold.
[[nodiscard]] Status append_instances(const Work& work, std::uint64_t stream, const SpeciesChoice& choice,
                                      const Places& places, InstanceTable& table);

}  // namespace strew::scatter
