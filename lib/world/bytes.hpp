// Little-endian words in byte arrays, and the checksum of stored data.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "strew/random.hpp"

namespace strew {

/// Precondition: sizeof(Word) bytes at `from`. One load on little-endian machines: said, because in a loop a
/// compiler would rather shuffle the bytes of many.
template <class Word>
[[nodiscard]] Word load_word(const std::byte* from) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    Word word;
    std::memcpy(&word, from, sizeof(Word));
    return word;
  }
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    value |= std::to_integer<std::uint64_t>(from[i]) << (8 * i);
  }
  return static_cast<Word>(static_cast<std::make_unsigned_t<Word>>(value));
}

template <class Word>
void store_word(std::byte* to, Word word) noexcept {
  const auto value = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<Word>>(word));
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    to[i] = static_cast<std::byte>(value >> (8 * i) & 0xFFU);
  }
}

/// 64-bit checksum of bytes: the sum over their little-endian words w_i (the last one padded with zeros) of
/// mix64(w_i + (i + 1) * K), finished with the length and the seed. Each term depends on its position alone,
/// so that a reader in an array language computes it without a loop. It guards against accidents, not against
/// forgery.
[[nodiscard]] inline std::uint64_t checksum_bytes(std::uint64_t seed,
                                                  std::span<const std::byte> bytes) noexcept {
  constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;
  std::uint64_t sum = 0;
  std::uint64_t key = 0;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    key += kStep;
    sum += mix64(load_word<std::uint64_t>(bytes.data() + at) + key);
  }
  if (at < bytes.size()) {
    std::uint64_t tail = 0;
    for (std::size_t i = 0; at + i < bytes.size(); ++i) {
      tail |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
    }
    sum += mix64(tail + key + kStep);
  }
  return mix64(mix64(seed + sum) + static_cast<std::uint64_t>(bytes.size()));
}

}  // namespace strew
