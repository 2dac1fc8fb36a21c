// What the vector kernel of poisson/tiled works on, and its table per ISA.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cell_lattice.hpp"
#include "kernel_table.hpp"
#include "strew/random.hpp"

namespace strew::poisson {

/// Square of lattice positions in a cell, by its corner.
struct CellSquare {
  std::int16_t x;
  std::int16_t y;
};
/// Growing list whose memory is kept between uses.
struct SquareList {
  std::vector<CellSquare> memory;
  std::size_t size = 0;
  /// Room for `count` more squares.
  void reserve_more(std::size_t count);
};

/// Masks that a point adds to the 5 x 5 cells around its own: for each of 16 x 16 boxes of its position, 5
/// rows of 8 (cells -2 to 2, then nothing).
struct CoverRows {
  static constexpr std::size_t kBoxes = 16;
  alignas(64) std::array<std::uint64_t, kBoxes * kBoxes * 5 * 8> masks{};
  [[nodiscard]] const std::uint64_t* row(std::uint32_t box, std::uint32_t dy) const noexcept {
    return &masks[(box * 5 + dy) * 8];
  }
};
[[nodiscard]] const CoverRows& cover_rows() noexcept;

/// A window of cells, row by row; `stride` leaves at least eight unused cells after each row, and rows above
/// and below are not read. All arrays have stride * height entries.
struct KernelWindow {
  /// Pending dart or point: x in bits 0-12, y in bits 16-28. kDead: the dart is on covered ground. kIsPoint:
  /// a point.
  std::uint32_t* position;
  float* clock;            ///< time of the pending dart; +infinity when the cell is decided
  std::uint64_t* covered;  ///< sub-squares known to lie in one disc
  std::uint32_t* draws;    ///< draws consumed
  std::int32_t width;      ///< at least 5, like height
  std::int32_t height;
  std::int32_t stride;
  std::int64_t x0;  ///< cell coordinates of the window's corner
  std::int64_t y0;
  std::int32_t core_x0;  ///< the cells that are wanted, in window coordinates
  std::int32_t core_y0;
  std::int32_t core_x1;
  std::int32_t core_y1;
  PhiloxKey key;
  std::array<SquareList, 2>* squares;
};

inline constexpr std::uint32_t kDead = 1U << 15;
inline constexpr std::uint32_t kIsPoint = 1U << 31;
inline constexpr std::uint32_t kFractionMask = 0x1FFF1FFFU;

/// Evaluates the window as far as its rim allows, or until the core is decided; true when the core is.
using TiledKernel = bool (*)(const KernelWindow& window);
[[nodiscard]] const KernelTable<TiledKernel>& tiled_kernels() noexcept;

}  // namespace strew::poisson
