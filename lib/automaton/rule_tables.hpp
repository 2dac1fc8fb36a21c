// A B/S rule as boolean functions of bit-sliced counts.
//
// With the nine cells of a neighbourhood (centre included) summed as T = a0 + 2 (a1 + b0) + 4 b1 and the
// centre c, let p = a1 ^ b0. When p is set, T = 2 + a0 + 4 b1; else a1 = b0 and T = a0 + 4 a1 + 4 b1. So any
// rule is
//   p ? U(c, a0, b1) : (b1 ? X1(c, a0, a1) : X0(c, a0, a1)).
#pragma once

#include <array>
#include <cstdint>

#include "strew/automaton.hpp"

namespace strew::automaton {

/// Whether the centre lives on, for T in 0..9 counted with the centre.
[[nodiscard]] constexpr bool lives(AutomatonRule rule, bool centre, unsigned total) noexcept {
  if (centre) {
    return total >= 1 && total <= 9 && ((rule.survival >> (total - 1)) & 1U) != 0;
  }
  return total <= 8 && ((rule.birth >> total) & 1U) != 0;
}

/// Truth tables over (x, y, z): bit 4 x + 2 y + z, as the ternary-logic instructions number them.
struct RuleTables {
  std::uint8_t u = 0;   ///< over (c, a0, b1)
  std::uint8_t x0 = 0;  ///< over (c, a0, a1), b1 clear
  std::uint8_t x1 = 0;  ///< over (c, a0, a1), b1 set
};
[[nodiscard]] constexpr RuleTables rule_tables(AutomatonRule rule) noexcept {
  RuleTables tables;
  for (unsigned i = 0; i < 8; ++i) {
    const bool c = (i & 4U) != 0;
    const unsigned a0 = (i >> 1) & 1U;
    const unsigned last = i & 1U;
    const auto bit = [i](bool value) { return static_cast<std::uint8_t>(value ? 1U << i : 0U); };
    tables.u |= bit(lives(rule, c, 2 + a0 + 4 * last));
    tables.x0 |= bit(lives(rule, c, a0 + 4 * last));
    tables.x1 |= bit(lives(rule, c, a0 + 4 * last + 4));
  }
  return tables;
}

/// Rules whose network is compiled in; every other takes the run-time network.
inline constexpr AutomatonRule kLife{0b000001000, 0b000001100};
inline constexpr AutomatonRule kCaves{0b111100000, 0b111110000};

}  // namespace strew::automaton
