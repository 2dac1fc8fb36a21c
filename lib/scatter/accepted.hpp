// The accepted primaries of a layer around a region.
#pragma once

#include <cstdint>
#include <vector>

#include "scatter_impl.hpp"

namespace strew::scatter {

struct AcceptedPoints {
  Lattice lattice;
  std::vector<std::int64_t> lattice_x;
  std::vector<std::int64_t> lattice_y;
  std::vector<Coord> x;
  std::vector<Coord> y;
  std::vector<double> altitude;
};

/// Everything that one call of Scatter::generate works on.
struct Work {
  const Scatter::Impl& world;
  const TerrainView& terrain;
  Rect region;
  const RunContext& context;
  std::vector<InstanceTable>& out;
  std::span<SlotReport> reports;
};

/// Validates candidates against the rules; when a report is asked for, counts those inside the region and why
/// they fail. `accepted` and `altitude` are as in validate_batch.
void validate_candidates(const Work& work, std::size_t slot, std::span<const Coord> x,
                         std::span<const Coord> y, const Constraints& rules,
                         std::vector<std::uint64_t>& accepted, std::vector<double>& altitude);
/// Counts one rejection for lack of space.
inline void count_spacing(const Work& work, std::size_t slot) {
  if (!work.reports.empty()) {
    ++work.reports[slot].rejected[static_cast<std::size_t>(Rejection::kSpacing)];
  }
}
[[nodiscard]] inline bool bit_at(const std::vector<std::uint64_t>& bits, std::size_t i) noexcept {
  return ((bits[i / 64] >> (i % 64)) & 1U) != 0;
}

/// Secondary type `index` of `layer` around its accepted primaries, those inside the region appended to its
/// table.
[[nodiscard]] Status place_secondaries(const Work& work, const Layer& layer, std::size_t index,
                                       const AcceptedPoints& primaries);

}  // namespace strew::scatter
