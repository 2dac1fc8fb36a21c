// What a stepping kernel works on: one strip of columns over a band of rows, several generations at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strew/automaton.hpp"

#if defined(__GNUC__) || defined(__clang__)
#define STREW_ALWAYS_INLINE inline __attribute__((always_inline))
#define STREW_NOINLINE __attribute__((noinline))
#define STREW_PREFETCH_READ(address) __builtin_prefetch(address, 0, 2)
#define STREW_PREFETCH_WRITE(address) __builtin_prefetch(address, 1, 3)
#else
#define STREW_ALWAYS_INLINE inline
#define STREW_NOINLINE
#define STREW_PREFETCH_READ(address) static_cast<void>(address)
#define STREW_PREFETCH_WRITE(address) static_cast<void>(address)
#endif
#if defined(__clang__)
#define STREW_UNROLL _Pragma("clang loop unroll_count(16)")
#elif defined(__GNUC__)
#define STREW_UNROLL _Pragma("GCC unroll 16")
#else
#define STREW_UNROLL
#endif

namespace strew::automaton {

/// Rows of generation 0: the strip's words of row y, in `scratch` or anywhere that stays until the next call.
struct RowSource {
  const std::uint64_t* (*row)(const void* self, std::int64_t y, std::uint64_t* scratch) = nullptr;
  const void* self = nullptr;
  /// Where rows [low, high) lie in memory, word 0 of row y at origin[(y - low) * stride]; null when they do
  /// not.
  const std::uint64_t* origin = nullptr;
  std::int64_t stride = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};
/// Where finished rows go: word `w` of the strip's row y to origin[(y - y0) * stride + w], for w in
/// [skipped, skipped + kept) alone: the cones of the others leave the strip.
struct RowSink {
  std::uint64_t* origin = nullptr;
  std::int64_t y0 = 0;
  std::int64_t stride = 0;
  std::int64_t skipped = 0;
  std::int64_t kept = 0;
  std::uint64_t last_mask = ~std::uint64_t{0};  ///< of the last word kept
  std::int64_t rows = 0;                        ///< of the grid: how far a row ahead may be prefetched
};

struct WaveJob {
  AutomatonRule rule;
  std::int32_t depth = 1;  ///< generations, 1 to 64
  std::int32_t log_v = 0;  ///< vectors of a strip's row; the strip has lanes << log_v words
  std::int64_t y0 = 0;     ///< rows wanted; depth more are read on either side
  std::int64_t y1 = 0;
  /// Rows outside [row_low, row_high) keep the border's state in every generation.
  std::int64_t row_low = INT64_MIN;
  std::int64_t row_high = INT64_MAX;
  std::uint64_t border = 0;             ///< 0 or ~0
  const std::uint64_t* mask = nullptr;  ///< words of the strip: cells inside; null: all of them
  RowSource source;
  RowSink sink;
  std::uint64_t* memory = nullptr;  ///< wave_memory() words, aligned to 64 bytes
};

struct WaveKernel {
  void (*run)(const WaveJob& job) = nullptr;
  std::int32_t lanes = 0;      ///< words of a vector
  std::int32_t max_log_v = 0;  ///< strips of lanes << max_log_v and of a quarter of that many words
};

/// Words of a row in memory: the strip's and one vector on either side.
[[nodiscard]] constexpr std::size_t wave_row_words(std::size_t lanes, int log_v) noexcept {
  return lanes * ((std::size_t{1} << log_v) + 2);
}
/// Two rows of history per generation, two rows between generations, mask, two rows of scratch; rows start at
/// multiples of 64 bytes.
[[nodiscard]] constexpr std::size_t wave_memory(std::size_t lanes, int log_v, std::size_t depth) noexcept {
  return ((wave_row_words(lanes, log_v) + 7) / 8 * 8) * (2 * depth + 5);
}

}  // namespace strew::automaton
