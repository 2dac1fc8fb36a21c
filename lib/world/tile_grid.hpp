// The grid of tiles over a world: anchored at world 0, numbered by floor(coordinate / side).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
  [[nodiscard]] constexpr bool contains(const TileIndex& tile) const noexcept {
    return tile.x >= x0 && tile.x < x1 && tile.y >= y0 && tile.y < y1;
  }
  [[nodiscard]] constexpr Rect rect(const TileIndex& tile) const noexcept {
    return {tile.x * side, tile.y * side, (tile.x + 1) * side, (tile.y + 1) * side};
  }
};

/// Interleaves the low 32 bits of x (even places) and y (odd places).
[[nodiscard]] constexpr std::uint64_t morton_code(std::uint64_t x, std::uint64_t y) noexcept {
  const auto spread = [](std::uint64_t value) {
    value &= 0xFFFFFFFFU;
    value = (value | value << 16) & 0x0000FFFF0000FFFFU;
    value = (value | value << 8) & 0x00FF00FF00FF00FFU;
    value = (value | value << 4) & 0x0F0F0F0F0F0F0F0FU;
    value = (value | value << 2) & 0x3333333333333333U;
    return (value | value << 1) & 0x5555555555555555U;
  };
  return spread(x) | spread(y) << 1;
}

/// Every tile of the grid, neighbours mostly near each other in the list.
[[nodiscard]] inline std::vector<TileIndex> morton_order(const TileGrid& grid) {
  std::vector<TileIndex> tiles;
  tiles.reserve(grid.columns() * grid.rows());
  for (std::int64_t y = grid.y0; y < grid.y1; ++y) {
    for (std::int64_t x = grid.x0; x < grid.x1; ++x) {
      tiles.push_back({x, y});
    }
  }
  const auto code = [&grid](const TileIndex& tile) {
    return morton_code(static_cast<std::uint64_t>(tile.x - grid.x0),
                       static_cast<std::uint64_t>(tile.y - grid.y0));
  };
  std::sort(tiles.begin(), tiles.end(),
            [&code](const TileIndex& a, const TileIndex& b) { return code(a) < code(b); });
  return tiles;
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
