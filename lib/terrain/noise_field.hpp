// Lattice gradient noise prepared from a NoiseSpec, and its arithmetic in float and 32-bit integers.
//
// Straight-line code: a vector kernel repeats it lane by lane. The cell index and the remainder inside the
// cell are integers, so nothing depends on the distance to the origin; only the fraction within a cell
// becomes a float. After Perlin, "Improving noise" (2002), with these differences: the lattice points are
// hashed, not permuted by a table, so the field repeats only after 2^32 cells of an octave; gradients fill
// the circle (to 1.1 % of unit length) in place of 4 directions, which removes the preference for the axes.
#pragma once

#include <array>
#include <cstdint>

#include "strew/terrain.hpp"

namespace strew {

struct NoiseOctave {
  std::uint32_t key_x = 0;
  std::uint32_t key_y = 0;
  std::int64_t phase_x =
      0;  ///< where the lattice lies, in [0, period): noise is 0 on every lattice point, and with
  std::int64_t phase_y = 0;  ///< lattices that coincide all octaves and seeds would vanish at the same places
  float weight = 0;          ///< amplitude over the sum of amplitudes
};

struct NoiseField {
  std::int64_t period =
      1;  ///< units per cell of the first octave: below 2^52, so remainders are exact doubles
  double cells_per_unit = 1;
  std::int32_t octaves = 0;
  bool ridged = false;
  std::array<NoiseOctave, 16> octave{};
};

/// Precondition: check_noise accepts `spec`.
[[nodiscard]] NoiseField make_noise_field(const NoiseSpec& spec) noexcept;

/// A coordinate on the lattice of one octave: cell index and remainder in [0, period), in units of that
/// octave.
struct LatticePlace {
  std::int64_t cell;
  std::int64_t remainder;
};
[[nodiscard]] inline LatticePlace lattice_place(Coord position, std::int64_t period) noexcept {
  const std::int64_t cell = floor_div(position, period);
  return {cell, position - cell * period};
}
/// The same coordinate on the lattice of twice the frequency, exactly.
[[nodiscard]] inline LatticePlace next_octave(LatticePlace place, std::int64_t period) noexcept {
  const std::int64_t doubled = place.remainder * 2;
  const std::int64_t carry = static_cast<std::int64_t>(doubled >= period);
  return {place.cell * 2 + carry, doubled - carry * period};
}

/// The coordinate on a lattice moved by `phase` in [0, period).
[[nodiscard]] inline LatticePlace shifted(LatticePlace place, std::int64_t phase,
                                          std::int64_t period) noexcept {
  const std::int64_t sum = place.remainder + phase;
  const std::int64_t carry = static_cast<std::int64_t>(sum >= period);
  return {place.cell + carry, sum - carry * period};
}

/// Bijection of 32-bit integers with full avalanche (Wellons, "Prospecting for hash functions", two
/// multiplications).
[[nodiscard]] inline std::uint32_t mix32(std::uint32_t value) noexcept {
  value ^= value >> 16;
  value *= 0x21F0AAADU;
  value ^= value >> 15;
  value *= 0xD35A2D97U;
  return value ^ (value >> 15);
}

struct Gradient {
  float x;
  float y;
};
/// A direction from a hash: s in [-1, 1] along one side of an eighth-circle pair, bent to length 1 (0.989 to
/// 1), then turned by the lowest bits to one of the four sides.
[[nodiscard]] inline Gradient lattice_gradient(std::uint32_t hash) noexcept {
  const float s = static_cast<float>(static_cast<std::int32_t>(hash)) * 0x1p-31F;
  const float minor = s * 0.70710678F;
  const float straight = 1.0F - s * s * 0.29289323F;
  const float major = (hash & 2U) != 0 ? -straight : straight;
  const bool turned = (hash & 1U) != 0;
  return {turned ? minor : major, turned ? major : minor};
}

/// Gradients at the corners of a cell: south-west, south-east, north-west, north-east.
struct CellGradients {
  Gradient sw;
  Gradient se;
  Gradient nw;
  Gradient ne;
};
[[nodiscard]] inline CellGradients cell_gradients(const NoiseOctave& octave, std::int64_t cell_x,
                                                  std::int64_t cell_y) noexcept {
  const auto x = static_cast<std::uint32_t>(cell_x);
  const auto y = static_cast<std::uint32_t>(cell_y);
  const std::uint32_t west = mix32(x ^ octave.key_x) ^ octave.key_y;
  const std::uint32_t east = mix32((x + 1U) ^ octave.key_x) ^ octave.key_y;
  return {lattice_gradient(mix32(west + y)), lattice_gradient(mix32(east + y)),
          lattice_gradient(mix32(west + (y + 1U))), lattice_gradient(mix32(east + (y + 1U)))};
}

/// cell_gradients of the cell (cell_x, cell_y), whose western neighbour has the gradients `west`: two of its
/// corners are that one's.
[[nodiscard]] inline CellGradients eastern_neighbour(const NoiseOctave& octave, const CellGradients& west,
                                                     std::int64_t cell_x, std::int64_t cell_y) noexcept {
  const auto x = static_cast<std::uint32_t>(cell_x);
  const auto y = static_cast<std::uint32_t>(cell_y);
  const std::uint32_t east = mix32((x + 1U) ^ octave.key_x) ^ octave.key_y;
  return {west.se, lattice_gradient(mix32(east + y)), west.ne, lattice_gradient(mix32(east + (y + 1U)))};
}

[[nodiscard]] inline float lattice_fraction(double remainder, double cells_per_unit) noexcept {
  return static_cast<float>(remainder * cells_per_unit);
}
/// Perlin's quintic: first and second derivatives vanish at 0 and 1.
[[nodiscard]] inline float fade(float t) noexcept {
  return t * t * t * (t * (t * 6.0F - 15.0F) + 10.0F);
}

/// Noise inside a cell, at fractions (x, y), with fade_y = fade(y). With unit gradients the extremes are
/// +-sqrt(1/2), in the middle of a cell; the factor makes them +-1 up to rounding.
[[nodiscard]] inline float cell_noise(const CellGradients& at, float x, float y, float fade_y) noexcept {
  const float east = x - 1.0F;
  const float north = y - 1.0F;
  const float sw = at.sw.x * x + at.sw.y * y;
  const float se = at.se.x * east + at.se.y * y;
  const float nw = at.nw.x * x + at.nw.y * north;
  const float ne = at.ne.x * east + at.ne.y * north;
  const float fade_x = fade(x);
  const float lower = sw + (se - sw) * fade_x;
  const float upper = nw + (ne - nw) * fade_x;
  return (lower + (upper - lower) * fade_y) * 1.41421356F;
}

/// Removes what rounding adds to the bound.
[[nodiscard]] inline float clamp_noise(float value) noexcept {
  const float above = value > -1.0F ? value : -1.0F;
  return above < 1.0F ? above : 1.0F;
}

/// One octave of ridged noise: crests at 1 where the noise is 0.
[[nodiscard]] inline float ridge(float value) noexcept {
  const float fold = 1.0F - (value < 0.0F ? -value : value);
  return fold * fold * 2.0F - 1.0F;
}

/// Noise of a prepared field at a world position.
[[nodiscard]] inline float noise_at(const NoiseField& field, Coord x, Coord y) noexcept {
  LatticePlace place_x = lattice_place(x, field.period);
  LatticePlace place_y = lattice_place(y, field.period);
  float sum = 0.0F;
  for (std::int32_t k = 0; k < field.octaves; ++k) {
    const NoiseOctave& octave = field.octave[static_cast<std::size_t>(k)];
    const LatticePlace at_x = shifted(place_x, octave.phase_x, field.period);
    const LatticePlace at_y = shifted(place_y, octave.phase_y, field.period);
    const float fraction_x = lattice_fraction(static_cast<double>(at_x.remainder), field.cells_per_unit);
    const float fraction_y = lattice_fraction(static_cast<double>(at_y.remainder), field.cells_per_unit);
    const float value =
        cell_noise(cell_gradients(octave, at_x.cell, at_y.cell), fraction_x, fraction_y, fade(fraction_y));
    sum += octave.weight * (field.ridged ? ridge(value) : value);
    place_x = next_octave(place_x, field.period);
    place_y = next_octave(place_y, field.period);
  }
  return clamp_noise(sum);
}

}  // namespace strew
