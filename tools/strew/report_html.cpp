#include "report_html.hpp"

#include <array>

#include "analyze_text.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "report_figures.hpp"
#include "svg_plot.hpp"

namespace strew_tool {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ground: #fbfaf7; --paper: #ffffff; --ink: #1f2328; --soft: #5c6370; --rule: #dcd9d1;
  --grid: #ebe8e0; --a: #1668b0; --b: #c2500f; --ref: #8f8f8a; --warn: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ground: #15171a; --paper: #1c1f23; --ink: #e6e4df; --soft: #a2a7af;
  --rule: #3a3e45; --grid: #2a2e34; --a: #6db4f7; --b: #ff9d5c; --ref: #8d8f8f; --warn: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 40px 28px 72px; max-width: 1240px; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
h1 { font-size: 30px; line-height: 1.2; letter-spacing: -.01em; margin: 0 0 6px; }
h2 { font-size: 20px; margin: 44px 0 12px; }
p { margin: 0 0 10px; max-width: 78ch; }
.soft, figcaption { color: var(--soft); }
.key { display: inline-block; width: 22px; height: 0; border-top: 3px solid; vertical-align: middle; margin-right: 8px; }
.key.a { border-color: var(--a); } .key.b { border-color: var(--b); } .key.ref { border-color: var(--ref); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 15px; }
.wide { overflow-x: auto; }
th, td { text-align: left; padding: 6px 24px 6px 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { font-weight: 600; } tbody th { font-weight: 400; color: var(--soft); white-space: nowrap; }
td.n, th.n { text-align: right; }
.out { color: var(--warn); font-weight: 600; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 32px 40px; }
figure { margin: 0; min-width: 0; } figcaption { font-size: 14px; margin-top: 6px; max-width: 64ch; }
figure h3 { font-size: 16px; margin: 0 0 6px; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg.picture { max-width: 560px; }
svg text { font-size: 13px; fill: var(--ink); } svg .tick { fill: var(--soft); font-size: 12px; }
svg .small { font-size: 12px; fill: var(--soft); }
.grid { stroke: var(--grid); fill: none; } .frame { stroke: var(--soft); fill: none; }
.note { stroke: var(--soft); stroke-dasharray: 4 4; fill: none; }
.curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; } .error { fill: none; stroke-width: 1; opacity: .5; }
.steps { stroke-width: 1.5; fill-opacity: .14; }
.curve.a, .error.a, .steps.a { stroke: var(--a); } .steps.a { fill: var(--a); }
.curve.b, .error.b, .steps.b { stroke: var(--b); } .steps.b { fill: var(--b); }
.curve.ref, .steps.ref { stroke: var(--ref); } .steps.ref { fill: var(--ref); } .curve.ref { stroke-width: 3; opacity: .75; }
.paper { fill: var(--paper); stroke: var(--rule); } .dot { fill: var(--ink); }
.disc { fill-opacity: .3; } .disc.a { fill: var(--a); } .disc.b { fill: var(--b); } .tile { stroke: var(--soft); stroke-width: .8; }
.void { fill: none; stroke: var(--warn); stroke-width: 1.6; stroke-dasharray: 5 3; }
)";

/// The plain text of the terminal's table with its proper signs.
std::string typeset(std::string_view words) {
  std::string text = html_escaped(words);
  constexpr std::array<std::array<std::string_view, 2>, 4> kSigns = {
      {{" +- ", " \u00b1 "}, {"r2", "r\u00b2"}, {"m2", "m\u00b2"}, {" x ", " \u00d7 "}}};
  for (const auto& [plain, sign] : kSigns) {
    for (std::size_t at = text.find(plain); at != std::string::npos;
         at = text.find(plain, at + sign.size())) {
      text.replace(at, plain.size(), sign);
    }
  }
  return text;
}

std::string table(const std::vector<SetAnalysis>& sets, const Reference* reference) {
  std::string text = "<div class=\"wide\"><table><thead><tr><th></th>";
  for (std::size_t i = 0; i < sets.size(); ++i) {
    text += fmt::format("<th><span class=\"key {}\"></span>{}</th>", set_style(i),
                        sets.size() == 1 ? "this set"
                        : i == 0         ? "first set"
                                         : "second set");
  }
  if (reference != nullptr) {
    text += fmt::format("<th><span class=\"key ref\"></span>{}, mean of {} seeds</th>",
                        html_escaped(reference->label), reference->seeds);
  }
  text += "</tr></thead><tbody>\n";
  for (const TableRow& row : summary_rows(sets, reference)) {
    text += fmt::format("<tr><th>{}</th>", typeset(row.name));
    for (const std::string& cell : row.cells) {
      text += fmt::format("<td>{}</td>", typeset(cell));
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string harmonics_table(const SetAnalysis& set) {
  std::string text;
  if (!set.harmonics.empty()) {
    text +=
        "<div class=\"wide\"><table><thead><tr><th>harmonic</th><th class=\"n\">period (m)</th><th "
        "class=\"n\">power</th><th class=\"n\">beside it</th><th "
        "class=\"n\">chance</th><th></th></tr></thead><tbody>\n";
  }
  for (const NamedHarmonic& harmonic : set.harmonics) {
    const bool out = harmonic.report.chance < 1e-4;
    text += fmt::format(
        "<tr><th>{}</th><td class=\"n\">{:.5g}</td><td class=\"n\">{:.3g}</td><td class=\"n\">{:.3g}</td><td "
        "class=\"n\">{:.2g}</td><td class=\"out\">{}</td></tr>\n",
        html_escaped(harmonic.name), harmonic.request.period, harmonic.report.power, harmonic.report.beside,
        harmonic.report.chance, out ? "stands out" : "");
  }
  if (!set.harmonics.empty()) {
    text += "</tbody></table></div>\n";
  }
  if (!set.harmonics_note.empty()) {
    text += fmt::format("<p class=\"soft\">Left out: {}.</p>\n", html_escaped(set.harmonics_note));
  }
  if (text.empty()) {
    text = "<p class=\"soft\">None asked for: give --radius, --cell-period or --tile-size.</p>\n";
  }
  return text;
}

std::string figure(std::string_view title, const std::string& drawing, std::string_view caption) {
  return fmt::format("<figure><h3>{}</h3>{}<figcaption>{}</figcaption></figure>\n", html_escaped(title),
                     drawing, html_escaped(caption));
}

std::string name_of(const std::vector<SetAnalysis>& sets, std::size_t index) {
  return sets.size() == 1 ? "" : index == 0 ? ", first set" : ", second set";
}

std::string curves(const std::vector<SetAnalysis>& sets, const Reference* reference) {
  std::string text = "<h2>Curves</h2>\n<div class=\"pair\">\n";
  text += figure(
      "Radial power spectrum", power_figure(sets, reference),
      "Mean periodogram of each ring of wave vectors, with its standard error. Blue noise is near 0 at low "
      "frequency, rises to one peak, and settles at 1.");
  text += figure(
      "Anisotropy", anisotropy_figure(sets, reference),
      "Variance within each ring over its squared mean, in decibels above that of an isotropic set (dashed). "
      "Preferred directions show as peaks.");
  text += figure(
      "Pair correlation", pair_figure(sets, reference),
      "How much more often than chance two points stand at a distance, corrected for the window's border. "
      "Bars: jackknife over blocks of the window.");
  text += figure("Nearest neighbours", nearest_figure(sets, reference),
                 "Distances from each point to its nearest neighbour.");
  text += figure(
      fmt::format("Density near {}", sets.front().border_name), border_figure(sets),
      "Points in bands along the lines, over the area of the bands. Crowding or thinning at the border shows "
      "as a slope at the left. Bars: jackknife over blocks of the window.");
  return text + "</div>\n";
}

}  // namespace

strew::Result<std::string> report_html(const std::vector<SetAnalysis>& sets, const Reference* reference,
                                       double tile_size) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>Point set analysis: "
      "{}</title>\n<style>{}</style></head>"
      "<body>\n<h1>Point set analysis</h1>\n",
      html_escaped(sets.front().input->name), kStyle);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    text += fmt::format("<p><span class=\"key {}\"></span>{}</p>\n", set_style(i),
                        html_escaped(sets[i].input->name));
  }
  text += table(sets, reference);
  text += "<h2>Pictures</h2>\n<div class=\"pair\">\n";
  for (std::size_t i = 0; i < sets.size(); ++i) {
    text +=
        figure("Points" + name_of(sets, i), points_figure(sets[i], i, tile_size), points_caption(sets[i]));
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    STREW_ASSIGN(const std::string picture, spectrum_picture(sets[i]));
    const strew::SpectrumReport& spectrum = sets[i].spectrum;
    text += figure("Power spectrum" + name_of(sets, i), picture,
                   fmt::format("Frequency 0 in the middle; black is 0, mid grey 1 (independent points), "
                               "white 2 and more. Mean of {} "
                               "of {} sub-windows, {} points. Bright spots or lines are a lattice or a seam.",
                               spectrum.segments, spectrum.segments_total, grouped(spectrum.points)));
  }
  text += "</div>\n" + curves(sets, reference);
  text +=
      "<h2>Harmonics</h2>\n<p class=\"soft\">Power at the frequencies of a lattice, beside the mean of the "
      "24 wave "
      "vectors around each. A chance below 1 in 10,000 stands out.</p>\n<div class=\"pair\">\n";
  for (std::size_t i = 0; i < sets.size(); ++i) {
    text += "<div>";
    if (sets.size() > 1) {
      text += fmt::format("<h3><span class=\"key {}\"></span>{}</h3>", set_style(i),
                          i == 0 ? "first set" : "second set");
    }
    text += harmonics_table(sets[i]) + "</div>\n";
  }
  return text +
         fmt::format(
             "</div>\n<p class=\"soft\">strew {}. Definitions: docs/analysis.md.</p>\n</body></html>\n",
             STREW_VERSION);
}

}  // namespace strew_tool
