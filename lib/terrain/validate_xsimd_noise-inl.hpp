// noise_at for a block, by xsimd; included by validate_xsimd-inl.hpp inside its namespace.

/// One coordinate of every point on the lattice of the current octave, before its phase.
struct LatticeRow {
  RealRow remainder;
  WordRow cell;
};
/// The same with the phase of an octave.
struct CellPlaces {
  FloatRow fraction;
  WordRow cell;
};

/// lattice_place of all: in double, where the distances from the first point's cell are exact in it.
inline void start_lattice(const NoiseField& field, const Coord* positions, LatticeRow& row) {
  const std::int64_t first_cell = floor_div(positions[0], field.period);
  const Coord base = first_cell * field.period;
  RealRow distances;
  bool exact = true;
  constexpr Coord kExact = Coord{1} << 51;  // cells times period then stays below 2^53
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    const Coord distance = positions[i] - base;
    exact = exact && distance < kExact && distance > -kExact;
    distances.at[i] = static_cast<double>(distance);
  }
  if (!exact) {
    for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
      const std::int64_t cell = floor_div(positions[i], field.period);
      row.remainder.at[i] = static_cast<double>(positions[i] - cell * field.period);
      row.cell.at[i] = static_cast<std::uint32_t>(cell);
    }
    return;
  }
  const Reals period(static_cast<double>(field.period));
  const Reals one(1.0);
  const Reals zero(0.0);
  RealRow cells;
  for (std::uint32_t i = 0; i < kBlockPoints; i += kReals) {
    const Reals distance = Reals::load_aligned(distances.at + i);
    Reals cell = xsimd::floor(distance * Reals(field.cells_per_unit));
    Reals remainder = distance - cell * period;
    const auto under = remainder < zero;
    remainder = remainder + xsimd::select(under, period, zero);
    cell = cell - xsimd::select(under, one, zero);
    const auto over = remainder >= period;
    (remainder - xsimd::select(over, period, zero)).store_aligned(row.remainder.at + i);
    (cell + xsimd::select(over, one, zero)).store_aligned(cells.at + i);
  }
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    row.cell.at[i] = static_cast<std::uint32_t>(first_cell + static_cast<std::int64_t>(cells.at[i]));
  }
}

/// `shifted` and `lattice_fraction` for one octave; then next_octave in place.
inline void place_octave(const NoiseField& field, std::int64_t phase, LatticeRow& row, CellPlaces& out) {
  const Reals period(static_cast<double>(field.period));
  const Reals offset(static_cast<double>(phase));
  const Reals zero(0.0);
  const Reals one(1.0);
  RealRow fraction;
  RealRow carry;
  RealRow next_carry;
  for (std::uint32_t i = 0; i < kBlockPoints; i += kReals) {
    const Reals remainder = Reals::load_aligned(row.remainder.at + i);
    const Reals sum = remainder + offset;
    const auto over = sum >= period;
    ((sum - xsimd::select(over, period, zero)) * Reals(field.cells_per_unit)).store_aligned(fraction.at + i);
    xsimd::select(over, one, zero).store_aligned(carry.at + i);
    const Reals doubled = remainder + remainder;
    const auto next = doubled >= period;
    (doubled - xsimd::select(next, period, zero)).store_aligned(row.remainder.at + i);
    xsimd::select(next, one, zero).store_aligned(next_carry.at + i);
  }
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    out.fraction.at[i] = static_cast<float>(fraction.at[i]);
    out.cell.at[i] = row.cell.at[i] + static_cast<std::uint32_t>(carry.at[i] != 0);
    row.cell.at[i] = 2 * row.cell.at[i] + static_cast<std::uint32_t>(next_carry.at[i] != 0);
  }
}

inline Floats fade_of(Floats t) {
  return t * t * t * (t * (t * Floats(6.0F) - Floats(15.0F)) + Floats(10.0F));
}

/// `yes` where the bits of `mask` are set.
inline Floats blend(Words mask, Floats yes, Floats no) {
  return xsimd::bitwise_cast<Floats>((xsimd::bitwise_cast<Words>(yes) & mask) |
                                     (xsimd::bitwise_cast<Words>(no) & ~mask));
}

/// Product of lattice_gradient(hash) with (x, y).
inline Floats gradient_dot(Words hash, Floats x, Floats y) {
  const Floats s = xsimd::to_float(xsimd::bitwise_cast<Ints>(hash)) * Floats(0x1p-31F);
  const Floats minor = s * Floats(0.70710678F);
  const Floats straight = Floats(1.0F) - s * s * Floats(0.29289323F);
  const Words sign = (hash & Words(2U)) << 30;
  const Floats major = xsimd::bitwise_cast<Floats>(xsimd::bitwise_cast<Words>(straight) ^ sign);
  const Words turned = Words(0U) - (hash & Words(1U));
  // The sum of two products does not depend on their order.
  return major * blend(turned, y, x) + minor * blend(turned, x, y);
}

inline Floats octave_at(const NoiseOctave& octave, const CellPlaces& at_x, const CellPlaces& at_y,
                        std::uint32_t i) {
  const Words cell_x = Words::load_aligned(at_x.cell.at + i);
  const Words cell_y = Words::load_aligned(at_y.cell.at + i);
  const Floats x = Floats::load_aligned(at_x.fraction.at + i);
  const Floats y = Floats::load_aligned(at_y.fraction.at + i);
  const Words key_x(octave.key_x);
  const Words key_y(octave.key_y);
  const Words one(1U);
  const Words west = mix(cell_x ^ key_x) ^ key_y;
  const Words east = mix((cell_x + one) ^ key_x) ^ key_y;
  const Words above = cell_y + one;
  const Floats from_east = x - Floats(1.0F);
  const Floats from_north = y - Floats(1.0F);
  const Floats sw = gradient_dot(mix(west + cell_y), x, y);
  const Floats se = gradient_dot(mix(east + cell_y), from_east, y);
  const Floats nw = gradient_dot(mix(west + above), x, from_north);
  const Floats ne = gradient_dot(mix(east + above), from_east, from_north);
  const Floats fade_x = fade_of(x);
  const Floats lower = sw + (se - sw) * fade_x;
  const Floats upper = nw + (ne - nw) * fade_x;
  return (lower + (upper - lower) * fade_of(y)) * Floats(1.41421356F);
}

/// Bits of the points where noise is at least `threshold`.
inline std::uint64_t noise_passes(const NoiseField& field, float threshold, const Coord* x, const Coord* y) {
  LatticeRow row_x;
  LatticeRow row_y;
  CellPlaces at_x;
  CellPlaces at_y;
  FloatRow sums{};
  start_lattice(field, x, row_x);
  start_lattice(field, y, row_y);
  for (std::int32_t k = 0; k < field.octaves; ++k) {
    const NoiseOctave& octave = field.octave[static_cast<std::size_t>(k)];
    place_octave(field, octave.phase_x, row_x, at_x);
    place_octave(field, octave.phase_y, row_y, at_y);
    for (std::uint32_t i = 0; i < kBlockPoints; i += kFloats) {
      Floats value = octave_at(octave, at_x, at_y, i);
      if (field.ridged) {
        const Floats fold = Floats(1.0F) - xsimd::abs(value);
        value = fold * fold * Floats(2.0F) - Floats(1.0F);
      }
      (Floats::load_aligned(sums.at + i) + Floats(octave.weight) * value).store_aligned(sums.at + i);
    }
  }
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    const float low = sums.at[i] > -1.0F ? sums.at[i] : -1.0F;
    const float clamped = low < 1.0F ? low : 1.0F;
    bits |= static_cast<std::uint64_t>(clamped >= threshold) << i;
  }
  return bits;
}
