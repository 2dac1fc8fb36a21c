#include "dart_region.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cover_oracle.hpp"

namespace strew::poisson {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();

/// Random surroundings, dense enough that about half of the cells have nothing left.
Surroundings random_surroundings(std::uint64_t seed, std::vector<Disc>& discs) {
  Surroundings around;
  discs.clear();
  const PhiloxKey key = stream_key(seed, 99);
  for (std::size_t k = 0; k < kNeighbours.size(); ++k) {
    const PhiloxCounter random = cell_draw(key, static_cast<std::int64_t>(k), 0, 0);
    if (random[0] % 100 < 25 + seed % 30) {
      const Fraction at{static_cast<std::int32_t>(random[1] % kCellSteps),
                        static_cast<std::int32_t>(random[2] % kCellSteps)};
      around.add(k, at);
      discs.push_back({kNeighbours[k].x * kCellSteps + at.x, kNeighbours[k].y * kCellSteps + at.y});
    }
  }
  return around;
}

TEST(DartRegion, FindsADartExactlyWhenAPositionIsUncovered) {
  std::array<std::vector<Square>, 2> scratch;
  std::vector<Disc> discs;
  int voids = 0;
  constexpr int kCases = 1200;
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const Surroundings around = random_surroundings(seed, discs);
    Clock clock;
    const bool found =
        next_dart(dart_keys(stream_key(seed, 0)), 5, -7, around, kNever, clock, scratch) == NextDart::kFound;
    const std::int64_t uncovered = uncovered_positions(discs, 0, 0, kCellSteps, kCellSteps);
    ASSERT_EQ(found, uncovered > 0) << "seed " << seed;
    voids += found ? 0 : 1;
    if (found) {
      ASSERT_FALSE(around.covers(clock.dart));
      ASSERT_GE(clock.dart.x, 0);
      ASSERT_LT(clock.dart.x, kCellSteps);
      ASSERT_GE(clock.dart.y, 0);
      ASSERT_LT(clock.dart.y, kCellSteps);
      ASSERT_GT(clock.time, 0);
    }
  }
  EXPECT_GT(voids, kCases / 5);
  EXPECT_LT(voids, kCases * 4 / 5);
}

// Darts of later stages that are tested when their time comes, and replaced if they are lost, must have the
// same law as searching without end: the mean again.
TEST(DartRegion, ADartTestedInALaterStageHasTheSameMean) {
  std::array<std::vector<Square>, 2> scratch;
  std::vector<Disc> discs;
  int regions = 0;
  for (const std::uint64_t seed : {3U, 10U, 21U, 42U, 57U}) {
    const Surroundings around = random_surroundings(seed, discs);
    const auto area = static_cast<double>(uncovered_positions(discs, 0, 0, kCellSteps, kCellSteps));
    if (area == 0) {
      continue;
    }
    ++regions;
    constexpr int kDraws = 40000;
    double sum = 0;
    int kept = 0;
    int missed = 0;
    for (int i = 0; i < kDraws; ++i) {
      Clock clock;
      bool hit = false;
      while (!hit) {
        const float entry = clock.time;
        const float end = stage_end(stage_of(entry));
        const NextDart found = next_dart(dart_keys(stream_key(seed, 2)), i, 0, around, end, clock, scratch);
        ASSERT_NE(found, NextDart::kVoid);
        ASSERT_GT(clock.time, entry);
        ASSERT_EQ(clock.has_dart, found == NextDart::kFound);
        if (found == NextDart::kMissed) {
          ASSERT_LT(clock.time, end);
          ++missed;
          continue;
        }
        hit = !around.covers(clock.dart);
        ASSERT_TRUE(hit || clock.time >= end);
        kept += hit ? 0 : 1;
      }
      sum += clock.time;
    }
    EXPECT_GT(kept, 0);
    EXPECT_EQ(missed > 0, draws_again(static_cast<std::size_t>(std::popcount(~around.covered)), 1.0F))
        << missed;
    const double mean = 67108864.0 / area;
    EXPECT_NEAR(sum / kDraws, mean, 5 * mean / std::sqrt(kDraws)) << "seed " << seed;
  }
  EXPECT_GE(regions, 2);
}

TEST(DartRegion, StagesDoubleAndMeet) {
  EXPECT_EQ(stage_begin(0), 0);
  EXPECT_EQ(stage_of(0), 0U);
  for (std::size_t stage = 0; stage < kLateStage; ++stage) {
    const float end = stage_end(stage);
    EXPECT_EQ(end, stage == 0 ? 0.125F : 2 * stage_begin(stage));
    EXPECT_EQ(stage_of(stage_begin(stage)), stage);
    EXPECT_EQ(stage_of(std::nextafter(end, 0.0F)), stage);
    EXPECT_EQ(stage_of(end), stage + 1);
    EXPECT_EQ(stage_begin(stage + 1), end);
  }
  EXPECT_EQ(stage_of(1e30F), kLateStage);
  EXPECT_EQ(stage_end(kLateStage), std::numeric_limits<float>::infinity());
}

// The waiting time for a dart on uncovered ground must be exponential with mean (cell area / uncovered area),
// whatever the policy of tries and splits: this is what makes the points unbiased.
TEST(DartRegion, WaitingTimeHasTheMeanOfTheUncoveredArea) {
  std::array<std::vector<Square>, 2> scratch;
  std::vector<Disc> discs;
  for (const std::uint64_t seed : {3U, 10U, 21U, 42U, 57U}) {
    const Surroundings around = random_surroundings(seed, discs);
    const auto area = static_cast<double>(uncovered_positions(discs, 0, 0, kCellSteps, kCellSteps));
    if (area == 0) {
      continue;
    }
    constexpr int kDraws = 40000;
    double sum = 0;
    double right = 0;
    for (int i = 0; i < kDraws; ++i) {
      Clock clock;
      ASSERT_EQ(next_dart(dart_keys(stream_key(seed, 1)), i, 0, around, kNever, clock, scratch),
                NextDart::kFound);
      sum += clock.time;
      right += clock.dart.x >= kCellSteps / 2 ? 1 : 0;
    }
    const double mean = 67108864.0 / area;
    EXPECT_NEAR(sum / kDraws, mean, 5 * mean / std::sqrt(kDraws)) << "seed " << seed;
    const double share =
        static_cast<double>(uncovered_positions(discs, kCellSteps / 2, 0, kCellSteps, kCellSteps)) / area;
    EXPECT_NEAR(right / kDraws, share, 5 * std::sqrt(share * (1 - share) / kDraws) + 1e-12)
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace strew::poisson
