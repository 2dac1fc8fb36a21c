// Offsets in a ring, the order of places and the disc, against the plain statement of each.
#include "ring_offsets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "disc.hpp"
#include "point_order.hpp"
#include "strew/random.hpp"

namespace {

using strew::Coord;
using strew::Isa;

TEST(RingOffsetsTest, EveryInstructionSetGivesTheBitsOfTheReference) {
  std::vector<std::uint32_t> angle = {0,           1,           0x1FFFFFFFU, 0x20000000U,
                                      0x3FFFFFFFU, 0x40000000U, 0x80000000U, 0xC0000000U,
                                      0xDFFFFFFFU, 0xE0000000U, 0xFFFFFFFFU};
  std::vector<std::uint32_t> distance = {0, 0xFFFFFFFFU, 1, 0x80000000U};
  for (std::uint64_t i = 0; i < 40000; ++i) {
    angle.push_back(static_cast<std::uint32_t>(strew::mix64(i)));
    distance.push_back(static_cast<std::uint32_t>(strew::mix64(i) >> 32));
  }
  std::size_t tried = 0;
  for (const Isa isa : {Isa::kScalar, Isa::kSse4, Isa::kAvx2, Isa::kAvx512, Isa::kBest}) {
    const auto kernel = strew::scatter::ring_offsets_kernel(isa);
    if (!kernel.ok()) {
      EXPECT_EQ(kernel.status().code, strew::StatusCode::kUnsupported);
      continue;
    }
    ++tried;
    // The last one in steps so fine that the lowest coefficients of a series show.
    for (const strew::scatter::Ring& ring :
         {strew::scatter::Ring{0.16, 9, 1024}, strew::scatter::Ring{0, 1e6, 1024},
          strew::scatter::Ring{0, 1e-4, 1024}, strew::scatter::Ring{1, 3.6, 0x1p+30}}) {
      for (const std::size_t count : {0U, 1U, 3U, 4U, 5U, 7U, 8U, 9U, 17U, 40000U}) {
        std::vector<std::int32_t> x(count + 1, -77);
        std::vector<std::int32_t> y(count + 1, -77);
        std::vector<std::int32_t> wanted_x(count + 1, -77);
        std::vector<std::int32_t> wanted_y(count + 1, -77);
        kernel.value()(ring, angle.data(), distance.data(), count, x.data(), y.data());
        strew::scatter::ring_offsets_ref(ring, angle.data(), distance.data(), count, wanted_x.data(),
                                         wanted_y.data());
        EXPECT_EQ(x, wanted_x) << to_string(isa) << " count " << count;
        EXPECT_EQ(y, wanted_y) << to_string(isa) << " count " << count;
      }
    }
  }
  EXPECT_GE(tried, 2U);
}

TEST(RingOffsetsTest, TheReferenceStaysInTheRing) {
  const strew::scatter::Ring ring{4, 9, 1024};
  std::int32_t x = 0;
  std::int32_t y = 0;
  double sum = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const auto angle = static_cast<std::uint32_t>(strew::mix64(i));
    const auto distance = static_cast<std::uint32_t>(strew::mix64(i) >> 32);
    strew::scatter::ring_offsets_ref(ring, &angle, &distance, 1, &x, &y);
    const double metres = std::hypot(x, y) / 1024;
    EXPECT_GT(metres, 1.999);
    EXPECT_LT(metres, 3.001);
    EXPECT_NEAR(std::cos(angle * 6.283185307179586 / 4294967296.0), x / 1024.0 / metres, 1e-3);
    EXPECT_NEAR(std::sin(angle * 6.283185307179586 / 4294967296.0), y / 1024.0 / metres, 1e-3);
    sum += metres * metres;
  }
  EXPECT_NEAR(sum / 4000, 6.5, 0.1);  // uniform by area
}

TEST(PointOrderTest, SortsByRowThenColumnThenNumber) {
  // Few and many rows, narrow and so wide that a place and a number do not fit one word.
  for (const std::size_t count : {0U, 1U, 50U, 5000U}) {
    for (const int spread : {0, 3, 20, 40, 61}) {
      std::vector<std::int64_t> x(count);
      std::vector<std::int64_t> y(count);
      for (std::size_t i = 0; i < count; ++i) {
        x[i] = (static_cast<std::int64_t>(strew::mix64(2 * i)) >> 2) >> (62 - spread);
        y[i] = (static_cast<std::int64_t>(strew::mix64(2 * i + 1)) >> 2) >> (62 - spread);
      }
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < count; i += 1 + i % 2) {
        order.push_back(i);
      }
      std::vector<std::size_t> wanted = order;
      std::sort(wanted.begin(), wanted.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(y[a], x[a], a) < std::tie(y[b], x[b], b);
      });
      strew::scatter::sort_by_place(x, y, order);
      EXPECT_EQ(order, wanted) << count << " rows, spread " << spread;
    }
  }
}

TEST(DiscTest, IsExactOnTheCircle) {
  const Coord scale = Coord{1} << 40;
  const strew::scatter::Disc disc(5 * scale);
  EXPECT_FALSE(disc.contains(3 * scale, 4 * scale));
  EXPECT_FALSE(disc.contains(-3 * scale, 4 * scale));
  EXPECT_TRUE(disc.contains(3 * scale, 4 * scale - 1));
  EXPECT_TRUE(disc.contains(1 - 3 * scale, -4 * scale));
  EXPECT_FALSE(disc.contains(3 * scale, 4 * scale + 1));
  EXPECT_FALSE(strew::scatter::Disc(0).contains(0, 0));
  EXPECT_TRUE(strew::scatter::Disc(1).contains(0, 0));
  EXPECT_FALSE(strew::scatter::Disc(1).contains(0, 1));
}

}  // namespace
