// The vector kernel against brute force, bit for bit, on every instruction set of this machine.
#include "overlap.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "strew/random.hpp"

namespace strew::snap {
namespace {

class Draws {
 public:
  double unit() {
    if (at_ % 4 == 0) {
      four_ = philox4x32({at_ / 4, 0, 0, 0}, {7, 11});
    }
    return draw_unit(four_[at_++ % 4]);
  }
  double within(double low, double high) { return low + (high - low) * unit(); }

 private:
  std::uint32_t at_ = 0;
  PhiloxCounter four_{};
};

enum class Kind { kAnyTurn, kRightAngles, kNearlyParallel, kTouching };

OrientedBox random_box(Draws& draw, Kind kind, double spread) {
  OrientedBox box;
  if (kind == Kind::kTouching) {
    // Faces that touch exactly, or nearly: the lattice of kits.
    const auto lattice = [&] {
      return std::floor(draw.within(-4, 4)) + std::floor(draw.within(0, 3)) * 1e-7;
    };
    box.centre = {lattice(), lattice(), lattice()};
    box.half = {0.5, 0.5, 0.5};
    return box;
  }
  box.centre = {draw.within(-spread, spread), draw.within(-spread, spread), draw.within(-spread, spread)};
  box.half = {draw.within(0, 3), draw.within(0, 1), draw.within(0, 6)};
  const double angle = kind == Kind::kRightAngles      ? std::floor(draw.within(0, 4)) * std::numbers::pi / 2
                       : kind == Kind::kNearlyParallel ? draw.within(-2e-3, 2e-3)
                                                       : draw.within(0, 6.3);
  const Vec3 axis{draw.within(-1, 1), draw.within(-1, 1), kind == Kind::kAnyTurn ? draw.within(-1, 1) : 9};
  const double size = length(axis);
  const double s = std::sin(angle / 2) / size;
  box.rotation = from_quat({axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)});
  return box;
}

TEST(Overlap, EveryKernelEqualsBruteForce) {
  Draws draw;
  std::uint64_t met = 0;
  std::uint64_t apart = 0;
  for (const Kind kind : {Kind::kAnyTurn, Kind::kRightAngles, Kind::kNearlyParallel, Kind::kTouching}) {
    for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 7U, 8U, 9U, 15U, 16U, 17U, 63U, 200U}) {
      BoxColumns boxes;
      for (std::size_t i = 0; i < count; ++i) {
        boxes.push(random_box(draw, kind, count < 20 ? 6 : 15));
      }
      for (int q = 0; q < 60; ++q) {
        const OrientedBox query = random_box(draw, kind, count < 20 ? 6 : 15);
        const std::size_t skip = count / 3;
        const OverlapRange range{static_cast<std::size_t>(q) % (count + 1), count, skip,
                                 skip + static_cast<std::size_t>(q) % 5};
        const std::int64_t expected = first_meeting_ref(query, boxes, range);
        (expected >= 0 ? met : apart) += 1;
        for (const Isa isa : {Isa::kScalar, Isa::kSse4, Isa::kAvx2, Isa::kAvx512, Isa::kBest}) {
          const auto kernel = overlap_kernel(isa);
          if (kernel.ok()) {
            ASSERT_EQ(kernel.value()(query, boxes, range), expected)
                << to_string(isa) << " " << count << " " << q << " kind " << static_cast<int>(kind);
          }
        }
      }
    }
  }
  EXPECT_GT(met, 500U);
  EXPECT_GT(apart, 500U);
}

TEST(Overlap, TouchingCountsAndAHairApartDoesNot) {
  OrientedBox a;
  a.half = {1, 1, 1};
  OrientedBox b = a;
  b.centre = {2, 0, 0};
  EXPECT_TRUE(boxes_meet(a, b));
  b.centre.x = 2 + 2e-6;  // within the 1e-6 added to |R|, three extents long
  EXPECT_TRUE(boxes_meet(a, b));
  b.centre.x = 2 + 4e-6;
  EXPECT_FALSE(boxes_meet(a, b));
}

TEST(Overlap, EdgesThatCrossAreFoundByTheCrossProducts) {
  OrientedBox a;
  a.half = {5, 0.1, 0.1};
  OrientedBox b = a;
  const double s = std::sqrt(0.5);
  b.rotation = from_quat({0, 0, s, s});
  b.centre = {0, 0, 0.19};
  EXPECT_TRUE(boxes_meet(a, b));
  // Turned by 45 degrees about x and y, only an edge-edge axis separates.
  a.rotation = from_quat({std::sin(std::numbers::pi / 8), 0, 0, std::cos(std::numbers::pi / 8)});
  b.half = {0.1, 5, 0.1};
  b.rotation = from_quat({0, std::sin(std::numbers::pi / 8), 0, std::cos(std::numbers::pi / 8)});
  b.centre = {0, 0, 0.2 * std::numbers::sqrt2 - 0.01};
  EXPECT_TRUE(boxes_meet(a, b));
  b.centre.z += 0.02;
  EXPECT_FALSE(boxes_meet(a, b));
}

}  // namespace
}  // namespace strew::snap
