// A bake on many workers, simulated.
#include <algorithm>
#include <array>
#include <functional>
#include <queue>

#include "guard.hpp"
#include "shards.hpp"
#include "strew/world/plan.hpp"

namespace strew {
namespace {

struct Share {
  double seconds = 0;
  ScalingLimit limit = ScalingLimit::kWork;
};

/// The largest of the losses, or work when all of them together are small beside it.
ScalingLimit largest(double ideal, std::initializer_list<Share> losses) {
  Share worst;
  double sum = 0;
  for (const Share& loss : losses) {
    sum += std::max(0.0, loss.seconds);
    if (loss.seconds > worst.seconds) {
      worst = loss;
    }
  }
  return sum < 0.1 * ideal ? ScalingLimit::kWork : worst.limit;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum;
}

/// Each worker that becomes free asks the coordinator, which serves one at a time.
double greedy(const std::vector<double>& tiles, std::uint32_t workers, double hand_out) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (std::uint32_t i = 0; i < workers; ++i) {
    free.push(0);
  }
  double coordinator = 0;
  double last = 0;
  for (const double seconds : tiles) {
    coordinator = std::max(coordinator, free.top()) + hand_out;
    free.pop();
    const double end = coordinator + seconds;
    last = std::max(last, end);
    free.push(end);
  }
  return last;
}

double longest_shard(const std::vector<double>& tiles, std::uint32_t workers) {
  double longest = 0;
  std::vector<double> load(workers, 0);
  // As TileShare deals them out, for all shards at once.
  const std::uint64_t block = shard_block(tiles.size(), workers);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    double& one = load[i / block % workers];
    one += tiles[i];
    longest = std::max(longest, one);
  }
  return longest;
}

}  // namespace

std::string_view to_string(ScalingLimit limit) noexcept {
  constexpr std::array<std::string_view, 7> kNames = {"work",    "tiles", "longest tile", "coordinator",
                                                      "storage", "merge", "start"};
  return kNames[static_cast<std::size_t>(limit)];
}

Result<FarmTime> simulate_farm(const BakePlan& plan, std::uint32_t workers, const FarmModel& model) {
  constexpr std::uint32_t kMostWorkers = 65536;
  if (workers < 1 || workers > kMostWorkers) {
    return invalid_argument("is " + std::to_string(workers) + "; give 1 to 65536", "workers");
  }
  if (plan.tile_seconds.empty()) {
    return invalid_argument("holds no tiles", "plan");
  }
  return guarded([&]() -> Result<FarmTime> {
    const double work = sum_of(plan.tile_seconds);
    const double ideal = work / workers;
    const double tiles = static_cast<double>(plan.tile_seconds.size());
    const double storage = plan.bytes.value / model.storage_bytes_per_second;
    const bool idle = tiles < workers;
    FarmTime time;
    time.workers = workers;

    const double served = greedy(plan.tile_seconds, workers, model.hand_out_seconds);
    const double unserved = greedy(plan.tile_seconds, workers, 0);
    const double baked = std::max(served, storage);
    time.dynamic_seconds = model.start_seconds + baked;
    time.dynamic_efficiency = work / (workers * time.dynamic_seconds);
    time.dynamic_limit =
        largest(ideal, {{model.start_seconds, ScalingLimit::kStart},
                        {unserved - ideal, idle ? ScalingLimit::kTiles : ScalingLimit::kLongestTile},
                        {served - unserved, ScalingLimit::kCoordinator},
                        {baked - served, ScalingLimit::kStorage}});

    const double longest = longest_shard(plan.tile_seconds, workers);
    const double sharded = std::max(longest, storage);
    const double merge = workers > 1 ? tiles * model.merge_seconds_per_tile + storage : 0;
    time.sharded_seconds = model.start_seconds + sharded + merge;
    time.sharded_efficiency = work / (workers * time.sharded_seconds);
    time.sharded_limit =
        largest(ideal, {{model.start_seconds, ScalingLimit::kStart},
                        {longest - ideal, idle ? ScalingLimit::kTiles : ScalingLimit::kLongestTile},
                        {sharded - longest, ScalingLimit::kStorage},
                        {merge, ScalingLimit::kMerge}});
    return time;
  });
}

}  // namespace strew
