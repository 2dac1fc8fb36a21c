// Where rows of the starting generation come from: a grid in memory or the fill, with what lies beyond the
// sides. Coordinates are those of the plane or the world.
#pragma once

#include <algorithm>
#include <cstring>

#include "fill_table.hpp"
#include "reference.hpp"
#include "strew/types.hpp"
#include "wave_job.hpp"

namespace strew::automaton {

/// `length` <= 64 bits of a row of words from bit x on.
[[nodiscard]] inline std::uint64_t bits_at(const std::uint64_t* row, std::int64_t x,
                                           std::int64_t length) noexcept {
  const std::int64_t word = x / 64;
  const std::int64_t shift = x % 64;
  std::uint64_t bits = row[word] >> shift;
  if (shift + length > 64) {
    bits |= row[word + 1] << (64 - shift);
  }
  return length == 64 ? bits : bits & ((std::uint64_t{1} << length) - 1);
}

/// A grid whose cell (0, 0) is cell (x0, y0), x0 a multiple of 64. Words outside it read as dead.
class GridRows {
 public:
  static constexpr bool kFarWords = false;  ///< images of a periodic world are asked for next to it only
  GridRows(const BitGrid& grid, std::int64_t x0, std::int64_t y0) noexcept
      : grid_(grid), word0_(floor_div(x0, 64)), y0_(y0) {}

  [[nodiscard]] const std::uint64_t* words(std::int64_t y, std::int64_t word, std::int64_t count,
                                           std::uint64_t* scratch) const noexcept {
    const std::int64_t row = y - y0_;
    const std::int64_t first = word - word0_;
    if (row < 0 || row >= grid_.height()) {
      std::fill_n(scratch, count, std::uint64_t{0});
      return scratch;
    }
    if (first >= 0 && first + count <= grid_.stride()) {
      return grid_.row(row) + first;
    }
    std::fill_n(scratch, count, std::uint64_t{0});
    const std::int64_t from = std::max<std::int64_t>(first, 0);
    const std::int64_t to = std::min(first + count, grid_.words());
    if (from < to) {
      std::copy(grid_.row(row) + from, grid_.row(row) + to, scratch + (from - first));
    }
    return scratch;
  }
  /// Tells a strip where its rows lie.
  void locate(std::int64_t word, RowSource& source) const noexcept {
    source.origin = grid_.row(0) + (word - word0_);
    source.stride = grid_.stride();
    source.low = y0_;
    source.high = y0_ + grid_.height();
  }
  [[nodiscard]] std::uint64_t bits(std::int64_t y, std::int64_t x, std::int64_t length) const noexcept {
    return bits_at(grid_.row(y - y0_), x - 64 * word0_, length);
  }

 private:
  const BitGrid& grid_;
  std::int64_t word0_;
  std::int64_t y0_;
};

class FillRows {
 public:
  static constexpr bool kFarWords = true;
  FillRows(const FillTable& table, FillKernel kernel) noexcept : table_(table), kernel_(kernel) {}

  /// `scratch` has room for two words more.
  [[nodiscard]] const std::uint64_t* words(std::int64_t y, std::int64_t word, std::int64_t count,
                                           std::uint64_t* scratch) const noexcept {
    const std::int64_t block = floor_div(word, kFillWords);
    const std::int64_t skipped = word - block * kFillWords;
    kernel_(table_, y, block, (skipped + count + kFillWords - 1) / kFillWords, scratch);
    return scratch + skipped;
  }
  void locate(std::int64_t /*word*/, RowSource& /*source*/) const noexcept {}
  [[nodiscard]] std::uint64_t bits(std::int64_t y, std::int64_t x, std::int64_t length) const noexcept {
    constexpr std::int64_t kBlockCells = std::int64_t{64} * kFillWords;
    std::uint64_t row[2 * kFillWords];
    const std::int64_t block = floor_div(x, kBlockCells);
    kernel_(table_, y, block, 2, row);
    return bits_at(row, x - block * kBlockCells, length);
  }

 private:
  const FillTable& table_;
  FillKernel kernel_;
};

/// Rows with the border of a limited world put where the world ends.
template <class Rows>
class BorderedRows {
 public:
  BorderedRows(const Rows& rows, const Bounds& bounds) noexcept : rows_(rows), bounds_(bounds) {}

  /// Words of row y. Of those beyond the sides of a periodic grid one on either side is right, which is as
  /// far as a strip looks.
  [[nodiscard]] const std::uint64_t* words(std::int64_t y, std::int64_t word, std::int64_t count,
                                           std::uint64_t* scratch) const noexcept {
    if (!bounds_.limited) {
      return rows_.words(y, word, count, scratch);
    }
    const bool periodic = bounds_.border == Border::kPeriodic;
    const std::uint64_t outside = bounds_.border == Border::kAlive ? ~std::uint64_t{0} : 0;
    if (y < 0 || y >= bounds_.height) {
      if (!periodic) {
        std::fill_n(scratch, count, outside);
        return scratch;
      }
      y = floor_mod(y, bounds_.height);
    }
    const std::int64_t whole = bounds_.width / 64;  // words that lie inside
    if (word >= 0 && word + count <= whole) {
      return rows_.words(y, word, count, scratch);
    }
    const std::uint64_t* const row = rows_.words(y, word, count, scratch);
    if (row != scratch) {
      std::memmove(scratch, row, static_cast<std::size_t>(count) * 8);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = word + i;
      if (at >= 0 && at < whole) {
        i = std::min(count, whole - word) - 1;
        continue;
      }
      scratch[i] = periodic ? around(y, at) : limited(scratch[i], at, outside);
    }
    return scratch;
  }

 private:
  [[nodiscard]] std::uint64_t limited(std::uint64_t bits, std::int64_t word,
                                      std::uint64_t outside) const noexcept {
    const std::int64_t inside = word < 0 ? 0 : bounds_.width - 64 * word;
    if (inside <= 0) {
      return outside;
    }
    const std::uint64_t mask =
        (std::uint64_t{1} << inside) - 1;  // only the last word comes here: inside < 64
    return (bits & mask) | (outside & ~mask);
  }
  [[nodiscard]] std::uint64_t around(std::int64_t y, std::int64_t word) const noexcept {
    if (!Rows::kFarWords && (word < -1 || word > (bounds_.width + 63) / 64)) {
      return 0;
    }
    std::uint64_t bits = 0;
    for (std::int64_t done = 0; done < 64;) {
      const std::int64_t x = floor_mod(64 * word + done, bounds_.width);
      const std::int64_t length = std::min(64 - done, bounds_.width - x);
      bits |= rows_.bits(y, x, length) << done;
      done += length;
    }
    return bits;
  }

  Rows rows_;
  Bounds bounds_;
};

}  // namespace strew::automaton
