// Sampling of rasters for blocks of points, per Highway target.
#if defined(STREW_VALIDATE_SAMPLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_VALIDATE_SAMPLE_INL
#undef STREW_VALIDATE_SAMPLE_INL
#else
#define STREW_VALIDATE_SAMPLE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "validate_block.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DReal = hn::CappedTag<double, 8>;
using DCoord = hn::RebindToSigned<DReal>;
using DWide = hn::RebindToUnsigned<DReal>;
using DHalf = hn::Rebind<float, DReal>;  // as many lanes as DReal
using DIndex = hn::Rebind<std::int32_t, DReal>;
using DWord = hn::Rebind<std::uint32_t, DReal>;
using VReal = hn::Vec<DReal>;

/// Bits of a mask of at most 8 lanes.
template <class D, class M>
HWY_INLINE std::uint64_t lane_bits([[maybe_unused]] D d, M mask) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return mask.raw;
#else
  alignas(8) std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return bits[0];
#endif
}

/// Positions of a block in samples of a grid, before a window's offset is taken off: what rasters of one grid
/// share.
struct GridPlaces {
  alignas(64) double x[kBlockPoints];
  alignas(64) double y[kBlockPoints];
};
HWY_INLINE void place_axis(const AxisFrame& frame, const Coord* positions, std::uint32_t count, double* out) {
  const DReal d;
  const DCoord di;
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
    const auto distance = hn::Sub(hn::LoadU(di, positions + i), hn::Set(di, frame.origin));
    hn::Store(hn::Mul(hn::ConvertTo(d, distance), hn::Set(d, frame.samples_per_unit)), d, out + i);
  }
}
HWY_INLINE void place_block(const GridFrame& frame, const Coord* x, const Coord* y, std::uint32_t count,
                            GridPlaces& out) {
  place_axis(frame.x, x, count, out.x);
  place_axis(frame.y, y, count, out.y);
}
/// AxisFrame::samples of a vector.
HWY_INLINE VReal samples_along(const AxisFrame& frame, const double* places) {
  const DReal d;
  return hn::Sub(hn::Load(d, places), hn::Set(d, frame.first));
}

HWY_INLINE auto inside_axis(const AxisFrame& frame, VReal at) {
  const DReal d;
  return hn::And(hn::Ge(at, hn::Set(d, -0.5)), hn::Lt(at, hn::Set(d, frame.last + 0.5)));
}

/// AxisFrame::place: first sample as a whole number, and fraction.
struct Placed {
  VReal first;
  VReal fraction;
};
HWY_INLINE Placed place_along(const AxisFrame& frame, VReal at) {
  const DReal d;
  const auto low = hn::IfThenElseZero(hn::Gt(at, hn::Zero(d)), at);
  const auto last = hn::Set(d, frame.last);
  const auto clamped = hn::IfThenElse(hn::Lt(low, last), low, last);
  const auto first = hn::Trunc(clamped);
  return {first, hn::Sub(clamped, first)};
}

struct PairOfSamples {
  VReal west;
  VReal east;
};
/// Samples number `index` and the one after it.
HWY_INLINE PairOfSamples gather_pair(const float* data, hn::Vec<DIndex> index) {
  const DReal d;
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  const DWide dw;
  const DWord dword;
  const DHalf df;
  const auto bytes = hn::ShiftLeft<2>(hn::PromoteTo(DCoord(), index));
  const auto pair = hn::GatherOffset(dw, reinterpret_cast<const std::uint64_t*>(data), bytes);
  const auto west = hn::BitCast(df, hn::TruncateTo(dword, pair));
  const auto east = hn::BitCast(df, hn::TruncateTo(dword, hn::ShiftRight<32>(pair)));
  return {hn::PromoteTo(d, west), hn::PromoteTo(d, east)};
#else
  alignas(64) std::int32_t numbers[8];
  alignas(64) double west[8];
  alignas(64) double east[8];
  hn::Store(index, DIndex(), numbers);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    west[i] = data[numbers[i]];
    east[i] = data[numbers[i] + 1];
  }
  return {hn::Load(d, west), hn::Load(d, east)};
#endif
}

struct Sampled {
  std::uint64_t inside;  ///< bit per point
  std::uint64_t known;   ///< of those inside: data in all four samples
};

/// Where the four samples around each point of a vector are, and their weights.
struct Corners {
  hn::Vec<DIndex> south;  ///< number of the south-western sample
  hn::Vec<DIndex> north;
  VReal fraction_x;
  VReal fraction_y;
  hn::Mask<DReal> at_end;  ///< on the last column: the eastern sample of the pair stands for both
  bool any_at_end;
};
HWY_INLINE Corners corners_at(const GridFrame& frame, std::ptrdiff_t stride, VReal at_x, VReal at_y,
                              hn::Mask<DReal>& inside) {
  const DReal d;
  const DIndex di;
  const auto zero = hn::Zero(d);
  const auto one = hn::Set(d, 1.0);
  const auto step = hn::Set(d, static_cast<double>(stride));
  const auto last_x = hn::Set(d, frame.x.last);
  const auto last_y = hn::Set(d, frame.y.last);
  const auto interior = hn::And(hn::And(hn::Ge(at_x, zero), hn::Lt(at_x, last_x)),
                                hn::And(hn::Ge(at_y, zero), hn::Lt(at_y, last_y)));
  // Sample numbers are whole and below 2^31, so that they are exact here, fused or not.
  if (HWY_LIKELY(hn::AllTrue(d, interior))) {
    inside = interior;
    const auto column = hn::Trunc(at_x);
    const auto row = hn::Trunc(at_y);
    const auto south = hn::MulAdd(row, step, column);
    return {hn::DemoteTo(di, south), hn::DemoteTo(di, hn::Add(south, step)),
            hn::Sub(at_x, column),   hn::Sub(at_y, row),
            hn::Lt(zero, zero),      false};
  }
  inside = hn::And(inside_axis(frame.x, at_x), inside_axis(frame.y, at_y));
  const Placed column = place_along(frame.x, at_x);
  const Placed row = place_along(frame.y, at_y);
  const auto pair = hn::Min(column.first, hn::Sub(last_x, one));
  const auto next_row = hn::Min(hn::Add(row.first, one), last_y);
  return {hn::DemoteTo(di, hn::MulAdd(row.first, step, pair)),
          hn::DemoteTo(di, hn::MulAdd(next_row, step, pair)),
          column.fraction,
          row.fraction,
          hn::Gt(column.first, pair),
          true};
}

/// Bilinear values of a raster at the corners; `known` as in Sampled.
HWY_INLINE VReal bilinear(const RasterView<float>& raster, const Corners& at, hn::Mask<DReal>& known) {
  const DReal d;
  PairOfSamples s = gather_pair(raster.data, at.south);
  PairOfSamples n = gather_pair(raster.data, at.north);
  if (HWY_UNLIKELY(at.any_at_end)) {
    s.west = hn::IfThenElse(at.at_end, s.east, s.west);
    n.west = hn::IfThenElse(at.at_end, n.east, n.west);
  }
  const auto south = hn::Add(s.west, hn::Mul(hn::Sub(s.east, s.west), at.fraction_x));
  const auto north = hn::Add(n.west, hn::Mul(hn::Sub(n.east, n.west), at.fraction_x));
  const auto value = hn::Add(south, hn::Mul(hn::Sub(north, south), at.fraction_y));
  // A sample that is NaN or infinite makes the result so, whatever its weight.
  known = hn::Lt(hn::Abs(value), hn::Set(d, HUGE_VAL));
  if (raster.has_nodata && raster.nodata == raster.nodata) {
    const auto missing = hn::Set(d, static_cast<double>(raster.nodata));
    const auto absent = hn::Or(hn::Or(hn::Eq(s.west, missing), hn::Eq(s.east, missing)),
                               hn::Or(hn::Eq(n.west, missing), hn::Eq(n.east, missing)));
    known = hn::AndNot(absent, known);
  }
  return value;
}

/// sample_bilinear of `count` points, whole vectors, at places by place_block.
HWY_INLINE Sampled sample_block(const RasterView<float>& raster, const GridFrame& frame,
                                const GridPlaces& places, std::uint32_t count, double* values) {
  const DReal d;
  Sampled result{0, 0};
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
    hn::Mask<DReal> inside;
    hn::Mask<DReal> known;
    const Corners at = corners_at(frame, raster.stride, samples_along(frame.x, places.x + i),
                                  samples_along(frame.y, places.y + i), inside);
    hn::StoreU(bilinear(raster, at, known), d, values + i);
    result.inside |= lane_bits(d, inside) << i;
    result.known |= lane_bits(d, known) << i;
  }
  return result;
}

struct TwiceSampled {
  Sampled first;
  std::uint64_t second_known;
};
/// sample_block of two rasters on one grid and window.
HWY_INLINE TwiceSampled sample_both(const RasterView<float>& first, const RasterView<float>& second,
                                    const GridFrame& frame, const GridPlaces& places, std::uint32_t count,
                                    double* first_values, double* second_values) {
  const DReal d;
  TwiceSampled result{{0, 0}, 0};
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
    hn::Mask<DReal> inside;
    hn::Mask<DReal> known;
    const Corners at = corners_at(frame, first.stride, samples_along(frame.x, places.x + i),
                                  samples_along(frame.y, places.y + i), inside);
    hn::StoreU(bilinear(first, at, known), d, first_values + i);
    result.first.inside |= lane_bits(d, inside) << i;
    result.first.known |= lane_bits(d, known) << i;
    hn::StoreU(bilinear(second, at, known), d, second_values + i);
    result.second_known |= lane_bits(d, known) << i;
  }
  return result;
}

/// Bits of the values within the range; `count` rounded up to whole vectors is read.
HWY_INLINE std::uint64_t within_block(const Range& range, const double* values, std::uint32_t count) {
  const DReal d;
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
    const auto value = hn::LoadU(d, values + i);
    bits |= lane_bits(d, hn::And(hn::Ge(value, hn::Set(d, range.minimum)),
                                 hn::Le(value, hn::Set(d, range.maximum))))
            << i;
  }
  return bits;
}

struct Classified {
  std::uint64_t inside;
  std::uint64_t missing;   ///< of those inside
  std::uint64_t accepted;  ///< of those inside
};

/// Nearest class of each point by the table of PreparedRules, at places by place_block.
HWY_INLINE Classified classify_block(const RasterView<std::uint8_t>& raster, const GridFrame& frame,
                                     const std::array<std::uint8_t, 256>& classes, const GridPlaces& places,
                                     std::uint32_t count) {
  const DReal d;
  const DIndex di;
  const auto half = hn::Set(d, 0.5);
  const auto last_x = hn::Set(d, frame.x.last);
  const auto last_y = hn::Set(d, frame.y.last);
  const auto stride = hn::Set(d, static_cast<double>(raster.stride));
  alignas(64) std::int32_t numbers[kBlockPoints];
  Classified result{0, 0, 0};
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
    const auto at_x = samples_along(frame.x, places.x + i);
    const auto at_y = samples_along(frame.y, places.y + i);
    const auto inside = hn::And(inside_axis(frame.x, at_x), inside_axis(frame.y, at_y));
    const auto near_x = hn::Trunc(hn::Min(hn::Add(at_x, half), last_x));
    const auto near_y = hn::Trunc(hn::Min(hn::Add(at_y, half), last_y));
    // A point outside takes the first sample; what it gives is not looked at.
    const auto index = hn::IfThenElseZero(inside, hn::MulAdd(near_y, stride, near_x));
    hn::Store(hn::DemoteTo(di, index), di, numbers + i);
    result.inside |= lane_bits(d, inside) << i;
  }
  // Table look-ups, a byte each, then bits of 64 bytes at once.
  alignas(64) std::uint8_t flags[kBlockPoints];
  for (std::uint32_t i = 0; i < count; ++i) {
    flags[i] = classes[raster.data[numbers[i]]];
  }
  std::fill(flags + count, flags + kBlockPoints, std::uint8_t{0});
  const hn::CappedTag<std::uint8_t, 64> db;
  for (std::uint32_t i = 0; i < kBlockPoints; i += static_cast<std::uint32_t>(hn::Lanes(db))) {
    const auto flag = hn::Load(db, flags + i);
    alignas(8) std::uint8_t bytes[8] = {};
    std::uint64_t word = 0;
    hn::StoreMaskBits(db, hn::TestBit(flag, hn::Set(db, 1)), bytes);
    std::memcpy(&word, bytes, 8);
    result.accepted |= word << i;
    std::memset(bytes, 0, 8);
    hn::StoreMaskBits(db, hn::TestBit(flag, hn::Set(db, 2)), bytes);
    std::memcpy(&word, bytes, 8);
    result.missing |= word << i;
  }
  return result;
}

/// mix32 lane by lane.
template <class V>
HWY_INLINE V mix32_lanes(V value) {
  const hn::DFromV<V> d;
  value = hn::Xor(value, hn::ShiftRight<16>(value));
  value = hn::Mul(value, hn::Set(d, 0x21F0AAADU));
  value = hn::Xor(value, hn::ShiftRight<15>(value));
  value = hn::Mul(value, hn::Set(d, 0xD35A2D97U));
  return hn::Xor(value, hn::ShiftRight<15>(value));
}

/// field_accepts for values that are there; bits of the accepted.
HWY_INLINE std::uint64_t field_block(const FieldRule& rule, const double* values, const Coord* x,
                                     const Coord* y, std::uint32_t count) {
  const DReal d;
  const DWide dw;
  const DWord dword;
  const auto slope = hn::Set(d, falloff_slope(rule));
  const auto low_key = hn::Set(dword, static_cast<std::uint32_t>(rule.key));
  const auto high_key = hn::Set(dword, static_cast<std::uint32_t>(rule.key >> 32));
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
    const auto value = hn::Load(d, values + i);
    const auto below = hn::Sub(hn::Set(d, rule.accept.minimum), value);
    const auto above = hn::Sub(value, hn::Set(d, rule.accept.maximum));
    const auto most = hn::IfThenElse(hn::Gt(below, above), below, above);
    const auto outside = hn::IfThenElseZero(hn::Gt(most, hn::Zero(d)), most);
    std::uint64_t pass = lane_bits(d, hn::Le(outside, hn::Zero(d)));
    if (rule.falloff > 0) {
      const auto px = hn::LoadU(dw, reinterpret_cast<const std::uint64_t*>(x) + i);
      const auto py = hn::LoadU(dw, reinterpret_cast<const std::uint64_t*>(y) + i);
      auto state = mix32_lanes(hn::Xor(hn::TruncateTo(dword, px), low_key));
      state = mix32_lanes(hn::Add(state, hn::TruncateTo(dword, hn::ShiftRight<32>(px))));
      state = mix32_lanes(hn::Add(hn::Xor(state, high_key), hn::TruncateTo(dword, py)));
      state = mix32_lanes(hn::Add(state, hn::TruncateTo(dword, hn::ShiftRight<32>(py))));
      const auto whole = hn::PromoteTo(d, hn::BitCast(DIndex(), hn::ShiftRight<1>(state)));
      const auto draw = hn::Mul(whole, hn::Set(d, 0x1p-31));
      pass |= lane_bits(d, hn::Lt(draw, hn::Sub(hn::Set(d, 1.0), hn::Mul(outside, slope))));
    }
    bits |= pass << i;
  }
  return bits;
}

}  // namespace strew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // per-target include guard
