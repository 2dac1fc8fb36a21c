// Rows of a block, rasters read at its points, and rules on what was read, by xsimd; included by
// validate_xsimd-inl.hpp inside its namespace.

struct RealRow {
  alignas(64) double at[kBlockPoints];
};
struct FloatRow {
  alignas(64) float at[kBlockPoints];
};
struct WordRow {
  alignas(64) std::uint32_t at[kBlockPoints];
};

/// Bits of the numbers that are not 0.
template <class T>
inline std::uint64_t bits_of(const T* flags) {
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    bits |= static_cast<std::uint64_t>(flags[i] != T{0}) << i;
  }
  return bits;
}

/// AxisFrame::samples.
inline void place_axis(const AxisFrame& frame, const Coord* positions, RealRow& out) {
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    const auto distance = static_cast<std::int64_t>(static_cast<std::uint64_t>(positions[i]) -
                                                    static_cast<std::uint64_t>(frame.origin));
    out.at[i] = static_cast<double>(distance) * frame.samples_per_unit - frame.first;
  }
}

/// AxisFrame::inside as 1 and 0, and AxisFrame::place; `nearest` is AxisFrame::nearest.
struct Axis {
  RealRow inside;
  RealRow first;
  RealRow fraction;
  RealRow nearest;
};
inline void place_samples(const AxisFrame& frame, const RealRow& places, Axis& out) {
  const Reals last(frame.last);
  for (std::uint32_t i = 0; i < kBlockPoints; i += kReals) {
    const Reals at = Reals::load_aligned(places.at + i);
    const auto inside = (at >= Reals(-0.5)) & (at < last + Reals(0.5));
    xsimd::select(inside, Reals(1.0), Reals(0.0)).store_aligned(out.inside.at + i);
    const Reals low = xsimd::select(at > Reals(0.0), at, Reals(0.0));
    const Reals clamped = xsimd::select(low < last, low, last);
    const Reals first = xsimd::trunc(clamped);
    first.store_aligned(out.first.at + i);
    (clamped - first).store_aligned(out.fraction.at + i);
    const Reals shifted = at + Reals(0.5);
    xsimd::trunc(xsimd::select(shifted < last, shifted, last)).store_aligned(out.nearest.at + i);
  }
}

struct Sampled {
  std::uint64_t inside;
  std::uint64_t known;
};

/// sample_bilinear of all points; an absent raster has no inside.
inline Sampled sample_raster(const RasterView<float>& raster, const GridFrame& frame, const Coord* x,
                             const Coord* y, double* values) {
  RealRow places;
  Axis column;
  Axis row;
  place_axis(frame.x, x, places);
  place_samples(frame.x, places, column);
  place_axis(frame.y, y, places);
  place_samples(frame.y, places, row);
  RealRow south_west;
  RealRow south_east;
  RealRow north_west;
  RealRow north_east;
  const auto end_x = static_cast<std::int32_t>(frame.x.last);
  const auto end_y = static_cast<std::int32_t>(frame.y.last);
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    const auto west = static_cast<std::int32_t>(column.first.at[i]);
    const auto south = static_cast<std::int32_t>(row.first.at[i]);
    const std::int32_t east = west < end_x ? west + 1 : end_x;
    const std::int32_t north = south < end_y ? south + 1 : end_y;
    const float* const lower = raster.data + south * raster.stride;
    const float* const upper = raster.data + north * raster.stride;
    south_west.at[i] = lower[west];
    south_east.at[i] = lower[east];
    north_west.at[i] = upper[west];
    north_east.at[i] = upper[east];
  }
  RealRow known;
  const bool marked = raster.has_nodata && raster.nodata == raster.nodata;
  const Reals missing(static_cast<double>(raster.nodata));
  for (std::uint32_t i = 0; i < kBlockPoints; i += kReals) {
    const Reals sw = Reals::load_aligned(south_west.at + i);
    const Reals se = Reals::load_aligned(south_east.at + i);
    const Reals nw = Reals::load_aligned(north_west.at + i);
    const Reals ne = Reals::load_aligned(north_east.at + i);
    const Reals fraction_x = Reals::load_aligned(column.fraction.at + i);
    const Reals south = sw + (se - sw) * fraction_x;
    const Reals north = nw + (ne - nw) * fraction_x;
    const Reals value = south + (north - south) * Reals::load_aligned(row.fraction.at + i);
    value.store_unaligned(values + i);
    // A sample that is NaN or infinite makes the result so, whatever its weight.
    auto there = xsimd::abs(value) < Reals(kInfinite);
    if (marked) {
      there = there & (sw != missing) & (se != missing) & (nw != missing) & (ne != missing);
    }
    xsimd::select(there, Reals(1.0), Reals(0.0)).store_aligned(known.at + i);
  }
  return {bits_of(column.inside.at) & bits_of(row.inside.at), bits_of(known.at)};
}

inline std::uint64_t within(const Range& range, const double* values) {
  RealRow flags;
  for (std::uint32_t i = 0; i < kBlockPoints; i += kReals) {
    const Reals value = Reals::load_unaligned(values + i);
    const auto passes = (value >= Reals(range.minimum)) & (value <= Reals(range.maximum));
    xsimd::select(passes, Reals(1.0), Reals(0.0)).store_aligned(flags.at + i);
  }
  return bits_of(flags.at);
}

/// mix32.
inline Words mix(Words value) {
  value = value ^ (value >> 16);
  value = value * Words(0x21F0AAADU);
  value = value ^ (value >> 15);
  value = value * Words(0xD35A2D97U);
  return value ^ (value >> 15);
}

/// field_accepts of values that are there.
inline std::uint64_t field_passes(const FieldRule& rule, const double* values, const Coord* x,
                                  const Coord* y) {
  RealRow outside;
  for (std::uint32_t i = 0; i < kBlockPoints; i += kReals) {
    const Reals value = Reals::load_unaligned(values + i);
    const Reals below = Reals(rule.accept.minimum) - value;
    const Reals above = value - Reals(rule.accept.maximum);
    const Reals most = xsimd::select(below > above, below, above);
    xsimd::select(most > Reals(0.0), most, Reals(0.0)).store_aligned(outside.at + i);
  }
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    bits |= static_cast<std::uint64_t>(outside.at[i] <= 0) << i;
  }
  if (!(rule.falloff > 0)) {
    return bits;
  }
  WordRow low_x;
  WordRow high_x;
  WordRow low_y;
  WordRow high_y;
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    low_x.at[i] = static_cast<std::uint32_t>(x[i]);
    high_x.at[i] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(x[i]) >> 32);
    low_y.at[i] = static_cast<std::uint32_t>(y[i]);
    high_y.at[i] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(y[i]) >> 32);
  }
  const Words low_key(static_cast<std::uint32_t>(rule.key));
  const Words high_key(static_cast<std::uint32_t>(rule.key >> 32));
  WordRow draws;
  for (std::uint32_t i = 0; i < kBlockPoints; i += kFloats) {
    Words state = mix(Words::load_aligned(low_x.at + i) ^ low_key);
    state = mix(state + Words::load_aligned(high_x.at + i));
    state = mix((state ^ high_key) + Words::load_aligned(low_y.at + i));
    state = mix(state + Words::load_aligned(high_y.at + i));
    (state >> 1).store_aligned(draws.at + i);
  }
  const double slope = 1.0 / rule.falloff;
  for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
    const double draw = static_cast<double>(static_cast<std::int32_t>(draws.at[i])) * 0x1p-31;
    bits |= static_cast<std::uint64_t>(draw < 1.0 - outside.at[i] * slope) << i;
  }
  return bits;
}
