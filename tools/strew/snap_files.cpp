// The files of one map.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common.hpp"
#include "fmt/format.h"
#include "snap_job.hpp"
#include "snap_picture.hpp"
#include "strew/io/files.hpp"
#include "strew/io/kit.hpp"

namespace strew_tool {
namespace {

using Json = nlohmann::ordered_json;
using strew::snap::Event;

std::string_view kind_name(Event::Kind kind) {
  using Kind = Event::Kind;
  switch (kind) {
    case Kind::kStarter:
      return "starter";
    case Kind::kGuide:
      return "guide";
    case Kind::kNoPair:
      return "no_pair";
    case Kind::kOverlap:
      return "overlap";
    case Kind::kSnap:
      return "snap";
    case Kind::kLoop:
      return "loop";
    case Kind::kBacktrack:
      return "backtrack";
    case Kind::kCap:
      return "cap";
    case Kind::kMissed:
      return "missed";
    case Kind::kPass:
      return "pass";
    case Kind::kClusters:
      return "clusters";
    case Kind::kBridge:
      return "bridge";
    case Kind::kEnd:
      return "end";
  }
  return "unknown";
}

std::string log_json(const SnapJob& job, const SnapMap& map) {
  Json out = Json::array();
  for (std::size_t i = 0; i < map.events.size(); ++i) {
    const Event& e = map.events[i];
    Json line = {{"kind", kind_name(e.kind)}, {"text", map.log[i]}};
    const bool whole =
        e.kind == Event::Kind::kPass || e.kind == Event::Kind::kEnd || e.kind == Event::Kind::kClusters;
    if (e.kind == Event::Kind::kBridge) {
      line["pieces"] = e.piece;
    } else if (!whole && e.kind != Event::Kind::kGuide && e.kind != Event::Kind::kMissed) {
      line["piece"] = job.kit.pieces[e.piece].name;
    }
    if (!whole) {
      line["placed"] = e.placed;
    }
    if (e.own_connector >= 0) {
      line["own_connector"] = e.own_connector;
      line["guide_connector"] = e.guide_connector;
    }
    line["value"] = e.value;
    out.push_back(std::move(line));
  }
  return out.dump(1) + "\n";
}

Json measures_json(const strew::snap::Measures& measures) {
  Json out;
  for (std::size_t m = 0; m < strew::snap::kMeasures; ++m) {
    out[std::string(strew::snap::measure_name(static_cast<strew::snap::Measure>(m)))] = measures[m];
  }
  return out;
}

std::string scores_json(const SnapJob& job, const SnapMap& map) {
  Json out;
  out["seed"] = map.seed;
  out["fast"] = measures_json(map.measures);
  if (const std::string note = job.fast_note(); !note.empty()) {
    out["note"] = note;
  }
  if (!map.shortage.empty()) {
    out["shortage"] = map.shortage;
  }
  if (map.has_exact) {
    out["exact"] = measures_json(map.exact);
    out["sampled"] = {{"nav_points", job.nav_points},
                      {"nav_seed", job.nav_seed},
                      {"A_r_max", map.sampled_share},
                      {"c_bar", map.sampled_connected}};
    const auto walker = strew::nav::resolved(job.walker);
    if (walker.ok()) {
      const strew::nav::Settings& w = walker.value();
      out["walker"] = {{"agent_radius", w.agent_radius},
                       {"agent_height", w.agent_height},
                       {"agent_climb", w.agent_climb},
                       {"agent_slope", w.agent_slope},
                       {"cell_size", w.cell_size},
                       {"cell_height", w.cell_height},
                       {"jump_distance", w.jump_distance},
                       {"drop_height", w.drop_height},
                       {"min_region_area", w.min_region_area}};
    }
  } else {
    out["no_exact_score"] = map.exact_note;
  }
  return out.dump(2) + "\n";
}

strew::Status write_navmesh(const strew::nav::Navmesh& navmesh, const std::string& path) {
  strew::snap::Mesh ground;
  std::vector<std::uint32_t> region;
  navmesh.triangles(ground, region);
  std::vector<strew::snap::Mesh> parts(navmesh.regions());
  for (std::size_t t = 0; t < region.size(); ++t) {
    strew::snap::Mesh& part = parts[region[t]];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t v = 3 * std::size_t{ground.triangles[3 * t + k]};
      part.triangles.push_back(static_cast<std::uint32_t>(part.positions.size() / 3));
      part.positions.insert(part.positions.end(),
                            {ground.positions[v], ground.positions[v + 1], ground.positions[v + 2]});
    }
  }
  std::vector<strew::ColouredMesh> meshes;
  std::vector<strew::MeshNode> nodes;
  for (std::size_t r = 0; r < parts.size(); ++r) {
    const Colour c = region_colour(r);
    const auto channel = [](std::uint8_t v) { return static_cast<float>(v) / 255.0F; };
    nodes.push_back({fmt::format("region {}", r), static_cast<std::int32_t>(meshes.size()), {}, {}});
    meshes.push_back({fmt::format("region {}", r), &parts[r], {channel(c.r), channel(c.g), channel(c.b)}});
  }
  return strew::write_file_atomically(path, strew::glb_bytes(meshes, nodes));
}

}  // namespace

strew::Status write_text(const std::string& path, std::string_view text) {
  return strew::write_file_atomically(path, std::as_bytes(std::span(text.data(), text.size())));
}

std::string placements_json(const SnapJob& job, const SnapMap& map) {
  Json out;
  out["kit"] = job.kit.name;
  out["mode"] = job.rules.mode == strew::snap::Mode::kReference ? "reference" : "standard";
  out["frame"] =
      job.kit.frame == strew::snap::Frame::kUnity ? "Unity left-handed" : "z up, right-handed, metres";
  out["method"] = job.passes.front().method->info().id;
  out["seed"] = map.seed;
  out["end"] = strew::snap::to_string(map.map.end);
  out["placed"] = map.map.placements.size();
  out["tentatives"] = map.map.tentatives;
  if (job.rules.mode == strew::snap::Mode::kReference) {
    out["rng_draws"] = map.map.rng_draws;
    out["rng_state_after"] = map.map.rng_state;
  }
  out["placements"] = Json::array();
  for (const strew::snap::Placement& p : map.map.placements) {
    Json one;
    one["piece"] = job.kit.pieces[p.piece].name;
    one["position"] = {p.position.x, p.position.y, p.position.z};
    one["rotation"] = {p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w};
    const auto index = [](std::int32_t i) { return i < 0 ? Json(nullptr) : Json(i); };
    one["parent"] = index(p.parent);
    one["parent_connector"] = index(p.parent_connector);
    one["own_connector"] = index(p.own_connector);
    out["placements"].push_back(std::move(one));
  }
  out["loops"] = Json::array();
  const auto tree =
      static_cast<std::size_t>(std::count_if(map.map.placements.begin(), map.map.placements.end(),
                                             [](const strew::snap::Placement& p) { return p.parent >= 0; }));
  for (std::size_t j = tree; j < map.map.joints.size(); ++j) {
    const strew::snap::Joint& loop = map.map.joints[j];
    out["loops"].push_back(
        {{"a", loop.a}, {"a_connector", loop.a_connector}, {"b", loop.b}, {"b_connector", loop.b_connector}});
  }
  return out.dump(1) + "\n";
}

strew::Status write_map_files(const SnapJob& job, const SnapMap& map, const strew::nav::Navmesh* navmesh,
                              const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const auto path = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
  STREW_RETURN_IF_ERROR(write_text(path("map.json"), placements_json(job, map)));
  STREW_RETURN_IF_ERROR(strew::write_file_atomically(path("map.glb"), strew::map_glb(job.z_up, map.z_up)));
  std::string log;
  for (const std::string& line : map.log) {
    log += line + "\n";
  }
  STREW_RETURN_IF_ERROR(write_text(path("log.txt"), log));
  STREW_RETURN_IF_ERROR(write_text(path("log.json"), log_json(job, map)));
  STREW_RETURN_IF_ERROR(write_text(path("scores.json"), scores_json(job, map)));
  if (navmesh != nullptr && navmesh->regions() > 0) {
    STREW_RETURN_IF_ERROR(write_navmesh(*navmesh, path("navmesh.glb")));
  }
  return strew::write_png(
      path("map.png"), map_picture(job.z_up, map.z_up, navmesh,
                                   fmt::format("seed {}  {} pieces", map.seed, map.map.placements.size())));
}

}  // namespace strew_tool
