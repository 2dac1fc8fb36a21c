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
  static constexpr std::size_t kBatch = DartBatch::kBatch;

  explicit Redraw(const KernelWindow& window)
      : window_(window), squares_(window.lists->squares), batch_(window), around_(window) {}

  /// DartBatch::begin for the stage that ends at `end`.
  [[nodiscard]] HWY_INLINE std::uint32_t begin(const std::uint32_t (&cells)[kBatch], std::size_t count,
                                               float end) {
    end_ = end;
    return batch_.begin(cells, count, end);
  }

  /// next_dart for cell i of the batch, whose first draw falls before the end of the stage.
  HWY_INLINE void next(std::size_t i, std::uint32_t packed) {
    batch_.enter(i, packed);
    const std::size_t cell = batch_.cell();
    around_.gather(static_cast<std::ptrdiff_t>(cell));
    dart_ = static_cast<std::int32_t>(kDead);
    time_ = batch_.entry();
    const bool lost = find(~window_.covered[cell]) && around_.covered_by_fresh(dart_);
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

  /// Up to tries_before_split draws from `count` squares, the gap between them being `gap`; true when one is
  /// uncovered, which then is the dart, or falls at `end` or after.
  template <class SquareAt>
  HWY_INLINE bool try_squares(std::uint32_t count, std::int32_t side, float gap, float end,
                              const SquareAt& square_at) {
    const std::size_t tries = tries_before_split(count, side);
    for (std::size_t i = 0; i < tries; ++i) {
      const DartBatch::Draw drawn = batch_.draw();
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
      if (!around_.covers(position)) {
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
    if (try_squares(batch_.clear_count(), kFirstSide, batch_.gap(), end_,
                    [&](std::uint32_t rank) HWY_ATTR { return corner(select_bit(clear, rank)); })) {
      return time_ < end_;
    }
    around_.list_discs_that_meet(clear);
    WordList* squares = &squares_[0];
    WordList* parts = &squares_[1];
    squares->size = 0;
    squares->reserve_more(64);
    for (std::uint64_t left = clear; left != 0; left &= left - 1) {
      squares->push(static_cast<std::uint32_t>(
          corner(static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left)))));
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
      if (try_squares(static_cast<std::uint32_t>(squares->size), side, gap, HUGE_VALF,
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
