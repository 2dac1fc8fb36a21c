// What every measure refuses, and how it says so.
#include <functional>
#include <limits>

#include "known_sets.hpp"

namespace strew {
namespace {

using strew_test::KnownSet;

std::vector<std::function<Status(const PointsView&)>> measures() {
  const auto status_of = [](const auto& result) { return result.ok() ? Status{} : result.status(); };
  return {
      [=](const PointsView& p) { return status_of(measure_spacing(p, {}, {})); },
      [=](const PointsView& p) { return status_of(measure_coverage(p, {.probes = 1000}, {})); },
      [=](const PointsView& p) { return status_of(measure_spectrum(p, {}, {})); },
      [=](const PointsView& p) { return status_of(measure_pair_correlation(p, {}, {})); },
      [=](const PointsView& p) {
        const HarmonicRequest request{1, 1, 0};
        return status_of(measure_harmonics(p, {&request, 1}, {}));
      },
      [=](const PointsView& p) {
        return status_of(measure_borders(p, {.lines = {0, 0, 1, 1}}, {}));
      },
  };
}

void expect_refused(const PointsView& points, const std::string& says) {
  for (const auto& measure : measures()) {
    const Status status = measure(points);
    EXPECT_EQ(status.code, StatusCode::kInvalidArgument) << status.text();
    EXPECT_NE(status.message.find(says), std::string::npos) << status.text();
    EXPECT_FALSE(status.where.empty());
  }
}

TEST(Inputs, TheUnchangedSetIsAccepted) {
  const KnownSet set = strew_test::poisson_process(100, 10, 1);
  for (const auto& measure : measures()) {
    EXPECT_TRUE(measure(set.view()).ok()) << measure(set.view()).text();
  }
}

TEST(Inputs, TooFewPoints) {
  KnownSet set;
  set.window = {0, 0, 1, 1};
  expect_refused(set.view(), "at least 2");
  set.add(0.5, 0.5);
  expect_refused(set.view(), "at least 2");
}

TEST(Inputs, ColumnsOfDifferentLength) {
  KnownSet set = strew_test::poisson_process(10, 10, 1);
  set.y.pop_back();
  expect_refused(set.view(), "10 x and 9 y");
}

TEST(Inputs, PointsThatAreNotInTheWindow) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -0.001, 10.001}) {
    KnownSet set = strew_test::poisson_process(10, 10, 1);
    set.x[7] = bad;
    expect_refused(set.view(), "point 7");
  }
}

TEST(Inputs, WindowsWithoutArea) {
  KnownSet set = strew_test::poisson_process(10, 10, 1);
  for (const PlaneWindow window : {PlaneWindow{0, 0, 0, 10}, PlaneWindow{0, 10, 10, 0},
                                   PlaneWindow{0, 0, std::numeric_limits<double>::infinity(), 10},
                                   PlaneWindow{std::numeric_limits<double>::quiet_NaN(), 0, 10, 10}}) {
    set.window = window;
    expect_refused(set.view(), "window");
  }
}

TEST(Inputs, OptionsOutOfRangeAreNamed) {
  const KnownSet set = strew_test::poisson_process(100, 10, 1);
  const PointsView points = set.view();
  EXPECT_EQ(measure_spacing(points, {.radius = -1}, {}).status().where, "radius");
  EXPECT_EQ(measure_spacing(points, {.radius = NAN}, {}).status().where, "radius");
  EXPECT_EQ(measure_spacing(points, {.bins = 0}, {}).status().where, "bins");
  EXPECT_EQ(measure_coverage(points, {.radius = -1}, {}).status().where, "radius");
  EXPECT_EQ(measure_spectrum(points, {.segment_points = 1}, {}).status().where, "segment_points");
  EXPECT_EQ(measure_pair_correlation(points, {.bins = 0}, {}).status().where, "bins");
  EXPECT_EQ(measure_borders(points, {.lines = {0, 0, 0, 1}}, {}).status().where, "lines.size_x");
}

TEST(Inputs, CancellationStops) {
  const KnownSet set = strew_test::poisson_process(100, 10, 1);
  const std::atomic<bool> cancel{true};
  RunContext context;
  context.cancel = &cancel;
  EXPECT_EQ(measure_spectrum(set.view(), {}, context).status().code, StatusCode::kCancelled);
}

}  // namespace
}  // namespace strew
