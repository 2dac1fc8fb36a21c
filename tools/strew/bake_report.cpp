#include "bake_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "common.hpp"
#include "fmt/format.h"

namespace strew_tool {
namespace {

double square_kilometres(const strew::Rect& rect) {
  return (strew::to_metres(rect.x1 - rect.x0) / 1000.0) * (strew::to_metres(rect.y1 - rect.y0) / 1000.0);
}

double instances_per_second(const strew::BakeSummary& summary) {
  return summary.seconds > 0 ? static_cast<double>(summary.instances_made) / summary.seconds : 0;
}

std::string rejections_text(const strew::RejectionCounts& rejected) {
  std::string text;
  for (std::size_t kind = 0; kind < rejected.size(); ++kind) {
    if (rejected[kind] != 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                          strew::to_string(static_cast<strew::Rejection>(kind)), grouped(rejected[kind]));
    }
  }
  return text;
}

/// What a layer with an amount is asked for, in the whole world.
std::optional<std::uint64_t> requested(const strew::Scatter& scatter, std::size_t slot) {
  const strew::SlotInfo& info = scatter.slots()[slot];
  return info.secondary ? std::nullopt : scatter.requested(info.layer);
}

std::string row(const std::string& name, const std::string& candidates, const std::string& wanted,
                std::uint64_t placed, double area, const std::string& rejected) {
  std::string line = fmt::format("{:<26} {:>14} {:>12} {:>14} {:>11.0f}  {}", name, candidates, wanted,
                                 grouped(placed), static_cast<double>(placed) / area, rejected);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

std::string bake_table(const BakeFacts& facts) {
  const strew::BakeSummary& summary = facts.summary;
  const double area = square_kilometres(facts.region);
  std::string text = fmt::format("{:<26} {:>14} {:>12} {:>14} {:>11}  {}\n", "layer, species", "candidates",
                                 "requested", "placed", "per km2", "rejected by");
  const auto slots = facts.scatter.slots();
  for (std::size_t i = 0; i < slots.size() && i < summary.reports.size(); ++i) {
    const strew::SlotReport& report = summary.reports[i];
    const std::optional<std::uint64_t> wanted = requested(facts.scatter, i);
    text += row(slots[i].name, grouped(report.candidates), wanted ? grouped(*wanted) : "all", report.placed,
                area, rejections_text(report.rejected));
    for (std::size_t s = 0; s < slots[i].species.size() && s < report.placed_by_species.size(); ++s) {
      text += row("  " + slots[i].species[s].name, "", "", report.placed_by_species[s], area, "");
    }
  }
  if (summary.tiles_made < summary.tiles_total) {
    text += fmt::format("\n{} of {} tiles taken up as they stood, {} made",
                        grouped(summary.tiles_total - summary.tiles_made), grouped(summary.tiles_total),
                        grouped(summary.tiles_made));
    text += summary.tiles_changed != 0
                ? fmt::format(", {} of them because their terrain changed", grouped(summary.tiles_changed))
                : "";
    text += "\n";
  }
  if (summary.tiles_damaged != 0) {
    text += fmt::format("{} missing or damaged file{} made again:", grouped(summary.tiles_damaged),
                        summary.tiles_damaged == 1 ? "" : "s");
    for (const std::string& name : summary.damaged) {
      text += " " + name;
    }
    text += summary.tiles_damaged > summary.damaged.size() ? " ...\n" : "\n";
  }
  text += "\n";
  if (summary.tiles_made != 0) {
    const double stages =
        std::max(1e-9, summary.seconds_read + summary.seconds_generate + summary.seconds_write);
    text += fmt::format("{} instances made in {:.2f} s: {:.2f} million/s on {} thread{}{}\n",
                        grouped(summary.instances_made), summary.seconds, instances_per_second(summary) / 1e6,
                        facts.threads, facts.threads == 1 ? "" : "s",
                        facts.ranks > 1 ? fmt::format(" of each of {} ranks", facts.ranks) : "");
    text += fmt::format(
        "time of all threads{}: read {:.2f} s ({:.0f} %), generate {:.2f} s ({:.0f} %), write {:.2f} s "
        "({:.0f} %)\n",
        facts.ranks > 1 ? " of rank 0" : "", summary.seconds_read, 100 * summary.seconds_read / stages,
        summary.seconds_generate, 100 * summary.seconds_generate / stages, summary.seconds_write,
        100 * summary.seconds_write / stages);
  }
  text += fmt::format(
      "{} instances in {} non-empty tiles of {}, {} on disk ({:.2f} bytes an instance), peak memory {}{}\n",
      grouped(summary.instances), grouped(summary.tiles), grouped(summary.tiles_total),
      bytes_text(summary.bytes),
      summary.instances != 0 ? static_cast<double>(summary.bytes) / static_cast<double>(summary.instances)
                             : 0.0,
      bytes_text(facts.peak_memory_bytes), facts.ranks > 1 ? " of rank 0" : "");
  text += fmt::format("world hash {}\n", hex(summary.world_hash));
  return text;
}

std::string bake_json(const BakeFacts& facts) {
  const strew::BakeSummary& summary = facts.summary;
  nlohmann::ordered_json out;
  out["instances"] = summary.instances;
  out["world_hash"] = hex(summary.world_hash);
  out["tiles"] = summary.tiles;
  out["tiles_total"] = summary.tiles_total;
  out["tiles_made"] = summary.tiles_made;
  out["tiles_changed"] = summary.tiles_changed;
  out["tiles_damaged"] = summary.tiles_damaged;
  out["damaged"] = summary.damaged;
  out["instances_made"] = summary.instances_made;
  out["seconds"] = summary.seconds;
  out["instances_per_second"] = instances_per_second(summary);
  out["peak_memory_bytes"] = facts.peak_memory_bytes;
  out["bytes"] = summary.bytes;
  out["threads"] = facts.threads;
  out["ranks"] = facts.ranks;
  out["region"] = {strew::to_metres(facts.region.x0), strew::to_metres(facts.region.y0),
                   strew::to_metres(facts.region.x1), strew::to_metres(facts.region.y1)};
  out["stage_seconds"] = {{"read", summary.seconds_read},
                          {"generate", summary.seconds_generate},
                          {"write", summary.seconds_write}};
  out["layers"] = nlohmann::ordered_json::array();
  const auto slots = facts.scatter.slots();
  for (std::size_t i = 0; i < slots.size() && i < summary.reports.size(); ++i) {
    const strew::SlotReport& report = summary.reports[i];
    nlohmann::ordered_json layer;
    layer["name"] = slots[i].name;
    layer["candidates"] = report.candidates;
    if (const std::optional<std::uint64_t> wanted = requested(facts.scatter, i)) {
      layer["requested"] = *wanted;
    }
    layer["placed"] = report.placed;
    for (std::size_t kind = 0; kind < report.rejected.size(); ++kind) {
      layer["rejected"][std::string(strew::to_string(static_cast<strew::Rejection>(kind)))] =
          report.rejected[kind];
    }
    layer["species"] = nlohmann::ordered_json::object();
    for (std::size_t s = 0; s < slots[i].species.size() && s < report.placed_by_species.size(); ++s) {
      layer["species"][slots[i].species[s].name] = report.placed_by_species[s];
    }
    out["layers"].push_back(std::move(layer));
  }
  return out.dump(2);
}

}  // namespace strew_tool
