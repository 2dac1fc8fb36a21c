// strew snap KIT: one map of a seed, or a search through many seeds for the best.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "output_folder.hpp"
#include "snap_job.hpp"
#include "snap_picture.hpp"
#include "snap_state.hpp"
#include "strew/io/files.hpp"
#include "strew/io/kit.hpp"

namespace strew_tool {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  SnapArguments job;
  std::string seed;
  std::string seeds;
  std::string objective = "A_r_max";
  std::vector<std::string> requirements;
  std::uint32_t top = 10;
  std::string folder;
  std::string json;
  std::string export_kit;
  bool explain = false;
  bool no_exact = false;
  bool quiet = false;
  RunOptions run;
};

strew::Result<std::int64_t> whole(std::string_view text, const char* where) {
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

strew::Status one_map(const Arguments& arguments, const SnapJob& job, const strew::RunContext& context) {
  STREW_ASSIGN(const std::int64_t seed, whole(arguments.seed, "--seed"));
  if (!arguments.folder.empty()) {
    STREW_RETURN_IF_ERROR(prepare_output_folder(arguments.folder));
  }
  // The placements alone need no scores; a kit whose pieces cannot be scored can still be assembled.
  const bool scored = !arguments.folder.empty() || arguments.json.empty();
  std::vector<strew::nav::PieceRegions> regions(job.kit.pieces.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    regions[i].at_connector.assign(job.kit.pieces[i].connectors.size(), -1);
  }
  if (scored) {
    STREW_ASSIGN(regions, strew::nav::piece_regions(job.z_up, job.walker, context));
  }
  std::vector<strew::nav::Navmesh> navmesh;
  STREW_ASSIGN(const SnapMap map, make_map(job, regions, seed, scored && !arguments.no_exact, &navmesh));
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
               map.map.placements.size(), map.map.joints.size() + 1 - map.map.placements.size(),
               map.map.tentatives, strew::snap::to_string(map.map.end));
    if (scored) {
      print_measures(map);
    }
  }
  return {};
}

struct Finalist {
  SnapMap map;
  double fast = 0;
  double exact = 0;
  bool qualifies = true;  ///< by the exact score too
};

Json finalist_json(const Finalist& f, std::size_t rank) {
  Json out = {{"rank", rank}, {"seed", f.map.seed}, {"objective", f.exact}, {"objective_fast", f.fast}};
  for (std::size_t m = 0; m < strew::snap::kMeasures; ++m) {
    out[std::string(strew::snap::measure_name(static_cast<strew::snap::Measure>(m)))] = f.map.exact[m];
  }
  out["exact"] = f.map.has_exact;
  return out;
}

strew::Status write_tables(const Arguments& arguments, const SnapJob& job,
                           const strew::snap::SearchSpec& spec, const strew::snap::SearchResult& result,
                           const std::vector<Finalist>& finalists) {
  const std::filesystem::path folder(arguments.folder);
  Json ranking;
  ranking["kit"] = job.kit.name;
  ranking["method"] = arguments.job.method;
  ranking["seeds"] = {spec.first_seed, spec.first_seed + static_cast<std::int64_t>(spec.seeds) - 1};
  ranking["objective"] = spec.objective.text();
  ranking["requirements"] = Json::array();
  for (std::size_t r = 0; r < spec.requirements.size(); ++r) {
    ranking["requirements"].push_back(
        {{"text", spec.requirements[r].text()}, {"ruled_out", result.failures[r]}});
  }
  ranking["qualified"] = result.qualified;
  ranking["ranking"] = Json::array();
  std::string csv = "rank,seed,objective,objective_fast,exact";
  for (std::size_t m = 0; m < strew::snap::kMeasures; ++m) {
    csv += fmt::format(",{}", strew::snap::measure_name(static_cast<strew::snap::Measure>(m)));
  }
  csv += "\n";
  for (std::size_t i = 0; i < finalists.size(); ++i) {
    const Finalist& f = finalists[i];
    ranking["ranking"].push_back(finalist_json(f, i + 1));
    csv += fmt::format("{},{},{},{},{}", i + 1, f.map.seed, f.exact, f.fast, f.map.has_exact);
    for (const double value : f.map.exact) {
      csv += fmt::format(",{}", value);
    }
    csv += "\n";
  }
  STREW_RETURN_IF_ERROR(write_text((folder / "ranking.json").string(), ranking.dump(1) + "\n"));
  STREW_RETURN_IF_ERROR(write_text((folder / "ranking.csv").string(), csv));
  const strew::snap::Histogram bars = strew::snap::histogram(result.objective, 60);
  std::string table = "from,to,seeds\n";
  for (std::size_t i = 0; i < bars.counts.size(); ++i) {
    const double width = (bars.high - bars.low) / static_cast<double>(bars.counts.size());
    table += fmt::format("{},{},{}\n", bars.low + width * static_cast<double>(i),
                         bars.low + width * static_cast<double>(i + 1), bars.counts[i]);
  }
  STREW_RETURN_IF_ERROR(write_text((folder / "histogram.csv").string(), table));
  return strew::write_png((folder / "histogram.png").string(),
                          histogram_picture(bars, spec.objective.text()));
}

strew::Result<strew::snap::SearchSpec> make_spec(const Arguments& arguments) {
  strew::snap::SearchSpec spec;
  const std::size_t dots = arguments.seeds.find("..");
  if (dots == std::string::npos) {
    return strew::invalid_argument(fmt::format("expected FIRST..LAST, found \"{}\"", arguments.seeds),
                                   "--seeds");
  }
  STREW_ASSIGN(spec.first_seed, whole(std::string_view(arguments.seeds).substr(0, dots), "--seeds"));
  STREW_ASSIGN(const std::int64_t last, whole(std::string_view(arguments.seeds).substr(dots + 2), "--seeds"));
  if (last < spec.first_seed) {
    return strew::invalid_argument("the last seed is below the first", "--seeds");
  }
  spec.seeds = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(spec.first_seed) + 1;
  if (spec.seeds == 0 || spec.seeds > strew::snap::kMaximumSeeds) {
    return strew::invalid_argument(fmt::format("expected {} seeds at most", strew::snap::kMaximumSeeds),
                                   "--seeds");
  }
  const auto parse = [](const std::string& text,
                        const char* where) -> strew::Result<strew::snap::Expression> {
    auto parsed = strew::snap::Expression::parse(text);
    if (!parsed.ok()) {
      strew::Status status = parsed.status();
      status.where = where;
      return status;
    }
    return parsed;
  };
  STREW_ASSIGN(spec.objective, parse(arguments.objective, "--objective"));
  for (const std::string& text : arguments.requirements) {
    STREW_ASSIGN(strew::snap::Expression requirement, parse(text, "--require"));
    spec.requirements.push_back(std::move(requirement));
  }
  return spec;
}

struct Progress {
  std::chrono::steady_clock::time_point next = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  static bool show(void* self, double fraction) {
    auto& progress = *static_cast<Progress*>(self);
    const auto now = std::chrono::steady_clock::now();
    if (now >= progress.next) {
      progress.next = now + std::chrono::seconds(2);
      fmt::print(stderr, "strew: searched {:.1f} %\n", 100 * fraction);
    }
    return true;
  }
};

/// Nothing qualified: the nearest seed and what stood in the way.
strew::Status report_none(const Arguments& arguments, const SnapJob& job, const strew::snap::SearchSpec& spec,
                          const strew::snap::SearchResult& result,
                          const std::vector<strew::nav::PieceRegions>& regions) {
  fmt::print("no seed of {} qualifies\n", grouped(spec.seeds));
  for (std::size_t r = 0; r < spec.requirements.size(); ++r) {
    fmt::print("  {:<32} ruled out {}\n", spec.requirements[r].text(), grouped(result.failures[r]));
  }
  std::vector<strew::nav::Navmesh> navmesh;
  STREW_ASSIGN(const SnapMap closest, make_map(job, regions, result.closest, !arguments.no_exact, &navmesh));
  fmt::print("the best found is seed {}, which meets most of them:\n", closest.seed);
  print_measures(closest);
  STREW_RETURN_IF_ERROR(write_tables(arguments, job, spec, result, {}));
  return write_map_files(
      job, closest, navmesh.empty() ? nullptr : &navmesh.front(),
      (std::filesystem::path(arguments.folder) / fmt::format("closest_{}", closest.seed)).string());
}

strew::Status search(const Arguments& arguments, const SnapJob& job, strew::RunContext context) {
  STREW_ASSIGN(const strew::snap::SearchSpec spec, make_spec(arguments));
  STREW_RETURN_IF_ERROR(prepare_output_folder(arguments.folder));
  STREW_ASSIGN(const auto regions, strew::nav::piece_regions(job.z_up, job.walker, context));
  if (!job.has_meshes) {
    fmt::print(stderr,
               "strew: pieces without a mesh count as one region each, joined to all their connectors\n");
  }
  std::string name =
      fmt::format("{} | seeds {} {} | {}", job.text, spec.first_seed, spec.seeds, spec.objective.text());
  for (const strew::snap::Expression& requirement : spec.requirements) {
    name += " | " + requirement.text();
  }
  STREW_ASSIGN(SearchState state,
               SearchState::open((std::filesystem::path(arguments.folder) / "search.state").string(), name));
  if (!state.done().empty() && !arguments.quiet) {
    fmt::print(stderr, "strew: resuming after {} seeds\n",
               grouped(state.done().size() * strew::snap::kChunk));
  }
  Progress progress;
  if (!arguments.quiet) {
    context.progress = Progress::show;
    context.progress_user = &progress;
  }
  // Twice as many as asked for go before the exact score, which may put them in another order.
  const std::size_t pool =
      job.has_meshes && !arguments.no_exact ? 2 * std::size_t{arguments.top} : arguments.top;
  const auto start = std::chrono::steady_clock::now();
  STREW_ASSIGN(const strew::snap::SearchResult result,
               strew::snap::search_seeds(job.kit, job.rules, job.passes, regions, spec, pool, context,
                                         state.done(), SearchState::append, &state));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (result.qualified == 0) {
    return report_none(arguments, job, spec, result, regions);
  }
  std::vector<Finalist> finalists;
  for (const strew::snap::Ranked& ranked : result.best) {
    Finalist finalist;
    STREW_ASSIGN(finalist.map, make_map(job, regions, ranked.seed, !arguments.no_exact, nullptr));
    finalist.fast = ranked.objective;
    finalist.exact = spec.objective.value(finalist.map.exact);
    for (const strew::snap::Expression& requirement : spec.requirements) {
      finalist.qualifies = finalist.qualifies && requirement.value(finalist.map.exact) != 0;
    }
    finalists.push_back(std::move(finalist));
  }
  // Those whom the exact score turns away come after the others; they are not dropped, the fast score let
  // them in.
  std::stable_sort(finalists.begin(), finalists.end(), [](const Finalist& a, const Finalist& b) {
    if (a.qualifies != b.qualifies) {
      return a.qualifies;
    }
    const double x = std::isnan(a.exact) ? -INFINITY : a.exact;
    const double y = std::isnan(b.exact) ? -INFINITY : b.exact;
    return x != y ? x > y : a.map.seed < b.map.seed;
  });
  finalists.resize(std::min<std::size_t>(finalists.size(), arguments.top));
  STREW_RETURN_IF_ERROR(write_tables(arguments, job, spec, result, finalists));
  for (std::size_t i = 0; i < finalists.size(); ++i) {
    std::vector<strew::nav::Navmesh> navmesh;
    STREW_ASSIGN(const SnapMap map,
                 make_map(job, regions, finalists[i].map.seed, !arguments.no_exact, &navmesh));
    STREW_RETURN_IF_ERROR(write_map_files(
        job, map, navmesh.empty() ? nullptr : &navmesh.front(),
        (std::filesystem::path(arguments.folder) / fmt::format("{:02}_seed_{}", i + 1, map.seed)).string()));
  }
  if (!arguments.quiet) {
    fmt::print("{} seeds in {:.2f} s; {} qualify\n{:>4} {:>12} {:>14} {:>14}\n", grouped(spec.seeds), seconds,
               grouped(result.qualified), "rank", "seed", "objective", "fast");
    for (std::size_t i = 0; i < finalists.size(); ++i) {
      fmt::print("{:>4} {:>12} {:>14.6g} {:>14.6g}{}\n", i + 1, finalists[i].map.seed, finalists[i].exact,
                 finalists[i].fast, finalists[i].qualifies ? "" : "  a requirement fails by the exact score");
    }
  }
  return {};
}

/// All pieces side by side, their ground coloured by region.
strew::Status write_kit_picture(const SnapJob& job, const std::string& path) {
  double cell = 1;
  for (const strew::snap::Piece& piece : job.z_up.pieces) {
    for (std::size_t i = 0; i < piece.mesh.positions.size(); ++i) {
      if (i % 3 != 2) {
        cell = std::max(cell, 2.3 * std::abs(static_cast<double>(piece.mesh.positions[i])));
      }
    }
  }
  strew::snap::Map shown;
  std::int32_t column = 0;
  for (std::uint32_t i = 0; i < job.z_up.pieces.size(); ++i) {
    if (job.z_up.pieces[i].mesh.triangles.empty()) {
      continue;
    }
    strew::snap::Placement placement;
    placement.piece = i;
    placement.position = {cell * (column % 5), -cell * (column / 5), 0};
    shown.placements.push_back(placement);
    ++column;
  }
  if (shown.placements.empty()) {
    return {};
  }
  strew::nav::Settings walker = job.walker;
  walker.detail_distance = 1;
  STREW_ASSIGN(const strew::nav::Navmesh navmesh,
               strew::nav::Navmesh::build(strew::nav::map_mesh(job.z_up, shown), walker,
                                          strew::nav::map_zones(job.z_up, shown)));
  return strew::write_png(path, map_picture(job.z_up, shown, &navmesh, "kit " + job.kit.name));
}

strew::Status export_kit(const Arguments& arguments, const SnapJob& job) {
  const std::filesystem::path folder(arguments.export_kit);
  STREW_RETURN_IF_ERROR(prepare_output_folder(arguments.export_kit));
  auto document = Json::parse(strew::kit_json(job.z_up));
  for (std::size_t i = 0; i < job.z_up.pieces.size(); ++i) {
    const strew::snap::Piece& piece = job.z_up.pieces[i];
    if (piece.mesh.triangles.empty()) {
      continue;
    }
    std::string file = piece.name + ".glb";
    std::replace(file.begin(), file.end(), ' ', '_');
    document["pieces"][i]["mesh"] = file;
    const strew::ColouredMesh mesh{piece.name, &piece.mesh, {0.75F, 0.75F, 0.72F}};
    const strew::MeshNode node{piece.name, 0, {}, {}};
    STREW_RETURN_IF_ERROR(
        strew::write_file_atomically((folder / file).string(), strew::glb_bytes({&mesh, 1}, {&node, 1})));
  }
  STREW_RETURN_IF_ERROR(write_text((folder / "kit.json").string(), document.dump(1) + "\n"));
  return write_kit_picture(job, (folder / "kit.png").string());
}

strew::Status run(const Arguments& arguments) {
  const bool searching = !arguments.seeds.empty();
  if (arguments.export_kit.empty() && searching == !arguments.seed.empty()) {
    return strew::invalid_argument("give either --seed for one map or --seeds FIRST..LAST for a search",
                                   "--seed");
  }
  if (searching && arguments.folder.empty()) {
    return strew::invalid_argument("a search needs a folder for its results", "--output");
  }
  STREW_ASSIGN(const SnapJob job, make_job(arguments.job));
  STREW_ASSIGN(const Runner runner, Runner::create(arguments.run));
  if (!arguments.export_kit.empty()) {
    return export_kit(arguments, job);
  }
  return searching ? search(arguments, job, runner.context()) : one_map(arguments, job, runner.context());
}

}  // namespace

void add_snap(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  Arguments& a = *arguments;
  CLI::App& command =
      *app.add_subcommand("snap", "Snap pieces together into a map, or search seeds for the best");
  command.add_option("KIT", a.job.kit, "Kit file (JSON), *_unity_lh.json, or builtin")->required();
  command.add_option("--method", a.job.method, "arena, corridor, star, branch")->capture_default_str();
  command.add_option("--pass", a.job.passes, "METHOD,name=value,...: a further pass over the same map");
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
