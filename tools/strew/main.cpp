// The strew command: parses the command line and maps every outcome to an exit code.
#include <exception>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"

int main(int argc, char** argv) {
  using namespace strew_tool;
  int code = kExitDone;
  try {
    CLI::App app("strew generates the contents of very large worlds, the same bytes every time.", "strew");
    app.set_version_flag("--version", std::string("strew ") + STREW_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 1 failed at run time, 2 wrong usage or input, 3 verification failed, "
        "130 interrupted.");
    add_bake(app, code);
    add_preview(app, code);
    add_verify(app, code);
    add_points(app, code);
    add_strategies(app, code);
    add_schema(app, code);
    add_init(app, code);
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      // Help and version arrive as "errors" with code 0; CLI11's own codes for the rest are above 100.
      return app.exit(error) == 0 ? kExitDone : kExitUsage;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "strew: error: {}\n", error.what());
    return kExitFailed;
  }
  return code;
}
