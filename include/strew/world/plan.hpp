// What a bake will cost, before it starts; and how far a farm shortens it.
#pragma once

#include <cstdint>
#include <vector>

#include "strew/world/bake.hpp"

namespace strew {

/// An estimate with the half width of its 95 % confidence interval.
struct Estimate {
  double value = 0;
  double error = 0;
};

struct BakePlan {
  std::uint64_t tiles = 0;
  std::uint64_t sampled = 0;
  Coord reach = 0;  ///< how far a change of terrain can move instances, apart from the strategies' own halos
  Estimate instances;
  Estimate bytes;                 ///< of all tile files and the journal
  Estimate seconds;               ///< of one worker of this machine
  double seconds_read = 0;        ///< shares of `seconds`
  double seconds_generate = 0;    ///< validation included
  double seconds_write = 0;       ///< hashing and encoding; files are not written
  double seconds_census = 0;      ///< what counting for the sampled tiles took, where layers have amounts
  double longest_tile = 0;        ///< seconds, of the sampled
  std::uint64_t memory_base = 0;  ///< bytes of the process before the first tile
  std::uint64_t memory_per_worker = 0;  ///< bytes that the sampled tiles took beyond that
  std::vector<double> tile_seconds;     ///< by tile in Morton order: what the sampled one of its stratum took
};

/// Cuts the tiles, in Morton order, into `samples` strata of neighbours and generates one tile of each, drawn
/// by the world's seed, in memory; serially, on the calling thread. All tiles when there are no more than
/// `samples`. O(samples) tiles of time, and what Census says where layers have amounts (over
/// context.executor); memory of one tile and 8 bytes a tile.
[[nodiscard]] Result<BakePlan> plan_bake(const Scatter& scatter, const TerrainSource& terrain,
                                         const BakeOptions& options, std::uint32_t samples,
                                         const RunContext& context);

/// What tiles cost beyond their making, where many workers share a coordinator and a storage.
struct FarmModel {
  double start_seconds = 2;         ///< until a worker begins its first tile
  double hand_out_seconds = 50e-6;  ///< the coordinator's time for one tile: hand it out, commit its record
  double storage_bytes_per_second = 1e9;   ///< of the storage that all write to
  double merge_seconds_per_tile = 100e-6;  ///< linking one tile of a shard
};
enum class ScalingLimit : std::uint8_t {
  kWork = 0,
  kTiles,
  kLongestTile,
  kCoordinator,
  kStorage,
  kMerge,
  kStart
};
/// "work", "tiles", "longest tile", "coordinator", "storage", "merge", "start".
[[nodiscard]] std::string_view to_string(ScalingLimit limit) noexcept;

struct FarmTime {
  std::uint32_t workers = 1;
  double dynamic_seconds = 0;     ///< tiles handed out one by one
  double dynamic_efficiency = 0;  ///< work / (workers * seconds)
  ScalingLimit dynamic_limit = ScalingLimit::kWork;
  double sharded_seconds = 0;  ///< one shard each, then merged
  double sharded_efficiency = 0;
  ScalingLimit sharded_limit = ScalingLimit::kWork;
};
/// Simulates the plan on 1 to 65536 workers as fast as this one: greedy hand-out through one coordinator, or
/// one shard for each. The limit names what the most time beyond work / workers goes to. O(tiles log
/// workers).
[[nodiscard]] Result<FarmTime> simulate_farm(const BakePlan& plan, std::uint32_t workers,
                                             const FarmModel& model = {});

}  // namespace strew
