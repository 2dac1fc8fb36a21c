// Batches of poisson/tiled: the first draws of cells that have lost their darts, made together.
#if defined(STREW_POISSON_TILED_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_BATCH_INL
#undef STREW_POISSON_TILED_BATCH_INL
#else
#define STREW_POISSON_TILED_BATCH_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "dart_region.hpp"
#include "strew/exact_math.hpp"
#include "tiled_draw-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class DartBatch {
 public:
  static constexpr std::size_t kMost = 256;
  static constexpr std::int32_t kFirstSide = kCellSteps / 8;
  static constexpr float kCellArea = static_cast<float>(kCellSteps) * static_cast<float>(kCellSteps);

  explicit DartBatch(const KernelWindow& window) : window_(window) {}

  /// The cells of the batch, (y << 16 | x), to be filled before `begin`.
  [[nodiscard]] std::uint32_t* cells() { return packed_; }

  /// Draws for the first `count` of the cells, which have lost their darts, on what the stage left of them.
  /// The clocks of all are put to `end`; those whose next dart may fall before are due, the others are added
  /// to `later` if it is wanted.
  HWY_INLINE void begin(std::size_t count, float end, WordList* later) {
    due_count_ = 0;
    current_ = kMost;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    const DDraw d;
    const hn::RebindToFloat<DDraw> df;
    const hn::RebindToSigned<DDraw> di;
    for (std::size_t i = count; i < count + hn::Lanes(d); ++i) {
      packed_[i] = packed_[0];  // drawn for and forgotten
    }
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto packed = hn::LoadU(d, packed_ + i);
      const auto x = hn::And(packed, hn::Set(d, 0xFFFFU));
      const auto y = hn::ShiftRight<16>(packed);
      const auto index = hn::Add(hn::Mul(y, hn::Set(d, static_cast<std::uint32_t>(window_.stride))), x);
      const auto entry = hn::GatherIndex(df, window_.clock, hn::BitCast(di, index));
      hn::ScatterIndex(hn::Set(df, end), df, window_.clock, hn::BitCast(di, index));
      hn::Store(index, d, index_ + i);
      hn::Store(entry, df, entry_ + i);
      DrawWords words;
      words_of_.counter(x, y, hn::BitCast(d, entry), words);
      draw_words(keys_, words);
      for (std::size_t w = 0; w < 4; ++w) {
        hn::Store(words[w], d, words_[w] + i);
      }
      count_clear(i, index);
      const auto area = hn::Mul(hn::ConvertTo(df, hn::Load(di, clear_count_ + i)),
                                hn::Set(df, static_cast<float>(kFirstSide * kFirstSide)));
      const auto gap = hn::Div(hn::Set(df, kCellArea), area);
      const auto wait = exponential(df, words[1]);
      const auto next = hn::BitCast(df, hn::Add(hn::BitCast(di, entry), hn::Set(di, 1)));
      const auto time = hn::Max(hn::Add(entry, hn::Mul(wait, gap)), next);
      hn::Store(gap, df, gaps_ + i);
      hn::Store(time, df, times_ + i);
      const std::uint32_t meant = (1U << std::min(count - i, hn::Lanes(d))) - 1U;
      const std::uint32_t due = meant & mask_bits(df, hn::Lt(time, hn::Set(df, end)));
      due_count_ +=
          compress(d, hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<std::uint32_t>(i))), due, due_ + due_count_);
      if (later != nullptr) {
        later->size += compress(d, packed, meant & ~due, later->memory.data() + later->size);
      }
    }
#else
    for (std::size_t i = 0; i < count; ++i) {
      const auto cell = static_cast<std::size_t>(cell_index(window_, packed_[i]));
      index_[i] = static_cast<std::uint32_t>(cell);
      entry_[i] = window_.clock[cell];
      window_.clock[cell] = end;
      for (std::uint32_t half = 0; half < 2; ++half) {
        const auto draw = dart_words(window_.keys, window_.x0 + static_cast<std::int64_t>(packed_[i] & 0xFFFFU),
                                     window_.y0 + static_cast<std::int64_t>(packed_[i] >> 16), entry_[i], half);
        words_[2 * half][i] = draw[0];
        words_[2 * half + 1][i] = draw[1];
      }
      clear_count_[i] = static_cast<std::int32_t>(hwy::PopCount(~window_.covered[cell]));
      gaps_[i] =
          kCellArea / (static_cast<float>(clear_count_[i]) * static_cast<float>(kFirstSide * kFirstSide));
      const float next = std::bit_cast<float>(std::bit_cast<std::uint32_t>(entry_[i]) + 1U);
      times_[i] = std::max(entry_[i] + exact_exponential(words_[1][i]) * gaps_[i], next);
      if (times_[i] < end) {
        due_[due_count_++] = static_cast<std::uint32_t>(i);
      } else if (later != nullptr) {
        later->push(packed_[i]);
      }
    }
#endif
  }

  [[nodiscard]] std::size_t due_count() const { return due_count_; }
  /// Number in the batch of the k-th due cell.
  [[nodiscard]] std::size_t due(std::size_t k) const { return due_[k]; }

  // Of cell i of the batch: y << 16 | x, its place in the window's arrays, the mean time between darts on the
  // sub-squares left to it, their number, and the time and the words of its first draw.
  [[nodiscard]] std::uint32_t packed(std::size_t i) const { return packed_[i]; }
  [[nodiscard]] std::size_t cell(std::size_t i) const { return index_[i]; }
  [[nodiscard]] float gap(std::size_t i) const { return gaps_[i]; }
  [[nodiscard]] std::uint32_t clear_count(std::size_t i) const {
    return static_cast<std::uint32_t>(clear_count_[i]);
  }
  [[nodiscard]] float first_time(std::size_t i) const { return times_[i]; }
  [[nodiscard]] std::uint32_t first_place(std::size_t i) const { return words_[0][i]; }
  [[nodiscard]] std::uint32_t first_choice(std::size_t i) const { return words_[1][i]; }

  struct Draw {
    std::uint32_t place;
    std::uint32_t choice;
    float wait;
  };

  /// Makes cell i of the batch the current one, whose first draw has missed.
  HWY_INLINE void enter(std::size_t i) {
    current_ = i;
    draws_ = 1;
  }
  /// The next draw of the current cell: the second of the batch's block, then from blocks made for it alone.
  HWY_INLINE Draw draw() {
    const std::uint32_t count = draws_++;
    if (count >= 2) {
      return draw_more(count);
    }
    const std::uint32_t choice = words_[3][current_];
    return {words_[2][current_], choice, exact_exponential(choice)};
  }

 private:
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  /// Counts the clear sub-squares of the cells from lane i on.
  HWY_INLINE void count_clear(std::size_t i, hn::VFromD<DDraw> index) {
    const hn::CappedTag<std::uint64_t, hn::MaxLanes(DDraw()) / 2> d64;
    const hn::Rebind<std::uint32_t, decltype(d64)> half;
    const auto count = [&](auto indices) HWY_ATTR {
      const auto covered =
          hn::GatherIndex(d64, window_.covered,
                          hn::BitCast(hn::RebindToSigned<decltype(d64)>(), hn::PromoteTo(d64, indices)));
      return hn::TruncateTo(half, hn::PopulationCount(hn::Not(covered)));
    };
    hn::StoreU(count(hn::LowerHalf(half, index)), half, reinterpret_cast<std::uint32_t*>(clear_count_) + i);
    hn::StoreU(count(hn::UpperHalf(half, index)), half,
               reinterpret_cast<std::uint32_t*>(clear_count_) + i + hn::Lanes(half));
  }
#endif

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  /// As many blocks as a vector holds are made at once.
  HWY_INLINE Draw draw_more(std::uint32_t count) {
    const auto block = static_cast<std::size_t>(count / 2 - 1) % hn::MaxLanes(DDraw());
    const std::size_t half = count % 2;
    if (block == 0 && half == 0) {
      fill_more(count / 2);
    }
    return {more_words_[2 * half][block], more_words_[2 * half + 1][block], more_waits_[half][block]};
  }
  HWY_NOINLINE void fill_more(std::uint32_t first) {
    const DDraw d;
    const hn::RebindToFloat<DDraw> df;
    DrawWords words;
    words_of_.counter(hn::Set(d, packed_[current_] & 0xFFFFU), hn::Set(d, packed_[current_] >> 16),
                      hn::Set(d, std::bit_cast<std::uint32_t>(entry_[current_])), words);
    words[3] = hn::Or(words[3], hn::ShiftLeft<16>(hn::Iota(d, first)));
    draw_words(keys_, words);
    for (std::size_t w = 0; w < 4; ++w) {
      hn::Store(words[w], d, more_words_[w]);
    }
    hn::Store(exponential(df, words[1]), df, more_waits_[0]);
    hn::Store(exponential(df, words[3]), df, more_waits_[1]);
  }
#else
  HWY_NOINLINE Draw draw_more(std::uint32_t count) {
    const auto words =
        dart_words(window_.keys, window_.x0 + static_cast<std::int64_t>(packed_[current_] & 0xFFFFU),
                   window_.y0 + static_cast<std::int64_t>(packed_[current_] >> 16), entry_[current_], count);
    return {words[0], words[1], exact_exponential(words[1])};
  }
#endif

  const KernelWindow& window_;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const CellWords words_of_{window_};
  const VectorKeys keys_{window_.keys};
  alignas(64) std::uint32_t more_words_[4][hn::MaxLanes(DDraw())];  ///< blocks from the third draw on
  alignas(64) float more_waits_[2][hn::MaxLanes(DDraw())];
#endif
  // The batch, and as much as a vector may add.
  alignas(64) std::uint32_t packed_[kMost + 16];
  alignas(64) std::uint32_t index_[kMost];
  alignas(64) float entry_[kMost];  ///< clocks
  alignas(64) std::uint32_t words_[4][kMost];
  alignas(64) std::int32_t clear_count_[kMost];
  alignas(64) float gaps_[kMost];
  alignas(64) float times_[kMost];
  alignas(64) std::uint32_t due_[kMost + 16];
  std::size_t due_count_ = 0;
  std::size_t current_ = 0;
  std::uint32_t draws_ = 0;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
