// The report of `strew analyze`: one HTML file with everything in it, nothing loaded from elsewhere.
#pragma once

#include <string>
#include <vector>

#include "analyze_set.hpp"

namespace strew_tool {

[[nodiscard]] strew::Result<std::string> report_html(const std::vector<SetAnalysis>& sets,
                                                     const Reference* reference, double tile_size);

}  // namespace strew_tool
