#include <algorithm>
#include <cmath>
#include <cstdio>

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
  std::array<std::vector<std::pair<double, double>>, 2> removed;  // of canopy, of understory
  tamper(bake_, tile.tile_x, tile.tile_y, [&](std::vector<InstanceTable>& tables) {
    for (const std::size_t layer : {0U, 1U}) {
      InstanceTable& table = tables[2 * layer];
      for (std::size_t i = 0; i < table.size(); ++i) {
        removed[layer].emplace_back(to_metres(table.x[i] * table.lattice.pitch),
                                    to_metres(table.y[i] * table.lattice.pitch));
      }
      table = InstanceTable{table.lattice, {}, {}, {}, {}, {}, {}};
    }
  });
  const VerifyReport report = verified(scatter_);
  EXPECT_GT(violations(report, "uncovered_area"), 3U);
  // "no canopy within 4 m of (x, y) m, where all ground is suitable, in tile X_Y": a place that one of the
  // removed covered, named with the tile that it is in.
  const std::string& offender = find_check(report, "uncovered_area").first_offender;
  std::array<char, 32> name{};
  double radius = 0;
  double x = 0;
  double y = 0;
  long tile_x = 0;
  long tile_y = 0;
  ASSERT_EQ(std::sscanf(offender.c_str(),
                        "no %31s within %lf m of (%lf, %lf) m, where all ground is suitable, in tile %ld_%ld",
                        name.data(), &radius, &x, &y, &tile_x, &tile_y),
            6)
      << offender;
  const std::size_t layer = std::string(name.data()) == "canopy" ? 0 : 1;
  double nearest = 1e9;
  for (const auto& [px, py] : removed[layer]) {
    nearest = std::min(nearest, std::hypot(px - x, py - y));
  }
  EXPECT_LE(nearest, radius + 1e-3) << offender;
  EXPECT_EQ(tile_x, static_cast<long>(std::floor(x / 64)));
  EXPECT_EQ(tile_y, static_cast<long>(std::floor(y / 64)));
  EXPECT_EQ(violations(report, "minimum_distance"), 0U);
}

/// Two species with rules of their own: oak low, ash high; and none in between.
Scatter two_species(double oak_up_to, double ash_from) {
  ScatterSpec spec = island_spec(1);
  for (LayerSpec& layer : spec.layers) {
    layer.species[0].constraints.emplace().altitude_m = Range{1, oak_up_to};
    layer.species[1].constraints.emplace().altitude_m = Range{ash_from, 1000};
    layer.species[1].biome_weights = {{1, 0}};  // never on the beach
  }
  return Scatter::create(spec, {true, true}).value();
}

TEST_F(VerifyIsland, RulesOfSpeciesAreCheckedForEachOfThem) {
  const Scatter world = two_species(20, 25);
  const std::string out = folder_ / "species";
  ASSERT_TRUE(bake(world, *terrain_, out, tiles_of(64), {}).ok());
  const auto verified_as = [&](const Scatter& scatter) {
    auto report = verify(out, &scatter, terrain_.get(), {});
    EXPECT_TRUE(report.ok()) << report.status().text();
    return std::move(report).value();
  };
  const VerifyReport good = verified_as(world);
  EXPECT_EQ(good.violations, 0U);
  EXPECT_GT(find_check(good, "constraints").examined, 1000U);
  EXPECT_GT(find_check(good, "uncovered_area").examined, 1000U);
  // Each instance that stands as the wrong one of the two is found, and no other.
  const Manifest manifest = load_manifest(out).value();
  std::uint64_t oaks = 0;
  BakedTile fullest;
  for (const BakedTile& tile : manifest.tiles) {
    const std::vector<InstanceTable> tables = load_tile(out, manifest, tile).value();
    const auto here =
        static_cast<std::uint64_t>(std::count(tables[0].species.begin(), tables[0].species.end(), 0));
    if (here > oaks) {
      oaks = here;
      fullest = tile;
    }
  }
  ASSERT_GT(oaks, 10U);
  tamper(out, fullest.tile_x, fullest.tile_y, [](std::vector<InstanceTable>& tables) {
    std::replace(tables[0].species.begin(), tables[0].species.end(), std::uint16_t{0}, std::uint16_t{1});
  });
  const VerifyReport swapped = verified_as(world);
  EXPECT_EQ(violations(swapped, "constraints"), oaks);
  EXPECT_NE(find_check(swapped, "constraints").first_offender.find("species ash"), std::string::npos);
  // A world in which oak may stand between the two leaves holes there.
  EXPECT_GT(violations(verified_as(two_species(25, 25)), "uncovered_area"), 0U);
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

TEST_F(VerifyIsland, ExactColumnsHoldTheSameWorldWithoutTheRounding) {
  ScatterSpec spec = island_spec(1);
  spec.exact_columns = true;
  const Scatter exact = Scatter::create(spec, {true, true}).value();
  const std::string folder = folder_ / "exact";
  ASSERT_TRUE(bake(exact, *terrain_, folder, tiles_of(64), {}).ok());
  const Manifest manifest = load_manifest(folder).value();
  const Manifest rounded = load_manifest(bake_).value();
  EXPECT_TRUE(manifest.exact_columns);
  EXPECT_FALSE(rounded.exact_columns);
  EXPECT_EQ(manifest.world_hash, rounded.world_hash);
  EXPECT_EQ(rows_of(folder), rows_of(bake_));
  std::uint64_t between_steps = 0;
  for (const BakedTile& tile : manifest.tiles) {
    const std::vector<InstanceTable> tables = load_tile(folder, manifest, tile).value();
    for (const InstanceTable& table : tables) {
      ASSERT_TRUE(table.size() == 0 || table.exact());
      for (std::size_t i = 0; i < table.size(); ++i) {
        EXPECT_LE(std::fabs(table.z_m(i) - table.z_steps[i] / 1024.0), 0.5 / 1024);
        between_steps += table.z_m(i) != table.z_steps[i] / 1024.0 ? 1U : 0U;
      }
    }
  }
  EXPECT_GT(between_steps, manifest.instances / 2);

  // Verified without a tolerance: the last bit of one altitude is noticed.
  const auto report = verify(folder, &exact, terrain_.get(), {});
  ASSERT_TRUE(report.ok()) << report.status().text();
  EXPECT_EQ(report.value().violations, 0U);
  const BakedTile tile = fullest();
  tamper(folder, tile.tile_x, tile.tile_y, [](std::vector<InstanceTable>& tables) {
    tables[0].z_exact[5] = std::nextafter(tables[0].z_exact[5], 0.0);
  });
  const auto nudged = verify(folder, &exact, terrain_.get(), {});
  ASSERT_TRUE(nudged.ok()) << nudged.status().text();
  EXPECT_EQ(violations(nudged.value(), "elevation"), 1U);

  // A tile of the other kind is refused, and found.
  std::filesystem::copy_file(bake_ + "/" + tile.file, folder + "/" + tile.file,
                             std::filesystem::copy_options::overwrite_existing);
  Manifest mixed = load_manifest(folder).value();
  for (BakedTile& one : mixed.tiles) {
    one.checksum = one.file == tile.file ? tile.checksum : one.checksum;
    if (one.file == tile.file) {
      EXPECT_NE(load_tile(folder, mixed, one).status().message.find("lacks exact columns"),
                std::string::npos);
    }
  }
  write_manifest(folder, mixed);
  EXPECT_GE(violations(verify(folder, &exact, terrain_.get(), {}).value(), "checksum"), 1U);
}

TEST_F(VerifyIsland, ABakeOfTheOtherColumnsIsNotTakenUp) {
  ScatterSpec spec = island_spec(1);
  spec.exact_columns = true;
  const Scatter exact = Scatter::create(spec, {true, true}).value();
  const auto refused = bake(exact, *terrain_, bake_, tiles_of(64), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message.find("--force"), std::string::npos);
}

}  // namespace
}  // namespace strew
