// The grid of tiles over a world: anchored at world 0, numbered by floor(coordinate / side).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "strew/types.hpp"

namespace strew {

struct TileIndex {
  std::int64_t x = 0;
  std::int64_t y = 0;
  friend constexpr bool operator==(const TileIndex&, const TileIndex&) = default;
};

/// The tiles that meet a rectangle: x in [x0, x1), y in [y0, y1).
struct TileGrid {
  Coord side = 1;
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int64_t x1 = 0;
  std::int64_t y1 = 0;

  /// Precondition: side >= 1 m and coordinates within the limit, so that no product below overflows.
  [[nodiscard]] static constexpr TileGrid over(const Rect& area, Coord side) noexcept {
    return {side, floor_div(area.x0, side), floor_div(area.y0, side), ceil_div(area.x1, side),
            ceil_div(area.y1, side)};
  }
  [[nodiscard]] constexpr std::uint64_t columns() const noexcept {
    return static_cast<std::uint64_t>(x1 - x0);
  }
  [[nodiscard]] constexpr std::uint64_t rows() const noexcept { return static_cast<std::uint64_t>(y1 - y0); }
  [[nodiscard]] constexpr std::uint64_t tiles() const noexcept { return columns() * rows(); }
  [[nodiscard]] constexpr bool contains(const TileIndex& tile) const noexcept {
    return tile.x >= x0 && tile.x < x1 && tile.y >= y0 && tile.y < y1;
  }
  [[nodiscard]] constexpr Rect rect(const TileIndex& tile) const noexcept {
    return {tile.x * side, tile.y * side, (tile.x + 1) * side, (tile.y + 1) * side};
  }
};

namespace morton {

/// Tiles of the grid in the square of side 2^level whose lowest tile is `x`, `y`, counted from the grid's.
[[nodiscard]] constexpr std::uint64_t tiles_in(const TileGrid& grid, std::uint64_t x, std::uint64_t y,
                                               unsigned level) noexcept {
  const auto overlap = [level](std::uint64_t begin, std::uint64_t end) {
    return begin < end ? std::min(end - begin, std::uint64_t{1} << level) : 0;
  };
  return overlap(x, grid.columns()) * overlap(y, grid.rows());
}

/// The least level whose square holds the grid.
[[nodiscard]] constexpr unsigned top_level(const TileGrid& grid) noexcept {
  return static_cast<unsigned>(std::bit_width(std::max(grid.columns(), grid.rows()) - 1));
}

}  // namespace morton

/// Tile `number` of the grid in Morton order, in which neighbours mostly come near each other: the order of
/// the interleaved bits of x (even places) and y (odd places), counted from the grid's lowest tile. No list
/// is kept; O(log side). Precondition: number < columns() * rows().
[[nodiscard]] constexpr TileIndex morton_tile(const TileGrid& grid, std::uint64_t number) noexcept {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  for (unsigned level = morton::top_level(grid); level-- > 0;) {
    for (unsigned quarter = 0;; ++quarter) {
      const std::uint64_t at_x = x + (std::uint64_t{quarter & 1U} << level);
      const std::uint64_t at_y = y + (std::uint64_t{quarter >> 1} << level);
      const std::uint64_t tiles = morton::tiles_in(grid, at_x, at_y, level);
      if (number < tiles || quarter == 3) {
        x = at_x;
        y = at_y;
        break;
      }
      number -= tiles;
    }
  }
  return {grid.x0 + static_cast<std::int64_t>(x), grid.y0 + static_cast<std::int64_t>(y)};
}

/// The inverse of morton_tile(). Precondition: the grid contains the tile.
[[nodiscard]] constexpr std::uint64_t morton_number(const TileGrid& grid, const TileIndex& tile) noexcept {
  const auto to_x = static_cast<std::uint64_t>(tile.x - grid.x0);
  const auto to_y = static_cast<std::uint64_t>(tile.y - grid.y0);
  std::uint64_t number = 0;
  for (unsigned level = morton::top_level(grid); level-- > 0;) {
    const std::uint64_t x = to_x >> (level + 1) << (level + 1);
    const std::uint64_t y = to_y >> (level + 1) << (level + 1);
    const auto quarter = static_cast<unsigned>((to_x >> level & 1U) | (to_y >> level & 1U) << 1);
    for (unsigned before = 0; before < quarter; ++before) {
      number += morton::tiles_in(grid, x + (std::uint64_t{before & 1U} << level),
                                 y + (std::uint64_t{before >> 1} << level), level);
    }
  }
  return number;
}

inline constexpr std::string_view kManifestName = "manifest.json";
/// Empty file that a front end may leave when it is killed while trying whether it can write.
inline constexpr std::string_view kWriteProbeName = ".strew-write-probe";
inline constexpr std::string_view kTileFolder = "tiles";
inline constexpr std::string_view kTileSuffix = ".strewtile";

/// Relative to the bake's folder, with '/' on every system.
[[nodiscard]] inline std::string tile_file_name(const TileIndex& tile) {
  return std::string(kTileFolder) + "/" + std::to_string(tile.x) + "_" + std::to_string(tile.y) +
         std::string(kTileSuffix);
}

}  // namespace strew
