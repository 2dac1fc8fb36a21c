// strew snap KIT: one map of a seed, or a search through many seeds for the best.
#include <charconv>
#include <cstdio>
#include <memory>

#include "commands.hpp"
#include "fmt/format.h"
#include "output_folder.hpp"
#include "snap_command.hpp"

namespace strew_tool {

strew::Result<std::int64_t> whole_number(std::string_view text, const char* where) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return strew::invalid_argument(fmt::format("expected a whole number, found \"{}\"", text), where);
  }
  return value;
}

void print_measures(const SnapMap& map) {
  fmt::print("{:<16}{:>14}{:>14}\n", "measure", "fast", map.has_exact ? "exact" : "");
  for (std::size_t m = 0; m < strew::snap::kMeasures; ++m) {
    const auto name = strew::snap::measure_name(static_cast<strew::snap::Measure>(m));
    fmt::print("{:<16}{:>14.6g}{:>14}\n", name, map.measures[m],
               map.has_exact ? fmt::format("{:.6g}", map.exact[m]) : std::string());
  }
  if (map.has_exact) {
    fmt::print("by sampled points: A_r_max {:.4f}, c_bar {:.4f}\n", map.sampled_share, map.sampled_connected);
  } else {
    fmt::print("no exact score: {}\n", map.exact_note);
  }
}

namespace {

strew::Status one_map(const SnapCommand& arguments, const SnapJob& job, const strew::RunContext& context) {
  STREW_ASSIGN(const std::int64_t seed, whole_number(arguments.seed, "--seed"));
  if (!arguments.folder.empty()) {
    STREW_RETURN_IF_ERROR(prepare_output_folder(arguments.folder));
  }
  // The placements alone need no scores; a kit whose pieces cannot be scored can still be assembled.
  const bool scored = !arguments.folder.empty() || arguments.json.empty();
  std::vector<strew::nav::PieceRegions> regions(job.kit.pieces.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    regions[i].at_connector.assign(job.kit.pieces[i].connectors.size(), -1);
  }
  if (scored || job.connects) {
    STREW_ASSIGN(regions, strew::nav::piece_regions(job.z_up, job.walker, context));
  }
  std::vector<strew::nav::Navmesh> navmesh;
  STREW_ASSIGN(const SnapMap map,
               make_map(job, regions, seed, scored && !arguments.no_exact, &navmesh, context));
  if (!arguments.json.empty()) {
    STREW_RETURN_IF_ERROR(write_text(arguments.json, placements_json(job, map)));
  }
  if (!arguments.folder.empty()) {
    STREW_RETURN_IF_ERROR(
        write_map_files(job, map, navmesh.empty() ? nullptr : &navmesh.front(), arguments.folder));
  }
  if (arguments.explain) {
    fmt::print("---- Map generation log (seed = {}) ----\n", seed);
    for (const std::string& line : map.log) {
      fmt::print("{}\n", line);
    }
  }
  if (!arguments.quiet) {
    fmt::print("{}: seed {}, {} pieces, {} loops, {} tentatives; {}\n", job.kit.name, seed,
               map.map.placements.size(),
               map.measures[static_cast<std::size_t>(strew::snap::Measure::kLoops)], map.map.tentatives,
               strew::snap::to_string(map.map.end));
    if (!map.shortage.empty()) {
      fmt::print("fewer than asked for: {}\n", map.shortage);
    }
    if (scored) {
      print_measures(map);
      if (const std::string note = job.fast_note(); !note.empty()) {
        fmt::print("note: {}\n", note);
      }
    }
  }
  return {};
}

/// Options that what is asked for would not look at.
strew::Status refuse_idle(const SnapCommand& a) {
  if (!a.export_kit.empty()) {
    return a.seed.empty() && a.seeds.empty()
               ? strew::Status()
               : strew::invalid_argument("makes no map; leave --seed and --seeds out, or run it apart",
                                         "--export-kit");
  }
  if (a.seeds.empty()) {
    const char* const idle = !a.requirements.empty() ? "--require"
                             : a.ranking_only        ? "--ranking-only"
                                                     : nullptr;
    return idle == nullptr ? strew::Status()
                           : strew::invalid_argument(
                                 "belongs to a search; give --seeds FIRST..LAST, or leave it out", idle);
  }
  const char* const idle = !a.json.empty() ? "--json" : a.explain ? "--explain" : nullptr;
  return idle == nullptr ? strew::Status()
                         : strew::invalid_argument(
                               "belongs to one map; give --seed S. A search writes map.json and log.txt "
                               "of each finalist",
                               idle);
}

strew::Status run(const SnapCommand& arguments) {
  const bool searching = !arguments.seeds.empty();
  if (arguments.export_kit.empty() && searching == !arguments.seed.empty()) {
    return strew::invalid_argument("give either --seed for one map or --seeds FIRST..LAST for a search",
                                   "--seed");
  }
  if (searching && arguments.folder.empty()) {
    return strew::invalid_argument("a search needs a folder for its results", "--output");
  }
  STREW_RETURN_IF_ERROR(refuse_idle(arguments));
  STREW_ASSIGN(const SnapJob job, make_job(arguments.job));
  STREW_ASSIGN(const Runner runner, Runner::create(arguments.run));
  if (!arguments.export_kit.empty()) {
    return export_kit(arguments, job);
  }
  return searching ? search_maps(arguments, job, runner.context())
                   : one_map(arguments, job, runner.context());
}

}  // namespace

void add_snap(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<SnapCommand>();
  SnapCommand& a = *arguments;
  CLI::App& command =
      *app.add_subcommand("snap", "Snap pieces together into a map, or search seeds for the best");
  command.add_option("KIT", a.job.kit, "Kit file (JSON), *_unity_lh.json, or builtin")->required();
  command.add_option("--method", a.job.method, "arena, corridor, star, branch")->capture_default_str();
  command.add_option(
      "--pass", a.job.passes,
      "METHOD,name=value,...: a further pass over the same map; origin_x, origin_y, origin_z begin it apart; "
      "connect bridges clusters");
  command.add_option("--set", a.job.settings, "name=value: rules, the method's parameters, the walker")
      ->take_all();
  command.add_flag("--reference", a.job.reference, "The published algorithm with its random generator");
  command.add_option("--seed", a.seed, "One map; negative as --seed=-5");
  command.add_flag("--explain", a.explain, "Tell every decision of the map");
  command.add_option("--json", a.json, "FILE for the placements of one map");
  command.add_option("--seeds", a.seeds, "FIRST..LAST, both included: search");
  command.add_option("--objective", a.objective, "Expression to make large")->capture_default_str();
  command.add_option("--require", a.requirements, "Expressions that must hold")->take_all();
  command.add_option("--top", a.top, "How many to keep")->check(CLI::Range(1, 1000))->capture_default_str();
  command.add_flag("--no-exact", a.no_exact, "Leave the navigation mesh of finalists out");
  command.add_flag("--ranking-only", a.ranking_only,
                   "Leave out what cannot reach the ranking, and the histogram with it");
  command.add_option("-o,--output", a.folder, "Folder for maps, pictures, tables");
  command.add_option("--export-kit", a.export_kit, "FOLDER: write the kit as JSON and GLB files");
  command.add_flag("--quiet", a.quiet, "Say nothing but errors");
  std::string footer = "Measures for --objective and --require:\n";
  for (std::size_t m = 0; m < strew::snap::kMeasures; ++m) {
    const auto measure = static_cast<strew::snap::Measure>(m);
    footer += fmt::format("  {:<15} {}\n", strew::snap::measure_name(measure),
                          strew::snap::measure_meaning(measure));
  }
  command.footer(footer);
  add_run_options(command, a.run);
  command.callback([arguments, &exit_code] {
    const strew::Status status = run(*arguments);
    exit_code = status.ok() ? kExitDone : fail(status);
  });
}

}  // namespace strew_tool
