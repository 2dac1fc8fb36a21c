// Hashes of outputs: order-independent sums, so that a set has one hash however its parts were made and
// merged.
#pragma once

#include <cstdint>
#include <span>

#include "strew/random.hpp"

namespace strew {

/// Sum (mod 2^64) of mixed element hashes together with a count: equal multisets give equal digests, and
/// digests of parts add up to the digest of the whole.
struct SetHash {
  std::uint64_t sum = 0;
  std::uint64_t count = 0;

  constexpr void add(std::uint64_t element_hash) noexcept {
    sum += mix64(element_hash);
    ++count;
  }
  constexpr void merge(const SetHash& other) noexcept {
    sum += other.sum;
    count += other.count;
  }
  [[nodiscard]] constexpr std::uint64_t digest() const noexcept { return mix64(sum ^ mix64(count)); }
  friend constexpr bool operator==(const SetHash&, const SetHash&) = default;
};

/// Sequential combination of 64-bit words into one element hash.
[[nodiscard]] constexpr std::uint64_t hash_words(std::span<const std::uint64_t> words) noexcept {
  std::uint64_t state = 0x243F6A8885A308D3U;
  for (const std::uint64_t word : words) {
    state = mix64(state ^ word) + 0x9E3779B97F4A7C15U;
  }
  return state;
}

}  // namespace strew
