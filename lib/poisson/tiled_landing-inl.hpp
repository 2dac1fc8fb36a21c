// Landing: whether a dart may, what it does to the cells around, and what it covers.
#if defined(STREW_POISSON_TILED_LANDING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_LANDING_INL
#undef STREW_POISSON_TILED_LANDING_INL
#else
#define STREW_POISSON_TILED_LANDING_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_reach-inl.hpp"
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

/// Asks of the darts of `count` cells, kPiece at most, whether they are lost, must wait for an undecided cell
/// that they may be in conflict with and that has an earlier clock, or may land: the lost are added to
/// `dead`, those that may land to `landed`, the others put to `waiting`, where the cells themselves may
/// stand. Returns the number of the others.
HWY_NOINLINE std::size_t ask_darts(const KernelWindow& all, const std::uint32_t* cells, std::size_t count,
                                   WordList& dead, WordList& landed, std::uint32_t* waiting) {
  const KernelWindow window = all;
  Reaches at;
  at.find(window, cells, count);
  const DReach d;
  const hn::RebindToFloat<DReach> df;
  std::uint32_t earlier[kPiece];
  for (std::size_t i = 0; i < count; ++i) {
    const float* const first = window.clock + at.first[i];
    const auto own = hn::Set(d, std::bit_cast<std::int32_t>(window.clock[at.cell[i]]));
    std::uint32_t bits = 0;
    for (std::size_t lane = 0; lane < kReachCells; lane += hn::Lanes(d)) {
      const auto bound = hn::Add(own, hn::Load(d, kReachTable.lane + at.lanes[i] + kAddedLane + lane));
      bits |= mask_bits(df, hn::Lt(load_reach(first, window.stride, lane), hn::BitCast(df, bound)));
    }
    earlier[i] = bits;
  }
  const DCells d_cells;
  std::uint32_t* const dead_out = dead.memory.data();
  std::uint32_t* const landed_out = landed.memory.data();
  std::size_t dead_size = dead.size;
  std::size_t landed_size = landed.size;
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d_cells)) {
    const auto packed = hn::LoadU(d_cells, cells + i);
    const std::uint32_t meant = (1U << std::min(count - i, hn::Lanes(d_cells))) - 1U;
    const std::uint32_t lost = meant & has_bits(d_cells, hn::Load(d_cells, at.word + i), kDead);
    const std::uint32_t waits =
        meant & ~lost & mask_bits(d_cells, hn::Ne(hn::LoadU(d_cells, earlier + i), hn::Zero(d_cells)));
    dead_size += compress(d_cells, packed, lost, dead_out + dead_size);
    landed_size += compress(d_cells, packed, meant & ~lost & ~waits, landed_out + landed_size);
    left += compress(d_cells, packed, waits, waiting + left);
  }
  dead.size = dead_size;
  landed.size = landed_size;
  return left;
}

/// Makes the darts of `count` cells, kPiece at most, points and marks the darts in conflict with them.
HWY_NOINLINE void land_piece(const KernelWindow& all, const std::uint32_t* cells, std::size_t count) {
  const KernelWindow window = all;
  Reaches at;
  at.find(window, cells, count);
  const DReach d;
  for (std::size_t i = 0; i < count; ++i) {
    auto* const around = reinterpret_cast<std::int32_t*>(window.position) + at.first[i];
    const auto own = hn::Set(d, static_cast<std::int32_t>(at.word[i]));
    window.clock[at.cell[i]] = HUGE_VALF;
    for (std::size_t lane = 0; lane < kReachCells; lane += hn::Lanes(d)) {
      const auto word = load_reach(around, window.stride, lane);
      const auto from_corner =
          subtract_pairs(d, own, hn::Load(d, kReachTable.lane + at.lanes[i] + kOriginLane + lane));
      const auto conflict =
          hn::VecFromMask(d, in_radius(d, subtract_pairs(d, from_corner, fractions(d, word))));
      const auto dead = hn::And(conflict, hn::Set(d, static_cast<std::int32_t>(kDead)));
      store_reach(hn::Or(word, dead), around, window.stride, lane);
    }
    window.position[at.cell[i]] = at.word[i] | kIsPoint | kIsFresh;
  }
}

/// Columns of sub-squares before each of four cells, for each row.
alignas(32) inline constexpr std::uint64_t kBeforeCells[4] = {0, 0x0808080808080808, 0x1010101010101010,
                                                              0x1818181818181818};

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
/// Adds what a point covers to the masks of the 4 x 4 cells around: `covered` is that of the first of them,
/// `half_chords` those of the 32 rows of sub-squares, `left` how far to the right of the first cell's left
/// side the point is.
HWY_INLINE void cover(std::uint64_t* covered, std::ptrdiff_t stride, const std::int16_t* half_chords,
                      std::int32_t left) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  // For the 32 rows of sub-squares around, in 16-bit lanes and then in bytes: the first column between the
  // half chords, counted from the left of the 4 x 4 cells, and the one after the last.
  const __m512i chord = _mm512_loadu_si512(half_chords);
  const __m512i first = _mm512_srli_epi16(
      _mm512_sub_epi16(_mm512_set1_epi16(static_cast<std::int16_t>(left + kSubSide - 1)), chord), kSubBits);
  const __m512i end = _mm512_srli_epi16(
      _mm512_add_epi16(_mm512_set1_epi16(static_cast<std::int16_t>(left)), chord), kSubBits);
  // Rows in eights, firsts and ends by turns.
  const __m512i rows = _mm512_packus_epi16(first, end);
  // A byte is the columns of one row of one cell: those from n on are bits ~0 << n, none from 8 on.
  const __m512i before =
      _mm512_broadcast_i64x4(_mm256_load_si256(reinterpret_cast<const __m256i*>(kBeforeCells)));
  const __m512i from_on = _mm512_setr_epi64(static_cast<long long>(0x80C0E0F0F8FCFEFF), 0, 0, 0, 0, 0, 0, 0);
  const auto columns_from = [&](long long lower, long long higher) HWY_ATTR {
    const __m512i each = _mm512_setr_epi64(lower, lower, lower, lower, higher, higher, higher, higher);
    const __m512i number = _mm512_subs_epu8(_mm512_permutexvar_epi64(each, rows), before);
#if HWY_TARGET <= HWY_AVX3_DL
    return _mm512_permutexvar_epi8(number, from_on);
#else
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm512_castsi512_si128(from_on)),
                               _mm512_min_epu8(number, _mm512_set1_epi8(15)));
#endif
  };
  // Two rows of cells.
  const auto add = [&](std::uint64_t* two_rows, long long first_rows) HWY_ATTR {
    auto* const lower = reinterpret_cast<__m256i*>(two_rows);
    auto* const higher = reinterpret_cast<__m256i*>(two_rows + stride);
    const __m512i old =
        _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(lower)), _mm256_loadu_si256(higher), 1);
    constexpr int kOrFirstWithoutEnd = 0xF4;  // bits of a | (b & ~c)
    const __m512i now =
        _mm512_ternarylogic_epi64(old, columns_from(first_rows, first_rows + 2),
                                  columns_from(first_rows + 1, first_rows + 3), kOrFirstWithoutEnd);
    _mm256_storeu_si256(lower, _mm512_castsi512_si256(now));
    _mm256_storeu_si256(higher, _mm512_extracti64x4_epi64(now, 1));
  };
  add(covered, 0);
  add(covered + 2 * stride, 4);
#else
  // The same, a row of cells at a time.
  const hn::CappedTag<std::uint16_t, 8> d16;
  const hn::Rebind<std::uint8_t, decltype(d16)> d8;
  const hn::CappedTag<std::uint64_t, 4> d64;
  const hn::Repartition<std::uint8_t, decltype(d64)> bytes;
  alignas(16) static constexpr std::uint8_t kFromOn[16] = {0xFF, 0xFE, 0xFC, 0xF8, 0xF0, 0xE0, 0xC0, 0x80};
  const auto columns = [](auto d, hn::VFromD<decltype(d16)> count) HWY_ATTR {
    const hn::RebindToSigned<decltype(d16)> signed16;
    const auto narrow = hn::DemoteTo(decltype(d8)(), hn::BitCast(signed16, hn::ShiftRight<kSubBits>(count)));
    return hn::Set(d, hn::GetLane(hn::BitCast(hn::CappedTag<std::uint64_t, 1>(), narrow)));
  };
  for (std::ptrdiff_t row = 0; row < 4; ++row) {
    const auto half = hn::BitCast(d16, hn::LoadU(hn::RebindToSigned<decltype(d16)>(), half_chords + 8 * row));
    const auto first =
        columns(d64, hn::Sub(hn::Set(d16, static_cast<std::uint16_t>(left + kSubSide - 1)), half));
    const auto end = columns(d64, hn::Add(hn::Set(d16, static_cast<std::uint16_t>(left)), half));
    std::uint64_t* const cells = covered + row * stride;
    for (std::size_t i = 0; i < 4; i += hn::Lanes(d64)) {
      const auto before = hn::BitCast(bytes, hn::LoadU(d64, kBeforeCells + i));
      const auto columns_from = [&](hn::VFromD<decltype(d64)> rows) HWY_ATTR {
        const auto number = hn::Min(hn::SaturatedSub(hn::BitCast(bytes, rows), before), hn::Set(bytes, 15));
        return hn::BitCast(d64, hn::TableLookupBytes(hn::LoadDup128(bytes, kFromOn), number));
      };
      const auto mask = hn::AndNot(columns_from(end), columns_from(first));
      hn::StoreU(hn::Or(hn::LoadU(d64, cells + i), mask), d64, cells + i);
    }
  }
#endif
}
#endif

/// Adds what the points of `count` cells, kPiece at most, cover to the masks around them.
HWY_NOINLINE void cover_piece(const KernelWindow& all, const RowChords& chords, const std::uint32_t* cells,
                              std::size_t count) {
  const KernelWindow window = all;
  Reaches at;
  at.find(window, cells, count);
  for (std::size_t i = 0; i < count; ++i) {
    const Fraction point{static_cast<std::int32_t>(at.word[i] & 0x1FFFU),
                         static_cast<std::int32_t>((at.word[i] >> 16) & 0x1FFFU)};
    window.position[at.cell[i]] = at.word[i] & ~kIsFresh;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    const auto quarter = static_cast<std::int32_t>(at.lanes[i] / kQuarterLanes);
    cover(window.covered + at.first[i], window.stride, chords.rows(point.y) + 8 * (quarter >> 1),
          point.x + (16 - 8 * (quarter & 1)) * kSubSide);
#else
    CellMasks masks;
    disc_masks(chords, point, masks);
    for (std::ptrdiff_t dy = -2; dy <= 2; ++dy) {
      for (std::ptrdiff_t dx = -2; dx <= 2; ++dx) {
        window.covered[static_cast<std::ptrdiff_t>(at.cell[i]) + dy * window.stride + dx] |=
            masks[static_cast<std::size_t>(dy + 2)][static_cast<std::size_t>(dx + 2)];
      }
    }
#endif
  }
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
