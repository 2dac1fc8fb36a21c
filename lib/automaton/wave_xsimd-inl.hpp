// The wave by xsimd, for the instruction set that the including unit is compiled for: it defines
// STREW_XSIMD_ARCH, STREW_XSIMD_NAMESPACE and STREW_XSIMD_KERNEL. Units hold no inline functions of other
// libraries that a linker could take for those of narrower units.
#include <xsimd/xsimd.hpp>

#include "kernels.hpp"
#include "rule_tables.hpp"
#include "wave_job.hpp"

namespace strew::automaton {
namespace STREW_XSIMD_NAMESPACE {

#include "portable_logic-inl.hpp"

using Batch = xsimd::batch<std::uint64_t, STREW_XSIMD_ARCH>;

struct Simd : PortableLogic<Simd, Batch> {
  using V = Batch;
  static constexpr std::size_t kLanes = Batch::size;

  static STREW_ALWAYS_INLINE V load(const std::uint64_t* from) { return V::load_aligned(from); }
  static STREW_ALWAYS_INLINE V load_once(const std::uint64_t* from) { return load(from); }
  static STREW_ALWAYS_INLINE V load_unaligned(const std::uint64_t* from) { return V::load_unaligned(from); }
  static STREW_ALWAYS_INLINE void store(std::uint64_t* to, V v) { v.store_aligned(to); }
  static STREW_ALWAYS_INLINE void store_unaligned(std::uint64_t* to, V v) { v.store_unaligned(to); }
  static STREW_ALWAYS_INLINE V splat(std::uint64_t value) { return V(value); }
  static STREW_ALWAYS_INLINE V bit_and(V a, V b) { return a & b; }
  static STREW_ALWAYS_INLINE V bit_or(V a, V b) { return a | b; }
  static STREW_ALWAYS_INLINE V bit_xor(V a, V b) { return a ^ b; }
  static STREW_ALWAYS_INLINE V and_not(V a, V b) { return ~a & b; }
  template <int kBits>
  static STREW_ALWAYS_INLINE V shl(V a) {
    return a << kBits;
  }
  template <int kBits>
  static STREW_ALWAYS_INLINE V shr(V a) {
    return a >> kBits;
  }
  template <int kBits>
  static STREW_ALWAYS_INLINE V rotl(V a) {
    return (a << kBits) | (a >> (64 - kBits));
  }
  // Through memory: xsimd 8 has no rotation of lanes, and a row needs two.
  static STREW_ALWAYS_INLINE V lanes_up(V a) { return twice_from(a, kLanes - 1); }
  static STREW_ALWAYS_INLINE V lanes_down(V a) { return twice_from(a, 1); }
  static STREW_ALWAYS_INLINE V twice_from(V a, std::size_t first) {
    alignas(64) std::uint64_t twice[2 * kLanes];
    store(twice, a);
    store(twice + kLanes, a);
    return load_unaligned(twice + first);
  }
  static STREW_ALWAYS_INLINE V first_lane(std::uint64_t value) {
    alignas(64) const std::uint64_t lanes[kLanes] = {value};
    return load(lanes);
  }
  static STREW_ALWAYS_INLINE V last_lane(std::uint64_t value) {
    alignas(64) std::uint64_t lanes[kLanes] = {};
    lanes[kLanes - 1] = value;
    return load(lanes);
  }
  template <int kLogV>
  static STREW_ALWAYS_INLINE V next_position(V x) {
    return Positions<Simd, kLogV>::next(x);
  }
  template <int kLogV>
  static STREW_ALWAYS_INLINE V previous_position(V x) {
    return Positions<Simd, kLogV>::previous(x);
  }
};

#include "networks-inl.hpp"
#include "wave-inl.hpp"

}  // namespace STREW_XSIMD_NAMESPACE

WaveKernel STREW_XSIMD_KERNEL() noexcept {
  return {STREW_XSIMD_NAMESPACE::run_wave, static_cast<std::int32_t>(STREW_XSIMD_NAMESPACE::Simd::kLanes),
          STREW_XSIMD_NAMESPACE::kMaxLogV};
}

}  // namespace strew::automaton
