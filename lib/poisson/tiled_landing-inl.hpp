// Landing: whether a dart may, what it does to the cells around, and what it covers.
#if defined(STREW_POISSON_TILED_LANDING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_LANDING_INL
#undef STREW_POISSON_TILED_LANDING_INL
#else
#define STREW_POISSON_TILED_LANDING_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether no undecided neighbour has an earlier clock; of equal ones the first in row-major order is.
[[nodiscard]] HWY_INLINE bool earliest(const KernelWindow& window, std::ptrdiff_t cell) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // Times before `own` are earlier, and the own time itself for cells that precede.
  const float* const clock = window.clock + cell - 2;
  const std::ptrdiff_t stride = window.stride;
  const float time = clock[2];
  const __m512 own = _mm512_set1_ps(time);
  const auto two_rows = [&](std::ptrdiff_t low, std::ptrdiff_t high) HWY_ATTR {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(clock + low)),
                              _mm256_loadu_ps(clock + high), 1);
  };
  const __mmask16 before = _mm512_mask_cmp_ps_mask(0x1F0E, two_rows(-2 * stride, -stride), own, _CMP_LE_OQ);
  const __mmask16 after = _mm512_mask_cmp_ps_mask(0x0E1F, two_rows(stride, 2 * stride), own, _CMP_LT_OQ);
  const __m256 row = _mm256_loadu_ps(clock);
  const __mmask8 left = _mm256_mask_cmp_ps_mask(0x03, row, _mm512_castps512_ps256(own), _CMP_LE_OQ);
  const __mmask8 right = _mm256_mask_cmp_ps_mask(0x18, row, _mm512_castps512_ps256(own), _CMP_LT_OQ);
  return (before | after | left | right) == 0;
#else
  const DNear d;
  const hn::RebindToFloat<DNear> df;
  const auto own = hn::Set(d, std::bit_cast<std::int32_t>(window.clock[cell]));
  std::uint32_t earlier = 0;
  for (std::size_t v = 0; v < kNearVectors; ++v) {
    // Times before `bound` are earlier: the next float above the own time for cells that precede, 0 for lanes
    // that are no neighbours.
    const std::size_t i = v * hn::Lanes(d);
    const auto bound =
        hn::And(hn::Add(own, hn::Load(d, kNearTable.precedes + i)), hn::Load(d, kNearTable.neighbour + i));
    earlier |= mask_bits(df, hn::Lt(load_near(window.clock, cell, window.stride, v), hn::BitCast(df, bound)));
  }
  return earlier == 0;
#endif
}

/// Makes the dart of a cell a point and marks the darts in conflict with it.
HWY_INLINE void land(const KernelWindow& window, std::ptrdiff_t cell) {
  // A row at a time, also where two fit in a vector: halves would have to be stored apart.
  const DRow d;
  const std::uint32_t dart = window.position[cell];
  const auto own = hn::Set(d, static_cast<std::int32_t>(dart));
  window.clock[cell] = HUGE_VALF;
  constexpr std::size_t kLanes = 5 * std::min(std::size_t{8}, kNearLanes / 5);
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
    const NearPlace at = near_place(i);
    auto* const row = reinterpret_cast<std::int32_t*>(window.position + cell + at.dy * window.stride + at.dx);
    const auto word = hn::LoadU(d, row);
    const auto from_corner = subtract_pairs(d, own, hn::Load(d, kNearTable.origin + i));
    const auto conflict =
        hn::VecFromMask(d, in_radius(d, subtract_pairs(d, from_corner, fractions(d, word))));
    const auto dead = hn::And(conflict, hn::Set(d, static_cast<std::int32_t>(kDead)));
    hn::StoreU(hn::Or(word, dead), d, row);
  }
  window.position[cell] = dart | kIsPoint | kIsFresh;
}

/// Adds what a new point covers to the masks around it.
HWY_INLINE void cover(const KernelWindow& window, const RowChords& chords, std::ptrdiff_t cell) {
  window.position[cell] &= ~kIsFresh;
  const std::uint32_t dart = window.position[cell];
  const Fraction at{static_cast<std::int32_t>(dart & 0x1FFFU),
                    static_cast<std::int32_t>((dart >> 16) & 0x1FFFU)};
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // For the 40 rows of sub-squares around, in 16-bit lanes and then in bytes: the first column between the
  // half chords, counted from two cells before, and the one after the last.
  const std::int16_t* const reach = chords.rows(at.y);
  const __m512i up = _mm512_set1_epi16(static_cast<std::int16_t>(at.x + 17 * kSubSide - 1));
  const __m512i down = _mm512_set1_epi16(static_cast<std::int16_t>(at.x + 16 * kSubSide));
  const __m512i chord = _mm512_loadu_si512(reach);
  const __m512i last_chord =
      _mm512_zextsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(reach + 32)));
  // Packing takes rows in eights from both: qwords 0, 2, 4, 6 and 1.
  alignas(64) std::uint64_t first[8];
  alignas(64) std::uint64_t end[8];
  _mm512_store_si512(first,
                     _mm512_packus_epi16(_mm512_srli_epi16(_mm512_sub_epi16(up, chord), kSubBits),
                                         _mm512_srli_epi16(_mm512_sub_epi16(up, last_chord), kSubBits)));
  _mm512_store_si512(end,
                     _mm512_packus_epi16(_mm512_srli_epi16(_mm512_add_epi16(down, chord), kSubBits),
                                         _mm512_srli_epi16(_mm512_add_epi16(down, last_chord), kSubBits)));
  // A byte is the columns of one row of one cell: those from n on are bits ~0 << n, none from 8 on.
  const __m512i before = _mm512_setr_epi64(0, 0x0808080808080808, 0x1010101010101010, 0x1818181818181818,
                                           0x2020202020202020, 0, 0, 0);
  const __m512i from_on =
      _mm512_broadcast_i32x4(_mm_setr_epi8(-1, -2, -4, -8, -16, -32, -64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m512i great = _mm512_set1_epi8(15);
  const auto columns_from = [&](std::uint64_t rows) HWY_ATTR {
    const __m512i number =
        _mm512_min_epu8(_mm512_subs_epu8(_mm512_set1_epi64(static_cast<long long>(rows)), before), great);
    return _mm512_shuffle_epi8(from_on, number);
  };
  const auto add = [&](int dy, int rows) HWY_ATTR {
    std::uint64_t* const covered = window.covered + cell + dy * window.stride - 2;
    const __m512i masks = _mm512_maskz_andnot_epi64(0x1F, columns_from(end[rows]), columns_from(first[rows]));
    _mm512_storeu_si512(covered, _mm512_or_si512(_mm512_loadu_si512(covered), masks));
  };
  add(-2, 0);
  add(-1, 2);
  add(0, 4);
  add(1, 6);
  add(2, 1);
#elif HWY_TARGET == HWY_AVX2
  const std::int16_t* const reach = chords.rows(at.y);
  const __m256i up = _mm256_set1_epi16(static_cast<std::int16_t>(at.x + 17 * kSubSide - 1));
  const __m256i down = _mm256_set1_epi16(static_cast<std::int16_t>(at.x + 16 * kSubSide));
  const __m256i ones = _mm256_set1_epi64x(-1);
  const __m256i pairs = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 0, 8, 1, 9, 2,
                                         10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  const auto add = [&](int dy, __m128i from, __m128i to) HWY_ATTR {
    const auto columns = [&](__m128i first, __m128i end) HWY_ATTR {
      return _mm256_shuffle_epi8(_mm256_andnot_si256(_mm256_sllv_epi64(ones, _mm256_cvtepu16_epi64(end)),
                                                     _mm256_sllv_epi64(ones, _mm256_cvtepu16_epi64(first))),
                                 pairs);
    };
    const __m256i low = columns(from, to);  // rows 0 and 1, 2 and 3
    const __m256i high = columns(_mm_srli_si128(from, 8), _mm_srli_si128(to, 8));
    const __m128i a = _mm256_castsi256_si128(low);
    const __m128i b = _mm256_extracti128_si256(low, 1);
    const __m128i c = _mm256_castsi256_si128(high);
    const __m128i d = _mm256_extracti128_si256(high, 1);
    const __m128i rows03 = _mm_unpacklo_epi16(a, b);
    const __m128i rows47 = _mm_unpacklo_epi16(c, d);
    const __m256i masks =
        _mm256_set_m128i(_mm_unpackhi_epi32(rows03, rows47), _mm_unpacklo_epi32(rows03, rows47));
    const __m128i last = _mm_unpacklo_epi32(_mm_unpackhi_epi16(a, b), _mm_unpackhi_epi16(c, d));
    std::uint64_t* const covered = window.covered + cell + dy * window.stride - 2;
    auto* const four = reinterpret_cast<__m256i*>(covered);
    _mm256_storeu_si256(four, _mm256_or_si256(_mm256_loadu_si256(four), masks));
    covered[4] |= static_cast<std::uint64_t>(_mm_cvtsi128_si64(last));
  };
  for (int v = 0; v < 3; ++v) {
    const __m256i chord = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(reach + 16 * v));
    const __m256i first = _mm256_srli_epi16(_mm256_sub_epi16(up, chord), kSubBits);
    const __m256i end = _mm256_srli_epi16(_mm256_add_epi16(down, chord), kSubBits);
    add(2 * v - 2, _mm256_castsi256_si128(first), _mm256_castsi256_si128(end));
    if (v < 2) {
      add(2 * v - 1, _mm256_extracti128_si256(first, 1), _mm256_extracti128_si256(end, 1));
    }
  }
#else
  CellMasks masks;
  disc_masks(chords, at, masks);
  const hn::CappedTag<std::uint64_t, 8> d;
  for (std::int32_t dy = -2; dy <= 2; ++dy) {
    const std::uint64_t* const row = &masks[static_cast<std::size_t>(dy + 2)][0];
    std::uint64_t* const covered = window.covered + cell + dy * window.stride - 2;
    for (std::size_t i = 0; i < 5; i += hn::Lanes(d)) {
      hn::StoreU(hn::Or(hn::LoadU(d, covered + i), hn::LoadU(d, row + i)), d, covered + i);
    }
  }
#endif
}

/// Asks for the memory that `cover` will change.
HWY_INLINE void prefetch_cover(const KernelWindow& window, const RowChords& chords, std::ptrdiff_t cell) {
  const std::int16_t* const reach =
      chords.rows(static_cast<std::int32_t>((window.position[cell] >> 16) & 0x1FFFU));
  hwy::Prefetch(reach);
  hwy::Prefetch(reach + 39);
  for (std::ptrdiff_t dy = -2; dy <= 2; ++dy) {
    hwy::Prefetch(window.covered + cell + dy * window.stride);
  }
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
