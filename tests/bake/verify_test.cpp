#include "bake_fixture.hpp"

namespace strew {
namespace {

using namespace strew_test;

VerifyReport verified(const std::string& folder, const Scatter* scatter = nullptr,
                      const RunContext& context = {}) {
  auto report = verify(folder, scatter, scatter != nullptr ? &flat_terrain() : nullptr, context);
  EXPECT_TRUE(report.ok()) << report.status().text();
  return report.ok() ? std::move(report).value() : VerifyReport{};
}

/// Exactly these checks are violated, with these counts.
void expect_violations(const VerifyReport& report,
                       const std::vector<std::pair<std::string, std::uint64_t>>& expected) {
  std::vector<std::pair<std::string, std::uint64_t>> found;
  std::uint64_t sum = 0;
  for (const VerifyCheck& check : report.checks) {
    EXPECT_EQ(check.first_offender.empty(), check.violations == 0) << check.name;
    sum += check.violations;
    if (check.violations != 0) {
      found.emplace_back(check.name, check.violations);
    }
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(report.violations, sum);
}

class VerifyGrid : public testing::Test {
 protected:
  void SetUp() override { bake_flat(scatter_, bake_, tiles_of(64)); }
  TemporaryFolder folder_;
  Scatter scatter_ = grid_world();
  std::string bake_ = folder_ / "bake";
};

TEST_F(VerifyGrid, AGoodBakePasses) {
  const VerifyReport report = verified(bake_, &scatter_);
  expect_violations(report, {});
  EXPECT_EQ(find_check(report, "minimum_distance").examined, 64U * 32U);
  EXPECT_EQ(find_check(report, "duplicate_ids").examined, 64U * 32U);
  EXPECT_EQ(find_check(report, "tile_files").examined, 8U);
  EXPECT_GT(find_check(report, "uncovered_area").examined, 100U);
}

TEST_F(VerifyGrid, AMovedInstanceIsTooNear) {
  // Half a spacing to the east, within the tile: still its own square and in order, but too near its
  // neighbour.
  tamper(bake_, 1, 0, [](std::vector<InstanceTable>& tables) { tables[0].x[17] += 8; });
  const VerifyReport report = verified(bake_);
  expect_violations(report, {{"world_hash", 1}, {"minimum_distance", 1}});
  const std::string& offender = find_check(report, "minimum_distance").first_offender;
  EXPECT_NE(offender.find("grid 0x0000000020000011 at (70, 4) m in tile 1_0"), std::string::npos) << offender;
  EXPECT_NE(offender.find("2 m apart"), std::string::npos) << offender;
}

TEST_F(VerifyGrid, ASeamHidesNothing) {
  // The last point of a row moves towards the first of the next tile, and the last row towards the tile
  // above.
  tamper(bake_, 0, 0, [](std::vector<InstanceTable>& tables) { tables[0].x[31] += 1; });
  expect_violations(verified(bake_), {{"world_hash", 1}, {"minimum_distance", 1}});
  tamper(bake_, 2, 0, [](std::vector<InstanceTable>& tables) { tables[0].y.back() += 1; });
  const ShuffledExecutor shuffled(3, 4);
  RunContext context;
  context.executor = &shuffled.executor();
  expect_violations(verified(bake_, nullptr, context), {{"world_hash", 1}, {"minimum_distance", 2}});
}

TEST_F(VerifyGrid, ADeletedTileIsMissed) {
  std::filesystem::remove(bake_ + "/tiles/2_1.strewtile");
  expect_violations(verified(bake_), {{"tile_files", 1}, {"world_hash", 1}});
  // With the world given, its empty ground is found as well.
  const VerifyReport report = verified(bake_, &scatter_);
  EXPECT_GT(violations(report, "uncovered_area"), 5U);
  EXPECT_NE(find_check(report, "uncovered_area").first_offender.find("in tile 2_1"), std::string::npos);
}

TEST_F(VerifyGrid, AFlippedByteFailsTheChecksum) {
  const std::string path = bake_ + "/tiles/3_0.strewtile";
  auto bytes = read_whole_file(path).value();
  bytes[bytes.size() / 2] ^= std::byte{1};
  ASSERT_TRUE(write_atomically(path, bytes).ok());
  expect_violations(verified(bake_), {{"checksum", 1}, {"world_hash", 1}});
}

TEST_F(VerifyGrid, AnotherTilesFileFailsTheChecksum) {
  std::filesystem::copy_file(bake_ + "/tiles/0_0.strewtile", bake_ + "/tiles/1_0.strewtile",
                             std::filesystem::copy_options::overwrite_existing);
  expect_violations(verified(bake_), {{"checksum", 1}, {"world_hash", 1}});
}

TEST_F(VerifyGrid, ADuplicateIsFound) {
  tamper(bake_, 1, 1, [](std::vector<InstanceTable>& tables) {
    InstanceTable& table = tables[0];
    const auto twice = [](auto& column) { column.insert(column.begin() + 40, column[40]); };
    twice(table.x), twice(table.y), twice(table.z_steps), twice(table.species), twice(table.yaw),
        twice(table.scale);
  });
  expect_violations(verified(bake_), {{"duplicate_ids", 1}, {"world_hash", 1}, {"minimum_distance", 1}});
}

TEST_F(VerifyGrid, RowsOutOfOrderAreFound) {
  tamper(bake_, 1, 1, [](std::vector<InstanceTable>& tables) {
    InstanceTable& table = tables[0];
    const auto swapped = [](auto& column) { std::swap(column[20], column[21]); };
    swapped(table.x), swapped(table.y), swapped(table.z_steps), swapped(table.species), swapped(table.yaw),
        swapped(table.scale);
  });
  expect_violations(verified(bake_), {{"column_order", 1}});
}

TEST_F(VerifyGrid, AnInstanceOfAnotherTileIsOutOfBounds) {
  tamper(bake_, 3, 1, [](std::vector<InstanceTable>& tables) { tables[0].y.back() += 160; });
  expect_violations(verified(bake_), {{"tile_bounds", 1}, {"world_hash", 1}});
}

TEST_F(VerifyGrid, UnknownSpeciesAreFound) {
  tamper(bake_, 0, 1, [](std::vector<InstanceTable>& tables) { tables[0].species[3] = 2; });
  expect_violations(verified(bake_), {{"species", 1}, {"world_hash", 1}});
}

TEST_F(VerifyGrid, AWrongManifestIsFound) {
  Manifest manifest = load_manifest(bake_).value();
  manifest.world_hash ^= 1;
  write_manifest(bake_, manifest);
  expect_violations(verified(bake_), {{"world_hash", 1}});
  manifest.instances += 1;
  manifest.tiles[2].counts[0] -= 2;
  write_manifest(bake_, manifest);
  expect_violations(verified(bake_), {{"counts", 2}, {"world_hash", 1}});
}

TEST_F(VerifyGrid, AnUnlistedTileIsFound) {
  std::filesystem::copy_file(bake_ + "/tiles/0_0.strewtile", bake_ + "/tiles/9_9.strewtile");
  expect_violations(verified(bake_), {{"tile_files", 1}});
}

TEST_F(VerifyGrid, AnotherWorldIsRefused) {
  const Scatter forest = forest_world();
  const auto report = verify(bake_, &forest, &flat_terrain(), {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.status().code, StatusCode::kInvalidArgument);
  EXPECT_EQ(verify(bake_, &scatter_, nullptr, {}).status().where, "terrain");
  EXPECT_EQ(verify(folder_ / "none", nullptr, nullptr, {}).status().code, StatusCode::kNotFound);
}

TEST(VerifyForest, PassesForAnyTileSizeAndCountsTheSame) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  std::vector<std::uint64_t> examined;
  const auto pool = ThreadPool::create(3);
  RunContext parallel;
  parallel.executor = &pool.value().executor();
  for (const double tile_size : {25.0, 64.0, 512.0}) {
    const std::string name = folder / std::to_string(static_cast<int>(tile_size));
    bake_flat(scatter, name, tiles_of(tile_size), parallel);
    const VerifyReport report = verified(name, &scatter, parallel);
    expect_violations(report, {});
    std::vector<std::uint64_t> now;
    for (const char* check :
         {"minimum_distance", "spacing", "duplicate_ids", "secondary_ring", "constraints"}) {
      now.push_back(find_check(report, check).examined);
      EXPECT_GT(now.back(), 1000U) << check;
    }
    if (!examined.empty()) {
      EXPECT_EQ(now, examined);
    }
    examined = now;
  }
}

TEST(VerifyForest, DistancesBetweenSiblingsAreChecked) {
  const TemporaryFolder folder;
  const std::string name = folder / "bake";
  const Scatter scatter = forest_world();
  bake_flat(scatter, name, tiles_of(64));
  const VerifyReport good = verified(name, &scatter);
  expect_violations(good, {});
  EXPECT_GT(find_check(good, "sibling_distance").examined, 1000U);
  // A world that asks for more between siblings than those of this bake keep.
  ScatterSpec spec = forest_spec();
  spec.layers[0].secondaries[0].spacing_siblings_m = 1;
  const Scatter wider = Scatter::create(spec, {}).value();
  const VerifyReport bad = verified(name, &wider);
  EXPECT_GT(find_check(bad, "sibling_distance").violations, 20U);
  EXPECT_EQ(find_check(bad, "sibling_distance").violations, bad.violations);
  EXPECT_NE(find_check(bad, "sibling_distance").first_offender.find("around one canopy"), std::string::npos);
  // It does not depend on the blocks that are verified together.
  const std::string large = folder / "large";
  bake_flat(scatter, large, tiles_of(512));
  EXPECT_EQ(find_check(verified(large, &wider), "sibling_distance").violations, bad.violations);
}

TEST(VerifyForest, SpacingBetweenLayersIsChecked) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  const std::string name = folder / "bake";
  bake_flat(scatter, name, tiles_of(512));
  tamper(name, 0, 0, [](std::vector<InstanceTable>& tables) {
    // A plant of the understory onto a trunk, 4 m from all others.
    const InstanceTable& canopy = tables[0];
    InstanceTable& understory = tables[2];
    ASSERT_GT(canopy.size(), 50U);
    const std::size_t at = understory.size() / 2;
    understory.x[at] = canopy.x[40] * canopy.lattice.pitch / understory.lattice.pitch;
    understory.y[at] = canopy.y[40] * canopy.lattice.pitch / understory.lattice.pitch;
  });
  const VerifyReport report = verified(name, &scatter);
  EXPECT_EQ(violations(report, "spacing"), 1U);
  const std::string& offender = find_check(report, "spacing").first_offender;
  EXPECT_EQ(offender.find("understory"), 0U) << offender;
  EXPECT_NE(offender.find("canopy"), std::string::npos) << offender;
  EXPECT_NE(offender.find("below 1.5 m"), std::string::npos) << offender;
}

TEST(VerifyForest, CancellingStops) {
  const TemporaryFolder folder;
  const Scatter scatter = forest_world();
  bake_flat(scatter, folder / "bake", tiles_of(64));
  const std::atomic<bool> stop{true};
  RunContext context;
  context.cancel = &stop;
  EXPECT_EQ(verify(folder / "bake", nullptr, nullptr, context).status().code, StatusCode::kCancelled);
}

}  // namespace
}  // namespace strew
