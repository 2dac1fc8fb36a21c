// Cells of a batch whose draw has missed, while their regions are refined level by level: the rest of
// next_dart, for all of them together.
#if defined(STREW_POISSON_TILED_SEARCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_SEARCH_INL
#undef STREW_POISSON_TILED_SEARCH_INL
#else
#define STREW_POISSON_TILED_SEARCH_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "dart_region.hpp"
#include "tiled_around-inl.hpp"
#include "tiled_batch-inl.hpp"
#include "tiled_volley-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class DartSearch {
 public:
  DartSearch(const KernelWindow& window, const DartBatch& batch, const Around& around)
      : window_(window), batch_(batch), around_(around), volley_(window) {}

  void clear() { size_ = 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Adds the cells of `bits` among those with these numbers in the batch, whose first draws missed.
  HWY_INLINE void add(hn::VFromD<DCells> numbers, std::uint32_t bits) {
    size_ += compress(DCells(), numbers, bits, number_ + size_);
  }

  /// Gives every cell its next dart: found(number in the batch, time, dart). The clocks of those that have no
  /// position left are put to infinity.
  template <class Found>
  HWY_INLINE void run(const Found& found) {
    start();
    std::uint32_t level = 0;
    for (std::int32_t side = kSubSide / 4; size_ > 0; side /= 4, ++level) {
      split(side);
      drop_void();
      fire(side, level);
      std::size_t left = 0;
      square_count_ = 0;
      for (std::size_t k = 0; k < size_; ++k) {
        if (shots_[k].hit) {
          found(number_[k], shots_[k].time, shots_[k].dart);
        } else {
          keep(k, left++);
        }
      }
      size_ = left;
    }
  }

 private:
  static constexpr std::size_t kMost = DartBatch::kMost;
  static constexpr std::size_t kDiscs = Around::kMostDiscs;

  [[nodiscard]] const std::int32_t* discs(std::size_t k) const { return discs_ + disc_place_[k]; }

  /// The discs around every cell and its clear sub-squares.
  HWY_NOINLINE void start() {
    squares_.size = 0;
    owners_.size = 0;
    squares_.reserve_more(64 * size_);
    owners_.reserve_more(64 * size_);
    std::uint32_t* const squares = squares_.memory.data();
    std::uint32_t* const owners = owners_.memory.data();
    std::size_t count = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      const std::size_t cell = batch_.cell(number_[k]);
      const std::uint64_t clear = ~window_.covered[cell];
      time_[k] = batch_.first_time(number_[k]);
      disc_place_[k] = static_cast<std::uint32_t>(kDiscs * k);
      disc_count_[k] = around_.list_discs(static_cast<std::ptrdiff_t>(cell), clear, discs_ + kDiscs * k);
      // Four without a question, for most cells have no more.
      std::uint64_t bits = clear;
      std::size_t at = count;
      do {
        for (int i = 0; i < 4; ++i, ++at) {
          squares[at] = static_cast<std::uint32_t>(
              sub_square(static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits | (1ULL << 63)))));
          owners[at] = static_cast<std::uint32_t>(k);
          bits &= bits - 1;
        }
      } while (bits != 0);
      count += hwy::PopCount(clear);
    }
    square_count_ = count;
  }

  /// Splits all squares 4 x 4 into parts of side `side`, and keeps those that no single disc covers.
  HWY_NOINLINE void split(std::int32_t side) {
    parts_.size = 0;
    parts_.reserve_more(16 * square_count_);
    const DPair d;
    alignas(64) std::int32_t steps[16];
    for (std::int32_t i = 0; i < 16; ++i) {
      steps[i] = pack_pair(i % 4 * side, i / 4 * side);
    }
    const auto half = hn::Set(d, pack_pair(side / 2, side / 2));
    const auto* const squares = reinterpret_cast<const std::int32_t*>(squares_.memory.data());
    const std::uint32_t* const owners = owners_.memory.data();
    auto* const parts = reinterpret_cast<std::int32_t*>(parts_.memory.data());
    std::uint32_t out = 0;
    for (std::size_t s = 0; s < square_count_; ++s) {
      const std::uint32_t k = owners[s];
      const std::int32_t* const around = discs(k);
      for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
        const auto corner = hn::Add(hn::Load(d, steps + i), hn::Set(d, squares[s]));
        const auto middle = hn::Add(corner, half);
        // Squared distance from a centre to a part's farthest position.
        auto least = hn::Set(d, kRadiusSquared);
        const auto add = [&](std::uint32_t p) HWY_ATTR {
          const auto away = subtract_pairs(d, middle, hn::Set(d, around[p]));
          least = hn::Min(least, squared_length(d, add_pairs(d, abs_pairs(d, away), half)));
        };
        add(0), add(1), add(2), add(3);  // few cells have more discs around
        for (std::uint32_t p = 4; p < disc_count_[k]; ++p) {
          add(p);
        }
        out += compress(d, corner, mask_bits(d, hn::Eq(least, hn::Set(d, kRadiusSquared))), parts + out);
      }
      part_end_[k] = out;
    }
    parts_.size = out;
  }

  /// Takes the cells without parts out, which are void.
  HWY_NOINLINE void drop_void() {
    std::size_t left = 0;
    std::uint32_t first = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      const std::uint32_t end = part_end_[k];
      window_.clock[batch_.cell(number_[k])] = HUGE_VALF;  // those that go on get another
      number_[left] = number_[k];
      time_[left] = time_[k];
      disc_place_[left] = disc_place_[k];
      disc_count_[left] = disc_count_[k];
      part_first_[left] = first;
      part_end_[left] = end;
      left += static_cast<std::size_t>(end != first);
      first = end;
    }
    size_ = left;
  }

  HWY_NOINLINE void fire(std::int32_t side, std::uint32_t level) {
    for (std::size_t k = 0; k < size_; ++k) {
      const std::size_t i = number_[k];
      const std::uint32_t first = part_first_[k];
      shots_[k] =
          volley_.fire(batch_.packed(i), batch_.entry(i), level, time_[k], parts_.memory.data() + first,
                       part_end_[k] - first, side, discs(k), disc_count_[k]);
    }
  }

  /// Takes over cell k, whose draws have all missed, to place `to` of the next level, and its parts to the
  /// squares.
  HWY_INLINE void keep(std::size_t k, std::size_t to) {
    const std::uint32_t first = part_first_[k];
    const std::size_t count = part_end_[k] - first;
    number_[to] = number_[k];
    time_[to] = shots_[k].time;
    disc_place_[to] = disc_place_[k];
    disc_count_[to] = disc_count_[k];
    squares_.size = square_count_;
    owners_.size = square_count_;
    squares_.reserve_more(count);
    owners_.reserve_more(count);
    std::copy_n(parts_.memory.data() + first, count, squares_.memory.data() + square_count_);
    std::fill_n(owners_.memory.data() + square_count_, count, static_cast<std::uint32_t>(to));
    square_count_ += count;
  }

  const KernelWindow& window_;
  const DartBatch& batch_;
  const Around& around_;
  Volley volley_;
  WordList& squares_{window_.lists->squares[0]};  ///< corners as pairs
  WordList& owners_{window_.lists->squares[1]};   ///< numbers of their cells here
  WordList& parts_{window_.lists->parts};
  std::size_t square_count_ = 0;
  std::size_t size_ = 0;
  std::uint32_t number_[kMost + 16];  // a vector is written past the last
  float time_[kMost];
  std::uint32_t part_first_[kMost];
  std::uint32_t part_end_[kMost];
  std::uint32_t disc_place_[kMost];
  std::uint32_t disc_count_[kMost];
  Shot shots_[kMost];
  alignas(64) std::int32_t discs_[kDiscs * kMost];
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
