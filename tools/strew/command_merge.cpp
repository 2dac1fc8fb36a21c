// strew merge DIR... -o OUT: the shards of a bake become one.
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "output_folder.hpp"
#include "strew/world/bake.hpp"

namespace strew_tool {
namespace {

struct Arguments {
  std::vector<std::string> shards;
  std::string folder;
  bool force = false;
  bool move = false;
  bool json = false;
  RunOptions run;
};

int run(const Arguments& arguments) {
  const auto runner = Runner::create(arguments.run);
  if (!runner.ok()) {
    return fail(runner.status());
  }
  const FreshFolder fresh(arguments.folder);
  if (const strew::Status status = prepare_output_folder(arguments.folder); !status.ok()) {
    return fail(status);
  }
  const auto merged =
      strew::merge_bakes(arguments.shards, arguments.folder,
                         {.force = arguments.force, .move = arguments.move}, runner.value().context());
  if (!merged.ok()) {
    return fail(merged.status());
  }
  const strew::BakeSummary& summary = merged.value();
  if (arguments.json) {
    nlohmann::ordered_json out;
    out["shards"] = arguments.shards.size();
    out["instances"] = summary.instances;
    out["world_hash"] = hex(summary.world_hash);
    out["tiles"] = summary.tiles;
    out["tiles_total"] = summary.tiles_total;
    out["bytes"] = summary.bytes;
    out["seconds"] = summary.seconds;
    out["peak_memory_bytes"] = summary.peak_memory_bytes;
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{} shards joined in {:.2f} s: {} instances in {} non-empty tiles of {}, {}\nworld hash {}\n",
               arguments.shards.size(), summary.seconds, grouped(summary.instances), grouped(summary.tiles),
               grouped(summary.tiles_total), bytes_text(summary.bytes), hex(summary.world_hash));
  }
  return kExitDone;
}

}  // namespace

void add_merge(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand("merge", "Join the shards of a bake");
  command.add_option("DIR", arguments->shards, "Folders of all shards, in any order")->required();
  command.add_option("-o,--output", arguments->folder, "Folder for the whole bake, created if absent")
      ->required();
  command.add_flag(
      "--move", arguments->move,
      "Take the files out of the shards' folders (default: link them, or copy across file systems)");
  command.add_flag("--force", arguments->force, "Replace a bake that is already in the folder");
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
