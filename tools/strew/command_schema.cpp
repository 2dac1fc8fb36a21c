// strew schema: the JSON Schemas of what strew reads and writes.
#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "snap_schema.hpp"
#include "strew/io/kit.hpp"
#include "strew/world/world.hpp"

namespace strew_tool {

void add_schema(CLI::App& app, int& exit_code) {
  CLI::App& command = *app.add_subcommand("schema", "Print the JSON Schema of world files, kits or maps");
  auto subject = std::make_shared<std::string>("world");
  command
      .add_option("SUBJECT", *subject,
                  "world: world files; kit: kits of strew snap; map: what strew snap --json writes")
      ->check(CLI::IsMember({"world", "kit", "map"}))
      ->capture_default_str();
  command.callback([&exit_code, subject] {
    if (*subject == "kit") {
      fmt::print("{}\n", strew::kit_schema());
    } else if (*subject == "map") {
      fmt::print("{}\n", map_schema());
    } else {
      fmt::print("{}\n", strew::world_schema());
    }
    exit_code = kExitDone;
  });
}

}  // namespace strew_tool
