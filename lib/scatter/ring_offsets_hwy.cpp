// ring_offsets_ref by Highway: the operations of exact_sincos_turns and of the ring, lane by lane.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ring_offsets_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include "kernel_table.hpp"
#include "ring_offsets.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::scatter::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void ring_offsets(const Ring& ring, const std::uint32_t* angle, const std::uint32_t* distance,
                  std::size_t count, std::int32_t* x, std::int32_t* y) noexcept {
  ring_offsets_ref(ring, angle, distance, count, x, y);
}

#else

using Real = hn::CappedTag<double, 8>;
using Word = hn::RebindToUnsigned<Real>;
using Draw = hn::Rebind<std::uint32_t, Real>;
using Step = hn::Rebind<std::int32_t, Real>;
using RealVec = hn::Vec<Real>;

/// draw_unit: a draw under the exponent of 2^52 is that much above it.
HWY_INLINE RealVec unit(const std::uint32_t* draw) {
  const Real d;
  const Word dw;
  const auto base = hn::Set(d, 0x1p+52);
  const auto word = hn::PromoteTo(dw, hn::LoadU(Draw(), draw));
  return hn::Mul(hn::Sub(hn::BitCast(d, hn::Or(word, hn::BitCast(dw, base))), base), hn::Set(d, 0x1p-32));
}

HWY_INLINE RealVec times_plus(RealVec p, RealVec z, double c) {
  return hn::Add(hn::Mul(p, z), hn::Set(Real(), c));
}

/// exact_sincos_turns of turns in [0, 1).
HWY_INLINE void sincos(RealVec turns, RealVec& sine, RealVec& cosine) {
  const Real d;
  const Word dw;
  const auto rounder = hn::Set(d, 0x1.8p+52);
  const auto rounded = hn::Add(hn::Mul(hn::Set(d, 4.0), turns), rounder);
  const auto quadrant = hn::BitCast(dw, rounded);
  const auto r = hn::Sub(turns, hn::Mul(hn::Set(d, 0.25), hn::Sub(rounded, rounder)));
  const auto z = hn::Mul(r, r);
  auto p = hn::Set(d, -0x1.6cc577dadd922p-1);
  p = times_plus(p, z, 0x1.e8f036bcd3237p+1);
  p = times_plus(p, z, -0x1.e3074d2614b2dp+3);
  p = times_plus(p, z, 0x1.50783486facaap+5);
  p = times_plus(p, z, -0x1.32d2cce62b872p+6);
  p = times_plus(p, z, 0x1.466bc6775aae1p+6);
  p = times_plus(p, z, -0x1.4abbce625be53p+5);
  const auto s = hn::Add(hn::Mul(r, hn::Set(d, 0x1.921fb54442d18p+2)),
                         hn::Mul(r, hn::Add(hn::Mul(z, p), hn::Set(d, 0x1.1a62633145c07p-52))));
  auto q = hn::Set(d, -0x1.b2f3eb054afcdp+0);
  q = times_plus(q, z, 0x1.f9ce245cada0bp+2);
  q = times_plus(q, z, -0x1.a6d1eef479be1p+4);
  q = times_plus(q, z, 0x1.e1f5068688d5bp+5);
  q = times_plus(q, z, -0x1.55d3c7e3cb241p+6);
  q = times_plus(q, z, 0x1.03c1f081b5ac0p+6);
  q = times_plus(q, z, -0x1.3bd3cc9be45dep+4);
  const auto c = hn::Add(hn::Set(d, 1.0), hn::Mul(z, q));
  const auto one = hn::Set(dw, 1);
  const auto two = hn::Set(dw, 2);
  const auto swap = hn::RebindMask(d, hn::TestBit(quadrant, one));
  const auto sine_part = hn::IfThenElse(swap, c, s);
  const auto cosine_part = hn::IfThenElse(swap, s, c);
  sine = hn::IfThenElse(hn::RebindMask(d, hn::TestBit(quadrant, two)), hn::Neg(sine_part), sine_part);
  cosine = hn::IfThenElse(hn::RebindMask(d, hn::TestBit(hn::Add(quadrant, one), two)), hn::Neg(cosine_part),
                          cosine_part);
}

HWY_INLINE void store_steps(RealVec metres, double steps_per_metre, std::int32_t* to) {
  const Real d;
  const Step ds;
  const auto steps = hn::Add(hn::Mul(metres, hn::Set(d, steps_per_metre)), hn::Set(d, 0.5));
  hn::StoreU(hn::DemoteTo(ds, hn::Floor(steps)), ds, to);
}

void ring_offsets(const Ring& ring, const std::uint32_t* angle, const std::uint32_t* distance,
                  std::size_t count, std::int32_t* x, std::int32_t* y) noexcept {
  const Real d;
  constexpr std::size_t kLanes = hn::MaxLanes(Real());
  const auto inner = hn::Set(d, ring.inner_squared);
  const auto width = hn::Set(d, ring.outer_squared - ring.inner_squared);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto metres = hn::Sqrt(hn::Add(inner, hn::Mul(width, unit(distance + i))));
    RealVec sine;
    RealVec cosine;
    sincos(unit(angle + i), sine, cosine);
    store_steps(hn::Mul(metres, cosine), ring.steps_per_metre, x + i);
    store_steps(hn::Mul(metres, sine), ring.steps_per_metre, y + i);
  }
  ring_offsets_ref(ring, angle + i, distance + i, count - i, x + i, y + i);
}

#endif

}  // namespace strew::scatter::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::scatter {

Result<RingOffsetsFn> ring_offsets_kernel(Isa isa) {
  static constexpr KernelTable<RingOffsetsFn> kTable = STREW_KERNEL_TABLE(ring_offsets);
  return choose_kernel(kTable, isa);
}

}  // namespace strew::scatter
#endif
