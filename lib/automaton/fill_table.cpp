#include "fill_table.hpp"

#include <algorithm>
#include <bit>

#include "strew/random.hpp"

namespace strew::automaton {
namespace {

constexpr std::uint32_t kOne = 1U << kFillBits;

}  // namespace

std::uint32_t fill_units(double probability) noexcept {
  // Exact: scaling by a power of two, then the nearest integer.
  return static_cast<std::uint32_t>(probability * static_cast<double>(kOne) + 0.5);
}

std::array<std::uint32_t, 5> pattern_weights(std::uint32_t units) noexcept {
  if (units == 0 || units == kOne) {
    std::array<std::uint32_t, 5> certain{};
    certain[units == 0 ? 0 : 4] = kOne;
    return certain;
  }
  // p^k q^(4 - k) in units of 2^-20, with ten fractional bits.
  const std::uint64_t p = units;
  const std::uint64_t q = kOne - units;
  const auto product = [](std::uint64_t a, std::uint64_t b) { return ((a >> 10) * (b >> 10)) >> 30; };
  const std::array<std::uint64_t, 5> exact = {product(q * q, q * q), product(p * q, q * q),
                                              product(p * q, p * q), product(p * p, p * q),
                                              product(p * p, p * p)};
  // Patterns of one to three living cells are rounded down or up, that of four makes a cell's probability
  // exact, that of none the sum. Of the eight ways the one nearest to independent cells is taken.
  std::array<std::uint32_t, 5> best{};
  std::uint64_t best_error = ~std::uint64_t{0};
  for (unsigned up = 0; up < 8; ++up) {
    std::array<std::int64_t, 5> w{};
    for (unsigned k = 1; k <= 3; ++k) {
      w[k] = static_cast<std::int64_t>((exact[k] >> 10) + ((up >> (k - 1)) & 1U));
    }
    w[4] = static_cast<std::int64_t>(p) - w[1] - 3 * w[2] - 3 * w[3];
    w[0] = static_cast<std::int64_t>(kOne) - 4 * w[1] - 6 * w[2] - 4 * w[3] - w[4];
    if (w[4] < 0 || w[0] < 0) {
      continue;
    }
    std::uint64_t error = 0;
    for (unsigned k = 0; k <= 4; ++k) {
      const std::int64_t off = (w[k] << 10) - static_cast<std::int64_t>(exact[k]);
      error += static_cast<std::uint64_t>(off * off);
    }
    if (error < best_error) {
      best_error = error;
      for (unsigned k = 0; k <= 4; ++k) {
        best[k] = static_cast<std::uint32_t>(w[k]);
      }
    }
  }
  return best;
}

FillTable make_fill_table(const AutomatonFill& fill) noexcept {
  FillTable table;
  const auto weights = pattern_weights(fill_units(fill.probability));
  constexpr std::uint32_t kColumn = kOne / 16;
  std::array<std::uint32_t, 16> left{};  // weight that a pattern still has to place
  std::array<bool, 16> settled{};
  for (unsigned i = 0; i < 16; ++i) {
    left[i] = weights[static_cast<std::size_t>(std::popcount(i))];
  }
  std::array<std::uint32_t, 16> threshold{};
  // Walker's method: the lightest pattern keeps its column, the heaviest fills it up.
  for (unsigned step = 0; step < 16; ++step) {
    unsigned light = 16;
    unsigned heavy = 16;
    for (unsigned i = 0; i < 16; ++i) {
      if (settled[i]) {
        continue;
      }
      light = light == 16 || left[i] < left[light] ? i : light;
      heavy = heavy == 16 || left[i] > left[heavy] ? i : heavy;
    }
    settled[light] = true;
    // A column that is all one pattern needs no threshold: its alias is itself.
    threshold[light] = left[light] < kColumn ? left[light] : 0;
    table.alias[light] = static_cast<std::uint8_t>(left[light] < kColumn ? heavy : light);
    if (heavy != light) {
      left[heavy] -= kColumn - std::min(left[light], kColumn);
    }
  }
  for (unsigned i = 0; i < 16; ++i) {
    table.high[i] = static_cast<std::int8_t>(static_cast<int>(threshold[i] >> 8) - 128);
    table.low[i] = static_cast<std::int8_t>(static_cast<int>(threshold[i] & 0xFFU) - 128);
  }
  const std::uint64_t k0 =
      mix64(fill.seed + 0x9E3779B97F4A7C15U * (mix64(fill.stream + 0x632BE59BD9B4E019U) | 1U));
  const std::uint64_t k1 = mix64(k0 ^ mix64(fill.seed ^ 0xD1B54A32D192ED03U));
  table.keys = aes_keys(k0, k1);
  return table;
}

void fill_row_ref(const FillTable& table, std::int64_t y, std::int64_t block, std::int64_t blocks,
                  std::uint64_t* out) {
  for (std::int64_t b = 0; b < blocks; ++b) {
    std::array<std::array<std::uint8_t, 16>, kFillPlanes> random;
    for (unsigned plane = 0; plane < kFillPlanes; ++plane) {
      const AesBlock block_words = aes_block(
          table.keys, {static_cast<std::uint64_t>(block + b) * 8 + plane, static_cast<std::uint64_t>(y)});
      for (std::size_t i = 0; i < 16; ++i) {
        random[plane][i] = static_cast<std::uint8_t>(block_words[i / 8] >> (8 * (i % 8)));
      }
    }
    std::array<std::uint64_t, kFillWords> words{};
    for (std::size_t j = 0; j < 16; ++j) {
      std::uint64_t byte = 0;
      for (unsigned half = 0; half < 2; ++half) {
        const std::size_t column = (random[0][j] >> (4 * half)) & 15U;
        const auto high = static_cast<std::int8_t>(random[1 + 2 * half][j]);
        const auto low = static_cast<std::int8_t>(random[2 + 2 * half][j]);
        const bool keep =
            high < table.high[column] || (high == table.high[column] && low < table.low[column]);
        byte |= (keep ? std::uint64_t{column} : std::uint64_t{table.alias[column]}) << (4 * half);
      }
      words[j / 8] |= byte << (8 * (j % 8));
    }
    out[kFillWords * b] = words[0];
    out[kFillWords * b + 1] = words[1];
  }
}

}  // namespace strew::automaton

namespace strew {

double effective_probability(double probability) noexcept {
  return static_cast<double>(automaton::fill_units(probability)) / static_cast<double>(automaton::kOne);
}

}  // namespace strew
