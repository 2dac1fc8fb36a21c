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

  explicit Redraw(const KernelWindow& window)
      : window_(window), batch_(window), around_(window), search_(window, batch_, around_) {}

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
    judge_due(stage, again);
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

  /// Compares the darts that are due with the points around, and lists their cells.
  HWY_NOINLINE void judge_due(KernelLists::Stage& stage, std::size_t& again) {
    batch_.reach_due(reaches_);
    const std::size_t count = batch_.due_count();
    for (std::size_t k = 0; k < count; ++k) {
      const Around::Verdict verdict =
          around_.verdict(window_.position + reaches_.first[k], reaches_.lanes[k], reaches_.word[k]);
      old_[k] = verdict.old;
      any_[k] = verdict.any;
    }
    // Apart, so that no vector is loaded of which a part was just stored.
    for (std::size_t k = 0; k < count; ++k) {
      window_.position[reaches_.cell[k]] = reaches_.word[k] | (any_[k] != 0 ? kDead : 0U);
    }
    const DCells d;
    std::uint32_t* const dead = window_.lists->dead.memory.data();
    std::uint32_t* const active = stage.active.memory.data();
    const auto fewest = hn::Set(d, fewest_to_draw_again(end_));
    for (std::size_t k = 0; k < count; k += hn::Lanes(d)) {
      const std::uint32_t meant = (1U << std::min(count - k, hn::Lanes(d))) - 1U;
      const std::uint32_t lost = meant & mask_bits(d, hn::Ne(hn::Load(d, any_ + k), hn::Zero(d)));
      const std::uint32_t missed = meant & mask_bits(d, hn::Ne(hn::Load(d, old_ + k), hn::Zero(d)));
      const auto due = batch_.due_cells(k);
      const std::uint32_t search = missed & mask_bits(d, hn::Lt(due.clear_count, fewest));
      again += compress(d, due.packed, lost & ~search, dead + again);
      stage.active.size += compress(d, due.packed, meant & ~lost, active + stage.active.size);
      search_.add(due.number, search);
    }
  }

  /// The rest of next_dart for the cells whose draw has missed.
  HWY_NOINLINE void search_missed(KernelLists::Stage& stage, std::size_t& again) {
    stage.active.reserve_more(search_.size());
    const bool late = stage_ == kLateStage;  // no points are fresh
    search_.run([&](std::size_t i, float time, std::uint32_t dart) HWY_ATTR {
      const bool lost = !late && around_.covers(static_cast<std::ptrdiff_t>(batch_.cell(i)), dart);
      settle(stage, i, time, dart, lost, again);
    });
  }

  /// Gives a cell of the batch its next dart, and lists it; `lost`: a point of the stage covers the dart.
  HWY_INLINE void settle(KernelLists::Stage& stage, std::size_t i, float time, std::uint32_t dart, bool lost,
                         std::size_t& again) {
    KernelLists& lists = *window_.lists;
    const std::size_t cell = batch_.cell(i);
    const std::uint32_t packed = batch_.packed(i);
    window_.clock[cell] = time;
    window_.position[cell] = dart | (lost ? kDead : 0U);
    const bool now = time < end_;
    lists.dead.memory[again] = packed;
    again += static_cast<std::size_t>(now & lost);
    stage.active.memory[stage.active.size] = packed;
    stage.active.size += static_cast<std::size_t>(now & !lost);
    WordList& waiting = lists.stages[stage_of(time)].waiting;
    waiting.reserve_more(1);
    waiting.memory[waiting.size] = packed;
    waiting.size += static_cast<std::size_t>((stage_ >= kListedStage) & !now);
  }

  const KernelWindow& window_;
  DartBatch batch_;
  Around around_;
  DartSearch search_;
  Reaches reaches_;  ///< of the cells of a batch that are due
  alignas(64) std::uint32_t old_[kBatch];
  alignas(64) std::uint32_t any_[kBatch];
  std::size_t stage_ = 0;
  float end_ = 0;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
