// The figures of the report, each as one piece of SVG.
#pragma once

#include <string>
#include <vector>

#include "analyze_set.hpp"

namespace strew_tool {

/// "a" for the first set, "b" for the second.
[[nodiscard]] std::string set_style(std::size_t index);

/// The points in a crop of the window, with discs of half the radius.
[[nodiscard]] std::string points_figure(const SetAnalysis& set, std::size_t index, double tile_size);
/// What points_figure shows, in words.
[[nodiscard]] std::string points_caption(const SetAnalysis& set);
/// The two-dimensional spectrum as a picture inside SVG axes.
[[nodiscard]] strew::Result<std::string> spectrum_picture(const SetAnalysis& set);

[[nodiscard]] std::string power_figure(const std::vector<SetAnalysis>& sets, const Reference* reference);
[[nodiscard]] std::string anisotropy_figure(const std::vector<SetAnalysis>& sets, const Reference* reference);
[[nodiscard]] std::string pair_figure(const std::vector<SetAnalysis>& sets, const Reference* reference);
[[nodiscard]] std::string nearest_figure(const std::vector<SetAnalysis>& sets, const Reference* reference);
[[nodiscard]] std::string border_figure(const std::vector<SetAnalysis>& sets);

}  // namespace strew_tool
