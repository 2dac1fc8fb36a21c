// Boxes of placed pieces as structure of arrays, and the test of one box against them.
//
// Separating axes after Gottschalk, Lin, Manocha, "OBBTree", SIGGRAPH 1996, as in Ericson, "Real-Time
// Collision Detection" 4.4.1: 15 axes, separated only if strictly greater, 1e-6 added to each |R| entry, so
// that touching counts as meeting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "strew/context.hpp"
#include "vec.hpp"

namespace strew::snap {

struct OrientedBox {
  Vec3 centre;
  Mat3 rotation;
  Vec3 half;
};

/// Columns of doubles: centre (3), rotation (9), half extents (3); and of floats: bounds, low (3) and high
/// (3), widened so that what the axes call meeting always meets here too. Every column has kPad entries more
/// than it holds, so that vectors may read past the end.
class BoxColumns {
 public:
  static constexpr std::size_t kPad = 32;
  static constexpr std::size_t kExact = 15;
  static constexpr std::size_t kBounds = 6;

  void clear() noexcept { size_ = 0; }
  void shrink(std::size_t size) noexcept { size_ = size; }
  void push(const OrientedBox& box);
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const double* exact(std::size_t column) const noexcept { return &exact_[column * capacity_]; }
  [[nodiscard]] const float* bounds(std::size_t column) const noexcept {
    return &bounds_[column * capacity_];
  }
  [[nodiscard]] OrientedBox get(std::size_t i) const noexcept;

 private:
  void grow();
  std::vector<double> exact_;
  std::vector<float> bounds_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

/// Widened bounds of a box: low (3), high (3).
///
/// The axes may call two boxes meeting that are apart by a little: 1e-6 times their extents on an axis of
/// unit length, more on the cross product of nearly parallel edges. Two boxes at distance d have an axis
/// among the 15 along which they are d / sqrt(3) apart (the cones at the corners of their difference contain
/// an octant); leaving out cross products shorter than s moves faces of the difference by s times the extents
/// at most. The worst s is near 1.3e-3, so 2e-3 of the extents is enough.
[[nodiscard]] std::array<float, 6> widened_bounds(const OrientedBox& box) noexcept;

/// Whether two boxes meet. The reference: scalar, no broad phase.
[[nodiscard]] bool boxes_meet(const OrientedBox& a, const OrientedBox& b) noexcept;
/// Boxes of a query: all but those in [skip_begin, skip_end), below `size`.
struct OverlapRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t skip_begin = 0;  ///< [skip_begin, skip_end) is left out
  std::size_t skip_end = 0;
};
/// Index of the first box of the range that `query` meets, or -1; by boxes_meet alone.
[[nodiscard]] std::int64_t first_meeting_ref(const OrientedBox& query, const BoxColumns& boxes,
                                             const OverlapRange& range) noexcept;

using OverlapKernel = std::int64_t (*)(const OrientedBox& query, const BoxColumns& boxes,
                                       const OverlapRange& range);
/// The kernel of an instruction set; equal to first_meeting_ref bit for bit.
[[nodiscard]] Result<OverlapKernel> overlap_kernel(Isa isa);

}  // namespace strew::snap
