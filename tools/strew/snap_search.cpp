// strew snap --seeds: the search, its finalists and its tables.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "fmt/format.h"
#include "output_folder.hpp"
#include "snap_command.hpp"
#include "snap_picture.hpp"
#include "snap_state.hpp"
#include "strew/io/files.hpp"

namespace strew_tool {
namespace {

using Json = nlohmann::ordered_json;

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

strew::Status write_tables(const SnapCommand& arguments, const SnapJob& job,
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
  if (const std::string note = job.fast_note(); !note.empty()) {
    ranking["note"] = note;
  }
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
  if (spec.ranking_only) {
    return {};  // objectives of most seeds were never made
  }
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

strew::Result<strew::snap::SearchSpec> make_spec(const SnapCommand& arguments) {
  strew::snap::SearchSpec spec;
  const std::size_t dots = arguments.seeds.find("..");
  if (dots == std::string::npos) {
    return strew::invalid_argument(fmt::format("expected FIRST..LAST, found \"{}\"", arguments.seeds),
                                   "--seeds");
  }
  STREW_ASSIGN(spec.first_seed, whole_number(std::string_view(arguments.seeds).substr(0, dots), "--seeds"));
  STREW_ASSIGN(const std::int64_t last,
               whole_number(std::string_view(arguments.seeds).substr(dots + 2), "--seeds"));
  if (last < spec.first_seed) {
    return strew::invalid_argument("the last seed is below the first", "--seeds");
  }
  spec.seeds = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(spec.first_seed) + 1;
  if (spec.seeds == 0 || spec.seeds > strew::snap::kMaximumSeeds) {
    return strew::invalid_argument(fmt::format("expected {} seeds at most, found {}; search in several runs",
                                               strew::snap::kMaximumSeeds, arguments.seeds),
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
  spec.ranking_only = arguments.ranking_only;
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

/// Finalists of an earlier run in this folder, with another --top or without the exact score, would stand
/// beside those of this one. Only files that a search writes go.
void remove_earlier_maps(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  std::vector<fs::path> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::size_t digits = name.find_first_not_of("0123456789");
    const bool finalist =
        digits >= 2 && digits != std::string::npos && name.substr(digits).starts_with("_seed_");
    if ((finalist || name.starts_with("closest_")) && fs::exists(entry.path() / "map.json", ignored)) {
      old.push_back(entry.path());
    }
  }
  for (const fs::path& path : old) {
    for (const char* file :
         {"map.glb", "navmesh.glb", "map.json", "map.png", "log.txt", "log.json", "scores.json"}) {
      fs::remove(path / file, ignored);
    }
    fs::remove(path, ignored);  // stays when something else lies in it
  }
}

/// Nothing qualified: the nearest seed and what stood in the way.
strew::Status report_none(const SnapCommand& arguments, const SnapJob& job,
                          const strew::snap::SearchSpec& spec, const strew::snap::SearchResult& result,
                          const std::vector<strew::nav::PieceRegions>& regions,
                          const strew::RunContext& context) {
  fmt::print("no seed of {} qualifies\n", grouped(spec.seeds));
  for (std::size_t r = 0; r < spec.requirements.size(); ++r) {
    fmt::print("  {:<32} ruled out {}\n", spec.requirements[r].text(), grouped(result.failures[r]));
  }
  std::vector<strew::nav::Navmesh> navmesh;
  STREW_ASSIGN(const SnapMap closest,
               make_map(job, regions, result.closest, !arguments.no_exact, &navmesh, context));
  fmt::print("the nearest is seed {}; ask for less, or for more seeds:\n", closest.seed);
  print_measures(closest);
  remove_earlier_maps(arguments.folder);
  STREW_RETURN_IF_ERROR(write_tables(arguments, job, spec, result, {}));
  return write_map_files(
      job, closest, navmesh.empty() ? nullptr : &navmesh.front(),
      (std::filesystem::path(arguments.folder) / fmt::format("closest_{}", closest.seed)).string());
}

}  // namespace

strew::Status search_maps(const SnapCommand& arguments, const SnapJob& job, strew::RunContext context) {
  STREW_ASSIGN(const strew::snap::SearchSpec spec, make_spec(arguments));
  STREW_RETURN_IF_ERROR(prepare_output_folder(arguments.folder));
  STREW_ASSIGN(const auto regions, strew::nav::piece_regions(job.z_up, job.walker, context));
  if (const std::string note = job.fast_note(); !note.empty()) {
    fmt::print(stderr, "strew: {}\n", note);
  }
  std::string name =
      fmt::format("{} | seeds {} {} | {}", job.text, spec.first_seed, spec.seeds, spec.objective.text());
  for (const strew::snap::Expression& requirement : spec.requirements) {
    name += " | " + requirement.text();
  }
  if (spec.ranking_only) {
    name += fmt::format(" | ranking only {} {}", arguments.top, arguments.no_exact);
  }
  STREW_ASSIGN(SearchState state,
               SearchState::open((std::filesystem::path(arguments.folder) / "search.state").string(), name));
  if (!state.done().empty() && !arguments.quiet) {
    fmt::print(stderr, "strew: resuming after {} seeds\n",
               grouped(std::accumulate(state.done().begin(), state.done().end(), std::size_t{0},
                                       [](std::size_t sum, const strew::snap::ChunkResult& chunk) {
                                         return sum + chunk.objective.size();
                                       })));
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
    return report_none(arguments, job, spec, result, regions, context);
  }
  std::vector<Finalist> finalists;
  for (const strew::snap::Ranked& ranked : result.best) {
    Finalist finalist;
    STREW_ASSIGN(finalist.map, make_map(job, regions, ranked.seed, !arguments.no_exact, nullptr, context));
    finalist.fast = ranked.objective;
    finalist.exact = spec.objective.value(finalist.map.exact);
    for (const strew::snap::Expression& requirement : spec.requirements) {
      const double value = requirement.value(finalist.map.exact);
      finalist.qualifies = finalist.qualifies && value != 0 && !std::isnan(value);
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
  if (result.best.empty()) {
    fmt::print(stderr,
               "strew: the objective \"{}\" is no number for any seed that qualifies: nothing is ranked\n",
               spec.objective.text());
  }
  remove_earlier_maps(arguments.folder);
  STREW_RETURN_IF_ERROR(write_tables(arguments, job, spec, result, finalists));
  for (std::size_t i = 0; i < finalists.size(); ++i) {
    std::vector<strew::nav::Navmesh> navmesh;
    STREW_ASSIGN(const SnapMap map,
                 make_map(job, regions, finalists[i].map.seed, !arguments.no_exact, &navmesh, context));
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

}  // namespace strew_tool
