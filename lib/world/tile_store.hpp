// Tile files: the instances of one tile, column by column. docs/tile_format.md describes every byte.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "strew/scatter.hpp"

namespace strew {

/// Version 2 has tables with exact columns; a tile without any is written as version 1.
inline constexpr std::uint32_t kTileFormatVersion = 2;
inline constexpr std::uint32_t kMaxSlots = 64;

enum class TileCompression : std::uint32_t { kStored = 0, kZstd = 1 };

struct EncodedTile {
  std::vector<std::byte> bytes;
  std::uint64_t checksum = 0;  ///< of the content: the same for every compressor and version of it
};

/// Encodes the tables of a tile; table i belongs to slot number slots[i]. Deterministic for one version of
/// zstd.
[[nodiscard]] Result<EncodedTile> encode_tile(std::int64_t tile_x, std::int64_t tile_y,
                                              std::span<const std::uint32_t> slots,
                                              std::span<const InstanceTable> tables,
                                              TileCompression compression = TileCompression::kZstd);

struct DecodedTile {
  std::int64_t tile_x = 0;
  std::int64_t tile_y = 0;
  std::uint64_t checksum = 0;
  std::vector<std::uint32_t> slots;
  std::vector<InstanceTable> tables;
};

/// Decodes any bytes safely: what is not a tile file, complete and unharmed, is kCorrupt (kUnsupported when
/// only the format version is newer). Memory stays in proportion to the input. Positions lie within the
/// coordinate limit; the order of rows is not checked here. `where` names the file in errors.
[[nodiscard]] Result<DecodedTile> decode_tile(std::span<const std::byte> bytes, const std::string& where);

/// Whether the bytes are a whole tile file of this content checksum. Every byte is looked at, none is
/// decompressed.
[[nodiscard]] bool tile_file_whole(std::span<const std::byte> bytes, std::uint64_t checksum) noexcept;

/// Steps of 1 / 1024 m, rounded to nearest; a value that no step holds gives the lowest, which is none.
[[nodiscard]] inline std::int32_t z_steps_of(double z) noexcept {
  constexpr double kHighest = 2000000;
  return std::fabs(z) <= kHighest ? static_cast<std::int32_t>(std::floor(z * 1024.0 + 0.5))
                                  : std::numeric_limits<std::int32_t>::min();
}

/// Whether the rows are in the order of PointSet; otherwise `row` is the first one that comes too late.
[[nodiscard]] bool rows_in_order(const InstanceTable& table, std::size_t& row) noexcept;

}  // namespace strew
