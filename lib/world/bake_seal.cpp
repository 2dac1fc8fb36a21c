#include "bake_seal.hpp"

#include <filesystem>
#include <vector>

#include "atomic_write.hpp"
#include "manifest.hpp"
#include "tile_grid.hpp"

namespace strew {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

std::string in_folder(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / name).string();
}

/// Adds up records; integers only, so their order does not matter.
class Totals {
 public:
  Totals(Manifest& manifest, BakeSummary& summary) : manifest_(manifest), summary_(summary) {}
  void add(const TileRecord& record) {
    hash_.merge({record.hash_sum, record.instances()});
    summary_.reports.resize(record.reports.size());
    for (std::size_t i = 0; i < record.reports.size(); ++i) {
      summary_.reports[i].merge(record.reports[i]);
    }
    summary_.bytes += record.bytes;
    summary_.tiles += record.bytes != 0 ? 1U : 0U;
    ++summary_.tiles_total;
  }
  void finish() {
    summary_.instances = manifest_.instances = hash_.count;
    summary_.world_hash = manifest_.world_hash = hash_.digest();
  }

 private:
  Manifest& manifest_;
  BakeSummary& summary_;
  SetHash hash_;
};

Status read_record(const Journal& journal, std::uint64_t position, const RecordShape& shape,
                   std::vector<std::byte>& bytes, TileRecord& record) {
  bytes.resize(shape.bytes());
  STREW_RETURN_IF_ERROR(journal.read(position, bytes));
  return shape.decode(bytes.data(), record)
             ? Status{}
             : make_error(StatusCode::kCorrupt, "has a damaged record; bake again",
                          std::string(kJournalName));
}

/// The manifest from the compacted journal, tile by tile.
Status write_manifest(const std::string& folder, const RecordShape& shape, const Manifest& manifest) {
  STREW_ASSIGN(std::string text, manifest_head(manifest));
  Journal journal;
  STREW_RETURN_IF_ERROR(journal.open(in_folder(folder, kJournalName)));
  AtomicFile file;
  STREW_RETURN_IF_ERROR(file.open(in_folder(folder, kManifestName)));
  text.reserve(text.size() + 2 * kBufferBytes);
  bool first = true;
  std::vector<std::byte> bytes;
  TileRecord record;
  BakedTile tile;
  for (std::uint64_t i = 0; i < journal.size(); ++i) {
    STREW_RETURN_IF_ERROR(read_record(journal, i, shape, bytes, record));
    if (record.bytes == 0) {
      continue;
    }
    tile = {record.tile.x, record.tile.y, tile_file_name(record.tile), record.bytes, record.checksum, {}};
    for (const SlotReport& report : record.reports) {
      tile.counts.push_back(report.placed);
    }
    text += manifest_tile(tile, first);
    first = false;
    if (text.size() >= kBufferBytes) {
      STREW_RETURN_IF_ERROR(file.write(std::as_bytes(std::span(text))));
      text.clear();
    }
  }
  text += manifest_tail(!first);
  STREW_RETURN_IF_ERROR(file.write(std::as_bytes(std::span(text))));
  return file.commit();
}

}  // namespace

Status sum_records(const RecordPlaces& places, const RecordShape& shape, Manifest& manifest,
                   BakeSummary& summary) {
  Totals totals(manifest, summary);
  std::vector<std::byte> bytes;
  TileRecord record;
  STREW_RETURN_IF_ERROR(places.for_each([&](const RecordPlace& place) -> Status {
    STREW_RETURN_IF_ERROR(read_record(*place.journal, place.position, shape, bytes, record));
    totals.add(record);
    return {};
  }));
  totals.finish();
  return {};
}

Status seal_bake(const std::string& folder, const RecordPlaces& places, const RecordShape& shape,
                 const JournalHead& head, Manifest& manifest, BakeSummary& summary) {
  // The tiles reach the disk before what vouches for them.
  STREW_RETURN_IF_ERROR(flush_written(in_folder(folder, kTileFolder)));
  AtomicFile file;
  STREW_RETURN_IF_ERROR(file.open(in_folder(folder, kJournalName)));
  STREW_RETURN_IF_ERROR(file.write(journal_head_bytes(head)));
  Totals totals(manifest, summary);
  std::vector<std::byte> bytes;
  TileRecord record;
  STREW_RETURN_IF_ERROR(places.for_each([&](const RecordPlace& place) -> Status {
    STREW_RETURN_IF_ERROR(read_record(*place.journal, place.position, shape, bytes, record));
    totals.add(record);
    return file.write(bytes);
  }));
  totals.finish();
  STREW_RETURN_IF_ERROR(file.commit());
  STREW_RETURN_IF_ERROR(write_manifest(folder, shape, manifest));
  return flush_folder(folder);
}

}  // namespace strew
