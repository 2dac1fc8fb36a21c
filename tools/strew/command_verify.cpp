// strew verify DIR: checks a bake without the generator.
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "world_input.hpp"

namespace strew_tool {
namespace {

struct Arguments {
  std::string folder;
  bool json = false;
  bool without_terrain = false;
  RunOptions run;
};

void print_json(const strew::VerifyReport& report) {
  nlohmann::ordered_json out;
  out["violations"] = report.violations;
  out["checks"] = nlohmann::ordered_json::array();
  for (const strew::VerifyCheck& check : report.checks) {
    out["checks"].push_back({{"name", check.name},
                             {"violations", check.violations},
                             {"examined", check.examined},
                             {"first_offender", check.first_offender},
                             {"note", check.note}});
  }
  fmt::print("{}\n", out.dump(2));
}

void print_text(const strew::VerifyReport& report) {
  for (const strew::VerifyCheck& check : report.checks) {
    fmt::print("{:<8} {:<24} {:>14} examined, {} violations\n", check.violations == 0 ? "ok" : "VIOLATED",
               check.name, grouped(check.examined), grouped(check.violations));
    if (!check.first_offender.empty()) {
      fmt::print("         first: {}\n", check.first_offender);
    }
    if (!check.note.empty()) {
      fmt::print("         note: {}\n", check.note);
    }
  }
  fmt::print("{}\n", report.violations == 0 ? "all holds" : grouped(report.violations) + " violations");
}

// Damage that stops the reading is a verdict on the bake, not a failure of this command.
strew::VerifyReport damage_report(const strew::Status& status) {
  strew::VerifyCheck check;
  check.name = "readable";
  check.violations = 1;
  check.examined = 1;
  check.first_offender = status.text();
  return {.violations = 1, .checks = {check}};
}

strew::Result<strew::VerifyReport> check_folder(const Arguments& arguments) {
  STREW_ASSIGN(const strew::Manifest manifest, strew::load_manifest(arguments.folder));
  STREW_ASSIGN(const Runner runner, Runner::create(arguments.run));
  if (arguments.without_terrain) {
    return strew::verify(arguments.folder, nullptr, nullptr, runner.context());
  }
  auto world = open_baked_world(manifest);
  if (!world.ok()) {
    strew::Status status = world.status();
    status.message += " (--without-terrain checks the rest)";
    return status;
  }
  return strew::verify(arguments.folder, &world.value().scatter, &world.value().terrain(), runner.context());
}

int run(const Arguments& arguments) {
  auto report = check_folder(arguments);
  if (!report.ok()) {
    if (report.status().code != strew::StatusCode::kCorrupt) {
      return fail(report.status());
    }
    report = damage_report(report.status());
  }
  if (arguments.json) {
    print_json(report.value());
  } else {
    print_text(report.value());
  }
  return report.value().violations == 0 ? kExitDone : kExitViolated;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command =
      *app.add_subcommand("verify", "Check a bake: distances, constraints, seams, ids, checksums");
  command.add_option("DIR", arguments->folder, "Folder of a bake")->required();
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  command.add_flag("--without-terrain", arguments->without_terrain,
                   "Leave out what needs the rasters: constraints and uncovered area");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
