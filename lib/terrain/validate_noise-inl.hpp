// noise_at for blocks of points, per Highway target.
#if defined(STREW_VALIDATE_NOISE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_VALIDATE_NOISE_INL
#undef STREW_VALIDATE_NOISE_INL
#else
#define STREW_VALIDATE_NOISE_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "noise_field.hpp"
#include "validate_sample-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DFloat = hn::CappedTag<float, 16>;
using DHash = hn::RebindToUnsigned<DFloat>;
using VFloat = hn::Vec<DFloat>;
using VHash = hn::Vec<DHash>;

/// One coordinate of every point on the lattice of the current octave, before its phase.
struct LatticeRow {
  alignas(64) double remainder[kBlockPoints];
  alignas(64) std::uint32_t cell[kBlockPoints];
};
/// The same with the phase of an octave: what its noise is made of.
struct CellPlaces {
  alignas(64) float fraction[kBlockPoints];
  alignas(64) std::uint32_t cell[kBlockPoints];
};

/// lattice_place of all. Points of one block lie near one another nearly always: then their distances from
/// the first one's cell are exact in double, and so is the division with remainder that follows.
HWY_INLINE void start_lattice(const NoiseField& field, const Coord* positions, std::uint32_t count,
                              LatticeRow& row) {
  const DReal d;
  const DCoord dc;
  const DIndex di;
  const DWord dword;
  const LatticePlace first = lattice_place(positions[0], field.period);
  const Coord base = positions[0] - first.remainder;
  const auto period = hn::Set(d, static_cast<double>(field.period));
  const auto base_cell = hn::Set(dword, static_cast<std::uint32_t>(first.cell));
  auto widest = hn::Zero(d);
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
    const auto distance = hn::ConvertTo(d, hn::Sub(hn::LoadU(dc, positions + i), hn::Set(dc, base)));
    widest = hn::Max(widest, hn::Abs(distance));
    auto cell = hn::Floor(hn::Mul(distance, hn::Set(d, field.cells_per_unit)));
    auto remainder = hn::Sub(distance, hn::Mul(cell, period));
    const auto under = hn::Lt(remainder, hn::Zero(d));
    remainder = hn::Add(remainder, hn::IfThenElseZero(under, period));
    cell = hn::Sub(cell, hn::IfThenElseZero(under, hn::Set(d, 1.0)));
    const auto over = hn::Ge(remainder, period);
    remainder = hn::Sub(remainder, hn::IfThenElseZero(over, period));
    cell = hn::Add(cell, hn::IfThenElseZero(over, hn::Set(d, 1.0)));
    hn::Store(remainder, d, row.remainder + i);
    hn::Store(hn::Add(base_cell, hn::BitCast(dword, hn::DemoteTo(di, cell))), dword, row.cell + i);
  }
  constexpr double kExact = 2251799813685248.0;  // 2^51: cells times period then stays below 2^53
  if (lane_bits(d, hn::Ge(widest, hn::Set(d, kExact))) != 0) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const LatticePlace place = lattice_place(positions[i], field.period);
      row.remainder[i] = static_cast<double>(place.remainder);
      row.cell[i] = static_cast<std::uint32_t>(place.cell);
    }
  }
}

/// `shifted` and `lattice_fraction` for one octave; with `advance`, next_octave in place.
HWY_INLINE void place_octave(const NoiseField& field, std::int64_t phase, bool advance, std::uint32_t count,
                             LatticeRow& row, CellPlaces& out) {
  const DReal d;
  const DIndex di;
  const DWord dword;
  const DHalf df;
  const auto period = hn::Set(d, static_cast<double>(field.period));
  const auto offset = hn::Set(d, static_cast<double>(phase));
  const auto one = hn::Set(d, 1.0);
  const auto carry_of = [&](auto over) HWY_ATTR {
    return hn::BitCast(dword, hn::DemoteTo(di, hn::IfThenElseZero(over, one)));
  };
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
    const auto remainder = hn::Load(d, row.remainder + i);
    const auto cell = hn::Load(dword, row.cell + i);
    const auto sum = hn::Add(remainder, offset);
    const auto over = hn::Ge(sum, period);
    const auto moved = hn::Sub(sum, hn::IfThenElseZero(over, period));
    hn::Store(hn::DemoteTo(df, hn::Mul(moved, hn::Set(d, field.cells_per_unit))), df, out.fraction + i);
    hn::Store(hn::Add(cell, carry_of(over)), dword, out.cell + i);
    if (advance) {
      const auto doubled = hn::Add(remainder, remainder);
      const auto next = hn::Ge(doubled, period);
      hn::Store(hn::Sub(doubled, hn::IfThenElseZero(next, period)), d, row.remainder + i);
      hn::Store(hn::Add(hn::Add(cell, cell), carry_of(next)), dword, row.cell + i);
    }
  }
}

HWY_INLINE VFloat fade_lanes(VFloat t) {
  const DFloat d;
  const auto inner = hn::Sub(hn::Mul(t, hn::Set(d, 6.0F)), hn::Set(d, 15.0F));
  return hn::Mul(hn::Mul(hn::Mul(t, t), t), hn::Add(hn::Mul(t, inner), hn::Set(d, 10.0F)));
}

/// Product of lattice_gradient(hash) with (x, y).
HWY_INLINE VFloat gradient_dot(VHash hash, VFloat x, VFloat y) {
  const DFloat d;
  const DHash dh;
  const hn::RebindToSigned<DFloat> di;
  const auto s = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, hash)), hn::Set(d, 0x1p-31F));
  const auto minor = hn::Mul(s, hn::Set(d, 0.70710678F));
  const auto straight = hn::Sub(hn::Set(d, 1.0F), hn::Mul(hn::Mul(s, s), hn::Set(d, 0.29289323F)));
  const auto sign = hn::ShiftLeft<30>(hn::And(hash, hn::Set(dh, 2U)));
  const auto major = hn::BitCast(d, hn::Xor(hn::BitCast(dh, straight), sign));
  const auto turned = hn::RebindMask(d, hn::TestBit(hash, hn::Set(dh, 1U)));
  // The sum of two products does not depend on their order.
  return hn::Add(hn::Mul(major, hn::IfThenElse(turned, y, x)), hn::Mul(minor, hn::IfThenElse(turned, x, y)));
}

/// Noise of one octave at one vector of points.
HWY_INLINE VFloat octave_lanes(const NoiseOctave& octave, const CellPlaces& at_x, const CellPlaces& at_y,
                               std::uint32_t i) {
  const DFloat d;
  const DHash dh;
  const auto cell_x = hn::Load(dh, at_x.cell + i);
  const auto cell_y = hn::Load(dh, at_y.cell + i);
  const auto x = hn::Load(d, at_x.fraction + i);
  const auto y = hn::Load(d, at_y.fraction + i);
  const auto key_x = hn::Set(dh, octave.key_x);
  const auto key_y = hn::Set(dh, octave.key_y);
  const auto one = hn::Set(dh, 1U);
  const auto west = hn::Xor(mix32_lanes(hn::Xor(cell_x, key_x)), key_y);
  const auto east = hn::Xor(mix32_lanes(hn::Xor(hn::Add(cell_x, one), key_x)), key_y);
  const auto above = hn::Add(cell_y, one);
  const auto from_east = hn::Sub(x, hn::Set(d, 1.0F));
  const auto from_north = hn::Sub(y, hn::Set(d, 1.0F));
  const auto sw = gradient_dot(mix32_lanes(hn::Add(west, cell_y)), x, y);
  const auto se = gradient_dot(mix32_lanes(hn::Add(east, cell_y)), from_east, y);
  const auto nw = gradient_dot(mix32_lanes(hn::Add(west, above)), x, from_north);
  const auto ne = gradient_dot(mix32_lanes(hn::Add(east, above)), from_east, from_north);
  const auto fade_x = fade_lanes(x);
  const auto lower = hn::Add(sw, hn::Mul(hn::Sub(se, sw), fade_x));
  const auto upper = hn::Add(nw, hn::Mul(hn::Sub(ne, nw), fade_x));
  return hn::Mul(hn::Add(lower, hn::Mul(hn::Sub(upper, lower), fade_lanes(y))), hn::Set(d, 1.41421356F));
}

/// ridge().
HWY_INLINE VFloat ridge_lanes(VFloat value) {
  const DFloat d;
  const auto fold = hn::Sub(hn::Set(d, 1.0F), hn::Abs(value));
  return hn::Sub(hn::Mul(hn::Mul(fold, fold), hn::Set(d, 2.0F)), hn::Set(d, 1.0F));
}

/// Bits of the points where noise is at least `threshold`.
HWY_INLINE std::uint64_t noise_block(const NoiseField& field, float threshold, const Coord* x, const Coord* y,
                                     std::uint32_t count) {
  const DFloat d;
  LatticeRow row_x;
  LatticeRow row_y;
  CellPlaces at_x;
  CellPlaces at_y;
  alignas(64) float sums[kBlockPoints];
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  start_lattice(field, x, count, row_x);
  start_lattice(field, y, count, row_y);
  std::uint64_t bits = 0;
  for (std::int32_t k = 0; k < field.octaves; ++k) {
    const NoiseOctave& octave = field.octave[static_cast<std::size_t>(k)];
    const bool last = k + 1 == field.octaves;
    place_octave(field, octave.phase_x, !last, count, row_x, at_x);
    place_octave(field, octave.phase_y, !last, count, row_y, at_y);
    for (std::uint32_t i = 0; i < count; i += lanes) {
      auto value = octave_lanes(octave, at_x, at_y, i);
      if (field.ridged) {
        value = ridge_lanes(value);
      }
      const auto before = k == 0 ? hn::Zero(d) : hn::Load(d, sums + i);
      const auto sum = hn::Add(before, hn::Mul(hn::Set(d, octave.weight), value));
      if (!last) {
        hn::Store(sum, d, sums + i);
        continue;
      }
      const auto minus_one = hn::Set(d, -1.0F);
      const auto one = hn::Set(d, 1.0F);
      const auto low = hn::IfThenElse(hn::Gt(sum, minus_one), sum, minus_one);
      const auto clamped = hn::IfThenElse(hn::Lt(low, one), low, one);
      alignas(8) std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Ge(clamped, hn::Set(d, threshold)), bytes);
      bits |= (std::uint64_t{bytes[0]} | (std::uint64_t{bytes[1]} << 8)) << i;
    }
  }
  return bits;
}

}  // namespace strew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // per-target include guard
