// Run-length encoded patterns, as Golly and other programs for cellular automata read and write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strew/automaton.hpp"

namespace strew {

struct RlePattern {
  BitGrid cells;
  std::optional<ParsedRule> rule;  ///< of the header, when it names one
  std::optional<Border> border;    ///< of the rule's bounded-grid suffix: ":P" dead, ":T" periodic
};

/// Largest pattern that parse_rle makes room for, unless told otherwise: 4 GiB.
inline constexpr std::uint64_t kMaxPatternCells = std::uint64_t{1} << 35;

/// Reads a pattern: comments, "x = W, y = H, rule = B3678/S34678", runs of 'b' or '.' (dead), 'o' or 'A'
/// (alive) and '$', ended by '!'. The file's first row is the grid's last, of largest y. A bounded grid
/// larger than its pattern (":P100,80" or ":T100,80") is made in full, the pattern placed by "#CXRLE Pos=x,y"
/// or in the middle. Refused with line and column: a missing header or end, unknown states, rows beyond the
/// width or height, rules it cannot mean, sizes above `max_cells`.
[[nodiscard]] Result<RlePattern> parse_rle(std::string_view text, std::uint64_t max_cells = kMaxPatternCells);

/// The text of a file that holds `cells`, lines of at most 70 characters. A dead border is written as
/// ":PW,H", a periodic one as ":TW,H"; an alive border cannot be expressed and is refused.
[[nodiscard]] Result<std::string> format_rle(const BitGrid& cells, const AutomatonRule& rule, Border border);

}  // namespace strew
