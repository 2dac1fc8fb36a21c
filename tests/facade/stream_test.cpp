#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "strew/strategy.hpp"

namespace strew {
namespace {

constexpr PointRequest kRequest = {
    .region = {-37 * kUnitsPerMetre, 11 * kUnitsPerMetre, 80 * kUnitsPerMetre + 5, 71 * kUnitsPerMetre - 3},
    .seed = 9,
    .stream = 4};

ParameterSet radius(double metres) {
  ParameterSet parameters;
  parameters.set("radius", metres);
  return parameters;
}

TEST(Stream, PartsMakeUpTheWholeOnceWhateverTheirSize) {
  const Generator generator;
  for (const char* const id : {"poisson/tiled", "poisson/stamp"}) {
    const auto whole = generator.points(id, kRequest, radius(1.5));
    ASSERT_TRUE(whole.ok());
    for (const double side : {7.3, 50.0, 116.9, 1e9}) {
      SetHash hash;
      std::size_t parts = 0;
      std::size_t largest = 0;
      std::size_t smallest = whole.value().size();
      const Status status =
          generator.stream(id, kRequest, radius(1.5), side, [&](const PointSet& part) -> Status {
            hash.merge(hash_points(part));
            largest = std::max(largest, part.size());
            smallest = std::min(smallest, part.size());
            ++parts;
            return {};
          });
      ASSERT_TRUE(status.ok()) << status.text();
      EXPECT_EQ(hash, hash_points(whole.value())) << id << " in parts of " << side;
      const auto columns =
          static_cast<std::size_t>(std::ceil(to_metres(kRequest.region.x1 - kRequest.region.x0) / side));
      const auto rows =
          static_cast<std::size_t>(std::ceil(to_metres(kRequest.region.y1 - kRequest.region.y0) / side));
      EXPECT_EQ(parts, columns * rows);
      EXPECT_TRUE(parts == 1 || largest < whole.value().size());
      // 116.9 m would leave a strip of 10 cm.
      EXPECT_TRUE(side < 10 || smallest * 10 > largest * 8) << smallest << " beside " << largest;
    }
  }
}

TEST(Stream, TheHashOfWorkersIsTheHash) {
  const Rect square = rect_from_metres(0, 0, 300, 300, "square").value();
  const auto points = Generator().points("poisson/tiled", {.region = square, .seed = 3}, radius(0.7));
  ASSERT_TRUE(points.ok());
  ASSERT_GT(points.value().size(), 65536U);  // several parts
  const auto pool = ThreadPool::create(3);
  ASSERT_TRUE(pool.ok());
  RunContext context;
  context.executor = &pool.value().executor();
  EXPECT_EQ(hash_points(points.value(), context).value(), hash_points(points.value()));
  EXPECT_EQ(hash_points(PointSet{}, context).value(), SetHash{});
  const std::atomic<bool> cancel = true;
  context.cancel = &cancel;
  EXPECT_EQ(hash_points(points.value(), context).status().code, StatusCode::kCancelled);
}

TEST(Stream, TheSinkMayEndIt) {
  int calls = 0;
  const Status status =
      Generator().stream("poisson/tiled", kRequest, radius(1.5), 10, [&](const PointSet& /*part*/) -> Status {
        return ++calls < 3 ? Status{} : make_error(StatusCode::kIo, "the disk is full", "sink");
      });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(status.code, StatusCode::kIo);
}

TEST(Stream, RefusesWhatCannotBeStreamed) {
  const auto nothing = [](const PointSet& /*part*/) -> Status { return {}; };
  const Generator generator;
  EXPECT_EQ(generator.stream("poisson/bridson", kRequest, radius(1.5), 10, nothing).where, "id");
  for (const double side : {0.0, -1.0, 1e300, std::nan("")}) {
    EXPECT_EQ(generator.stream("poisson/tiled", kRequest, radius(1.5), side, nothing).where, "part_metres");
  }
  EXPECT_FALSE(generator.stream("poisson/tiled", kRequest, radius(-1), 10, nothing).ok());
  PointRequest empty = kRequest;
  empty.region.x1 = empty.region.x0;
  EXPECT_FALSE(generator.stream("poisson/tiled", empty, radius(1), 10, nothing).ok());
}

}  // namespace
}  // namespace strew
