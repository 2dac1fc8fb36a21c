// strew analyze POINTS [POINTS2]: quality of a point set, or of two beside each other.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "analyze_input.hpp"
#include "analyze_set.hpp"
#include "analyze_text.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "output_folder.hpp"
#include "report_html.hpp"
#include "strew/io/files.hpp"

namespace strew_tool {
namespace {

struct Arguments {
  std::vector<std::string> paths;
  std::string report;
  std::string region;
  std::string layer;
  std::optional<double> radius;
  std::optional<double> tile_size;
  std::optional<double> cell_period;
  bool no_reference = false;
  bool json = false;
  RunOptions run;
};

struct Outcome {
  std::vector<PointInput> inputs;  ///< that the analyses point into
  std::vector<SetAnalysis> sets;
  std::optional<Reference> reference;
};

strew::Status check_length(const std::optional<double>& metres, const char* option) {
  constexpr double kLongest = 1e9;
  if (!metres || (*metres > 0 && *metres <= kLongest)) {
    return {};
  }
  return strew::invalid_argument(
      fmt::format("{} is not a length in (0, {:g}] m; leave the option out for none", *metres, kLongest),
      option);
}

/// Waves are counted from the side of the window, in 32 bits.
strew::Status check_period(const PointInput& input, const std::optional<double>& metres, const char* option) {
  constexpr double kMostPeriods = 1e8;
  const double side = std::max(input.window.width(), input.window.height());
  if (!metres || *metres * kMostPeriods >= side) {
    return {};
  }
  return strew::invalid_argument(
      fmt::format("{:g} m fits more than {:g} times into the window of {}; give at least {:g} m", *metres,
                  kMostPeriods, input.name, side / kMostPeriods),
      option);
}

/// Points of a wrong unit, or damaged ones, would spread the window until nothing can be measured in it.
strew::Status check_window(const PointInput& input) {
  constexpr double kWidest = 1e12;  // m
  const strew::PlaneWindow& window = input.window;
  const double side = std::max(window.width(), window.height());
  if (side <= kWidest) {
    return {};
  }
  return strew::invalid_argument(
      fmt::format("the points lie up to {:g} m apart; correct those far off, or leave them out with --region",
                  side),
      input.name);
}

strew::Status check_report_name(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (path.empty() || extension == ".html" || extension == ".htm") {
    return {};
  }
  return strew::invalid_argument("\"" + path + "\" is no name of a report; give a name that ends in .html",
                                 "--output");
}

strew::Status analyze(const Arguments& arguments, Outcome& outcome) {
  STREW_RETURN_IF_ERROR(check_length(arguments.radius, "--radius"));
  STREW_RETURN_IF_ERROR(check_length(arguments.tile_size, "--tile-size"));
  STREW_RETURN_IF_ERROR(check_length(arguments.cell_period, "--cell-period"));
  STREW_RETURN_IF_ERROR(check_report_name(arguments.report));
  STREW_ASSIGN(const Runner runner, Runner::create(arguments.run));
  for (const std::string& path : arguments.paths) {
    STREW_ASSIGN(PointInput input,
                 read_input({.path = path, .region = arguments.region, .layer = arguments.layer}));
    STREW_RETURN_IF_ERROR(check_window(input));
    STREW_RETURN_IF_ERROR(check_period(input, arguments.tile_size, "--tile-size"));
    STREW_RETURN_IF_ERROR(check_period(input, arguments.cell_period, "--cell-period"));
    outcome.inputs.push_back(std::move(input));
  }
  const AnalyzeOptions options = {.radius = arguments.radius.value_or(0),
                                  .tile_size = arguments.tile_size.value_or(0),
                                  .cell_period = arguments.cell_period.value_or(0)};
  for (const PointInput& input : outcome.inputs) {
    auto set = analyze_set(input, options, runner.context());
    if (!set.ok()) {
      strew::Status status = set.status();
      status.where = input.name + (status.where.empty() ? "" : ", " + status.where);
      return status;
    }
    outcome.sets.push_back(std::move(set).value());
  }
  if (!arguments.no_reference) {
    auto reference = make_reference(outcome.sets.front(), runner.context());
    if (reference.ok()) {
      outcome.reference = std::move(reference).value();
    } else if (reference.status().code == strew::StatusCode::kCancelled) {
      return reference.status();
    } else {
      // The set's own measures stand without it.
      fmt::print(stderr, "strew: no reference curves: {}\n", reference.status().text());
    }
  }
  return {};
}

int run(const Arguments& arguments) {
  if (!arguments.report.empty()) {
    if (const strew::Status status = prepare_output_file(arguments.report); !status.ok()) {
      return fail(status);
    }
  }
  Outcome outcome;
  if (const strew::Status status = analyze(arguments, outcome); !status.ok()) {
    return fail(status);
  }
  const Reference* const reference = outcome.reference ? &*outcome.reference : nullptr;
  if (!arguments.report.empty()) {
    const auto html = report_html(outcome.sets, reference, arguments.tile_size.value_or(0));
    if (!html.ok()) {
      return fail(html.status());
    }
    const strew::Status status =
        strew::write_file_atomically(arguments.report, std::as_bytes(std::span(html.value())));
    if (!status.ok()) {
      return fail(status);
    }
  }
  if (arguments.json) {
    fmt::print("{}\n", analysis_json(outcome.sets, reference));
  } else {
    fmt::print("{}", analysis_table(outcome.sets, reference));
    if (!arguments.report.empty()) {
      fmt::print("report: {}\n", arguments.report);
    }
  }
  return kExitDone;
}

}  // namespace

void add_analyze(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand("analyze", "Measure the quality of a point set, or compare two");
  command
      .add_option("POINTS", arguments->paths, "One or two of: FILE.csv, .npy, .ply, or the folder of a bake")
      ->required()
      ->expected(1, 2);
  command.add_option("-o,--output", arguments->report, "REPORT.html: pictures and curves");
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  command.add_option("--region", arguments->region,
                     "x0,y0,x1,y1 in metres: the window (default: the bounding box, or a bake's region)");
  command.add_option("--radius", arguments->radius,
                     "Distance the points should keep, in metres (a bake tells its own)");
  command.add_option(
      "--tile-size", arguments->tile_size,
      "Side of a tile grid through the origin, in metres: its borders and harmonics are looked at");
  command.add_option("--cell-period", arguments->cell_period,
                     "Period of a cell lattice, in metres (default: radius / sqrt 2)");
  command.add_option("--layer", arguments->layer,
                     "Layer of a bake (default: the one with the most instances)");
  command.add_flag("--no-reference", arguments->no_reference, "Leave out the reference curves");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
