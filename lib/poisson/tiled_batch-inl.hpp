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
#include <cmath>

#include "dart_region.hpp"
#include "strew/exact_math.hpp"
#include "tiled_draw-inl.hpp"
#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_reach-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class DartBatch {
 public:
  static constexpr std::size_t kMost = 128;

  explicit DartBatch(const KernelWindow& window) : window_(window) {}

  /// The cells of the batch, (y << 16 | x), to be filled before `begin`.
  [[nodiscard]] std::uint32_t* cells() { return packed_; }

  /// Draws for the first `count` of the cells, which have lost their darts and are not covered whole, on
  /// their clear sub-squares. Those whose next dart falls before `end` are due.
  HWY_INLINE void begin(std::size_t count, float end) {
    due_count_ = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    for (std::size_t i = count; i < count + hn::Lanes(DDraw()); ++i) {
      packed_[i] = packed_[0];  // drawn for and forgotten
    }
    // In loops of their own: no chain is too long for the processor to have several under way.
    draw(count);
    choose(count);
    wait(count, end);
#else
    for (std::size_t i = 0; i < count; ++i) {
      const auto cell = static_cast<std::size_t>(cell_index(window_, packed_[i]));
      index_[i] = static_cast<std::uint32_t>(cell);
      entry_[i] = window_.clock[cell];
      clear_count_[i] = static_cast<std::uint32_t>(hwy::PopCount(~window_.covered[cell]));
      const auto words =
          dart_words(window_.keys, window_.x0 + static_cast<std::int64_t>(packed_[i] & 0xFFFFU),
                     window_.y0 + static_cast<std::int64_t>(packed_[i] >> 16), entry_[i], 0);
      clear_[i] = ~window_.covered[cell];
      offsets_[i] = (words[0] & (kSubSide - 1)) | (((words[0] >> 10) & (kSubSide - 1)) << 16);
      ranks_[i] = draw_below(square_word(words[0], words[1]), clear_count_[i]);
      times_[i] = after(entry_[i], words[1],
                        static_cast<float>(clear_count_[i]) * static_cast<float>(kSubSide * kSubSide));
      if (times_[i] < end) {
        due_[due_count_++] = static_cast<std::uint32_t>(i);
      }
    }
#endif
  }

  /// Puts the darts drawn into the window, untested.
  HWY_INLINE void place(std::size_t count) {
    const KernelWindow window = window_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t cell = index_[i];
      const auto corner = static_cast<std::uint32_t>(sub_square(select_bit(clear_[i], ranks_[i])));
      darts_[i] = corner | offsets_[i];
      window.clock[cell] = times_[i];
      window.position[cell] = darts_[i] | kUntested;
    }
  }
  /// Lists the cells whose dart is of a later stage, by stages.
  HWY_INLINE void list_later(std::size_t count, float end, std::array<KernelLists::Stage, kStages>& stages) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const hn::RebindToFloat<decltype(d)> df;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto time = hn::Load(df, times_ + i);
      const std::uint32_t meant = (1U << std::min(count - i, hn::Lanes(d))) - 1U;
      add_by_stage(d, hn::Load(d, packed_ + i), time, meant & mask_bits(df, hn::Ge(time, hn::Set(df, end))),
                   stages);
    }
  }
  /// What is around the darts of the due cells.
  HWY_INLINE void reach_due(Reaches& reaches) const {
    const DCells d;
    for (std::size_t k = 0; k < due_count_; k += hn::Lanes(d)) {
      const auto number = hn::BitCast(hn::RebindToSigned<DCells>(), due_numbers(k));
      reaches.set(k, window_.stride, hn::GatherIndex(d, index_, number), hn::GatherIndex(d, darts_, number));
    }
  }
  struct Due {
    hn::VFromD<DCells> number;       ///< in the batch
    hn::VFromD<DCells> packed;       ///< y << 16 | x
    hn::VFromD<DCells> clear_count;  ///< sub-squares left
  };
  /// Of the due cells from the k-th on.
  [[nodiscard]] HWY_INLINE Due due_cells(std::size_t k) const {
    const DCells d;
    const auto number = due_numbers(k);
    const auto index = hn::BitCast(hn::RebindToSigned<DCells>(), number);
    return {number, hn::GatherIndex(d, packed_, index), hn::GatherIndex(d, clear_count_, index)};
  }
  [[nodiscard]] std::size_t due_count() const {
    return due_count_;
  }

  // Of cell i of the batch: y << 16 | x, its place in the window's arrays, its clock when it came, and the
  // time of its first draw.
  [[nodiscard]] std::uint32_t packed(std::size_t i) const {
    return packed_[i];
  }
  [[nodiscard]] std::size_t cell(std::size_t i) const {
    return index_[i];
  }
  [[nodiscard]] float entry(std::size_t i) const {
    return entry_[i];
  }
  [[nodiscard]] float first_time(std::size_t i) const {
    return times_[i];
  }

 private:
  /// Numbers of the due cells from the k-th on, and 0 where a vector has more.
  [[nodiscard]] HWY_INLINE hn::VFromD<DCells> due_numbers(std::size_t k) const {
    const DCells d;
    return hn::IfThenElseZero(hn::FirstN(d, due_count_ - k), hn::Load(d, due_ + k));
  }
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  /// Words of places and choices.
  HWY_NOINLINE void draw(std::size_t count) {
    const KernelWindow window = window_;  // a copy, which no store changes
    const CellWords words_of(window);
    const DDraw d;
    const hn::RebindToFloat<DDraw> df;
    const hn::RebindToSigned<DDraw> di;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto packed = hn::Load(d, packed_ + i);
      const auto index = cell_indices(d, window.stride, packed);
      const auto entry = hn::GatherIndex(df, window.clock, hn::BitCast(di, index));
      hn::Store(index, d, index_ + i);
      hn::Store(entry, df, entry_ + i);
      DrawWords words;
      words_of.counter(hn::And(packed, hn::Set(d, 0xFFFFU)), hn::ShiftRight<16>(packed),
                       hn::BitCast(d, entry), words);
      draw_words(keys_, words);
      hn::Store(words[0], d, places_ + i);
      hn::Store(words[1], d, choices_ + i);
    }
  }
  /// Places in a sub-square, and which of the clear ones it is.
  HWY_NOINLINE void choose(std::size_t count) {
    const std::uint64_t* const covered = window_.covered;
    const DDraw d;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto place = hn::Load(d, places_ + i);
      const auto choice = hn::Load(d, choices_ + i);
      const auto clear = count_clear(covered, i, hn::Load(d, index_ + i));
      hn::Store(offsets_in(d, kSubSide, place), d, offsets_ + i);
      hn::Store(multiply_high(d, square_words(d, place, choice), clear), d, ranks_ + i);
    }
  }
  /// Times of the darts, and which are due.
  HWY_NOINLINE void wait(std::size_t count, float end) {
    const DDraw d;
    const hn::RebindToFloat<DDraw> df;
    const hn::RebindToSigned<DDraw> di;
    std::size_t due_count = 0;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto area = hn::Mul(hn::ConvertTo(df, hn::BitCast(di, hn::Load(d, clear_count_ + i))),
                                hn::Set(df, static_cast<float>(kSubSide * kSubSide)));
      const auto time =
          times_after(hn::Load(df, entry_ + i), exponential(df, hn::Load(d, choices_ + i)), area);
      hn::Store(time, df, times_ + i);
      const std::uint32_t meant = (1U << std::min(count - i, hn::Lanes(d))) - 1U;
      const std::uint32_t due = meant & mask_bits(df, hn::Lt(time, hn::Set(df, end)));
      due_count += compress(d, hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<std::uint32_t>(i))), due,
                            due_ + due_count);
    }
    due_count_ = due_count;
  }
  /// Counts the clear sub-squares of the cells from lane i on.
  HWY_INLINE hn::VFromD<DDraw> count_clear(const std::uint64_t* covered, std::size_t i,
                                           hn::VFromD<DDraw> index) {
    const hn::CappedTag<std::uint64_t, hn::MaxLanes(DDraw()) / 2> d64;
    const hn::Rebind<std::uint32_t, decltype(d64)> half;
    // In registers: a vector loaded of two that have just been stored would wait for both.
    const auto count = [&](auto indices, std::size_t at) HWY_ATTR {
      const auto clear = hn::Not(hn::GatherIndex(
          d64, covered, hn::BitCast(hn::RebindToSigned<decltype(d64)>(), hn::PromoteTo(d64, indices))));
      hn::StoreU(clear, d64, clear_ + at);
      return hn::TruncateTo(half, hn::PopulationCount(clear));
    };
    const auto lower = count(hn::LowerHalf(half, index), i);
    const auto upper = count(hn::UpperHalf(half, index), i + hn::Lanes(half));
    const auto clear = hn::Combine(DDraw(), upper, lower);
    hn::Store(clear, DDraw(), clear_count_ + i);
    return clear;
  }
#else
  /// The time after the wait of a draw on `area`, when it was `time`; always later, were it by one float.
  static float after(float time, std::uint32_t choice, float area) {
    const float next = std::bit_cast<float>(std::bit_cast<std::uint32_t>(time) + 1U);
    return std::max(time + exact_exponential(choice) * (kCellArea / area), next);
  }
#endif

  const KernelWindow& window_;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const VectorKeys keys_{window_.keys};
  alignas(64) std::uint32_t places_[kMost];
  alignas(64) std::uint32_t choices_[kMost];
#endif
  // The batch, and as much as a vector may add.
  alignas(64) std::uint32_t packed_[kMost + 16];
  alignas(64) std::uint32_t index_[kMost];
  alignas(64) float entry_[kMost];  ///< clocks
  alignas(64) std::uint32_t offsets_[kMost];
  alignas(64) std::uint32_t ranks_[kMost];
  alignas(64) std::uint32_t darts_[kMost];
  alignas(64) std::uint64_t clear_[kMost];
  alignas(64) std::uint32_t clear_count_[kMost];
  alignas(64) float times_[kMost];
  alignas(64) std::uint32_t due_[kMost + 16];
  std::size_t due_count_ = 0;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
