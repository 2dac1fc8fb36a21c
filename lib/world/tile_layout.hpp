// Offsets and sizes shared by the writer and the reader of tile files. docs/tile_format.md is their
// description.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace strew::tile_layout {

inline constexpr std::array<std::byte, 8> kMagic = {std::byte{'S'}, std::byte{'T'}, std::byte{'R'},
                                                    std::byte{'E'}, std::byte{'W'}, std::byte{'T'},
                                                    std::byte{'L'}, std::byte{'\n'}};
inline constexpr std::size_t kVersionAt = 8;
inline constexpr std::size_t kSlotCountAt = 12;
inline constexpr std::size_t kTileXAt = 16;
inline constexpr std::size_t kTileYAt = 24;
inline constexpr std::size_t kPayloadBytesAt = 32;
/// The content checksum covers the header up to here and the payload; what follows says only how it is
/// stored.
inline constexpr std::size_t kContentEnd = 40;
inline constexpr std::size_t kCompressionAt = 40;
inline constexpr std::size_t kReservedAt = 44;
inline constexpr std::size_t kStoredBytesAt = 48;
inline constexpr std::size_t kChecksumAt = 56;
inline constexpr std::size_t kHeaderBytes = 64;
inline constexpr std::size_t kTrailerBytes = 8;

/// One entry per slot at the start of the payload.
inline constexpr std::size_t kEntrySlotAt = 0;
inline constexpr std::size_t kEntryCountAt = 4;
inline constexpr std::size_t kEntryPitchAt = 8;
inline constexpr std::size_t kEntryIdentityStepAt = 16;
inline constexpr std::size_t kEntryBaseXAt = 24;
inline constexpr std::size_t kEntryBaseYAt = 32;
inline constexpr std::size_t kEntryWidthAt = 40;
inline constexpr std::size_t kEntryCodeXAt = 41;
inline constexpr std::size_t kEntryCodeYAt = 42;
inline constexpr std::size_t kEntryCodeZAt = 43;
inline constexpr std::size_t kEntryExactAt = 44;  ///< since version 2; 0 in version 1
inline constexpr std::size_t kEntryReservedAt = 45;
inline constexpr std::size_t kEntryReservedBytes = 3;
inline constexpr std::size_t kEntryBytes = 48;

inline constexpr std::uint8_t kPlain = 0;
inline constexpr std::uint8_t kDelta = 1;  ///< zigzag of the difference to the row before

/// Bytes of one row besides x and y: z, species, yaw, scale.
inline constexpr std::size_t kRestBytes = 4 + 3 * 2;
inline constexpr std::size_t kExactRestBytes = 8 + 2 + 2 * 4;
[[nodiscard]] constexpr std::size_t rest_bytes(bool exact) noexcept {
  return exact ? kExactRestBytes : kRestBytes;
}
/// A zstd block holds at most 128 KiB and takes at least 3 bytes, so no frame expands further than this.
inline constexpr std::uint64_t kMaxExpansion = 65536;

}  // namespace strew::tile_layout
