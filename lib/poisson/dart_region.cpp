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
constexpr float kCellArea = 67108864.0F;  // 8192^2 positions

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

/// The draws of one call of next_dart.
class Draws {
 public:
  Draws(const DartKeys& keys, std::int64_t x, std::int64_t y, float entry) noexcept
      : keys_(keys), x_(x), y_(y), entry_(entry) {}
  [[nodiscard]] std::array<std::uint32_t, 2> next() noexcept {
    return dart_words(keys_, x_, y_, entry_, count_++);
  }

 private:
  const DartKeys& keys_;
  std::int64_t x_;
  std::int64_t y_;
  float entry_;
  std::uint32_t count_ = 0;
};

/// `time` after a wait; always later, were it by one float.
float later(float time, float wait) noexcept {
  return std::max(time + wait, std::bit_cast<float>(std::bit_cast<std::uint32_t>(time) + 1U));
}

/// Up to `tries` draws of one level, on `count` squares of which `square_at(i)` is the i-th: whether one is
/// the cell's next dart, because it falls at `end` or after or on uncovered ground.
template <class SquareAt>
bool try_squares(Draws& draws, const Surroundings& around, std::size_t count, std::int32_t side,
                 const SquareAt& square_at, std::uint32_t tries, float end, Clock& clock) noexcept {
  const float area = static_cast<float>(count) * static_cast<float>(side * side);
  for (std::uint32_t i = 0; i < tries; ++i) {
    const auto [place, wait] = draws.next();
    clock.time = later(clock.time, exact_exponential(wait) * (kCellArea / area));
    const Square square = square_at(draw_below(square_word(place, wait), static_cast<std::uint32_t>(count)));
    // The side is a power of two of at most 1024.
    const Fraction position{square.x + (static_cast<std::int32_t>(place) & (side - 1)),
                            square.y + (static_cast<std::int32_t>(place >> 10) & (side - 1))};
    if (clock.time >= end || !around.covers(position)) {
      clock.dart = position;
      clock.has_dart = true;
      return true;
    }
  }
  return false;
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
  const auto ux = static_cast<std::uint64_t>(x);
  const auto uy = static_cast<std::uint64_t>(y);
  const std::uint64_t high =
      ((ux >> 32) & 0xFFU) | (((uy >> 32) & 0xFFU) << 8) | (std::uint64_t{(index / 2) & 0xFFFFU} << 16);
  const AesBlock block =
      aes_block(keys, {(ux & 0xFFFFFFFFU) | (uy << 32), std::bit_cast<std::uint32_t>(entry) | (high << 32)});
  const std::uint64_t half = block[index % 2];
  return {static_cast<std::uint32_t>(half), static_cast<std::uint32_t>(half >> 32)};
}

Clock first_dart(const DartKeys& keys, std::int64_t x, std::int64_t y) noexcept {
  const auto [place, wait] = dart_words(keys, x, y, 0.0F, 0);
  return {exact_exponential(wait),
          {static_cast<std::int32_t>(place & (kCellSteps - 1)),
           static_cast<std::int32_t>((place >> kCellBits) & (kCellSteps - 1))},
          true};
}

NextDart next_dart(const DartKeys& keys, std::int64_t x, std::int64_t y, const Surroundings& around,
                   float end, Clock& clock, std::array<std::vector<Square>, 2>& scratch) {
  constexpr float kNever = std::numeric_limits<float>::infinity();
  Draws draws(keys, x, y, clock.time);
  const auto clear = static_cast<std::size_t>(std::popcount(~around.covered));
  if (clear == 0) {
    return NextDart::kVoid;
  }
  const auto clear_at = [&](std::uint32_t rank) { return clear_square(around.covered, rank); };
  if (try_squares(draws, around, clear, kSubSide, clear_at, 1, end, clock)) {
    return NextDart::kFound;
  }
  if (draws_again(clear, end)) {
    clock.has_dart = false;
    return NextDart::kMissed;
  }
  std::vector<Square>* squares = &scratch[0];
  std::vector<Square>* parts = &scratch[1];
  squares->clear();
  for (std::uint32_t rank = 0; rank < clear; ++rank) {
    squares->push_back(clear_at(rank));
  }
  for (std::int32_t side = kSubSide / kSplit; !squares->empty(); side /= kSplit) {
    split(around, *squares, side, *parts);
    std::swap(squares, parts);
    const auto part_at = [&](std::uint32_t i) { return (*squares)[i]; };
    const std::uint32_t tries = tries_before_split(static_cast<std::uint32_t>(squares->size()));
    if (!squares->empty() &&
        try_squares(draws, around, squares->size(), side, part_at, tries, kNever, clock)) {
      return NextDart::kFound;
    }
  }
  return NextDart::kVoid;
}

}  // namespace strew::poisson
