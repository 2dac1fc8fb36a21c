// Which tiles a shard bakes.
#pragma once

#include <cstdint>
#include <vector>

#include "tile_grid.hpp"

namespace strew {

/// The share `shard` of `shards` of tiles in Morton order: blocks of up to 8 x 8 neighbours, dealt out in
/// turn. Blocks keep the windows of a shard's tiles near each other; turns give each shard its part of the
/// sea and of the forest. Blocks are smaller where there would be fewer than 16 for each shard.
[[nodiscard]] inline std::vector<TileIndex> tiles_of_shard(std::vector<TileIndex> tiles, std::uint32_t shard,
                                                           std::uint32_t shards) {
  if (shards <= 1) {
    return tiles;
  }
  std::uint64_t block = 64;
  while (block > 1 && tiles.size() / block < std::uint64_t{16} * shards) {
    block /= 4;
  }
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
