#include "world_fixture.hpp"

namespace strew {
namespace {

TEST(ScatterPurity, AnyRectangleEqualsTheWholeCut) {
  for (const double far : {0.0, 1e7}) {
    const Rect extent = metres(far - 100, -far - 100, far + 150, -far + 120);
    const Scatter scatter = make_scatter(forest(extent));
    const auto whole = generate(scatter, extent);
    for (const auto& table : whole) {
      EXPECT_GT(table.size(), 400U);
    }
    for (std::int64_t i = 0; i < 12; ++i) {
      const PhiloxCounter random = cell_draw(stream_key(3, 3), i, 0, 0);
      const double x = far - 100 + 220 * draw_unit(random[0]);
      const double y = -far - 100 + 190 * draw_unit(random[1]);
      const Rect rect = metres(x, y, x + 1 + 60 * draw_unit(random[2]), y + 1 + 60 * draw_unit(random[3]));
      EXPECT_EQ(by_id(scatter, generate(scatter, rect), rect),
                by_id(scatter, whole, intersection(rect, extent)));
    }
  }
}

// A secondary can be missing because a sibling on the far side of their parent stands, and that sibling can
// be missing because of a primary still farther off: the longest chain there is.
TEST(ScatterPurity, SecondariesSeeAllTheirSiblingsSee) {
  const Rect extent = metres(0, 0, 60, 60);
  ScatterSpec spec;
  spec.seed = 5;
  spec.extent = extent;
  spec.layers.push_back(layer("canopy", 5));
  SecondarySpec ring;
  ring.name = "ring";
  ring.amount_min = 8;
  ring.amount_max = 16;
  ring.ring_m = {2, 4};
  ring.spacing_siblings_m = 6;
  ring.spacing_primaries_m = 3.5;
  ring.species = {{"x", 1, {1, 1}, {0, 360}}};
  spec.layers[0].secondaries.push_back(ring);
  const Scatter scatter = make_scatter(spec);
  const ById whole = by_id(scatter, generate(scatter, extent), extent);
  ById parts;
  for (double y = 0; y < 60; y += 5) {
    for (double x = 0; x < 60; x += 5) {
      const Rect tile = metres(x, y, x + 5, y + 5);
      parts.merge(by_id(scatter, generate(scatter, tile), tile));
    }
  }
  EXPECT_EQ(parts, whole);
}

TEST(ScatterPurity, TilesOfAnySizeAddUpToOneHash) {
  const Rect extent = metres(-90, -90, 110, 70);
  const Scatter scatter = make_scatter(forest(extent));
  std::vector<std::uint64_t> digests;
  for (const double size : {1000.0, 64.0, 37.0}) {
    SetHash hash;
    for (double y = -90; y < 70; y += size) {
      for (double x = -90; x < 110; x += size) {
        const auto tables = generate(scatter, metres(x, y, x + size, y + size));
        for (std::size_t s = 0; s < tables.size(); ++s) {
          hash.merge(hash_instances(scatter.slots()[s].slot, tables[s]));
        }
      }
    }
    digests.push_back(hash.digest());
  }
  EXPECT_EQ(digests[0], digests[1]);
  EXPECT_EQ(digests[0], digests[2]);
}

TEST(ScatterPurity, TheExtentOnlyCrops) {
  const Rect small = metres(0, 0, 60, 60);
  const Scatter inner = make_scatter(forest(small));
  const Scatter outer = make_scatter(forest(metres(-200, -200, 200, 200)));
  EXPECT_EQ(by_id(inner, generate(inner, small), small), by_id(outer, generate(outer, small), small));
}

TEST(ScatterPurity, ALayerAddedAtTheEndMovesNothing) {
  const Rect extent = metres(0, 0, 80, 80);
  ScatterSpec more = forest(extent);
  more.layers.push_back(layer("stones", 4));
  const Scatter before = make_scatter(forest(extent));
  const Scatter after = make_scatter(more);
  const ById old = by_id(before, generate(before, extent), extent);
  const ById all = by_id(after, generate(after, extent), extent);
  EXPECT_GT(all.size(), old.size());
  for (const auto& [id, columns] : old) {
    const auto found = all.find(id);
    ASSERT_NE(found, all.end());
    EXPECT_EQ(found->second, columns);
  }
}

TEST(ScatterPurity, AWeightChangesOnlySpecies) {
  const Rect extent = metres(0, 0, 60, 60);
  ScatterSpec changed = forest(extent);
  changed.layers[0].species[1].weight = 5;
  const Scatter a = make_scatter(forest(extent));
  const Scatter b = make_scatter(changed);
  const ById before = by_id(a, generate(a, extent), extent);
  const ById after = by_id(b, generate(b, extent), extent);
  ASSERT_EQ(before.size(), after.size());
  for (const auto& [id, columns] : before) {
    ASSERT_TRUE(after.contains(id));
    EXPECT_EQ(after.at(id)[0], columns[0]);
    EXPECT_EQ(after.at(id)[1], columns[1]);
  }
}

// Pinned bytes: they change only together with output_version.
TEST(ScatterPurity, GoldenHash) {
  const Rect extent = metres(0, 0, 80, 80);
  const Scatter scatter = make_scatter(forest(extent));
  const auto tables = generate(scatter, extent);
  SetHash hash;
  for (std::size_t s = 0; s < tables.size(); ++s) {
    hash.merge(hash_instances(scatter.slots()[s].slot, tables[s]));
  }
  EXPECT_EQ(hash.digest(), 15353720282768765692U);
}

}  // namespace
}  // namespace strew
