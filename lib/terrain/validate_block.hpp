// The kernel of batched validation: up to 64 points to one word of the bitset.
#pragma once

#include <array>
#include <cstdint>

#include "field_hash.hpp"
#include "grid_frame.hpp"
#include "noise_field.hpp"
#include "strew/terrain.hpp"

namespace strew {

/// Points of a block: one word of the bitset.
inline constexpr std::uint32_t kBlockPoints = 64;

/// Rasters and rules of a batch, prepared once and read by every block. Refers to what it was made of.
struct PreparedRules {
  PreparedRules(const TerrainView& view, const Constraints& rules) noexcept;

  const TerrainView& terrain;
  const Constraints& constraints;
  GridFrame elevation_frame;
  GridFrame slope_frame;
  GridFrame biome_frame;
  std::array<GridFrame, kMaxFieldRules> map_frames;
  NoiseField noise;
  float noise_threshold = 0;  ///< smallest float not below the rule's
  /// Per class of the biome raster: bit 0 accepted by the rule, bit 1 nodata.
  std::array<std::uint8_t, 256> biome_classes{};
  /// Whether every raster is small enough for sample numbers of 32 bits, as the vector kernels have them.
  bool narrow = true;
  /// There is a slope rule, and the slope raster has the elevation's grid and window.
  bool slope_with_elevation = false;
  /// The biome raster has the elevation's grid, its window apart.
  bool biome_on_elevation_grid = false;
};

/// Bits of the accepted among `count` <= 64 points; altitudes of the accepted; rejections added to `counts`.
/// Every backend gives the same bits, altitudes and counts as validate_block_ref.
using ValidateBlockFn = std::uint64_t (*)(const PreparedRules& rules, const Coord* x, const Coord* y,
                                          std::uint32_t count, double* altitude,
                                          RejectionCounts& counts) noexcept;

[[nodiscard]] std::uint64_t validate_block_ref(const PreparedRules& rules, const Coord* x, const Coord* y,
                                               std::uint32_t count, double* altitude,
                                               RejectionCounts& counts) noexcept;

/// Whether the shape rules accept (x, y). Every backend calls this for the last survivors.
[[nodiscard]] bool shapes_accept(const PreparedRules& rules, Coord x, Coord y) noexcept;

}  // namespace strew
