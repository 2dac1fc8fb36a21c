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
};
constexpr RowTable row_table(std::int32_t dy) noexcept {
  RowTable table{};
  for (std::int32_t i = 0; i < 16; ++i) {
    const std::int32_t dx = i - 2;
    const bool neighbour = dx <= 2 && dx * dx + dy * dy < 8 && (dx != 0 || dy != 0);
    table.origin[i] = neighbour ? dx * kCellSteps : 0;
    table.neighbour[i] = neighbour ? 1 : 0;
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
    for (std::int32_t i = 0; i < 5; ++i) {
      if (window.covered[row + i] == ~std::uint64_t{0}) {
        window.clock[row + i] = kNever;
      }
    }
  }
}
inline void prefetch_cover(const KernelWindow& /*window*/, const RowChords& /*chords*/,
                           std::ptrdiff_t /*cell*/) {}

inline void scan_due(const KernelWindow& window, const WindowRect& box, float begin, float end,
                     KernelLists& lists) {
  lists.active.size = 0;
  lists.dead.size = 0;
  for (std::int32_t y = box.y0; y < box.y1; ++y) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * window.stride;
    lists.active.reserve_more(static_cast<std::size_t>(box.x1 - box.x0));
    lists.dead.reserve_more(static_cast<std::size_t>(box.x1 - box.x0));
    for (std::int32_t x = box.x0; x < box.x1; ++x) {
      const float time = window.clock[row + x];
      if (time >= begin && time < end) {
        WordList& list = (window.position[row + x] & kDead) != 0 ? lists.dead : lists.active;
        list.push((static_cast<std::uint32_t>(y) << 16) | static_cast<std::uint32_t>(x));
      }
    }
  }
}
inline void scan_rest(const KernelWindow& window, const WindowRect& box, float begin, KernelLists& lists) {
  lists.later.size = 0;
  for (std::int32_t y = box.y0; y < box.y1; ++y) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * window.stride;
    lists.later.reserve_more(static_cast<std::size_t>(box.x1 - box.x0));
    for (std::int32_t x = box.x0; x < box.x1; ++x) {
      if (window.clock[row + x] >= begin && window.clock[row + x] < kNever) {
        lists.later.push((static_cast<std::uint32_t>(y) << 16) | static_cast<std::uint32_t>(x));
      }
    }
  }
}

inline void take_due(const KernelWindow& window, const WindowRect& box, float end, KernelLists& lists) {
  WordList& later = lists.later;
  lists.active.size = 0;
  lists.dead.size = 0;
  lists.active.reserve_more(later.size);
  lists.dead.reserve_more(later.size);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < later.size; ++i) {
    const std::uint32_t packed = later.memory[i];
    const std::ptrdiff_t cell = cell_index(window, packed);
    const float time = window.clock[cell];
    if (!box.contains(packed) || time == kNever) {
      continue;
    }
    if (time < end) {
      ((window.position[cell] & kDead) != 0 ? lists.dead : lists.active).push(packed);
    } else {
      later.memory[kept++] = packed;
    }
  }
  later.size = kept;
}
#include "tiled_xsimd_redraw-inl.hpp"

/// The first dart of each cell, and nothing covered yet.
inline void first_darts(const KernelWindow& window) {
  for (std::int32_t y = 0; y < window.height; ++y) {
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

#include "tiled_stages-inl.hpp"

}  // namespace STREW_XSIMD_NAMESPACE

bool STREW_XSIMD_KERNEL(const KernelWindow& window) {
  return STREW_XSIMD_NAMESPACE::Stages(window).run();
}

}  // namespace strew::poisson
