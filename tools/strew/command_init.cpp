// strew init [FILE]: a commented example world.
#include <filesystem>
#include <memory>
#include <span>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "output_folder.hpp"
#include "strew/io/files.hpp"
#include "strew/world/world.hpp"

namespace strew_tool {
namespace {

struct Arguments {
  std::string path = "world.json";
  bool force = false;
};

int run(const Arguments& arguments) {
  const std::string text = strew::world_example();
  if (arguments.path == "-") {
    fmt::print("{}", text);
    return kExitDone;
  }
  std::error_code error;
  if (!arguments.force && std::filesystem::exists(arguments.path, error)) {
    return fail(strew::invalid_argument("exists already: give another name, or --force to replace it",
                                        arguments.path));
  }
  strew::Status status = prepare_output_file(arguments.path);
  if (status.ok()) {
    status = strew::write_file_atomically(arguments.path, std::as_bytes(std::span(text)));
  }
  if (!status.ok()) {
    return fail(status);
  }
  fmt::print(stderr, "wrote {}; bake it with: strew bake {} -o out/world\n", arguments.path, arguments.path);
  return kExitDone;
}

}  // namespace

void add_init(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand("init", "Write a commented example world file");
  command.add_option("FILE", arguments->path, "Where to (- for standard output)")->capture_default_str();
  command.add_flag("--force", arguments->force, "Replace a file that is already there");
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
