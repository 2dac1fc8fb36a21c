#include "analyze_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common.hpp"
#include "fmt/format.h"

namespace strew_tool {
namespace {

using Json = nlohmann::ordered_json;

template <class Bin>
Json column(const std::vector<Bin>& bins, double Bin::*member) {
  Json values = Json::array();
  for (const Bin& bin : bins) {
    values.push_back(bin.*member);
  }
  return values;
}

Json spectrum_json(const strew::SpectrumReport& spectrum) {
  using strew::SpectrumBin;
  return {{"segments", spectrum.segments},
          {"segments_total", spectrum.segments_total},
          {"points", spectrum.points},
          {"isotropic_db", spectrum.isotropic_db},
          {"frequency_per_m", column(spectrum.bins, &SpectrumBin::frequency)},
          {"power", column(spectrum.bins, &SpectrumBin::power)},
          {"power_error", column(spectrum.bins, &SpectrumBin::error)},
          {"anisotropy_db", column(spectrum.bins, &SpectrumBin::anisotropy_db)}};
}

Json pairs_json(const strew::PairCorrelationReport& pairs) {
  using strew::PairCorrelationBin;
  return {{"centres", pairs.centres},
          {"distance_m", column(pairs.bins, &PairCorrelationBin::distance)},
          {"g", column(pairs.bins, &PairCorrelationBin::g)},
          {"g_error", column(pairs.bins, &PairCorrelationBin::error)}};
}

Json set_json(const SetAnalysis& set) {
  const PointInput& input = *set.input;
  const strew::PlaneWindow& w = input.window;
  Json out = {{"points", input.name},
              {"count", input.x.size()},
              {"window_m",
               {input.origin_x + w.x0, input.origin_y + w.y0, input.origin_x + w.x1, input.origin_y + w.y1}},
              {"window_from", input.window_from},
              {"area_m2", w.area()},
              {"density_per_m2", set.density()}};
  const bool has_radius = set.radius > 0;
  out["radius_m"] = has_radius ? Json(set.radius) : Json();
  out["normalised_density"] = has_radius ? Json(set.normalised()) : Json();
  out["minimum_distance_m"] = set.spacing.minimum_distance;
  out["violations"] = has_radius ? Json(set.spacing.violations) : Json();
  out["mean_nearest_m"] = set.spacing.mean_nearest;
  const bool probed = set.coverage.probes != 0;
  out["uncovered_fraction"] = probed ? Json(set.coverage.fraction) : Json();
  out["uncovered_error"] = probed ? Json(set.coverage.error) : Json();
  out["uncovered_upper"] = probed ? Json(set.coverage.upper) : Json();
  out["probes"] = set.coverage.probes;
  out["largest_void"] = {{"radius_m", set.coverage.void_radius},
                         {"x_m", input.origin_x + set.coverage.void_x},
                         {"y_m", input.origin_y + set.coverage.void_y}};
  out["nearest_histogram"] = {{"bin_width_m", set.spacing.nearest.bin_width},
                              {"counts", set.spacing.nearest.counts},
                              {"beyond", set.spacing.nearest.beyond}};
  out["spectrum"] = spectrum_json(set.spectrum);
  out["pair_correlation"] = pairs_json(set.pairs);
  using strew::BorderBin;
  out["border_density"] = {{"lines", set.border_name},
                           {"distance_m", column(set.borders.bins, &BorderBin::distance)},
                           {"relative_density", column(set.borders.bins, &BorderBin::density)},
                           {"relative_density_error", column(set.borders.bins, &BorderBin::error)}};
  out["harmonics"] = Json::array();
  for (const NamedHarmonic& harmonic : set.harmonics) {
    out["harmonics"].push_back({{"name", harmonic.name},
                                {"period_m", harmonic.request.period},
                                {"hx", harmonic.request.hx},
                                {"hy", harmonic.request.hy},
                                {"power", harmonic.report.power},
                                {"beside", harmonic.report.beside},
                                {"chance", harmonic.report.chance}});
  }
  out["harmonics_note"] = set.harmonics_note;
  out["seconds"] = set.seconds;
  return out;
}

/// One name for a set of many: the file, without its folders.
std::string short_name(const std::string& name) {
  const std::size_t slash = name.find_last_of('/');
  return slash == std::string::npos || slash + 1 == name.size() ? name : name.substr(slash + 1);
}

std::string harmonic_cell(const strew::HarmonicReport& report) {
  return fmt::format("{:.3g} beside {:.3g}{}", report.power, report.beside,
                     report.chance < 1e-4 ? "  STANDS OUT" : "");
}

}  // namespace

std::vector<TableRow> summary_rows(const std::vector<SetAnalysis>& sets, const Reference* reference) {
  std::vector<TableRow> rows;
  const auto add = [&](const std::string& name, const auto& cell, const std::string& reference_cell = "") {
    TableRow row{name, {}};
    for (const SetAnalysis& set : sets) {
      row.cells.push_back(cell(set));
    }
    if (reference != nullptr) {
      row.cells.push_back(reference_cell);
    }
    rows.push_back(std::move(row));
  };
  const auto with_radius = [](auto text) {
    return [text](const SetAnalysis& set) {
      return set.radius > 0 ? text(set) : std::string("no radius given");
    };
  };
  add("points", [](const SetAnalysis& s) { return grouped(s.input->x.size()); });
  add("window", [](const SetAnalysis& s) {
    return fmt::format("{:g} x {:g} m, {}", s.input->window.width(), s.input->window.height(),
                       s.input->window_from);
  });
  add("density", [](const SetAnalysis& s) { return fmt::format("{:.5g} per m2", s.density()); });
  add("radius r", with_radius([](const SetAnalysis& s) { return fmt::format("{:g} m", s.radius); }),
      reference != nullptr ? fmt::format("{:.5g} m", reference->radius) : "");
  add("N r2 / A", with_radius([](const SetAnalysis& s) { return fmt::format("{:.5f}", s.normalised()); }),
      reference != nullptr ? fmt::format("{:.5f}", reference->normalised) : "");
  add("minimum distance",
      [](const SetAnalysis& s) { return fmt::format("{:.9g} m", s.spacing.minimum_distance); });
  add("pairs closer than r", with_radius([](const SetAnalysis& s) { return grouped(s.spacing.violations); }),
      "0");
  add(
      "mean nearest neighbour",
      [](const SetAnalysis& s) { return fmt::format("{:.5g} m", s.spacing.mean_nearest); },
      reference != nullptr ? fmt::format("{:.5g} m", reference->mean_nearest) : "");
  add("uncovered at r", with_radius([](const SetAnalysis& s) {
        return s.coverage.probes == 0 ? std::string("the window is too small")
                                      : fmt::format("{:.3g} +- {:.1g} (below {:.2g} at 95 %)",
                                                    s.coverage.fraction, s.coverage.error, s.coverage.upper);
      }),
      "0");
  add("largest void found", [](const SetAnalysis& s) {
    return fmt::format("{:.6g} m at ({:.7g}, {:.7g})", s.coverage.void_radius,
                       s.input->origin_x + s.coverage.void_x, s.input->origin_y + s.coverage.void_y);
  });
  return rows;
}

std::string analysis_table(const std::vector<SetAnalysis>& sets, const Reference* reference) {
  std::vector<TableRow> rows;
  TableRow head{"", {}};
  for (const SetAnalysis& set : sets) {
    head.cells.push_back(short_name(set.input->name));
  }
  if (reference != nullptr) {
    head.cells.push_back(fmt::format("{}, {} seeds", reference->label, reference->seeds));
  }
  rows.push_back(head);
  for (TableRow& row : summary_rows(sets, reference)) {
    rows.push_back(std::move(row));
  }
  // The sets' windows may hold different harmonics: each row is looked up by its name.
  for (const SetAnalysis& set : sets) {
    for (const NamedHarmonic& harmonic : set.harmonics) {
      const std::string name = "S at " + harmonic.name;
      if (std::any_of(rows.begin(), rows.end(), [&](const TableRow& row) { return row.name == name; })) {
        continue;
      }
      TableRow row{name, {}};
      for (const SetAnalysis& each : sets) {
        const auto found = std::find_if(each.harmonics.begin(), each.harmonics.end(),
                                        [&](const NamedHarmonic& h) { return h.name == harmonic.name; });
        row.cells.push_back(found == each.harmonics.end() ? "" : harmonic_cell(found->report));
      }
      rows.push_back(std::move(row));
    }
  }
  std::size_t name_width = 0;
  std::vector<std::size_t> widths;
  for (const TableRow& row : rows) {
    name_width = std::max(name_width, row.name.size());
    widths.resize(std::max(widths.size(), row.cells.size()));
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], row.cells[i].size());
    }
  }
  std::string text;
  for (const TableRow& row : rows) {
    std::string line = fmt::format("{:<{}}", row.name, name_width);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      line += fmt::format("  {:<{}}", row.cells[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  for (const SetAnalysis& set : sets) {
    if (!set.harmonics_note.empty()) {
      text += fmt::format("{}: {}\n", short_name(set.input->name), set.harmonics_note);
    }
  }
  return text;
}

std::string analysis_json(const std::vector<SetAnalysis>& sets, const Reference* reference) {
  Json out = set_json(sets.front());
  if (sets.size() > 1) {
    out["second"] = set_json(sets[1]);
  }
  if (reference != nullptr) {
    out["reference"] = {{"label", reference->label},
                        {"seeds", reference->seeds},
                        {"radius_m", reference->radius},
                        {"normalised_density", reference->normalised},
                        {"mean_nearest_m", reference->mean_nearest},
                        {"spectrum", spectrum_json(reference->spectrum)},
                        {"pair_correlation", pairs_json(reference->pairs)}};
  }
  return out.dump(2);
}

}  // namespace strew_tool
