// The points around a cell of poisson/tiled, and what of the cell their discs leave.
#if defined(STREW_POISSON_TILED_AROUND_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_AROUND_INL
#undef STREW_POISSON_TILED_AROUND_INL
#else
#define STREW_POISSON_TILED_AROUND_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_reach-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lanes from `lane` on of what is around a position: the words, and which of them are in conflict with it
/// if they are points.
struct InReach {
  hn::VFromD<DReach> word;
  hn::Mask<DReach> near;
};
/// `first`: the first of the 16 cells, `lanes`: the quarter's place in a table.
HWY_INLINE InReach look_around(const std::uint32_t* first, std::ptrdiff_t stride, std::size_t lanes,
                               std::uint32_t position, std::size_t lane) {
  const DReach d;
  const auto word = load_reach(reinterpret_cast<const std::int32_t*>(first), stride, lane);
  const auto from = subtract_pairs(d, hn::Load(d, kReachTable.lane + lanes + kOriginLane + lane),
                                   hn::Set(d, static_cast<std::int32_t>(position)));
  return {word, in_radius(d, add_pairs(d, from, fractions(d, word)))};
}

/// Tests the darts of `count` cells, kPiece at most: those that a point's disc covers are marked as dead and
/// added to `dead`, the others to `active`.
HWY_NOINLINE void test_darts(const KernelWindow& all, const std::uint32_t* cells, std::size_t count,
                             WordList& dead, WordList& active) {
  const KernelWindow window = all;
  Reaches at;
  at.find(window, cells, count);
  const DReach d;
  std::uint32_t covered[kPiece];
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t dart = at.word[i] & ~kUntested;
    std::uint32_t any = 0;
    for (std::size_t lane = 0; lane < kReachCells; lane += hn::Lanes(d)) {
      const InReach around =
          look_around(window.position + at.first[i], window.stride, at.lanes[i], dart, lane);
      any |= mask_bits(d, hn::And(around.near, hn::Lt(around.word, hn::Zero(d))));
    }
    covered[i] = any;
  }
  // Apart, so that no vector is loaded of which a part was just stored.
  for (std::size_t i = 0; i < count; ++i) {
    window.position[at.cell[i]] = (at.word[i] & ~kUntested) | (covered[i] != 0 ? kDead : 0U);
  }
  const DCells d_cells;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d_cells)) {
    const auto packed = hn::LoadU(d_cells, cells + i);
    const std::uint32_t meant = (1U << std::min(count - i, hn::Lanes(d_cells))) - 1U;
    const std::uint32_t lost =
        meant & mask_bits(d_cells, hn::Ne(hn::LoadU(d_cells, covered + i), hn::Zero(d_cells)));
    dead.size += compress(d_cells, packed, lost, dead.memory.data() + dead.size);
    active.size += compress(d_cells, packed, meant & ~lost, active.memory.data() + active.size);
  }
}

class Around {
 public:
  explicit Around(const KernelWindow& window) : window_(window) {}

  /// What covers a position, as bits of no meaning but that there are some.
  struct Verdict {
    std::uint32_t old;  ///< discs of older points
    std::uint32_t any;  ///< and of points of the stage
  };
  /// As in look_around.
  [[nodiscard]] HWY_INLINE Verdict verdict(const std::uint32_t* first, std::size_t lanes,
                                           std::uint32_t position) const {
    const DReach d;
    const auto fresh_bits = hn::Set(d, static_cast<std::int32_t>(kIsPoint | kIsFresh));
    Verdict verdict{0, 0};
    for (std::size_t lane = 0; lane < kReachCells; lane += hn::Lanes(d)) {
      const InReach around = look_around(first, window_.stride, lanes, position, lane);
      verdict.old |= mask_bits(d, hn::And(around.near, hn::Lt(around.word, fresh_bits)));
      verdict.any |= mask_bits(d, hn::And(around.near, hn::Lt(around.word, hn::Zero(d))));
    }
    return verdict;
  }
  /// Whether any point's disc covers the position of a cell.
  [[nodiscard]] HWY_INLINE bool covers(std::ptrdiff_t cell, std::uint32_t position) const {
    const Reach reach = reach_of(cell, window_.stride, position);
    return verdict(window_.position + reach.first, reach.lanes, position).any != 0;
  }

  /// Room for the discs of a cell, and for what a vector may write past them.
  static constexpr std::size_t kMostDiscs = 40;

  /// Lists the centres of the older points around a cell whose disc meets the box around its clear
  /// sub-squares, and four far away after them; their number without these.
  [[nodiscard]] HWY_INLINE std::uint32_t list_discs(std::ptrdiff_t cell, std::uint64_t clear,
                                                    std::int32_t* discs) const {
    std::uint64_t columns = clear | (clear >> 32);
    columns |= columns >> 16;
    columns = (columns | (columns >> 8)) & 0xFFU;
    const auto low = [](std::uint64_t bits) HWY_ATTR {
      return static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
    };
    const auto high = [](std::uint64_t bits)
                          HWY_ATTR { return static_cast<std::int32_t>(std::bit_width(bits)); };
    const std::int32_t first = pack_pair(low(columns) * kSubSide, low(clear) / 8 * kSubSide);
    const std::int32_t last =
        pack_pair(high(columns) * kSubSide - 1, ((high(clear) - 1) / 8 + 1) * kSubSide - 1);
    const DNear d;
    const auto fresh_bits = hn::Set(d, static_cast<std::int32_t>(kIsPoint | kIsFresh));
    std::uint32_t count = 0;
    for (std::size_t v = 0; v < kNearVectors; ++v) {
      const auto word = near_words(cell, v);
      const auto centre = add_pairs(d, hn::Load(d, kNearTable.origin + v * hn::Lanes(d)), fractions(d, word));
      // Offset from the centre to the nearest position: 0 between the sides, else to the nearer one.
      const auto below = subtract_pairs(d, hn::Set(d, first), centre);
      const auto above = subtract_pairs(d, centre, hn::Set(d, last));
      const auto away = max_pairs(d, max_pairs(d, below, above), hn::Zero(d));
      const auto meets = hn::And(in_radius(d, away), hn::Lt(word, fresh_bits));
      count += compress(d, centre, mask_bits(d, meets), discs + count);
    }
    std::fill_n(discs + count, 4, pack_pair(-2 * kCellSteps, 0));
    return count;
  }

 private:
  /// Vector `v` of the positions around a cell. As signed numbers: older points < points of the stage < 0 <=
  /// darts.
  [[nodiscard]] HWY_INLINE hn::VFromD<DNear> near_words(std::ptrdiff_t cell, std::size_t v) const {
    return load_near(reinterpret_cast<const std::int32_t*>(window_.position), cell, window_.stride, v);
  }
  const KernelWindow& window_;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
