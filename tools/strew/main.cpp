// The strew command: parses the command line and maps every outcome to an exit code.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "strew/strategy.hpp"
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

// The windows of a tile are some megabytes that the next tile wants again: by default they go back to the
// system and come again page by page, a tenth of the time of a bake.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLarge = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kLarge);
#endif
}

// A write beyond `ulimit -f` shall fail as one on a full disk does, not end the process with half a file.
void fail_at_file_limit() {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

// CLI11 says of a misspelt command only that one is required.
strew::Status check_command_name(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  if (word.empty() || word.front() == '-' || std::find(names.begin(), names.end(), word) != names.end()) {
    return {};
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view nearest = strew::nearest_name(word, candidates);
  return strew::invalid_argument(nearest.empty() ? "no such command: strew --help lists them"
                                                 : fmt::format("no such command; did you mean {}?", nearest),
                                 word);
}

// An empty value is an unset variable of somebody's shell; taken for "not given", it would widen what is
// done.
strew::Status check_nothing_empty(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool empty_value = word.starts_with("--") && word.ends_with('=');
    if (word.empty() || empty_value) {
      return strew::invalid_argument(
          "is empty; give a value or leave the option out",
          word.empty() ? fmt::format("argument {}, after {}", i, argv[i - 1]) : std::string(word));
    }
  }
  return {};
}

// What a command has printed is its result, and most of it is written only now.
int flush_printed(int code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if ((flushed && std::ferror(stdout) == 0) || code != strew_tool::kExitDone) {
    return code;
  }
  const std::string why = errno != 0 ? std::generic_category().message(errno) : "a write failed";
  return strew_tool::fail(strew::make_error(
      strew::StatusCode::kIo, "cannot be written: " + why + "; make room or print to another place",
      "standard output"));
}

int run(int argc, char** argv) {
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
    add_merge(app, code);
    add_plan(app, code);
    add_preview(app, code);
    add_verify(app, code);
    add_export(app, code);
    add_points(app, code);
    add_life(app, code);
    add_analyze(app, code);
    add_snap(app, code);
    add_strategies(app, code);
    add_schema(app, code);
    add_init(app, code);
    if (const strew::Status status = check_nothing_empty(argc, argv); !status.ok()) {
      return strew_tool::fail(status);
    }
    if (const strew::Status status = check_command_name(app, argc > 1 ? argv[1] : ""); !status.ok()) {
      return strew_tool::fail(status);
    }
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

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  fail_at_file_limit();
  return flush_printed(run(argc, argv));
}
