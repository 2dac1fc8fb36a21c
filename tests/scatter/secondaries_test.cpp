// Secondaries of secondaries: rings, distances, purity across tiles, ids.
#include <set>

#include "world_fixture.hpp"

namespace strew {
namespace {

SecondarySpec around(const std::string& name, Range ring, std::int32_t amount) {
  SecondarySpec spec;
  spec.name = name;
  spec.amount_min = amount / 2;
  spec.amount_max = amount;
  spec.ring_m = ring;
  spec.species = {{name, 1, {1, 1}, {0, 360}}};
  return spec;
}

/// Trees with bushes, bushes with flowers and stones, flowers with bees. Every kind of distance is kept.
ScatterSpec garden(const Rect& extent) {
  ScatterSpec spec;
  spec.seed = 11;
  spec.extent = extent;
  spec.layers.push_back(layer("tree", 9));
  spec.layers[0].constraints.slope_degrees = Range{0, 22};
  SecondarySpec bees = around("bees", {0.2, 1.5}, 6);
  bees.spacing_siblings_m = 0.5;
  bees.spacing_parents_m = 0.4;
  SecondarySpec flowers = around("flowers", {1, 4}, 9);
  flowers.spacing_siblings_m = 1.2;
  flowers.spacing_parents_m = 1.7;
  flowers.spacing_primaries_m = 2.5;
  flowers.secondaries = {bees};
  SecondarySpec stones = around("stones", {0.5, 6}, 4);
  stones.own_constraints.emplace();
  stones.own_constraints->biomes.emplace().set(3);
  SecondarySpec bushes = around("bushes", {3, 8}, 7);
  bushes.spacing_siblings_m = 2.5;
  bushes.spacing_parents_m = 4;
  bushes.spacing_primaries_m = 4.5;
  bushes.secondaries = {flowers, stones};
  spec.layers[0].secondaries = {bushes, around("roots", {0.5, 1}, 3)};
  return spec;
}

double apart(const InstanceTable& a, std::size_t i, const InstanceTable& b, std::size_t j) {
  return std::hypot(to_metres(a.x[i] * a.lattice.pitch - b.x[j] * b.lattice.pitch),
                    to_metres(a.y[i] * a.lattice.pitch - b.y[j] * b.lattice.pitch));
}

double closest(const InstanceTable& a, const InstanceTable& b) {
  double least = INFINITY;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      least = &a == &b && i == j ? least : std::min(least, apart(a, i, b, j));
    }
  }
  return least;
}

TEST(NestedSecondaries, SlotsCountDownEachBeforeThoseAroundIt) {
  const Scatter scatter = make_scatter(garden(metres(0, 0, 10, 10)));
  const auto slots = scatter.slots();
  ASSERT_EQ(slots.size(), 6U);
  const std::array<std::string, 6> names = {
      "tree",      "tree/bushes", "tree/bushes/flowers", "tree/bushes/flowers/bees", "tree/bushes/stones",
      "tree/roots"};
  const std::array<std::size_t, 6> parents = {0, 0, 1, 2, 1, 0};
  for (std::size_t i = 0; i < slots.size(); ++i) {
    EXPECT_EQ(slots[i].name, names[i]);
    EXPECT_EQ(slots[i].slot, i == 0 ? 0U : 64U - i);
    EXPECT_EQ(slots[i].parent, parents[i]);
  }
  EXPECT_EQ(slots[3].constraints, slots[0].constraints);  // inherited through all of them
  EXPECT_NE(slots[4].constraints, slots[0].constraints);
}

TEST(NestedSecondaries, AnyTileEqualsTheWholeCut) {
  for (const double far : {0.0, 1e7}) {
    const Rect extent = metres(far - 40, -far - 30, far + 90, -far + 80);
    const Scatter scatter = make_scatter(garden(extent));
    const auto whole = generate(scatter, extent);
    for (const InstanceTable& table : whole) {
      EXPECT_GT(table.size(), 50U);
    }
    const ById all = by_id(scatter, whole, extent);
    for (const double size : {7.0, 31.0}) {
      ById parts;
      for (double y = -30; y < 80; y += size) {
        for (double x = -40; x < 90; x += size) {
          const Rect tile = metres(far + x, -far + y, far + x + size, -far + y + size);
          for (const auto& entry : by_id(scatter, generate(scatter, tile), tile)) {
            EXPECT_TRUE(parts.insert(entry).second);  // once, in the tile where it stands
          }
        }
      }
      EXPECT_EQ(parts, all);
    }
  }
}

// The longest chains there are: at every level a sibling on the far side of the parent may be in the way, and
// it may be missing because of something still farther off.
TEST(NestedSecondaries, EachSeesAllThatItsSiblingsSee) {
  const Rect extent = metres(0, 0, 50, 50);
  SecondarySpec ring = around("c", {3.8, 4}, 16);
  ring.spacing_siblings_m = 1.5;
  ring.spacing_primaries_m = 1.5;
  for (const char* const name : {"b", "a"}) {
    SecondarySpec outer = ring;
    outer.name = name;
    outer.secondaries = {ring};
    ring = outer;
  }
  ScatterSpec spec;
  spec.seed = 5;
  spec.extent = extent;
  spec.layers.push_back(layer("tree", 5));
  spec.layers[0].secondaries = {ring};
  const Scatter scatter = make_scatter(spec);
  const ById whole = by_id(scatter, generate(scatter, extent), extent);
  ById parts;
  for (double y = 0; y < 50; y += 5) {
    for (double x = 0; x < 50; x += 5) {
      const Rect tile = metres(x, y, x + 5, y + 5);
      parts.merge(by_id(scatter, generate(scatter, tile), tile));
    }
  }
  EXPECT_GT(whole.size(), 700U);
  EXPECT_EQ(parts, whole);
}

TEST(NestedSecondaries, DistancesHold) {
  const Rect extent = metres(-40, -30, 90, 80);
  const Scatter scatter = make_scatter(garden(extent));
  // Parents may stand outside: those are looked for in a wider world.
  const Scatter wide = make_scatter(garden(expanded(extent, 20 * kUnitsPerMetre)));
  const auto in = generate(scatter, extent);
  const auto all = generate(wide, wide.spec().extent);
  EXPECT_GE(closest(in[1], all[0]), 4.0);  // bushes to trees: the own one 4, others 4.5
  EXPECT_GE(closest(in[2], all[1]), 1.7);  // flowers to bushes
  EXPECT_LT(closest(in[2], all[1]), 1.8);  // and no more than asked
  EXPECT_GE(closest(in[2], all[0]), 2.5);  // flowers to trees
  EXPECT_LT(closest(in[2], all[0]), 2.7);
  EXPECT_GE(closest(in[3], all[2]), 0.4);  // bees to flowers
  for (std::size_t slot = 1; slot < 6; ++slot) {
    const SlotInfo& info = scatter.slots()[slot];
    const InstanceTable& parents = all[info.parent];
    for (std::size_t i = 0; i < in[slot].size(); ++i) {
      int possible = 0;
      for (std::size_t p = 0; p < parents.size(); ++p) {
        const double d = apart(in[slot], i, parents, p);
        possible += d >= info.type->ring_m.minimum && d <= info.type->ring_m.maximum ? 1 : 0;
      }
      EXPECT_GE(possible, 1) << info.name;
    }
  }
  for (std::size_t i = 0; i < in[1].size(); ++i) {
    int near = 0;
    for (std::size_t p = 0; p < all[0].size(); ++p) {
      near += apart(in[1], i, all[0], p) < 4.5 ? 1 : 0;
    }
    EXPECT_LE(near, 1);
  }
}

TEST(NestedSecondaries, InheritedAndOwnRulesAreCheckedAtThePlace) {
  const Rect extent = metres(-40, -30, 90, 80);
  const Scatter scatter = make_scatter(garden(extent));
  const auto tables = generate(scatter, extent);
  TerrainWindow window;
  ASSERT_TRUE(Hills().window(extent, window).ok());
  for (const std::size_t slot : {std::size_t{2}, std::size_t{3}, std::size_t{4}}) {
    for (std::size_t i = 0; i < tables[slot].size(); ++i) {
      const Coord x = tables[slot].x[i] * tables[slot].lattice.pitch;
      const Coord y = tables[slot].y[i] * tables[slot].lattice.pitch;
      double slope = 0;
      std::uint8_t biome = 0;
      ASSERT_EQ(sample_bilinear(window.view.slope, x, y, slope), SampleState::kValid);
      ASSERT_EQ(sample_nearest(window.view.biome, x, y, biome), SampleState::kValid);
      if (slot == 4) {
        EXPECT_EQ(biome, 3);
      } else {
        EXPECT_LE(slope, 22);
      }
    }
  }
}

TEST(NestedSecondaries, VanishWithTheirParents) {
  const Rect extent = metres(-40, -30, 90, 80);
  ScatterSpec fewer = garden(extent);
  fewer.layers[0].amount = AmountSpec{AmountSpec::Choice::kSmallest, 30, 30, 0};
  const Scatter few = make_scatter(fewer);
  const Scatter many = make_scatter(garden(extent));
  const auto small = generate(few, extent);
  const auto large = generate(many, extent);
  for (std::size_t slot = 0; slot < small.size(); ++slot) {
    EXPECT_LT(small[slot].size(), large[slot].size());
    EXPECT_GT(small[slot].size(), 0U);
    for (std::size_t i = 0; slot > 0 && i < small[slot].size(); ++i) {
      double nearest = INFINITY;
      const InstanceTable& parents = small[few.slots()[slot].parent];
      for (std::size_t p = 0; p < parents.size(); ++p) {
        nearest = std::min(nearest, apart(small[slot], i, parents, p));
      }
      // Those near the border may belong to a tree outside.
      const Coord margin = 20 * kUnitsPerMetre;
      if (expanded(extent, -margin)
              .contains(small[slot].x[i] * small[slot].lattice.pitch,
                        small[slot].y[i] * small[slot].lattice.pitch)) {
        EXPECT_LE(nearest, few.slots()[slot].type->ring_m.maximum);
      }
    }
  }
}

TEST(NestedSecondaries, ReportsOfTilesAddUp) {
  const Rect extent = metres(-40, -30, 90, 80);
  const Scatter scatter = make_scatter(garden(extent));
  std::vector<SlotReport> whole(scatter.slots().size());
  std::vector<SlotReport> sum(scatter.slots().size());
  generate(scatter, extent, whole);
  for (double x = -40; x < 90; x += 26) {
    generate(scatter, metres(x, -30, x + 26, 80), sum);
  }
  for (std::size_t slot = 0; slot < sum.size(); ++slot) {
    std::uint64_t rejected = 0;
    for (const std::uint64_t count : whole[slot].rejected) {
      rejected += count;
    }
    EXPECT_EQ(whole[slot].candidates, whole[slot].placed + rejected);
    EXPECT_EQ(sum[slot].candidates, whole[slot].candidates);
    EXPECT_EQ(sum[slot].rejected, whole[slot].rejected);
    EXPECT_EQ(sum[slot].placed, whole[slot].placed);
  }
}

TEST(NestedSecondaries, WhatDoesNotFitIntoIdsIsRefused) {
  ScatterSpec deep = garden(metres(0, 0, 10, 10));
  SecondarySpec* at = &deep.layers[0].secondaries[0];
  for (int depth = 2; depth <= 5; ++depth) {
    at->secondaries = {around("x", {0, 1}, 1)};
    at = at->secondaries.data();
  }
  EXPECT_EQ(Scatter::create(deep, {true, true}).status().where,
            "layers[0].secondaries[0].secondaries[0].secondaries[0].secondaries[0].secondaries[0]");
  ScatterSpec many = garden(metres(0, 0, 10, 10));
  for (int i = 0; i < 58; ++i) {
    many.layers[0].secondaries[0].secondaries.push_back(around("x" + std::to_string(i), {0, 1}, 1));
  }
  EXPECT_TRUE(Scatter::create(many, {true, true}).ok());
  many.layers[0].secondaries[0].secondaries.push_back(around("last", {0, 1}, 1));
  EXPECT_EQ(Scatter::create(many, {true, true}).status().where, "layers");
  ScatterSpec wide = garden(metres(0, 0, 600000, 10));
  wide.layers[0].secondaries[0].own_constraints.emplace();
  const auto made = Scatter::create(wide, {true, true});
  EXPECT_EQ(made.status().where, "layers[0].secondaries[0]");
  EXPECT_NE(made.status().text().find("ids do not fit"), std::string::npos);
  ScatterSpec twice = garden(metres(0, 0, 10, 10));
  twice.layers[0].secondaries[0].secondaries.push_back(twice.layers[0].secondaries[0].secondaries[0]);
  EXPECT_EQ(Scatter::create(twice, {true, true}).status().where,
            "layers[0].secondaries[0].secondaries[2].name");
  ScatterSpec negative = garden(metres(0, 0, 10, 10));
  negative.layers[0].secondaries[0].secondaries[1].spacing_parents_m = -1;
  EXPECT_EQ(Scatter::create(negative, {true, true}).status().where,
            "layers[0].secondaries[0].secondaries[1].spacing_parents_m");
}

}  // namespace
}  // namespace strew
