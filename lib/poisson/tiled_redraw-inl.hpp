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
#include "tiled_search-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class Redraw {
 public:
  static constexpr std::size_t kBatch = DartBatch::kMost;

  explicit Redraw(const KernelWindow& window) : window_(window), batch_(window), around_(window) {}

  /// Replaces the lost darts of `count` cells, kBatch at most, in the stage from `begin` to `end`, and puts
  /// each cell in the list it belongs to: the active ones; the dead ones, of which `again` stand already; the
  /// later ones if they are `listed`. False when it is not known what the stage left of a cell of the core.
  [[nodiscard]] bool replace(const std::uint32_t* cells, std::size_t count, float begin, float end,
                             bool listed, std::size_t& again) {
    if (!take_known(cells, count, begin)) {
      return false;
    }
    KernelLists& lists = *window_.lists;
    batch_.begin(count, end, listed ? &lists.later : nullptr);
    end_ = end;
    search_.clear();
    for (std::size_t k = 0; k < batch_.due_count(); ++k) {
      const std::size_t i = batch_.due(k);
      const std::size_t cell = batch_.cell(i);
      const std::uint32_t count_clear = batch_.clear_count(i);
      const std::uint32_t place = batch_.first_place(i);
      const std::uint32_t rank = draw_below(square_word(place, batch_.first_choice(i)), count_clear);
      const std::int32_t dart = inside(sub_square(select_bit(~window_.covered[cell], rank)), kSubSide, place);
      const Around::Verdict verdict = around_.verdict(static_cast<std::ptrdiff_t>(cell), dart);
      window_.clock[cell] = batch_.first_time(i);
      const bool lost = verdict.old | verdict.fresh;
      window_.position[cell] = static_cast<std::uint32_t>(dart) | (lost ? kDead : 0U);
      const bool search = verdict.old & !draws_again(count_clear, end);
      search_.add(i, batch_.first_time(i), search);
      const std::uint32_t packed = batch_.packed(i);
      lists.dead.memory[again] = packed;
      again += static_cast<std::size_t>(lost & !search);
      lists.active.memory[lists.active.size] = packed;
      lists.active.size += static_cast<std::size_t>(!lost);
    }
    search_missed(listed, again);
    return true;
  }

  /// Tells that the fate of a cell stays unknown from the current stage on.
  void note_unknown(std::uint32_t packed) { note_unknown_depth(depth(packed)); }
  /// The same for all cells up to a distance from the window's border.
  void note_unknown_depth(std::int32_t depth) { unknown_depth_ = std::max(unknown_depth_, depth); }

 private:
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

  /// Fills the batch with the cells of which it is known what the stage left; `count` is put to their number.
  /// False when one of the others is in the core.
  [[nodiscard]] HWY_INLINE bool take_known(const std::uint32_t* cells, std::size_t& count, float stage) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const auto across = hn::Set(d, static_cast<std::uint32_t>(window_.width - 1));
    const auto along = hn::Set(d, static_cast<std::uint32_t>(window_.height - 1));
    std::uint32_t* const taken = batch_.cells();
    std::size_t known = 0;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto packed = hn::LoadU(d, cells + i);
      const auto x = hn::And(packed, hn::Set(d, 0xFFFFU));
      const auto y = hn::ShiftRight<16>(packed);
      const auto depth = hn::Min(hn::Min(x, hn::Sub(across, x)), hn::Min(y, hn::Sub(along, y)));
      std::uint32_t meant = (1U << std::min(count - i, hn::Lanes(d))) - 1U;
      // Near the border each is asked for.
      const auto safe = hn::Set(d, static_cast<std::uint32_t>(unknown_depth_ + 2));
      for (std::uint32_t left = meant & ~mask_bits(d, hn::Gt(depth, safe)); left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
        const std::uint32_t cell = cells[i + lane];
        if (!surroundings_known(cell_index(window_, cell), stage)) {
          if (window_.core.contains(cell)) {
            return false;
          }
          note_unknown(cell);
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
  void search_missed(bool listed, std::size_t& again) {
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
        settle(i, search_.time(k), static_cast<std::uint32_t>(dart), verdict.fresh, settled, listed, again);
        search_.keep(k, left);
        left += static_cast<std::size_t>(!settled);
      }
      search_.shorten(left);
    }
  }

  /// Gives a cell of the batch its next dart, or none for ever at an infinite time, and lists it; `lost`: a
  /// point of the stage covers the dart; not `settled`: the cell is to come again.
  HWY_INLINE void settle(std::size_t i, float time, std::uint32_t dart, bool lost, bool settled, bool listed,
                         std::size_t& again) {
    KernelLists& lists = *window_.lists;
    const std::size_t cell = batch_.cell(i);
    const std::uint32_t packed = batch_.packed(i);
    window_.clock[cell] = time;
    window_.position[cell] = dart | (lost ? kDead : 0U);
    // To one list or none, without a branch: which one is anybody's guess.
    const bool now = settled & (time < end_);
    lists.dead.memory[again] = packed;
    again += static_cast<std::size_t>(now & lost);
    lists.active.memory[lists.active.size] = packed;
    lists.active.size += static_cast<std::size_t>(now & !lost);
    lists.later.memory[lists.later.size] = packed;
    lists.later.size += static_cast<std::size_t>(settled & listed & !now & (time < HUGE_VALF));
  }

  const KernelWindow& window_;
  DartBatch batch_;
  Around around_;
  DartSearch search_;
  std::int32_t unknown_depth_ = 1;  ///< greatest distance of an unknown cell from the border; the rim is one
  float end_ = 0;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
