// strew bake WORLD.json -o DIR
#include <algorithm>
#include <memory>
#include <optional>

#include "bake_report.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "output_folder.hpp"
#include "progress.hpp"
#include "world_input.hpp"

namespace strew_tool {
namespace {

struct Arguments {
  std::string world;
  std::string folder;
  std::string region;
  std::string seed;
  std::optional<double> tile_size_m;  ///< absent: as the world says
  bool force = false;
  bool json = false;
  bool quiet = false;
  std::vector<std::string> defines;
  RunOptions run;
};

// A one-unit bake in memory: whatever a strategy or an ISA refuses is refused before anything is written.
strew::Status rehearse(const OpenWorld& world, const strew::Rect& region, const strew::RunContext& context) {
  const strew::Rect corner = {region.x0, region.y0, region.x0 + 1, region.y0 + 1};
  std::vector<strew::InstanceTable> tables;
  return world.scatter.generate(corner, world.terrain(), context, tables);
}

int run(const Arguments& arguments) {
  if (const double size = arguments.tile_size_m.value_or(1); !(size >= 1 && size <= 1e6)) {
    return fail(strew::invalid_argument(fmt::format("expected metres in [1, 1000000], found {}", size),
                                        "--tile-size"));
  }
  const auto seed = parse_seed(arguments.seed);
  if (!seed.ok()) {
    return fail(seed.status());
  }
  const auto world = open_world(arguments.world, arguments.defines, seed.value());
  if (!world.ok()) {
    return fail(world.status());
  }
  const OpenWorld& open = world.value();
  const auto region = region_in(open.file.scatter.extent, arguments.region);
  if (!region.ok()) {
    return fail(region.status());
  }
  auto runner = Runner::create(arguments.run);
  if (!runner.ok()) {
    return fail(runner.status());
  }
  const strew::RunContext context = runner.value().context();
  if (const strew::Status status = rehearse(open, region.value(), context); !status.ok()) {
    return fail(status);
  }
  strew::BakeOptions options;
  options.tile_size_m = arguments.tile_size_m.value_or(open.file.tile_size_m);
  options.region = region.value();
  options.force = arguments.force;
  options.config_hash = config_hash(open);
  options.world_json = open.file.canonical_json;
  options.terrain_json = terrain_record(open);
  if (const strew::Status status = prepare_output_folder(arguments.folder); !status.ok()) {
    return fail(status);
  }
  ProgressLine progress(arguments.quiet);
  const auto summary = strew::bake(open.scatter, open.terrain(), arguments.folder, options, context,
                                   ProgressLine::on_progress, &progress);
  progress.finish();
  if (!summary.ok()) {
    return fail(summary.status());
  }
  const BakeFacts facts = {.scatter = open.scatter,
                           .summary = summary.value(),
                           .region = region.value(),
                           .threads = strew::worker_count(context),
                           .peak_memory_bytes = std::max(peak_memory(), summary.value().peak_memory_bytes)};
  if (!arguments.quiet) {
    fmt::print(arguments.json ? stderr : stdout, "{}", bake_table(facts));
  }
  if (arguments.json) {
    fmt::print("{}\n", bake_json(facts));
  }
  return kExitDone;
}

}  // namespace

void add_bake(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand("bake", "Generate a world into a folder of tiles");
  command.add_option("WORLD", arguments->world, "World file (JSON)")->required();
  command.add_option("-o,--output", arguments->folder, "Folder for the tiles, created if absent")->required();
  command.add_option("--region", arguments->region,
                     "x0,y0,x1,y1 in metres: bake this part of the world only");
  command.add_option("--tile-size", arguments->tile_size_m,
                     "Side of a tile in metres (default: as the world says)");
  command.add_option("--seed", arguments->seed, "Seed in place of the world's own");
  command
      .add_option("-D,--define", arguments->defines,
                  "NAME=VALUE: what ${NAME} in the world file stands for; a VALUE with a "
                  "slash is a path from the current folder")
      ->take_all()
      ->allow_extra_args(false);
  command.add_flag("--force", arguments->force, "Replace a bake that is already in the folder");
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  command.add_flag("--quiet", arguments->quiet, "No progress and no table");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
