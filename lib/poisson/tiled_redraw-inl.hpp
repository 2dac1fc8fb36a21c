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
#include <cmath>
#include <utility>

#include "dart_region.hpp"
#include "tiled_around-inl.hpp"
#include "tiled_batch-inl.hpp"
#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class Redraw {
 public:
  static constexpr std::size_t kBatch = DartBatch::kMost;

  explicit Redraw(const KernelWindow& window)
      : window_(window), squares_(window.lists->squares), batch_(window), around_(window) {}

  /// Replaces the lost darts of `count` cells, kBatch at most, in the stage from `begin` to `end`, and puts
  /// each cell in the list it belongs to: the active ones; the dead ones, of which `again` stand already; the
  /// later ones if they are `listed`. False when it is not known what the stage left of a cell of the core.
  [[nodiscard]] bool replace(const std::uint32_t* cells, std::size_t count, float begin, float end, bool listed,
                             std::size_t& again) {
    if (!take_known(cells, count, begin)) {
      return false;
    }
    KernelLists& lists = *window_.lists;
    batch_.begin(count, end, listed ? &lists.later : nullptr);
    // First the draws of all due cells, without a branch; then, one by one, the cells whose draw has missed.
    std::uint32_t missed[kBatch];
    std::size_t missed_count = 0;
    for (std::size_t k = 0; k < batch_.due_count(); ++k) {
      const std::size_t i = batch_.due(k);
      const std::size_t cell = batch_.cell(i);
      const std::uint32_t place = batch_.first_place(i);
      const std::uint32_t rank = draw_below(square_word(place, batch_.first_choice(i)), batch_.clear_count(i));
      const std::int32_t dart = inside(sub_square(select_bit(~window_.covered[cell], rank)), kFirstSide, place);
      const Around::Verdict verdict = around_.verdict(static_cast<std::ptrdiff_t>(cell), dart);
      window_.clock[cell] = batch_.first_time(i);
      window_.position[cell] = static_cast<std::uint32_t>(dart) | (verdict.fresh ? kDead : 0U);
      missed[missed_count] = static_cast<std::uint32_t>(i);
      missed_count += static_cast<std::size_t>(verdict.old);
      const std::uint32_t packed = batch_.packed(i);
      lists.dead.memory[again] = packed;
      again += static_cast<std::size_t>(!verdict.old & verdict.fresh);
      lists.active.memory[lists.active.size] = packed;
      lists.active.size += static_cast<std::size_t>(!verdict.old & !verdict.fresh);
    }
    end_ = end;
    for (std::size_t k = 0; k < missed_count; ++k) {
      const std::size_t i = missed[k];
      const std::size_t cell = batch_.cell(i);
      next(i);
      const std::uint32_t packed = batch_.packed(i);
      // To one list or none, without a branch: which one is anybody's guess.
      const bool now = time_ < end;
      const bool lost = (window_.position[cell] & kDead) != 0;
      lists.dead.memory[again] = packed;
      again += static_cast<std::size_t>(now & lost);
      lists.active.memory[lists.active.size] = packed;
      lists.active.size += static_cast<std::size_t>(now & !lost);
      lists.later.memory[lists.later.size] = packed;
      lists.later.size += static_cast<std::size_t>(listed & !now & (time_ < HUGE_VALF));
    }
    return true;
  }

  /// Tells that the fate of a cell stays unknown from the current stage on.
  void note_unknown(std::uint32_t packed) { note_unknown_depth(depth(packed)); }
  /// The same for all cells up to a distance from the window's border.
  void note_unknown_depth(std::int32_t depth) { unknown_depth_ = std::max(unknown_depth_, depth); }

 private:
  /// Fills the batch with the cells of which it is known what the stage left; `count` is put to their number.
  /// False when one of the others is in the core.
  [[nodiscard]] HWY_INLINE bool take_known(const std::uint32_t* cells, std::size_t& count, float stage) {
    std::uint32_t* const taken = batch_.cells();
    const hn::CappedTag<std::uint32_t, 16> d;
    const auto across = hn::Set(d, static_cast<std::uint32_t>(window_.width - 1));
    const auto along = hn::Set(d, static_cast<std::uint32_t>(window_.height - 1));
    auto least = hn::Set(d, 0xFFFFU);
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      // Past the end of the list anything may stand: the worst is a useless second look.
      const auto packed = hn::LoadU(d, cells + i);
      const auto x = hn::And(packed, hn::Set(d, 0xFFFFU));
      const auto y = hn::ShiftRight<16>(packed);
      least = hn::Min(least, hn::Min(hn::Min(x, hn::Sub(across, x)), hn::Min(y, hn::Sub(along, y))));
      hn::Store(packed, d, taken + i);
    }
    if (HWY_LIKELY(hn::AllTrue(d, hn::Gt(least, hn::Set(d, static_cast<std::uint32_t>(unknown_depth_ + 2)))))) {
      return true;
    }
    std::size_t known = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t packed = taken[i];
      if (surroundings_known(cell_index(window_, packed), stage)) {
        taken[known++] = packed;
      } else if (window_.core.contains(packed)) {
        return false;
      } else {
        note_unknown(packed);
      }
    }
    count = known;
    return true;
  }

  /// Corner of a sub-square.
  static HWY_INLINE std::int32_t sub_square(std::int32_t bit) {
    return pack_pair((bit & 7) * kFirstSide, (bit >> 3) * kFirstSide);
  }
  /// The position that a draw's place chooses in a square: corner and offset share no bits, since the corner
  /// is a multiple of the side.
  static HWY_INLINE std::int32_t inside(std::int32_t corner, std::int32_t side, std::uint32_t place) {
    const auto mask = static_cast<std::uint32_t>(side - 1);
    return corner | static_cast<std::int32_t>((place & mask) | (((place >> 10) & mask) << 16));
  }

  /// next_dart for cell i of the batch, whose first draw has missed.
  HWY_INLINE void next(std::size_t i) {
    batch_.enter(i);
    const std::size_t cell = batch_.cell(i);
    around_.gather(static_cast<std::ptrdiff_t>(cell));
    dart_ = static_cast<std::int32_t>(kDead);
    time_ = batch_.first_time(i);
    const bool lost = find(i, ~window_.covered[cell]) && around_.covered_by_fresh(dart_);
    window_.clock[cell] = time_;
    window_.position[cell] = static_cast<std::uint32_t>(dart_) | (lost ? kDead : 0U);
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

  /// Up to `tries` draws from `count` squares, the gap between them being `gap`; true when one is uncovered,
  /// which then is the dart, or falls at `end` or after.
  template <class SquareAt>
  HWY_INLINE bool try_squares(std::size_t tries, std::uint32_t count, std::int32_t side, float gap, float end,
                              const SquareAt& square_at) {
    for (std::size_t i = 0; i < tries; ++i) {
      const DartBatch::Draw drawn = batch_.draw();
      time_ =
          std::max(time_ + drawn.wait * gap, std::bit_cast<float>(std::bit_cast<std::uint32_t>(time_) + 1U));
      if (time_ >= end) {
        time_ = end;
        return true;
      }
      const std::int32_t square = square_at(draw_below(square_word(drawn.place, drawn.choice), count));
      const std::int32_t position = inside(square, side, drawn.place);
      if (!around_.covers(position)) {
        dart_ = position;
        return true;
      }
    }
    return false;
  }

  /// Sets time_ and, unless the search is put off or the cell is void, dart_; true when there is a dart.
  bool find(std::size_t i, std::uint64_t clear) {
    const std::uint32_t count = batch_.clear_count(i);
    if (try_squares(tries_before_split(count, kFirstSide) - 1, count, kFirstSide, batch_.gap(i), end_,
                    [&](std::uint32_t rank) HWY_ATTR { return sub_square(select_bit(clear, rank)); })) {
      return time_ < end_;
    }
    around_.list_discs_that_meet(clear);
    WordList* squares = &squares_[0];
    WordList* parts = &squares_[1];
    squares->size = 0;
    squares->reserve_more(64);
    for (std::uint64_t left = clear; left != 0; left &= left - 1) {
      squares->push(static_cast<std::uint32_t>(
          sub_square(static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left)))));
    }
    for (std::int32_t side = kFirstSide / 4;; side /= 4) {
      around_.split(*squares, side, *parts);
      std::swap(squares, parts);
      if (squares->size == 0) {
        time_ = HUGE_VALF;
        return false;
      }
      const std::uint32_t* const at = squares->memory.data();
      const float gap = kCellArea / (static_cast<float>(squares->size) * static_cast<float>(side * side));
      if (try_squares(tries_before_split(squares->size, side), static_cast<std::uint32_t>(squares->size), side,
                      gap, HUGE_VALF,
                      [&](std::uint32_t rank) HWY_ATTR { return static_cast<std::int32_t>(at[rank]); })) {
        return true;
      }
    }
  }

  static constexpr std::int32_t kFirstSide = DartBatch::kFirstSide;
  static constexpr float kCellArea = DartBatch::kCellArea;
  const KernelWindow& window_;
  std::array<WordList, 2>& squares_;
  DartBatch batch_;
  Around around_;
  std::int32_t unknown_depth_ = 1;  ///< greatest distance of an unknown cell from the border; the rim is one
  float end_ = 0;
  float time_ = 0;
  std::int32_t dart_ = 0;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
