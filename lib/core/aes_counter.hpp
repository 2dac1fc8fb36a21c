// Counter-based random blocks by rounds of AES, which processors do in hardware, whole vectors at once.
//
// Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011 (ARS-5: five AES rounds of a
// counter, round keys in a Weyl sequence). Difference: the last round mixes columns like the others. Good for
// placing things; no secret.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace strew {

inline constexpr std::size_t kAesRounds = 5;

/// 16 bytes as little-endian halves.
using AesBlock = std::array<std::uint64_t, 2>;

/// Key 0 is added to the counter, the others by the rounds.
struct AesKeys {
  std::array<AesBlock, kAesRounds + 1> round{};
};

[[nodiscard]] constexpr AesKeys aes_keys(std::uint64_t low, std::uint64_t high) noexcept {
  AesKeys keys;
  for (AesBlock& key : keys.round) {
    key = {low, high};
    low += 0x9E3779B97F4A7C15U;
    high += 0xBB67AE8584CAA73BU;
  }
  return keys;
}

/// 16 random bytes: a pure function of key and counter, by tables. Thread-safe, about 60 cycles.
[[nodiscard]] AesBlock aes_block(const AesKeys& keys, AesBlock counter) noexcept;

}  // namespace strew
