// Stratified sampling of a bake's cost: one tile of each run of neighbours in Morton order (Cochran,
// "Sampling Techniques", 3rd edition, 1977, chapter 5; the error by the differences of successive strata,
// section 5A.12, as each has one sample).
#include "strew/world/plan.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "bake_job_impl.hpp"
#include "guard.hpp"
#include "tile_inputs.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

using Clock = std::chrono::steady_clock;

struct TileCost {
  double instances = 0;
  double bytes = 0;
  double read = 0;
  double generate = 0;
  double write = 0;
  [[nodiscard]] double seconds() const noexcept { return read + generate + write; }
};

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Status measure(BakeJob::Impl& job, std::size_t tile, TileCost& cost) {
  RunContext inner = job.context;
  inner.executor = nullptr;
  inner.progress = nullptr;
  const auto start = Clock::now();
  const WatchedTerrain terrain(job.terrain);
  std::vector<InstanceTable> tables;  // of this tile alone, as in a bake
  std::vector<SlotReport> reports(job.slot_numbers.size());
  STREW_RETURN_IF_ERROR(
      job.scatter.generate(job.area_of(job.tiles[tile]), terrain, inner, tables, reports, &job.census));
  cost.read = terrain.seconds();
  cost.generate = since(start) - cost.read;
  const auto write_start = Clock::now();
  SetHash hash;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    hash.merge(hash_instances(job.slot_numbers[i], tables[i]));
  }
  cost.instances = static_cast<double>(hash.count);
  cost.bytes = static_cast<double>(job.shape.bytes());
  if (hash.count != 0) {
    STREW_ASSIGN(const EncodedTile encoded,
                 encode_tile(job.tiles[tile].x, job.tiles[tile].y, job.slot_numbers, tables));
    cost.bytes += static_cast<double>(encoded.bytes.size());
  }
  cost.write = since(write_start);
  return {};
}

/// Total over all tiles: each stratum counts for its tiles.
template <class Get>
Estimate total(const std::vector<TileCost>& costs, std::size_t tiles, const Get& get) {
  constexpr double kNormal95 = 1.96;
  const double each = static_cast<double>(tiles) / static_cast<double>(costs.size());
  Estimate estimate;
  double differences = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    estimate.value += get(costs[i]) * each;
    if (i > 0) {
      const double step = get(costs[i]) - get(costs[i - 1]);
      differences += step * step;
    }
  }
  if (costs.size() < tiles && costs.size() > 1) {
    const double strata = static_cast<double>(costs.size());
    const double variance = differences / (2 * (strata - 1));
    const double missing = 1 - strata / static_cast<double>(tiles);
    estimate.error = kNormal95 * std::sqrt(variance * missing / strata) * static_cast<double>(tiles);
  }
  return estimate;
}

}  // namespace

Result<BakePlan> plan_bake(const Scatter& scatter, const TerrainSource& terrain, const BakeOptions& options,
                           std::uint32_t samples, const RunContext& context) {
  return guarded([&]() -> Result<BakePlan> {
    if (samples < 1) {
      return invalid_argument("is 0; give 1 or more", "samples");
    }
    BakeJob::Impl job(scatter, terrain, {}, options, context);
    STREW_RETURN_IF_ERROR(job.plan());
    BakePlan plan;
    plan.tiles = job.tiles.size();
    plan.reach = scatter.reach();
    plan.memory_base = peak_memory_bytes();
    const std::size_t strata = std::min<std::size_t>(samples, job.tiles.size());
    std::vector<TileCost> costs(strata);
    plan.tile_seconds.resize(job.tiles.size());
    std::vector<std::uint32_t> drawn(strata);
    for (std::size_t i = 0; i < strata; ++i) {
      const std::size_t begin = i * job.tiles.size() / strata;
      const std::size_t end = (i + 1) * job.tiles.size() / strata;
      drawn[i] = static_cast<std::uint32_t>(begin + mix64(scatter.spec().seed + i) % (end - begin));
    }
    const auto count_start = Clock::now();
    STREW_RETURN_IF_ERROR(job.count_for(drawn));
    plan.seconds_census = since(count_start);
    for (std::size_t i = 0; i < strata; ++i) {
      if (context.cancelled()) {
        return make_error(StatusCode::kCancelled, "the plan was stopped");
      }
      const std::size_t begin = i * job.tiles.size() / strata;
      const std::size_t end = (i + 1) * job.tiles.size() / strata;
      const std::size_t tile = drawn[i];
      STREW_RETURN_IF_ERROR(measure(job, tile, costs[i]));
      std::fill(plan.tile_seconds.begin() + static_cast<std::ptrdiff_t>(begin),
                plan.tile_seconds.begin() + static_cast<std::ptrdiff_t>(end), costs[i].seconds());
      plan.longest_tile = std::max(plan.longest_tile, costs[i].seconds());
      if (context.progress != nullptr &&
          !context.progress(context.progress_user,
                            static_cast<double>(i + 1) / static_cast<double>(strata))) {
        return make_error(StatusCode::kCancelled, "the plan was stopped");
      }
    }
    plan.sampled = strata;
    plan.instances = total(costs, job.tiles.size(), [](const TileCost& cost) { return cost.instances; });
    plan.bytes = total(costs, job.tiles.size(), [](const TileCost& cost) { return cost.bytes; });
    plan.seconds = total(costs, job.tiles.size(), [](const TileCost& cost) { return cost.seconds(); });
    plan.seconds_read = total(costs, job.tiles.size(), [](const TileCost& cost) { return cost.read; }).value;
    plan.seconds_generate =
        total(costs, job.tiles.size(), [](const TileCost& cost) { return cost.generate; }).value;
    plan.seconds_write =
        total(costs, job.tiles.size(), [](const TileCost& cost) { return cost.write; }).value;
    plan.memory_per_worker = std::max(peak_memory_bytes(), plan.memory_base) - plan.memory_base;
    return plan;
  });
}

}  // namespace strew
