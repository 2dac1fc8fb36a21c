#include "dart_region.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "cover_table.hpp"
#include "strew/exact_math.hpp"

namespace strew::poisson {
namespace {

constexpr std::int32_t kFirstSide = kCellSteps / 8;
constexpr std::int32_t kSplit = 4;
constexpr float kCellArea = 67108864.0F;  // 8192^2 positions

/// Whether the disc covers every position of the square.
bool covers_square(Fraction centre, Square square, std::int32_t side) noexcept {
  const std::int32_t dx = std::max(std::abs(square.x - centre.x), std::abs(square.x + side - 1 - centre.x));
  const std::int32_t dy = std::max(std::abs(square.y - centre.y), std::abs(square.y + side - 1 - centre.y));
  return in_conflict(dx, dy);
}

/// Whether the disc covers some position of the square.
bool meets_square(Fraction centre, Square square, std::int32_t side) noexcept {
  const std::int32_t dx = std::max({0, square.x - centre.x, centre.x - (square.x + side - 1)});
  const std::int32_t dy = std::max({0, square.y - centre.y, centre.y - (square.y + side - 1)});
  return in_conflict(dx, dy);
}

/// Splits each square into 4 x 4 parts of side `side` and keeps those that no single disc covers.
void split(const Surroundings& around, const std::vector<Square>& squares, std::int32_t side,
           std::vector<Square>& parts) {
  parts.clear();
  for (const Square& square : squares) {
    std::array<Fraction, kNeighbours.size()> near;
    std::size_t near_count = 0;
    for (std::size_t i = 0; i < around.count; ++i) {
      if (meets_square(around.centre[i], square, side * kSplit)) {
        near[near_count++] = around.centre[i];
      }
    }
    for (std::int32_t part = 0; part < kSplit * kSplit; ++part) {
      const Square corner{square.x + part % kSplit * side, square.y + part / kSplit * side};
      if (std::none_of(near.begin(), near.begin() + near_count,
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
  return {(bit % 8) * kFirstSide, (bit / 8) * kFirstSide};
}

/// One draw: advances the clock and returns a uniform position in `count` squares, of which `square_at(i)` is
/// the i-th.
template <class SquareAt>
Fraction draw_position(PhiloxKey key, std::int64_t x, std::int64_t y, std::uint32_t count, std::int32_t side,
                       const SquareAt& square_at, Clock& clock) noexcept {
  const PhiloxCounter random = cell_draw(key, x, y, clock.draws++);
  const auto unsigned_side = static_cast<std::uint32_t>(side);
  const Square square = square_at(draw_below(random[0], count));
  const float area = static_cast<float>(count) * static_cast<float>(unsigned_side * unsigned_side);
  clock.time += exact_exponential(random[2]) * (kCellArea / area);
  // The side is a power of two of at most 1024, so the high bits of each 16-bit half are uniform on it.
  return {square.x + static_cast<std::int32_t>(((random[1] & 0xFFFFU) * unsigned_side) >> 16),
          square.y + static_cast<std::int32_t>(((random[1] >> 16) * unsigned_side) >> 16)};
}

/// The tries of one level: true when a dart was found on uncovered ground.
template <class SquareAt>
bool try_squares(PhiloxKey key, std::int64_t x, std::int64_t y, const Surroundings& around, std::size_t count,
                 std::int32_t side, const SquareAt& square_at, Clock& clock) noexcept {
  const std::size_t tries = tries_before_split(count, side);
  for (std::size_t i = 0; i < tries; ++i) {
    const Fraction position =
        draw_position(key, x, y, static_cast<std::uint32_t>(count), side, square_at, clock);
    if (!around.covers(position)) {
      clock.dart = position;
      return true;
    }
  }
  return false;
}

}  // namespace

void Surroundings::add(std::size_t neighbour, Fraction at) noexcept {
  const CellOffset offset = kNeighbours[neighbour];
  centre[count++] = {offset.x * kCellSteps + at.x, offset.y * kCellSteps + at.y};
  covered |= cover_table().mask(neighbour, at);
}

bool Surroundings::covers(Fraction position) const noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (in_conflict(position.x - centre[i].x, position.y - centre[i].y)) {
      return true;
    }
  }
  return false;
}

bool next_dart(PhiloxKey key, std::int64_t x, std::int64_t y, const Surroundings& around, Clock& clock,
               std::array<std::vector<Square>, 2>& scratch) {
  const auto clear = static_cast<std::size_t>(std::popcount(~around.covered));
  const auto clear_at = [&](std::uint32_t rank) { return clear_square(around.covered, rank); };
  if (try_squares(key, x, y, around, clear, kFirstSide, clear_at, clock)) {
    return true;
  }
  std::vector<Square>* squares = &scratch[0];
  std::vector<Square>* parts = &scratch[1];
  squares->clear();
  for (std::uint32_t rank = 0; rank < clear; ++rank) {
    squares->push_back(clear_at(rank));
  }
  for (std::int32_t side = kFirstSide / kSplit; !squares->empty(); side /= kSplit) {
    split(around, *squares, side, *parts);
    std::swap(squares, parts);
    const auto part_at = [&](std::uint32_t i) { return (*squares)[i]; };
    if (!squares->empty() && try_squares(key, x, y, around, squares->size(), side, part_at, clock)) {
      return true;
    }
  }
  return false;
}

}  // namespace strew::poisson
