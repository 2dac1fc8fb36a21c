#include <zstd.h>

#include <algorithm>
#include <bit>
#include <new>

#include "bytes.hpp"
#include "tile_layout.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

Status corrupt(const std::string& where, std::string message) {
  return make_error(StatusCode::kCorrupt, std::move(message), where);
}

struct Header {
  std::uint32_t version = 1;
  std::uint32_t slot_count = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t stored_bytes = 0;
  TileCompression compression = TileCompression::kStored;
};

/// Checks everything about the file that does not need the payload.
Result<Header> read_header(std::span<const std::byte> bytes, const std::string& where) {
  using namespace tile_layout;
  if (bytes.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
    return corrupt(where, "is not a tile file: it does not begin with STREWTL");
  }
  if (bytes.size() < kHeaderBytes + kTrailerBytes) {
    return corrupt(where, "is cut short within its header; bake again");
  }
  // Every version ends with this checksum, so that damage is told from a newer format.
  const std::span<const std::byte> covered = bytes.first(bytes.size() - kTrailerBytes);
  if (checksum_bytes(0, covered) != load_word<std::uint64_t>(bytes.data() + covered.size())) {
    return corrupt(where, "fails its checksum: it was cut short or altered; bake again");
  }
  const auto version = load_word<std::uint32_t>(bytes.data() + kVersionAt);
  if (version > kTileFormatVersion) {
    return make_error(StatusCode::kUnsupported,
                      "has tile format version " + std::to_string(version) + "; this strew reads up to " +
                          std::to_string(kTileFormatVersion) + ", use a newer one",
                      where);
  }
  Header header;
  header.version = version;
  header.slot_count = load_word<std::uint32_t>(bytes.data() + kSlotCountAt);
  header.payload_bytes = load_word<std::uint64_t>(bytes.data() + kPayloadBytesAt);
  header.stored_bytes = load_word<std::uint64_t>(bytes.data() + kStoredBytesAt);
  const auto compression = load_word<std::uint32_t>(bytes.data() + kCompressionAt);
  if (version == 0 || compression > static_cast<std::uint32_t>(TileCompression::kZstd) ||
      load_word<std::uint32_t>(bytes.data() + kReservedAt) != 0) {
    return corrupt(where, "has an unknown version, compression or reserved field");
  }
  header.compression = static_cast<TileCompression>(compression);
  const bool fits = header.compression == TileCompression::kStored
                        ? header.payload_bytes == header.stored_bytes
                        : header.payload_bytes / kMaxExpansion <= header.stored_bytes;
  if (!fits || header.stored_bytes != covered.size() - kHeaderBytes || header.slot_count > kMaxSlots ||
      header.payload_bytes < header.slot_count * kEntryBytes) {
    return corrupt(where, "has sizes in its header that contradict each other");
  }
  return header;
}

Status decompress(std::span<const std::byte> stored, std::uint64_t payload_bytes,
                  std::vector<std::byte>& payload, const std::string& where) {
  // The frame's own idea of its size is asked before anything is allocated for it.
  const std::size_t frame = ZSTD_findFrameCompressedSize(stored.data(), stored.size());
  if (ZSTD_isError(frame) != 0 || frame != stored.size() ||
      ZSTD_getFrameContentSize(stored.data(), stored.size()) != payload_bytes) {
    return corrupt(where, "does not hold one zstd frame of the size its header says");
  }
  payload.resize(payload_bytes);
  const std::size_t written = ZSTD_decompress(payload.data(), payload.size(), stored.data(), stored.size());
  if (ZSTD_isError(written) != 0 || written != payload.size()) {
    return corrupt(where, "does not decompress; bake again");
  }
  return {};
}

template <class Word>
std::vector<Word> read_planes(const std::byte*& from, std::size_t count) {
  std::vector<Word> words(count);
  for (std::size_t plane = 0; plane < sizeof(Word); ++plane) {
    for (std::size_t i = 0; i < count; ++i) {
      words[i] =
          static_cast<Word>(words[i] | static_cast<Word>(std::to_integer<Word>(from[i]) << (8 * plane)));
    }
    from += count;
  }
  return words;
}

template <class Word>
std::vector<Word> read_column(const std::byte*& from, std::size_t count, std::uint8_t code) {
  std::vector<Word> words = read_planes<Word>(from, count);
  if (code == tile_layout::kDelta) {
    Word value = 0;
    for (Word& word : words) {
      value += static_cast<Word>(word >> 1) ^ static_cast<Word>(0 - (word & 1U));
      word = value;
    }
  }
  return words;
}

/// Adds the base; false when an index lies beyond the coordinate limit.
template <class Word>
bool to_indices(const std::vector<Word>& offsets, std::int64_t base, Coord pitch,
                std::vector<std::int64_t>& out) {
  const std::int64_t limit = kCoordLimit / pitch;
  out.resize(offsets.size());
  bool inside = true;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    out[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(base) + offsets[i]);
    inside = inside && out[i] >= -limit && out[i] <= limit;
  }
  return inside;
}

struct Entry {
  std::size_t count = 0;
  std::int64_t base_x = 0;
  std::int64_t base_y = 0;
  std::uint8_t width = 0;
  std::uint8_t code_x = 0;
  std::uint8_t code_y = 0;
  std::uint8_t code_z = 0;
  std::uint8_t exact = 0;

  [[nodiscard]] std::uint64_t column_bytes() const noexcept {
    return std::uint64_t{count} * (std::uint64_t{2} * width + tile_layout::rest_bytes(exact != 0));
  }
};

/// Reads entry `i` of the payload into `tile` and `entry`; false when a field is impossible.
bool read_entry(const std::byte* from, std::uint32_t version, DecodedTile& tile, Entry& entry) {
  using namespace tile_layout;
  const auto slot = load_word<std::uint32_t>(from + kEntrySlotAt);
  Lattice lattice;
  lattice.pitch = load_word<std::int64_t>(from + kEntryPitchAt);
  lattice.identity_step = load_word<std::int64_t>(from + kEntryIdentityStepAt);
  entry.count = load_word<std::uint32_t>(from + kEntryCountAt);
  entry.base_x = load_word<std::int64_t>(from + kEntryBaseXAt);
  entry.base_y = load_word<std::int64_t>(from + kEntryBaseYAt);
  entry.width = load_word<std::uint8_t>(from + kEntryWidthAt);
  entry.code_x = load_word<std::uint8_t>(from + kEntryCodeXAt);
  entry.code_y = load_word<std::uint8_t>(from + kEntryCodeYAt);
  entry.code_z = load_word<std::uint8_t>(from + kEntryCodeZAt);
  entry.exact = load_word<std::uint8_t>(from + kEntryExactAt);
  const bool rest_is_zero =
      std::all_of(from + kEntryReservedAt, from + kEntryReservedAt + kEntryReservedBytes,
                  [](std::byte byte) { return byte == std::byte{0}; });
  const bool repeated = std::find(tile.slots.begin(), tile.slots.end(), slot) != tile.slots.end();
  tile.slots.push_back(slot);
  tile.tables.emplace_back().lattice = lattice;
  return !repeated && slot < kMaxSlots && lattice.pitch >= 1 && lattice.identity_step >= 1 &&
         (entry.width == 4 || entry.width == 8) && entry.code_x <= kDelta && entry.code_y <= kDelta &&
         entry.code_z <= kDelta && entry.exact <= (version >= 2 ? 1U : 0U) && rest_is_zero;
}

template <class Word>
bool read_positions(const std::byte*& from, const Entry& entry, InstanceTable& table) {
  const std::vector<Word> x = read_column<Word>(from, entry.count, entry.code_x);
  const std::vector<Word> y = read_column<Word>(from, entry.count, entry.code_y);
  return to_indices(x, entry.base_x, table.lattice.pitch, table.x) &&
         to_indices(y, entry.base_y, table.lattice.pitch, table.y);
}

/// False when an altitude is none that a table holds.
bool read_exact(const std::byte*& from, const Entry& entry, InstanceTable& table) {
  const auto bits = read_column<std::uint64_t>(from, entry.count, entry.code_z);
  table.species = read_planes<std::uint16_t>(from, entry.count);
  table.yaw_exact = read_planes<std::uint32_t>(from, entry.count);
  table.scale_exact = read_planes<std::uint32_t>(from, entry.count);
  bool good = true;
  for (std::size_t i = 0; i < entry.count; ++i) {
    const auto z = std::bit_cast<double>(bits[i]);
    const std::int32_t steps = z_steps_of(z);
    good = good && steps != std::numeric_limits<std::int32_t>::min();
    table.z_exact.push_back(z);
    table.z_steps.push_back(steps);
    table.yaw.push_back(static_cast<std::uint16_t>(table.yaw_exact[i] >> 16));
    table.scale.push_back(static_cast<std::uint16_t>(table.scale_exact[i] >> 16));
  }
  return good;
}

/// False when a value is impossible.
bool read_table(const std::byte*& from, const Entry& entry, InstanceTable& table) {
  const bool inside = entry.width == 4 ? read_positions<std::uint32_t>(from, entry, table)
                                       : read_positions<std::uint64_t>(from, entry, table);
  if (entry.exact != 0) {
    return read_exact(from, entry, table) && inside;
  }
  const auto z = read_column<std::uint32_t>(from, entry.count, entry.code_z);
  table.z_steps.assign(z.begin(), z.end());
  table.species = read_planes<std::uint16_t>(from, entry.count);
  table.yaw = read_planes<std::uint16_t>(from, entry.count);
  table.scale = read_planes<std::uint16_t>(from, entry.count);
  return inside;
}

Status read_payload(std::span<const std::byte> payload, const Header& header, DecodedTile& tile,
                    const std::string& where) {
  using namespace tile_layout;
  std::vector<Entry> entries(header.slot_count);
  std::uint64_t expected = header.slot_count * kEntryBytes;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!read_entry(payload.data() + i * kEntryBytes, header.version, tile, entries[i])) {
      return corrupt(where, "has an impossible entry for its table " + std::to_string(i));
    }
    expected += entries[i].column_bytes();
  }
  // Checked before the first column is allocated: from here on every read lies inside the payload.
  if (expected != payload.size()) {
    return corrupt(where, "has columns of " + std::to_string(expected) + " bytes in a payload of " +
                              std::to_string(payload.size()));
  }
  const std::byte* from = payload.data() + header.slot_count * kEntryBytes;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!read_table(from, entries[i], tile.tables[i])) {
      return corrupt(where,
                     "has a position or an altitude beyond the limits in its table " + std::to_string(i));
    }
  }
  return {};
}

}  // namespace

Result<DecodedTile> decode_tile(std::span<const std::byte> bytes, const std::string& where) {
  using namespace tile_layout;
  try {
    STREW_ASSIGN(const Header header, read_header(bytes, where));
    DecodedTile tile;
    tile.tile_x = load_word<std::int64_t>(bytes.data() + kTileXAt);
    tile.tile_y = load_word<std::int64_t>(bytes.data() + kTileYAt);
    tile.checksum = load_word<std::uint64_t>(bytes.data() + kChecksumAt);
    const std::span<const std::byte> stored = bytes.subspan(kHeaderBytes, header.stored_bytes);
    std::vector<std::byte> unpacked;
    if (header.compression == TileCompression::kZstd) {
      STREW_RETURN_IF_ERROR(decompress(stored, header.payload_bytes, unpacked, where));
    }
    const std::span<const std::byte> payload =
        header.compression == TileCompression::kZstd ? std::span<const std::byte>(unpacked) : stored;
    if (checksum_bytes(checksum_bytes(0, bytes.first(kContentEnd)), payload) != tile.checksum) {
      return corrupt(where, "fails the checksum of its content; bake again");
    }
    STREW_RETURN_IF_ERROR(read_payload(payload, header, tile, where));
    return tile;
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory to decode the tile", where);
  }
}

bool tile_file_whole(std::span<const std::byte> bytes, std::uint64_t checksum) noexcept {
  using namespace tile_layout;
  if (bytes.size() < kHeaderBytes + kTrailerBytes) {
    return false;
  }
  const std::span<const std::byte> covered = bytes.first(bytes.size() - kTrailerBytes);
  return load_word<std::uint64_t>(bytes.data() + kChecksumAt) == checksum &&
         load_word<std::uint64_t>(bytes.data() + covered.size()) == checksum_bytes(0, covered);
}

bool rows_in_order(const InstanceTable& table, std::size_t& row) noexcept {
  const std::int64_t step = table.lattice.identity_step;
  for (std::size_t i = 1; i < table.size(); ++i) {
    const std::int64_t before_y = floor_div(table.y[i - 1], step);
    const std::int64_t after_y = floor_div(table.y[i], step);
    if (before_y != after_y) {
      if (before_y < after_y) {
        continue;
      }
      row = i;
      return false;
    }
    const std::int64_t before_x = floor_div(table.x[i - 1], step);
    const std::int64_t after_x = floor_div(table.x[i], step);
    const bool in_order = before_x != after_x            ? before_x < after_x
                          : table.y[i - 1] != table.y[i] ? table.y[i - 1] < table.y[i]
                                                         : table.x[i - 1] <= table.x[i];
    if (!in_order) {
      row = i;
      return false;
    }
  }
  return true;
}

}  // namespace strew
