#include "event_window.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cover_oracle.hpp"

namespace strew::poisson {
namespace {

TEST(EventWindow, WhatASmallWindowKnowsALargeOneConfirms) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const DartKeys keys = dart_keys(stream_key(seed, 0));
    EventWindow large(nullptr);
    ASSERT_TRUE(large.evaluate({-90, -90, 90, 90}, keys).ok());
    for (const std::int64_t half : {3, 10, 25, 40, 60}) {
      EventWindow small(nullptr);
      ASSERT_TRUE(small.evaluate({-half, -half, half, half}, keys).ok());
      std::int64_t known = 0;
      for (std::int64_t y = -half; y < half; ++y) {
        for (std::int64_t x = -half; x < half; ++x) {
          const CellState state = small.state(x, y);
          ASSERT_NE(state, CellState::kPending);
          if (state == CellState::kUnknown) {
            continue;
          }
          ++known;
          ASSERT_EQ(state, large.state(x, y))
              << "seed " << seed << " window " << half << " cell " << x << "," << y;
          if (state == CellState::kPoint) {
            ASSERT_EQ(small.point(x, y).x, large.point(x, y).x);
            ASSERT_EQ(small.point(x, y).y, large.point(x, y).y);
          }
        }
      }
      EXPECT_TRUE(known > 0 || half < 10) << half;
    }
  }
}

TEST(EventWindow, NoPositionIsLeftUncovered) {
  EventWindow window(nullptr);
  ASSERT_TRUE(window.evaluate({-60, -60, 60, 60}, dart_keys(stream_key(11, 0))).ok());
  std::vector<Disc> discs;
  constexpr std::int64_t kHalf = 8;
  for (std::int64_t y = -kHalf - 2; y < kHalf + 2; ++y) {
    for (std::int64_t x = -kHalf - 2; x < kHalf + 2; ++x) {
      ASSERT_NE(window.state(x, y), CellState::kUnknown);
      if (window.state(x, y) == CellState::kPoint) {
        discs.push_back({x * kCellSteps + window.point(x, y).x, y * kCellSteps + window.point(x, y).y});
      }
    }
  }
  constexpr std::int64_t kEdge = kHalf * kCellSteps;
  EXPECT_EQ(uncovered_positions(discs, -kEdge, -kEdge, kEdge, kEdge), 0);
  discs.erase(discs.begin() + static_cast<std::ptrdiff_t>(discs.size() / 2));
  EXPECT_GT(uncovered_positions(discs, -kEdge, -kEdge, kEdge, kEdge), 0);  // the oracle can see a hole
}

void* refuse(void* /*self*/, std::size_t /*bytes*/, std::size_t /*alignment*/) {
  return nullptr;
}
void ignore(void* /*self*/, void* /*memory*/, std::size_t /*bytes*/, std::size_t /*alignment*/) {}

TEST(EventWindow, ARefusedAllocationIsAStatus) {
  const Allocator none{refuse, ignore, nullptr};
  EventWindow window(&none);
  EXPECT_EQ(window.evaluate({0, 0, 8, 8}, dart_keys(stream_key(1, 1))).code, StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace strew::poisson
