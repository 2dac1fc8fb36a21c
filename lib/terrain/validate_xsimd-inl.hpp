// Batched validation by xsimd, for the instruction set that the including unit is compiled for: it defines
// STREW_XSIMD_ARCH, STREW_XSIMD_NAMESPACE and STREW_XSIMD_KERNEL. Passes over arrays of the block, one per
// rule, without squeezing out the dead.
//
// xsimd 8.1 has neither gathers, nor masks as bits, nor conversions between widths: those steps are plain
// loops, which the compiler may vectorise. Every step repeats the reference's arithmetic lane by lane. Units
// call no inline function with floating point that a linker could take for one of a narrower unit.
#include <xsimd/xsimd.hpp>

#include "validate_kernels.hpp"

namespace strew {
namespace STREW_XSIMD_NAMESPACE {

using Reals = xsimd::batch<double, STREW_XSIMD_ARCH>;
using Floats = xsimd::batch<float, STREW_XSIMD_ARCH>;
using Words = xsimd::batch<std::uint32_t, STREW_XSIMD_ARCH>;
using Ints = xsimd::batch<std::int32_t, STREW_XSIMD_ARCH>;
constexpr std::uint32_t kReals = static_cast<std::uint32_t>(Reals::size);
constexpr std::uint32_t kFloats = static_cast<std::uint32_t>(Floats::size);
constexpr double kInfinite = __builtin_huge_val();

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

#include "validate_xsimd_noise-inl.hpp"

class Block {
 public:
  Block(const PreparedRules& rules, const Coord* x, const Coord* y, std::uint32_t count,
        RejectionCounts& counts)
      : rules_(rules), counts_(counts) {
    for (std::uint32_t i = 0; i < kBlockPoints; ++i) {  // the last point stands in for what is not there
      const std::uint32_t from = i < count ? i : count - 1;
      x_[i] = x[from];
      y_[i] = y[from];
    }
    alive_ = count >= kBlockPoints ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }

  std::uint64_t run(double* altitude, std::uint32_t count) {
    place(altitude, count);
    const Constraints& constraints = rules_.constraints;
    if (constraints.slope_degrees && alive_ != 0) {
      slope();
    }
    for (std::size_t i = 0; i < constraints.maps.size() && alive_ != 0; ++i) {
      map(i);
    }
    if (constraints.noise && alive_ != 0) {
      reject(~noise_passes(rules_.noise, rules_.noise_threshold, x_, y_), Rejection::kNoise);
    }
    if (!constraints.shapes.empty()) {
      shapes();
    }
    return alive_;
  }

 private:
  void reject(std::uint64_t bits, Rejection reason) {
    bits &= alive_;
    counts_[static_cast<std::size_t>(reason)] += static_cast<std::uint64_t>(__builtin_popcountll(bits));
    alive_ &= ~bits;
  }

  void place(double* altitude, std::uint32_t count) {
    const TerrainView& terrain = rules_.terrain;
    const Constraints& constraints = rules_.constraints;
    Sampled elevation{~std::uint64_t{0}, ~std::uint64_t{0}};
    RealRow heights{};
    if (!terrain.elevation.empty()) {
      elevation = sample_raster(terrain.elevation, rules_.elevation_frame, x_, y_, heights.at);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      altitude[i] = heights.at[i];
    }
    reject(~elevation.inside, Rejection::kOutside);
    if (!terrain.biome.empty()) {
      biome(elevation);
    } else {
      reject(~elevation.known, Rejection::kNodata);
      if (constraints.biomes) {
        reject(~std::uint64_t{0}, Rejection::kBiome);
      }
    }
    if (constraints.altitude_m) {
      reject(~within(*constraints.altitude_m, heights.at), Rejection::kAltitude);
    }
  }

  void biome(const Sampled& elevation) {
    const RasterView<std::uint8_t>& raster = rules_.terrain.biome;
    RealRow places;
    Axis column;
    Axis row;
    place_axis(rules_.biome_frame.x, x_, places);
    place_samples(rules_.biome_frame.x, places, column);
    place_axis(rules_.biome_frame.y, y_, places);
    place_samples(rules_.biome_frame.y, places, row);
    const std::uint64_t inside = bits_of(column.inside.at) & bits_of(row.inside.at);
    std::uint64_t accepted = 0;
    std::uint64_t missing = 0;
    for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
      // A point outside takes the first sample; what it gives is not looked at.
      const bool here = (inside >> i & 1U) != 0;
      const auto c = here ? static_cast<std::ptrdiff_t>(column.nearest.at[i]) : 0;
      const auto r = here ? static_cast<std::ptrdiff_t>(row.nearest.at[i]) : 0;
      const std::uint64_t flags = rules_.biome_classes[raster.data[r * raster.stride + c]];
      accepted |= (flags & 1U) << i;
      missing |= (flags >> 1 & 1U) << i;
    }
    reject(~inside, Rejection::kOutside);
    reject(~elevation.known | missing, Rejection::kNodata);
    reject(~accepted, Rejection::kBiome);
  }

  void slope() {
    if (rules_.terrain.slope.empty()) {
      reject(~std::uint64_t{0}, Rejection::kSlope);
      return;
    }
    RealRow values;
    const Sampled slope = sample_raster(rules_.terrain.slope, rules_.slope_frame, x_, y_, values.at);
    reject(~slope.inside, Rejection::kOutside);
    reject(~slope.known, Rejection::kNodata);
    reject(~within(*rules_.constraints.slope_degrees, values.at), Rejection::kSlope);
  }

  void map(std::size_t index) {
    const FieldRule& rule = rules_.constraints.maps[index];
    if (rule.field >= rules_.terrain.maps.size()) {
      reject(~std::uint64_t{0}, Rejection::kMap);
      return;
    }
    RealRow values;
    const Sampled map =
        sample_raster(rules_.terrain.maps[rule.field], rules_.map_frames[index], x_, y_, values.at);
    std::uint64_t refused = ~field_passes(rule, values.at, x_, y_);
    if (rule.accept_missing) {
      refused &= map.inside & map.known;
    } else {
      reject(~map.inside, Rejection::kOutside);
      reject(~map.known, Rejection::kNodata);
    }
    reject(refused, Rejection::kMap);
  }

  void shapes() {
    std::uint64_t refused = 0;
    for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
      if ((alive_ >> i & 1U) != 0 && !shapes_accept(rules_, x_[i], y_[i])) {
        refused |= std::uint64_t{1} << i;
      }
    }
    reject(refused, Rejection::kShape);
  }

  const PreparedRules& rules_;
  RejectionCounts& counts_;
  alignas(64) Coord x_[kBlockPoints];
  alignas(64) Coord y_[kBlockPoints];
  std::uint64_t alive_ = 0;
};

}  // namespace STREW_XSIMD_NAMESPACE

std::uint64_t STREW_XSIMD_KERNEL(const PreparedRules& rules, const Coord* x, const Coord* y,
                                 std::uint32_t count, double* altitude, RejectionCounts& counts) noexcept {
  return count == 0 ? 0 : STREW_XSIMD_NAMESPACE::Block(rules, x, y, count, counts).run(altitude, count);
}

}  // namespace strew
