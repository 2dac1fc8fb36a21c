// Exact comparison of squared distances between world coordinates, which need up to 127 bits.
#pragma once

#include <cstdint>

namespace strew {

struct Unsigned128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend constexpr bool operator<(const Unsigned128& a, const Unsigned128& b) noexcept {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
  }
};

/// value * value.
[[nodiscard]] constexpr Unsigned128 square(std::uint64_t value) noexcept {
  const std::uint64_t low = value & 0xFFFFFFFFU;
  const std::uint64_t high = value >> 32;
  const std::uint64_t cross = low * high;  // enters twice, shifted by 32: 2 * cross << 32
  const std::uint64_t low_square = low * low;
  const std::uint64_t sum = low_square + (cross << 33);
  return {high * high + (cross >> 31) + (sum < low_square ? 1U : 0U), sum};
}

[[nodiscard]] constexpr Unsigned128 operator+(const Unsigned128& a, const Unsigned128& b) noexcept {
  const std::uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1U : 0U), low};
}

[[nodiscard]] constexpr std::uint64_t absolute_difference(std::int64_t a, std::int64_t b) noexcept {
  return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
               : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

/// Whether the points (x0, y0) and (x1, y1) are closer than `radius` >= 0. Exact for coordinate differences
/// below 2^63.
[[nodiscard]] constexpr bool closer_than(std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1,
                                         std::int64_t radius) noexcept {
  return square(absolute_difference(x0, x1)) + square(absolute_difference(y0, y1)) <
         square(static_cast<std::uint64_t>(radius));
}

}  // namespace strew
