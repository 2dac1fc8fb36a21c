// Which tiles a shard bakes.
#pragma once

#include <algorithm>
#include <cstdint>

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

/// The shard that a tile of the grid is dealt to.
[[nodiscard]] constexpr std::uint32_t shard_of(const TileGrid& grid, const TileIndex& tile,
                                               std::uint32_t shards) noexcept {
  return shards <= 1 ? 0
                     : static_cast<std::uint32_t>(morton_number(grid, tile) /
                                                  shard_block(grid.tiles(), shards) % shards);
}

/// The share `shard` of `shards` of a grid's tiles in Morton order: blocks of up to 8 x 8 neighbours, dealt
/// out in turn. Blocks keep the windows of a shard's tiles near each other; turns give each shard its part of
/// the sea and of the forest. Blocks are smaller where there would be fewer than 16 for each shard. Places
/// are computed, so that the largest world takes no more memory than the smallest.
class TileShare {
 public:
  TileShare() = default;
  TileShare(const TileGrid& grid, std::uint32_t shard, std::uint32_t shards) noexcept
      : grid_(grid),
        shard_(shard),
        shards_(shards),
        block_(shards <= 1 ? 1 : shard_block(grid.tiles(), shards)) {
    const std::uint64_t round = block_ * shards_;
    const std::uint64_t last = grid.tiles() % round;
    const std::uint64_t before = block_ * shard_;
    size_ = grid.tiles() / round * block_ + (last > before ? std::min(last - before, block_) : 0);
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Precondition: i < size().
  [[nodiscard]] TileIndex operator[](std::uint64_t i) const noexcept {
    return morton_tile(grid_, (i / block_ * shards_ + shard_) * block_ + i % block_);
  }
  /// Where the tile stands in the share, or size().
  [[nodiscard]] std::uint64_t find(const TileIndex& tile) const noexcept {
    if (!grid_.contains(tile)) {
      return size_;
    }
    const std::uint64_t number = morton_number(grid_, tile);
    const std::uint64_t block = number / block_;
    return block % shards_ == shard_ ? block / shards_ * block_ + number % block_ : size_;
  }

 private:
  TileGrid grid_;
  std::uint64_t shard_ = 0;
  std::uint64_t shards_ = 1;
  std::uint64_t block_ = 1;
  std::uint64_t size_ = 0;
};

}  // namespace strew
