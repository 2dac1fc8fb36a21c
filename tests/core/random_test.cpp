#include "strew/random.hpp"

#include <gtest/gtest.h>

namespace strew {
namespace {

// Vectors published with Random123 (kat_vectors, philox4x32 10).
TEST(Philox, PublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  EXPECT_EQ(philox4x32({0xffffffffU, 0xffffffffU, 0xffffffffU, 0xffffffffU}, {0xffffffffU, 0xffffffffU}),
            (PhiloxCounter{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
  EXPECT_EQ(philox4x32({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
            (PhiloxCounter{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

TEST(Philox, CellDrawSeparatesNegativeCellsAndDraws) {
  const PhiloxKey key = stream_key(1, 2);
  EXPECT_NE(cell_draw(key, -1, 0, 0), cell_draw(key, 0, -1, 0));
  EXPECT_NE(cell_draw(key, -1, 0, 0), cell_draw(key, (std::int64_t{1} << 32) - 1, 0, 0));
  EXPECT_NE(cell_draw(key, 5, 5, 0), cell_draw(key, 5, 5, std::uint64_t{1} << 32));
  EXPECT_NE(stream_key(1, 2), stream_key(2, 1));
}

TEST(Philox, DrawBelowReachesBothEnds) {
  EXPECT_EQ(draw_below(0, 7), 0U);
  EXPECT_EQ(draw_below(0xFFFFFFFFU, 7), 6U);
  EXPECT_LT(draw_unit(0xFFFFFFFFU), 1.0);
}

}  // namespace
}  // namespace strew
