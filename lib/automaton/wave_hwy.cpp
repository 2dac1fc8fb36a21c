// The wave by Highway: one kernel per instruction set, ternary logic where there is one.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "wave_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include "kernels.hpp"
#include "rule_tables.hpp"
#include "wave_job.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::automaton::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#include "portable_logic-inl.hpp"

using Tag = hn::CappedTag<std::uint64_t, 8>;

struct Simd : PortableLogic<Simd, hn::Vec<Tag>> {
  using V = hn::Vec<Tag>;
  using Portable = PortableLogic<Simd, V>;
  static constexpr std::size_t kLanes = hn::MaxLanes(Tag());

  static HWY_INLINE V load(const std::uint64_t* from) { return hn::Load(Tag(), from); }
  static HWY_INLINE V load_unaligned(const std::uint64_t* from) { return hn::LoadU(Tag(), from); }
  static HWY_INLINE void store(std::uint64_t* to, V v) { hn::Store(v, Tag(), to); }
  static HWY_INLINE void store_unaligned(std::uint64_t* to, V v) { hn::StoreU(v, Tag(), to); }
  /// Into a register, to stay there: folded into the instructions that use it, as compilers prefer, each row
  /// would be loaded twice, and loads are what the step is short of next to its logic.
  static HWY_INLINE V load_once(const std::uint64_t* from) {
    V v = hn::Load(Tag(), from);
#if HWY_TARGET == HWY_AVX3 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
    asm("" : "+v"(v.raw));
#endif
    return v;
  }
  static HWY_INLINE V splat(std::uint64_t value) {
    return hn::Set(Tag(), value);
  }
  static HWY_INLINE V bit_and(V a, V b) {
    return hn::And(a, b);
  }
  static HWY_INLINE V bit_or(V a, V b) {
    return hn::Or(a, b);
  }
  static HWY_INLINE V bit_xor(V a, V b) {
    return hn::Xor(a, b);
  }
  static HWY_INLINE V and_not(V a, V b) {
    return hn::AndNot(a, b);
  }
  template <int kBits>
  static HWY_INLINE V shl(V a) {
    return hn::ShiftLeft<kBits>(a);
  }
  template <int kBits>
  static HWY_INLINE V shr(V a) {
    return hn::ShiftRight<kBits>(a);
  }
  template <int kBits>
  static HWY_INLINE V rotl(V a) {
    return hn::RotateRight<64 - kBits>(a);
  }
#if HWY_TARGET == HWY_SCALAR
  static HWY_INLINE V lanes_up(V a) {
    return a;
  }
  static HWY_INLINE V lanes_down(V a) {
    return a;
  }
#else
  static HWY_INLINE V lanes_up(V a) {
    alignas(64) std::uint64_t index[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
      index[i] = (i + kLanes - 1) % kLanes;
    }
    return hn::TableLookupLanes(a, hn::SetTableIndices(Tag(), index));
  }
  static HWY_INLINE V lanes_down(V a) {
    alignas(64) std::uint64_t index[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
      index[i] = (i + 1) % kLanes;
    }
    return hn::TableLookupLanes(a, hn::SetTableIndices(Tag(), index));
  }
#endif
  static HWY_INLINE V first_lane(std::uint64_t value) {
    alignas(64) std::uint64_t lanes[kLanes] = {value};
    return hn::Load(Tag(), lanes);
  }
  static HWY_INLINE V last_lane(std::uint64_t value) {
    alignas(64) std::uint64_t lanes[kLanes] = {};
    lanes[kLanes - 1] = value;
    return hn::Load(Tag(), lanes);
  }

#if HWY_TARGET == HWY_AVX3
  template <unsigned kTable>
  static HWY_INLINE V logic(V x, V y, V z) {
    return V{_mm512_ternarylogic_epi64(x.raw, y.raw, z.raw, static_cast<int>(kTable))};
  }
  static constexpr bool kRotates = true;
  static HWY_INLINE void add(V a, V b, V c, V& sum, V& carry) {
    sum = logic<0x96>(a, b, c);
    carry = logic<0xE8>(a, b, c);
  }
  static HWY_INLINE V day_and_night(V c, V a0, V a1, V b0, V b1) {
    return logic<0xE8>(logic<0xE8>(a0, a1, b0), b1, logic<0x96>(c, a1, b0));
  }
  static HWY_INLINE V select(V mask, V a, V b) {
    return logic<0xCA>(mask, a, b);
  }
#endif

  template <int kLogV>
  static HWY_INLINE V next_position(V x) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (kLogV == 4) {
      // Positions are the 16-bit words of the register, in order.
      const __m512i index = _mm512_set_epi16(30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15,
                                             14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 31);
      const __m512i count = _mm512_zextsi128_si512(_mm_cvtsi32_si128(1));
      return V{_mm512_sllv_epi16(_mm512_permutexvar_epi16(index, x.raw), count)};
    }
#endif
    return Positions<Simd, kLogV>::next(x);
  }
  template <int kLogV>
  static HWY_INLINE V previous_position(V x) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (kLogV == 4) {
      const __m512i index = _mm512_set_epi16(0, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17,
                                             16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
      const __m512i count = _mm512_set_epi32(1 << 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
      return V{_mm512_srlv_epi16(_mm512_permutexvar_epi16(index, x.raw), count)};
    }
#endif
    return Positions<Simd, kLogV>::previous(x);
  }
};

#include "networks-inl.hpp"
#include "wave-inl.hpp"

WaveKernel wave_kernel() {
  return {run_wave, static_cast<std::int32_t>(Simd::kLanes), kMaxLogV};
}

}  // namespace strew::automaton::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::automaton {

Result<WaveKernel> wave_kernel_hwy(Isa isa) {
  static constexpr KernelTable<WaveKernel (*)()> kTable = STREW_KERNEL_TABLE(wave_kernel);
  STREW_ASSIGN(const auto make, choose_kernel(kTable, isa));
  return make();
}

}  // namespace strew::automaton
#endif
