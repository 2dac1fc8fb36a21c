// The reference: a byte per cell, obviously right.
#pragma once

#include "fill_table.hpp"
#include "strew/automaton.hpp"

namespace strew::automaton {

/// A world's limits: cells outside [0, width) x [0, height) are the border's. Unlimited: the plane.
struct Bounds {
  bool limited = false;
  Border border = Border::kDead;
  std::int64_t width = 0;
  std::int64_t height = 0;

  [[nodiscard]] bool inside(std::int64_t x, std::int64_t y) const noexcept {
    return x >= 0 && x < width && y >= 0 && y < height;
  }
};

[[nodiscard]] Status advance_ref(const AutomatonRule& rule, Border border, std::int64_t generations,
                                 BitGrid& grid);
/// Replaces `out` by the state of `range`, from the fill of the range grown by `generations`.
[[nodiscard]] Status window_ref(const AutomatonPlane& plane, const FillTable& table, const Bounds& bounds,
                                const CellRange& range, BitGrid& out);

}  // namespace strew::automaton
