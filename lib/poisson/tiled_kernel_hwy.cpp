// poisson/tiled by Highway: stages of rain over a window of cells, one kernel per ISA.
//
// The reference lets darts land in order of time. Here, inside a stage, a dart lands as soon as no dart of
// the cells in its reach is earlier: nothing that could matter to it is still to come, so it sees exactly the
// points that it sees in the reference, whatever the order of cells. A point marks the darts in conflict as
// dead; a dead dart is replaced at once, since its successor depends on older points only (but in the late
// stage, where both wait until no dart around is earlier). When a stage is over for the rows around, its
// points add what they cover to the masks, and a cell all of whose sub-squares are covered is void, which the
// reference finds out only when the cell's dart lands. The two outer rings never land; what waits for them is
// unknown, and stays so: its clock lags behind the stages and holds up what depends on it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiled_kernel_hwy.cpp"
// AES rounds on whole vectors, where the processor has them.
#define HWY_WANT_AVX3_DL
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

/// Calls take(size, cells, times, bits) -> size for the cells of the rows before y1 that enter a stage, with
/// clocks in [from, to), a vector at a time: those of `bits` are the ones; `size` of them came before, in
/// rows for which `more(size, count)` had made room.
template <class More, class Take>
HWY_INLINE std::size_t scan_rows(const KernelWindow& window, const KernelLists::Stage& stage, std::int32_t y1,
                                 float from, float to, const More& more, const Take& take) {
  const DCells d;
  const hn::RebindToFloat<DCells> df;
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  const auto across = static_cast<std::size_t>(stage.x1 - stage.x0);
  std::size_t size = 0;
  for (std::int32_t y = stage.entered; y < y1; ++y) {
    const float* const clock = window.clock + static_cast<std::ptrdiff_t>(y) * window.stride;
    more(size, across);
    for (std::int32_t x = stage.x0; x < stage.x1; x += lanes) {
      const auto time = hn::LoadU(df, clock + x);
      std::uint32_t due =
          mask_bits(df, hn::And(hn::Ge(time, hn::Set(df, from)), hn::Lt(time, hn::Set(df, to))));
      if (stage.x1 - x < lanes) {
        due &= (1U << (stage.x1 - x)) - 1U;
      }
      const auto packed = hn::Add(
          hn::Iota(d, 0), hn::Set(d, (static_cast<std::uint32_t>(y) << 16) | static_cast<std::uint32_t>(x)));
      size = take(size, packed, time, due);
    }
  }
  return size;
}
/// The cells with a number, one after another at `out`, which has room for a vector more; how many.
HWY_NOINLINE std::size_t take_where(const std::uint32_t* cells, const std::uint32_t* numbers,
                                    std::size_t count, std::uint32_t number, std::uint32_t* out) {
  const DCells d;
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const std::uint32_t meant = (1U << std::min(count - i, hn::Lanes(d))) - 1U;
    const std::uint32_t wanted = meant & mask_bits(d, hn::Eq(hn::LoadU(d, numbers + i), hn::Set(d, number)));
    size += compress(d, hn::LoadU(d, cells + i), wanted, out + size);
  }
  return size;
}
/// Adds to `list` the cells of the rows before y1 whose dart is due in a stage.
HWY_NOINLINE void scan_due(const KernelWindow& window, const KernelLists::Stage& stage, std::int32_t y1,
                           std::size_t number, WordList& list) {
  const std::size_t before = list.size;
  std::uint32_t* cells = nullptr;
  const std::size_t size = scan_rows(
      window, stage, y1, stage_begin(number), stage_end(number),
      [&](std::size_t so_far, std::size_t count) {
        list.size = before + so_far;
        list.reserve_more(count);
        cells = list.memory.data() + before;
      },
      [&](std::size_t so_far, hn::VFromD<DCells> packed, hn::VFromD<hn::RebindToFloat<DCells>> /*time*/,
          std::uint32_t due) HWY_ATTR { return so_far + compress(DCells(), packed, due, cells + so_far); });
  list.size = before + size;
}
/// Lists the undecided cells of the rows before y1 by the stages that their darts are due in.
HWY_NOINLINE void scan_rest(const KernelWindow& window, const KernelLists::Stage& stage, std::int32_t y1,
                            std::size_t number, KernelLists& lists) {
  std::uint32_t* cells = nullptr;
  std::uint32_t* numbers = nullptr;
  const std::size_t size = scan_rows(
      window, stage, y1, stage_begin(number), HUGE_VALF,
      [&](std::size_t so_far, std::size_t count) {
        lists.taken.size = so_far;
        lists.numbers.size = so_far;
        lists.taken.reserve_more(count);
        lists.numbers.reserve_more(count);
        cells = lists.taken.memory.data();
        numbers = lists.numbers.memory.data();
      },
      [&](std::size_t so_far, hn::VFromD<DCells> packed, hn::VFromD<hn::RebindToFloat<DCells>> time,
          std::uint32_t undecided) HWY_ATTR {
        compress(DCells(), later_stages(DCells(), time), undecided, numbers + so_far);
        return so_far + compress(DCells(), packed, undecided, cells + so_far);
      });
  lists.taken.size = 0;
  for (std::size_t later = number; later < kStages; ++later) {
    WordList& waiting = lists.stages[later].waiting;
    waiting.reserve_more(size);
    waiting.size += take_where(cells, numbers, size, static_cast<std::uint32_t>(later),
                               waiting.memory.data() + waiting.size);
  }
}
/// Moves the cells of the rows before `to` from those that wait for the stage to `taken`, and forgets those
/// of them that take no part in it.
HWY_NOINLINE void take_waiting(const KernelLists::Stage& stage, std::int32_t to, WordList& waiting,
                               WordList& taken) {
  const hn::CappedTag<std::uint32_t, 16> d;
  taken.reserve_more(waiting.size);
  waiting.reserve_more(0);  // a vector past the last is read and written
  std::uint32_t* const waiting_cells = waiting.memory.data();
  std::uint32_t* const taken_cells = taken.memory.data();
  const auto first = hn::Set(d, static_cast<std::uint32_t>(stage.entered));
  const auto limit = hn::Set(d, static_cast<std::uint32_t>(to));
  const auto left = hn::Set(d, static_cast<std::uint32_t>(stage.x0));
  const auto across = hn::Set(d, static_cast<std::uint32_t>(stage.x1 - stage.x0));
  std::size_t kept = 0;
  std::size_t size = 0;
  for (std::size_t i = 0; i < waiting.size; i += hn::Lanes(d)) {
    const auto packed = hn::LoadU(d, waiting_cells + i);
    const std::uint32_t meant = (1U << std::min(waiting.size - i, hn::Lanes(d))) - 1U;
    const auto y = hn::ShiftRight<16>(packed);
    const std::uint32_t before = mask_bits(d, hn::Lt(y, limit));
    const std::uint32_t inside =
        mask_bits(d, hn::Lt(hn::Sub(hn::And(packed, hn::Set(d, 0xFFFFU)), left), across)) &
        ~mask_bits(d, hn::Lt(y, first));
    size += compress(d, packed, meant & before & inside, taken_cells + size);
    kept += compress(d, packed, meant & ~before, waiting_cells + kept);
  }
  waiting.size = kept;
  taken.size = size;
}
/// What has come of up to kPiece cells, and of their darts, before they come into a stage.
struct Arrivals {
  static constexpr std::uint32_t kHidden = 1;  ///< the dart lies in a covered sub-square
  static constexpr std::uint32_t kWhole = 2;   ///< all sub-squares are covered
  alignas(64) std::uint32_t cell[kPiece];
  alignas(64) std::uint32_t word[kPiece];
  alignas(64) std::uint32_t bit[kPiece];  ///< of the dart's sub-square
  alignas(64) std::uint32_t fate[kPiece];

  HWY_INLINE void look_up(const KernelWindow& window, const std::uint32_t* packed, std::size_t count) {
    const DCells d;
    each_word(window, packed, count,
              [&](std::size_t i, hn::VFromD<DCells> cells, hn::VFromD<DCells> words) HWY_ATTR {
                hn::Store(cells, d, cell + i);
                hn::Store(words, d, word + i);
                hn::Store(hn::Or(hn::And(hn::ShiftRight<kSubBits>(words), hn::Set(d, 7U)),
                                 hn::And(hn::ShiftRight<16 + kSubBits - 3>(words), hn::Set(d, 0x38U))),
                          d, bit + i);
              });
    const hn::CappedTag<std::uint64_t, 8> d64;
    const hn::Rebind<std::uint32_t, decltype(d64)> d32;
    const auto full = hn::Set(d64, ~std::uint64_t{0});
    for (std::size_t i = 0; i < count; i += hn::Lanes(d64)) {
      const auto cells = hn::PromoteTo(d64, hn::Load(d32, cell + i));
      const auto covered =
          hn::GatherIndex(d64, window.covered, hn::BitCast(hn::RebindToSigned<decltype(d64)>(), cells));
      const auto hidden = hn::And(hn::Shr(covered, hn::PromoteTo(d64, hn::Load(d32, bit + i))),
                                  hn::Set(d64, std::uint64_t{kHidden}));
      const auto whole = hn::IfThenElseZero(hn::Eq(covered, full), hn::Set(d64, std::uint64_t{kWhole}));
      hn::Store(hn::TruncateTo(d32, hn::Or(hidden, whole)), d32, fate + i);
    }
  }
};

/// Sorts `count` cells that have come into a stage, kPiece at most: those that are covered whole become void,
/// those whose dart is lost are added to `dead`, those with a tested dart to `active`; the rest stay, and
/// their number is returned.
HWY_NOINLINE std::size_t sort_taken(const KernelWindow& all, std::uint32_t* cells, std::size_t count,
                                    WordList& dead, WordList& active) {
  const KernelWindow window = all;
  Arrivals arrivals;
  arrivals.look_up(window, cells, count);
  const DCells d;
  std::uint32_t* const dead_out = dead.memory.data();
  std::uint32_t* const active_out = active.memory.data();
  std::size_t dead_size = dead.size;
  std::size_t active_size = active.size;
  std::size_t left = 0;
  std::size_t void_count = 0;
  std::uint32_t voids[kPiece + 16];
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto packed = hn::LoadU(d, cells + i);
    const auto word = hn::Load(d, arrivals.word + i);
    const auto fate = hn::Load(d, arrivals.fate + i);
    const std::uint32_t meant = (1U << std::min(count - i, hn::Lanes(d))) - 1U;
    const std::uint32_t whole = meant & has_bits(d, fate, Arrivals::kWhole);
    const std::uint32_t open = meant & ~whole;
    const std::uint32_t untested = open & has_bits(d, word, kUntested);
    const std::uint32_t lost =
        open & (has_bits(d, word, kDead) | (untested & has_bits(d, fate, Arrivals::kHidden)));
    void_count += compress(d, hn::Load(d, arrivals.cell + i), whole, voids + void_count);
    dead_size += compress(d, packed, lost, dead_out + dead_size);
    active_size += compress(d, packed, open & ~(lost | untested), active_out + active_size);
    left += compress(d, packed, untested & ~lost, cells + left);
  }
  for (std::size_t i = 0; i < void_count; ++i) {
    window.clock[voids[i]] = HUGE_VALF;
  }
  dead.size = dead_size;
  active.size = active_size;
  return left;
}

/// Points of a row of the core, as steps from its left side and from the row's.
HWY_INLINE std::size_t list_points(const KernelWindow& window, std::int32_t y, std::uint32_t* across,
                                   std::uint32_t* along) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::uint32_t* const row =
      window.position + static_cast<std::ptrdiff_t>(y) * window.stride + window.core.x0;
  const auto width = static_cast<std::size_t>(window.core.x1 - window.core.x0);
  const auto fraction = hn::Set(d, 0x1FFFU);
  std::size_t count = 0;
  for (std::size_t x = 0; x < width; x += hn::Lanes(d)) {
    const auto word = hn::LoadU(d, row + x);
    std::uint32_t points = mask_bits(di, hn::Lt(hn::BitCast(di, word), hn::Zero(di)));
    if (width - x < hn::Lanes(d)) {
      points &= (1U << (width - x)) - 1U;
    }
    const auto column =
        hn::ShiftLeft<kCellBits>(hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<std::uint32_t>(x))));
    compress(d, hn::Or(column, hn::And(word, fraction)), points, across + count);
    count += compress(d, hn::And(hn::ShiftRight<16>(word), fraction), points, along + count);
  }
  return count;
}

#include "tiled_stage-inl.hpp"
// After it.
#include "tiled_wave-inl.hpp"

bool evaluate_window(const KernelWindow& window) {
  return Wave(window).run();
}

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::poisson {

const KernelTable<TiledKernel>& tiled_kernels() noexcept {
  static constexpr KernelTable<TiledKernel> kTable = STREW_KERNEL_TABLE(evaluate_window);
  return kTable;
}
Result<TiledKernel> tiled_kernel(Isa isa) {
  static constexpr std::array<TiledKernel, 1> kWide = {HWY_CHOOSE_AVX3_DL(evaluate_window)};
  return choose_kernel(tiled_kernels(), kWide, isa);
}

}  // namespace strew::poisson
#endif
