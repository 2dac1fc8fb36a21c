// What the vector kernels of poisson/tiled work on.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cell_lattice.hpp"
#include "dart_region.hpp"
#include "disc_cover.hpp"

namespace strew::poisson {

/// A list of 32-bit words whose memory is kept between uses.
struct WordList {
  std::vector<std::uint32_t> memory;
  std::size_t size = 0;

  /// Room for `count` more words, and for a vector stored past the last of them.
  void reserve_more(std::size_t count) {
    if (size + count + 16 > memory.size()) {
      grow(count);
    }
  }
  void push(std::uint32_t word) { memory[size++] = word; }
  void add(std::uint32_t word) {
    reserve_more(1);
    push(word);
  }

 private:
  void grow(std::size_t count);
};

/// For each set of 8 lanes: the numbers of the lanes in it, one after another.
inline constexpr std::array<std::array<std::uint8_t, 8>, 256> kCompressOrders = [] {
  std::array<std::array<std::uint8_t, 8>, 256> orders{};
  for (std::size_t lanes = 0; lanes < orders.size(); ++lanes) {
    std::size_t count = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
      if ((lanes >> lane) % 2 != 0) {
        orders[lanes][count++] = lane;
      }
    }
  }
  return orders;
}();

/// Working lists of one window.
struct KernelLists {
  /// A stage of the rain. Rows enter it one after another.
  struct Stage {
    WordList active;                 ///< cells whose dart is due and not yet decided
    WordList landed;                 ///< points whose masks are still to be added
    WordList waiting;                ///< cells with a dart of this stage, of rows that have not entered it
    std::int32_t x0 = 0;             ///< columns x0 to x1 - 1 take part
    std::int32_t x1 = 0;             ///<
    std::int32_t first = 0;          ///< rows first to limit - 1 take part
    std::int32_t limit = 0;          ///<
    std::int32_t entered = 0;        ///< rows below have entered
    std::int32_t resolved = 0;       ///< rows below have nothing left to decide
    std::int32_t unknown_depth = 0;  ///< greatest distance of an unknown cell from the window's border
  };
  std::array<Stage, kStages> stages;
  WordList dead;                    ///< cells whose dart is lost
  WordList taken;                   ///< cells that have just entered a stage, or points to be covered
  WordList numbers;                 ///< numbers of the stages of a list of cells
  WordList across;                  ///< points of a row: steps from the left side of the core
  WordList along;                   ///< and from the lower side of the row
  WordList parts;                   ///< corners of squares as pairs, while regions are refined
  std::array<WordList, 2> squares;  ///< the squares that they are parts of, and what belongs to these
};

/// The undecided cells of a row are listed, by stages, when it enters this one; those of earlier stages are
/// found by a scan of all clocks.
inline constexpr std::size_t kListedStage = 5;

/// Cells of a list that are taken through a step together: few enough that what was read of them is still
/// near in the next. Whole vectors.
inline constexpr std::size_t kPiece = 256;

/// Rectangle of cells of a window, half-open.
struct WindowRect {
  std::int32_t x0 = 0;
  std::int32_t y0 = 0;
  std::int32_t x1 = 0;
  std::int32_t y1 = 0;
  [[nodiscard]] bool contains(std::uint32_t packed) const noexcept {
    const auto x = static_cast<std::int32_t>(packed & 0xFFFFU);
    const auto y = static_cast<std::int32_t>(packed >> 16);
    return x >= x0 && x < x1 && y >= y0 && y < y1;
  }
};

/// A window of cells, row by row; `stride` leaves at least 16 unused cells after each row. The arrays hold
/// `rows` rows of it and 16 cells more: those that are alive, from any row of the window on.
struct KernelWindow {
  /// Pending dart or point: x in bits 0-12, y in bits 16-28, and marks.
  std::uint32_t* position;
  float* clock;            ///< time of the pending dart; +infinity when the cell is decided
  std::uint64_t* covered;  ///< sub-squares known to lie in one disc of a point older than the stage; in the
                           ///< late one of any
  std::int32_t width;      ///< 5 to 2^16 - 1
  std::int32_t stride;
  std::int32_t rows;  ///< of the arrays: 5 to 2^16 - 1; as many as are alive (some 75), `step`, and 2 more do
  std::int32_t step;  ///< rows that are added at a time
  std::int32_t y_begin;  ///< rows of the window, counted from the first of the arrays
  std::int32_t y_end;
  std::int64_t x0;  ///< cell coordinates of the corner of the arrays
  std::int64_t y0;
  WindowRect core;  ///< the cells that are wanted, counted as the rows are
  DartKeys keys;
  KernelLists* lists;
  /// Takes the points of the next row of the core: lattice steps from the core's left side and from the row's
  /// lower side. False: no more are wanted.
  bool (*take_row)(void* taker, const std::uint32_t* across, const std::uint32_t* along, std::size_t count);
  void* taker;
};

// Marks of a position.
inline constexpr std::uint32_t kUnknown = 1U << 13;  ///< the cell's fate is not to be known in this window
inline constexpr std::uint32_t kUntested = 1U
                                           << 14;  ///< the dart may lie on ground that was covered when drawn
inline constexpr std::uint32_t kDead = 1U << 15;   ///< the dart is on covered ground
inline constexpr std::uint32_t kIsFresh = 1U << 30;  ///< a point of the current stage
inline constexpr std::uint32_t kIsPoint = 1U << 31;
inline constexpr std::uint32_t kFractionMask = 0x1FFF1FFFU;

/// Place (y << 16 | x) of a cell in its window's arrays.
[[nodiscard]] inline std::ptrdiff_t cell_index(const KernelWindow& window, std::uint32_t packed) noexcept {
  return static_cast<std::ptrdiff_t>(packed >> 16) * window.stride +
         static_cast<std::ptrdiff_t>(packed & 0xFFFFU);
}

}  // namespace strew::poisson
