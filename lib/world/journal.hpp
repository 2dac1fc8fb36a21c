// The journal of a bake: one record per finished tile, appended as tiles are finished, kept when the bake is.
// It is what a stopped bake goes on from, and what a later bake compares its inputs with. docs/tile_format.md
// describes its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "strew/scatter.hpp"
#include "tile_grid.hpp"

namespace strew {

inline constexpr std::string_view kJournalName = "bake.journal";
inline constexpr std::uint32_t kJournalVersion = 1;

/// What is known of one finished tile.
struct TileRecord {
  TileIndex tile;
  std::uint64_t bytes = 0;        ///< size of its file; 0: the tile is empty and has none
  std::uint64_t checksum = 0;     ///< content checksum of its file
  std::uint64_t hash_sum = 0;     ///< SetHash::sum of its instances
  std::uint64_t fingerprint = 0;  ///< of the terrain that it was made from
  std::vector<SlotReport> reports;

  [[nodiscard]] std::uint64_t instances() const noexcept;
};

/// All records of a bake have one size, given by its slots and their species; so record i stands at a known
/// place.
class RecordShape {
 public:
  RecordShape() = default;
  /// `species`: how many species each slot has.
  explicit RecordShape(std::vector<std::size_t> species);
  [[nodiscard]] std::size_t slots() const noexcept { return species_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// Precondition of both: bytes() bytes at the pointer.
  void encode(const TileRecord& record, std::byte* to) const;
  /// False when the bytes are no record that encode() wrote.
  [[nodiscard]] bool decode(const std::byte* from, TileRecord& record) const;

 private:
  std::vector<std::size_t> species_;  // per slot
  std::size_t bytes_ = 0;
};
/// A mark: the tiles of all records before position `covered` have reached the disk.
void encode_mark(std::uint64_t covered, std::span<std::byte> record);
[[nodiscard]] bool decode_mark(std::span<const std::byte> record, std::uint64_t& covered) noexcept;

/// Whose journal it is.
struct JournalHead {
  std::uint64_t key =
      0;  ///< of everything that makes a tile but its terrain; records of another key are void
  std::uint64_t inputs_stamp = 0;  ///< of the terrain's files; 0: unknown. The same stamp: the same terrain
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
  std::uint32_t record_bytes = 0;
};

/// A journal file that is read by record and appended to. Appending is one write of a whole record, so that a
/// process killed at any moment leaves whole records and at most one torn one at the end, which open() drops.
class Journal {
 public:
  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  /// kNotFound when there is none, kCorrupt when its head is damaged, kUnsupported when it is of a newer
  /// version. A torn end is cut off.
  [[nodiscard]] Status open(const std::string& path);
  /// Replaces what is at `path` by an empty journal.
  [[nodiscard]] Status create(const std::string& path, const JournalHead& head);
  [[nodiscard]] const JournalHead& head() const noexcept { return head_; }
  /// Whole records, marks included.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Records [first, first + bytes.size() / record_bytes).
  [[nodiscard]] Status read(std::uint64_t first, std::span<std::byte> bytes) const;
  /// Precondition: whole records. Not thread-safe.
  [[nodiscard]] Status append(std::span<const std::byte> records);
  /// Waits until what was appended is on the disk.
  [[nodiscard]] Status flush() const;
  void close() noexcept;

 private:
  std::string path_;
  JournalHead head_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
  bool writable_ = false;
};

/// The 64 bytes at the front of a journal.
[[nodiscard]] std::vector<std::byte> journal_head_bytes(const JournalHead& head);

}  // namespace strew
