// What is to be verified about a bake, and in which blocks of tiles.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "radius.hpp"
#include "strew/world/bake.hpp"
#include "tile_grid.hpp"

namespace strew {

struct SpacingRule {
  std::size_t later = 0;  ///< indices into Manifest::slots
  std::size_t earlier = 0;
  Radius distance{0};
};

/// A secondary type, what it stands around, and the primaries of its layer. Needs the Scatter: the manifest
/// does not hold rings.
struct RingRule {
  std::size_t slot = 0;
  std::size_t parent = 0;
  std::size_t primaries = 0;
  const SecondarySpec* spec = nullptr;
};

/// Where a species of a list with rules or biome weights may stand.
struct SpeciesRule {
  std::shared_ptr<const Constraints> rules;  ///< its own in place of the layer's; null: the layer's
  double weight = 1;
  std::vector<BiomeWeight> biome_weights;
};

struct SlotRules {
  std::optional<Radius> minimum_distance;
  const Constraints* constraints = nullptr;  ///< the layer's or type's; null without a Scatter
  std::vector<SpeciesRule> species;          ///< empty: the same rules and weights everywhere for all
};

/// A layer with an amount.
struct AmountRule {
  std::size_t slot = 0;
  std::size_t layer = 0;
  AmountSpec amount;
  Coord square = 0;  ///< of amounts per square of smallest hashes
};

/// A layer whose points leave no hole, to be probed.
struct CoverRule {
  std::size_t slot = 0;
  Radius hole{0};  ///< no place is farther than this from every candidate
  std::vector<SpacingRule> spacing;
  Coord margin = 0;  ///< nearer to the region's border, what stands outside may matter
};

struct VerifyPlan {
  std::string folder;
  Manifest manifest;
  const TerrainSource* terrain = nullptr;  ///< null: no checks against terrain
  std::vector<SlotRules> slots;
  std::vector<SpacingRule> spacing;
  std::vector<RingRule> rings;
  std::vector<CoverRule> covers;
  std::vector<AmountRule> amounts;
  const Scatter* scatter = nullptr;
  TileGrid grid;
  Coord halo = 0;                ///< how far around a block its instances can concern it
  std::int64_t block_tiles = 1;  ///< a block is a square of this many tiles a side
  std::int64_t block_columns = 0;
  std::int64_t block_rows = 0;

  /// Tiles of block `index`, cut with the grid.
  [[nodiscard]] TileGrid block(std::uint64_t index) const noexcept;
  /// The listed tile at a place, or null: the tile is empty.
  [[nodiscard]] const BakedTile* find(const TileIndex& tile) const noexcept;
};

/// `scatter` and `terrain` may be null, both or neither. Refuses a Scatter whose slots are not those of the
/// manifest.
[[nodiscard]] Result<VerifyPlan> make_verify_plan(const std::string& folder, Manifest manifest,
                                                  const Scatter* scatter, const TerrainSource* terrain);

}  // namespace strew
