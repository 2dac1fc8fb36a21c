// strew life: a cellular automaton on a grid, from a file or a fill, to a file or to statistics alone.
#include "commands.hpp"
#include "life.hpp"

namespace strew_tool {

void add_life(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<LifeArguments>();
  CLI::App& command = *app.add_subcommand("life", "Run a cellular automaton on a grid of cells");
  command.add_option("--rule", arguments->rule, "B3678/S34678, or a name: day-and-night, life, caves, ...");
  command.add_option("--size", arguments->size, "WxH in cells (default: that of --in)");
  command.add_option("--fill", arguments->fill, "Probability that a cell lives at first")
      ->capture_default_str();
  command.add_option("--seed", arguments->seed, "Seed, a whole number below 2^64")->capture_default_str();
  command.add_option("--generations", arguments->generations, "Steps")->capture_default_str();
  command.add_option("--border", arguments->border, "What lies beyond the sides: dead, alive, periodic");
  command.add_option("--in", arguments->input, "FILE.rle, .pbm or .npy to begin with, instead of a fill");
  command.add_option("-o,--output", arguments->output, "FILE.rle, .pbm, .png or .npy");
  command.add_option("--region", arguments->region, "x0,y0,x1,y1 in cells: only this part");
  command.add_option("--animate", arguments->animate,
                     "Folder for one picture per generation, 0000.png and on");
  command.add_flag("--population", arguments->population, "Print the living cells of every generation");
  command.add_flag("--regions", arguments->regions, "Count connected regions of living and of dead cells");
  command.add_option("--variant", arguments->variant, "best, hwy, xsimd, swar or ref")->capture_default_str();
  command.add_option("--depth", arguments->depth, "Generations per pass, 1 to 64 (default: chosen)");
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run_life(*arguments); });
}

}  // namespace strew_tool
