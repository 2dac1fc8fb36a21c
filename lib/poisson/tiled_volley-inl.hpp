// Sixteen draws of one cell at once: the first that hits uncovered ground is its next dart.
#if defined(STREW_POISSON_TILED_VOLLEY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_VOLLEY_INL
#undef STREW_POISSON_TILED_VOLLEY_INL
#else
#define STREW_POISSON_TILED_VOLLEY_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "dart_region.hpp"
#include "tiled_draw-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct Shot {
  bool hit;
  float time;  ///< of the draw that hit, or of the last
  std::uint32_t dart;
};

class Volley {
 public:
  explicit Volley(const KernelWindow& window) : window_(window) {}

  /// The volley of `level` (0: parts of side 256) of a cell (y << 16 | x) that was entered at `entry`, fired
  /// at `time` on `count` parts, corners as pairs, of side `side`. Discs: their centres as pairs,
  /// `disc_count` of them, and some far away that make up four.
  HWY_INLINE Shot fire(std::uint32_t packed, float entry, std::uint32_t level, float time,
                       const std::uint32_t* parts, std::uint32_t count, std::int32_t side,
                       const std::int32_t* discs, std::uint32_t disc_count) const {
    alignas(64) std::uint32_t places[kVolley];
    alignas(64) std::uint32_t choices[kVolley];
    draw(packed, entry, level, places, choices);
    alignas(64) float times[kVolley];
    const float area = static_cast<float>(count) * static_cast<float>(side * side);
    volley_times(choices, time, area, times);
    alignas(64) std::int32_t darts[kVolley];
    const DPair d;
    const hn::RebindToUnsigned<DPair> du;
    std::uint32_t hits = 0;
    for (std::size_t i = 0; i < kVolley; i += hn::Lanes(d)) {
      const auto place = hn::Load(du, places + i);
      const auto rank =
          multiply_high(du, square_words(du, place, hn::Load(du, choices + i)), hn::Set(du, count));
      const auto corner = hn::GatherIndex(du, parts, hn::BitCast(d, rank));
      const auto dart = hn::BitCast(d, hn::Or(corner, offsets_in(du, side, place)));
      hn::Store(dart, d, darts + i);
      auto least = hn::Set(d, kRadiusSquared);
      const auto add = [&](std::uint32_t p) HWY_ATTR {
        least = hn::Min(least, squared_length(d, subtract_pairs(d, dart, hn::Set(d, discs[p]))));
      };
      add(0), add(1), add(2), add(3);
      for (std::uint32_t p = 4; p < disc_count; ++p) {
        add(p);
      }
      hits |= mask_bits(d, hn::Eq(least, hn::Set(d, kRadiusSquared))) << i;
    }
    const auto first =
        std::min<std::uint32_t>(static_cast<std::uint32_t>(std::countr_zero(hits)), kVolley - 1);
    return {hits != 0, times[first], static_cast<std::uint32_t>(darts[first])};
  }

 private:
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  /// Words of the places and of the waits.
  HWY_INLINE void draw(std::uint32_t packed, float entry, std::uint32_t level, std::uint32_t* places,
                       std::uint32_t* choices) const {
    const DDraw d;
    const auto counter =
        dart_counter(window_.x0 + static_cast<std::int64_t>(packed & 0xFFFFU),
                     window_.y0 + static_cast<std::int64_t>(packed >> 16), entry, volley_draw(level) / 2);
    alignas(16) std::uint32_t words[4];
    std::copy(counter.begin(), counter.end(), words);
    const auto four = hn::LoadDup128(d, words);
    for (std::size_t i = 0; i < kVolley; i += hn::Lanes(d)) {
      const auto low = draw_blocks(keys_, hn::Add(four, hn::Load(d, kBlocks + 2 * i)));
      const auto high = draw_blocks(keys_, hn::Add(four, hn::Load(d, kBlocks + 2 * i + hn::Lanes(d))));
      hn::Store(hn::ConcatEven(d, high, low), d, places + i);
      hn::Store(hn::ConcatOdd(d, high, low), d, choices + i);
    }
  }

  /// volley_times of the reference.
  static HWY_INLINE void volley_times(const std::uint32_t* choices, float time, float area, float* times) {
    const DDraw d;
    const hn::RebindToFloat<DDraw> df;
    const auto at = [&](hn::VFromD<decltype(df)> waits)
                        HWY_ATTR { return times_after(hn::Set(df, time), waits, hn::Set(df, area)); };
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    static_assert(hn::MaxLanes(df) == kVolley);
    const __m512i none = _mm512_setzero_si512();
    __m512 sum = exponential(df, hn::Load(d, choices)).raw;
    const auto shifted = [&](auto lanes) HWY_ATTR {
      return _mm512_castsi512_ps(
          _mm512_alignr_epi32(_mm512_castps_si512(sum), none, 16 - decltype(lanes)::value));
    };
    sum = _mm512_add_ps(sum, shifted(std::integral_constant<int, 1>{}));
    sum = _mm512_add_ps(sum, shifted(std::integral_constant<int, 2>{}));
    sum = _mm512_add_ps(sum, shifted(std::integral_constant<int, 4>{}));
    sum = _mm512_add_ps(sum, shifted(std::integral_constant<int, 8>{}));
    hn::Store(at(hn::VFromD<decltype(df)>{sum}), df, times);
#else
    for (std::size_t i = 0; i < kVolley; i += hn::Lanes(d)) {
      hn::Store(exponential(df, hn::Load(d, choices + i)), df, times + i);
    }
    running_sums(times);
    for (std::size_t i = 0; i < kVolley; i += hn::Lanes(d)) {
      hn::Store(at(hn::Load(df, times + i)), df, times + i);
    }
#endif
  }
#else
  void draw(std::uint32_t packed, float entry, std::uint32_t level, std::uint32_t* places,
            std::uint32_t* choices) const {
    volley_words(window_.keys, window_.x0 + static_cast<std::int64_t>(packed & 0xFFFFU),
                 window_.y0 + static_cast<std::int64_t>(packed >> 16), entry, level, places, choices);
  }
  static void volley_times(const std::uint32_t* choices, float time, float area, float* times) {
    poisson::volley_times(choices, time, area, times);
  }
#endif

  /// Added to the counters of 8 blocks, word by word: the numbers of the blocks.
  alignas(64) static constexpr std::uint32_t kBlocks[2 * kVolley] = {
      0, 0, 0, 0U << 16, 0, 0, 0, 1U << 16, 0, 0, 0, 2U << 16, 0, 0, 0, 3U << 16,
      0, 0, 0, 4U << 16, 0, 0, 0, 5U << 16, 0, 0, 0, 6U << 16, 0, 0, 0, 7U << 16};

  const KernelWindow& window_;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const VectorKeys keys_{window_.keys};
#endif
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
