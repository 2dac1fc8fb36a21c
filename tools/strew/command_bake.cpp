// strew bake WORLD.json -o DIR
#include <memory>
#include <optional>

#include "bake_mpi.hpp"
#include "bake_report.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "output_folder.hpp"
#include "progress.hpp"
#include "shard_option.hpp"
#include "world_input.hpp"

namespace strew_tool {
namespace {

struct Arguments {
  std::string world;
  std::string folder;
  std::string region;
  std::string seed;
  std::string shard;
  std::optional<double> tile_size_m;  ///< absent: as the world says
  bool force = false;
  bool trust_files = false;
  bool json = false;
  bool quiet = false;
  std::vector<std::string> defines;
  RunOptions run;
};

// A one-unit bake in memory: whatever a strategy or an ISA refuses is refused before anything is written.
strew::Status rehearse(const OpenWorld& world, const strew::Rect& region, const strew::RunContext& context) {
  const strew::Rect corner = {region.x0, region.y0, region.x0 + 1, region.y0 + 1};
  std::vector<strew::InstanceTable> tables;
  // Amounts would count the world for it, and refuse nothing.
  strew::ScatterSpec spec = world.scatter.spec();
  for (strew::LayerSpec& layer : spec.layers) {
    layer.amount.reset();
  }
  const strew::TerrainSource& terrain = world.terrain();
  STREW_ASSIGN(const strew::Scatter uncounted, strew::Scatter::create(std::move(spec), world.kinds));
  return uncounted.generate(corner, terrain, context, tables);
}

strew::Result<strew::BakeSummary> bake_here_or_with_mpi(MpiSession& mpi, const MpiBake& bake) {
  if (!mpi.active()) {
    return strew::bake(bake.scatter, bake.terrain, bake.folder, bake.options, bake.context, bake.progress,
                       bake.progress_user);
  }
  STREW_ASSIGN(MpiOutcome outcome, mpi.bake(bake));
  if (outcome.lost != 0) {
    fmt::print(stderr, "strew: {} of {} ranks were lost; the others made their tiles\n", outcome.lost,
               outcome.ranks);
  }
  return std::move(outcome.summary);
}

int run(const Arguments& arguments) {
  MpiSession mpi;
  // All ranks may say the same, or one alone that lacks a file.
  const auto refuse = [&mpi](strew::Status status) {
    status.message += mpi.rank() != 0 ? fmt::format(" (rank {})", mpi.rank()) : "";
    return fail(status);
  };
  if (const double size = arguments.tile_size_m.value_or(1); !(size >= 1 && size <= 1e6)) {
    return refuse(strew::invalid_argument(fmt::format("expected metres in [1, 1000000], found {}", size),
                                          "--tile-size"));
  }
  const auto shard = parse_shard(arguments.shard);
  if (!shard.ok()) {
    return refuse(shard.status());
  }
  // Ranks with a shard each need no MPI.
  if (unheard_ranks() && shard.value().shards == 1) {
    return refuse(strew::invalid_argument(
        "this strew is built without MPI, and one of several that mpirun started: configure it with "
        "-DSTREW_WITH_MPI=ON, start it once with --threads, or give each a --shard and a folder of its own",
        "mpirun"));
  }
  const auto seed = parse_seed(arguments.seed);
  if (!seed.ok()) {
    return refuse(seed.status());
  }
  const auto world = open_world(arguments.world, arguments.defines, seed.value());
  if (!world.ok()) {
    return refuse(world.status());
  }
  const OpenWorld& open = world.value();
  const auto region = region_in(open.file.scatter.extent, arguments.region);
  if (!region.ok()) {
    return refuse(region.status());
  }
  RunOptions how = arguments.run;
  if (mpi.active() && how.threads == 0) {
    how.threads = 1;  // mpirun starts a rank for each core, if it is not told otherwise
  }
  auto runner = Runner::create(how);
  if (!runner.ok()) {
    return refuse(runner.status());
  }
  const strew::RunContext context = runner.value().context();
  if (const strew::Status status = rehearse(open, region.value(), context); !status.ok()) {
    return refuse(status);
  }
  strew::BakeOptions options;
  options.tile_size_m = arguments.tile_size_m.value_or(open.file.tile_size_m);
  options.region = region.value();
  options.force = arguments.force;
  options.trust_files = arguments.trust_files;
  options.shard = shard.value().shard;
  options.shards = shard.value().shards;
  options.config_hash = config_hash(open);
  options.inputs_stamp = inputs_stamp(open);
  options.world_json = open.file.canonical_json;
  options.terrain_json = terrain_record(open);
  const FreshFolder fresh(arguments.folder);
  if (const strew::Status status = prepare_output_folder(arguments.folder); !status.ok()) {
    return refuse(status);
  }
  ProgressLine progress(arguments.quiet || mpi.rank() != 0);
  const auto summary = bake_here_or_with_mpi(mpi, {.scatter = open.scatter,
                                                   .terrain = open.terrain(),
                                                   .folder = arguments.folder,
                                                   .options = options,
                                                   .context = context,
                                                   .progress = ProgressLine::on_progress,
                                                   .progress_user = &progress});
  progress.finish();
  if (!summary.ok()) {
    // One voice is enough: rank 0 says what happened, the others return the same code.
    return mpi.rank() == 0 || mpi.lost_owner() ? fail(summary.status()) : exit_code_of(summary.status());
  }
  if (mpi.rank() != 0) {
    return kExitDone;
  }
  const BakeFacts facts = {.scatter = open.scatter,
                           .summary = summary.value(),
                           .region = region.value(),
                           .threads = strew::worker_count(context),
                           .ranks = mpi.ranks(),
                           .peak_memory_bytes = strew::peak_memory_bytes()};
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
  command.add_option(
      "--shard", arguments->shard,
      "i/N: bake share i (from 0) of N into its own folder, to be joined by `strew merge`; auto: as "
      "Slurm's array variables say; auto/N: i from Slurm or Kubernetes");
  command.add_option("--seed", arguments->seed, "Seed in place of the world's own");
  command
      .add_option("-D,--define", arguments->defines,
                  "NAME=VALUE: what ${NAME} in the world file stands for; a VALUE with a "
                  "slash is a path from the current folder")
      ->take_all()
      ->allow_extra_args(false);
  command.add_flag("--force", arguments->force,
                   "Replace a bake that is already in the folder, and begin from nothing");
  command.add_flag("--trust-files", arguments->trust_files,
                   "Take up finished tiles by the size of their files, without their checksums");
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  command.add_flag("--quiet", arguments->quiet, "No progress and no table");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
