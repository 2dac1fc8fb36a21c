// strew schema: the JSON Schema of world files.
#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "strew/world/world.hpp"

namespace strew_tool {

void add_schema(CLI::App& app, int& exit_code) {
  CLI::App& command = *app.add_subcommand("schema", "Print the JSON Schema of world files");
  command.callback([&exit_code] {
    fmt::print("{}\n", strew::world_schema());
    exit_code = kExitDone;
  });
}

}  // namespace strew_tool
