#include "world_fixture.hpp"

namespace strew {
namespace {

struct Place {
  double x;
  double y;
};
Place place(const InstanceTable& table, std::size_t i) {
  return {to_metres(table.x[i] * table.lattice.pitch), to_metres(table.y[i] * table.lattice.pitch)};
}
double distance(const Place& a, const Place& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

double closest(const InstanceTable& a, const InstanceTable& b) {
  double least = INFINITY;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      least = &a == &b && i == j ? least : std::min(least, distance(place(a, i), place(b, j)));
    }
  }
  return least;
}

class ScatterRules : public testing::Test {
 protected:
  const Rect extent = metres(-60, -40, 90, 80);
  const Scatter scatter = make_scatter(forest(extent));
  std::vector<SlotReport> reports = std::vector<SlotReport>(scatter.slots().size());
  const std::vector<InstanceTable> tables = generate(scatter, extent, reports);
  const InstanceTable& canopy = tables[0];
  const InstanceTable& mushrooms = tables[1];
  const InstanceTable& shrubs = tables[2];
  const InstanceTable& herbs = tables[3];
};

TEST_F(ScatterRules, SlotsAreNamedAndNumbered) {
  EXPECT_EQ(scatter.slots()[0].name, "canopy");
  EXPECT_EQ(scatter.slots()[1].name, "canopy/mushrooms");
  EXPECT_EQ(scatter.slots()[1].slot, 63U);
  EXPECT_EQ(scatter.slots()[3].slot, 2U);
}

TEST_F(ScatterRules, DistancesWithinAndBetweenLayersHold) {
  EXPECT_GE(closest(canopy, canopy), 5);
  EXPECT_GE(closest(shrubs, shrubs), 2.5);
  EXPECT_GE(closest(shrubs, canopy), 1.7);
  EXPECT_GE(closest(herbs, canopy), 1.0);
  EXPECT_GE(closest(herbs, shrubs), 0.8);
  EXPECT_LT(closest(herbs, shrubs), 0.85);  // and no more than asked
}

TEST_F(ScatterRules, ConstraintsHoldWhereInstancesStand) {
  TerrainWindow window;
  ASSERT_TRUE(Hills().window(extent, window).ok());
  for (std::size_t i = 0; i < canopy.size(); ++i) {
    std::uint8_t biome = 0;
    ASSERT_EQ(sample_nearest(window.view.biome, canopy.x[i] * canopy.lattice.pitch,
                             canopy.y[i] * canopy.lattice.pitch, biome),
              SampleState::kValid);
    EXPECT_NE(biome, 3);
  }
  for (std::size_t i = 0; i < shrubs.size(); ++i) {
    double slope = 0;
    double height = 0;
    const Coord x = shrubs.x[i] * shrubs.lattice.pitch;
    const Coord y = shrubs.y[i] * shrubs.lattice.pitch;
    ASSERT_EQ(sample_bilinear(window.view.slope, x, y, slope), SampleState::kValid);
    ASSERT_EQ(sample_bilinear(window.view.elevation, x, y, height), SampleState::kValid);
    EXPECT_LE(slope, 24);
    EXPECT_NEAR(shrubs.z_steps[i] / 1024.0, height, 0.0005);
  }
}

TEST_F(ScatterRules, SecondariesKeepTheirRingSiblingsAndPrimaries) {
  // Parents may stand outside the extent: make a wider world to find them in.
  const Scatter wide = make_scatter(forest(metres(-80, -60, 110, 100)));
  const auto around = generate(wide, metres(-80, -60, 110, 100));
  ASSERT_GT(mushrooms.size(), 300U);
  for (std::size_t i = 0; i < mushrooms.size(); ++i) {
    int parents = 0;
    int near = 0;
    for (std::size_t p = 0; p < around[0].size(); ++p) {
      const double d = distance(place(mushrooms, i), place(around[0], p));
      parents += d >= 0.5 && d <= 3 ? 1 : 0;
      near += d < 2.8 ? 1 : 0;
    }
    EXPECT_GE(parents, 1);
    EXPECT_LE(near, 1);  // its own parent at most
  }
}

TEST_F(ScatterRules, ReportsAddUp) {
  const std::array<const InstanceTable*, 4> all = {&canopy, &mushrooms, &shrubs, &herbs};
  for (std::size_t s = 0; s < reports.size(); ++s) {
    const SlotReport& report = reports[s];
    std::uint64_t rejected = 0;
    for (const std::uint64_t count : report.rejected) {
      rejected += count;
    }
    EXPECT_EQ(report.placed, all[s]->size());
    EXPECT_EQ(report.candidates, report.placed + rejected) << scatter.slots()[s].name;
    std::uint64_t by_species = 0;
    for (const std::uint64_t count : report.placed_by_species) {
      by_species += count;
    }
    EXPECT_EQ(by_species, report.placed);
  }
  EXPECT_GT(reports[0].rejected[static_cast<std::size_t>(Rejection::kBiome)], 0U);
  EXPECT_GT(reports[2].rejected[static_cast<std::size_t>(Rejection::kSlope)], 0U);
  EXPECT_GT(reports[2].rejected[static_cast<std::size_t>(Rejection::kSpacing)], 0U);
}

TEST_F(ScatterRules, ReportsOfTilesAddUpToTheWhole) {
  std::vector<SlotReport> sum(scatter.slots().size());
  for (double y = -40; y < 80; y += 40) {
    for (double x = -60; x < 90; x += 50) {
      generate(scatter, metres(x, y, x + 50, y + 40), sum);
    }
  }
  for (std::size_t s = 0; s < sum.size(); ++s) {
    EXPECT_EQ(sum[s].candidates, reports[s].candidates);
    EXPECT_EQ(sum[s].placed, reports[s].placed);
    EXPECT_EQ(sum[s].rejected, reports[s].rejected);
    EXPECT_EQ(sum[s].placed_by_species, reports[s].placed_by_species);
  }
}

TEST(ScatterWeights, FrequenciesFollowTheWeights) {
  ScatterSpec spec;
  spec.seed = 5;
  spec.extent = metres(0, 0, 500, 500);
  spec.layers.push_back(layer("trees", 1.2));
  spec.layers[0].species = {{"a", 0.5, {1, 1}, {0, 1}}, {"b", 0, {1, 1}, {0, 1}}, {"c", 1.5, {1, 1}, {0, 1}}};
  const Scatter scatter = make_scatter(spec);
  std::vector<SlotReport> reports(1);
  const auto tables = generate(scatter, spec.extent, reports);
  const auto n = static_cast<double>(tables[0].size());
  EXPECT_GT(n, 100000);
  EXPECT_NEAR(static_cast<double>(reports[0].placed_by_species[0]), n / 4, 5 * std::sqrt(n * 3 / 16));
  EXPECT_EQ(reports[0].placed_by_species[1], 0U);
  double yaw = 0;
  for (const std::uint16_t value : tables[0].yaw) {
    yaw += value;
  }
  EXPECT_NEAR(yaw / n / 65536, 0.5, 5 * 0.289 / std::sqrt(n));
}

TEST(ScatterFlat, NothingQualifiesIsAResult) {
  ScatterSpec spec;
  spec.extent = metres(0, 0, 50, 50);
  spec.layers.push_back(layer("trees", 3));
  spec.layers[0].constraints.noise = NoiseRule{{}, 1.0};
  auto scatter = Scatter::create(spec, {});
  ASSERT_TRUE(scatter.ok());
  std::vector<InstanceTable> tables;
  std::vector<SlotReport> reports(1);
  ASSERT_TRUE(scatter.value().generate(spec.extent, flat_terrain(), {}, tables, reports).ok());
  EXPECT_EQ(tables[0].size(), 0U);
  EXPECT_EQ(reports[0].rejected[static_cast<std::size_t>(Rejection::kNoise)], reports[0].candidates);
}

TEST(InstanceId, IsInjectiveOverSquaresAndSlots) {
  const Lattice lattice{1000, 8192};
  EXPECT_NE(instance_id(0, lattice, 0, 0), instance_id(1, lattice, 0, 0));
  EXPECT_NE(instance_id(0, lattice, -1, 0), instance_id(0, lattice, 0, -1));
  EXPECT_EQ(instance_id(3, lattice, 8191, 0), instance_id(3, lattice, 0, 8191));  // one square, one id
  EXPECT_NE(instance_id(3, lattice, 8192, 0), instance_id(3, lattice, 8191, 0));
}

}  // namespace
}  // namespace strew
