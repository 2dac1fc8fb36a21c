// The two codes of a tile's columns, plain words or folded steps, and which of them compresses better.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace strew {

// Rows by which the code of a column is chosen, evenly spaced: enough to tell codes apart by a tenth of a
// bit.
inline constexpr std::size_t kSampleRows = 4096;

/// 64 * log2(value) for value >= 1, rounded down; integers only, so that files do not depend on a libm.
[[nodiscard]] constexpr std::uint64_t log2_scaled(std::uint64_t value) noexcept {
  const int whole = static_cast<int>(std::bit_width(value)) - 1;
  std::uint64_t mantissa = whole > 31 ? value >> (whole - 31) : value << (31 - whole);
  auto result = static_cast<std::uint64_t>(whole);
  for (int bit = 0; bit < 6; ++bit) {
    mantissa = mantissa * mantissa >> 31;
    const std::uint64_t carry = mantissa >> 32;
    mantissa >>= carry;
    result = 2 * result + carry;
  }
  return result;
}

inline constexpr auto kLog2Scaled = [] {
  std::array<std::uint16_t, 2 * kSampleRows> table{};
  for (std::size_t count = 1; count < table.size(); ++count) {
    table[count] = static_cast<std::uint16_t>(log2_scaled(count));
  }
  return table;
}();

/// The step from `before` to `word`, folded: 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
template <class Word>
[[nodiscard]] constexpr Word folded_step(Word before, Word word) noexcept {
  const auto step = static_cast<Word>(word - before);
  const auto sign = static_cast<Word>(0U - (step >> (std::numeric_limits<Word>::digits - 1)));
  return static_cast<Word>(static_cast<Word>(step << 1) ^ sign);
}

/// Row `i` of a column in steps.
template <class Word, class At>
[[nodiscard]] Word delta_at(std::size_t i, const At& word_at) noexcept {
  return folded_step(i == 0 ? Word{0} : word_at(i - 1), word_at(i));
}

/// How often each byte comes, by byte plane of a column.
template <class Word>
class PlaneCounts {
 public:
  void add(Word word) noexcept {
    for (std::size_t plane = 0; plane < sizeof(Word); ++plane) {
      ++seen_[plane][word >> (8 * plane) & 0xFFU];
    }
  }
  /// Grows with the bits that an entropy coder can save: the entropies of the planes, in 1/64 bit, are a
  /// constant less this.
  [[nodiscard]] std::uint64_t saved() const noexcept {
    std::uint64_t sum = 0;
    for (const auto& plane : seen_) {
      for (const std::uint32_t count : plane) {
        sum += std::uint64_t{count} * kLog2Scaled[count];
      }
    }
    return sum;
  }

 private:
  std::array<std::array<std::uint32_t, 256>, sizeof(Word)> seen_{};
};

/// Whether the steps of a column of `count` rows compress better than its words.
template <class Word, class At>
[[nodiscard]] bool deltas_are_smaller(std::size_t count, const At& word_at) noexcept {
  PlaneCounts<Word> plain;
  PlaneCounts<Word> delta;
  const std::size_t stride = (count + kSampleRows - 1) / kSampleRows;
  for (std::size_t i = 0; i < count; i += stride) {
    plain.add(word_at(i));
    delta.add(delta_at<Word>(i, word_at));
  }
  return delta.saved() > plain.saved();
}

}  // namespace strew
