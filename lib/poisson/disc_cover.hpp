// Which 1024-step sub-squares of a cell a disc covers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cell_lattice.hpp"

namespace strew::poisson {

/// Side of a sub-square.
inline constexpr std::int32_t kSubBits = kCellBits - 3;
inline constexpr std::int32_t kSubSide = 1 << kSubBits;

/// Half chords of the rows of sub-squares around a point: at `y` steps above the lower side of its cell, row
/// j = -16 to 23 of sub-squares counted from that side, the greatest distance from the point on the other
/// axis that is in conflict with it whatever the height in the row (its far border included, one step more
/// than its positions). -kSubSide for rows that it covers nothing of. 96 KiB, built once, immutable.
class RowChords {
 public:
  RowChords() noexcept;
  /// The chords of a point from row -16 on: 40, and more that may be read.
  [[nodiscard]] const std::int16_t* rows(std::int32_t y) const noexcept {
    return &chords_[static_cast<std::size_t>((y & (kSubSide - 1)) * kStride + kOrigin - 16 -
                                             (y >> kSubBits))];
  }

 private:
  static constexpr std::int32_t kOrigin = 23;  ///< of the row that a point lies in
  static constexpr std::int32_t kStride = 48;
  alignas(64) std::array<std::int16_t, kSubSide * kStride + 32> chords_{};
};
[[nodiscard]] const RowChords& row_chords() noexcept;

/// The sub-squares (8 x 8, bit 8 * row + column) of the cell at the origin that the disc around `centre`, at
/// most three cells away, covers with their far borders.
[[nodiscard]] std::uint64_t disc_mask(Fraction centre) noexcept;

/// Masks of the cells around that of a point at `at` in it: [2 + dy][2 + dx], three more columns of zeros.
using CellMasks = std::array<std::array<std::uint64_t, 8>, 5>;
void disc_masks(const RowChords& chords, Fraction at, CellMasks& masks) noexcept;

}  // namespace strew::poisson
