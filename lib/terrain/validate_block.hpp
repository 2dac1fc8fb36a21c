// The kernel of batched validation: up to 64 points to one word of the bitset.
#pragma once

#include <cstdint>

#include "grid_frame.hpp"
#include "noise_field.hpp"
#include "strew/terrain.hpp"

namespace strew {

/// Rasters and rules of a batch, prepared once and read by every block.
struct PreparedRules {
  TerrainView terrain;
  Constraints constraints;
  GridFrame elevation_frame;
  GridFrame slope_frame;
  GridFrame biome_frame;
  NoiseField noise;
};

/// Bits of the accepted among `count` <= 64 points; altitudes of the accepted; rejections added to `counts`.
/// Every backend gives the same bits, altitudes and counts as validate_block_ref.
using ValidateBlockFn = std::uint64_t (*)(const PreparedRules& rules, const Coord* x, const Coord* y,
                                          std::uint32_t count, double* altitude,
                                          RejectionCounts& counts) noexcept;

[[nodiscard]] std::uint64_t validate_block_ref(const PreparedRules& rules, const Coord* x, const Coord* y,
                                               std::uint32_t count, double* altitude,
                                               RejectionCounts& counts) noexcept;

}  // namespace strew
