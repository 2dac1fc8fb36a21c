// A map of what became of a layer's candidates: each in the colour of the rule that rejected it.
#pragma once

#include <span>

#include "canvas.hpp"
#include "strew/scatter.hpp"

namespace strew_tool {

/// Colour of a reason; those that stand are white.
[[nodiscard]] Colour fate_colour(strew::Rejection reason);
/// Width in pixels that draw_fate_legend needs.
[[nodiscard]] std::int32_t fate_legend_width();
/// Draws the candidates as discs, larger where there are few of them; those that stand come last, on top, and
/// by their own number, so that a few among many are seen.
void draw_fates(std::span<const strew::CandidateFate> fates, const View& view, Canvas& canvas);
/// The reasons with their colours and counts, at columns from `column` on.
void draw_fate_legend(std::string_view name, std::span<const strew::CandidateFate> fates, std::int32_t column,
                      Canvas& canvas);

}  // namespace strew_tool
