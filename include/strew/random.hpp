// Counter-based random numbers: Philox4x32-10.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. A draw is a
// pure function of a key (seed) and a counter (stream, place, draw); no state runs along a loop, so any draw
// can be made alone, on any thread, in any order.
#pragma once

#include <array>
#include <cstdint>

namespace strew {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Ten rounds of Philox4x32. Pure, thread-safe, about 40 cycles.
[[nodiscard]] constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) noexcept {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57U} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

/// Finaliser of splitmix64: a bijection of 64-bit integers with full avalanche.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t value) noexcept {
  value ^= value >> 30;
  value *= 0xBF58476D1CE4E5B9U;
  value ^= value >> 27;
  value *= 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

/// Key of one independent stream (a layer, a noise field, ...) of a world.
[[nodiscard]] constexpr PhiloxKey stream_key(std::uint64_t seed, std::uint64_t stream) noexcept {
  const std::uint64_t mixed = mix64(seed + 0x9E3779B97F4A7C15U * (mix64(stream + 0x632BE59BD9B4E019U) | 1U));
  return {static_cast<std::uint32_t>(mixed), static_cast<std::uint32_t>(mixed >> 32)};
}

/// Four draws for cell (x, y): the low 40 bits of each coordinate and 48 bits of `draw` enter the counter, so
/// two cells share draws only when they are 2^40 cells apart.
[[nodiscard]] constexpr PhiloxCounter cell_draw(PhiloxKey key, std::int64_t x, std::int64_t y,
                                                std::uint64_t draw) noexcept {
  const auto ux = static_cast<std::uint64_t>(x);
  const auto uy = static_cast<std::uint64_t>(y);
  const auto high = static_cast<std::uint32_t>(((ux >> 32) & 0xFFU) | (((uy >> 32) & 0xFFU) << 8) |
                                               (((draw >> 32) & 0xFFFFU) << 16));
  return philox4x32({static_cast<std::uint32_t>(ux), static_cast<std::uint32_t>(uy),
                     static_cast<std::uint32_t>(draw), high},
                    key);
}

/// Integer in [0, bound) from one 32-bit draw (multiply-shift; bias below bound / 2^32).
[[nodiscard]] constexpr std::uint32_t draw_below(std::uint32_t draw, std::uint32_t bound) noexcept {
  return static_cast<std::uint32_t>((std::uint64_t{draw} * bound) >> 32);
}
/// Double in [0, 1) from one 32-bit draw, on a grid of 2^-32.
[[nodiscard]] constexpr double draw_unit(std::uint32_t draw) noexcept {
  return static_cast<double>(draw) * (1.0 / 4294967296.0);
}

}  // namespace strew
