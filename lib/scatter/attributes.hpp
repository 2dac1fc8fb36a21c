// What an instance is, apart from where it stands: species, yaw, scale, height steps. Keyed by its identity
// square.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scatter_impl.hpp"

namespace strew::scatter {

/// Weighted choice by inversion of the cumulative weights.
class SpeciesChoice {
 public:
  explicit SpeciesChoice(std::span<const SpeciesSpec> species);
  [[nodiscard]] std::uint16_t choose(std::uint32_t draw) const noexcept;

 private:
  std::vector<double> cumulative_;
  std::uint16_t last_ = 0;  ///< last species with a weight above 0
};

/// Appends an instance at lattice position (x, y). Refuses elevations that the z column cannot hold.
[[nodiscard]] Status append_instance(std::uint64_t seed, std::uint64_t stream, const SpeciesChoice& choice,
                                     std::int64_t x, std::int64_t y, double altitude, InstanceTable& table);

}  // namespace strew::scatter
