#include "strew/world/bake_job.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "atomic_write.hpp"
#include "bake_job_impl.hpp"
#include "bake_plan.hpp"
#include "bake_seal.hpp"
#include "guard.hpp"
#include "manifest.hpp"
#include "shards.hpp"
#include "tile_inputs.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

using Clock = std::chrono::steady_clock;

// A crash of the machine costs at most the checks of the tiles since the last mark, and their making where
// they were lost.
constexpr std::chrono::seconds kMarkInterval{20};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Status BakeJob::Impl::plan() {
  STREW_ASSIGN(manifest, plan_manifest(scatter, options));
  // Whatever the manifest cannot hold is found before hours of work, not after.
  if (const Result<std::string> text = manifest_head(manifest); !text.ok()) {
    return text.status();
  }
  grid = TileGrid::over(manifest.region, manifest.tile_size);
  tiles = TileShare(grid, options.shard, options.shards);
  std::vector<std::size_t> species;
  for (const SlotInfo& slot : scatter.slots()) {
    slot_numbers.push_back(slot.slot);
    species.push_back(slot.species.size());
  }
  shape = RecordShape(std::move(species));
  head = {bake_key(scatter, manifest), options.inputs_stamp, options.shard, options.shards,
          static_cast<std::uint32_t>(shape.bytes())};
  workers.resize(worker_count(context));
  return {};
}

Status BakeJob::Impl::count_for(std::span<const std::uint32_t> tile_numbers) {
  const std::vector<LayerSpec>& layers = scatter.spec().layers;
  if (std::none_of(layers.begin(), layers.end(),
                   [](const LayerSpec& one) { return one.amount.has_value(); })) {
    return {};
  }
  std::vector<Rect> areas;
  areas.reserve(tile_numbers.size());
  for (const std::uint32_t tile : tile_numbers) {
    areas.push_back(area_of(tiles[tile]));
  }
  return census.prepare(areas, context);
}

std::string BakeJob::Impl::path_of(std::string_view name) const {
  return (std::filesystem::path(folder) / name).string();
}

Result<BakeJob> BakeJob::own(const Scatter& scatter, const TerrainSource& terrain, const std::string& folder,
                             const BakeOptions& options, const RunContext& context) {
  return guarded([&]() -> Result<BakeJob> {
    auto impl = std::make_unique<Impl>(scatter, terrain, folder, options, context);
    STREW_RETURN_IF_ERROR(impl->plan());
    try {
      STREW_RETURN_IF_ERROR(take_up(*impl));
    } catch (const std::filesystem::filesystem_error& error) {
      return make_error(StatusCode::kIo, "cannot be made ready for a bake: " + error.code().message(),
                        folder);
    }
    STREW_RETURN_IF_ERROR(impl->count_for(impl->pending));
    return BakeJob(std::move(impl));
  });
}

Result<BakeJob> BakeJob::help(const Scatter& scatter, const TerrainSource& terrain, const std::string& folder,
                              const BakeOptions& options, const RunContext& context) {
  return guarded([&]() -> Result<BakeJob> {
    auto impl = std::make_unique<Impl>(scatter, terrain, folder, options, context);
    STREW_RETURN_IF_ERROR(impl->plan());
    // What counts the whole world is counted once, by all threads, before they ask for it one by one.
    const std::uint32_t first = 0;
    STREW_RETURN_IF_ERROR(
        impl->count_for({&first, impl->tiles.size() == 0 ? std::size_t{0} : std::size_t{1}}));
    return BakeJob(std::move(impl));
  });
}

BakeJob::BakeJob(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
BakeJob::BakeJob(BakeJob&&) noexcept = default;
BakeJob& BakeJob::operator=(BakeJob&&) noexcept = default;
BakeJob::~BakeJob() = default;

std::span<const std::uint32_t> BakeJob::pending() const noexcept {
  return impl_->pending;
}

Result<std::vector<std::byte>> BakeJob::make(std::uint64_t tile_index, std::uint32_t worker_number) {
  Impl& job = *impl_;
  if (tile_index >= job.tiles.size() || worker_number >= job.workers.size()) {
    return make_error(StatusCode::kInternal, "there is no such tile or worker");
  }
  const TileIndex tile = job.tiles[tile_index];
  try {
    Impl::Worker& worker = job.workers[worker_number];
    RunContext inner = job.context;
    inner.executor = nullptr;
    inner.progress = nullptr;
    inner.cancel = nullptr;  // a tile that is begun is finished
    const auto start = Clock::now();
    const WatchedTerrain terrain(job.terrain);
    // Nothing of a tile is kept for the next one: columns with room for the fullest tile so far would lie in
    // the memory of each tile after it, at places that the tiles before it chose.
    std::vector<InstanceTable> tables;
    TileRecord record{.tile = tile, .reports = std::vector<SlotReport>(job.slot_numbers.size())};
    STREW_RETURN_IF_ERROR(
        job.scatter.generate(job.area_of(tile), terrain, inner, tables, record.reports, &job.census));
    std::uint64_t counted = 0;
    STREW_RETURN_IF_ERROR(job.census.fingerprint(job.area_of(tile), inner, counted));
    record.fingerprint = tile_fingerprint(terrain.fingerprint(), counted);
    worker.seconds_read += terrain.seconds();
    worker.seconds_generate += seconds_since(start) - terrain.seconds();

    const auto write_start = Clock::now();
    SetHash hash;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      hash.merge(hash_instances(job.slot_numbers[i], tables[i]));
      record.reports[i].placed = tables[i].size();
    }
    record.hash_sum = hash.sum;
    const std::string path = job.path_of(tile_file_name(tile));
    if (hash.count != 0) {
      STREW_ASSIGN(const EncodedTile encoded, encode_tile(tile.x, tile.y, job.slot_numbers, tables));
      STREW_RETURN_IF_ERROR(write_atomically(path, encoded.bytes, Flush::kLater));
      record.bytes = encoded.bytes.size();
      record.checksum = encoded.checksum;
    } else {
      // A tile that has become empty, or one whose record was lost, may have left its file.
      std::filesystem::remove(path);
    }
    std::vector<std::byte> bytes(job.shape.bytes());
    job.shape.encode(record, bytes.data());
    worker.seconds_write += seconds_since(write_start);
    return bytes;
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory for a tile; use smaller tiles or fewer threads",
                      tile_file_name(tile));
  } catch (const std::filesystem::filesystem_error& error) {
    return make_error(StatusCode::kIo, "cannot be removed: " + error.code().message(), tile_file_name(tile));
  } catch (const std::exception& error) {
    return make_error(StatusCode::kInternal, error.what(), tile_file_name(tile));
  }
}

Result<std::uint64_t> BakeJob::commit(std::span<const std::byte> bytes) {
  Impl& job = *impl_;
  TileRecord record;
  if (bytes.size() != job.shape.bytes() || !job.shape.decode(bytes.data(), record) ||
      job.tiles.find(record.tile) == job.tiles.size()) {
    return make_error(StatusCode::kCorrupt, "is no record of a tile of this bake", "record");
  }
  const std::uint64_t tile = job.tiles.find(record.tile);
  std::unique_lock lock(job.mutex);
  if (job.record_at[tile] != Impl::kNoRecord) {
    return record.instances();
  }
  STREW_RETURN_IF_ERROR(job.journal.append(bytes));
  job.record_at[tile] = static_cast<std::uint32_t>(job.journal.size() - 1);
  ++job.summary.tiles_made;
  job.summary.instances_made += record.instances();
  if (!job.marking && Clock::now() - job.last_mark >= kMarkInterval) {
    job.marking = true;
    const std::uint64_t covered = job.journal.size();
    lock.unlock();
    Status flushed = flush_written(job.path_of(kTileFolder));
    std::vector<std::byte> mark(job.shape.bytes());
    encode_mark(covered, mark);
    lock.lock();
    job.marking = false;
    job.last_mark = Clock::now();
    STREW_RETURN_IF_ERROR(std::move(flushed));
    STREW_RETURN_IF_ERROR(job.journal.append(mark));
  }
  return record.instances();
}

Result<BakeSummary> BakeJob::finish() {
  Impl& job = *impl_;
  return guarded([&]() -> Result<BakeSummary> {
    const auto missing = std::find(job.record_at.begin(), job.record_at.end(), Impl::kNoRecord);
    if (missing != job.record_at.end()) {
      const auto tile = static_cast<std::uint64_t>(missing - job.record_at.begin());
      return make_error(StatusCode::kInternal, "has no record of " + tile_file_name(job.tiles[tile]),
                        job.folder);
    }
    const RecordPlaces places(job.grid, [&job](const TileIndex& tile) -> RecordPlace {
      const std::uint64_t number = job.tiles.find(tile);
      return number < job.tiles.size() ? RecordPlace{&job.journal, job.record_at[number]} : RecordPlace{};
    });
    BakeSummary& summary = job.summary;
    const auto write_start = Clock::now();
    bool sealed = job.sealed;
    if (sealed) {
      BakeSummary totals = summary;
      STREW_RETURN_IF_ERROR(sum_records(places, job.shape, job.manifest, totals));
      // What does not enter the tiles may have changed all the same, such as where files lie.
      STREW_ASSIGN(sealed, manifest_begins_with(job.path_of(kManifestName), job.manifest));
      if (sealed) {
        summary = std::move(totals);
      }
    }
    if (!sealed) {
      STREW_RETURN_IF_ERROR(seal_bake(job.folder, places, job.shape, job.head, job.manifest, summary));
    }
    summary.seconds_write = seconds_since(write_start);
    for (const Impl::Worker& worker : job.workers) {
      summary.seconds_read += worker.seconds_read;
      summary.seconds_generate += worker.seconds_generate;
      summary.seconds_write += worker.seconds_write;
    }
    summary.peak_memory_bytes = peak_memory_bytes();
    summary.seconds = seconds_since(job.start);
    return summary;
  });
}

}  // namespace strew
