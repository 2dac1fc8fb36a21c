// Worlds with counted layers: shards, resume after a change of terrain far away, verification.
#include "bake_fixture.hpp"
#include "folder_bytes.hpp"
#include "painted_terrain.hpp"
#include "strew/world/bake_job.hpp"
#include "strew/world/plan.hpp"

namespace strew {
namespace {

using namespace strew_test;

AmountSpec reserved(std::int64_t count) {
  return {AmountSpec::Choice::kReserved, count, count, 0};
}
AmountSpec smallest(std::int64_t count, double square) {
  return {AmountSpec::Choice::kSmallest, count, count, square};
}

ScatterSpec counted_spec() {
  ScatterSpec spec = forest_spec();
  spec.layers[0].amount = reserved(150);
  spec.layers[1].amount = smallest(700, 0);
  return spec;
}

std::uint64_t count_of(const Manifest& manifest, std::size_t slot) {
  std::uint64_t count = 0;
  for (const BakedTile& tile : manifest.tiles) {
    count += tile.counts[slot];
  }
  return count;
}

TEST(AmountBake, ShardsAndTileSizesGiveOneWorldOfExactCounts) {
  const TemporaryFolder folder;
  const Scatter scatter = Scatter::create(counted_spec(), {}).value();
  const auto whole = bake(scatter, flat_terrain(), folder / "whole", tiles_of(50), {});
  ASSERT_TRUE(whole.ok()) << whole.status().text();
  const Manifest manifest = load_manifest(folder / "whole").value();
  EXPECT_EQ(count_of(manifest, 0), 150U);
  EXPECT_EQ(count_of(manifest, 2), 700U);
  const auto other = bake(scatter, flat_terrain(), folder / "other", tiles_of(170), {});
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(other.value().world_hash, whole.value().world_hash);
  for (const std::uint32_t shards : {2U, 5U}) {
    std::vector<std::string> parts;
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      BakeOptions options = tiles_of(50);
      options.shard = shard;
      options.shards = shards;
      parts.push_back(folder / (std::to_string(shards) + "_" + std::to_string(shard)));
      ASSERT_TRUE(bake(scatter, flat_terrain(), parts.back(), options, {}).ok());
    }
    const std::string out = folder / ("merged" + std::to_string(shards));
    ASSERT_TRUE(merge_bakes(parts, out, {}, {}).ok());
    EXPECT_EQ(folder_bytes(out), folder_bytes(folder / "whole"));
  }
  const auto plan = plan_bake(scatter, flat_terrain(), tiles_of(50), 8, {});
  ASSERT_TRUE(plan.ok()) << plan.status().text();
  EXPECT_GT(plan.value().seconds_census, 0);
}

TEST(AmountBake, VerifyFindsTooManyAndTooFew) {
  const TemporaryFolder folder;
  ScatterSpec spec = counted_spec();
  spec.layers[1].amount = smallest(9, 60);
  const Scatter scatter = Scatter::create(spec, {}).value();
  const auto amounts = [&](const Scatter& world) {
    auto report = verify(folder / "bake", &world, &flat_terrain(), {});
    EXPECT_TRUE(report.ok()) << report.status().text();
    return find_check(report.value(), "amounts");
  };
  ASSERT_TRUE(bake(scatter, flat_terrain(), folder / "bake", tiles_of(50), {}).ok());
  EXPECT_EQ(amounts(scatter).violations, 0U) << amounts(scatter).first_offender;
  EXPECT_GT(amounts(scatter).examined, 20U);
  // The same bake against worlds that ask for other amounts.
  spec.layers[0].amount = reserved(149);
  EXPECT_EQ(amounts(Scatter::create(spec, {}).value()).violations, 1U);
  spec.layers[0].amount = reserved(151);
  EXPECT_EQ(amounts(Scatter::create(spec, {}).value()).violations, 1U);
  spec.layers[0].amount = reserved(150);
  spec.layers[1].amount = smallest(8, 60);
  EXPECT_GT(amounts(Scatter::create(spec, {}).value()).violations, 10U);
  // Fewer than asked for are right where the ground holds no more.
  spec.layers[0].amount = reserved(100000);
  const Scatter greedy = Scatter::create(spec, {}).value();
  BakeOptions again = tiles_of(50);
  again.force = true;
  ASSERT_TRUE(bake(greedy, flat_terrain(), folder / "bake", again, {}).ok());
  EXPECT_EQ(amounts(greedy).violations, 0U) << amounts(greedy).first_offender;
}

TEST(AmountBake, ATileThatOnlyTheCountOfOthersCanChangeIsMadeAgain) {
  const TemporaryFolder folder;
  ScatterSpec spec = painted_spec();
  for (const AmountSpec& amount : {smallest(60, 0), reserved(60)}) {
    spec.layers[0].amount = amount;
    const Scatter scatter = Scatter::create(spec, {.elevation = false, .biome = true}).value();
    PaintedTerrain terrain;
    const std::string out = folder / (amount.choice == AmountSpec::Choice::kReserved ? "r" : "s");
    ASSERT_TRUE(bake(scatter, terrain, out, tiles_of(32), {}).ok());
    EXPECT_EQ(bake(scatter, terrain, out, tiles_of(32), {}).value().tiles_made, 0U);
    terrain.paint(0, 0, 100, 100, 9);  // nothing stands there now: its share goes elsewhere
    const auto changed = bake(scatter, terrain, out, tiles_of(32), {});
    ASSERT_TRUE(changed.ok());
    ASSERT_TRUE(bake(scatter, terrain, out + "fresh", tiles_of(32), {}).ok());
    EXPECT_EQ(folder_bytes(out), folder_bytes(out + "fresh"));
    EXPECT_GT(changed.value().tiles_made, 16U);  // beyond the painted ones and those beside them
  }
}

}  // namespace
}  // namespace strew
