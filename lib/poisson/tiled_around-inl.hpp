// The points around a cell of poisson/tiled, and what of the cell their discs leave.
#if defined(STREW_POISSON_TILED_AROUND_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_AROUND_INL
#undef STREW_POISSON_TILED_AROUND_INL
#else
#define STREW_POISSON_TILED_AROUND_INL
#endif

#include <hwy/highway.h>

#include <bit>

#include "tiled_near-inl.hpp"
#include "tiled_pairs-inl.hpp"
#include "tiled_window.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether a point's disc covers the position of a cell.
[[nodiscard]] HWY_INLINE bool covers(const KernelWindow& window, std::ptrdiff_t cell, std::int32_t position) {
  const DNear d;
  std::uint32_t any = 0;
  for (std::size_t v = 0; v < kNearVectors; ++v) {
    const auto word =
        load_near(reinterpret_cast<const std::int32_t*>(window.position), cell, window.stride, v);
    const auto from =
        subtract_pairs(d, hn::Load(d, kNearTable.origin + v * hn::Lanes(d)), hn::Set(d, position));
    const auto near = in_radius(d, add_pairs(d, from, fractions(d, word)));
    any |= mask_bits(d, hn::And(near, hn::Lt(word, hn::Zero(d))));
  }
  return any != 0;
}

class Around {
 public:
  explicit Around(const KernelWindow& window) : window_(window) {}

  struct Verdict {
    bool old;    ///< an older point's disc covers the position
    bool fresh;  ///< the disc of a point of the stage does, and no older one
  };
  /// What covers the position of a cell.
  [[nodiscard]] HWY_INLINE Verdict verdict(std::ptrdiff_t cell, std::int32_t position) const {
    const DNear d;
    const auto fresh_bits = hn::Set(d, static_cast<std::int32_t>(kIsPoint | kIsFresh));
    std::uint32_t old = 0;
    std::uint32_t any = 0;
    for (std::size_t v = 0; v < kNearVectors; ++v) {
      const auto word = near_words(cell, v);
      const auto from =
          subtract_pairs(d, hn::Load(d, kNearTable.origin + v * hn::Lanes(d)), hn::Set(d, position));
      const auto near = in_radius(d, add_pairs(d, from, fractions(d, word)));
      old |= mask_bits(d, hn::And(near, hn::Lt(word, fresh_bits)));
      any |= mask_bits(d, hn::And(near, hn::Lt(word, hn::Zero(d))));
    }
    return {old != 0, (any & ~old) != 0};
  }

  /// Lists the older points around a cell whose disc meets the box around its clear sub-squares.
  void list_discs(std::ptrdiff_t cell, std::uint64_t clear) {
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
    disc_count_ = 0;
    for (std::size_t v = 0; v < kNearVectors; ++v) {
      const auto word = near_words(cell, v);
      const auto centre = add_pairs(d, hn::Load(d, kNearTable.origin + v * hn::Lanes(d)), fractions(d, word));
      // Offset from the centre to the nearest position: 0 between the sides, else to the nearer one.
      const auto below = subtract_pairs(d, hn::Set(d, first), centre);
      const auto above = subtract_pairs(d, centre, hn::Set(d, last));
      const auto away = max_pairs(d, max_pairs(d, below, above), hn::Zero(d));
      const auto meets = hn::And(in_radius(d, away), hn::Lt(word, fresh_bits));
      disc_count_ += compress(d, centre, mask_bits(d, meets), discs_ + disc_count_);
    }
  }

  /// Adds to `parts` the 4 x 4 parts of side `side` of `count` squares of it, from `square` on, that no
  /// single disc covers.
  HWY_INLINE void split(std::size_t square, std::size_t count, std::int32_t side, WordList& parts) const {
    parts.reserve_more(16 * count);
    auto* const first = reinterpret_cast<std::int32_t*>(parts.memory.data());
    std::int32_t* out = first + parts.size;
    const Parts steps(side);
    for (std::size_t s = square; s < square + count; ++s) {
      out = add_parts(first[s], steps, out);
    }
    parts.size = static_cast<std::size_t>(out - first);
  }
  /// The same of the sub-squares that are `clear`.
  HWY_INLINE void split_sub_squares(std::uint64_t clear, WordList& parts) const {
    parts.reserve_more(16 * hwy::PopCount(clear));
    auto* const first = reinterpret_cast<std::int32_t*>(parts.memory.data());
    std::int32_t* out = first + parts.size;
    const Parts steps(kSubSide / 4);
    for (std::uint64_t left = clear; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
      out = add_parts(sub_square(bit), steps, out);
    }
    parts.size = static_cast<std::size_t>(out - first);
  }

 private:
  /// Vector `v` of the positions around a cell. As signed numbers: older points < points of the stage < 0 <=
  /// darts.
  [[nodiscard]] HWY_INLINE hn::VFromD<DNear> near_words(std::ptrdiff_t cell, std::size_t v) const {
    return load_near(reinterpret_cast<const std::int32_t*>(window_.position), cell, window_.stride, v);
  }
  /// The corners of 4 x 4 parts of a square at the origin.
  struct Parts {
    explicit HWY_INLINE Parts(std::int32_t part_side) : side(part_side) {
      alignas(64) static constexpr std::int32_t kStep[16] = {
          pack_pair(0, 0), pack_pair(1, 0), pack_pair(2, 0), pack_pair(3, 0),
          pack_pair(0, 1), pack_pair(1, 1), pack_pair(2, 1), pack_pair(3, 1),
          pack_pair(0, 2), pack_pair(1, 2), pack_pair(2, 2), pack_pair(3, 2),
          pack_pair(0, 3), pack_pair(1, 3), pack_pair(2, 3), pack_pair(3, 3)};
      const DPair d;
      for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
        // Side times a step of at most 3 on either axis: no carry between the halves.
        hn::Store(hn::Mul(hn::Load(d, kStep + i), hn::Set(d, side)), d, corner + i);
      }
    }
    std::int32_t side;
    alignas(64) std::int32_t corner[16];
  };
  HWY_INLINE std::int32_t* add_parts(std::int32_t square, const Parts& parts, std::int32_t* out) const {
    const DPair d;
    const auto half = hn::Set(d, pack_pair(parts.side / 2, parts.side / 2));
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
      const auto corner = hn::Add(hn::Load(d, parts.corner + i), hn::Set(d, square));
      const auto middle = hn::Add(corner, half);
      // Squared distance from a centre to a part's farthest position.
      auto least = hn::Set(d, kRadiusSquared);
      for (std::uint32_t p = 0; p < disc_count_; ++p) {
        const auto away = subtract_pairs(d, middle, hn::Set(d, discs_[p]));
        least = hn::Min(least, squared_length(d, add_pairs(d, abs_pairs(d, away), half)));
      }
      out += compress(d, corner, mask_bits(d, hn::Eq(least, hn::Set(d, kRadiusSquared))), out);
    }
    return out;
  }

  const KernelWindow& window_;
  std::int32_t discs_[kNearLanes + 16];  ///< those of them that matter to a split
  std::uint32_t disc_count_ = 0;
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
