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
#include <utility>

#include "dart_region.hpp"
#include "tiled_draw-inl.hpp"
#include "tiled_kernel.hpp"
#include "tiled_pairs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Corners of the cells -2 to 5 in row dy of a neighbourhood, as pairs, from lane i on. Coordinates of the cells
/// from 3 on wrap around: they end up at least two cells away.
template <class D>
HWY_INLINE hn::VFromD<D> cell_origins(D d, std::size_t i, std::int32_t dy) {
  alignas(32) static constexpr std::int32_t kX[8] = {
      -2 * kCellSteps & 0xFFFF, -kCellSteps & 0xFFFF,    0,
      kCellSteps,               2 * kCellSteps,          3 * kCellSteps,
      4 * kCellSteps & 0xFFFF,  4 * kCellSteps & 0xFFFF};
  return hn::Or(hn::Load(d, kX + i), hn::Set(d, pack_pair(0, dy * kCellSteps)));
}
template <class D>
HWY_INLINE hn::VFromD<D> fractions(D d, hn::VFromD<D> word) {
  return hn::And(word, hn::Set(d, static_cast<std::int32_t>(kFractionMask)));
}

/// Bit of the `rank`-th set bit of `bits`, which has more than `rank`.
HWY_INLINE std::int32_t select_bit(std::uint64_t bits, std::uint32_t rank) noexcept {
  for (std::uint32_t base = 0;; base += 16) {
    const auto count = static_cast<std::uint32_t>(hwy::PopCount(bits & 0xFFFFU));
    if (rank < count) {
      for (; rank > 0; --rank) {
        bits &= bits - 1;
      }
      return static_cast<std::int32_t>(base + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
    }
    rank -= count;
    bits >>= 16;
  }
}

/// Points around one cell as pairs relative to it, padded with far ones to whole vectors.
struct NearPoints {
  std::uint32_t count;
  std::int32_t pair[25 + 16];

  void pad() {
    const DPair d;
    constexpr std::int32_t kFar = 16384 + 8192;  // at least two cells from every position of the cell
    hn::StoreU(hn::Set(d, pack_pair(-kFar, -kFar)), d, pair + count);
  }
  /// Whether one of the discs covers the position.
  [[nodiscard]] HWY_INLINE bool covers(std::int32_t position) const {
    const DPair d;
    for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
      const auto away = subtract_pairs(d, hn::LoadU(d, pair + i), hn::Set(d, position));
      if (!hn::AllFalse(d, in_radius(d, away))) {
        return true;
      }
    }
    return false;
  }
};

/// What a redraw found.
enum class Redrawn { kDart, kNothing, kUnknown };

class Redraw {
 public:
  explicit Redraw(const KernelWindow& window) : window_(window), squares_(window.lists->squares) {}

  /// Cells of one batch; their first two draws are made together.
  static constexpr std::size_t kBatch = 16;

  /// Makes the draws for `count` <= kBatch cells given as (y << 16 | x).
  void begin(const std::uint32_t* cells, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t x = cells[i] & 0xFFFFU;
      const std::uint32_t y = cells[i] >> 16;
      const auto cell_x = static_cast<std::uint64_t>(window_.x0 + static_cast<std::int64_t>(x));
      const auto cell_y = static_cast<std::uint64_t>(window_.y0 + static_cast<std::int64_t>(y));
      counter_[0][i] = static_cast<std::uint32_t>(cell_x);
      counter_[1][i] = static_cast<std::uint32_t>(cell_y);
      counter_[2][i] = std::bit_cast<std::uint32_t>(window_.clock[index(x, y)]);
      counter_[3][i] =
          static_cast<std::uint32_t>(((cell_x >> 32) & 0xFFU) | (((cell_y >> 32) & 0xFFU) << 8));
    }
    draw_blocks(window_.key, counter_, words_, waits_);
  }

  /// next_dart for cell i of the batch, in the stage that began at `stage`.
  Redrawn next(std::size_t i, std::uint32_t packed, float stage) {
    const std::size_t cell = index(packed & 0xFFFFU, packed >> 16);
    const std::uint64_t clear = ~window_.covered[cell];
    if (!gather(static_cast<std::ptrdiff_t>(cell), stage)) {
      return Redrawn::kUnknown;
    }
    batch_index_ = i;
    draws_ = 0;
    time_ = window_.clock[cell];
    if (!find(clear)) {
      return Redrawn::kNothing;
    }
    window_.clock[cell] = time_;
    window_.position[cell] = static_cast<std::uint32_t>(dart_) | (fresh_.covers(dart_) ? kDead : 0U);
    return Redrawn::kDart;
  }

 private:
  [[nodiscard]] std::size_t index(std::uint32_t x, std::uint32_t y) const noexcept {
    return std::size_t{y} * static_cast<std::size_t>(window_.stride) + x;
  }

  /// Collects the points around a cell; false when a neighbour's fate before the stage is unknown.
  bool gather(std::ptrdiff_t cell, float stage) {
    const DRow d;
    const hn::RebindToFloat<DRow> df;
    const auto begin = hn::Set(df, stage);
    const auto fresh_bits = hn::Set(d, static_cast<std::int32_t>(kIsPoint | kIsFresh));
    old_.count = 0;
    fresh_.count = 0;
    std::uint32_t unknown = 0;
    for (std::int32_t dy = -2; dy <= 2; ++dy) {
      const std::ptrdiff_t row = cell + dy * window_.stride - 2;
      const auto* const position = reinterpret_cast<const std::int32_t*>(window_.position + row);
      for (std::size_t i = 0; i < 5; i += hn::Lanes(d)) {
        const auto near = hn::Load(d, kNear[dy == -2 || dy == 2 ? 1 : 0] + i);
        const auto word = hn::And(hn::LoadU(d, position + i), near);
        const auto pair = add_pairs(d, cell_origins(d, i, dy), fractions(d, word));
        const auto point = hn::Lt(word, hn::Zero(d));
        const auto fresh = hn::AndNot(hn::Lt(word, fresh_bits), point);
        old_.count += static_cast<std::uint32_t>(
            hn::CompressStore(pair, hn::AndNot(fresh, point), d, old_.pair + old_.count));
        if (!hn::AllFalse(d, fresh)) {
          fresh_.count +=
              static_cast<std::uint32_t>(hn::CompressStore(pair, fresh, d, fresh_.pair + fresh_.count));
        }
        const auto before = hn::Lt(hn::LoadU(df, window_.clock + row + i), begin);
        unknown |= mask_bits(d, hn::And(hn::RebindMask(d, before), hn::Ne(near, hn::Zero(d))));
      }
    }
    if (unknown != 0) {
      return false;
    }
    old_.pad();
    fresh_.pad();
    return true;
  }

  struct Draw {
    std::uint32_t place;
    std::uint32_t choice;
    float wait;
  };
  /// The next draw of the current cell: two from the batch's block, then from blocks made for it alone.
  HWY_INLINE Draw draw() {
    const std::uint32_t count = draws_++;
    if (count >= 2 && count % (2 * kMore) == 2) {
      for (std::size_t k = 0; k < kMore; ++k) {
        for (std::size_t w = 0; w < 4; ++w) {
          more_counter_[w][k] = counter_[w][batch_index_];
        }
        more_counter_[3][k] += (count / 2 + static_cast<std::uint32_t>(k)) << 16;
      }
      draw_blocks(window_.key, more_counter_, more_words_, more_waits_);
    }
    const std::size_t half = count % 2;
    if (count < 2) {
      return {words_[2 * half][batch_index_], words_[2 * half + 1][batch_index_], waits_[half][batch_index_]};
    }
    const std::size_t k = (count - 2) % (2 * kMore) / 2;
    return {more_words_[2 * half][k], more_words_[2 * half + 1][k], more_waits_[half][k]};
  }

  /// Up to tries_before_split draws from `count` squares; true when one is uncovered: then it is the dart.
  template <class SquareAt>
  HWY_INLINE bool try_squares(std::uint32_t count, std::int32_t side, const SquareAt& square_at) {
    const std::size_t tries = tries_before_split(count, side);
    if (tries == 0) {
      return false;
    }
    constexpr float kCellArea = 67108864.0F;
    const float gap = kCellArea / (static_cast<float>(count) * static_cast<float>(side * side));
    for (std::size_t i = 0; i < tries; ++i) {
      const Draw drawn = draw();
      time_ = std::max(time_ + drawn.wait * gap,
                       std::bit_cast<float>(std::bit_cast<std::uint32_t>(time_) + 1U));
      const std::int32_t square = square_at(draw_below(square_word(drawn.place, drawn.choice), count));
      const auto inside = static_cast<std::uint32_t>(side - 1);
      // Corner and offset share no bits: the corner is a multiple of the side.
      const std::int32_t position = square | static_cast<std::int32_t>((drawn.place & inside) |
                                                                       (((drawn.place >> 10) & inside) << 16));
      if (!old_.covers(position)) {
        dart_ = position;
        return true;
      }
    }
    return false;
  }

  bool find(std::uint64_t clear) {
    constexpr std::int32_t kFirstSide = kCellSteps / 8;
    const auto corner = [](std::int32_t bit) HWY_ATTR {
      return pack_pair((bit & 7) * kFirstSide, (bit >> 3) * kFirstSide);
    };
    if (try_squares(static_cast<std::uint32_t>(hwy::PopCount(clear)), kFirstSide,
                    [&](std::uint32_t rank) HWY_ATTR { return corner(select_bit(clear, rank)); })) {
      return true;
    }
    WordList* squares = &squares_[0];
    WordList* parts = &squares_[1];
    squares->size = 0;
    squares->reserve_more(64);
    for (std::uint64_t left = clear; left != 0; left &= left - 1) {
      squares->push(static_cast<std::uint32_t>(
          corner(static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left)))));
    }
    for (std::int32_t side = kFirstSide / 4; squares->size > 0; side /= 4) {
      parts->size = 0;
      for (std::size_t i = 0; i < squares->size; ++i) {
        split(static_cast<std::int32_t>(squares->memory[i]), side, *parts);
      }
      std::swap(squares, parts);
      const std::uint32_t* const at = squares->memory.data();
      if (try_squares(static_cast<std::uint32_t>(squares->size), side,
                      [&](std::uint32_t rank) HWY_ATTR { return static_cast<std::int32_t>(at[rank]); })) {
        return true;
      }
    }
    return false;
  }

  /// Appends the 4 x 4 parts of side `side` that no single disc covers.
  void split(std::int32_t square, std::int32_t side, WordList& parts) {
    std::uint32_t covered = 0;
    for (std::uint32_t near = discs_that_meet(square, 4 * side - 1); near != 0; near &= near - 1) {
      covered |= parts_in_disc(old_.pair[hwy::Num0BitsBelowLS1Bit_Nonzero32(near)], square, side);
    }
    std::uint32_t left = ~covered & 0xFFFFU;
    parts.reserve_more(16);
    for (; left != 0; left &= left - 1) {
      const auto part = static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
      parts.push(static_cast<std::uint32_t>(square + pack_pair((part & 3) * side, (part >> 2) * side)));
    }
  }

  /// Bits of the points whose disc covers some position of the square of side reach + 1.
  [[nodiscard]] HWY_INLINE std::uint32_t discs_that_meet(std::int32_t square, std::int32_t reach) const {
    const DPair d;
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < old_.count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
      // Offset from the centre to the nearest position: 0 between the sides, else to the nearer one.
      const auto centre = hn::LoadU(d, old_.pair + i);
      const auto low = subtract_pairs(d, hn::Set(d, square), centre);
      const auto high = subtract_pairs(d, centre, hn::Set(d, square + pack_pair(reach, reach)));
      const auto away = max_pairs(d, max_pairs(d, low, high), hn::Zero(d));
      bits |= mask_bits(d, in_radius(d, away)) << i;
    }
    return bits;  // the padding is out of reach
  }

  /// Bits of the 4 x 4 parts, row-major, whose farthest position from the centre lies in its disc.
  [[nodiscard]] HWY_INLINE std::uint32_t parts_in_disc(std::int32_t centre, std::int32_t square,
                                                       std::int32_t side) const {
    const DPair d;
    alignas(64) static constexpr std::int32_t kStep[16] = {
        pack_pair(0, 0), pack_pair(1, 0), pack_pair(2, 0), pack_pair(3, 0), pack_pair(0, 1), pack_pair(1, 1),
        pack_pair(2, 1), pack_pair(3, 1), pack_pair(0, 2), pack_pair(1, 2), pack_pair(2, 2), pack_pair(3, 2),
        pack_pair(0, 3), pack_pair(1, 3), pack_pair(2, 3), pack_pair(3, 3)};
    const auto corner = subtract_pairs(d, hn::Set(d, square), hn::Set(d, centre));
    const auto last = hn::Set(d, pack_pair(side - 1, side - 1));
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
      // Side times a step of at most 3 on either axis: no carry between the halves.
      const auto low = add_pairs(d, corner, hn::Mul(hn::Load(d, kStep + i), hn::Set(d, side)));
      const auto away = max_pairs(d, abs_pairs(d, low), abs_pairs(d, add_pairs(d, low, last)));
      bits |= mask_bits(d, in_radius(d, away)) << i;
    }
    return bits;
  }

  /// Lanes of the neighbourhood, inner and outer rows.
  alignas(32) static constexpr std::int32_t kNear[2][8] = {{-1, -1, -1, -1, -1, 0, 0, 0},
                                                           {0, -1, -1, -1, 0, 0, 0, 0}};
  static constexpr std::size_t kMore = 8;
  const KernelWindow& window_;
  std::array<WordList, 2>& squares_;
  NearPoints old_;    ///< points older than the stage
  NearPoints fresh_;  ///< points of the stage
  std::uint32_t counter_[4][kBatch] = {};
  std::uint32_t words_[4][kBatch];
  float waits_[2][kBatch];
  std::uint32_t more_counter_[4][kMore];
  std::uint32_t more_words_[4][kMore];
  float more_waits_[2][kMore];
  std::size_t batch_index_ = 0;
  std::uint32_t draws_ = 0;
  float time_ = 0;
  std::int32_t dart_ = 0;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
