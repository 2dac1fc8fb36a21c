#include "snap_job.hpp"

#include <bit>
#include <charconv>

#include "common.hpp"
#include "fmt/format.h"
#include "strew/hash.hpp"
#include "strew/io/kit.hpp"

namespace strew_tool {
namespace {

using strew::snap::Measure;

strew::Result<double> number_in(const std::string& text, const std::string& where) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return strew::invalid_argument(fmt::format("expected a number, found \"{}\"", text), where);
  }
  return value;
}

/// True when the name is one of the walker or the sampling.
strew::Result<bool> set_walker(const std::string& name, const std::string& text, SnapJob& job) {
  strew::nav::Settings& w = job.walker;
  const std::pair<std::string_view, double*> reals[] = {{"agent_radius", &w.agent_radius},
                                                        {"agent_height", &w.agent_height},
                                                        {"agent_climb", &w.agent_climb},
                                                        {"agent_slope", &w.agent_slope},
                                                        {"cell_size", &w.cell_size},
                                                        {"cell_height", &w.cell_height},
                                                        {"jump_distance", &w.jump_distance},
                                                        {"drop_height", &w.drop_height},
                                                        {"min_region_area", &w.min_region_area}};
  for (const auto& [known, value] : reals) {
    if (known == name) {
      STREW_ASSIGN(*value, number_in(text, name));
      return true;
    }
  }
  if (name == "nav_points" || name == "nav_seed" || name == "tile_cells") {
    STREW_ASSIGN(const double value, number_in(text, name));
    const double most = name == "nav_seed" ? 9e15 : 1e6;
    if (!(value >= 0 && value <= most) || value != static_cast<double>(static_cast<std::uint64_t>(value))) {
      return strew::invalid_argument(
          fmt::format("expected a whole number from 0 to {:g}, found \"{}\"", most, text), name);
    }
    if (name == "nav_points") {
      job.nav_points = static_cast<std::uint32_t>(value);
    } else if (name == "tile_cells") {
      w.tile_cells = static_cast<std::int32_t>(value);
    } else {
      job.nav_seed = static_cast<std::uint64_t>(value);
    }
    return true;
  }
  return false;
}

strew::Status add_pass(const std::string& id, const std::vector<std::string>& settings, bool first,
                       SnapJob& job) {
  STREW_ASSIGN(const strew::snap::SelectionMethod* const method,
               strew::snap::find_method(strew::builtin_registry(), id));
  strew::ParameterSet parameters;
  strew::snap::Vec3 origin;
  bool detached = false;
  for (const std::string& setting : settings) {
    STREW_ASSIGN(const auto pair, split_setting(setting));
    STREW_ASSIGN(const bool walker, set_walker(pair.first, pair.second, job));
    if (walker) {
      continue;
    }
    const std::size_t axis = !first && pair.first.starts_with("origin_") && pair.first.size() == 8
                                 ? std::string_view("xyz").find(pair.first.back())
                                 : std::string_view::npos;
    if (axis == std::string_view::npos) {
      parameters.set(pair.first, pair.second);
      continue;
    }
    double* const coordinate[] = {&origin.x, &origin.y, &origin.z};
    STREW_ASSIGN(*coordinate[axis], number_in(pair.second, pair.first));
    detached = true;
  }
  strew::snap::Pass pass;
  strew::snap::Rules rules = job.rules;
  STREW_RETURN_IF_ERROR(strew::snap::configure(*method, parameters, rules, pass));
  if (first) {
    job.rules = rules;
  } else {
    for (const strew::ParameterSet::Entry& entry : parameters.entries()) {
      for (const strew::ParameterInfo& rule : strew::snap::rule_parameters()) {
        if (rule.name == entry.name) {
          return strew::invalid_argument("belongs to the whole map; give it with --set", entry.name);
        }
      }
    }
  }
  pass.detached = detached;
  pass.origin = origin;
  job.connects = job.connects || method->connects();
  job.passes.push_back(pass);
  return {};
}

strew::Result<std::vector<std::string>> split_pass(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  if (parts.front().empty()) {
    return strew::invalid_argument("expected METHOD,name=value,...", "--pass");
  }
  return parts;
}

std::uint64_t kit_hash(const strew::snap::Kit& kit) {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t word) {
    const std::array<std::uint64_t, 2> words = {hash, word};
    hash = strew::hash_words(words);
  };
  for (const char c : strew::kit_json(kit)) {
    add(static_cast<unsigned char>(c));
  }
  for (const strew::snap::Piece& piece : kit.pieces) {
    for (const float p : piece.mesh.positions) {
      add(std::bit_cast<std::uint32_t>(p));
    }
    for (const std::uint32_t i : piece.mesh.triangles) {
      add(i);
    }
  }
  return hash;
}

}  // namespace

strew::Result<std::pair<std::string, std::string>> split_setting(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == 0 || equals == std::string::npos) {
    return strew::invalid_argument(fmt::format("expected name=value, found \"{}\"", setting), "--set");
  }
  return std::pair(setting.substr(0, equals), setting.substr(equals + 1));
}

strew::Result<SnapJob> make_job(const SnapArguments& arguments) {
  SnapJob job;
  if (arguments.kit == "builtin") {
    job.kit = strew::snap::built_in_kit();
    STREW_RETURN_IF_ERROR(strew::snap::validate_kit(job.kit));
  } else {
    auto read = strew::read_kit(arguments.kit);
    if (!read.ok() && read.status().code == strew::StatusCode::kNotFound) {
      strew::Status status = read.status();
      status.message += ", or builtin for the built-in kit";
      return status;
    }
    STREW_ASSIGN(job.kit, std::move(read));
  }
  if (!arguments.reference) {
    job.rules = strew::snap::standard_rules();
    job.kit = strew::snap::to_z_up(std::move(job.kit));
  }
  job.z_up = strew::snap::to_z_up(job.kit);
  job.has_meshes = true;
  for (const strew::snap::Piece& piece : job.kit.pieces) {
    job.has_meshes = job.has_meshes && (!piece.mesh.triangles.empty() || piece.cap);
  }
  STREW_RETURN_IF_ERROR(add_pass(arguments.method, arguments.settings, true, job));
  for (const std::string& pass : arguments.passes) {
    STREW_ASSIGN(std::vector<std::string> parts, split_pass(pass));
    const std::string method = parts.front();
    parts.erase(parts.begin());
    STREW_RETURN_IF_ERROR(add_pass(method, parts, false, job));
  }
  // Also where no score is made: a setting that cannot be is a mistake, not a wish.
  if (const auto walker = strew::nav::resolved(job.walker); !walker.ok()) {
    return walker.status();
  }
  job.text =
      fmt::format("kit {} mode {} method {}", hex(kit_hash(job.kit)), arguments.reference, arguments.method);
  // Maps of another version of a method are other maps.
  for (const strew::snap::Pass& pass : job.passes) {
    job.text += fmt::format(" {}", pass.method->info().output_version);
  }
  for (const auto* const list : {&arguments.settings, &arguments.passes}) {
    for (const std::string& word : *list) {
      job.text += " | " + word;
    }
  }
  return job;
}

std::string SnapJob::fast_note() const {
  std::string names;
  for (const strew::snap::Piece& piece : kit.pieces) {
    if (piece.mesh.triangles.empty() && !piece.cap) {
      names += (names.empty() ? "" : ", ") + piece.name;
    }
  }
  return names.empty()
             ? names
             : "these pieces have no mesh, so each counts as one region, as large as the ground of its "
               "boxes and joined to all its connectors: " +
                   names;
}

namespace {

/// A small map, or one that got stuck, may not hold the minimum counts of its kit.
std::string shortage_of(const SnapJob& job, const strew::snap::Map& map) {
  std::vector<std::int64_t> counts(job.kit.pieces.size(), 0);
  for (const strew::snap::Placement& placement : map.placements) {
    ++counts[placement.piece];
  }
  std::string out;
  for (std::size_t i = 0; i < counts.size() && job.rules.mode == strew::snap::Mode::kStandard; ++i) {
    const strew::snap::Piece& piece = job.kit.pieces[i];
    if (counts[i] < piece.minimum_count) {
      out += fmt::format("{}{} of '{}' where the kit asks for {}", out.empty() ? "" : ", ", counts[i],
                         piece.name, piece.minimum_count);
    }
  }
  return out;
}

}  // namespace

strew::Result<SnapMap> make_map(const SnapJob& job, const std::vector<strew::nav::PieceRegions>& regions,
                                std::int64_t seed, bool exact, std::vector<strew::nav::Navmesh>* navmesh,
                                const strew::RunContext& context) {
  SnapMap out;
  out.seed = seed;
  STREW_ASSIGN(
      strew::snap::Assembler assembler,
      strew::snap::Assembler::create(job.kit, job.rules, job.passes, strew::Isa::kBest,
                                     job.connects ? std::span(regions) : std::span(regions).first(0)));
  STREW_ASSIGN(strew::snap::FastScorer scorer, strew::snap::FastScorer::create(job.kit, regions));
  STREW_RETURN_IF_ERROR(assembler.run(seed, &out.events));
  assembler.copy_map(out.map);
  out.z_up = job.kit.frame == strew::snap::Frame::kUnity ? strew::snap::to_z_up(out.map) : out.map;
  out.log = strew::snap::narrate(job.kit, out.events);
  out.shortage = shortage_of(job, out.map);
  if (!out.shortage.empty()) {
    out.log.push_back("Fewer than asked for: " + out.shortage);
  }
  const strew::nav::Score fast = scorer.score(assembler);
  constexpr std::uint32_t kAll = (1U << strew::snap::kMeasures) - 1;
  strew::snap::measure(job.kit, assembler, &fast, kAll, out.measures);
  out.exact = out.measures;
  if (!exact) {
    out.exact_note = "not asked for";
    return out;
  }
  if (!job.has_meshes) {
    out.exact_note = "a piece of the kit has no mesh";
    return out;
  }
  strew::nav::Settings walker = job.walker;
  if (navmesh != nullptr) {
    walker.detail_distance = 1;  // the files show heights, the scores do not need them
  }
  auto built = strew::nav::Navmesh::build(strew::nav::map_mesh(job.z_up, out.z_up), walker,
                                          strew::nav::map_zones(job.z_up, out.z_up), context);
  if (!built.ok()) {
    if (built.status().code != strew::StatusCode::kLimit) {
      return built.status();
    }
    out.exact_note = built.status().text();
    return out;
  }
  const strew::nav::Score score = built.value().score();
  strew::snap::measure(job.kit, assembler, &score, kAll, out.exact);
  out.has_exact = true;
  std::vector<double> counts(built.value().regions(), 0);
  for (const std::uint32_t region : built.value().sample(job.nav_points, job.nav_seed)) {
    counts[region] += 1;
  }
  out.sampled_share = strew::nav::largest_share(counts);
  out.sampled_connected = built.value().connected_share_of_sample(job.nav_points, job.nav_seed);
  if (navmesh != nullptr) {
    navmesh->push_back(std::move(built).value());
  }
  return out;
}

}  // namespace strew_tool
