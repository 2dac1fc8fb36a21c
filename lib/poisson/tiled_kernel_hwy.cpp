// poisson/tiled by Highway: stages of rain over a window of cells, one kernel per ISA.
//
// The reference lets darts land in order of time. Here, inside a stage, a dart lands as soon as no dart of
// the cells around it is earlier: nothing that could matter to it is still to come, so it sees exactly the
// points that it sees in the reference, whatever the order of cells. A point marks the darts in conflict as
// dead; a dead dart is replaced at once, since its successor depends on older points only. At the end of the
// stage the points add what they cover to the masks around them, and a cell all of whose sub-squares are
// covered is void, which the reference finds out only when the cell's dart lands. The two outer rings never
// land; what waits for them at the end of a stage is unknown, and stays so: its clock lags behind the stages
// and holds up what depends on it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiled_kernel_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "tiled_kernel.hpp"
#include "tiled_landing-inl.hpp"
#include "tiled_redraw-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class Stages {
 public:
  explicit Stages(const KernelWindow& window)
      : window_(window), lists_(*window.lists), rows_(cover_rows()), redraw_(window) {}

  bool run() {
    first_darts(window_);
    // The first stages hold much of the window: they are collected by a scan of all clocks, the rest from a
    // list of what is left.
    end_ = kFirstStageEnd;
    for (std::size_t stage = 0; stage < kScannedStages; ++stage) {
      shrink(stage);
      scan_due();
      if (!run_stage()) {
        return false;
      }
      next_stage();
    }
    listing_ = true;
    scan_rest();
    for (std::size_t stage = kScannedStages; lists_.later.size > 0; ++stage) {
      shrink(stage);
      take_due();
      if (!run_stage()) {
        return false;
      }
      next_stage();
    }
    return true;
  }

 private:
  static constexpr std::size_t kScannedStages = 5;  // to time 2

  void next_stage() {
    begin_ = end_;
    end_ += end_;
  }

  /// Leaves out the cells that are too far from the core to matter to it from this stage on, as if they were
  /// unknown. The distances are experience, and never wrong: when they are too short for a place, a cell of
  /// the core turns out unknown, and the block is evaluated again with a wider halo.
  void shrink(std::size_t stage) {
    constexpr std::int32_t kReach[] = {32, 28, 25, 22, 19, 17, 15, 13, 12, 11, 10, 9, 8};
    const std::int32_t share = kReach[std::min(stage, std::size(kReach) - 1)];
    const std::int32_t reach = window_.core_x0 * share / kReach[0];
    x0_ = std::max(2, window_.core_x0 - reach);
    y0_ = std::max(2, window_.core_y0 - reach);
    x1_ = std::min(window_.width - 2, window_.core_x1 + reach);
    y1_ = std::min(window_.height - 2, window_.core_y1 + reach);
    redraw_.note_unknown_depth(std::min(x0_, y0_) - 1);
  }

  [[nodiscard]] std::ptrdiff_t index(std::uint32_t packed) const noexcept {
    return static_cast<std::ptrdiff_t>(packed >> 16) * window_.stride +
           static_cast<std::ptrdiff_t>(packed & 0xFFFFU);
  }
  [[nodiscard]] bool in_core(std::uint32_t packed) const noexcept {
    const auto x = static_cast<std::int32_t>(packed & 0xFFFFU);
    const auto y = static_cast<std::int32_t>(packed >> 16);
    return x >= window_.core_x0 && x < window_.core_x1 && y >= window_.core_y0 && y < window_.core_y1;
  }

  /// Lists the cells of the stage, by whether their dart is lost, as (y << 16 | x).
  void scan_due() {
    WordList& active = lists_.active;
    WordList& dead = lists_.dead;
    active.size = 0;
    dead.size = 0;
    scan(
        begin_, end_, [&](std::size_t count) { active.reserve_more(count), dead.reserve_more(count); },
        [&](auto d, auto packed, std::uint32_t due, auto position) HWY_ATTR {
          const auto dead_bit = hn::Set(d, kDead);
          const std::uint32_t lost = due & mask_bits(d, hn::Eq(hn::And(position, dead_bit), dead_bit));
          active.size += compress(d, packed, due ^ lost, active.memory.data() + active.size);
          dead.size += compress(d, packed, lost, dead.memory.data() + dead.size);
        });
  }
  /// Lists all undecided cells of this stage and later ones.
  void scan_rest() {
    WordList& later = lists_.later;
    later.size = 0;
    scan(
        begin_, HUGE_VALF, [&](std::size_t count) { later.reserve_more(count); },
        [&](auto d, auto packed, std::uint32_t due, auto /*position*/)
            HWY_ATTR { later.size += compress(d, packed, due, later.memory.data() + later.size); });
  }

  /// Calls take(d, packed cells, bits of those with a clock in [from, to), positions) for vectors of cells.
  template <class Reserve, class Take>
  HWY_INLINE void scan(float from, float to, const Reserve& reserve, const Take& take) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const hn::RebindToFloat<decltype(d)> df;
    const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
    for (std::int32_t y = y0_; y < y1_; ++y) {
      const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * window_.stride;
      reserve(static_cast<std::size_t>(x1_ - x0_));
      for (std::int32_t x = x0_; x < x1_; x += lanes) {
        const auto time = hn::LoadU(df, window_.clock + row + x);
        std::uint32_t due =
            mask_bits(df, hn::And(hn::Ge(time, hn::Set(df, from)), hn::Lt(time, hn::Set(df, to))));
        if (x1_ - x < lanes) {
          due &= (1U << (x1_ - x)) - 1U;
        }
        const auto packed = hn::Add(hn::Iota(d, 0), hn::Set(d, (static_cast<std::uint32_t>(y) << 16) |
                                                                   static_cast<std::uint32_t>(x)));
        take(d, packed, due, hn::LoadU(d, window_.position + row + x));
      }
    }
  }

  /// Takes what is due in the stage from the later list, by whether its dart is lost, and keeps the rest.
  void take_due() {
    WordList& later = lists_.later;
    WordList& active = lists_.active;
    WordList& dead = lists_.dead;
    active.size = 0;
    dead.size = 0;
    active.reserve_more(later.size);
    dead.reserve_more(later.size);
    const auto width = static_cast<std::uint32_t>(x1_ - x0_);
    const auto height = static_cast<std::uint32_t>(y1_ - y0_);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < later.size; ++i) {
      const std::uint32_t packed = later.memory[i];
      const std::ptrdiff_t cell = index(packed);
      const float time = window_.clock[cell];
      const bool near = (packed & 0xFFFFU) - static_cast<std::uint32_t>(x0_) < width &&
                        (packed >> 16) - static_cast<std::uint32_t>(y0_) < height;
      const bool due = near && time < end_;
      const bool lost = (window_.position[cell] & kDead) != 0;
      active.memory[active.size] = packed;
      active.size += due && !lost ? 1 : 0;
      dead.memory[dead.size] = packed;
      dead.size += due && lost ? 1 : 0;
      later.memory[kept] = packed;
      kept += near && !due && time < HUGE_VALF ? 1 : 0;
    }
    later.size = kept;
  }

  /// Rounds until nothing in the stage moves; false when a cell of the core is left unknown.
  bool run_stage() {
    lists_.landed.size = 0;
    bool progress = true;
    while (progress) {
      if (!replace_dead()) {
        return false;
      }
      progress = land_earliest();
    }
    for (std::size_t i = 0; i < lists_.active.size; ++i) {
      if (in_core(lists_.active.memory[i])) {
        return false;
      }
      redraw_.note_unknown(lists_.active.memory[i]);
    }
    constexpr std::size_t kAhead = 4;
    for (std::size_t i = 0; i < lists_.landed.size; ++i) {
      if (i + kAhead < lists_.landed.size) {
        prefetch_cover(window_, index(lists_.landed.memory[i + kAhead]));
      }
      cover(window_, rows_, index(lists_.landed.memory[i]));
    }
    return true;
  }

  /// Replaces the darts of the dead list until none in this stage is dead. False when one in the core is
  /// unknown.
  bool replace_dead() {
    WordList& active = lists_.active;
    WordList& dead = lists_.dead;
    while (dead.size > 0) {
      active.reserve_more(dead.size);
      lists_.later.reserve_more(dead.size);
      std::size_t again = 0;
      for (std::size_t first = 0; first < dead.size; first += Redraw::kBatch) {
        std::uint32_t batch[Redraw::kBatch];
        std::size_t count = 0;
        for (std::size_t i = first; i < std::min(first + Redraw::kBatch, dead.size); ++i) {
          const std::uint32_t packed = dead.memory[i];
          if (redraw_.known(packed, begin_)) {
            batch[count++] = packed;
          } else if (in_core(packed)) {
            return false;
          } else {
            redraw_.note_unknown(packed);
          }
        }
        again = replace(batch, count, again);
      }
      dead.size = again;
    }
    return true;
  }

  /// Replaces the darts of a batch and puts the cells in the list they belong to; `again` counts the dead
  /// ones.
  HWY_INLINE std::size_t replace(const std::uint32_t* batch, std::size_t count, std::size_t again) {
    WordList& active = lists_.active;
    WordList& later = lists_.later;
    const std::uint32_t due = redraw_.begin(batch, count, end_);
    for (std::size_t i = 0; i < count; ++i) {
      const bool put_off = ((due >> i) & 1U) == 0;
      const std::ptrdiff_t cell = index(batch[i]);
      window_.clock[cell] = put_off ? end_ : window_.clock[cell];
      later.memory[later.size] = batch[i];
      later.size += listing_ && put_off ? 1 : 0;
    }
    for (std::uint32_t left = due & ((1U << count) - 1U); left != 0; left &= left - 1) {
      const auto i = hwy::Num0BitsBelowLS1Bit_Nonzero32(left);
      const std::uint32_t packed = batch[i];
      redraw_.next(i, packed);
      // To one list or none, without a branch: which one is anybody's guess.
      const std::ptrdiff_t cell = index(packed);
      const float time = window_.clock[cell];
      const bool now = time < end_;
      const bool lost = (window_.position[cell] & kDead) != 0;
      lists_.dead.memory[again] = packed;
      again += now && lost ? 1 : 0;
      active.memory[active.size] = packed;
      active.size += now && !lost ? 1 : 0;
      later.memory[later.size] = packed;
      later.size += listing_ && !now && time < HUGE_VALF ? 1 : 0;
    }
    return again;
  }

  /// Lands the active darts that no dart around is earlier than, and lists the dead; true when there was
  /// either.
  bool land_earliest() {
    WordList& active = lists_.active;
    WordList& landed = lists_.landed;
    WordList& dead = lists_.dead;
    landed.reserve_more(active.size);
    dead.reserve_more(active.size);
    const std::size_t before = active.size;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < before; ++i) {
      const std::uint32_t packed = active.memory[i];
      const std::ptrdiff_t cell = index(packed);
      const bool lost = (window_.position[cell] & kDead) != 0;
      dead.memory[dead.size] = packed;
      dead.size += lost ? 1 : 0;
      if (!lost) {
        if (earliest(window_, cell)) {
          land(window_, cell);
          landed.push(packed);
        } else {
          active.memory[kept++] = packed;
        }
      }
    }
    active.size = kept;
    return kept != before;
  }

  const KernelWindow& window_;
  KernelLists& lists_;
  const CoverRows& rows_;
  Redraw redraw_;
  float begin_ = 0;
  float end_ = 0;
  std::int32_t x0_ = 0;  ///< the cells that are still evaluated
  std::int32_t y0_ = 0;
  std::int32_t x1_ = 0;
  std::int32_t y1_ = 0;
  bool listing_ = false;
};

bool evaluate_window(const KernelWindow& window) {
  return Stages(window).run();
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::poisson {

const KernelTable<TiledKernel>& tiled_kernels() noexcept {
  static constexpr KernelTable<TiledKernel> kTable = STREW_KERNEL_TABLE(evaluate_window);
  return kTable;
}

}  // namespace strew::poisson
#endif
