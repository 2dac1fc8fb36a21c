#include "bake_fixture.hpp"
#include "strew/world/world.hpp"

namespace strew {
namespace {

using namespace strew_test;

constexpr double kSize = 600;

ScatterSpec island_spec(double lowest) {
  ScatterSpec spec = forest_spec();
  spec.extent = metres(0, 0, kSize, kSize);
  for (LayerSpec& layer : spec.layers) {
    layer.constraints.noise.reset();
    layer.constraints.altitude_m = Range{lowest, 1000};
    layer.constraints.slope_degrees = Range{0, 60};
  }
  return spec;
}

class VerifyIsland : public testing::Test {
 protected:
  void SetUp() override {
    const auto summary = bake(scatter_, *terrain_, bake_, tiles_of(64), {});
    ASSERT_TRUE(summary.ok()) << summary.status().text();
    ASSERT_GT(summary.value().instances, 5000U);
  }
  [[nodiscard]] VerifyReport verified(const Scatter& scatter) const {
    auto report = verify(bake_, &scatter, terrain_.get(), {});
    EXPECT_TRUE(report.ok()) << report.status().text();
    return report.ok() ? std::move(report).value() : VerifyReport{};
  }
  /// The tile with the most instances: well inside the island.
  [[nodiscard]] BakedTile fullest() const {
    const Manifest manifest = load_manifest(bake_).value();
    return *std::max_element(
        manifest.tiles.begin(), manifest.tiles.end(),
        [](const BakedTile& a, const BakedTile& b) { return a.counts[0] < b.counts[0]; });
  }
  void tamper_fullest(const std::function<void(std::vector<InstanceTable>&)>& change) const {
    const BakedTile tile = fullest();
    tamper(bake_, tile.tile_x, tile.tile_y, change);
  }

  TemporaryFolder folder_;
  std::string bake_ = folder_ / "bake";
  std::unique_ptr<TerrainSource> terrain_ = make_island(3, kSize / 2, kSize / 2, kSize);
  Scatter scatter_ = Scatter::create(island_spec(1), {true, true}).value();
};

TEST_F(VerifyIsland, AGoodBakePasses) {
  const VerifyReport report = verified(scatter_);
  for (const VerifyCheck& check : report.checks) {
    EXPECT_EQ(check.violations, 0U) << check.name << ": " << check.first_offender;
  }
  EXPECT_GT(find_check(report, "elevation").examined, 5000U);
  EXPECT_GT(find_check(report, "uncovered_area").examined, 1000U);
}

TEST_F(VerifyIsland, WithoutTheWorldItsChecksAreSkippedAndSaySo) {
  const auto report = verify(bake_, nullptr, nullptr, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.value().violations, 0U);
  EXPECT_FALSE(find_check(report.value(), "constraints").note.empty());
  EXPECT_FALSE(find_check(report.value(), "uncovered_area").note.empty());
}

TEST_F(VerifyIsland, AWrongAltitudeIsFound) {
  tamper_fullest([](std::vector<InstanceTable>& tables) {
    tables[0].z_steps[5] += 3;  // 3 mm
    tables[0].z_steps[6] += 1;  // within the rounding of storage plus 1 mm, or just beyond
  });
  const VerifyReport report = verified(scatter_);
  EXPECT_GE(violations(report, "elevation"), 1U);
  EXPECT_LE(violations(report, "elevation"), 2U);
  EXPECT_EQ(violations(report, "constraints"), 0U);
}

TEST_F(VerifyIsland, InstancesWhereTheyMayNotStandAreFound) {
  std::uint64_t below = 0;
  const Manifest manifest = load_manifest(bake_).value();
  for (const BakedTile& tile : manifest.tiles) {
    const std::vector<InstanceTable> tables = load_tile(bake_, manifest, tile).value();
    for (const InstanceTable& table : tables) {
      for (const std::int32_t z : table.z_steps) {
        below += z < 5 * 1024 ? 1U : 0U;
      }
    }
  }
  ASSERT_GT(below, 10U);
  const Scatter stricter = Scatter::create(island_spec(5), {true, true}).value();
  const VerifyReport report = verified(stricter);
  // An altitude within half a millimetre of the limit may round either way.
  EXPECT_NEAR(static_cast<double>(violations(report, "constraints")), static_cast<double>(below), 2.0);
}

TEST_F(VerifyIsland, AClearingInAMaximalLayerIsFound) {
  const BakedTile tile = fullest();
  tamper(bake_, tile.tile_x, tile.tile_y, [](std::vector<InstanceTable>& tables) {
    for (const std::size_t slot : {0U, 1U}) {
      tables[slot] = InstanceTable{tables[slot].lattice, {}, {}, {}, {}, {}, {}};
    }
  });
  const VerifyReport report = verified(scatter_);
  EXPECT_GT(violations(report, "uncovered_area"), 3U);
  // The hole reaches as far as the points around it are away: into the tiles beside it.
  const std::string& offender = find_check(report, "uncovered_area").first_offender;
  bool beside = false;
  for (std::int64_t y = tile.tile_y - 1; y <= tile.tile_y + 1; ++y) {
    for (std::int64_t x = tile.tile_x - 1; x <= tile.tile_x + 1; ++x) {
      beside = beside ||
               offender.find("in tile " + std::to_string(x) + "_" + std::to_string(y)) != std::string::npos;
    }
  }
  EXPECT_TRUE(beside) << offender;
  EXPECT_EQ(violations(report, "minimum_distance"), 0U);
}

TEST_F(VerifyIsland, ASecondaryWithoutAParentIsFound) {
  const BakedTile tile = fullest();
  const std::uint64_t mushrooms = tile.counts[1];
  ASSERT_GT(mushrooms, 20U);
  tamper(bake_, tile.tile_x, tile.tile_y, [](std::vector<InstanceTable>& tables) {
    tables[0] = InstanceTable{tables[0].lattice, {}, {}, {}, {}, {}, {}};
  });
  const std::uint64_t orphans = violations(verified(scatter_), "secondary_ring");
  EXPECT_GT(orphans, mushrooms / 2);
}

}  // namespace
}  // namespace strew
