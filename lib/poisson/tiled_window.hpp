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
  WordList active;                  ///< cells whose dart is due in this stage
  WordList dead;                    ///< those of them whose dart is lost
  WordList landed;                  ///< new points of this stage
  WordList later;                   ///< undecided cells with a dart of a later stage
  WordList parts;                   ///< corners of squares as pairs, while regions are refined
  std::array<WordList, 2> squares;  ///< the same, one region at a time
};

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

/// A window of cells, row by row; `stride` leaves at least 16 unused cells after each row, and rows above and
/// below are not read. All arrays have stride * height entries, and 16 more.
struct KernelWindow {
  /// Pending dart or point: x in bits 0-12, y in bits 16-28. kDead: the dart is on covered ground. kIsPoint:
  /// a point; kIsFresh: of the current stage.
  std::uint32_t* position;
  float* clock;            ///< time of the pending dart; +infinity when the cell is decided
  std::uint64_t* covered;  ///< sub-squares known to lie in one disc of a point older than the stage
  std::int32_t width;      ///< 5 to 2^16 - 1, like height
  std::int32_t height;
  std::int32_t stride;
  std::int64_t x0;  ///< cell coordinates of the window's corner
  std::int64_t y0;
  WindowRect core;  ///< the cells that are wanted
  DartKeys keys;
  KernelLists* lists;
};

inline constexpr std::uint32_t kDead = 1U << 15;
inline constexpr std::uint32_t kIsPoint = 1U << 31;
inline constexpr std::uint32_t kIsFresh = 1U << 30;
inline constexpr std::uint32_t kFractionMask = 0x1FFF1FFFU;

/// Place (y << 16 | x) of a cell in its window's arrays.
[[nodiscard]] inline std::ptrdiff_t cell_index(const KernelWindow& window, std::uint32_t packed) noexcept {
  return static_cast<std::ptrdiff_t>(packed >> 16) * window.stride +
         static_cast<std::ptrdiff_t>(packed & 0xFFFFU);
}

}  // namespace strew::poisson
