#include "life.hpp"

#include <chrono>
#include <nlohmann/json.hpp>

#include "fmt/format.h"
#include "life_task.hpp"
#include "output_folder.hpp"
#include "strew/io/cells.hpp"

namespace strew_tool {
namespace {

struct Outcome {
  std::uint64_t living = 0;
  strew::SetHash hash;
  double seconds = 0;
  strew::BitGrid cells;  ///< the region, unless only counted
  bool kept = false;
  std::vector<std::uint64_t> populations;
};

strew::Result<strew::BitGrid> cut(const strew::BitGrid& grid, const strew::CellRange& region) {
  STREW_ASSIGN(strew::BitGrid out, strew::BitGrid::create(region.x1 - region.x0, region.y1 - region.y0));
  for (std::int64_t y = 0; y < out.height(); ++y) {
    for (std::int64_t x = 0; x < out.width(); ++x) {
      if (grid.get(x + region.x0, y + region.y0)) {
        out.set(x, y, true);
      }
    }
  }
  return out;
}

strew::Status draw_frame(const LifeArguments& arguments, const LifeTask& task, const strew::BitGrid& grid,
                         std::int64_t generation) {
  if (arguments.animate.empty()) {
    return {};
  }
  constexpr std::int32_t kMostPixels = 2048;
  STREW_ASSIGN(const strew::BitGrid part, cut(grid, task.region));
  return strew::write_png(fmt::format("{}/{:04}.png", arguments.animate, generation),
                          strew::draw_cells(part, kMostPixels));
}

/// The whole grid in memory: for files, and where every generation is looked at.
strew::Result<Outcome> run_in_memory(const LifeArguments& arguments, LifeTask& task,
                                     const strew::RunContext& context) {
  Outcome outcome;
  strew::BitGrid grid = std::move(task.start);
  const auto start = std::chrono::steady_clock::now();
  if (!task.from_file) {
    STREW_ASSIGN(grid, strew::BitGrid::create(task.world.width, task.world.height));
    STREW_RETURN_IF_ERROR(strew::fill_grid(task.world.plane.fill, 0, 0, grid, task.options, context));
  }
  const std::int64_t generations = task.world.plane.generations;
  if (arguments.population || !arguments.animate.empty()) {
    strew::BitGrid spare;
    for (std::int64_t g = 0; g <= generations; ++g) {
      if (g > 0) {
        STREW_RETURN_IF_ERROR(
            strew::advance(task.world.plane.rule, task.world.border, 1, grid, spare, task.options, context));
      }
      if (arguments.population) {
        outcome.populations.push_back(strew::population(grid));
      }
      STREW_RETURN_IF_ERROR(draw_frame(arguments, task, grid, g));
    }
  } else {
    STREW_RETURN_IF_ERROR(
        strew::advance(task.world.plane.rule, task.world.border, generations, grid, task.options, context));
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool all = task.region.x0 == 0 && task.region.y0 == 0 && task.region.x1 == grid.width() &&
                   task.region.y1 == grid.height();
  if (!all) {
    STREW_ASSIGN(grid, cut(grid, task.region));
  }
  outcome.living = strew::population(grid);
  outcome.hash = strew::hash_cells(grid, task.region.x0, task.region.y0);
  outcome.cells = std::move(grid);
  outcome.kept = true;
  return outcome;
}

/// A filled grid band by band: the whole need not fit in memory.
strew::Result<Outcome> run_streamed(const LifeTask& task, bool keep, const strew::RunContext& context) {
  struct Collector {
    Outcome outcome;
    const LifeTask& task;
    const strew::RunContext& context;
  } collector{{}, task, context};
  if (keep) {
    STREW_ASSIGN(collector.outcome.cells,
                 strew::BitGrid::create(task.region.x1 - task.region.x0, task.region.y1 - task.region.y0));
    collector.outcome.kept = true;
  }
  const auto take = [](void* user, const strew::BitGrid& band, std::int64_t y0) -> strew::Status {
    auto& into = *static_cast<Collector*>(user);
    STREW_ASSIGN(const auto counted, strew::grid_statistics(band, into.task.region.x0, y0, into.context));
    into.outcome.living += counted.population;
    into.outcome.hash.merge(counted.hash);
    if (into.outcome.kept) {
      for (std::int64_t y = 0; y < band.height(); ++y) {
        std::copy(band.row(y), band.row(y) + band.words(),
                  into.outcome.cells.row(y0 - into.task.region.y0 + y));
      }
    }
    return {};
  };
  const auto start = std::chrono::steady_clock::now();
  STREW_RETURN_IF_ERROR(
      strew::automaton_stream(task.world, task.region, take, &collector, task.options, context));
  collector.outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::move(collector.outcome);
}

strew::Status report_regions(const Outcome& outcome, nlohmann::ordered_json& out) {
  for (const bool alive : {true, false}) {
    STREW_ASSIGN(const strew::RegionStatistics statistics, strew::region_statistics(outcome.cells, alive));
    out[alive ? "living_regions" : "dead_regions"] = {
        {"cells", statistics.cells}, {"regions", statistics.regions}, {"largest", statistics.largest}};
  }
  return {};
}

void print_text(const nlohmann::ordered_json& out) {
  fmt::print("{}, {}x{} cells, {} border, generation {}\n", out["rule"].get<std::string>(),
             out["width"].get<std::int64_t>(), out["height"].get<std::int64_t>(),
             out["border"].get<std::string>(), out["generations"].get<std::int64_t>());
  if (out.contains("fill")) {
    fmt::print("filled with probability {}\n", out["fill"].get<double>());
  }
  if (out.contains("populations")) {
    std::int64_t generation = 0;
    for (const auto& population : out["populations"]) {
      fmt::print("generation {}: {} living\n", generation++, grouped(population.get<std::uint64_t>()));
    }
  }
  fmt::print("{} living of {}, density {:.6f}\n", grouped(out["living"].get<std::uint64_t>()),
             grouped(out["cells"].get<std::uint64_t>()), out["density"].get<double>());
  for (const char* name : {"living_regions", "dead_regions"}) {
    if (out.contains(name)) {
      fmt::print("{} {}, the largest of {} cells\n", grouped(out[name]["regions"].get<std::uint64_t>()),
                 std::string_view(name) == "living_regions" ? "living regions" : "dead regions",
                 grouped(out[name]["largest"].get<std::uint64_t>()));
    }
  }
  fmt::print("{:.3f} s, {:.1f} billion cell updates/s on {} thread{} ({}, {})\nhash {}\n",
             out["seconds"].get<double>(), out["updates_per_second"].get<double>() / 1e9,
             out["threads"].get<std::uint32_t>(), out["threads"] == 1 ? "" : "s",
             out["variant"].get<std::string>(), out["isa"].get<std::string>(),
             out["hash"].get<std::string>());
}

strew::Status run(const LifeArguments& arguments) {
  STREW_ASSIGN(LifeTask task, resolve_life(arguments));
  STREW_ASSIGN(const Runner runner, Runner::create(arguments.run));
  const strew::RunContext context = runner.context();
  STREW_ASSIGN(const strew::Isa isa, strew::automaton_isa(task.options.variant, context));
  if (!arguments.animate.empty()) {
    STREW_RETURN_IF_ERROR(prepare_output_folder(arguments.animate));
  }
  const bool each_generation = arguments.population || !arguments.animate.empty();
  const bool stream =
      !task.from_file && !each_generation && task.world.plane.generations <= strew::kMaxPlaneGenerations;
  Outcome outcome;
  if (stream) {
    STREW_ASSIGN(outcome, run_streamed(task, !arguments.output.empty() || arguments.regions, context));
  } else {
    STREW_ASSIGN(outcome, run_in_memory(arguments, task, context));
  }
  const std::int64_t width = task.region.x1 - task.region.x0;
  const std::int64_t height = task.region.y1 - task.region.y0;
  const double cells = static_cast<double>(width) * static_cast<double>(height);
  nlohmann::ordered_json out = {{"rule", strew::to_string(task.world.plane.rule)},
                                {"width", width},
                                {"height", height},
                                {"border", strew::to_string(task.world.border)},
                                {"generations", task.world.plane.generations}};
  if (!task.from_file) {
    out["fill"] = strew::effective_probability(task.world.plane.fill.probability);
  }
  if (arguments.population) {
    out["populations"] = outcome.populations;
  }
  out["cells"] = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  out["living"] = outcome.living;
  out["density"] = static_cast<double>(outcome.living) / cells;
  if (arguments.regions) {
    STREW_RETURN_IF_ERROR(report_regions(outcome, out));
  }
  out["hash"] = hex(outcome.hash.digest());
  out["seconds"] = outcome.seconds;
  out["updates_per_second"] =
      outcome.seconds > 0 ? cells * static_cast<double>(task.world.plane.generations) / outcome.seconds : 0.0;
  out["threads"] = strew::worker_count(context);
  const bool best = task.options.variant == strew::AutomatonVariant::kBest;
  out["variant"] = strew::to_string(best ? strew::automaton_variants().front() : task.options.variant);
  out["isa"] = strew::to_string(isa);
  if (!arguments.output.empty()) {
    STREW_RETURN_IF_ERROR(
        strew::write_cells(arguments.output, outcome.cells, task.world.plane.rule, task.world.border));
  }
  if (arguments.json) {
    fmt::print("{}\n", out.dump(2));
  } else {
    print_text(out);
  }
  return {};
}

}  // namespace

int run_life(const LifeArguments& arguments) {
  const strew::Status status = run(arguments);
  return status.ok() ? kExitDone : fail(status);
}

}  // namespace strew_tool
