// Masks of the sub-squares that a disc covers, against the definition.
#include "disc_cover.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "strew/random.hpp"

namespace strew::poisson {
namespace {

bool covers_with_border(Fraction centre, std::int32_t x, std::int32_t y) {
  constexpr std::int64_t kHalf = kSubSide / 2;
  const std::int64_t dx = std::abs(x + kHalf - centre.x) + kHalf;
  const std::int64_t dy = std::abs(y + kHalf - centre.y) + kHalf;
  return dx * dx + dy * dy < kRadiusSquared;
}

std::uint64_t mask_by_definition(Fraction centre) {
  std::uint64_t mask = 0;
  for (std::int32_t bit = 0; bit < 64; ++bit) {
    if (covers_with_border(centre, bit % 8 * kSubSide, bit / 8 * kSubSide)) {
      mask |= std::uint64_t{1} << bit;
    }
  }
  return mask;
}

/// Positions at random, and those at which rows and columns begin and end.
template <class Check>
void for_positions(const Check& check) {
  const PhiloxKey key = stream_key(5, 5);
  for (std::int64_t i = 0; i < 3000; ++i) {
    const PhiloxCounter random = cell_draw(key, i, 0, 0);
    check(Fraction{static_cast<std::int32_t>(random[0] % kCellSteps),
                   static_cast<std::int32_t>(random[1] % kCellSteps)});
  }
  for (const std::int32_t x : {0, 1, 1023, 1024, 1025, 4095, 4096, 8190, 8191}) {
    for (const std::int32_t y : {0, 1, 1023, 1024, 1025, 4095, 4096, 8190, 8191}) {
      check(Fraction{x, y});
    }
  }
}

TEST(DiscCover, AMaskIsItsDefinition) {
  std::uint64_t marked = 0;
  for_positions([&](Fraction at) {
    for (const CellOffset offset : kNeighbours) {
      const Fraction centre{offset.x * kCellSteps + at.x, offset.y * kCellSteps + at.y};
      const std::uint64_t mask = disc_mask(centre);
      ASSERT_EQ(mask, mask_by_definition(centre)) << centre.x << ", " << centre.y;
      marked |= mask;
    }
  });
  EXPECT_EQ(marked, ~std::uint64_t{0});
}

TEST(DiscCover, ACoveredSquareHasNoPositionLeft) {
  for_positions([](Fraction at) {
    const std::uint64_t mask = disc_mask({at.x + kCellSteps, at.y});
    for (std::int32_t bit = 0; bit < 64; ++bit) {
      for (const std::int32_t corner : {0, 1, 2, 3}) {
        const std::int32_t x = bit % 8 * kSubSide + corner % 2 * (kSubSide - 1);
        const std::int32_t y = bit / 8 * kSubSide + corner / 2 * (kSubSide - 1);
        ASSERT_TRUE(((mask >> bit) & 1U) == 0 || in_conflict(x - at.x - kCellSteps, y - at.y));
      }
    }
  });
}

TEST(DiscCover, MasksAroundAPointAreThoseOfItsNeighbours) {
  for_positions([](Fraction at) {
    CellMasks masks;
    disc_masks(row_chords(), at, masks);
    for (std::int32_t dy = -2; dy <= 2; ++dy) {
      for (std::int32_t dx = -2; dx <= 5; ++dx) {
        const std::uint64_t expected =
            dx > 2 ? 0 : mask_by_definition({at.x - dx * kCellSteps, at.y - dy * kCellSteps});
        ASSERT_EQ(masks[static_cast<std::size_t>(dy + 2)][static_cast<std::size_t>(dx + 2)], expected)
            << at.x << ", " << at.y << ", cell " << dx << ", " << dy;
      }
    }
  });
}

}  // namespace
}  // namespace strew::poisson
