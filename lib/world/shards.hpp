// Which tiles a shard bakes.
#pragma once

#include <cstdint>
#include <vector>

#include "tile_grid.hpp"

namespace strew {

/// Tiles of a block that is dealt to one shard.
[[nodiscard]] constexpr std::uint64_t shard_block(std::uint64_t tiles, std::uint32_t shards) noexcept {
  std::uint64_t block = 64;
  while (block > 1 && tiles / block < std::uint64_t{16} * shards) {
    block /= 4;
  }
  return block;
}

/// The share `shard` of `shards` of tiles in Morton order: blocks of up to 8 x 8 neighbours, dealt out in
/// turn. Blocks keep the windows of a shard's tiles near each other; turns give each shard its part of the
/// sea and of the forest. Blocks are smaller where there would be fewer than 16 for each shard.
[[nodiscard]] inline std::vector<TileIndex> tiles_of_shard(std::vector<TileIndex> tiles, std::uint32_t shard,
                                                           std::uint32_t shards) {
  if (shards <= 1) {
    return tiles;
  }
  const std::uint64_t block = shard_block(tiles.size(), shards);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (i / block % shards == shard) {
      tiles[kept++] = tiles[i];
    }
  }
  tiles.resize(kept);
  return tiles;
}

}  // namespace strew
