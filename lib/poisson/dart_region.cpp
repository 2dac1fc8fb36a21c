#include "dart_region.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "disc_cover.hpp"
#include "strew/exact_math.hpp"

namespace strew::poisson {
namespace {

constexpr std::int32_t kSplit = 4;

/// Whether the disc covers the square with its far border, one step more than its positions on each axis
/// (which spares the vector kernel half of its work), or the one position of a square of side 1.
bool covers_square(Fraction centre, Square square, std::int32_t side) noexcept {
  const std::int32_t half = side / 2;
  return in_conflict(std::abs(square.x + half - centre.x) + half,
                     std::abs(square.y + half - centre.y) + half);
}

/// Splits each square into 4 x 4 parts of side `side` and keeps those that no single disc covers.
void split(const Surroundings& around, const std::vector<Square>& squares, std::int32_t side,
           std::vector<Square>& parts) {
  parts.clear();
  const auto* const first = around.centre.begin();
  for (const Square& square : squares) {
    for (std::int32_t part = 0; part < kSplit * kSplit; ++part) {
      const Square corner{square.x + part % kSplit * side, square.y + part / kSplit * side};
      if (std::none_of(first, first + around.count,
                       [&](Fraction centre) { return covers_square(centre, corner, side); })) {
        parts.push_back(corner);
      }
    }
  }
}

/// Corner of the sub-square that is the `rank`-th clear bit of `covered`.
Square clear_square(std::uint64_t covered, std::uint32_t rank) noexcept {
  std::uint64_t clear = ~covered;
  for (; rank > 0; --rank) {
    clear &= clear - 1;
  }
  const std::int32_t bit = std::countr_zero(clear);
  return {(bit % 8) * kSubSide, (bit / 8) * kSubSide};
}

/// `time` after a wait; always later, were it by one float.
float later(float time, float wait) noexcept {
  return std::max(time + wait, std::bit_cast<float>(std::bit_cast<std::uint32_t>(time) + 1U));
}

/// The position that a draw's place chooses in a square, whose side is a power of two of at most 1024.
Fraction position_in(Square square, std::int32_t side, std::uint32_t place) noexcept {
  return {square.x + (static_cast<std::int32_t>(place) & (side - 1)),
          square.y + (static_cast<std::int32_t>(place >> 10) & (side - 1))};
}

}  // namespace

void Surroundings::add(std::size_t neighbour, Fraction at) noexcept {
  const CellOffset offset = kNeighbours[neighbour];
  centre[count] = {offset.x * kCellSteps + at.x, offset.y * kCellSteps + at.y};
  covered |= disc_mask(centre[count]);
  ++count;
}

bool Surroundings::covers(Fraction position) const noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (in_conflict(position.x - centre[i].x, position.y - centre[i].y)) {
      return true;
    }
  }
  return false;
}

DartKeys dart_keys(PhiloxKey key) noexcept {
  const std::uint64_t low = (std::uint64_t{key[1]} << 32) | key[0];
  return aes_keys(low, mix64(low ^ 0xD1B54A32D192ED03U));
}

std::array<std::uint32_t, 2> dart_words(const DartKeys& keys, std::int64_t x, std::int64_t y, float entry,
                                        std::uint32_t index) noexcept {
  const auto counter = dart_counter(x, y, entry, index / 2);
  const AesBlock block = aes_block(
      keys, {counter[0] | (std::uint64_t{counter[1]} << 32), counter[2] | (std::uint64_t{counter[3]} << 32)});
  const std::uint64_t half = block[index % 2];
  return {static_cast<std::uint32_t>(half), static_cast<std::uint32_t>(half >> 32)};
}

void volley_words(const DartKeys& keys, std::int64_t x, std::int64_t y, float entry, std::uint32_t level,
                  std::uint32_t* places, std::uint32_t* choices) noexcept {
  for (std::uint32_t i = 0; i < kVolley; ++i) {
    const auto words = dart_words(keys, x, y, entry, volley_draw(level) + i);
    places[i] = words[0];
    choices[i] = words[1];
  }
}

void volley_times(const std::uint32_t* choices, float time, float area, float* times) noexcept {
  for (std::size_t i = 0; i < kVolley; ++i) {
    times[i] = exact_exponential(choices[i]);
  }
  running_sums(times);
  for (std::size_t i = 0; i < kVolley; ++i) {
    times[i] = later(time, times[i] * (kCellArea / area));
  }
}

Clock first_dart(const DartKeys& keys, std::int64_t x, std::int64_t y) noexcept {
  const auto [place, wait] = first_words(keys, x, y);
  return {exact_exponential(wait),
          {static_cast<std::int32_t>(place & (kCellSteps - 1)),
           static_cast<std::int32_t>((place >> kCellBits) & (kCellSteps - 1))},
          true};
}

NextDart next_dart(const DartKeys& keys, std::int64_t x, std::int64_t y, const Surroundings& around,
                   float end, Clock& clock, std::array<std::vector<Square>, 2>& scratch) {
  const float entry = clock.time;
  const auto clear = static_cast<std::uint32_t>(std::popcount(~around.covered));
  if (clear == 0) {
    return NextDart::kVoid;
  }
  const auto [place, wait] = dart_words(keys, x, y, entry, 0);
  const float clear_area = static_cast<float>(clear) * static_cast<float>(kSubSide * kSubSide);
  clock.time = later(entry, exact_exponential(wait) * (kCellArea / clear_area));
  const Square chosen = clear_square(around.covered, draw_below(square_word(place, wait), clear));
  clock.dart = position_in(chosen, kSubSide, place);
  clock.has_dart = clock.time >= end || !around.covers(clock.dart);
  if (clock.has_dart) {
    return NextDart::kFound;
  }
  if (draws_again(clear, end)) {
    return NextDart::kMissed;
  }
  std::vector<Square>* squares = &scratch[0];
  std::vector<Square>* parts = &scratch[1];
  squares->clear();
  for (std::uint32_t rank = 0; rank < clear; ++rank) {
    squares->push_back(clear_square(around.covered, rank));
  }
  std::uint32_t level = 0;
  for (std::int32_t side = kSubSide / kSplit;; side /= kSplit, ++level) {
    split(around, *squares, side, *parts);
    std::swap(squares, parts);
    const auto count = static_cast<std::uint32_t>(squares->size());
    if (count == 0) {
      return NextDart::kVoid;
    }
    std::array<std::uint32_t, kVolley> places{};
    std::array<std::uint32_t, kVolley> choices{};
    volley_words(keys, x, y, entry, level, places.data(), choices.data());
    std::array<float, kVolley> times{};
    volley_times(choices.data(), clock.time, static_cast<float>(count) * static_cast<float>(side * side),
                 times.data());
    for (std::size_t i = 0; i < kVolley; ++i) {
      const Square square = (*squares)[draw_below(square_word(places[i], choices[i]), count)];
      clock.time = times[i];
      clock.dart = position_in(square, side, places[i]);
      clock.has_dart = !around.covers(clock.dart);
      if (clock.has_dart) {
        return NextDart::kFound;
      }
    }
  }
}

}  // namespace strew::poisson
