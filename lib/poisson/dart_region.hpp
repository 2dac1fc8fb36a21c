// Where in a cell a dart may still land: the part not covered by the discs of the points around it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "aes_counter.hpp"
#include "cell_lattice.hpp"
#include "strew/random.hpp"

namespace strew::poisson {

/// Discs that reach into a cell: centres in lattice steps relative to the cell's corner, and the cell's
/// sub-squares (8 x 8, bit 8 * row + column) known to be covered by one of them.
struct Surroundings {
  std::array<Fraction, kNeighbours.size()> centre;
  std::size_t count = 0;
  std::uint64_t covered = 0;

  /// Adds the point at `at` in the neighbour cell kNeighbours[neighbour].
  void add(std::size_t neighbour, Fraction at) noexcept;
  [[nodiscard]] bool covers(Fraction position) const noexcept;
};

/// Clock and pending dart of one undecided cell.
struct Clock {
  float time = 0;  ///< of the pending dart; one unit of time brings one dart per cell area
  Fraction dart;
  bool has_dart = true;  ///< false: the dart of `time` was lost, and the next is to be drawn
};

/// Time is cut into stages that double: [0, 1/8), [1/8, 1/4), [1/4, 1/2), ... The region that a dart's
/// successor is drawn on is frozen at the start of the dart's stage. The last stage has no end, and its
/// regions are what all earlier points leave: a frozen one could be covered whole and still be drawn on for
/// ever.
inline constexpr std::size_t kStages = 11;
inline constexpr std::size_t kLateStage = kStages - 1;
inline constexpr std::array<float, kStages> kStageEnds = {
    0.125F, 0.25F, 0.5F, 1, 2, 4, 8, 16, 32, 64, std::numeric_limits<float>::infinity()};
/// Stages by the exponents of times: ends are powers of two.
inline constexpr std::array<std::uint8_t, 256> kStageOfExponent = [] {
  std::array<std::uint8_t, 256> stages{};
  std::uint8_t stage = 0;
  for (std::uint32_t exponent = 0; exponent < stages.size(); ++exponent) {
    stage = static_cast<std::uint8_t>(
        stage +
        (stage < kLateStage && (exponent << 23) == std::bit_cast<std::uint32_t>(kStageEnds[stage]) ? 1 : 0));
    stages[exponent] = stage;
  }
  return stages;
}();
[[nodiscard]] inline std::size_t stage_of(float time) noexcept {
  return kStageOfExponent[std::bit_cast<std::uint32_t>(time) >> 23];
}
[[nodiscard]] constexpr float stage_begin(std::size_t stage) noexcept {
  return stage == 0 ? 0.0F : kStageEnds[stage - 1];
}
[[nodiscard]] constexpr float stage_end(std::size_t stage) noexcept {
  return kStageEnds[stage];
}

/// A square of lattice positions, by its corner.
struct Square {
  std::int32_t x;
  std::int32_t y;
};

/// The fewest sub-squares with which draws_again.
[[nodiscard]] constexpr std::uint32_t fewest_to_draw_again(float end) noexcept {
  constexpr std::uint32_t kNever = 65;
  return end <= 32.0F ? 8 : kNever;
}
/// Whether a cell whose draw on `count` sub-squares missed is left for another such draw, in a stage that
/// ends at `end`, instead of being searched at once: a search costs as much as several draws, and many
/// sub-squares make it dear, but late in the rain most misses are those of cells that have next to nothing
/// left.
[[nodiscard]] constexpr bool draws_again(std::size_t count, float end) noexcept {
  return count >= fewest_to_draw_again(end);
}

/// The word that chooses a square: the 12 high bits of `place`, which no position uses, refined by low bits
/// of `wait`, whose weight in the waiting time is below 2^-12 of it.
[[nodiscard]] constexpr std::uint32_t square_word(std::uint32_t place, std::uint32_t wait) noexcept {
  return (place & 0xFFF00000U) | (wait & 0x000FFFFFU);
}

/// Keys of the blocks that darts are drawn from.
using DartKeys = AesKeys;
[[nodiscard]] DartKeys dart_keys(PhiloxKey key) noexcept;

/// Counter of a block of draws: the low 40 bits of each coordinate, the bits of the entry, 16 of `block`.
[[nodiscard]] inline std::array<std::uint32_t, 4> dart_counter(std::int64_t x, std::int64_t y, float entry,
                                                               std::uint32_t block) noexcept {
  const auto ux = static_cast<std::uint64_t>(x);
  const auto uy = static_cast<std::uint64_t>(y);
  return {static_cast<std::uint32_t>(ux), static_cast<std::uint32_t>(uy), std::bit_cast<std::uint32_t>(entry),
          static_cast<std::uint32_t>((ux >> 32) & 0xFFU) |
              (static_cast<std::uint32_t>((uy >> 32) & 0xFFU) << 8) | ((block & 0xFFFFU) << 16)};
}

/// Draw `index` of the call of next_dart that entered at time `entry`: a word for the place, one for the
/// wait. Two draws to a block, whose counter holds the low 40 bits of each coordinate, the entry's bits and
/// 16 bits of index / 2.
[[nodiscard]] std::array<std::uint32_t, 2> dart_words(const DartKeys& keys, std::int64_t x, std::int64_t y,
                                                      float entry, std::uint32_t index) noexcept;

/// Darts drawn at once on the parts of a cell's squares before these are split further.
inline constexpr std::size_t kVolley = 16;
/// Number of the first draw of the volley of a level; 0: parts of side 256.
[[nodiscard]] constexpr std::uint32_t volley_draw(std::uint32_t level) noexcept {
  return 2 + static_cast<std::uint32_t>(kVolley) * level;
}
inline constexpr float kCellArea = static_cast<float>(kCellSteps) * static_cast<float>(kCellSteps);

/// Sums of the waits up to each, in an order that vectors have too: what stands 1, 2, 4, 8 before is added.
inline void running_sums(float* waits) noexcept {
  for (std::size_t step = 1; step < kVolley; step *= 2) {
    for (std::size_t i = kVolley - 1; i >= step; --i) {
      waits[i] += waits[i - step];
    }
  }
}
/// Words of the places and of the waits of a volley of the cell (x, y) that was entered at `entry`.
void volley_words(const DartKeys& keys, std::int64_t x, std::int64_t y, float entry, std::uint32_t level,
                  std::uint32_t* places, std::uint32_t* choices) noexcept;
/// Times of the draws of a volley fired at `time` on `area` positions, from the words of their waits; all of
/// them later, were it by one float.
void volley_times(const std::uint32_t* choices, float time, float area, float* times) noexcept;

/// The words of a cell's first dart: two cells side by side, the first of them even, share a block, that of
/// the even one's draws at time 0, which no later draw has.
[[nodiscard]] inline std::array<std::uint32_t, 2> first_words(const DartKeys& keys, std::int64_t x,
                                                              std::int64_t y) noexcept {
  return dart_words(keys, x & ~std::int64_t{1}, y, 0.0F, static_cast<std::uint32_t>(x & 1));
}

/// The first dart of a cell, drawn on the whole of it.
[[nodiscard]] Clock first_dart(const DartKeys& keys, std::int64_t x, std::int64_t y) noexcept;

enum class NextDart : std::uint8_t {
  kFound,   ///< `clock` holds a dart: of a later stage, or on ground that `around` leaves uncovered
  kMissed,  ///< a dart was lost on covered ground, and `clock` stands at its time without one
  kVoid,    ///< no lattice position of the cell is left uncovered
};

/// Advances the clock of cell (x, y) to its next dart that `around` may leave, in the stage that ends at
/// `end` or a later one. `scratch` holds two reusable lists.
///
/// Darts rain on every cell at the same rate for ever; those on covered ground change nothing, so only the
/// rain on a region known to hold all uncovered ground is simulated: gaps are exponential with mean 1 / area,
/// places uniform. The region is the sub-squares of side 1024 that no single disc is known to cover. A draw
/// there that falls at `end` or after is the next dart wherever it lies, to be tested when its time comes:
/// the ground may be covered by then, and the cell void, so that nothing is spent on it. One before that
/// misses ends the call if draws_again. Otherwise each square is split 4 x 4, the parts that lie in one disc
/// are dropped, and kVolley darts are drawn on the rest, if there is any, of which the first that no older
/// point covers is the next dart; and so on, down to single positions. Any such policy gives the same law,
/// since the gaps have no memory; this one is part of the definition of the output.
///
/// Random numbers are keyed by the cell and by the clock on entry, which no other call for the cell shares:
/// time moves on by at least one float with every draw.
[[nodiscard]] NextDart next_dart(const DartKeys& keys, std::int64_t x, std::int64_t y,
                                 const Surroundings& around, float end, Clock& clock,
                                 std::array<std::vector<Square>, 2>& scratch);

}  // namespace strew::poisson
