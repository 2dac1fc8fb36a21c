// The dart after a lost one, in vector form: next_dart of the reference, bit for bit.
#if defined(STREW_POISSON_TILED_REDRAW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_REDRAW_INL
#undef STREW_POISSON_TILED_REDRAW_INL
#else
#define STREW_POISSON_TILED_REDRAW_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "dart_region.hpp"
#include "tiled_around-inl.hpp"
#include "tiled_batch-inl.hpp"
#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_search-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#include "tiled_border-inl.hpp"

class Redraw {
 public:
  static constexpr std::size_t kBatch = DartBatch::kMost;

  explicit Redraw(const KernelWindow& window) : window_(window), batch_(window), around_(window) {}

  /// The stage that darts are replaced in.
  void enter(std::size_t stage) {
    stage_ = stage;
    end_ = stage_end(stage);
  }

  /// Replaces the lost darts of `count` cells, kBatch at most, and puts each cell in the list it belongs to:
  /// the active ones of the stage; the dead ones, of which `again` stand already; those waiting for a later
  /// stage, if the rows have come to the listed ones. False when it is not known what older stages left of a
  /// cell of the core.
  [[nodiscard]] bool replace(const std::uint32_t* cells, std::size_t count, std::size_t& again) {
    KernelLists& lists = *window_.lists;
    KernelLists::Stage& stage = lists.stages[stage_];
    if (!take_known(cells, count, stage)) {
      return false;
    }
    stage.active.reserve_more(count);
    batch_.begin(count, end_);
    batch_.place(count);
    if (stage_ >= kListedStage) {
      batch_.list_later(count, end_, lists.stages);
    }
    search_.clear();
    for (std::size_t k = 0; k < batch_.due_count(); ++k) {
      const std::size_t i = batch_.due(k);
      const std::size_t cell = batch_.cell(i);
      const std::int32_t dart = batch_.first_dart(i);
      const Around::Verdict verdict = around_.verdict(static_cast<std::ptrdiff_t>(cell), dart);
      const bool lost = verdict.old | verdict.fresh;
      window_.position[cell] = static_cast<std::uint32_t>(dart) | (lost ? kDead : 0U);
      const bool search = verdict.old & !draws_again(batch_.clear_count(i), end_);
      search_.add(i, batch_.first_time(i), search);
      const std::uint32_t packed = batch_.packed(i);
      lists.dead.memory[again] = packed;
      again += static_cast<std::size_t>(lost & !search);
      stage.active.memory[stage.active.size] = packed;
      stage.active.size += static_cast<std::size_t>(!lost);
    }
    search_missed(stage, again);
    return true;
  }

 private:
  [[nodiscard]] bool surroundings_known(std::ptrdiff_t cell) const {
    const DNear d;
    const hn::RebindToFloat<DNear> df;
    std::uint32_t unknown = 0;
    for (std::size_t v = 0; v < kNearVectors; ++v) {
      const auto before = hn::RebindMask(
          d, hn::Lt(load_near(window_.clock, cell, window_.stride, v), hn::Set(df, stage_begin(stage_))));
      const auto neighbour = hn::Load(d, kNearTable.neighbour + v * hn::Lanes(d));
      unknown |= mask_bits(d, hn::And(before, hn::Lt(neighbour, hn::Zero(d))));
    }
    return unknown == 0;
  }

  /// Fills the batch with the cells of which it is known what older stages left; `count` is put to their
  /// number. False when one of the others is in the core.
  [[nodiscard]] HWY_INLINE bool take_known(const std::uint32_t* cells, std::size_t& count,
                                           KernelLists::Stage& stage) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const auto across = hn::Set(d, static_cast<std::uint32_t>(window_.width - 1));
    const auto along = hn::Set(d, static_cast<std::uint32_t>(window_.y_end - 1));
    const auto bottom = hn::Set(d, static_cast<std::uint32_t>(window_.y_begin));
    std::uint32_t* const taken = batch_.cells();
    std::size_t known = 0;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto packed = hn::LoadU(d, cells + i);
      const auto x = hn::And(packed, hn::Set(d, 0xFFFFU));
      const auto y = hn::ShiftRight<16>(packed);
      const auto depth =
          hn::Min(hn::Min(x, hn::Sub(across, x)), hn::Min(hn::Sub(y, bottom), hn::Sub(along, y)));
      std::uint32_t meant = (1U << std::min(count - i, hn::Lanes(d))) - 1U;
      // Near the border each is asked for.
      const auto safe = hn::Set(d, static_cast<std::uint32_t>(stage.unknown_depth + 2));
      for (std::uint32_t left = meant & ~mask_bits(d, hn::Gt(depth, safe)); left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
        const std::uint32_t cell = cells[i + lane];
        if (!surroundings_known(cell_index(window_, cell))) {
          if (!mark_unknown(window_, stage, cell)) {
            return false;
          }
          meant &= ~(1U << lane);
        }
      }
      known += compress(d, packed, meant, taken + known);
    }
    count = known;
    return true;
  }

  /// The position that a draw's place chooses in a square: corner and offset share no bits, since the corner
  /// is a multiple of the side.
  static HWY_INLINE std::int32_t inside(std::int32_t corner, std::int32_t side, std::uint32_t place) {
    const auto mask = static_cast<std::uint32_t>(side - 1);
    return corner | static_cast<std::int32_t>((place & mask) | (((place >> 10) & mask) << 16));
  }

  /// The rest of next_dart for the cells whose draw has missed, all of them level by level: the parts that
  /// are left of their squares, one draw on these, and what it misses again.
  void search_missed(KernelLists::Stage& stage, std::size_t& again) {
    WordList& parts = window_.lists->parts;
    parts.size = 0;
    search_.start();
    for (bool first = true; search_.size() > 0; first = false) {
      for (std::size_t k = 0; k < search_.size(); ++k) {
        if (!search_.splits(k)) {
          continue;
        }
        const std::size_t cell = batch_.cell(search_.number(k));
        const std::uint64_t clear = ~window_.covered[cell];
        around_.list_discs(static_cast<std::ptrdiff_t>(cell), clear);
        const std::size_t before = parts.size;
        if (first) {
          around_.split_sub_squares(clear, parts);
        } else {
          around_.split(search_.first_square(k), search_.count(k), search_.side(k), parts);
        }
        search_.set_parts(k, before, parts.size - before);
      }
      parts.reserve_more(1);  // a void cell looks at a part that it does not have
      search_.draw(batch_);
      std::size_t left = 0;
      for (std::size_t k = 0; k < search_.size(); ++k) {
        const std::size_t i = search_.number(k);
        const std::uint32_t count = search_.count(k);
        const std::uint32_t place = search_.place(k);
        const std::uint32_t rank = draw_below(square_word(place, search_.choice(k)), count);
        const auto corner = parts.memory[search_.first_square(k) + rank] & kFractionMask;
        const std::int32_t dart = inside(static_cast<std::int32_t>(corner), search_.side(k), place);
        const Around::Verdict verdict = around_.verdict(static_cast<std::ptrdiff_t>(batch_.cell(i)), dart);
        const bool settled = !verdict.old | (count == 0);
        settle(stage, i, search_.time(k), static_cast<std::uint32_t>(dart), verdict.fresh, settled, again);
        search_.keep(k, left);
        left += static_cast<std::size_t>(!settled);
      }
      search_.shorten(left);
    }
  }

  /// Gives a cell of the batch its next dart, or none for ever at an infinite time, and lists it; `lost`: a
  /// point of the stage covers the dart; not `settled`: the cell is to come again.
  HWY_INLINE void settle(KernelLists::Stage& stage, std::size_t i, float time, std::uint32_t dart, bool lost,
                         bool settled, std::size_t& again) {
    KernelLists& lists = *window_.lists;
    const std::size_t cell = batch_.cell(i);
    const std::uint32_t packed = batch_.packed(i);
    window_.clock[cell] = time;
    window_.position[cell] = dart | (lost ? kDead : 0U);
    const bool now = settled & (time < end_);
    lists.dead.memory[again] = packed;
    again += static_cast<std::size_t>(now & lost);
    stage.active.memory[stage.active.size] = packed;
    stage.active.size += static_cast<std::size_t>(now & !lost);
    if (settled & (stage_ >= kListedStage) & !now & (time < HUGE_VALF)) {
      lists.stages[stage_of(time)].waiting.add(packed);
    }
  }

  const KernelWindow& window_;
  DartBatch batch_;
  Around around_;
  DartSearch search_;
  std::size_t stage_ = 0;
  float end_ = 0;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
