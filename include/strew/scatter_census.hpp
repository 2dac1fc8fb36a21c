// What layers with an amount (LayerSpec::amount) keep, found from parts of the world beyond a region.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "strew/scatter.hpp"

namespace strew {

/// Remembers, for the layers of a world that have an amount, up to which hash points stand in which square. A
/// function of world and terrain alone: what is found does not depend on what was asked for before, or by
/// which thread. What is not known yet is found when Scatter::generate needs it, by the thread that does;
/// prepare() finds it ahead, by all. Thread-safe.
///
/// Costs, per layer with an amount: per world, one pass over the world's points of the layer and of those
/// that it keeps away from; per square, the squares that meet the region, those below 128 m in
/// groups of about that side; reserved, the blocks that meet it and those before them that AmountSpec names.
/// Memory: per square, 32 MiB at most, beyond which what was found first is forgotten and found again when
/// it is asked for; reserved, 24 bytes a cell that holds points of what was asked for, and 24 a block; during
/// a pass also 16 bytes for each point of 64 squares of 256 m a worker (per world), or for a few points of
/// each cell of 4 blocks a worker (reserved), and 16 bytes for twice the amount per world.
class Census {
 public:
  /// Keeps references: both outlive it.
  Census(const Scatter& scatter, const TerrainSource& terrain);
  Census(const Census&) = delete;
  Census& operator=(const Census&) = delete;
  ~Census();

  /// Finds what Scatter::generate needs for each of the regions, over context.executor.
  [[nodiscard]] Status prepare(std::span<const Rect> regions, const RunContext& context);
  /// Hash of everything that it tells about a region: two terrains with one fingerprint (and the same ground
  /// in Scatter::terrain_needed) fill the region alike. 0 for a world without amounts.
  [[nodiscard]] Status fingerprint(const Rect& region, const RunContext& context, std::uint64_t& out);
  /// Points that stand of a layer with an amount per world or reserved: Scatter::requested(layer), or fewer
  /// where the rules accept fewer. Precondition: requested(layer). Passes over the whole world.
  [[nodiscard]] Status standing(std::size_t layer, const RunContext& context, std::uint64_t& out);

  struct Impl;  ///< defined inside the library
  [[nodiscard]] Impl& impl() noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace strew
