// What an earlier bake left in a folder, and what of it still holds.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "atomic_write.hpp"
#include "bake_folder.hpp"
#include "bake_job_impl.hpp"
#include "manifest.hpp"
#include "number_text.hpp"
#include "parallel.hpp"
#include "tile_inputs.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDamagedNamed = 16;

enum class Fate : std::uint8_t { kMissing = 0, kKept, kChanged, kDamaged };

Status start_anew(BakeJob::Impl& job) {
  STREW_RETURN_IF_ERROR(prepare_bake_folder(job.folder, job.options.force));
  STREW_RETURN_IF_ERROR(job.journal.create(job.path_of(kJournalName), job.head));
  return flush_folder(job.folder);
}

std::string text_of(const Rect& rect) {
  return "(" + number_text(to_metres(rect.x0)) + ", " + number_text(to_metres(rect.y0)) + ") to (" +
         number_text(to_metres(rect.x1)) + ", " + number_text(to_metres(rect.y1)) + ")";
}

/// What a finished bake says of itself that this one does not; empty where its manifest cannot tell.
std::string differences(const BakeJob::Impl& job) {
  const Result<Manifest> read = load_manifest(job.folder);
  if (!read.ok()) {
    return {};
  }
  const Manifest& theirs = read.value();
  const Manifest& ours = job.manifest;
  std::string list;
  const auto differs = [&](const char* what, const std::string& their, const std::string& our) {
    if (their != our) {
      list += (list.empty() ? ": its " : ", its ") + std::string(what) + " " + their + ", not " + our;
    }
  };
  differs("seed is", std::to_string(theirs.seed), std::to_string(ours.seed));
  differs("extent is", text_of(theirs.extent), text_of(ours.extent));
  differs("region is", text_of(theirs.region), text_of(ours.region));
  differs("tile size is", number_text(to_metres(theirs.tile_size)), number_text(to_metres(ours.tile_size)));
  differs("version of the generators is", std::to_string(theirs.output_version),
          std::to_string(ours.output_version));
  differs("columns are", theirs.exact_columns ? "exact" : "quantised",
          ours.exact_columns ? "exact" : "quantised");
  return list.empty() && theirs.world_json != ours.world_json ? ": the world file says something else now"
                                                              : list;
}

Status check_same_bake(const BakeJob::Impl& job, bool finished) {
  const JournalHead& found = job.journal.head();
  const std::string what = finished ? "holds a finished bake" : "holds an unfinished bake";
  const std::string remedy = "; give another folder, or replace it with --force";
  if (found.key != job.head.key || found.record_bytes != job.head.record_bytes) {
    return invalid_argument(what + " of another world, seed, region, tile size or version of strew" +
                                (finished ? differences(job) : std::string()) + remedy,
                            job.folder);
  }
  if (found.shard != job.head.shard || found.shards != job.head.shards) {
    return invalid_argument(what + " of shard " + std::to_string(found.shard) + "/" +
                                std::to_string(found.shards) + ", not " + std::to_string(job.head.shard) +
                                "/" + std::to_string(job.head.shards) + remedy,
                            job.folder);
  }
  return {};
}

/// Finds each tile's last record. `durable`: records below it are of tiles that reached the disk.
Status index_records(BakeJob::Impl& job, std::uint64_t& durable) {
  const std::size_t record_bytes = job.shape.bytes();
  const std::uint64_t chunk = std::max<std::uint64_t>(1, (std::uint64_t{1} << 20) / record_bytes);
  std::vector<std::byte> bytes;
  TileRecord record;
  for (std::uint64_t first = 0; first < job.journal.size(); first += chunk) {
    const std::uint64_t count = std::min(chunk, job.journal.size() - first);
    bytes.resize(count * record_bytes);
    STREW_RETURN_IF_ERROR(job.journal.read(first, bytes));
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::span<const std::byte> one = std::span(bytes).subspan(i * record_bytes, record_bytes);
      std::uint64_t covered = 0;
      if (decode_mark(one, covered)) {
        durable = std::max(durable, covered);
      } else if (job.shape.decode(one.data(), record)) {
        if (const std::uint64_t tile = job.tiles.find(record.tile); tile < job.tiles.size()) {
          job.record_at[tile] = static_cast<std::uint32_t>(first + i);
        }
      }
      // What is neither was torn by a crash of the machine: its tile is made again.
    }
  }
  return {};
}

bool file_holds(const BakeJob::Impl& job, const TileRecord& record, bool by_size) {
  if (record.bytes == 0) {
    return true;
  }
  const std::string path = job.path_of(tile_file_name(record.tile));
  std::error_code error;
  if (fs::file_size(path, error) != record.bytes || error) {
    return false;
  }
  if (by_size) {
    return true;
  }
  const auto bytes = read_whole_file(path);
  return bytes.ok() && tile_file_whole(bytes.value(), record.checksum);
}

Result<Fate> judge(BakeJob::Impl& job, std::size_t tile, bool same_inputs, std::uint64_t trusted) {
  const std::uint32_t position = job.record_at[tile];
  if (position == BakeJob::Impl::kNoRecord) {
    return Fate::kMissing;
  }
  std::vector<std::byte> bytes(job.shape.bytes());
  TileRecord record;
  STREW_RETURN_IF_ERROR(job.journal.read(position, bytes));
  if (!job.shape.decode(bytes.data(), record)) {
    return Fate::kDamaged;
  }
  if (!same_inputs) {
    const WatchedTerrain watched(job.terrain);
    TerrainWindow window;
    STREW_RETURN_IF_ERROR(watched.window(job.scatter.terrain_needed(job.area_of(job.tiles[tile])), window));
    std::uint64_t counted = 0;
    RunContext serial = job.context;
    serial.executor = nullptr;
    STREW_RETURN_IF_ERROR(job.census.fingerprint(job.area_of(job.tiles[tile]), serial, counted));
    if (tile_fingerprint(watched.fingerprint(), counted) != record.fingerprint) {
      return Fate::kChanged;
    }
  }
  return file_holds(job, record, position < trusted) ? Fate::kKept : Fate::kDamaged;
}

/// The journal without the records of tiles that are to be made again, so that no record ever vouches for a
/// file of a later state.
Status drop_stale_records(BakeJob::Impl& job, std::uint64_t durable) {
  const std::string path = job.path_of(kJournalName);
  AtomicFile file;
  STREW_RETURN_IF_ERROR(file.open(path));
  STREW_RETURN_IF_ERROR(file.write(journal_head_bytes(job.head)));
  std::vector<std::byte> bytes(job.shape.bytes());
  std::uint32_t next = 0;
  std::uint32_t covered = 0;
  for (const bool wanted : {true, false}) {  // those on the disk first, then a mark, then the rest
    for (std::uint32_t& position : job.record_at) {
      if (position != BakeJob::Impl::kNoRecord && (position < durable) == wanted) {
        STREW_RETURN_IF_ERROR(job.journal.read(position, bytes));
        STREW_RETURN_IF_ERROR(file.write(bytes));
        ++next;
      }
    }
    if (wanted) {
      covered = next;
      encode_mark(covered, bytes);
      STREW_RETURN_IF_ERROR(file.write(bytes));
    }
  }
  STREW_RETURN_IF_ERROR(file.commit());
  STREW_RETURN_IF_ERROR(job.journal.open(path));
  std::fill(job.record_at.begin(), job.record_at.end(), BakeJob::Impl::kNoRecord);
  std::uint64_t unused = 0;
  return index_records(job, unused);
}

void remove_half_written(const std::string& tile_folder) {
  std::vector<fs::path> stale;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(tile_folder, error)) {
    if (entry.path().filename().string().ends_with(kTemporarySuffix)) {
      stale.push_back(entry.path());
    }
  }
  for (const fs::path& path : stale) {
    fs::remove(path, error);
  }
}

Status sort_out(BakeJob::Impl& job, bool finished) {
  std::uint64_t durable = finished ? job.journal.size() : 0;
  STREW_RETURN_IF_ERROR(index_records(job, durable));
  const bool same_inputs =
      job.head.inputs_stamp != 0 && job.head.inputs_stamp == job.journal.head().inputs_stamp;
  // A finished bake may be old, and its files anywhere since: each is looked at, unless the caller vouches
  // for them.
  const std::uint64_t trusted = finished && !job.options.trust_files ? 0 : durable;
  std::vector<Fate> fates(job.tiles.size());
  RunContext context = job.context;
  context.progress = nullptr;
  if (!same_inputs) {
    std::vector<std::uint32_t> recorded;
    for (std::uint32_t tile = 0; tile < job.tiles.size(); ++tile) {
      if (job.record_at[tile] != BakeJob::Impl::kNoRecord) {
        recorded.push_back(tile);
      }
    }
    STREW_RETURN_IF_ERROR(job.count_for(recorded));
  }
  STREW_RETURN_IF_ERROR(
      parallel_for(context, job.tiles.size(), [&](std::uint64_t tile, std::uint32_t) -> Status {
        STREW_ASSIGN(fates[tile], judge(job, tile, same_inputs, trusted));
        return {};
      }));
  bool stale = false;
  for (std::uint32_t tile = 0; tile < fates.size(); ++tile) {
    if (fates[tile] == Fate::kKept) {
      continue;
    }
    job.pending.push_back(tile);
    job.record_at[tile] = BakeJob::Impl::kNoRecord;
    stale = stale || fates[tile] != Fate::kMissing;
    job.summary.tiles_changed += fates[tile] == Fate::kChanged ? 1U : 0U;
    if (fates[tile] == Fate::kDamaged && ++job.summary.tiles_damaged <= kDamagedNamed) {
      job.summary.damaged.push_back(tile_file_name(job.tiles[tile]));
    }
  }
  const bool same_stamp = job.head.inputs_stamp == job.journal.head().inputs_stamp;
  if (finished && job.pending.empty() && same_stamp) {
    job.sealed = true;
    return {};
  }
  if (stale || !same_stamp) {
    STREW_RETURN_IF_ERROR(drop_stale_records(job, durable));
  }
  if (finished) {
    // From here on the folder is an unfinished bake.
    std::error_code error;
    fs::remove(job.path_of(kManifestName), error);
    if (error) {
      return make_error(StatusCode::kIo, "cannot be removed: " + error.message(), job.path_of(kManifestName));
    }
    STREW_RETURN_IF_ERROR(flush_folder(job.folder));
  }
  fs::create_directories(job.path_of(kTileFolder));
  remove_half_written(job.path_of(kTileFolder));
  return {};
}

}  // namespace

Status take_up(BakeJob::Impl& job) {
  STREW_RETURN_IF_ERROR(job.lock.take(job.folder));
  job.record_at.assign(job.tiles.size(), BakeJob::Impl::kNoRecord);
  std::error_code error;
  const bool finished = fs::exists(job.path_of(kManifestName), error);
  const bool begun = fs::exists(job.path_of(kJournalName), error);
  if (job.options.force || !begun) {
    STREW_RETURN_IF_ERROR(start_anew(job));
    job.pending.resize(job.tiles.size());
    std::iota(job.pending.begin(), job.pending.end(), 0U);
    return {};
  }
  if (finished) {
    STREW_RETURN_IF_ERROR(check_manifest_version(job.path_of(kManifestName)));
  }
  STREW_RETURN_IF_ERROR(job.journal.open(job.path_of(kJournalName)));
  STREW_RETURN_IF_ERROR(check_same_bake(job, finished));
  return sort_out(job, finished);
}

}  // namespace strew
