// The accepted primaries of a layer around a region.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scatter_impl.hpp"
#include "strew/scatter_census.hpp"

namespace strew::scatter {

struct AcceptedPoints {
  Lattice lattice;
  std::vector<std::int64_t> lattice_x;
  std::vector<std::int64_t> lattice_y;
  std::vector<Coord> x;
  std::vector<Coord> y;
  std::vector<double> altitude;
  std::vector<std::uint64_t> valid;  ///< species that may stand there, as bits; empty: all of them
};

/// Everything that one call of Scatter::generate works on.
struct Work {
  const Scatter::Impl& world;
  const TerrainView& terrain;
  Rect region;
  const RunContext& context;
  std::vector<InstanceTable>& out;
  std::span<SlotReport> reports;
  std::vector<CandidateFate>* fates = nullptr;  ///< of the candidates of `fate_slot`
  std::size_t fate_slot = 0;
  Census::Impl* census = nullptr;  ///< null: no layer of the world has an amount
  static constexpr std::size_t kNoLayer = ~std::size_t{0};
  std::size_t uncounted_layer = kNoLayer;  ///< whose amount is not applied: it is being counted
  [[nodiscard]] bool tells() const noexcept { return !reports.empty() || fates != nullptr; }
};

/// Candidates that their rules accept.
struct Suitable {
  std::vector<std::uint64_t> accepted;  ///< bits, as of validate_batch
  std::vector<double> altitude;         ///< of the accepted
  std::vector<std::uint64_t> valid;     ///< per candidate: species that may stand there; empty: all
};

/// Validates candidates against a layer's rules and those of its species; counts those inside the region, and
/// why they fail, where a report is asked for.
[[nodiscard]] Status find_suitable(const Work& work, std::size_t slot, std::span<const Coord> x,
                                   std::span<const Coord> y, const Constraints& rules, Suitable& out);
/// Whether a species has rules or biome weights of its own, so that which ones may stand varies by place.
[[nodiscard]] bool has_species_rules(std::span<const SpeciesSpec> species) noexcept;
/// Counts one rejection of a candidate inside the region.
void count_rejection(const Work& work, std::size_t slot, Coord x, Coord y, Rejection reason);
[[nodiscard]] inline bool bit_at(const std::vector<std::uint64_t>& bits, std::size_t i) noexcept {
  return ((bits[i / 64] >> (i % 64)) & 1U) != 0;
}

/// Leaves the entries of a column whose bits are set, in their order. Without a branch: which points stand is
/// anybody's guess.
template <class T>
void keep_set(const std::vector<std::uint64_t>& bits, std::vector<T>& column) {
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < column.size(); begin += 64) {
    const std::uint64_t word = bits[begin / 64];
    const std::size_t here = std::min<std::size_t>(64, column.size() - begin);
    if (kept == begin && word == ~std::uint64_t{0}) {
      kept += here;
      continue;
    }
    for (std::size_t i = 0; i < here; ++i) {
      column[kept] = column[begin + i];
      kept += (word >> i) & 1U;
    }
  }
  column.resize(kept);
}

/// Candidates of a layer up to `margin` around the region that pass its rules, keep away from the accepted of
/// earlier layers and are among the layer's amount. Precondition: the layers that it keeps a distance to are
/// in `earlier`, known as far around.
[[nodiscard]] Status accept_layer(const Work& work, std::size_t index, Coord margin,
                                  const std::vector<AcceptedPoints>& earlier, AcceptedPoints& accepted);

/// Secondary type `index` of `layer` around its parents, which are the layer's primaries or the accepted of
/// another type: those inside the region are appended to its table. `accepted` receives those up to the
/// type's margin around it, without altitudes, for the types that stand around them.
[[nodiscard]] Status place_secondaries(const Work& work, const Layer& layer, std::size_t index,
                                       const AcceptedPoints& parents, const AcceptedPoints& primaries,
                                       AcceptedPoints& accepted);

}  // namespace strew::scatter
