// strew plan WORLD.json: what a bake will cost, here and on a farm.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "strew/world/plan.hpp"
#include "world_input.hpp"

namespace strew_tool {
namespace {

struct Arguments {
  std::string world;
  std::string region;
  std::string seed;
  std::optional<double> tile_size_m;
  std::uint32_t samples = 64;
  std::vector<std::uint32_t> workers = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
  double storage_mb_per_s = 1000;
  bool json = false;
  std::vector<std::string> defines;
  RunOptions run;
};

std::string duration(double seconds) {
  if (seconds < 120) {
    return fmt::format("{:.1f} s", seconds);
  }
  return seconds < 7200 ? fmt::format("{:.1f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

std::string percent(const strew::Estimate& estimate) {
  return estimate.value > 0 ? fmt::format("+-{:.0f} %", 100 * estimate.error / estimate.value) : "+-0 %";
}

void print_table(const strew::BakePlan& plan, const std::vector<strew::FarmTime>& farm,
                 std::uint32_t threads) {
  const double value = std::max(1e-9, plan.seconds.value);
  fmt::print("{} tiles, {} of them sampled; errors are 95 % intervals\n", grouped(plan.tiles),
             grouped(plan.sampled));
  fmt::print("instances     {:>16}  {}\n", grouped(static_cast<std::uint64_t>(plan.instances.value)),
             percent(plan.instances));
  fmt::print("disk          {:>16}  {}\n", bytes_text(static_cast<std::uint64_t>(plan.bytes.value)),
             percent(plan.bytes));
  fmt::print(
      "time          {:>16}  {} on {} thread{} of this machine (read {:.0f} %, generate {:.0f} %, write "
      "{:.0f} %)\n",
      duration(plan.seconds.value / threads), percent(plan.seconds), threads, threads == 1 ? "" : "s",
      100 * plan.seconds_read / value, 100 * plan.seconds_generate / value, 100 * plan.seconds_write / value);
  if (plan.seconds_census > 0.01) {
    fmt::print(
        "counting      {:>16}  once more, for the amounts of layers; more where fewer tiles were sampled\n",
        duration(plan.seconds_census));
  }
  fmt::print("memory        {:>16}  and {} for each thread\n", bytes_text(plan.memory_base),
             bytes_text(plan.memory_per_worker));
  fmt::print(
      "reach         {:>14.2f} m  a change of terrain moves nothing farther away, but for the halos of "
      "strategies\n\n",
      strew::to_metres(plan.reach));
  fmt::print("{:>8} {:>12} {:>11}  {:<13} {:>12} {:>11}  {}\n", "workers", "handed out", "efficiency",
             "limit", "shards", "efficiency", "limit");
  for (const strew::FarmTime& time : farm) {
    fmt::print("{:>8} {:>12} {:>10.0f}%  {:<13} {:>12} {:>10.0f}%  {}\n", grouped(time.workers),
               duration(time.dynamic_seconds), 100 * time.dynamic_efficiency,
               strew::to_string(time.dynamic_limit), duration(time.sharded_seconds),
               100 * time.sharded_efficiency, strew::to_string(time.sharded_limit));
    if (time.workers >= plan.tiles && &time != &farm.back()) {
      fmt::print("more workers than tiles change nothing\n");
      break;
    }
  }
}

void print_json(const strew::BakePlan& plan, const std::vector<strew::FarmTime>& farm,
                std::uint32_t threads) {
  nlohmann::ordered_json out;
  const auto estimate = [](const strew::Estimate& one) {
    return nlohmann::ordered_json{{"value", one.value}, {"error_95", one.error}};
  };
  out["tiles"] = plan.tiles;
  out["sampled"] = plan.sampled;
  out["instances"] = estimate(plan.instances);
  out["bytes"] = estimate(plan.bytes);
  out["worker_seconds"] = estimate(plan.seconds);
  out["stage_seconds"] = {
      {"read", plan.seconds_read}, {"generate", plan.seconds_generate}, {"write", plan.seconds_write}};
  out["census_seconds"] = plan.seconds_census;
  out["longest_tile_seconds"] = plan.longest_tile;
  out["threads"] = threads;
  out["memory_bytes"] = plan.memory_base + threads * plan.memory_per_worker;
  out["reach_m"] = strew::to_metres(plan.reach);
  out["farm"] = nlohmann::ordered_json::array();
  for (const strew::FarmTime& time : farm) {
    out["farm"].push_back({{"workers", time.workers},
                           {"handed_out_seconds", time.dynamic_seconds},
                           {"handed_out_efficiency", time.dynamic_efficiency},
                           {"handed_out_limit", strew::to_string(time.dynamic_limit)},
                           {"shards_seconds", time.sharded_seconds},
                           {"shards_efficiency", time.sharded_efficiency},
                           {"shards_limit", strew::to_string(time.sharded_limit)}});
  }
  fmt::print("{}\n", out.dump(2));
}

strew::Status plan_it(const Arguments& arguments) {
  STREW_ASSIGN(const auto seed, parse_seed(arguments.seed));
  STREW_ASSIGN(const OpenWorld world, open_world(arguments.world, arguments.defines, seed));
  STREW_ASSIGN(const Runner runner, Runner::create(arguments.run));
  const strew::RunContext context = runner.context();
  strew::BakeOptions options;
  options.tile_size_m = arguments.tile_size_m.value_or(world.file.tile_size_m);
  STREW_ASSIGN(options.region, region_in(world.file.scatter.extent, arguments.region));
  STREW_ASSIGN(const strew::BakePlan plan,
               strew::plan_bake(world.scatter, world.terrain(), options, arguments.samples, context));
  strew::FarmModel model;
  model.storage_bytes_per_second = arguments.storage_mb_per_s * 1e6;
  std::vector<strew::FarmTime> farm;
  for (const std::uint32_t workers : arguments.workers) {
    STREW_ASSIGN(const strew::FarmTime time, strew::simulate_farm(plan, workers, model));
    farm.push_back(time);
  }
  const std::uint32_t threads = strew::worker_count(context);
  arguments.json ? print_json(plan, farm, threads) : print_table(plan, farm, threads);
  return {};
}

}  // namespace

void add_plan(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand("plan", "Say what a bake will cost, here and on a farm");
  command.add_option("WORLD", arguments->world, "World file (JSON)")->required();
  command.add_option("--region", arguments->region, "x0,y0,x1,y1 in metres: this part of the world only");
  command.add_option("--tile-size", arguments->tile_size_m,
                     "Side of a tile in metres (default: as the world says)");
  command.add_option("--seed", arguments->seed, "Seed in place of the world's own");
  command.add_option("--samples", arguments->samples, "Tiles to try")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command.add_option("--workers", arguments->workers, "Sizes of a farm, separated by commas")
      ->delimiter(',')
      ->check(CLI::Range(1, 65536));
  command.add_option("--storage", arguments->storage_mb_per_s, "MB/s of the storage that a farm shares")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("-D,--define", arguments->defines, "NAME=VALUE: what ${NAME} in the world file stands for")
      ->take_all()
      ->allow_extra_args(false);
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] {
    const strew::Status status = plan_it(*arguments);
    exit_code = status.ok() ? kExitDone : fail(status);
  });
}

}  // namespace strew_tool
