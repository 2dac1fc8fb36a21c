// The fill: probabilities to 5 sigma, independence of cells, exact ends.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "fill_table.hpp"
#include "patterns.hpp"

namespace strew {
namespace {

BitGrid filled(double probability, std::uint64_t seed, std::int64_t width, std::int64_t height,
               std::int64_t x0 = 0, std::int64_t y0 = 0, std::uint64_t stream = 0) {
  BitGrid grid = BitGrid::create(width, height).value();
  EXPECT_TRUE(fill_grid({probability, seed, stream}, x0, y0, grid).ok());
  return grid;
}

TEST(AutomatonFill, TheRoundsAreThoseOfAes) {
  // One block against an independent computation: FIPS 197's S-box and MixColumns through the known answer
  // AESENC(0, 0) = 16 x 0x63 with MixColumns of equal bytes = 0x63 again.
  automaton::FillTable table;  // all round keys zero
  std::uint64_t words[2];
  for (auto& high : table.high) {
    high = -128;
  }
  for (std::size_t i = 0; i < 16; ++i) {
    table.low[i] = -128;
    table.alias[i] = static_cast<std::uint8_t>(i);
  }
  // Counter 0, plane 0: five rounds of equal bytes b -> S(b): 00 63 FB 0F 76 38.
  automaton::fill_row_ref(table, 0, 0, 1, words);
  EXPECT_EQ(words[0], 0x3838383838383838U);
  EXPECT_EQ(words[1], 0x3838383838383838U);
}

TEST(AutomatonFill, WeightsAreExact) {
  for (std::uint32_t units = 0; units <= (1U << 20);
       units += units < 40 || units > (1U << 20) - 40 ? 1 : 997) {
    const auto w = automaton::pattern_weights(units);
    EXPECT_EQ(w[0] + 4 * w[1] + 6 * w[2] + 4 * w[3] + w[4], 1U << 20) << units;
    EXPECT_EQ(w[1] + 3 * w[2] + 3 * w[3] + w[4], units) << units;
    const double p = units / 1048576.0;
    for (int k = 0; k <= 4; ++k) {
      const double exact = std::pow(p, k) * std::pow(1 - p, 4 - k) * 1048576;
      EXPECT_NEAR(w[static_cast<std::size_t>(k)], exact, 4.5) << units << " " << k;
    }
  }
}

TEST(AutomatonFill, EffectiveProbabilityIsClose) {
  for (const double p : {0.0, 0.5, 1.0}) {
    EXPECT_EQ(effective_probability(p), p);
  }
  for (const double p : {0.7, 1e-4, 0.123456789, 0.999999}) {
    EXPECT_NEAR(effective_probability(p), p, 4.8e-7);
  }
}

TEST(AutomatonFill, DensityIsTheEffectiveProbability) {
  for (const double p : {0.0, 1e-4, 0.03, 0.5, 0.7, 0.97, 1.0}) {
    const BitGrid grid = filled(p, 11, 8192, 4096);
    const double cells = 8192.0 * 4096.0;
    const double e = effective_probability(p);
    EXPECT_LE(std::abs(static_cast<double>(population(grid)) - e * cells), 5 * std::sqrt(cells * e * (1 - e)))
        << p;
  }
}

/// Pairs (x, y), (x + dx, y + dy) both alive, over whole words.
std::uint64_t pairs_alive(const BitGrid& grid, std::int64_t dx, std::int64_t dy) {
  std::uint64_t count = 0;
  for (std::int64_t y = 0; y + dy < grid.height(); ++y) {
    const std::uint64_t* const a = grid.row(y);
    const std::uint64_t* const b = grid.row(y + dy);
    for (std::int64_t i = 1; i + 4 < grid.words(); ++i) {
      const std::int64_t word = i + floor_div(dx, 64);
      const std::int64_t bit = floor_mod(dx, 64);
      const std::uint64_t shifted = bit == 0 ? b[word] : (b[word] >> bit) | (b[word + 1] << (64 - bit));
      count += static_cast<std::uint64_t>(std::popcount(a[i] & shifted));
    }
  }
  return count;
}

TEST(AutomatonFill, CellsAreIndependentAlongRowsColumnsAndDiagonals) {
  for (const double p : {0.5, 0.7, 0.1}) {
    const BitGrid grid = filled(p, 3, 8192, 2048, -4096, -1024);
    const double e = effective_probability(p);
    for (std::int64_t dy = 0; dy <= 4; ++dy) {
      for (const std::int64_t dx :
           {-64, -33, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 8, 16, 63, 64, 65, 127, 128, 129}) {
        if (dy == 0 && dx <= 0) {
          continue;
        }
        const double n = static_cast<double>((grid.words() - 5) * 64 * (grid.height() - dy));
        // Both alive; the variance of overlapping pairs: e^2 (1 - e^2) + 2 (e^3 - e^4).
        const double sigma = std::sqrt(n * (e * e * (1 - e * e) + 2 * e * e * e * (1 - e)));
        EXPECT_NEAR(static_cast<double>(pairs_alive(grid, dx, dy)), n * e * e, 5 * sigma)
            << p << " " << dx << "," << dy;
      }
    }
  }
}

TEST(AutomatonFill, EveryRowColumnAndPatternHasItsShare) {
  const double p = 0.7;
  const BitGrid grid = filled(p, 21, 4096, 4096);
  const double e = effective_probability(p);
  const double sigma = std::sqrt(4096 * e * (1 - e));
  std::array<std::uint64_t, 256> patterns{};
  std::vector<std::uint64_t> columns(4096);
  for (std::int64_t y = 0; y < 4096; ++y) {
    std::uint64_t row = 0;
    for (std::int64_t x = 0; x < 4096; ++x) {
      row += grid.get(x, y) ? 1 : 0;
      columns[static_cast<std::size_t>(x)] += grid.get(x, y) ? 1 : 0;
    }
    for (std::int64_t x = 2; x + 8 <= 4096; x += 8) {  // across the borders of patterns of four
      ++patterns[(grid.row(y)[x / 64] >> (x % 64)) & 0xFFU];
    }
    EXPECT_NEAR(static_cast<double>(row), 4096 * e, 5.5 * sigma);
  }
  for (const std::uint64_t column : columns) {
    EXPECT_NEAR(static_cast<double>(column), 4096 * e, 5.5 * sigma);
  }
  double chi2 = 0;
  for (unsigned i = 0; i < 256; ++i) {
    if ((i & 0xC0U) == 0) {  // the last group of a word is cut short: take the six bits that are always there
      std::uint64_t seen = patterns[i] + patterns[i | 0x40U] + patterns[i | 0x80U] + patterns[i | 0xC0U];
      const int k = std::popcount(i);
      const double expected = 4096.0 * 511 * std::pow(e, k) * std::pow(1 - e, 6 - k);
      chi2 += (static_cast<double>(seen) - expected) * (static_cast<double>(seen) - expected) / expected;
    }
  }
  EXPECT_LT(chi2, 63 + 5 * std::sqrt(2 * 63.0));
}

TEST(AutomatonFill, SeedsStreamsAndPlacesDiffer) {
  const BitGrid base = filled(0.5, 1, 4096, 64);
  const auto differing = [&](const BitGrid& other) {
    std::uint64_t count = 0;
    for (std::int64_t y = 0; y < 64; ++y) {
      for (std::int64_t i = 0; i < 64; ++i) {
        count += static_cast<std::uint64_t>(std::popcount(base.row(y)[i] ^ other.row(y)[i]));
      }
    }
    return static_cast<double>(count);
  };
  const double half = 4096.0 * 64 / 2;
  const double sigma = std::sqrt(half / 2);
  EXPECT_NEAR(differing(filled(0.5, 2, 4096, 64)), half, 5 * sigma);
  EXPECT_NEAR(differing(filled(0.5, 1, 4096, 64, 0, 0, 1)), half, 5 * sigma);
  EXPECT_NEAR(differing(filled(0.5, 1, 4096, 64, 4096, 0)), half, 5 * sigma);
  EXPECT_NEAR(differing(filled(0.5, 1, 4096, 64, 0, 64)), half, 5 * sigma);
  EXPECT_NEAR(differing(filled(0.5, 1, 4096, 64, std::int64_t{1} << 40, 0)), half, 5 * sigma);
  EXPECT_TRUE(base == filled(0.5, 1, 4096, 64));
}

}  // namespace
}  // namespace strew
