// Generation 0: alias tables over patterns of four cells, drawn by a counter-based generator of AES rounds.
//
// Source: Walker, "An efficient method for generating discrete random variables with general distributions",
// ACM TOMS 3 (1977).
//
// 128 cells of a row are 16 bytes, filled from five blocks of 16 random bytes ("planes"). Byte j of plane 0
// holds the two columns of the table for the cells 8 j .. 8 j + 3 and 8 j + 4 .. 8 j + 7; planes 1 and 2 hold
// the 16 bits that choose between column and alias for the former, planes 3 and 4 for the latter. All
// comparisons are of signed bytes, which is what vector units have.
#pragma once

#include <array>
#include <cstdint>

#include "aes_counter.hpp"
#include "strew/automaton.hpp"

namespace strew::automaton {

inline constexpr int kFillBits = 20;  ///< probabilities are multiples of 2^-20
inline constexpr int kFillPlanes = 5;
inline constexpr int kFillWords = 2;  ///< words of a block of 128 cells

struct FillTable {
  /// Column i keeps its pattern i when 16 random bits are below its threshold, and gives alias[i] otherwise.
  /// Thresholds as two signed bytes each, biased by 128: (high, low).
  alignas(16) std::array<std::int8_t, 16> high{};
  alignas(16) std::array<std::int8_t, 16> low{};
  alignas(16) std::array<std::uint8_t, 16> alias{};
  AesKeys keys{};
};
/// The probability in units of 2^-20.
[[nodiscard]] std::uint32_t fill_units(double probability) noexcept;
/// Weights, in units of 2^-20, of a pattern of four cells by its number of living ones; their sum over the 16
/// patterns is 2^20 and a cell's own probability is exactly fill_units().
[[nodiscard]] std::array<std::uint32_t, 5> pattern_weights(std::uint32_t units) noexcept;
[[nodiscard]] FillTable make_fill_table(const AutomatonFill& fill) noexcept;

/// Words of row y for the blocks [block, block + blocks) of 128 cells, block b holding cells 128 b .. 128 b +
/// 127.
using FillKernel = void (*)(const FillTable& table, std::int64_t y, std::int64_t block, std::int64_t blocks,
                            std::uint64_t* out);
void fill_row_ref(const FillTable& table, std::int64_t y, std::int64_t block, std::int64_t blocks,
                  std::uint64_t* out);

}  // namespace strew::automaton
