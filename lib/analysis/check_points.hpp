// What every measure asks of its input.
#pragma once

#include <string_view>

#include "strew/analysis.hpp"

namespace strew::analysis {

/// The refusals that PointsView documents.
[[nodiscard]] Status check_points(const PointsView& points);
/// `value` in [minimum, maximum], or an error that names the option, its value and its range.
[[nodiscard]] Status check_option(double value, double minimum, double maximum, std::string_view name);

}  // namespace strew::analysis
