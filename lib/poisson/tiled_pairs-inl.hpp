// Pairs of 16-bit coordinates in 32-bit lanes, and masks as bits.
#if defined(STREW_POISSON_TILED_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_PAIRS_INL
#undef STREW_POISSON_TILED_PAIRS_INL
#else
#define STREW_POISSON_TILED_PAIRS_INL
#endif

#include <hwy/highway.h>

#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Positions as 32-bit lanes: x in the low 16 bits, y in the high ones, both signed.
using DPair = hn::CappedTag<std::int32_t, 16>;
/// The cells -2 to 2 of one row of a neighbourhood, and three more.
using DRow = hn::CappedTag<std::int32_t, 8>;

constexpr std::int32_t pack_pair(std::int32_t x, std::int32_t y) noexcept {
  return static_cast<std::int32_t>((static_cast<std::uint32_t>(y) << 16) |
                                   (static_cast<std::uint32_t>(x) & 0xFFFFU));
}

/// x^2 + y^2 of each lane's pair, |x|, |y| < 2^15.
template <class D>
HWY_INLINE hn::VFromD<D> squared_length([[maybe_unused]] D d, hn::VFromD<D> pair) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  // On x86 this operation is the pairwise multiply-add of adjacent 16-bit lanes.
  const hn::Repartition<std::int16_t, D> d16;
  const auto halves = hn::BitCast(d16, pair);
  auto unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, halves, halves, hn::Zero(d), unused);
#else
  const auto x = hn::ShiftRight<16>(hn::ShiftLeft<16>(pair));
  const auto y = hn::ShiftRight<16>(pair);
  return hn::Add(hn::Mul(x, x), hn::Mul(y, y));
#endif
}

#if HWY_TARGET == HWY_SCALAR
// One 32-bit lane has no view as 16-bit lanes: the halves are taken apart and put together.
template <class D, class Function>
HWY_INLINE hn::VFromD<D> on_halves(D d, hn::VFromD<D> a, hn::VFromD<D> b, const Function& function) {
  const std::int32_t x =
      function(static_cast<std::int16_t>(hn::GetLane(a)), static_cast<std::int16_t>(hn::GetLane(b)));
  const std::int32_t y = function(hn::GetLane(a) >> 16, hn::GetLane(b) >> 16);
  return hn::Set(d, pack_pair(x, y));
}
template <class D>
HWY_INLINE hn::VFromD<D> subtract_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  return on_halves(d, a, b, [](std::int32_t p, std::int32_t q) { return p - q; });
}
template <class D>
HWY_INLINE hn::VFromD<D> add_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  return on_halves(d, a, b, [](std::int32_t p, std::int32_t q) { return p + q; });
}
template <class D>
HWY_INLINE hn::VFromD<D> max_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  return on_halves(d, a, b, [](std::int32_t p, std::int32_t q) { return p > q ? p : q; });
}
template <class D>
HWY_INLINE hn::VFromD<D> abs_pairs(D d, hn::VFromD<D> a) {
  return on_halves(d, a, a, [](std::int32_t p, std::int32_t) { return p < 0 ? -p : p; });
}
#else
template <class D>
using Halves = hn::Repartition<std::int16_t, D>;
template <class D>
HWY_INLINE hn::VFromD<D> subtract_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  const Halves<D> d16;
  return hn::BitCast(d, hn::Sub(hn::BitCast(d16, a), hn::BitCast(d16, b)));
}
template <class D>
HWY_INLINE hn::VFromD<D> add_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  const Halves<D> d16;
  return hn::BitCast(d, hn::Add(hn::BitCast(d16, a), hn::BitCast(d16, b)));
}
template <class D>
HWY_INLINE hn::VFromD<D> max_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  const Halves<D> d16;
  return hn::BitCast(d, hn::Max(hn::BitCast(d16, a), hn::BitCast(d16, b)));
}
template <class D>
HWY_INLINE hn::VFromD<D> abs_pairs(D d, hn::VFromD<D> a) {
  const Halves<D> d16;
  return hn::BitCast(d, hn::Abs(hn::BitCast(d16, a)));
}
#endif

/// High 32 bits of the products.
template <class D>
HWY_INLINE hn::VFromD<D> multiply_high(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, static_cast<std::uint32_t>((std::uint64_t{hn::GetLane(a)} * hn::GetLane(b)) >> 32));
#else
  const hn::Repartition<std::uint64_t, D> d64;
  const auto even = hn::ShiftRight<32>(hn::MulEven(a, b));
  const auto lower = [&](hn::VFromD<D> v)
                         HWY_ATTR { return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, v))); };
  const auto odd = hn::MulEven(lower(a), lower(b));
  return hn::BitCast(d, hn::Or(even, hn::And(odd, hn::Set(d64, 0xFFFFFFFF00000000U))));
#endif
}

/// Bits of a mask of at most 16 lanes.
template <class D, class M>
HWY_INLINE std::uint32_t mask_bits([[maybe_unused]] D d, M mask) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return mask.raw;
#else
  alignas(8) std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return bits[0] | (std::uint32_t{bits[1]} << 8);
#endif
}

/// Bits of the lanes in which one of `bits` is set.
template <class D>
HWY_INLINE std::uint32_t has_bits(D d, hn::VFromD<D> words, hn::TFromD<D> bits) {
  return mask_bits(d, hn::Ne(hn::And(words, hn::Set(d, bits)), hn::Zero(d)));
}

/// Lanes whose pair is less than the radius from the origin.
template <class D>
HWY_INLINE hn::Mask<D> in_radius(D d, hn::VFromD<D> pair) {
  return hn::Lt(squared_length(d, pair), hn::Set(d, kRadiusSquared));
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
