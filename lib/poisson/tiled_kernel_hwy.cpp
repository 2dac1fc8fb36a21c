// poisson/tiled by Highway: stages of rain over a window of cells, one kernel per ISA.
//
// The reference lets darts land in order of time. Here, inside a stage, a dart lands as soon as no dart of the
// cells around it is earlier: nothing that could matter to it is still to come, so it sees exactly the points
// that it sees in the reference, whatever the order of cells. A point marks the darts in conflict as dead; a
// dead dart is replaced at once, since its successor depends on older points only. At the end of the stage the
// points add what they cover to the masks around them, and a cell all of whose sub-squares are covered is void,
// which the reference finds out only when the cell's dart lands. The two outer rings never land; what waits for
// them at the end of a stage is unknown, and stays so: its clock lags behind the stages and holds up what
// depends on it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiled_kernel_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include "tiled_kernel.hpp"
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
    for (float end = kFirstStageEnd; end <= kLastScannedEnd; end += end) {
      begin_ = end == kFirstStageEnd ? 0.0F : end / 2;
      end_ = end;
      scan(begin_, end_, lists_.active);
      listing_ = false;
      if (!run_stage()) {
        return false;
      }
    }
    scan(end_, HUGE_VALF, lists_.later);
    listing_ = true;
    while (lists_.later.size > 0) {
      begin_ = end_;
      end_ += end_;
      take_due();
      if (!run_stage()) {
        return false;
      }
    }
    return true;
  }

 private:
  static constexpr float kLastScannedEnd = 2.0F;

  [[nodiscard]] std::ptrdiff_t index(std::uint32_t packed) const noexcept {
    return static_cast<std::ptrdiff_t>(packed >> 16) * window_.stride +
           static_cast<std::ptrdiff_t>(packed & 0xFFFFU);
  }
  [[nodiscard]] bool in_core(std::uint32_t packed) const noexcept {
    const auto x = static_cast<std::int32_t>(packed & 0xFFFFU);
    const auto y = static_cast<std::int32_t>(packed >> 16);
    return x >= window_.core_x0 && x < window_.core_x1 && y >= window_.core_y0 && y < window_.core_y1;
  }

  /// Lists the cells with a clock in [begin, end), as (y << 16 | x), the rim left out.
  void scan(float begin, float end, WordList& list) {
    const hn::ScalableTag<std::uint32_t> d;
    const hn::RebindToFloat<decltype(d)> df;
    const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
    const auto from = hn::Set(df, begin);
    const auto to = hn::Set(df, end);
    list.size = 0;
    for (std::int32_t y = 2; y < window_.height - 2; ++y) {
      const float* const clock = window_.clock + static_cast<std::ptrdiff_t>(y) * window_.stride;
      list.reserve_more(static_cast<std::size_t>(window_.width));
      std::uint32_t* out = list.memory.data() + list.size;
      for (std::int32_t x = 2; x < window_.width - 2; x += lanes) {
        const auto time = hn::LoadU(df, clock + x);
        const auto due = hn::And(hn::Ge(time, from), hn::Lt(time, to));
        const auto packed = hn::Add(hn::Iota(d, 0), hn::Set(d, (static_cast<std::uint32_t>(y) << 16) |
                                                                   static_cast<std::uint32_t>(x)));
        out += compress(d, packed, mask_bits(df, due), out);
      }
      // The last vector may reach into the rim and past it; the clocks past it are infinite.
      const std::uint32_t end_of_row =
          (static_cast<std::uint32_t>(y) << 16) | static_cast<std::uint32_t>(window_.width - 2);
      list.size = static_cast<std::size_t>(out - list.memory.data());
      while (list.size > 0 && list.memory[list.size - 1] >= end_of_row) {
        --list.size;
      }
    }
  }

  /// Lists what is due in the stage, and keeps the rest for later.
  void take_due() {
    WordList& later = lists_.later;
    lists_.active.size = 0;
    lists_.active.reserve_more(later.size);
    std::uint32_t* const due = lists_.active.memory.data();
    std::size_t due_count = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < later.size; ++i) {
      const std::uint32_t packed = later.memory[i];
      const float time = window_.clock[index(packed)];
      due[due_count] = packed;
      later.memory[kept] = packed;
      due_count += time < end_ ? 1 : 0;
      kept += time >= end_ && time < HUGE_VALF ? 1 : 0;
    }
    lists_.active.size = due_count;
    later.size = kept;
  }

  /// Rounds until nothing in the stage moves; false when a cell of the core is left unknown.
  bool run_stage() {
    lists_.landed.size = 0;
    lists_.landed.reserve_more(lists_.active.size);
    bool progress = true;
    while (progress && lists_.active.size > 0) {
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
        const std::uint64_t* const covered = window_.covered + index(lists_.landed.memory[i + kAhead]);
        for (std::ptrdiff_t dy = -2; dy <= 2; ++dy) {
          hwy::Prefetch(covered + dy * window_.stride);
        }
      }
      cover(lists_.landed.memory[i]);
    }
    return true;
  }

  /// Takes the dead darts out of the active list and puts their successors of this stage in, until none is dead.
  /// False when a successor in the core is unknown.
  bool replace_dead() {
    WordList& active = lists_.active;
    WordList& dead = lists_.dead;
    dead.size = 0;
    dead.reserve_more(active.size);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active.size; ++i) {
      const std::uint32_t packed = active.memory[i];
      const bool lost = (window_.position[index(packed)] & kDead) != 0;
      active.memory[kept] = packed;
      dead.memory[dead.size] = packed;
      kept += lost ? 0 : 1;
      dead.size += lost ? 1 : 0;
    }
    active.size = kept;
    WordList& later = lists_.later;
    while (dead.size > 0) {
      active.reserve_more(dead.size);
      later.reserve_more(dead.size);
      std::size_t again = 0;
      for (std::size_t first = 0; first < dead.size; first += Redraw::kBatch) {
        const std::size_t count = std::min(Redraw::kBatch, dead.size - first);
        std::uint32_t batch[Redraw::kBatch];
        std::copy_n(dead.memory.data() + first, count, batch);
        redraw_.begin(batch, count);
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint32_t packed = batch[i];
          const Redrawn found = redraw_.next(i, packed, begin_);
          if (HWY_UNLIKELY(found == Redrawn::kUnknown)) {
            if (in_core(packed)) {
              return false;
            }
            continue;
          }
          // To one list or none, without a branch: which one is anybody's guess.
          const std::ptrdiff_t cell = index(packed);
          const float time = window_.clock[cell];
          const bool due = time < end_;
          const bool lost = (window_.position[cell] & kDead) != 0;
          dead.memory[again] = packed;
          again += due && lost ? 1 : 0;
          active.memory[active.size] = packed;
          active.size += due && !lost ? 1 : 0;
          later.memory[later.size] = packed;
          later.size += listing_ && !due && time < HUGE_VALF ? 1 : 0;
        }
      }
      dead.size = again;
    }
    return true;
  }

  /// Lands the active darts that no dart around is earlier than; true when there was one.
  bool land_earliest() {
    WordList& active = lists_.active;
    WordList& landed = lists_.landed;
    landed.reserve_more(active.size);
    const std::size_t before = landed.size;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active.size; ++i) {
      const std::uint32_t packed = active.memory[i];
      const std::ptrdiff_t cell = index(packed);
      if ((window_.position[cell] & kDead) != 0 || !earliest(cell)) {
        active.memory[kept++] = packed;
        continue;
      }
      land(cell);
      landed.push(packed);
    }
    active.size = kept;
    return landed.size != before;
  }

  /// Whether no undecided neighbour has an earlier clock; of equal ones the first in row-major order is.
  [[nodiscard]] HWY_INLINE bool earliest(std::ptrdiff_t cell) const {
    const hn::RebindToFloat<DRow> d;
    const auto own = hn::Set(d, window_.clock[cell]);
    auto before = hn::Inf(d);
    auto after = hn::Inf(d);
    for (std::size_t i = 0; i < 5; i += hn::Lanes(d)) {
      const auto clocks = [&](std::ptrdiff_t dy, const float* lanes) HWY_ATTR {
        return hn::Max(hn::LoadU(d, window_.clock + cell + dy * window_.stride - 2 + static_cast<std::ptrdiff_t>(i)),
                      hn::Load(d, lanes + i));
      };
      before = hn::Min(before, hn::Min(hn::Min(clocks(-2, kOuter), clocks(-1, kInner)), clocks(0, kLeft)));
      after = hn::Min(after, hn::Min(hn::Min(clocks(2, kOuter), clocks(1, kInner)), clocks(0, kRight)));
    }
    return hn::AllFalse(d, hn::Or(hn::Le(before, own), hn::Lt(after, own)));
  }

  /// Makes the dart of a cell a point and marks the darts in conflict with it.
  HWY_INLINE void land(std::ptrdiff_t cell) {
    const DRow d;
    const std::uint32_t dart = window_.position[cell];
    const auto own = hn::Set(d, static_cast<std::int32_t>(dart));
    window_.clock[cell] = HUGE_VALF;
    for (std::int32_t dy = -2; dy <= 2; ++dy) {
      auto* const row = reinterpret_cast<std::int32_t*>(window_.position + cell + dy * window_.stride - 2);
      for (std::size_t i = 0; i < 5; i += hn::Lanes(d)) {
        const auto word = hn::LoadU(d, row + i);
        const auto away = subtract_pairs(d, subtract_pairs(d, own, cell_origins(d, i, dy)), fractions(d, word));
        const auto dead = hn::And(hn::VecFromMask(d, in_radius(d, away)),
                                  hn::Set(d, static_cast<std::int32_t>(kDead)));
        hn::StoreU(hn::Or(word, dead), d, row + i);
      }
    }
    window_.position[cell] = dart | kIsPoint | kIsFresh;
  }

  /// Adds what a new point covers to the masks around it; cells that are covered whole become void.
  HWY_INLINE void cover(std::uint32_t packed) {
    const std::ptrdiff_t cell = index(packed);
    window_.position[cell] &= ~kIsFresh;
    const std::uint32_t dart = window_.position[cell];
    constexpr std::uint32_t kBoxShift = 9;  // 512 steps
    const std::size_t box =
        ((dart >> (16 + kBoxShift)) & 15U) * CoverRows::kBoxes + ((dart >> kBoxShift) & 15U);
    const hn::CappedTag<std::uint64_t, 8> d;
    const hn::Rebind<std::uint32_t, decltype(d)> d32;
    const hn::RebindToFloat<decltype(d32)> df;
    const auto full = hn::Set(d, ~std::uint64_t{0});
    const auto never = hn::BitCast(d32, hn::Inf(df));
    for (std::int32_t dy = -2; dy <= 2; ++dy) {
      const std::uint64_t* const masks = rows_.row(box, static_cast<std::size_t>(dy + 2));
      const std::ptrdiff_t row = cell + dy * window_.stride - 2;
      for (std::size_t i = 0; i < 5; i += hn::Lanes(d)) {
        std::uint64_t* const covered = window_.covered + row + static_cast<std::ptrdiff_t>(i);
        float* const clock = window_.clock + row + static_cast<std::ptrdiff_t>(i);
        const auto joined = hn::Or(hn::LoadU(d, covered), hn::Load(d, masks + i));
        hn::StoreU(joined, d, covered);
        const auto whole = hn::TruncateTo(d32, hn::VecFromMask(d, hn::Eq(joined, full)));
        hn::StoreU(hn::Max(hn::LoadU(df, clock), hn::BitCast(df, hn::And(whole, never))), df, clock);
      }
    }
  }

  static constexpr float kNever = HUGE_VALF;
  // Lower bounds by lane: 0 where a lane counts, infinity where it does not.
  alignas(32) static constexpr float kInner[8] = {0, 0, 0, 0, 0, kNever, kNever, kNever};
  alignas(32) static constexpr float kOuter[8] = {kNever, 0, 0, 0, kNever, kNever, kNever, kNever};
  alignas(32) static constexpr float kLeft[8] = {0, 0, kNever, kNever, kNever, kNever, kNever, kNever};
  alignas(32) static constexpr float kRight[8] = {kNever, kNever, kNever, 0, 0, kNever, kNever, kNever};
  const KernelWindow& window_;
  KernelLists& lists_;
  const CoverRows& rows_;
  Redraw redraw_;
  float begin_ = 0;
  float end_ = 0;
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
