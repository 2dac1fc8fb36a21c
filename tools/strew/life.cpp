#include "life.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fmt/format.h"
#include "strew/io/cells.hpp"

namespace strew_tool {
namespace {

/// Everything resolved: what to compute and from what.
struct Task {
  strew::AutomatonWorld world;
  strew::CellRange region;
  strew::AutomatonOptions options;
  strew::BitGrid start;  ///< of --in; empty without
  bool from_file = false;
};

struct Outcome {
  std::uint64_t living = 0;
  strew::SetHash hash;
  double seconds = 0;
  strew::BitGrid cells;  ///< the region, unless only counted
  bool kept = false;
  std::vector<std::uint64_t> populations;
};

strew::Result<std::vector<std::int64_t>> whole_numbers(const std::string& text, char separator,
                                                       std::size_t count, const char* where) {
  STREW_ASSIGN(const std::vector<double> numbers, parse_numbers(text, separator, count, where));
  std::vector<std::int64_t> out;
  for (const double number : numbers) {
    if (number != std::floor(number) || std::abs(number) > 1e15) {
      return strew::invalid_argument(fmt::format("expected whole numbers of cells, found \"{}\"", text),
                                     where);
    }
    out.push_back(static_cast<std::int64_t>(number));
  }
  return out;
}

/// The pattern in the middle of a grid of the size asked for.
strew::Result<strew::BitGrid> in_the_middle(const strew::BitGrid& cells, std::int64_t width,
                                            std::int64_t height) {
  if (cells.width() > width || cells.height() > height) {
    return strew::invalid_argument(fmt::format("{}x{} is smaller than the {}x{} cells of --in", width, height,
                                               cells.width(), cells.height()),
                                   "--size");
  }
  STREW_ASSIGN(strew::BitGrid grid, strew::BitGrid::create(width, height));
  const std::int64_t x0 = (width - cells.width()) / 2;
  const std::int64_t y0 = (height - cells.height()) / 2;
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) {
      if (cells.get(x, y)) {
        grid.set(x + x0, y + y0, true);
      }
    }
  }
  return grid;
}

strew::Status resolve_rule(const LifeArguments& arguments, const std::optional<strew::ParsedRule>& of_file,
                           Task& task) {
  strew::ParsedRule rule{strew::kDayAndNight, {}};
  if (!arguments.rule.empty()) {
    auto parsed = strew::parse_rule(arguments.rule);
    if (!parsed.ok()) {
      return strew::invalid_argument(parsed.status().message, "--rule");
    }
    rule = std::move(parsed).value();
    if (of_file && of_file->rule != rule.rule) {
      return strew::invalid_argument(
          fmt::format("is {}, but {} says {}: leave the option out to take the file's",
                      strew::to_string(rule.rule), arguments.input, strew::to_string(of_file->rule)),
          "--rule");
    }
  } else if (of_file) {
    rule = *of_file;
  }
  if (!rule.note.empty()) {
    fmt::print(stderr, "strew: note: {}\n", rule.note);
  }
  task.world.plane.rule = rule.rule;
  return {};
}

strew::Status resolve_border(const LifeArguments& arguments, const std::optional<strew::Border>& of_file,
                             Task& task) {
  task.world.border = of_file.value_or(strew::Border::kDead);
  if (arguments.border.empty()) {
    return {};
  }
  auto border = strew::parse_border(arguments.border);
  if (!border.ok()) {
    return strew::invalid_argument(border.status().message, "--border");
  }
  task.world.border = border.value();
  if (of_file && *of_file != border.value()) {
    return strew::invalid_argument(
        fmt::format("is {}, but {} says {}: leave the option out to take the file's", arguments.border,
                    arguments.input, strew::to_string(*of_file)),
        "--border");
  }
  return {};
}

strew::Status resolve_size(const LifeArguments& arguments, Task& task) {
  if (arguments.size.empty() && !task.from_file) {
    return strew::invalid_argument("is needed without --in: give WxH in cells", "--size");
  }
  task.world.width = task.start.width();
  task.world.height = task.start.height();
  if (!arguments.size.empty()) {
    STREW_ASSIGN(const auto size, whole_numbers(arguments.size, 'x', 2, "--size"));
    if (size[0] < 1 || size[1] < 1 || size[0] > strew::kMaxGridSide || size[1] > strew::kMaxGridSide) {
      return strew::invalid_argument(
          fmt::format("is {}; expected sides from 1 to {}", arguments.size, strew::kMaxGridSide), "--size");
    }
    task.world.width = size[0];
    task.world.height = size[1];
    if (task.from_file) {
      STREW_ASSIGN(task.start, in_the_middle(task.start, size[0], size[1]));
    }
  }
  task.region = {0, 0, task.world.width, task.world.height};
  if (!arguments.region.empty()) {
    STREW_ASSIGN(const auto sides, whole_numbers(arguments.region, ',', 4, "--region"));
    const strew::CellRange region{sides[0], sides[1], sides[2], sides[3]};
    if (region.x0 < 0 || region.y0 < 0 || region.x1 > task.world.width || region.y1 > task.world.height ||
        region.x0 >= region.x1 || region.y0 >= region.y1) {
      return strew::invalid_argument(
          fmt::format("is {}; expected x0 < x1 and y0 < y1 inside the grid of {}x{} cells", arguments.region,
                      task.world.width, task.world.height),
          "--region");
    }
    task.region = region;
  }
  return {};
}

strew::Result<Task> resolve(const LifeArguments& arguments) {
  Task task;
  std::optional<strew::ParsedRule> file_rule;
  std::optional<strew::Border> file_border;
  if (!arguments.input.empty()) {
    STREW_ASSIGN(strew::RlePattern pattern, strew::read_cells(arguments.input));
    task.start = std::move(pattern.cells);
    task.from_file = true;
    file_rule = std::move(pattern.rule);
    file_border = pattern.border;
  }
  STREW_RETURN_IF_ERROR(resolve_rule(arguments, file_rule, task));
  STREW_RETURN_IF_ERROR(resolve_border(arguments, file_border, task));
  STREW_RETURN_IF_ERROR(resolve_size(arguments, task));
  STREW_ASSIGN(const auto seed, parse_seed(arguments.seed));
  if (!(arguments.fill >= 0 && arguments.fill <= 1)) {
    return strew::invalid_argument(fmt::format("is {}; expected a probability from 0 to 1", arguments.fill),
                                   "--fill");
  }
  task.world.plane.fill = {arguments.fill, seed.value_or(0), 0};
  constexpr std::int64_t kMostGenerations = 1000000000;
  if (arguments.generations < 0 || arguments.generations > kMostGenerations) {
    return strew::invalid_argument(
        fmt::format("is {}; expected 0 to {}", arguments.generations, kMostGenerations), "--generations");
  }
  task.world.plane.generations = arguments.generations;
  auto variant = strew::parse_variant(arguments.variant);
  if (!variant.ok()) {
    return strew::invalid_argument(variant.status().message, "--variant");
  }
  if (arguments.depth < 0 || arguments.depth > 64) {
    return strew::invalid_argument(fmt::format("is {}; expected 1 to 64", arguments.depth), "--depth");
  }
  task.options = {variant.value(), arguments.depth, 0};
  if (!arguments.output.empty()) {
    STREW_RETURN_IF_ERROR(strew::check_cells_path(arguments.output, task.world.border));
  }
  return task;
}

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

strew::Status draw_frame(const LifeArguments& arguments, const Task& task, const strew::BitGrid& grid,
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
strew::Result<Outcome> run_in_memory(const LifeArguments& arguments, Task& task,
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
strew::Result<Outcome> run_streamed(const Task& task, bool keep, const strew::RunContext& context) {
  struct Collector {
    Outcome outcome;
    const Task& task;
  } collector{{}, task};
  if (keep) {
    STREW_ASSIGN(collector.outcome.cells,
                 strew::BitGrid::create(task.region.x1 - task.region.x0, task.region.y1 - task.region.y0));
    collector.outcome.kept = true;
  }
  const auto take = [](void* user, const strew::BitGrid& band, std::int64_t y0) -> strew::Status {
    auto& into = *static_cast<Collector*>(user);
    into.outcome.living += strew::population(band);
    into.outcome.hash.merge(strew::hash_cells(band, into.task.region.x0, y0));
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
  STREW_ASSIGN(Task task, resolve(arguments));
  STREW_ASSIGN(const Runner runner, Runner::create(arguments.run));
  const strew::RunContext context = runner.context();
  STREW_ASSIGN(const strew::Isa isa, strew::automaton_isa(task.options.variant, context));
  if (!arguments.animate.empty()) {
    std::error_code error;
    std::filesystem::create_directories(arguments.animate, error);
    if (error) {
      return strew::make_error(strew::StatusCode::kIo, "the folder cannot be made: " + error.message(),
                               arguments.animate);
    }
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
