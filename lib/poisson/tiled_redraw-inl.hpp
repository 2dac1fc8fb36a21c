// The dart after a lost one, in vector form: next_dart of the reference, bit for bit.
#if defined(STREW_POISSON_TILED_REDRAW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_REDRAW_INL
#undef STREW_POISSON_TILED_REDRAW_INL
#else
#define STREW_POISSON_TILED_REDRAW_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "dart_region.hpp"
#include "strew/exact_math.hpp"
#include "tiled_draw-inl.hpp"
#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class Redraw {
 public:
  explicit Redraw(const KernelWindow& window) : window_(window), squares_(window.lists->squares) {}

  /// Cells of one batch: their first two draws are made together.
  static constexpr std::size_t kBatch = 16;
  /// Draws for the cells `cells` (y << 16 | x) of a batch, which have lost their darts, on what the stage
  /// left of them. Bits of those whose next dart may fall before `end`; the clocks of the others are put to
  /// `end`. Only the first `count` cells are meant; the others repeat one of them.
  [[nodiscard]] HWY_INLINE std::uint32_t begin(const std::uint32_t (&cells)[kBatch], std::size_t count,
                                               float end) {
    std::uint32_t due = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    const DDraw d;
    const hn::RebindToFloat<DDraw> df;
    const hn::RebindToSigned<DDraw> di;
    for (std::size_t i = 0; i < kBatch; i += hn::Lanes(d)) {
      const auto packed = hn::LoadU(d, cells + i);
      const auto x = hn::And(packed, hn::Set(d, 0xFFFFU));
      const auto y = hn::ShiftRight<16>(packed);
      const auto index = hn::Add(hn::Mul(y, hn::Set(d, static_cast<std::uint32_t>(window_.stride))), x);
      const auto entry = hn::GatherIndex(df, window_.clock, hn::BitCast(di, index));
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
      hn::Store(wait, df, waits_ + i);
      due |= mask_bits(df, hn::Lt(time, hn::Set(df, end))) << i;
    }
#else
    for (std::size_t i = 0; i < count; ++i) {
      const auto cell = static_cast<std::size_t>(cell_index(window_, cells[i]));
      index_[i] = static_cast<std::uint32_t>(cell);
      entry_[i] = window_.clock[cell];
      for (std::uint32_t half = 0; half < 2; ++half) {
        const auto draw = dart_words(window_.keys, window_.x0 + static_cast<std::int64_t>(cells[i] & 0xFFFFU),
                                     window_.y0 + static_cast<std::int64_t>(cells[i] >> 16), entry_[i], half);
        words_[2 * half][i] = draw[0];
        words_[2 * half + 1][i] = draw[1];
      }
      clear_count_[i] = static_cast<std::int32_t>(hwy::PopCount(~window_.covered[cell]));
      gaps_[i] =
          kCellArea / (static_cast<float>(clear_count_[i]) * static_cast<float>(kFirstSide * kFirstSide));
      waits_[i] = exact_exponential(words_[1][i]);
      const float next = std::bit_cast<float>(std::bit_cast<std::uint32_t>(entry_[i]) + 1U);
      due |= (std::max(entry_[i] + waits_[i] * gaps_[i], next) < end ? 1U : 0U) << i;
    }
#endif
    const std::uint32_t meant = (1U << count) - 1U;
    due &= meant;
    for (std::uint32_t left = meant ^ due; left != 0; left &= left - 1) {
      window_.clock[index_[hwy::Num0BitsBelowLS1Bit_Nonzero32(left)]] = end;
    }
    end_ = end;
    has_second_waits_ = false;
    return due;
  }

  /// next_dart for cell i of the batch, whose first draw falls before the end of the stage.
  HWY_INLINE void next(std::size_t i, std::uint32_t packed) {
    const std::size_t cell = index_[i];
    const std::uint64_t clear = ~window_.covered[cell];
    gather(static_cast<std::ptrdiff_t>(cell));
    batch_index_ = i;
    packed_ = packed;
    draws_ = 0;
    dart_ = static_cast<std::int32_t>(kDead);
    time_ = entry_[i];
    const bool lost = find(clear) && has_fresh_ && covered_by_fresh(static_cast<std::ptrdiff_t>(cell), dart_);
    window_.clock[cell] = time_;
    window_.position[cell] = static_cast<std::uint32_t>(dart_) | (lost ? kDead : 0U);
  }

  /// Bits of the cells of which it is not known what the stage left: a neighbour is undecided from before it.
  [[nodiscard]] HWY_INLINE std::uint32_t unknown(const std::uint32_t (&cells)[kBatch], float stage) const {
    const hn::CappedTag<std::uint32_t, kBatch> d;
    const auto across = hn::Set(d, static_cast<std::uint32_t>(window_.width - 1));
    const auto along = hn::Set(d, static_cast<std::uint32_t>(window_.height - 1));
    auto depth = hn::Set(d, 0xFFFFU);
    for (std::size_t i = 0; i < kBatch; i += hn::Lanes(d)) {
      const auto packed = hn::LoadU(d, cells + i);
      const auto x = hn::And(packed, hn::Set(d, 0xFFFFU));
      const auto y = hn::ShiftRight<16>(packed);
      depth = hn::Min(depth, hn::Min(hn::Min(x, hn::Sub(across, x)), hn::Min(y, hn::Sub(along, y))));
    }
    const auto safe = hn::Set(d, static_cast<std::uint32_t>(unknown_depth_ + 2));
    if (HWY_LIKELY(hn::AllTrue(d, hn::Gt(depth, safe)))) {
      return 0;
    }
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kBatch; ++i) {
      const auto cell = static_cast<std::ptrdiff_t>(cell_index(window_, cells[i]));
      bits |= (surroundings_known(cell, stage) ? 0U : 1U) << i;
    }
    return bits;
  }
  /// Tells that the fate of a cell stays unknown from the current stage on.
  void note_unknown(std::uint32_t packed) {
    note_unknown_depth(depth(packed));
  }
  /// The same for all cells up to a distance from the window's border.
  void note_unknown_depth(std::int32_t depth) {
    unknown_depth_ = std::max(unknown_depth_, depth);
  }

 private:
  [[nodiscard]] std::size_t index(std::uint32_t x, std::uint32_t y) const noexcept {
    return std::size_t{y} * static_cast<std::size_t>(window_.stride) + x;
  }

  /// Collects the points around a cell.
  HWY_INLINE void gather(std::ptrdiff_t cell) {
    const DNear d;
    const auto fresh_bits = hn::Set(d, static_cast<std::int32_t>(kIsPoint | kIsFresh));
    auto any_fresh = hn::Zero(d);
    for (std::size_t v = 0; v < kNearVectors; ++v) {
      const std::size_t i = v * hn::Lanes(d);
      const auto word =
          hn::And(load_near(reinterpret_cast<const std::int32_t*>(window_.position), cell, window_.stride, v),
                  hn::Load(d, kNearTable.neighbour + i));
      const auto pair = add_pairs(d, hn::Load(d, kNearTable.origin + i), fractions(d, word));
      // As signed numbers: older points < points of the stage < 0 <= darts.
      const auto old = hn::Lt(word, fresh_bits);
      hn::Store(hn::IfThenElse(old, pair, hn::Set(d, kFarPair)), d, near_ + i);
      any_fresh = hn::Or(any_fresh, word);
    }
    const auto fresh_bit = hn::Set(d, static_cast<std::int32_t>(kIsFresh));
    has_fresh_ = !hn::AllFalse(d, hn::Eq(hn::And(any_fresh, fresh_bit), fresh_bit));
  }

  /// Whether an older point's disc covers the position.
  [[nodiscard]] HWY_INLINE bool covers(std::int32_t position) const {
    const DNear d;
    auto least = hn::Set(d, kRadiusSquared);
    for (std::size_t i = 0; i < kNearLanes; i += hn::Lanes(d)) {
      const auto away = subtract_pairs(d, hn::Load(d, near_ + i), hn::Set(d, position));
      least = hn::Min(least, squared_length(d, away));
    }
    return !hn::AllFalse(d, hn::Lt(least, hn::Set(d, kRadiusSquared)));
  }

  /// Whether the disc of a point of the stage covers the position in `cell`.
  [[nodiscard]] bool covered_by_fresh(std::ptrdiff_t cell, std::int32_t position) const {
    const DNear d;
    std::uint32_t covered = 0;
    for (std::size_t v = 0; v < kNearVectors; ++v) {
      const std::size_t i = v * hn::Lanes(d);
      const auto word =
          hn::And(load_near(reinterpret_cast<const std::int32_t*>(window_.position), cell, window_.stride, v),
                  hn::Load(d, kNearTable.neighbour + i));
      const auto pair = add_pairs(d, hn::Load(d, kNearTable.origin + i), fractions(d, word));
      const auto away = subtract_pairs(d, pair, hn::Set(d, position));
      covered |= mask_bits(d, hn::And(hn::Lt(word, hn::Zero(d)), in_radius(d, away)));
    }
    return covered != 0;  // older points do not cover the dart
  }

  [[nodiscard]] HWY_INLINE std::int32_t depth(std::uint32_t packed) const {
    const auto x = static_cast<std::int32_t>(packed & 0xFFFFU);
    const auto y = static_cast<std::int32_t>(packed >> 16);
    return std::min(std::min(x, y), std::min(window_.width - 1 - x, window_.height - 1 - y));
  }
  [[nodiscard]] bool surroundings_known(std::ptrdiff_t cell, float stage) const {
    const DNear d;
    const hn::RebindToFloat<DNear> df;
    std::uint32_t unknown = 0;
    for (std::size_t v = 0; v < kNearVectors; ++v) {
      const auto before =
          hn::RebindMask(d, hn::Lt(load_near(window_.clock, cell, window_.stride, v), hn::Set(df, stage)));
      const auto neighbour = hn::Load(d, kNearTable.neighbour + v * hn::Lanes(d));
      unknown |= mask_bits(d, hn::And(before, hn::Lt(neighbour, hn::Zero(d))));
    }
    return unknown == 0;
  }

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

  struct Draw {
    std::uint32_t place;
    std::uint32_t choice;
    float wait;
  };
  /// The next draw of the current cell: two from the batch's block, then from blocks made for it alone.
  HWY_INLINE Draw draw() {
    const std::uint32_t count = draws_++;
    if (count == 0) {
      return {words_[0][batch_index_], words_[1][batch_index_], waits_[batch_index_]};
    }
    if (count >= 2) {
      return draw_more(count);
    }
    if (!has_second_waits_) {
      fill_second_waits();
    }
    return {words_[2][batch_index_], words_[3][batch_index_], second_waits_[batch_index_]};
  }
  HWY_NOINLINE void fill_second_waits() {
    has_second_waits_ = true;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    const DDraw d;
    const hn::RebindToFloat<DDraw> df;
    for (std::size_t i = 0; i < kBatch; i += hn::Lanes(d)) {
      hn::Store(exponential(df, hn::Load(d, words_[3] + i)), df, second_waits_ + i);
    }
#else
    std::transform(words_[3], words_[3] + kBatch, second_waits_, exact_exponential);
#endif
  }
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
    words_of_.counter(hn::Set(d, packed_ & 0xFFFFU), hn::Set(d, packed_ >> 16),
                      hn::Set(d, std::bit_cast<std::uint32_t>(entry_[batch_index_])), words);
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
        dart_words(window_.keys, window_.x0 + static_cast<std::int64_t>(packed_ & 0xFFFFU),
                   window_.y0 + static_cast<std::int64_t>(packed_ >> 16), entry_[batch_index_], count);
    return {words[0], words[1], exact_exponential(words[1])};
  }
#endif

  /// Up to tries_before_split draws from `count` squares, the gap between them being `gap`; true when one is
  /// uncovered, which then is the dart, or falls at `end` or after.
  template <class SquareAt>
  HWY_INLINE bool try_squares(std::uint32_t count, std::int32_t side, float gap, float end,
                              const SquareAt& square_at) {
    const std::size_t tries = tries_before_split(count, side);
    for (std::size_t i = 0; i < tries; ++i) {
      const Draw drawn = draw();
      time_ =
          std::max(time_ + drawn.wait * gap, std::bit_cast<float>(std::bit_cast<std::uint32_t>(time_) + 1U));
      if (time_ >= end) {
        time_ = end;
        return true;
      }
      const std::int32_t square = square_at(draw_below(square_word(drawn.place, drawn.choice), count));
      const auto inside = static_cast<std::uint32_t>(side - 1);
      // Corner and offset share no bits: the corner is a multiple of the side.
      const std::int32_t position =
          square | static_cast<std::int32_t>((drawn.place & inside) | (((drawn.place >> 10) & inside) << 16));
      if (!covers(position)) {
        dart_ = position;
        return true;
      }
    }
    return false;
  }

  /// Sets time_ and, unless the search is put off or the cell is void, dart_; true when there is a dart.
  bool find(std::uint64_t clear) {
    const auto corner = [](std::int32_t bit)
                            HWY_ATTR { return pack_pair((bit & 7) * kFirstSide, (bit >> 3) * kFirstSide); };
    if (try_squares(static_cast<std::uint32_t>(clear_count_[batch_index_]), kFirstSide, gaps_[batch_index_],
                    end_, [&](std::uint32_t rank) HWY_ATTR { return corner(select_bit(clear, rank)); })) {
      return time_ < end_;
    }
    list_discs_that_meet(clear);
    WordList* squares = &squares_[0];
    WordList* parts = &squares_[1];
    squares->size = 0;
    squares->reserve_more(64);
    for (std::uint64_t left = clear; left != 0; left &= left - 1) {
      squares->push(static_cast<std::uint32_t>(
          corner(static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left)))));
    }
    for (std::int32_t side = kFirstSide / 4;; side /= 4) {
      split(*squares, side, *parts);
      std::swap(squares, parts);
      if (squares->size == 0) {
        time_ = HUGE_VALF;
        return false;
      }
      const std::uint32_t* const at = squares->memory.data();
      const float gap = kCellArea / (static_cast<float>(squares->size) * static_cast<float>(side * side));
      if (try_squares(static_cast<std::uint32_t>(squares->size), side, gap, HUGE_VALF,
                      [&](std::uint32_t rank) HWY_ATTR { return static_cast<std::int32_t>(at[rank]); })) {
        return true;
      }
    }
  }

  /// Lists the older points whose disc meets the box around the clear sub-squares.
  void list_discs_that_meet(std::uint64_t clear) {
    std::uint64_t columns = clear | (clear >> 32);
    columns |= columns >> 16;
    columns = (columns | (columns >> 8)) & 0xFFU;
    constexpr std::int32_t kSide = kFirstSide;
    const auto low = [](std::uint64_t bits) HWY_ATTR {
      return static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
    };
    const auto high = [](std::uint64_t bits)
                          HWY_ATTR { return static_cast<std::int32_t>(std::bit_width(bits)); };
    const std::int32_t first = pack_pair(low(columns) * kSide, low(clear) / 8 * kSide);
    const std::int32_t last = pack_pair(high(columns) * kSide - 1, ((high(clear) - 1) / 8 + 1) * kSide - 1);
    const DNear d;
    disc_count_ = 0;
    for (std::size_t i = 0; i < kNearLanes; i += hn::Lanes(d)) {
      // Offset from the centre to the nearest position: 0 between the sides, else to the nearer one.
      const auto centre = hn::Load(d, near_ + i);
      const auto below = subtract_pairs(d, hn::Set(d, first), centre);
      const auto above = subtract_pairs(d, centre, hn::Set(d, last));
      const auto away = max_pairs(d, max_pairs(d, below, above), hn::Zero(d));
      disc_count_ += compress(d, centre, mask_bits(d, in_radius(d, away)), discs_ + disc_count_);
    }
  }

  /// The 4 x 4 parts of side `side` of each square that no single disc covers.
  void split(const WordList& squares, std::int32_t side, WordList& parts) const {
    const DPair d;
    alignas(64) static constexpr std::int32_t kStep[16] = {
        pack_pair(0, 0), pack_pair(1, 0), pack_pair(2, 0), pack_pair(3, 0), pack_pair(0, 1), pack_pair(1, 1),
        pack_pair(2, 1), pack_pair(3, 1), pack_pair(0, 2), pack_pair(1, 2), pack_pair(2, 2), pack_pair(3, 2),
        pack_pair(0, 3), pack_pair(1, 3), pack_pair(2, 3), pack_pair(3, 3)};
    // Side times a step of at most 3 on either axis: no carry between the halves.
    alignas(64) std::int32_t steps[16];
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
      hn::Store(hn::Mul(hn::Load(d, kStep + i), hn::Set(d, side)), d, steps + i);
    }
    parts.size = 0;
    parts.reserve_more(16 * squares.size);
    auto* const first = reinterpret_cast<std::int32_t*>(parts.memory.data());
    std::int32_t* out = first;
    const auto half = hn::Set(d, pack_pair(side / 2, side / 2));
    for (std::size_t s = 0; s < squares.size; ++s) {
      const auto square = hn::Set(d, static_cast<std::int32_t>(squares.memory[s]));
      for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
        const auto corner = hn::Add(hn::Load(d, steps + i), square);
        const auto middle = hn::Add(corner, half);
        auto least =
            hn::Set(d, kRadiusSquared);  // squared distance from a centre to a part's farthest position
        for (std::uint32_t p = 0; p < disc_count_; ++p) {
          const auto away = subtract_pairs(d, middle, hn::Set(d, discs_[p]));
          least = hn::Min(least, squared_length(d, add_pairs(d, abs_pairs(d, away), half)));
        }
        out += compress(d, corner, mask_bits(d, hn::Eq(least, hn::Set(d, kRadiusSquared))), out);
      }
    }
    parts.size = static_cast<std::size_t>(out - first);
  }

  // At least two cells from every position of the cell.
  static constexpr std::int32_t kFarPair = pack_pair(-16384 - 8192, -16384 - 8192);
  static constexpr float kCellArea = static_cast<float>(kCellSteps) * static_cast<float>(kCellSteps);
  static constexpr std::int32_t kFirstSide = kCellSteps / 8;
  const KernelWindow& window_;
  std::array<WordList, 2>& squares_;
  /// Points older than the stage in the lanes of the neighbourhood, relative to the cell; far ones elsewhere.
  alignas(64) std::int32_t near_[kNearLanes];
  std::int32_t discs_[kNearLanes + 16];  ///< those of them that matter to a split
  std::uint32_t disc_count_ = 0;
  bool has_fresh_ = false;  ///< whether points of the stage are around
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const CellWords words_of_{window_};
  const VectorKeys keys_{window_.keys};
  alignas(64) std::uint32_t more_words_[4][hn::MaxLanes(DDraw())];  ///< blocks from the third draw on
  alignas(64) float more_waits_[2][hn::MaxLanes(DDraw())];
#endif
  alignas(64) std::uint32_t index_[kBatch];  ///< the batch: places in the window's arrays,
  alignas(64) float entry_[kBatch];          ///< clocks,
  alignas(64) std::uint32_t words_[4][kBatch];
  alignas(64) std::int32_t clear_count_[kBatch];  ///< sub-squares left,
  alignas(64) float gaps_[kBatch];                ///< mean time between darts on them,
  alignas(64) float waits_[kBatch];               ///< and the first draw's share of it,
  alignas(64) float second_waits_[kBatch];        ///< the second's, once asked for
  bool has_second_waits_ = false;
  std::int32_t unknown_depth_ = 1;  ///< greatest distance of an unknown cell from the border; the rim is one
  std::size_t batch_index_ = 0;
  std::uint32_t packed_ = 0;
  std::uint32_t draws_ = 0;
  float end_ = 0;
  float time_ = 0;
  std::int32_t dart_ = 0;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
