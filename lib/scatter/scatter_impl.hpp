// A scatter world after checking: resolved strategies, streams and reaches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quota.hpp"
#include "strew/scatter.hpp"

namespace strew {

/// Lattice of secondaries: 2^-10 m, one identity per position.
inline constexpr Lattice kSecondaryLattice{Coord{1} << 22, 1};
inline constexpr std::uint32_t kMaxSlots = 64;
inline constexpr std::uint32_t kScatterVersion = 1;

namespace scatter {

struct Spacing {
  std::size_t layer;  ///< earlier layer kept away from
  Coord radius;
};

/// A secondary type. A layer's types are listed each before those that stand around it.
struct Secondary {
  static constexpr std::size_t kPrimaries = ~std::size_t{0};
  std::size_t slot_index = 0;       ///< in Scatter::slots()
  std::size_t parent = kPrimaries;  ///< index of the type that it stands around
  std::uint64_t stream = 0;
  Coord ring_min = 0;
  Coord ring_max = 0;
  Coord spacing_siblings = 0;
  Coord spacing_parents = 0;
  Coord spacing_primaries = 0;
  Coord margin = 0;  ///< those of the type are made this far around a region, for the types around it
};

struct Layer {
  const PointStrategy* strategy = nullptr;
  ResolvedParameters parameters;
  std::size_t slot_index = 0;
  std::uint64_t stream = 0;        ///< of the instances' attributes
  std::uint64_t point_stream = 0;  ///< of the strategy
  std::vector<Spacing> spacing;
  std::vector<Secondary> secondaries;
  Coord secondary_reach = 0;  ///< primaries this far outside a region can matter to the secondaries inside it
  Coord margin = 0;           ///< primaries are made this far around a region
  std::optional<QuotaGrid> quotas;  ///< of reserved points
  Coord amount_square = 0;          ///< of an amount per square of smallest hashes
};

/// Keys the draws of amounts apart from those of points.
inline constexpr std::uint64_t kAmountStream = 0x5EA50A1DC0047ED5U;
/// How many stand of a layer whose amount is the world's. Precondition: it is.
[[nodiscard]] std::uint64_t amount_of_world(const Scatter::Impl& world, std::size_t layer) noexcept;

/// How far beyond a place the squares of an amount reach that are counted with its own.
[[nodiscard]] Coord reach_of_squares(Coord side) noexcept;

/// Key of a named random stream: layers and secondary types are independent of each other's order and number.
[[nodiscard]] std::uint64_t stream_of(const std::string& name) noexcept;

}  // namespace scatter

struct Scatter::Impl {
  ScatterSpec spec;
  std::vector<SlotInfo> slots;
  std::vector<scatter::Layer> layers;
  Coord reach = 0;
  std::uint32_t version = kScatterVersion;
};

}  // namespace strew
