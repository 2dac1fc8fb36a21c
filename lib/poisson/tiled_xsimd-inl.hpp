// poisson/tiled by xsimd, for the instruction set that the including unit is compiled for: it defines
// STREW_XSIMD_ARCH, STREW_XSIMD_NAMESPACE and STREW_XSIMD_KERNEL.
//
// xsimd 8.1 has neither compression of lanes, nor masks as bits, nor 16-bit multiply-add, nor widening
// products: distances are 32-bit, lists are made by scalar code, draws one at a time. Units call no inline
// function with floating point that a linker could take for one of a narrower unit.
#include <xsimd/xsimd.hpp>

#include "dart_region.hpp"
#include "strew/exact_math.hpp"
#include "tiled_window.hpp"
#include "tiled_xsimd.hpp"

namespace strew::poisson {
namespace STREW_XSIMD_NAMESPACE {

using Ints = xsimd::batch<std::int32_t, STREW_XSIMD_ARCH>;
using Floats = xsimd::batch<float, STREW_XSIMD_ARCH>;
using Masks = xsimd::batch<std::uint64_t, STREW_XSIMD_ARCH>;
constexpr std::int32_t kLanes = static_cast<std::int32_t>(Ints::size);
constexpr float kNever = __builtin_huge_valf();

inline Ints in_radius_or(Ints dx, Ints dy, Ints yes, Ints no) {
  return xsimd::select(dx * dx + dy * dy < Ints(kRadiusSquared), yes, no);
}
inline std::uint32_t bits_of(float value) noexcept {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float float_of(std::uint32_t bits) noexcept {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

/// One row of a neighbourhood: cells -2 to 2, padded to whole vectors of every instruction set.
struct RowTable {
  alignas(64) std::int32_t origin[16];     ///< left side of the cell in steps
  alignas(64) std::int32_t neighbour[16];  ///< 1 for a neighbour, 0 for corners, the centre and the padding
  alignas(64) std::int32_t mask[16];       ///< all bits for a neighbour, else 0
};
constexpr RowTable row_table(std::int32_t dy) noexcept {
  RowTable table{};
  for (std::int32_t i = 0; i < 16; ++i) {
    const std::int32_t dx = i - 2;
    const bool neighbour = dx <= 2 && dx * dx + dy * dy < 8 && (dx != 0 || dy != 0);
    table.origin[i] = neighbour ? dx * kCellSteps : 0;
    table.neighbour[i] = neighbour ? 1 : 0;
    table.mask[i] = neighbour ? -1 : 0;
  }
  return table;
}
constexpr RowTable kRows[5] = {row_table(-2), row_table(-1), row_table(0), row_table(1), row_table(2)};

inline bool earliest(const KernelWindow& window, std::ptrdiff_t cell) {
  const float own = window.clock[cell];
  // Of equal clocks the first in row-major order is the earlier: below the next float is not above.
  const float next = float_of(bits_of(own) + 1U);
  for (std::int32_t dy = -2; dy <= 2; ++dy) {
    const RowTable& table = kRows[dy + 2];
    for (std::int32_t i = 0; i < 5; i += kLanes) {
      alignas(64) float bounds[kLanes];
      for (std::int32_t k = 0; k < kLanes; ++k) {
        const bool precedes = dy < 0 || (dy == 0 && i + k < 2);
        bounds[k] = table.neighbour[i + k] == 0 ? 0.0F : precedes ? next : own;
      }
      const Floats clock = Floats::load_unaligned(window.clock + cell + dy * window.stride - 2 + i);
      if (xsimd::any(clock < Floats::load_aligned(bounds))) {
        return false;
      }
    }
  }
  return true;
}

inline void land(const KernelWindow& window, std::ptrdiff_t cell) {
  const std::uint32_t dart = window.position[cell];
  const auto own_x = static_cast<std::int32_t>(dart & 0x1FFFU);
  const auto own_y = static_cast<std::int32_t>((dart >> 16) & 0x1FFFU);
  window.clock[cell] = kNever;
  for (std::int32_t dy = -2; dy <= 2; ++dy) {
    const RowTable& table = kRows[dy + 2];
    auto* const row = reinterpret_cast<std::int32_t*>(window.position + cell + dy * window.stride - 2);
    for (std::int32_t i = 0; i < 5; i += kLanes) {
      const Ints word = Ints::load_unaligned(row + i);
      const Ints dx = (word & Ints(0x1FFF)) + Ints::load_aligned(table.origin + i) - Ints(own_x);
      const Ints dy_steps = ((word >> 16) & Ints(0x1FFF)) + Ints(dy * kCellSteps - own_y);
      const Ints dead = Ints::load_aligned(table.neighbour + i) * Ints(static_cast<std::int32_t>(kDead));
      const Ints marked = word | in_radius_or(dx, dy_steps, dead, Ints(0));
      marked.store_unaligned(row + i);
    }
  }
  window.position[cell] = dart | kIsPoint | kIsFresh;
}

inline void cover(const KernelWindow& window, const RowChords& chords, std::ptrdiff_t cell) {
  window.position[cell] &= ~kIsFresh;
  const std::uint32_t dart = window.position[cell];
  CellMasks around;
  disc_masks(chords,
             {static_cast<std::int32_t>(dart & 0x1FFFU), static_cast<std::int32_t>((dart >> 16) & 0x1FFFU)},
             around);
  constexpr std::int32_t kWide = static_cast<std::int32_t>(Masks::size);
  for (std::int32_t dy = -2; dy <= 2; ++dy) {
    const std::uint64_t* const masks = &around[static_cast<std::size_t>(dy + 2)][0];
    const std::ptrdiff_t row = cell + dy * window.stride - 2;
    for (std::int32_t i = 0; i < 5; i += kWide) {
      const Masks joined = Masks::load_unaligned(window.covered + row + i) | Masks::load_unaligned(masks + i);
      joined.store_unaligned(window.covered + row + i);
    }
  }
}

/// Times as values of this unit: a function of a header might be taken from a unit for another processor.
constexpr std::array<float, kStages> kEnds = kStageEnds;
constexpr std::array<float, kStages> kBegins = [] {
  std::array<float, kStages> begins{};
  for (std::size_t stage = 1; stage < kStages; ++stage) {
    begins[stage] = kStageEnds[stage - 1];
  }
  return begins;
}();
inline std::size_t stage_number(float time) noexcept {
  return kStageOfExponent[bits_of(time) >> 23];
}

/// Calls take(packed) for the undecided cells of the rows before y1 that enter a stage, with clocks in [from,
/// to).
template <class Take>
inline void scan(const KernelWindow& window, const KernelLists::Stage& stage, std::int32_t y1, float from,
                 float to, const Take& take) {
  for (std::int32_t y = stage.entered; y < y1; ++y) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * window.stride;
    for (std::int32_t x = stage.x0; x < stage.x1; ++x) {
      if (window.clock[row + x] >= from && window.clock[row + x] < to) {
        take((static_cast<std::uint32_t>(y) << 16) | static_cast<std::uint32_t>(x));
      }
    }
  }
}
inline void scan_due(const KernelWindow& window, const KernelLists::Stage& stage, std::int32_t y1,
                     std::size_t number, WordList& list) {
  scan(window, stage, y1, kBegins[number], kEnds[number], [&](std::uint32_t packed) { list.add(packed); });
}
inline void scan_rest(const KernelWindow& window, const KernelLists::Stage& stage, std::int32_t y1,
                      std::size_t number, KernelLists& lists) {
  scan(window, stage, y1, kBegins[number], kNever, [&](std::uint32_t packed) {
    lists.stages[stage_number(window.clock[cell_index(window, packed)])].waiting.add(packed);
  });
}
/// Moves the cells of the rows before `to` from those that wait for the stage to `taken`, and forgets those
/// of them that take no part in it.
inline void take_waiting(const KernelLists::Stage& stage, std::int32_t to, WordList& waiting,
                         WordList& taken) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < waiting.size; ++i) {
    const std::uint32_t packed = waiting.memory[i];
    const auto x = static_cast<std::int32_t>(packed & 0xFFFFU);
    const auto y = static_cast<std::int32_t>(packed >> 16);
    if (y >= to) {
      waiting.memory[kept++] = packed;
    } else if (y >= stage.entered && x >= stage.x0 && x < stage.x1) {
      taken.add(packed);
    }
  }
  waiting.size = kept;
}
/// Sorts `count` cells that have come into a stage: those that are covered whole become void, those whose
/// dart is lost are added to `dead`, those with a tested dart to `active`; the rest stay, and their number is
/// returned.
inline std::size_t sort_taken(const KernelWindow& window, std::uint32_t* cells, std::size_t count,
                              WordList& dead, WordList& active) {
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t packed = cells[i];
    const std::ptrdiff_t cell = cell_index(window, packed);
    const std::uint32_t word = window.position[cell];
    if (window.covered[cell] == ~std::uint64_t{0}) {
      window.clock[cell] = kNever;
    } else if ((word & kDead) != 0) {
      dead.push(packed);
    } else if ((word & kUntested) == 0) {
      active.push(packed);
    } else {
      cells[left++] = packed;
    }
  }
  return left;
}
/// Whether a point's disc covers the position of a cell.
inline bool covers(const KernelWindow& window, std::ptrdiff_t cell, std::int32_t position) {
  const std::int32_t own_x = position & 0x1FFF;
  const std::int32_t own_y = (position >> 16) & 0x1FFF;
  Ints any(0);
  for (std::int32_t dy = -2; dy <= 2; ++dy) {
    const RowTable& table = kRows[dy + 2];
    const auto* const row =
        reinterpret_cast<const std::int32_t*>(window.position + cell + dy * window.stride - 2);
    for (std::int32_t i = 0; i < 5; i += kLanes) {
      const Ints word = Ints::load_unaligned(row + i);
      const Ints dx = (word & Ints(0x1FFF)) + Ints::load_aligned(table.origin + i) - Ints(own_x);
      const Ints dy_steps = ((word >> 16) & Ints(0x1FFF)) + Ints(dy * kCellSteps - own_y);
      // A point's word is negative.
      any = any | (in_radius_or(dx, dy_steps, word, Ints(0)) & Ints::load_aligned(table.mask + i));
    }
  }
  return xsimd::any(any < Ints(0));
}
/// Asks of the darts of `count` cells whether they are lost, must wait for an earlier one, or may land: the
/// lost are added to `dead`, those that may land to `landed`, the others put to `waiting`, where the cells
/// themselves may stand. Returns the number of the others.
inline std::size_t ask_darts(const KernelWindow& window, const std::uint32_t* cells, std::size_t count,
                             WordList& dead, WordList& landed, std::uint32_t* waiting) {
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t packed = cells[i];
    const std::ptrdiff_t cell = cell_index(window, packed);
    if ((window.position[cell] & kDead) != 0) {
      dead.push(packed);
    } else if (earliest(window, cell)) {
      landed.push(packed);
    } else {
      waiting[left++] = packed;
    }
  }
  return left;
}
/// Tests the darts of `count` cells: those that a point's disc covers are marked as dead and added to `dead`,
/// the others to `active`.
inline void test_darts(const KernelWindow& window, const std::uint32_t* cells, std::size_t count,
                       WordList& dead, WordList& active) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::ptrdiff_t cell = cell_index(window, cells[i]);
    const std::uint32_t dart = window.position[cell] & ~kUntested;
    const bool lost = covers(window, cell, static_cast<std::int32_t>(dart));
    window.position[cell] = dart | (lost ? kDead : 0U);
    (lost ? dead : active).push(cells[i]);
  }
}
inline void land_piece(const KernelWindow& window, const std::uint32_t* cells, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    land(window, cell_index(window, cells[i]));
  }
}
inline void cover_piece(const KernelWindow& window, const RowChords& chords, const std::uint32_t* cells,
                        std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    cover(window, chords, cell_index(window, cells[i]));
  }
}
/// Points of a row of the core, as steps from its left side and from the row's.
inline std::size_t list_points(const KernelWindow& window, std::int32_t y, std::uint32_t* across,
                               std::uint32_t* along) {
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * window.stride;
  std::size_t count = 0;
  for (std::int32_t x = window.core.x0; x < window.core.x1; ++x) {
    const std::uint32_t word = window.position[row + x];
    across[count] = (static_cast<std::uint32_t>(x - window.core.x0) << kCellBits) | (word & 0x1FFFU);
    along[count] = (word >> 16) & 0x1FFFU;
    count += (word & kIsPoint) != 0 ? 1 : 0;
  }
  return count;
}

#include "tiled_border-inl.hpp"
// After it.
#include "tiled_xsimd_redraw-inl.hpp"

/// The first dart of each cell of rows, and nothing covered yet.
inline void first_darts(const KernelWindow& window, std::int32_t y0, std::int32_t y1) {
  for (std::int32_t y = y0; y < y1; ++y) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * window.stride;
    for (std::int32_t x = 0; x < window.stride; ++x) {
      window.covered[row + x] = 0;
      window.clock[row + x] = kNever;
      window.position[row + x] = 0;
      if (x < window.width) {
        const Clock clock = first_dart(window.keys, window.x0 + x, window.y0 + y);
        window.clock[row + x] = clock.time;
        window.position[row + x] =
            static_cast<std::uint32_t>(clock.dart.x) | (static_cast<std::uint32_t>(clock.dart.y) << 16);
      }
    }
  }
}

#include "tiled_stage-inl.hpp"
// After it.
#include "tiled_wave-inl.hpp"

}  // namespace STREW_XSIMD_NAMESPACE

bool STREW_XSIMD_KERNEL(const KernelWindow& window) {
  return STREW_XSIMD_NAMESPACE::Wave(window).run();
}

}  // namespace strew::poisson
