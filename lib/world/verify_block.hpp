// One block of tiles with the instances around it, and the checks that are made on it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "strew/hash.hpp"
#include "verify_plan.hpp"
#include "verify_tally.hpp"

namespace strew {

/// Positions of a slot in world units: those of the block's own tiles first, then those in the halo around
/// it. Instances that stand outside their tile are left out: they are reported by themselves.
struct SlotPoints {
  std::vector<Coord> x;
  std::vector<Coord> y;
  std::vector<std::uint64_t> rank;     ///< unique in the bake: tile, then row. Decides who reports a pair.
  std::vector<double> z_m;             ///< of the block's own
  std::vector<std::uint16_t> species;  ///< of the block's own; may be beyond the slot's list
  std::size_t own = 0;
};

struct VerifyBlock {
  TileGrid tiles;
  std::vector<SlotPoints> slots;
};

/// Reads the block's tiles and those around it, and checks each of its own tiles by itself: file, checksum,
/// order, bounds, species, counts. `hash` is added to. A tile that cannot be read is a violation, not an
/// error.
[[nodiscard]] Status load_block(const VerifyPlan& plan, std::uint64_t index, VerifyBlock& block,
                                Tallies& tallies, SetHash& hash);

/// Ids, minimum distances, spacing between layers and rings of secondaries.
void check_pairs(const VerifyPlan& plan, const VerifyBlock& block, Tallies& tallies);

/// Adds the block's own instances to the squares of amounts that are kept by square.
struct SquareOfSlot {
  std::size_t rule = 0;  ///< index into VerifyPlan::amounts
  std::int64_t row = 0;
  std::int64_t column = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): the zero is the compiler's own
  friend auto operator<=>(const SquareOfSlot& a, const SquareOfSlot& b) noexcept = default;
};
using SquareCounts = std::map<SquareOfSlot, std::uint64_t>;
void count_squares(const VerifyPlan& plan, const VerifyBlock& block, SquareCounts& counts);
/// No square holds more than its layer's amount, and the world as many as are asked for: fewer only where the
/// generator's own count of it says that there are no more.
[[nodiscard]] Status check_amounts(const VerifyPlan& plan, const SquareCounts& counts,
                                   const RunContext& context, Tallies& tallies);

/// Constraints and elevation of every instance, and holes in maximal layers. Precondition: plan.terrain.
[[nodiscard]] Status check_terrain(const VerifyPlan& plan, const VerifyBlock& block, Tallies& tallies);

/// "canopy 0x0123456789abcdef at (12.5, -3) m in tile 0_-1".
[[nodiscard]] std::string describe_instance(const VerifyPlan& plan, std::size_t slot, Coord x, Coord y);

}  // namespace strew
