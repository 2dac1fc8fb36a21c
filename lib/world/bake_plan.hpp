// What a bake is going to be, before its first tile.
#pragma once

#include "strew/world/bake.hpp"

namespace strew {

/// Checks the options, and returns the manifest but for what baking finds out: hash, counts and tiles. May
/// throw std::bad_alloc.
[[nodiscard]] Result<Manifest> plan_manifest(const Scatter& scatter, const BakeOptions& options);

/// Of everything that decides what a tile holds, but for its terrain and its shard: world, seed, region, tile
/// size, versions. Tiles of equal keys and equal terrain are equal. May throw std::bad_alloc.
[[nodiscard]] std::uint64_t bake_key(const Scatter& scatter, Manifest manifest);

}  // namespace strew
