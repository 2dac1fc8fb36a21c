#include "layer_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "common.hpp"
#include "fmt/format.h"

namespace strew_tool {
namespace {

// The pictures of --why show them all.
constexpr std::string_view kCountedText =
    "candidates are counted where altitude, slope and biome let some stand, in squares of 16 m; `requested` "
    "is "
    "for the whole world\n";

}  // namespace

LayerReport::LayerReport(const strew::Scatter& scatter, const strew::Rect& region, strew::Coord margin)
    : scatter_(scatter),
      region_(region),
      margin_(margin),
      reports_(scatter.slots().size()),
      x_(scatter.slots().size()),
      y_(scatter.slots().size()) {}

void LayerReport::add(std::span<const strew::InstanceTable> tables,
                      std::span<const strew::SlotReport> reports) {
  const std::lock_guard lock(mutex_);
  for (std::size_t slot = 0; slot < tables.size(); ++slot) {
    const strew::InstanceTable& table = tables[slot];
    for (std::size_t i = 0; i < table.size(); ++i) {
      x_[slot].push_back(table.x[i] * table.lattice.pitch);
      y_[slot].push_back(table.y[i] * table.lattice.pitch);
    }
    if (slot < reports.size()) {
      reports_[slot].merge(reports[slot]);
    }
  }
}

double LayerReport::square_kilometres() const {
  return (strew::to_metres(region_.x1 - region_.x0) / 1000.0) *
         (strew::to_metres(region_.y1 - region_.y0) / 1000.0);
}

LayerReport::Nearest LayerReport::nearest(std::size_t slot) const {
  // Points in bins of the margin, so that a neighbour within it lies in the nine bins around.
  std::map<std::pair<strew::Coord, strew::Coord>, std::vector<std::size_t>> bins;
  for (std::size_t i = 0; i < x_[slot].size(); ++i) {
    bins[{strew::floor_div(y_[slot][i], margin_), strew::floor_div(x_[slot][i], margin_)}].push_back(i);
  }
  const double farthest = strew::to_metres(margin_);
  Nearest out;
  out.least = INFINITY;
  std::vector<double> distances(x_[slot].size(), INFINITY);
  for (const auto& [key, members] : bins) {
    for (strew::Coord dy = -1; dy <= 1; ++dy) {
      for (strew::Coord dx = -1; dx <= 1; ++dx) {
        const auto other = bins.find({key.first + dy, key.second + dx});
        if (other == bins.end()) {
          continue;
        }
        for (const std::size_t i : members) {
          for (const std::size_t j : other->second) {
            if (i != j) {
              distances[i] = std::min(distances[i], std::hypot(strew::to_metres(x_[slot][i] - x_[slot][j]),
                                                               strew::to_metres(y_[slot][i] - y_[slot][j])));
            }
          }
        }
      }
    }
  }
  // Summed in order of size: the order in which tables came does not matter then.
  std::vector<double> inside;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (region_.contains(x_[slot][i], y_[slot][i])) {
      if (distances[i] <= farthest) {
        inside.push_back(distances[i]);
      } else {
        ++out.alone;
      }
    }
  }
  std::sort(inside.begin(), inside.end());
  for (const double distance : inside) {
    out.mean += distance;
  }
  out.mean = inside.empty() ? NAN : out.mean / static_cast<double>(inside.size());
  out.least = inside.empty() ? NAN : inside.front();
  return out;
}

std::string LayerReport::table() const {
  const double area = square_kilometres();
  std::string text =
      fmt::format("{:<26} {:>12} {:>12} {:>12} {:>11} {:>9} {:>9}  {}\n", "layer, species", "candidates",
                  "requested", "placed", "per km2", "nearest m", "mean m", "rejected by");
  const auto slots = scatter_.slots();
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const strew::SlotReport& report = reports_[slot];
    const Nearest near = nearest(slot);
    std::string rejected;
    for (std::size_t kind = 0; kind < report.rejected.size(); ++kind) {
      if (report.rejected[kind] != 0) {
        rejected += fmt::format("{}{} {}", rejected.empty() ? "" : ", ",
                                strew::to_string(static_cast<strew::Rejection>(kind)),
                                grouped(report.rejected[kind]));
      }
    }
    // Neighbours beyond the margin were not looked for.
    const auto metres = [&](double value) {
      return std::isfinite(value) ? fmt::format("{:.3f}", value)
                                  : fmt::format(">{:.0f}", strew::to_metres(margin_));
    };
    const std::optional<std::uint64_t> wanted = requested(slot);
    text += fmt::format("{:<26} {:>12} {:>12} {:>12} {:>11.0f} {:>9} {:>9}  {}\n", slots[slot].name,
                        grouped(report.candidates), wanted ? grouped(*wanted) : "all", grouped(report.placed),
                        static_cast<double>(report.placed) / area, metres(near.least), metres(near.mean),
                        rejected);
    for (std::size_t s = 0; s < slots[slot].species.size(); ++s) {
      const std::uint64_t placed = s < report.placed_by_species.size() ? report.placed_by_species[s] : 0;
      text += fmt::format("  {:<24} {:>12} {:>12} {:>12} {:>11.0f}\n", slots[slot].species[s].name, "", "",
                          grouped(placed), static_cast<double>(placed) / area);
    }
  }
  text += kCountedText;
  return text;
}

std::optional<std::uint64_t> LayerReport::requested(std::size_t slot) const {
  const strew::SlotInfo& info = scatter_.slots()[slot];
  return info.secondary ? std::nullopt : scatter_.requested(info.layer);
}

std::string LayerReport::json() const {
  nlohmann::ordered_json out;
  const double area = square_kilometres();
  out["region"] = {strew::to_metres(region_.x0), strew::to_metres(region_.y0), strew::to_metres(region_.x1),
                   strew::to_metres(region_.y1)};
  out["layers"] = nlohmann::ordered_json::array();
  const auto slots = scatter_.slots();
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const strew::SlotReport& report = reports_[slot];
    const Nearest near = nearest(slot);
    nlohmann::ordered_json layer;
    layer["name"] = slots[slot].name;
    layer["candidates"] = report.candidates;
    // Of the whole world where the layer has an amount; else all candidates are to stand.
    layer["requested"] = requested(slot).value_or(report.candidates);
    layer["placed"] = report.placed;
    layer["per_km2"] = static_cast<double>(report.placed) / area;
    layer["nearest_m"] = {{"least", number(near.least)}, {"mean", number(near.mean)}, {"alone", near.alone}};
    for (std::size_t kind = 0; kind < report.rejected.size(); ++kind) {
      layer["rejected"][std::string(strew::to_string(static_cast<strew::Rejection>(kind)))] =
          report.rejected[kind];
    }
    layer["species"] = nlohmann::ordered_json::object();
    for (std::size_t s = 0; s < slots[slot].species.size(); ++s) {
      layer["species"][slots[slot].species[s].name] =
          s < report.placed_by_species.size() ? report.placed_by_species[s] : 0;
    }
    out["layers"].push_back(std::move(layer));
  }
  return out.dump(2);
}

}  // namespace strew_tool
