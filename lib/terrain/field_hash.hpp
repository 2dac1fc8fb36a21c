// The draw that decides a rule of probability at a place.
#pragma once

#include <cmath>
#include <cstdint>

#include "noise_field.hpp"
#include "strew/terrain.hpp"

namespace strew {

/// Number in [0, 1) on a grid of 2^-31, by the position's own bits and a key: 32-bit integers only, so that a
/// vector kernel repeats it lane by lane. Each stage is a bijection of the state, so positions that differ in
/// one word never agree in all bits.
[[nodiscard]] inline double position_draw(std::uint64_t key, Coord x, Coord y) noexcept {
  const auto ux = static_cast<std::uint64_t>(x);
  const auto uy = static_cast<std::uint64_t>(y);
  std::uint32_t state = mix32(static_cast<std::uint32_t>(ux) ^ static_cast<std::uint32_t>(key));
  state = mix32(state + static_cast<std::uint32_t>(ux >> 32));
  state = mix32((state ^ static_cast<std::uint32_t>(key >> 32)) + static_cast<std::uint32_t>(uy));
  state = mix32(state + static_cast<std::uint32_t>(uy >> 32));
  return static_cast<double>(static_cast<std::int32_t>(state >> 1)) * 0x1p-31;
}

/// How far `value` lies outside the accepted range, >= 0; NaN for NaN.
[[nodiscard]] inline double outside_range(const Range& range, double value) noexcept {
  const double below = range.minimum - value;
  const double above = value - range.maximum;
  const double most = below > above ? below : above;
  return most > 0 ? most : 0;
}

/// 1 / falloff, infinite for a sharp edge.
[[nodiscard]] inline double falloff_slope(const FieldRule& rule) noexcept {
  return rule.falloff > 0 ? 1.0 / rule.falloff : HUGE_VAL;
}

[[nodiscard]] inline bool field_accepts(const FieldRule& rule, double slope, double value, Coord x,
                                        Coord y) noexcept {
  const double outside = outside_range(rule.accept, value);
  return outside <= 0 || position_draw(rule.key, x, y) < 1.0 - outside * slope;
}

}  // namespace strew
