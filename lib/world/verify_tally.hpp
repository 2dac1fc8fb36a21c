// What the checks of a bake have counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace strew {

enum class Check : std::size_t {
  kTileFiles = 0,
  kChecksum,
  kColumnOrder,
  kTileBounds,
  kSpecies,
  kCounts,
  kDuplicateIds,
  kWorldHash,
  kMinimumDistance,
  kSpacing,
  kSecondaryRing,
  kSiblingDistance,
  kConstraints,
  kElevation,
  kUncoveredArea,
  kAmounts,
  kCount
};
inline constexpr std::size_t kChecks = static_cast<std::size_t>(Check::kCount);
inline constexpr std::array<std::string_view, kChecks> kCheckNames = {
    "tile_files",    "checksum",   "column_order",     "tile_bounds", "species",        "counts",
    "duplicate_ids", "world_hash", "minimum_distance", "spacing",     "secondary_ring", "sibling_distance",
    "constraints",   "elevation",  "uncovered_area",   "amounts"};

struct Tally {
  std::uint64_t violations = 0;
  std::uint64_t examined = 0;
  std::string first_offender;
  std::uint64_t first_block = std::numeric_limits<std::uint64_t>::max();
};

/// Tallies of all checks. Each worker has one; sums and the smallest block index do not depend on who did
/// what.
class Tallies {
 public:
  /// The block that the violations from now on are found in.
  void enter(std::uint64_t block) noexcept { block_ = block; }
  void examined(Check check, std::uint64_t count) noexcept { at(check).examined += count; }
  /// `describe` makes the words for the offender; called only for the first one.
  template <class Describe>
  void violation(Check check, const Describe& describe, std::uint64_t count = 1) {
    Tally& tally = at(check);
    tally.violations += count;
    if (block_ < tally.first_block) {
      tally.first_block = block_;
      tally.first_offender = describe();
    }
  }
  void merge(const Tallies& other) {
    for (std::size_t i = 0; i < kChecks; ++i) {
      tallies_[i].violations += other.tallies_[i].violations;
      tallies_[i].examined += other.tallies_[i].examined;
      if (other.tallies_[i].first_block < tallies_[i].first_block) {
        tallies_[i].first_block = other.tallies_[i].first_block;
        tallies_[i].first_offender = other.tallies_[i].first_offender;
      }
    }
  }
  [[nodiscard]] Tally& at(Check check) noexcept { return tallies_[static_cast<std::size_t>(check)]; }

 private:
  std::array<Tally, kChecks> tallies_;
  std::uint64_t block_ = 0;
};

}  // namespace strew
