// The forest strategy: points of cells, crops, uniform jitter; regions of caves.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "patterns.hpp"
#include "point_checks.hpp"
#include "strew/random.hpp"
#include "strew/scatter.hpp"

namespace strew {
namespace {

PointSet forest(const Rect& region, const ParameterSet& parameters = {}, const char* id = "forest") {
  auto points = Generator().points(id, {region, 7, 2}, parameters);
  EXPECT_TRUE(points.ok()) << (points.ok() ? "" : points.status().text());
  return points.ok() ? std::move(points).value() : PointSet{};
}
Rect metres(double x0, double y0, double x1, double y1) {
  return rect_from_metres(x0, y0, x1, y1, "test").value();
}

TEST(Forest, PointsAreTheLivingCells) {
  const PointSet points = forest(metres(-500, -250, 500, 250));
  const auto grid = automaton_window({kDayAndNight, {0.7, 7, 2}, 10}, {-200, -100, 200, 100});
  ASSERT_TRUE(grid.ok());
  ASSERT_EQ(points.size(), population(grid.value()));
  EXPECT_TRUE(strew_test::in_order(points));
  EXPECT_GT(points.size(), 55000U);  // 70 % grows towards full
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::int64_t cx = floor_div(points.x[i], points.lattice.identity_step);
    const std::int64_t cy = floor_div(points.y[i], points.lattice.identity_step);
    ASSERT_TRUE(grid.value().get(cx + 200, cy + 100));
  }
}

TEST(Forest, AnyRectangleEqualsTheWholeCut) {
  for (const double far : {0.0, 1e9, -1e9}) {
    const Rect whole_region = metres(far - 300, -far - 300, far + 300, -far + 300);
    const PointSet whole = forest(whole_region);
    for (std::int64_t i = 0; i < 8; ++i) {
      const PhiloxCounter random = cell_draw(stream_key(1, 1), i, 0, 0);
      const double x = far - 300 + 500 * draw_unit(random[0]);
      const double y = -far - 300 + 500 * draw_unit(random[1]);
      const Rect rect = metres(x, y, x + 1 + 90 * draw_unit(random[2]), y + 1 + 90 * draw_unit(random[3]));
      EXPECT_EQ(strew_test::pairs(forest(rect)), strew_test::crop(whole, rect));
    }
  }
}

TEST(Forest, BackendsAreEqual) {
  ParameterSet caves;
  caves.set("rule", std::string("caves"));
  caves.set("fill", 0.5);
  caves.set("generations", std::int64_t{5});
  caves.set("cell", 1.0);
  caves.set("jitter", 0.3);
  caves.set("invert", true);
  const Rect region = metres(-31.4, 10.2, 57.7, 44);
  EXPECT_EQ(strew_test::pairs(forest(region, caves)), strew_test::pairs(forest(region, caves, "forest/ref")));
  EXPECT_EQ(strew_test::pairs(forest(region)), strew_test::pairs(forest(region, {}, "forest/ref")));
}

TEST(Forest, AnyRuleByItsBits) {
  ParameterSet named;
  named.set("rule", std::string("maze"));
  ParameterSet bits;
  bits.set("birth", std::int64_t{8});
  bits.set("survival", std::int64_t{62});
  const Rect region = metres(0, 0, 100, 100);
  EXPECT_EQ(strew_test::pairs(forest(region, named)), strew_test::pairs(forest(region, bits)));
}

TEST(Forest, JitterIsUniformAndKeepsTheDistance) {
  ParameterSet parameters;
  parameters.set("fill", 1.0);
  parameters.set("generations", std::int64_t{0});
  parameters.set("cell", 3.0);
  parameters.set("jitter", 1.0);
  const PointSet points = forest(metres(0, 0, 900, 900), parameters);
  ASSERT_EQ(points.size(), 90000U);
  double sum = 0;
  double squares = 0;
  double product = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = std::fmod(to_metres(points.unit_x(i)), 3.0) - 1.5;
    const double y = std::fmod(to_metres(points.unit_y(i)), 3.0) - 1.5;
    ASSERT_LE(std::max(std::abs(x), std::abs(y)), 1.0);
    sum += x;
    squares += x * x;
    product += x * y;
  }
  const double n = 90000;
  EXPECT_NEAR(sum / n, 0, 5 * std::sqrt(1.0 / 3 / n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
  EXPECT_NEAR(product / n, 0, 5 * std::sqrt(1.0 / 9 / n));
  EXPECT_EQ(strew_test::closest_pair(points, 1.0).violations, 0U);
}

TEST(Forest, IdentitySquaresHoldOnePoint) {
  const PointSet points = forest(metres(1e6, 1e6, 1e6 + 400, 1e6 + 400));
  std::set<std::pair<std::int64_t, std::int64_t>> squares;
  for (std::size_t i = 0; i < points.size(); ++i) {
    squares.emplace(floor_div(points.x[i], points.lattice.identity_step),
                    floor_div(points.y[i], points.lattice.identity_step));
  }
  EXPECT_EQ(squares.size(), points.size());
}

TEST(Forest, IsALayerOfAWorld) {
  ScatterSpec spec;
  spec.seed = 3;
  spec.extent = metres(0, 0, 300, 300);
  LayerSpec layer;
  layer.name = "trees";
  layer.strategy = "forest";
  layer.species.push_back({.name = "oak"});
  spec.layers.push_back(layer);
  const auto scatter = Scatter::create(spec, {}, builtin_registry());
  ASSERT_TRUE(scatter.ok()) << scatter.status().text();
  std::vector<InstanceTable> whole;
  std::vector<InstanceTable> left;
  std::vector<InstanceTable> right;
  ASSERT_TRUE(scatter.value().generate(spec.extent, flat_terrain(), {}, whole).ok());
  ASSERT_TRUE(scatter.value().generate(metres(0, 0, 133, 300), flat_terrain(), {}, left).ok());
  ASSERT_TRUE(scatter.value().generate(metres(133, 0, 300, 300), flat_terrain(), {}, right).ok());
  EXPECT_GT(whole[0].size(), 5000U);
  EXPECT_EQ(whole[0].size(), left[0].size() + right[0].size());
}

TEST(Forest, BadParametersAreRefused) {
  ParameterSet parameters;
  parameters.set("jitter", 1.3);
  const auto points = Generator().points("forest", {metres(0, 0, 10, 10), 1, 0}, parameters);
  ASSERT_FALSE(points.ok());
  EXPECT_EQ(points.status().where, "jitter");
  EXPECT_EQ(Generator().points("forest", {Rect{}, 1, 0}, {}).status().where, "region");
  EXPECT_EQ(Generator()
                .points("forest", {metres(-1e9, 0, 1e9, 1e9), 1, 0},
                        [] {
                          ParameterSet small;
                          small.set("cell", 0.02);
                          small.set("jitter", 0.0);
                          return small;
                        }())
                .status()
                .code,
            StatusCode::kLimit);
}

/// Regions by flood fill.
RegionStatistics flood(const BitGrid& grid, bool alive) {
  RegionStatistics out;
  std::set<std::pair<std::int64_t, std::int64_t>> seen;
  for (std::int64_t y = 0; y < grid.height(); ++y) {
    for (std::int64_t x = 0; x < grid.width(); ++x) {
      if (grid.get(x, y) != alive || !seen.emplace(x, y).second) {
        continue;
      }
      std::vector<std::pair<std::int64_t, std::int64_t>> open = {{x, y}};
      std::uint64_t cells = 0;
      while (!open.empty()) {
        const auto [cx, cy] = open.back();
        open.pop_back();
        ++cells;
        for (std::int64_t dy = -1; dy <= 1; ++dy) {
          for (std::int64_t dx = -1; dx <= 1; ++dx) {
            const std::int64_t nx = cx + dx;
            const std::int64_t ny = cy + dy;
            const bool near = alive || dx == 0 || dy == 0;
            if (near && nx >= 0 && ny >= 0 && nx < grid.width() && ny < grid.height() &&
                grid.get(nx, ny) == alive && seen.emplace(nx, ny).second) {
              open.emplace_back(nx, ny);
            }
          }
        }
      }
      out.cells += cells;
      ++out.regions;
      out.largest = std::max(out.largest, cells);
    }
  }
  return out;
}

TEST(Regions, EqualAFloodFill) {
  for (const double p : {0.0, 0.1, 0.4, 0.5, 0.6, 0.9, 1.0}) {
    for (const std::int64_t width : {1, 63, 64, 65, 130}) {
      const BitGrid grid = strew_test::random_grid(width, 40, p, 5);
      for (const bool alive : {true, false}) {
        const auto fast = region_statistics(grid, alive);
        ASSERT_TRUE(fast.ok());
        const RegionStatistics slow = flood(grid, alive);
        EXPECT_EQ(fast.value().cells, slow.cells) << p << " " << width;
        EXPECT_EQ(fast.value().regions, slow.regions) << p << " " << width;
        EXPECT_EQ(fast.value().largest, slow.largest) << p << " " << width;
      }
    }
  }
}

TEST(Regions, CavesOpenIntoOneLargeFloor) {
  const AutomatonPlane caves{parse_rule("caves").value().rule, {0.45, 1, 0}, 8};
  const auto grid = automaton_window(caves, {0, 0, 512, 512});
  ASSERT_TRUE(grid.ok());
  const auto floor = region_statistics(grid.value(), false);
  ASSERT_TRUE(floor.ok());
  EXPECT_GT(floor.value().largest, floor.value().cells / 2);
}

}  // namespace
}  // namespace strew
