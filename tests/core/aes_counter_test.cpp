#include "aes_counter.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "strew/random.hpp"

namespace strew {
namespace {

/// A block from its bytes in the order of the standard.
AesBlock block_of(std::uint64_t first, std::uint64_t last) {
  const auto turned = [](std::uint64_t value) {
    std::uint64_t out = 0;
    for (int i = 0; i < 8; ++i) {
      out |= ((value >> (8 * i)) & 0xFFU) << (8 * (7 - i));
    }
    return out;
  };
  return {turned(first), turned(last)};
}

// FIPS 197, appendix B: the input, the first six round keys, and the state that the sixth round starts with.
TEST(AesCounter, FiveRoundsOfThePublishedExample) {
  AesKeys keys;
  keys.round = {
      block_of(0x2b7e151628aed2a6U, 0xabf7158809cf4f3cU), block_of(0xa0fafe1788542cb1U, 0x23a339392a6c7605U),
      block_of(0xf2c295f27a96b943U, 0x5935807a7359f67fU), block_of(0x3d80477d4716fe3eU, 0x1e237e446d7a883bU),
      block_of(0xef44a541a8525b7fU, 0xb671253bdb0bad00U), block_of(0xd4d1c6f87c839d87U, 0xcaf2b8bc11f915bcU)};
  EXPECT_EQ(aes_block(keys, block_of(0x3243f6a8885a308dU, 0x313198a2e0370734U)),
            block_of(0xf1006f55c1924cefU, 0x7cc88b325db5d50cU));
}

// Each bit of the counter changes each bit of the block in about half of the cases.
TEST(AesCounter, EveryBitOfTheCounterReachesEveryBitOfTheBlock) {
  const AesKeys keys = aes_keys(mix64(1), mix64(2));
  constexpr int kTrials = 2000;
  for (std::size_t bit = 0; bit < 128; ++bit) {
    std::array<int, 128> flips{};
    for (std::uint64_t n = 0; n < kTrials; ++n) {
      AesBlock counter = {n, n * n};
      const AesBlock before = aes_block(keys, counter);
      counter[bit / 64] ^= std::uint64_t{1} << (bit % 64);
      const AesBlock after = aes_block(keys, counter);
      for (std::size_t i = 0; i < 128; ++i) {
        flips[i] += static_cast<int>(((before[i / 64] ^ after[i / 64]) >> (i % 64)) & 1U);
      }
    }
    for (const int count : flips) {
      EXPECT_NEAR(count, kTrials / 2, 6 * 22.4) << "bit " << bit;  // six standard deviations
    }
  }
}

}  // namespace
}  // namespace strew
