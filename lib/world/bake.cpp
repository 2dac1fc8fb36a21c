#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <mutex>
#include <new>

#include "atomic_write.hpp"
#include "bake_folder.hpp"
#include "bake_plan.hpp"
#include "folder_lock.hpp"
#include "manifest.hpp"
#include "process_memory.hpp"
#include "tile_grid.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Passes window requests on and adds up their time. One per tile, so it is used by one thread at a time.
class TimedTerrain final : public TerrainSource {
 public:
  explicit TimedTerrain(const TerrainSource& source) : source_(source) {}
  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    const auto start = Clock::now();
    Status status = source_.window(need, out);
    seconds_ += seconds_since(start);
    return status;
  }
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

 private:
  const TerrainSource& source_;
  mutable double seconds_ = 0;
};

/// What a worker has added up. Integer sums only, so the total does not depend on who did which tile.
struct WorkerTotals {
  SetHash hash;
  std::vector<SlotReport> reports;
  double seconds_read = 0;
  double seconds_generate = 0;
  double seconds_write = 0;
  std::vector<InstanceTable> tables;  // scratch
};

struct TileOutcome {
  std::uint64_t bytes = 0;  // 0: the tile is empty and has no file
  std::uint64_t checksum = 0;
  std::vector<std::uint64_t> counts;
};

class Baking {
 public:
  Baking(const Scatter& scatter, const TerrainSource& terrain, const std::string& folder,
         const RunContext& context, BakeProgressFn progress, void* progress_user)
      : scatter_(scatter),
        terrain_(terrain),
        folder_(folder),
        context_(context),
        progress_(progress),
        progress_user_(progress_user) {}

  [[nodiscard]] Status run(const Rect& area, const TileGrid& grid) {
    area_ = area;
    grid_ = grid;
    tiles_ = morton_order(grid);
    outcomes_.resize(tiles_.size());
    for (const SlotInfo& slot : scatter_.slots()) {
      slot_numbers_.push_back(slot.slot);
    }
    workers_.resize(worker_count(context_));
    for (WorkerTotals& worker : workers_) {
      worker.reports.resize(scatter_.slots().size());
    }
    first_failed_.store(tiles_.size());
    const Executor& executor = context_.executor != nullptr ? *context_.executor : serial_executor();
    executor.run(executor.self, tiles_.size(), this, run_tile);
    if (first_failed_.load() < tiles_.size()) {
      return failure_;
    }
    if (cancelled_.load() || context_.cancelled()) {
      return make_error(StatusCode::kCancelled, "the bake was cancelled; its folder has no manifest",
                        folder_);
    }
    return {};
  }

  void fill(Manifest& manifest, BakeSummary& summary) const {
    SetHash hash;
    summary.reports.resize(scatter_.slots().size());
    for (const WorkerTotals& worker : workers_) {
      hash.merge(worker.hash);
      summary.seconds_read += worker.seconds_read;
      summary.seconds_generate += worker.seconds_generate;
      summary.seconds_write += worker.seconds_write;
      for (std::size_t i = 0; i < worker.reports.size(); ++i) {
        summary.reports[i].merge(worker.reports[i]);
      }
    }
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
      const TileOutcome& outcome = outcomes_[i];
      if (outcome.bytes != 0) {
        manifest.tiles.push_back({tiles_[i].x, tiles_[i].y, tile_file_name(tiles_[i]), outcome.bytes,
                                  outcome.checksum, outcome.counts});
        summary.bytes += outcome.bytes;
      }
    }
    std::sort(manifest.tiles.begin(), manifest.tiles.end(), [](const BakedTile& a, const BakedTile& b) {
      return a.tile_y != b.tile_y ? a.tile_y < b.tile_y : a.tile_x < b.tile_x;
    });
    summary.instances = manifest.instances = hash.count;
    summary.world_hash = manifest.world_hash = hash.digest();
    summary.tiles = manifest.tiles.size();
    summary.tiles_total = tiles_.size();
  }

 private:
  // Always 0: the executor must not skip an earlier tile because a later one failed first.
  static int run_tile(void* self, std::uint64_t index, std::uint32_t worker) {
    auto& baking = *static_cast<Baking*>(self);
    if (baking.cancelled_.load(std::memory_order_relaxed) || baking.context_.cancelled() ||
        index > baking.first_failed_.load(std::memory_order_relaxed)) {
      return 0;
    }
    Status status;
    try {
      status = baking.bake_tile(index, baking.workers_[worker]);
    } catch (const std::bad_alloc&) {
      status =
          make_error(StatusCode::kOutOfMemory, "no memory for a tile; use smaller tiles or fewer threads",
                     tile_file_name(baking.tiles_[index]));
    } catch (const std::exception& error) {
      status = make_error(StatusCode::kInternal, error.what(), tile_file_name(baking.tiles_[index]));
    }
    baking.finish_tile(index, std::move(status));
    return 0;
  }

  Status bake_tile(std::uint64_t index, WorkerTotals& worker) {
    const TileIndex tile = tiles_[index];
    RunContext inner = context_;
    inner.executor = nullptr;
    inner.progress = nullptr;
    const auto start = Clock::now();
    const TimedTerrain terrain(terrain_);
    STREW_RETURN_IF_ERROR(scatter_.generate(intersection(grid_.rect(tile), area_), terrain, inner,
                                            worker.tables, worker.reports));
    worker.seconds_read += terrain.seconds();
    worker.seconds_generate += seconds_since(start) - terrain.seconds();
    TileOutcome& outcome = outcomes_[index];
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < worker.tables.size(); ++i) {
      worker.hash.merge(hash_instances(slot_numbers_[i], worker.tables[i]));
      outcome.counts.push_back(worker.tables[i].size());
      count += outcome.counts.back();
    }
    if (count == 0) {
      outcome.counts = {};
      return {};
    }
    const auto write_start = Clock::now();
    STREW_ASSIGN(const EncodedTile encoded, encode_tile(tile.x, tile.y, slot_numbers_, worker.tables));
    STREW_RETURN_IF_ERROR(write_atomically((std::filesystem::path(folder_) / tile_file_name(tile)).string(),
                                           encoded.bytes, Flush::kLater));
    outcome.bytes = encoded.bytes.size();
    outcome.checksum = encoded.checksum;
    instances_.fetch_add(count, std::memory_order_relaxed);
    worker.seconds_write += seconds_since(write_start);
    return {};
  }

  void finish_tile(std::uint64_t index, Status status) {
    const std::scoped_lock lock(mutex_);
    if (status.code == StatusCode::kCancelled) {
      cancelled_.store(true);
    } else if (!status.ok()) {
      if (index < first_failed_.load()) {
        first_failed_.store(index);
        failure_ = std::move(status);
      }
    } else if (!cancelled_.load()) {
      const BakeProgress now{++done_, tiles_.size(), instances_.load(std::memory_order_relaxed)};
      const double fraction = static_cast<double>(done_) / static_cast<double>(tiles_.size());
      if ((progress_ != nullptr && !progress_(progress_user_, now)) ||
          (context_.progress != nullptr && !context_.progress(context_.progress_user, fraction))) {
        cancelled_.store(true);
      }
    }
  }

  const Scatter& scatter_;
  const TerrainSource& terrain_;
  const std::string& folder_;
  const RunContext& context_;
  BakeProgressFn progress_;
  void* progress_user_;
  Rect area_;
  TileGrid grid_;
  std::vector<TileIndex> tiles_;
  std::vector<std::uint32_t> slot_numbers_;
  std::vector<TileOutcome> outcomes_;  // by tile
  std::vector<WorkerTotals> workers_;
  std::atomic<std::uint64_t> instances_{0};
  std::atomic<bool> cancelled_{false};
  std::atomic<std::uint64_t> first_failed_{0};  // index of the first tile that failed, or the number of tiles
  std::mutex mutex_;                            // guards what follows, and the writes of the two before
  Status failure_;
  std::uint64_t done_ = 0;
};

Status write_manifest(const std::string& folder, const Manifest& manifest) {
  STREW_ASSIGN(const std::string text, manifest_text(manifest));
  // The tiles reach the disk before the manifest that vouches for them.
  STREW_RETURN_IF_ERROR(flush_written((std::filesystem::path(folder) / kTileFolder).string()));
  STREW_RETURN_IF_ERROR(write_atomically((std::filesystem::path(folder) / kManifestName).string(),
                                         std::as_bytes(std::span(text))));
  return flush_folder(folder);
}

}  // namespace

Result<BakeSummary> bake(const Scatter& scatter, const TerrainSource& terrain, const std::string& folder,
                         const BakeOptions& options, const RunContext& context, BakeProgressFn progress,
                         void* progress_user) {
  const auto start = Clock::now();
  try {
    STREW_ASSIGN(Manifest manifest, plan_manifest(scatter, options));
    // Whatever the manifest cannot hold is found before hours of work, not after.
    if (const Result<std::string> text = manifest_text(manifest); !text.ok()) {
      return text.status();
    }
    FolderLock lock;
    STREW_RETURN_IF_ERROR(lock.take(folder));
    STREW_RETURN_IF_ERROR(prepare_bake_folder(folder, options.force));
    BakeSummary summary;
    Baking baking(scatter, terrain, folder, context, progress, progress_user);
    STREW_RETURN_IF_ERROR(baking.run(manifest.region, TileGrid::over(manifest.region, manifest.tile_size)));
    baking.fill(manifest, summary);
    const auto write_start = Clock::now();
    STREW_RETURN_IF_ERROR(write_manifest(folder, manifest));
    summary.seconds_write += seconds_since(write_start);
    summary.peak_memory_bytes = peak_memory_bytes();
    summary.seconds = seconds_since(start);
    return summary;
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory for the list of tiles; use larger tiles", folder);
  } catch (const std::exception& error) {
    return make_error(StatusCode::kInternal, error.what(), folder);
  }
}

}  // namespace strew
