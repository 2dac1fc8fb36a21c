#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <mutex>
#include <new>
#include <set>

#include "verify_block.hpp"

namespace strew {
namespace {

/// Runs the blocks over the context's executor.
class Verifying {
 public:
  Verifying(const VerifyPlan& plan, const RunContext& context)
      : plan_(plan),
        context_(context),
        blocks_(static_cast<std::uint64_t>(plan.block_columns * plan.block_rows)),
        first_failed_(blocks_),
        workers_(worker_count(context)) {}

  [[nodiscard]] Status run(Tallies& tallies, SetHash& hash, SquareCounts& squares) {
    const Executor& executor = context_.executor != nullptr ? *context_.executor : serial_executor();
    executor.run(executor.self, blocks_, this, run_block);
    if (first_failed_.load() < blocks_) {
      return failure_;
    }
    if (cancelled_.load() || context_.cancelled()) {
      return make_error(StatusCode::kCancelled, "the verification was cancelled", plan_.folder);
    }
    for (const Worker& worker : workers_) {
      tallies.merge(worker.tallies);
      hash.merge(worker.hash);
      for (const auto& [square, count] : worker.squares) {
        squares[square] += count;
      }
    }
    return {};
  }

 private:
  struct Worker {
    Tallies tallies;
    SetHash hash;
    SquareCounts squares;
  };

  // Always 0: an earlier block must not be skipped because a later one failed first.
  static int run_block(void* self, std::uint64_t index, std::uint32_t worker) {
    auto& verifying = *static_cast<Verifying*>(self);
    if (verifying.cancelled_.load(std::memory_order_relaxed) || verifying.context_.cancelled() ||
        index > verifying.first_failed_.load(std::memory_order_relaxed)) {
      return 0;
    }
    Status status;
    try {
      status = verifying.check_block(index, verifying.workers_[worker]);
    } catch (const std::bad_alloc&) {
      status =
          make_error(StatusCode::kOutOfMemory, "no memory to verify a block of tiles; use fewer threads");
    } catch (const std::exception& error) {
      status = make_error(StatusCode::kInternal, error.what());
    }
    verifying.finish_block(index, std::move(status));
    return 0;
  }

  Status check_block(std::uint64_t index, Worker& worker) {
    worker.tallies.enter(index);
    VerifyBlock block;
    STREW_RETURN_IF_ERROR(load_block(plan_, index, block, worker.tallies, worker.hash));
    check_pairs(plan_, block, worker.tallies);
    count_squares(plan_, block, worker.squares);
    if (plan_.terrain != nullptr) {
      STREW_RETURN_IF_ERROR(check_terrain(plan_, block, worker.tallies));
    }
    return {};
  }

  void finish_block(std::uint64_t index, Status status) {
    const std::scoped_lock lock(mutex_);
    if (status.code == StatusCode::kCancelled) {
      cancelled_.store(true);
    } else if (!status.ok()) {
      if (index < first_failed_.load()) {
        first_failed_.store(index);
        failure_ = std::move(status);
      }
    } else if (context_.progress != nullptr &&
               !context_.progress(context_.progress_user,
                                  static_cast<double>(++done_) / static_cast<double>(blocks_))) {
      cancelled_.store(true);
    }
  }

  const VerifyPlan& plan_;
  const RunContext& context_;
  std::uint64_t blocks_;
  std::atomic<std::uint64_t> first_failed_;
  std::atomic<bool> cancelled_{false};
  std::vector<Worker> workers_;
  std::mutex mutex_;  // guards what follows, and the writes of the two flags
  Status failure_;
  std::uint64_t done_ = 0;
};

/// Files in the tiles folder that the manifest does not list: a reader of the folder would take them for
/// tiles.
void check_unlisted(const VerifyPlan& plan, Tallies& tallies) {
  std::set<std::string> listed;
  for (const BakedTile& tile : plan.manifest.tiles) {
    listed.insert(tile.file);
  }
  std::vector<std::string> unlisted;
  std::error_code error;
  std::filesystem::directory_iterator entry(std::filesystem::path(plan.folder) / kTileFolder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(kTileSuffix) && !listed.contains(std::string(kTileFolder) + "/" + name)) {
      unlisted.push_back(name);
    }
  }
  std::sort(unlisted.begin(), unlisted.end());
  for (const std::string& name : unlisted) {
    tallies.violation(Check::kTileFiles, [&] { return name + " is not listed in the manifest"; });
  }
}

void check_totals(const VerifyPlan& plan, const SetHash& hash, Tallies& tallies) {
  const Manifest& manifest = plan.manifest;
  std::uint64_t listed = 0;
  for (const BakedTile& tile : manifest.tiles) {
    for (const std::uint64_t count : tile.counts) {
      listed += count;
    }
  }
  tallies.examined(Check::kCounts, 1);
  if (listed != manifest.instances) {
    tallies.violation(Check::kCounts, [&] {
      return "the manifest's tiles hold " + std::to_string(listed) + " instances, and it says " +
             std::to_string(manifest.instances);
    });
  }
  tallies.examined(Check::kWorldHash, 1);
  if (hash.digest() != manifest.world_hash) {
    tallies.violation(Check::kWorldHash,
                      [] { return std::string("the tiles do not add up to the manifest's world hash"); });
  }
  constexpr Coord kIdRange = Coord{1} << 29;
  for (const BakedSlot& slot : manifest.slots) {
    const Rect& region = manifest.region;
    const auto squares = [&slot](Coord first, Coord end) {
      return floor_div(floor_div(end - 1, slot.lattice.pitch), slot.lattice.identity_step) -
             floor_div(floor_div(first, slot.lattice.pitch), slot.lattice.identity_step);
    };
    if (squares(region.x0, region.x1) >= kIdRange || squares(region.y0, region.y1) >= kIdRange) {
      tallies.violation(Check::kDuplicateIds, [&] {
        return "the region is too large for the ids of " + slot.name + ": they repeat";
      });
    }
  }
}

VerifyReport report_of(Tallies& tallies, const VerifyPlan& plan) {
  VerifyReport report;
  for (std::size_t i = 0; i < kChecks; ++i) {
    const auto check = static_cast<Check>(i);
    Tally& tally = tallies.at(check);
    VerifyCheck& entry = report.checks.emplace_back();
    entry.name = kCheckNames[i];
    entry.violations = tally.violations;
    entry.examined = tally.examined;
    entry.first_offender = std::move(tally.first_offender);
    report.violations += tally.violations;
    const bool of_terrain = check == Check::kConstraints || check == Check::kElevation ||
                            check == Check::kSecondaryRing || check == Check::kSiblingDistance ||
                            check == Check::kUncoveredArea || check == Check::kAmounts;
    if (of_terrain && plan.terrain == nullptr) {
      entry.note = "skipped: needs the world and its terrain";
    } else if (check == Check::kUncoveredArea && plan.covers.empty()) {
      entry.note = "no layer promises to leave no hole";
    } else if (check == Check::kSecondaryRing && plan.rings.empty()) {
      entry.note = "no layer has secondaries";
    } else if (check == Check::kSiblingDistance &&
               std::none_of(plan.rings.begin(), plan.rings.end(),
                            [](const RingRule& ring) { return ring.spec->spacing_siblings_m > 0; })) {
      entry.note = "no secondaries keep a distance to their siblings";
    } else if (check == Check::kAmounts && plan.amounts.empty()) {
      entry.note = "no layer has an amount";
    } else if (check == Check::kAmounts && tally.examined == 0) {
      entry.note = "the bake is of a region; amounts are those of the whole world";
    } else if (check == Check::kSpacing && plan.spacing.empty()) {
      entry.note = "no layer keeps a distance to an earlier one";
    } else if (check == Check::kMinimumDistance && tally.examined == 0) {
      entry.note = "no instance is of a layer that promises a distance";
    }
  }
  return report;
}

}  // namespace

Result<VerifyReport> verify(const std::string& folder, const Scatter* scatter, const TerrainSource* terrain,
                            const RunContext& context) {
  try {
    STREW_ASSIGN(Manifest manifest, load_manifest(folder));
    if (manifest.shards != 1) {
      // What other shards hold would pass for holes, and distances to it would go unseen.
      return invalid_argument("is shard " + std::to_string(manifest.shard) + "/" +
                                  std::to_string(manifest.shards) +
                                  " of a bake; join all of them with `strew merge` and verify the whole",
                              folder);
    }
    STREW_ASSIGN(const VerifyPlan plan, make_verify_plan(folder, std::move(manifest), scatter, terrain));
    Tallies tallies;
    SetHash hash;
    SquareCounts squares;
    STREW_RETURN_IF_ERROR(Verifying(plan, context).run(tallies, hash, squares));
    tallies.enter(static_cast<std::uint64_t>(plan.block_columns * plan.block_rows));
    check_unlisted(plan, tallies);
    check_totals(plan, hash, tallies);
    STREW_RETURN_IF_ERROR(check_amounts(plan, squares, context, tallies));
    return report_of(tallies, plan);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory to verify the bake", folder);
  } catch (const std::exception& error) {
    return make_error(StatusCode::kInternal, error.what(), folder);
  }
}

}  // namespace strew
