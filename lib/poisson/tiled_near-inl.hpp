// The neighbourhood of a cell in vectors, and lists made from lanes.
#if defined(STREW_POISSON_TILED_NEAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_NEAR_INL
#undef STREW_POISSON_TILED_NEAR_INL
#else
#define STREW_POISSON_TILED_NEAR_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>

#include "tiled_pairs-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::VFromD<D> fractions(D d, hn::VFromD<D> word) {
  return hn::And(word, hn::Set(d, static_cast<std::int32_t>(kFractionMask)));
}

/// Index of the `rank`-th set bit of `bits`, which has more than `rank`.
HWY_INLINE std::int32_t select_bit(std::uint64_t bits, std::uint32_t rank) noexcept {
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86_64
  return static_cast<std::int32_t>(_tzcnt_u64(_pdep_u64(std::uint64_t{1} << rank, bits)));
#else
  std::uint32_t base = 0;
  for (;;) {
    const auto count = static_cast<std::uint32_t>(hwy::PopCount(bits & 0xFFU));
    if (rank < count) {
      break;
    }
    rank -= count;
    bits >>= 8;
    base += 8;
  }
  for (; rank > 0; --rank) {
    bits &= bits - 1;
  }
  return static_cast<std::int32_t>(base + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
#endif
}

/// Corner of the sub-square that is bit `bit` of a mask.
HWY_INLINE std::int32_t sub_square(std::int32_t bit) noexcept {
  return pack_pair((bit & 7) * kSubSide, (bit >> 3) * kSubSide);
}

/// Stores the lanes of `bits` one after another at `out`, which has room for a whole vector; their number.
template <class D>
HWY_INLINE std::uint32_t compress(D d, hn::VFromD<D> vec, std::uint32_t bits, hn::TFromD<D>* out) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // Into a register first: compression into memory is microcode on some processors.
  using Bits = decltype(hn::Mask<D>().raw);
  hn::StoreU(hn::Compress(vec, hn::Mask<D>{static_cast<Bits>(bits)}), d, out);
#elif HWY_TARGET == HWY_AVX2
  // Highway 1.0.3 emulates Compress at length here; one table of lane numbers does it.
  static_assert(hn::MaxLanes(D()) == 8);
  const __m256i order =
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kCompressOrders[bits].data())));
  hn::StoreU(hn::VFromD<D>{_mm256_permutevar8x32_epi32(vec.raw, order)}, d, out);
#else
  HWY_ALIGN hn::TFromD<D> all[hn::MaxLanes(D())];
  hn::Store(vec, d, all);
  hn::TFromD<D>* next = out;
  for (std::uint32_t left = bits; left != 0; left &= left - 1) {
    *next++ = all[hwy::Num0BitsBelowLS1Bit_Nonzero32(left)];
  }
#endif
  return static_cast<std::uint32_t>(hwy::PopCount(bits));
}

/// cell_index, lane by lane.
template <class D>
HWY_INLINE hn::VFromD<D> cell_indices(D d, std::int32_t stride, hn::VFromD<D> packed) {
  return hn::Add(hn::Mul(hn::ShiftRight<16>(packed), hn::Set(d, static_cast<std::uint32_t>(stride))),
                 hn::And(packed, hn::Set(d, 0xFFFFU)));
}

/// stage_of for times that are not in the first stage.
template <class D>
HWY_INLINE hn::VFromD<D> later_stages(D d, hn::VFromD<hn::RebindToFloat<D>> time) {
  // The stages between the first and the late one double: their number is an exponent.
  constexpr std::uint32_t kBelow = (std::bit_cast<std::uint32_t>(kStageEnds[0]) >> 23) - 1;
  return hn::Min(hn::Sub(hn::ShiftRight<23>(hn::BitCast(d, time)), hn::Set(d, kBelow)),
                 hn::Set(d, std::uint32_t{kLateStage}));
}

/// Adds the cells of `bits` to the lists of the stages that their darts at `time`, not in the first stage,
/// are due in.
template <class D>
HWY_INLINE void add_by_stage(D d, hn::VFromD<D> packed, hn::VFromD<hn::RebindToFloat<D>> time,
                             std::uint32_t bits, std::array<KernelLists::Stage, kStages>& stages) {
  const auto stage = later_stages(d, time);
  alignas(64) std::uint32_t all[16];
  hn::Store(stage, d, all);
  while (bits != 0) {
    const std::uint32_t number = all[hwy::Num0BitsBelowLS1Bit_Nonzero32(bits)];
    const std::uint32_t same = bits & mask_bits(d, hn::Eq(stage, hn::Set(d, number)));
    WordList& waiting = stages[number].waiting;
    waiting.reserve_more(hn::Lanes(d));
    waiting.size += compress(d, packed, same, waiting.memory.data() + waiting.size);
    bits ^= same;
  }
}

// The neighbourhood of a cell in vectors: two rows to a vector where 16 lanes fit, else a part of a row.
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
using DNear = hn::CappedTag<std::int32_t, 16>;
inline constexpr std::size_t kNearVectors = 3;
#else
using DNear = DRow;
inline constexpr std::size_t kNearVectors = 5 * ((5 + hn::MaxLanes(DNear()) - 1) / hn::MaxLanes(DNear()));
#endif
inline constexpr std::size_t kNearLanes = kNearVectors * hn::MaxLanes(DNear());

/// Row (-2 to 2) and first column (-2 to 2) of the lane group that starts at lane `i` of all vectors.
struct NearPlace {
  std::int32_t dy;
  std::int32_t dx;
};
constexpr NearPlace near_place(std::size_t i) noexcept {
  constexpr std::size_t kLanes = hn::MaxLanes(DNear());
  if (kLanes == 16) {
    constexpr std::int32_t kRows[6] = {-2, -1, 1, 2, 0, 3};  // the last half is not used
    return {kRows[i / 8], static_cast<std::int32_t>(i % 8) - 2};
  }
  constexpr std::size_t kPerRow = kNearVectors / 5 * kLanes;
  return {static_cast<std::int32_t>(i / kPerRow) - 2, static_cast<std::int32_t>(i % kPerRow) - 2};
}

struct NearLanes {
  alignas(64) std::int32_t origin[kNearLanes];     ///< corner of the lane's cell as a pair; 0 outside
  alignas(64) std::int32_t neighbour[kNearLanes];  ///< all bits set for the 20 neighbours, else 0
  alignas(64) std::int32_t precedes[kNearLanes];   ///< 1 when the cell precedes the centre in row-major order
};
inline constexpr NearLanes kNearTable = [] {
  NearLanes lanes{};
  for (std::size_t i = 0; i < kNearLanes; ++i) {
    const NearPlace at = near_place(i);
    const bool neighbour = at.dy >= -2 && at.dy <= 2 && at.dx >= -2 && at.dx <= 2 &&
                           at.dx * at.dx + at.dy * at.dy < 8 && (at.dx != 0 || at.dy != 0);
    // Three cells away nothing is in conflict.
    lanes.origin[i] =
        neighbour ? pack_pair(at.dx * kCellSteps, at.dy * kCellSteps) : pack_pair(3 * kCellSteps, 0);
    lanes.neighbour[i] = neighbour ? -1 : 0;
    lanes.precedes[i] = at.dy < 0 || (at.dy == 0 && at.dx < 0) ? 1 : 0;
  }
  return lanes;
}();

/// Vector `v` of the neighbourhood of `cell` from an array of 32-bit values.
template <class T>
HWY_INLINE hn::VFromD<hn::Rebind<T, DNear>> load_near(const T* values, std::ptrdiff_t cell,
                                                      std::ptrdiff_t stride, std::size_t v) {
  const hn::Rebind<T, DNear> d;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  const hn::Half<decltype(d)> half;
  const T* const lower = values + cell + near_place(16 * v).dy * stride - 2;
  if (v == 2) {
    return hn::ZeroExtendVector(d, hn::LoadU(half, lower));
  }
  return hn::Combine(d, hn::LoadU(half, lower + stride), hn::LoadU(half, lower));
#else
  const NearPlace at = near_place(v * hn::MaxLanes(d));
  return hn::LoadU(d, values + cell + at.dy * stride + at.dx);
#endif
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
