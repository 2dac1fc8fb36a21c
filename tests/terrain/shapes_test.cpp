#include "strew/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "raster_fixture.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

using strew_test::units;

Vertex at(double x, double y) {
  return {units(x), units(y)};
}
Shapes make(const ShapeData& data, double reach) {
  auto shapes = Shapes::create(data, reach);
  EXPECT_TRUE(shapes.ok()) << shapes.status().text();
  return std::move(shapes).value();
}
/// A polygon of one ring. Nested braces would be read in more than one way.
void add_polygon(ShapeData& data, Ring ring) {
  data.polygons.emplace_back();
  data.polygons.back().push_back(std::move(ring));
}
double distance(const Shapes& shapes, double x, double y) {
  return shapes.signed_distance(units(x), units(y));
}

/// Signed distance in long double, by every edge.
double plain(const ShapeData& data, double reach, Coord px, Coord py) {
  long double least = HUGE_VALL;
  bool inside = false;
  bool in_any = false;
  const auto edge = [&](const Vertex& a, const Vertex& b, bool ring) {
    const long double ux = 1.0L / 4294967296.0L;
    const long double ax = static_cast<long double>(a.x - px) * ux;
    const long double ay = static_cast<long double>(a.y - py) * ux;
    const long double bx = static_cast<long double>(b.x - px) * ux;
    const long double by = static_cast<long double>(b.y - py) * ux;
    const long double dx = bx - ax;
    const long double dy = by - ay;
    const long double length2 = dx * dx + dy * dy;
    const long double t = length2 > 0 ? std::fmin(1.0L, std::fmax(0.0L, -(ax * dx + ay * dy) / length2)) : 0;
    least = std::fmin(least, std::hypot(ax + t * dx, ay + t * dy));
    if (ring && (ay > 0) != (by > 0)) {
      inside = inside != (ax + (0 - ay) / (by - ay) * (bx - ax) > 0);
    }
  };
  for (const auto& polygon : data.polygons) {
    inside = false;
    for (const auto& ring : polygon) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        edge(ring[i], ring[(i + 1) % ring.size()], true);
      }
    }
    in_any = in_any || inside;
  }
  for (const auto& line : data.lines) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      edge(line[i], line[i + 1], false);
    }
  }
  const long double raw = std::fmin(least, static_cast<long double>(reach + data.buffer_m));
  const auto signed_raw = static_cast<double>(in_any ? -raw : raw) - data.buffer_m;
  return std::fmin(reach, std::fmax(-reach, signed_raw));
}

TEST(Shapes, SquareWithAHole) {
  ShapeData data;
  add_polygon(data, {at(0, 0), at(100, 0), at(100, 100), at(0, 100)});
  data.polygons[0].push_back({at(40, 40), at(60, 40), at(60, 60), at(40, 60), at(40, 40)});
  const Shapes shapes = make(data, 1000);
  EXPECT_DOUBLE_EQ(distance(shapes, -30, 50), 30);
  EXPECT_DOUBLE_EQ(distance(shapes, 10, 50), -10);
  EXPECT_DOUBLE_EQ(distance(shapes, 50, 50), 10);  // in the hole
  EXPECT_DOUBLE_EQ(distance(shapes, 103, 104), 5);
  EXPECT_EQ(distance(shapes, 5000, 0), 1000);
  EXPECT_EQ(shapes.edges(), 8U);
}

TEST(Shapes, BufferedLine) {
  ShapeData data;
  data.lines = {{at(0, 0), at(100, 0), at(100, 50)}};
  data.buffer_m = 4;
  const Shapes shapes = make(data, 20);
  EXPECT_DOUBLE_EQ(distance(shapes, 50, 0), -4);
  EXPECT_DOUBLE_EQ(distance(shapes, 50, 9), 5);
  EXPECT_DOUBLE_EQ(distance(shapes, 107, 20), 3);
  EXPECT_DOUBLE_EQ(distance(shapes, -3, -4), 1);
  EXPECT_EQ(distance(shapes, 50, 80), 20);
}

/// Random polygons, some of several rings, and lines, from counters.
ShapeData scrawl(std::uint64_t seed) {
  std::uint64_t draw = seed << 32;
  const auto between = [&draw](double low, double high) {
    return low + (high - low) * draw_unit(static_cast<std::uint32_t>(mix64(++draw)));
  };
  ShapeData data;
  for (int p = 0; p < 6; ++p) {
    data.polygons.emplace_back();
    for (int r = 0; r < 1 + p % 2; ++r) {
      const double x = between(-300, 300);
      const double y = between(-300, 300);
      const double size = between(20, p == 0 ? 600 : 120);
      Ring ring;
      for (int i = 0; i < 5; ++i) {
        ring.push_back(at(x + between(-size, size), y + between(-size, size)));
      }
      data.polygons.back().push_back(ring);
    }
  }
  for (int l = 0; l < 3; ++l) {
    data.lines.push_back(
        {at(between(-300, 300), between(-300, 300)), at(between(-300, 300), between(-300, 300))});
  }
  data.buffer_m = 3;
  return data;
}

// One part of many is moved, left out or added: where that changes the distance at some place of an area, the
// fingerprint of the area is another; where it is far away and nothing around the area, it stays.
TEST(Shapes, FingerprintsTellWhatAnAreaDependsOn) {
  constexpr double kReach = 15;
  int changed = 0;
  int unchanged = 0;
  int kept = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const ShapeData before = scrawl(seed);
    ShapeData after = before;
    const std::size_t part = seed % 6;
    switch (seed % 4) {
      case 0:
        after.polygons[part][0][2].x += units(7);
        break;
      case 1:
        after.polygons.erase(after.polygons.begin() + static_cast<std::ptrdiff_t>(part));
        break;
      case 2:
        after.lines[seed % 3][0].y -= units(5);
        break;
      default:
        after.polygons.push_back(scrawl(seed + 1000).polygons[part]);
    }
    const Shapes a = make(before, kReach);
    const Shapes b = make(after, kReach);
    for (int cell = 0; cell < 100; ++cell) {
      const double x = -400 + 80 * (cell % 10);
      const double y = -400 + 80 * (cell / 10);
      const Rect area = {units(x), units(y), units(x + 80), units(y + 80)};
      bool same = true;
      for (int i = 0; i < 441 && same; ++i) {
        const Coord px = units(x + 4 * (i % 21)) - (i % 21 == 20 ? 1 : 0);
        const Coord py = units(y + 4 * (i / 21)) - (i / 21 == 20 ? 1 : 0);
        same = a.signed_distance(px, py) == b.signed_distance(px, py);
      }
      const bool equal = a.fingerprint(area).value() == b.fingerprint(area).value();
      EXPECT_TRUE(same || !equal) << seed << " " << cell;
      EXPECT_EQ(a.fingerprint(area).value(), make(before, kReach).fingerprint(area).value());
      changed += same ? 0 : 1;
      unchanged += same ? 1 : 0;
      kept += same && equal ? 1 : 0;
    }
  }
  EXPECT_GT(changed, 300);
  EXPECT_GT(unchanged, 3000);
  EXPECT_GT(kept, unchanged * 9 / 10);
}

TEST(Shapes, FingerprintsOfReachBufferAndNothing) {
  ShapeData data;
  const Rect area = {0, 0, units(10), units(10)};
  const std::uint64_t nothing = make(data, 20).fingerprint(area).value();
  add_polygon(data, {at(-500, -500), at(500, -500), at(500, 500), at(-500, 500)});
  const std::uint64_t inside = make(data, 20).fingerprint(area).value();
  EXPECT_NE(inside, nothing);
  EXPECT_NE(make(data, 21).fingerprint(area).value(), inside);
  // The far corner moves, and nothing here.
  data.polygons[0][0][2] = at(700, 600);
  EXPECT_EQ(make(data, 20).fingerprint(area).value(), inside);
  data.buffer_m = 1;
  EXPECT_NE(make(data, 20).fingerprint(area).value(), inside);
}

// A bow tie: both wings are inside, as the even-odd rule says.
TEST(Shapes, SelfIntersectingRingFollowsTheEvenOddRule) {
  ShapeData data;
  add_polygon(data, {at(0, 0), at(100, 100), at(100, 0), at(0, 100)});
  const Shapes shapes = make(data, 100);
  EXPECT_LT(distance(shapes, 20, 50), 0);
  EXPECT_LT(distance(shapes, 80, 50), 0);
  EXPECT_GT(distance(shapes, 50, 20), 0);
  EXPECT_GT(distance(shapes, 50, 80), 0);
}

TEST(Shapes, NeighboursThatShareAnEdgeLeaveNoGapAndNoOverlap) {
  ShapeData west;
  add_polygon(west, {at(0, 0), at(70.3, 0), at(33.1, 100), at(0, 100)});
  ShapeData east;
  add_polygon(east, {at(33.1, 100), at(70.3, 0), at(120, 0), at(120, 100)});
  const Shapes a = make(west, 10);
  const Shapes b = make(east, 10);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    // On the shared edge, and a few units beside it.
    const double t = draw_unit(static_cast<std::uint32_t>(mix64(i)));
    const Coord x = units(70.3 + t * (33.1 - 70.3)) + static_cast<Coord>(mix64(i + 7) % 9) - 4;
    const Coord y = units(t * 100);
    const bool in_a = a.signed_distance(x, y) < 0;
    const bool in_b = b.signed_distance(x, y) < 0;
    const bool on_edge = a.signed_distance(x, y) == 0 || b.signed_distance(x, y) == 0;
    EXPECT_TRUE(on_edge || in_a != in_b) << i;
  }
}

TEST(Shapes, EqualsAPlainSearchOverAllEdges) {
  for (const double place : {0.0, 1e8}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const auto random = [&](std::uint64_t n) {
        return draw_unit(static_cast<std::uint32_t>(mix64(seed * 1000003 + n)));
      };
      ShapeData data;
      data.buffer_m = seed % 3 == 0 ? 0 : 2.5;
      const double size = seed % 2 == 0 ? 100 : 3000;
      for (std::uint64_t part = 0; part < 1 + seed % 5; ++part) {
        std::vector<Vertex> vertices;
        for (std::uint64_t v = 0; v < 3 + seed % 11; ++v) {
          vertices.push_back(
              at(place + random(part * 100 + v) * size, place - random(part * 100 + v + 50) * size));
        }
        if (part % 2 == seed % 2) {
          add_polygon(data, vertices);
        } else {
          data.lines.push_back(vertices);
        }
      }
      const double reach = 3 + random(7777) * 60;
      const Shapes shapes = make(data, reach);
      int near = 0;
      for (std::uint64_t i = 0; i < 400; ++i) {
        const Coord x = units(place + (random(i + 10000) * 1.4 - 0.2) * size);
        const Coord y = units(place - (random(i + 20000) * 1.4 - 0.2) * size);
        const double found = shapes.signed_distance(x, y);
        ASSERT_NEAR(found, plain(data, reach, x, y), 1e-6) << seed << ' ' << i;
        near += std::fabs(found) < reach ? 1 : 0;
      }
      EXPECT_GT(near, 0) << seed;
    }
  }
}

TEST(Shapes, EmptyIsFarFromEverything) {
  const Shapes shapes = make({}, 12);
  EXPECT_EQ(distance(shapes, 0, 0), 12);
}

TEST(Shapes, RefusesWhatMakesNoShape) {
  ShapeData data;
  add_polygon(data, {at(0, 0), at(1, 1)});
  EXPECT_EQ(Shapes::create(data, 10).status().where, "polygons[0].rings[0]");
  data.polygons.clear();
  data.lines = {{at(0, 0)}};
  EXPECT_EQ(Shapes::create(data, 10).status().where, "lines[0]");
  data.lines = {{at(0, 0), {kCoordLimit + 1, 0}}};
  EXPECT_EQ(Shapes::create(data, 10).status().where, "lines[0]");
  data.lines.clear();
  for (const double bad : {0.0, -1.0, 20000.0, static_cast<double>(NAN)}) {
    EXPECT_EQ(Shapes::create(data, bad).status().where, "reach_m");
  }
  data.buffer_m = -1;
  EXPECT_EQ(Shapes::create(data, 10).status().where, "buffer_m");
}

}  // namespace
}  // namespace strew
