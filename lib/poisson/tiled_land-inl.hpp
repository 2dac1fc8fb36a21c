// Landing of one dart: it becomes a point and marks the 5 x 5 cells around it, or, on covered ground, gives
// way to the next.
#if defined(STREW_POISSON_TILED_LAND_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_LAND_INL
#undef STREW_POISSON_TILED_LAND_INL
#else
#define STREW_POISSON_TILED_LAND_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "dart_region.hpp"
#include "strew/exact_math.hpp"
#include "tiled_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Positions as 32-bit lanes: x in the low 16 bits, y in the high ones, both signed.
using DPair = hn::CappedTag<std::int32_t, 8>;

constexpr std::int32_t pack_pair(std::int32_t x, std::int32_t y) noexcept {
  return static_cast<std::int32_t>((static_cast<std::uint32_t>(y) << 16) |
                                   (static_cast<std::uint32_t>(x) & 0xFFFFU));
}

/// x^2 + y^2 of each lane's pair, |x|, |y| < 2^15.
template <class D>
HWY_INLINE hn::VFromD<D> squared_length([[maybe_unused]] D d, hn::VFromD<D> pair) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  // On x86 this operation is the pairwise multiply-add of adjacent 16-bit lanes.
  const hn::Repartition<std::int16_t, D> d16;
  const auto halves = hn::BitCast(d16, pair);
  auto unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, halves, halves, hn::Zero(d), unused);
#else
  const auto x = hn::ShiftRight<16>(hn::ShiftLeft<16>(pair));
  const auto y = hn::ShiftRight<16>(pair);
  return hn::Add(hn::Mul(x, x), hn::Mul(y, y));
#endif
}

#if HWY_TARGET == HWY_SCALAR
// One 32-bit lane has no view as 16-bit lanes: the halves are taken apart and put together.
template <class D, class Function>
HWY_INLINE hn::VFromD<D> on_halves(D d, hn::VFromD<D> a, hn::VFromD<D> b, const Function& function) {
  const std::int32_t x =
      function(static_cast<std::int16_t>(hn::GetLane(a)), static_cast<std::int16_t>(hn::GetLane(b)));
  const std::int32_t y = function(hn::GetLane(a) >> 16, hn::GetLane(b) >> 16);
  return hn::Set(d, pack_pair(x, y));
}
template <class D>
HWY_INLINE hn::VFromD<D> subtract_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  return on_halves(d, a, b, [](std::int32_t p, std::int32_t q) { return p - q; });
}
template <class D>
HWY_INLINE hn::VFromD<D> add_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  return on_halves(d, a, b, [](std::int32_t p, std::int32_t q) { return p + q; });
}
template <class D>
HWY_INLINE hn::VFromD<D> max_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  return on_halves(d, a, b, [](std::int32_t p, std::int32_t q) { return p > q ? p : q; });
}
template <class D>
HWY_INLINE hn::VFromD<D> abs_pairs(D d, hn::VFromD<D> a) {
  return on_halves(d, a, a, [](std::int32_t p, std::int32_t) { return p < 0 ? -p : p; });
}
#else
template <class D>
using Halves = hn::Repartition<std::int16_t, D>;
template <class D>
HWY_INLINE hn::VFromD<D> subtract_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  const Halves<D> d16;
  return hn::BitCast(d, hn::Sub(hn::BitCast(d16, a), hn::BitCast(d16, b)));
}
template <class D>
HWY_INLINE hn::VFromD<D> add_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  const Halves<D> d16;
  return hn::BitCast(d, hn::Add(hn::BitCast(d16, a), hn::BitCast(d16, b)));
}
template <class D>
HWY_INLINE hn::VFromD<D> max_pairs(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  const Halves<D> d16;
  return hn::BitCast(d, hn::Max(hn::BitCast(d16, a), hn::BitCast(d16, b)));
}
template <class D>
HWY_INLINE hn::VFromD<D> abs_pairs(D d, hn::VFromD<D> a) {
  const Halves<D> d16;
  return hn::BitCast(d, hn::Abs(hn::BitCast(d16, a)));
}
#endif

template <class D, class M>
HWY_INLINE std::uint32_t mask_bits(D d, M mask) {
  alignas(8) std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return bits[0];
}

class Landing {
 public:
  explicit Landing(const KernelWindow& window)
      : window_(window),
        rows_(cover_rows()),
        core_pending_(static_cast<std::int64_t>(window.core_x1 - window.core_x0) *
                      (window.core_y1 - window.core_y0)) {}

  [[nodiscard]] std::int64_t core_pending() const noexcept { return core_pending_; }

  void land(std::int32_t x, std::int32_t y) {
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * window_.stride + x;
    if ((window_.position[cell] & kDead) == 0) {
      accept(x, y, cell);
    } else if (!redraw(x, y, cell)) {
      decide(x, y, cell);
    }
  }

 private:
  void decide(std::int32_t x, std::int32_t y, std::ptrdiff_t cell) {
    window_.clock[cell] = HUGE_VALF;
    core_pending_ -=
        x >= window_.core_x0 && x < window_.core_x1 && y >= window_.core_y0 && y < window_.core_y1 ? 1 : 0;
  }

  void accept(std::int32_t x, std::int32_t y, std::ptrdiff_t cell) {
    const std::uint32_t dart = window_.position[cell];
    decide(x, y, cell);
    window_.position[cell] = dart | kIsPoint;
    constexpr std::uint32_t kBoxShift = 9;  // 512 steps
    const std::uint32_t box =
        ((dart >> (16 + kBoxShift)) & 15U) * CoverRows::kBoxes + ((dart >> kBoxShift) & 15U);
    for (std::int32_t dy = -2; dy <= 2; ++dy) {
      const std::ptrdiff_t row = cell + dy * window_.stride - 2;
      mark_dead(row, dy, static_cast<std::int32_t>(dart & kFractionMask));
      const std::uint32_t full = mark_covered(row, rows_.row(box, static_cast<std::uint32_t>(dy + 2)));
      for (std::uint32_t left = full; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
        if (window_.clock[row + lane] != HUGE_VALF) {
          decide(x - 2 + lane, y + dy, row + lane);
        }
      }
    }
  }

  /// Corners of the cells -2 to 2 in row dy of a neighbourhood, as pairs, from lane i on.
  template <class D>
  static hn::VFromD<D> cell_origins(D d, std::size_t i, std::int32_t dy) {
    alignas(32) static constexpr std::int32_t kX[8] = {
        -2 * kCellSteps & 0xFFFF, -kCellSteps & 0xFFFF, 0, kCellSteps, 2 * kCellSteps, 0, 0, 0};
    return hn::Or(hn::Load(d, kX + i), hn::Set(d, pack_pair(0, dy * kCellSteps)));
  }
  template <class D>
  static hn::VFromD<D> fractions(D d, hn::VFromD<D> word) {
    return hn::And(word, hn::Set(d, static_cast<std::int32_t>(kFractionMask)));
  }

  /// Marks the darts in conflict among five cells from `row` on. Decided cells may be marked too; nobody
  /// looks.
  void mark_dead(std::ptrdiff_t row, std::int32_t dy, std::int32_t dart) {
    const DPair d;
    auto* const position = reinterpret_cast<std::int32_t*>(window_.position + row);
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      const auto word = hn::LoadU(d, position + i);
      const auto away =
          subtract_pairs(d, subtract_pairs(d, hn::Set(d, dart), cell_origins(d, i, dy)), fractions(d, word));
      const auto conflict = hn::Lt(squared_length(d, away), hn::Set(d, kRadiusSquared));
      const auto dead = hn::And(hn::And(hn::VecFromMask(d, conflict), hn::Load(d, kFiveLanes + i)),
                                hn::Set(d, static_cast<std::int32_t>(kDead)));
      hn::StoreU(hn::Or(word, dead), d, position + i);
    }
  }

  /// Adds the masks to five cells from `row` on; bits of those that are covered whole.
  std::uint32_t mark_covered(std::ptrdiff_t row, const std::uint64_t* masks) {
    const hn::CappedTag<std::uint64_t, 4> d;
    std::uint64_t* const covered = window_.covered + row;
    std::uint32_t full = 0;
    const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
    for (std::uint32_t i = 0; i < 4; i += lanes) {
      const auto joined = hn::Or(hn::LoadU(d, covered + i), hn::Load(d, masks + i));
      hn::StoreU(joined, d, covered + i);
      full |= mask_bits(d, hn::Eq(joined, hn::Set(d, ~std::uint64_t{0}))) << i;
    }
    covered[4] |= masks[4];
    return full | (covered[4] == ~std::uint64_t{0} ? 16U : 0U);
  }

  /// Points around a cell as pairs relative to it, padded with far ones to whole vectors.
  void gather_points(std::ptrdiff_t cell) {
    const DPair d;
    point_count_ = 0;
    for (std::int32_t dy = -2; dy <= 2; ++dy) {
      const auto* const row =
          reinterpret_cast<const std::int32_t*>(window_.position + cell + dy * window_.stride - 2);
      alignas(32) std::int32_t pairs[8];
      std::uint32_t points = 0;
      for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
        const auto word = hn::LoadU(d, row + i);
        hn::Store(add_pairs(d, cell_origins(d, i, dy), fractions(d, word)), d, pairs + i);
        points |= mask_bits(d, hn::Lt(word, hn::Zero(d))) << i;  // kIsPoint is the sign
      }
      // The corners of the 5 x 5 cells are far enough not to matter.
      for (points &= 31U; points != 0; points &= points - 1) {
        points_[point_count_++] = pairs[hwy::Num0BitsBelowLS1Bit_Nonzero32(points)];
      }
    }
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      hn::StoreU(hn::Set(d, pack_pair(-kFar, -kFar)), d, points_ + point_count_ + i);
    }
  }

  [[nodiscard]] bool covers(std::int32_t position) const {
    const DPair d;
    for (std::size_t i = 0; i < point_count_; i += hn::Lanes(d)) {
      const auto away = subtract_pairs(d, hn::LoadU(d, points_ + i), hn::Set(d, position));
      if (!hn::AllFalse(d, hn::Lt(squared_length(d, away), hn::Set(d, kRadiusSquared)))) {
        return true;
      }
    }
    return false;
  }

  struct Draw {
    std::uint32_t rank;
    std::uint32_t x;
    std::uint32_t y;
  };

  /// Advances the clock; rank among `count` squares and place in one of side `side`.
  HWY_INLINE Draw draw(std::int32_t x, std::int32_t y, std::ptrdiff_t cell, std::uint32_t count,
                       std::uint32_t side) {
    const PhiloxCounter random =
        cell_draw(window_.key, window_.x0 + x, window_.y0 + y, window_.draws[cell]++);
    constexpr float kCellArea = 67108864.0F;
    const float area = static_cast<float>(count) * static_cast<float>(side * side);
    window_.clock[cell] += exact_exponential(random[2]) * (kCellArea / area);
    return {draw_below(random[0], count), ((random[1] & 0xFFFFU) * side) >> 16,
            ((random[1] >> 16) * side) >> 16};
  }

  /// Up to `tries` draws from the squares; true when one is uncovered and now the cell's dart.
  template <class SquareAt>
  bool try_squares(std::int32_t x, std::int32_t y, std::ptrdiff_t cell, std::uint32_t count,
                   std::uint32_t side, const SquareAt& square_at) {
    const std::size_t tries = tries_before_split(count, static_cast<std::int32_t>(side));
    for (std::size_t i = 0; i < tries; ++i) {
      const Draw drawn = draw(x, y, cell, count, side);
      const CellSquare square = square_at(drawn.rank);
      const std::int32_t position = pack_pair(square.x + static_cast<std::int32_t>(drawn.x),
                                              square.y + static_cast<std::int32_t>(drawn.y));
      if (!covers(position)) {
        window_.position[cell] = static_cast<std::uint32_t>(position);
        return true;
      }
    }
    return false;
  }

  /// next_dart of the reference.
  bool redraw(std::int32_t x, std::int32_t y, std::ptrdiff_t cell) {
    gather_points(cell);
    const std::uint64_t clear = ~window_.covered[cell];
    const auto count = static_cast<std::uint32_t>(hwy::PopCount(clear));
    constexpr std::int32_t kFirstSide = kCellSteps / 8;
    const auto clear_at = [&](std::uint32_t rank) {
      std::uint64_t left = clear;
      for (; rank > 0; --rank) {
        left &= left - 1;
      }
      const auto bit = static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
      return CellSquare{static_cast<std::int16_t>((bit % 8) * kFirstSide),
                        static_cast<std::int16_t>((bit / 8) * kFirstSide)};
    };
    if (try_squares(x, y, cell, count, kFirstSide, clear_at)) {
      return true;
    }
    SquareList* squares = &(*window_.squares)[0];
    SquareList* parts = &(*window_.squares)[1];
    squares->size = 0;
    squares->reserve_more(64);
    for (std::uint64_t left = clear; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
      squares->memory[squares->size++] = {static_cast<std::int16_t>((bit % 8) * kFirstSide),
                                          static_cast<std::int16_t>((bit / 8) * kFirstSide)};
    }
    for (std::int32_t side = kFirstSide / 4; squares->size > 0; side /= 4) {
      parts->size = 0;
      for (std::size_t i = 0; i < squares->size; ++i) {
        split(squares->memory[i], side, *parts);
      }
      std::swap(squares, parts);
      const auto part_at = [&](std::uint32_t i) { return squares->memory[i]; };
      if (squares->size > 0 && try_squares(x, y, cell, static_cast<std::uint32_t>(squares->size),
                                           static_cast<std::uint32_t>(side), part_at)) {
        return true;
      }
    }
    return false;
  }

  /// Appends the 4 x 4 parts of side `side` that no single disc covers.
  void split(CellSquare square, std::int32_t side, SquareList& parts) {
    std::uint32_t covered = 0;
    for (std::uint32_t near = discs_that_meet(square, 4 * side - 1); near != 0; near &= near - 1) {
      covered |= parts_in_disc(points_[hwy::Num0BitsBelowLS1Bit_Nonzero32(near)], square, side);
    }
    if (parts.size + 16 > parts.memory.size()) {
      parts.reserve_more(16);
    }
    CellSquare* out = parts.memory.data() + parts.size;
    for (std::uint32_t left = ~covered & 0xFFFFU; left != 0; left &= left - 1) {
      const auto part = static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
      *out++ = {static_cast<std::int16_t>(square.x + (part % 4) * side),
                static_cast<std::int16_t>(square.y + (part / 4) * side)};
    }
    parts.size = static_cast<std::size_t>(out - parts.memory.data());
  }

  /// Bits of the points whose disc covers some position of the square of side reach + 1.
  [[nodiscard]] std::uint32_t discs_that_meet(CellSquare square, std::int32_t reach) const {
    const DPair d;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < point_count_; i += hn::Lanes(d)) {
      // Offset from the centre to the nearest position: 0 between the sides, else to the nearer one.
      const auto centre = hn::LoadU(d, points_ + i);
      const auto low = subtract_pairs(d, hn::Set(d, pack_pair(square.x, square.y)), centre);
      const auto high = subtract_pairs(d, centre, hn::Set(d, pack_pair(square.x + reach, square.y + reach)));
      const auto away = max_pairs(d, max_pairs(d, low, high), hn::Zero(d));
      bits |= mask_bits(d, hn::Lt(squared_length(d, away), hn::Set(d, kRadiusSquared))) << i;
    }
    return bits & ((1U << point_count_) - 1U);
  }

  /// Bits of the 4 x 4 parts, row-major, whose farthest position from the centre lies in its disc.
  [[nodiscard]] std::uint32_t parts_in_disc(std::int32_t centre, CellSquare square, std::int32_t side) const {
    const DPair d;
    alignas(32) static constexpr std::int32_t kStep[8] = {pack_pair(0, 0), pack_pair(1, 0), pack_pair(2, 0),
                                                          pack_pair(3, 0), pack_pair(0, 1), pack_pair(1, 1),
                                                          pack_pair(2, 1), pack_pair(3, 1)};
    const auto corner = subtract_pairs(d, hn::Set(d, pack_pair(square.x, square.y)), hn::Set(d, centre));
    const auto last = hn::Set(d, pack_pair(side - 1, side - 1));
    std::uint32_t bits = 0;
    for (std::int32_t half = 0; half < 2; ++half) {
      for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
        // Side times a step of at most 3 on either axis: no carry between the halves.
        const auto step = hn::Add(hn::Load(d, kStep + i), hn::Set(d, pack_pair(0, 2 * half)));
        const auto low = add_pairs(d, corner, hn::Mul(step, hn::Set(d, side)));
        const auto away = max_pairs(d, abs_pairs(d, low), abs_pairs(d, add_pairs(d, low, last)));
        bits |= mask_bits(d, hn::Lt(squared_length(d, away), hn::Set(d, kRadiusSquared)))
                << (8 * static_cast<std::uint32_t>(half) + static_cast<std::uint32_t>(i));
      }
    }
    return bits;
  }

  alignas(32) static constexpr std::int32_t kFiveLanes[8] = {-1, -1, -1, -1, -1, 0, 0, 0};
  static constexpr std::int32_t kFar = 16384 + 8192;  // at least two cells from every position of the cell
  const KernelWindow& window_;
  const CoverRows& rows_;
  std::int64_t core_pending_;
  std::size_t point_count_ = 0;
  std::int32_t points_[25 + 8] = {};
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
