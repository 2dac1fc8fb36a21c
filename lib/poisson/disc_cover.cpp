#include "disc_cover.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace strew::poisson {
namespace {

/// Sub-squares of a row, `reach` to either side of x, that lie between: the first, and the one after the
/// last.
struct Span {
  std::int32_t first;
  std::int32_t end;
};
Span span_of(std::int32_t x, std::int32_t reach) noexcept {
  return {(x - reach + kSubSide - 1) >> kSubBits, (x + reach) >> kSubBits};
}

/// For the distances from a centre on one axis: the greatest distance on the other at which a position is in
/// conflict with it.
using HalfChords = std::array<std::int16_t, 11586>;  // r is 11585.2 steps
const HalfChords& half_chords() noexcept {
  static const HalfChords kChords = [] {
    HalfChords chords{};
    for (std::size_t across = 0; across < chords.size(); ++across) {
      const auto left = kRadiusSquared - static_cast<std::int32_t>(across * across);
      const auto root = static_cast<std::int32_t>(std::sqrt(static_cast<double>(left)));
      chords[across] = static_cast<std::int16_t>(root * root < left ? root : root - 1);
    }
    return chords;
  }();
  return kChords;
}

/// The half chord of a row of sub-squares, at its border farther from `y`; -kSubSide when it has none.
std::int32_t row_chord(const HalfChords& chords, std::int32_t row, std::int32_t y) noexcept {
  const auto across = static_cast<std::size_t>(std::abs(row * kSubSide + kSubSide / 2 - y) + kSubSide / 2);
  return across < chords.size() ? chords[across] : -kSubSide;
}

}  // namespace

RowChords::RowChords() noexcept {
  const HalfChords& chords = half_chords();
  for (std::int32_t f = 0; f < kSubSide; ++f) {
    for (std::int32_t k = 0; k < kStride; ++k) {
      chords_[static_cast<std::size_t>(f * kStride + k)] =
          static_cast<std::int16_t>(row_chord(chords, k - kOrigin, f));
    }
  }
}

const RowChords& row_chords() noexcept {
  static const RowChords kChords;
  return kChords;
}

std::uint64_t disc_mask(Fraction centre) noexcept {
  const HalfChords& chords = half_chords();
  std::uint64_t mask = 0;
  for (std::int32_t row = 0; row < 8; ++row) {
    const Span span = span_of(centre.x, row_chord(chords, row, centre.y));
    const std::int32_t first = std::clamp(span.first, 0, 8);
    const std::int32_t end = std::clamp(span.end, first, 8);
    mask |= ((std::uint64_t{1} << end) - (std::uint64_t{1} << first)) << (8 * row);
  }
  return mask;
}

void disc_masks(const RowChords& chords, Fraction at, CellMasks& masks) noexcept {
  constexpr std::int32_t kColumns = 16;  // of the two cells before the point's
  const std::int16_t* const reach = chords.rows(at.y);
  for (std::size_t group = 0; group < 5; ++group) {
    // Row by row into the bytes of the masks: the first byte of a mask is its first row.
    static_assert(std::endian::native == std::endian::little);
    std::array<std::uint8_t, 64> bytes{};
    for (std::size_t row = 0; row < 8; ++row) {
      const Span span = span_of(at.x, reach[8 * group + row]);
      const std::uint64_t columns =
          (~std::uint64_t{0} << (span.first + kColumns)) & ~(~std::uint64_t{0} << (span.end + kColumns));
      for (std::size_t cell = 0; cell < 5; ++cell) {
        bytes[8 * cell + row] = static_cast<std::uint8_t>(columns >> (8 * cell));
      }
    }
    std::memcpy(masks[group].data(), bytes.data(), sizeof bytes);
  }
}

}  // namespace strew::poisson
