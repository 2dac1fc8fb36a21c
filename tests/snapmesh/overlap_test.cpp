// The vector kernel against brute force, bit for bit, on every instruction set of this machine.
#include "overlap.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "box_grid.hpp"
#include "maps.hpp"
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

TEST(Overlap, GridEqualsBruteForceAsBoxesComeAndGo) {
  Draws draw;
  std::size_t met = 0;
  for (const Kind kind : {Kind::kAnyTurn, Kind::kRightAngles, Kind::kTouching}) {
    for (const double cell : {0.4, 5.0, 1e4}) {
      BoxColumns boxes;
      BoxGrid grid;
      grid.start(cell);
      for (int round = 0; round < 12; ++round) {
        const auto size = static_cast<std::size_t>(draw.within(0, 900));
        boxes.shrink(std::min(size, boxes.size()));
        grid.shrink(boxes.size());
        while (boxes.size() < size) {
          boxes.push(random_box(draw, kind, 25));
        }
        grid.follow(boxes);
        for (int q = 0; q < 40; ++q) {
          OrientedBox query = random_box(draw, kind, 30);
          if (q == 0) {
            query.half = {40, 40, 40};  // more cells than boxes
          }
          const std::size_t skip = size / 3;
          const OverlapRange range{static_cast<std::size_t>(q) % 7, size, skip,
                                   skip + static_cast<std::size_t>(q)};
          const std::int64_t expected = first_meeting_ref(query, boxes, range);
          ASSERT_EQ(grid.first_meeting(query, range), expected) << size << " " << q;
          met += expected >= 0 ? 1U : 0U;
        }
      }
    }
  }
  EXPECT_GT(met, 300U);
}

TEST(Overlap, LargeMapsAreSoundAndEveryMeetingOfConnectorsIsFound) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  auto assembler = Assembler::create(kit, rules, {pass_of(arena(), {{"max_pieces", 700}}, rules)});
  ASSERT_TRUE(assembler.value().run(5).ok());
  Map map;
  assembler.value().copy_map(map);
  ASSERT_EQ(map.placements.size(), 700U);
  expect_sound(kit, rules, map);  // no two boxes meet, by brute force
  std::set<std::array<std::uint32_t, 4>> known;
  for (const std::span<const Joint> list : {assembler.value().joints(), assembler.value().contacts()}) {
    for (const Joint& j : list) {
      EXPECT_TRUE(known.insert({j.a, j.a_connector, j.b, j.b_connector}).second);
    }
  }
  EXPECT_GT(known.size(), 705U);
  struct Place {
    std::uint32_t placed;
    std::uint32_t connector;
    Vec3 position;
    Vec3 heading;
  };
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < map.placements.size(); ++i) {
    const Placement& p = map.placements[i];
    const Mat3 turn = from_quat(p.rotation);
    const auto& connectors = kit.pieces[p.piece].connectors;
    for (std::uint32_t c = 0; c < connectors.size(); ++c) {
      places.push_back({i, c, p.position + turn * connectors[c].position, turn * connectors[c].heading});
    }
  }
  std::size_t meeting = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Place& b = places[i];
      const Place& a = places[j];
      if (a.placed != b.placed && length(a.position - b.position) <= 5e-5 &&
          dot(a.heading, b.heading) < -0.999999) {
        ++meeting;
        EXPECT_EQ(known.count({a.placed, a.connector, b.placed, b.connector}), 1U)
            << a.placed << " " << b.placed;
      }
    }
  }
  EXPECT_EQ(meeting, known.size());
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
