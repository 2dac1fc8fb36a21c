// Cells of a batch whose draw has missed, while their regions are refined level by level.
#if defined(STREW_POISSON_TILED_SEARCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREW_POISSON_TILED_SEARCH_INL
#undef STREW_POISSON_TILED_SEARCH_INL
#else
#define STREW_POISSON_TILED_SEARCH_INL
#endif

#include <hwy/highway.h>

#include "dart_region.hpp"
#include "tiled_batch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::poisson::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class DartSearch {
 public:
  void clear() { size_ = 0; }
  /// Adds cell `number` of the batch, whose first draw missed at `time`, if it is `wanted`.
  HWY_INLINE void add(std::size_t number, float time, bool wanted) {
    number_[size_] = static_cast<std::uint32_t>(number);
    time_[size_] = time;
    size_ += static_cast<std::size_t>(wanted);
  }
  /// All cells are to be split, and have had one draw.
  void start() {
    for (std::size_t k = 0; k < size_; ++k) {
      draws_[k] = 1;
      side_[k] = kSubSide;
      tries_[k] = 0;
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t number(std::size_t k) const { return number_[k]; }
  [[nodiscard]] std::size_t first_square(std::size_t k) const { return first_[k]; }
  [[nodiscard]] std::uint32_t count(std::size_t k) const { return count_[k]; }
  [[nodiscard]] float time(std::size_t k) const { return time_[k]; }
  [[nodiscard]] std::uint32_t place(std::size_t k) const { return place_[k]; }
  [[nodiscard]] std::uint32_t choice(std::size_t k) const { return choice_[k]; }
  [[nodiscard]] std::int32_t side(std::size_t k) const { return side_[k]; }

  /// Whether cell k has had all tries on its squares; then the side is that of their parts.
  [[nodiscard]] HWY_INLINE bool splits(std::size_t k) {
    if (tries_[k] > 0) {
      return false;
    }
    side_[k] /= 4;
    return true;
  }
  HWY_INLINE void set_parts(std::size_t k, std::size_t first, std::size_t count) {
    first_[k] = static_cast<std::uint32_t>(first);
    count_[k] = static_cast<std::uint32_t>(count);
    tries_[k] = tries_before_split(count_[k]);
    area_[k] = static_cast<float>(count_[k]) * static_cast<float>(side_[k] * side_[k]);
  }

  /// The next draw of each cell; its time is infinite where there are no squares.
  HWY_INLINE void draw(const DartBatch& batch) {
    batch.draw(size_, number_, draws_, area_, time_, place_, choice_);
    for (std::size_t k = 0; k < size_; ++k) {
      ++draws_[k];
      --tries_[k];
    }
  }

  /// Moves cell k to place `to`, at most k.
  HWY_INLINE void keep(std::size_t k, std::size_t to) {
    number_[to] = number_[k];
    draws_[to] = draws_[k];
    area_[to] = area_[k];
    time_[to] = time_[k];
    first_[to] = first_[k];
    count_[to] = count_[k];
    tries_[to] = tries_[k];
    side_[to] = side_[k];
  }
  void shorten(std::size_t size) { size_ = size; }

 private:
  static constexpr std::size_t kMost = DartBatch::kMost + 16;
  std::size_t size_ = 0;
  alignas(64) std::uint32_t number_[kMost] = {};
  alignas(64) std::uint32_t draws_[kMost] = {};
  alignas(64) float area_[kMost] = {};
  alignas(64) float time_[kMost] = {};
  alignas(64) std::uint32_t place_[kMost];
  alignas(64) std::uint32_t choice_[kMost];
  std::uint32_t first_[kMost];
  std::uint32_t count_[kMost];
  std::uint32_t tries_[kMost];  ///< draws left before the squares are split
  std::int32_t side_[kMost];
};

}  // namespace strew::poisson::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
