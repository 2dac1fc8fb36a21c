// Growing a block's halo until everything inside the block is settled.
#pragma once

#include <cstdint>
#include <string>

#include "cell_lattice.hpp"
#include "strew/status.hpp"

namespace strew::poisson {

// Chains of dependence longer than the first halo are rare; each retry grows it by half.
inline constexpr std::int64_t kFirstHalo = 28;
inline constexpr std::int64_t kLastHalo = 2048;

/// Calls `evaluate(halo)` -> Result<bool> with growing halos until it returns true. The result is the same
/// whatever halo suffices; a pathological case ends as kLimit, never as a different result.
template <class Evaluate>
[[nodiscard]] Status with_growing_halo(const CellRect& cells, const Evaluate& evaluate) {
  for (std::int64_t halo = kFirstHalo; halo <= kLastHalo; halo += halo / 2) {
    STREW_ASSIGN(const bool settled, evaluate(halo));
    if (settled) {
      return {};
    }
  }
  return make_error(StatusCode::kLimit,
                    "points near cell (" + std::to_string(cells.x0) + ", " + std::to_string(cells.y0) +
                        ") depend on more than 1500 cells around them; use another seed",
                    "poisson/tiled");
}

}  // namespace strew::poisson
