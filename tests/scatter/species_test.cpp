// Rules and weights per species, fates of candidates, transforms, classes of joint point sets.
#include "world_fixture.hpp"

namespace strew {
namespace {

Coord unit_x(const InstanceTable& table, std::size_t i) {
  return table.x[i] * table.lattice.pitch;
}
Coord unit_y(const InstanceTable& table, std::size_t i) {
  return table.y[i] * table.lattice.pitch;
}

ScatterSpec one_layer(const Rect& extent, double radius) {
  ScatterSpec spec;
  spec.seed = 3;
  spec.extent = extent;
  spec.layers.push_back(layer("trees", radius));
  return spec;
}

TEST(SpeciesRules, EachSpeciesStandsWhereItsOwnRulesAllow) {
  const Rect extent = metres(0, 0, 400, 400);
  ScatterSpec spec = one_layer(extent, 3);
  spec.layers[0].constraints.biomes.emplace().set(1).set(2);
  spec.layers[0].constraints.altitude_m = Range{110, 1000};
  spec.layers[0].species = {{"a", 1, {1, 1}, {0, 1}}, {"b", 1, {1, 1}, {0, 1}}, {"c", 0, {1, 1}, {0, 1}}};
  spec.layers[0].species[1].constraints.emplace().biomes.emplace().set(3);  // replaces the layer's biomes
  spec.layers[0].species[2].constraints.emplace();
  const Scatter scatter = make_scatter(spec);
  std::vector<SlotReport> reports(1);
  const InstanceTable table = generate(scatter, extent, reports)[0];
  TerrainWindow window;
  ASSERT_TRUE(Hills().window(extent, window).ok());
  std::array<int, 3> seen{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint8_t biome = 0;
    ASSERT_EQ(sample_nearest(window.view.biome, unit_x(table, i), unit_y(table, i), biome),
              SampleState::kValid);
    EXPECT_EQ(biome == 3, table.species[i] == 1) << i;
    EXPECT_GE(table.z_steps[i], 110 * 1024 - 1);  // rules not replaced still hold
    ++seen[table.species[i]];
  }
  EXPECT_GT(seen[0], 1000);
  EXPECT_GT(seen[1], 500);
  EXPECT_EQ(seen[2], 0);
  EXPECT_EQ(reports[0].candidates,
            reports[0].placed +
                std::accumulate(reports[0].rejected.begin(), reports[0].rejected.end(), std::uint64_t{0}));
}

TEST(SpeciesRules, WhereNoSpeciesMayStandNothingStands) {
  const Rect extent = metres(0, 0, 200, 200);
  ScatterSpec spec = one_layer(extent, 3);
  spec.layers[0].species = {{"a", 1, {1, 1}, {0, 1}}};
  spec.layers[0].species[0].constraints.emplace().biomes.emplace().set(2);
  const Scatter scatter = make_scatter(spec);
  std::vector<SlotReport> reports(1);
  generate(scatter, extent, reports);
  // The layer itself has no rule, so it is the species that reject.
  EXPECT_EQ(reports[0].rejected[static_cast<std::size_t>(Rejection::kSpecies)],
            reports[0].candidates - reports[0].placed);
  EXPECT_GT(reports[0].placed, 100U);
}

TEST(SpeciesRules, RulesWithoutEffectChangeNothing) {
  const Rect extent = metres(0, 0, 120, 120);
  const Scatter plain = make_scatter(forest(extent));
  ScatterSpec with = forest(extent);
  with.layers[0].species[0].constraints.emplace();
  with.layers[0].species[1].biome_weights = {{200, 7}};
  const Scatter ruled = make_scatter(with);
  EXPECT_EQ(by_id(plain, generate(plain, extent), extent), by_id(ruled, generate(ruled, extent), extent));
}

// 10^6 points: frequencies within sampling error per biome, with weights changed by biome.
TEST(SpeciesWeights, FrequenciesPerBiomeFollowTheWeights) {
  const Rect extent = metres(0, 0, 1300, 1300);
  ScatterSpec spec = one_layer(extent, 1);
  spec.layers[0].strategy = "grid-jitter";
  spec.layers[0].parameters = {};
  spec.layers[0].parameters.set("spacing", 1.3);
  spec.layers[0].species = {{"a", 1, {1, 1}, {0, 1}}, {"b", 2, {1, 1}, {0, 1}}, {"c", 5, {1, 1}, {0, 1}}};
  spec.layers[0].species[0].biome_weights = {{1, 3}, {2, 0}};
  spec.layers[0].species[2].biome_weights = {{1, 0.5}};
  const Scatter scatter = make_scatter(spec);
  const InstanceTable table = generate(scatter, extent)[0];
  ASSERT_GT(table.size(), 990000U);
  TerrainWindow window;
  ASSERT_TRUE(Hills().window(extent, window).ok());
  std::array<std::array<double, 3>, 4> counts{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint8_t biome = 0;
    ASSERT_EQ(sample_nearest(window.view.biome, unit_x(table, i), unit_y(table, i), biome),
              SampleState::kValid);
    ++counts[biome][table.species[i]];
  }
  const std::array<std::array<double, 3>, 4> weights = {{{0, 0, 0}, {3, 2, 2.5}, {0, 2, 5}, {1, 2, 5}}};
  for (std::size_t biome = 1; biome < 4; ++biome) {
    const double n = counts[biome][0] + counts[biome][1] + counts[biome][2];
    const double total = weights[biome][0] + weights[biome][1] + weights[biome][2];
    for (std::size_t s = 0; s < 3; ++s) {
      const double p = weights[biome][s] / total;
      EXPECT_NEAR(counts[biome][s], n * p, 4.5 * std::sqrt(n * p * (1 - p))) << biome << ' ' << s;
    }
  }
}

TEST(SpeciesRules, TilesAddUpWithEveryRule) {
  const Rect extent = metres(0, 0, 150, 150);
  ScatterSpec spec = forest(extent);
  spec.layers[0].species[1].constraints.emplace().slope_degrees = Range{0, 20};
  spec.layers[1].species[0].biome_weights = {{1, 0}, {3, 4}};
  spec.layers[0].secondaries[0].species.push_back({"stool", 1, {1, 1}, {0, 360}});
  spec.layers[0].secondaries[0].species[1].constraints.emplace().altitude_m = Range{120, 140};
  const Scatter scatter = make_scatter(spec);
  const ById whole = by_id(scatter, generate(scatter, extent), extent);
  ById parts;
  for (double y = 0; y < 150; y += 50) {
    for (double x = 0; x < 150; x += 30) {
      const Rect tile = metres(x, y, x + 30, y + 50);
      parts.merge(by_id(scatter, generate(scatter, tile), tile));
    }
  }
  EXPECT_EQ(parts, whole);
}

TEST(Explain, TellsTheFateOfEveryCandidate) {
  const Rect extent = metres(-60, -40, 90, 80);
  const Scatter scatter = make_scatter(forest(extent));
  std::vector<SlotReport> reports(scatter.slots().size());
  const auto tables = generate(scatter, extent, reports);
  for (std::size_t slot = 0; slot < scatter.slots().size(); ++slot) {
    std::vector<CandidateFate> fates;
    ASSERT_TRUE(scatter.explain(extent, Hills(), {}, slot, fates).ok());
    RejectionCounts counts{};
    std::uint64_t placed = 0;
    for (const CandidateFate& fate : fates) {
      EXPECT_TRUE(extent.contains(fate.x, fate.y));
      if (fate.reason == Rejection::kCount) {
        ++placed;
      } else {
        ++counts[static_cast<std::size_t>(fate.reason)];
      }
    }
    EXPECT_EQ(placed, tables[slot].size());
    // Reports leave out squares that the terrain excludes as a whole; an account has every candidate.
    std::uint64_t left_out = 0;
    for (std::size_t reason = 0; reason < counts.size(); ++reason) {
      const bool by_terrain = reason <= static_cast<std::size_t>(Rejection::kSlope);
      ASSERT_GE(counts[reason], reports[slot].rejected[reason]) << scatter.slots()[slot].name;
      left_out += counts[reason] - reports[slot].rejected[reason];
      EXPECT_TRUE(by_terrain || counts[reason] == reports[slot].rejected[reason])
          << to_string(Rejection{static_cast<std::uint8_t>(reason)});
    }
    EXPECT_EQ(fates.size(), reports[slot].candidates + left_out);
  }
  std::vector<CandidateFate> fates;
  EXPECT_EQ(scatter.explain(extent, Hills(), {}, 99, fates).where, "slot");
}

TEST(Classes, LayersOfOneStreamShareAJointPointSet) {
  const Rect extent = metres(0, 0, 120, 120);
  ScatterSpec spec;
  spec.seed = 8;
  spec.extent = extent;
  for (std::uint8_t k = 0; k < 2; ++k) {
    spec.layers.push_back(layer(k == 0 ? "big" : "small", 4));
    spec.layers[k].strategy = "poisson/multiclass";
    spec.layers[k].parameters = {};
    spec.layers[k].parameters.set("classes", std::int64_t{2});
    spec.layers[k].parameters.set("radius_0", 6.0);
    spec.layers[k].parameters.set("radius_1", 3.0);
    spec.layers[k].parameters.set("radius_01", 4.0);
    spec.layers[k].stream = "joint";
    spec.layers[k].point_class = k;
  }
  const Scatter scatter = make_scatter(spec);
  const auto tables = generate(scatter, extent);
  ASSERT_GT(tables[0].size(), 100U);
  ASSERT_GT(tables[1].size(), 300U);
  double least = INFINITY;
  for (std::size_t i = 0; i < tables[0].size(); ++i) {
    for (std::size_t j = 0; j < tables[1].size(); ++j) {
      least = std::min(least, std::hypot(to_metres(unit_x(tables[0], i) - unit_x(tables[1], j)),
                                         to_metres(unit_y(tables[0], i) - unit_y(tables[1], j))));
    }
  }
  EXPECT_GE(least, 4.0);  // without a rule of spacing: the joint set keeps them apart
  spec.layers[0].point_class.reset();
  EXPECT_EQ(Scatter::create(spec, {true, true}).status().where, "layers[0].class");
  spec.layers[0].point_class = 0;
  spec.layers[0].strategy = "poisson/tiled";
  spec.layers[0].parameters = {};
  spec.layers[0].parameters.set("radius", 6.0);
  EXPECT_EQ(Scatter::create(spec, {true, true}).status().where, "layers[0].class");
}

/// A plane that rises by 1 in 2 to the east.
class Ramp final : public TerrainSource {
 public:
  [[nodiscard]] Status window(const Rect& /*need*/, TerrainWindow& out) const override {
    out = TerrainWindow{};
    for (int i = 0; i < 100; ++i) {
      out.elevation.push_back(static_cast<float>((i % 10 - 1) * 10));
    }
    out.view.elevation = {out.elevation.data(), 10, 10, 10, -20 * kUnitsPerMetre,
                          -20 * kUnitsPerMetre, 20, 20, 0,  false};
    out.slope.resize(100);
    horn_slope(out.view.elevation, out.slope);
    out.view.slope = out.view.elevation;
    out.view.slope.data = out.slope.data();
    return {};
  }
};

std::array<double, 3> rotated(const std::array<float, 4>& q, const std::array<double, 3>& v) {
  const double x = q[0];
  const double y = q[1];
  const double z = q[2];
  const double w = q[3];
  return {(1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - z * w) * v[1] + 2 * (x * z + y * w) * v[2],
          2 * (x * y + z * w) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - x * w) * v[2],
          2 * (x * z - y * w) * v[0] + 2 * (y * z + x * w) * v[1] + (1 - 2 * (x * x + y * y)) * v[2]};
}

TEST(Transforms, AlignTiltSinkOffsetScaleAndMesh) {
  const Rect extent = metres(0, 0, 120, 120);
  ScatterSpec spec = one_layer(extent, 4);
  spec.layers[0].species = {{"a", 1, {2, 2}, {30, 30}}, {"b", 1, {1, 3}, {0, 360}}, {"c", 1, {1, 1}, {0, 0}}};
  spec.layers[0].species[0].transform.align = 1;
  spec.layers[0].species[0].transform.sink_m = 0.4;
  spec.layers[0].species[1].transform.align = 1;
  spec.layers[0].species[1].transform.max_tilt_degrees = 10;
  spec.layers[0].species[1].transform.offset_m = {1, 2};
  spec.layers[0].species[1].transform.scale_z = Range{5, 6};
  spec.layers[0].species[2].transform.meshes = {{"m0", 1}, {"m1", 3}, {"m2", 0}};
  auto scatter = Scatter::create(spec, {.elevation = true});
  ASSERT_TRUE(scatter.ok()) << scatter.status().text();
  std::vector<InstanceTable> tables;
  ASSERT_TRUE(scatter.value().generate(extent, Ramp(), {}, tables).ok());
  std::vector<InstanceTransform> all;
  ASSERT_TRUE(scatter.value().transforms(0, tables[0], Ramp(), all).ok());
  ASSERT_EQ(all.size(), tables[0].size());
  ASSERT_GT(all.size(), 300U);
  std::array<int, 3> meshes{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto up = rotated(all[i].rotation, {0, 0, 1});
    const auto& q = all[i].rotation;
    EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-6);
    const double ground = tables[0].z_steps[i] / 1024.0;
    switch (tables[0].species[i]) {
      case 0:
        // The normal of a plane z = x / 2.
        EXPECT_NEAR(up[0], -0.4472136, 1e-6);
        EXPECT_NEAR(up[1], 0, 1e-6);
        EXPECT_NEAR(up[2], 0.8944272, 1e-6);
        EXPECT_NEAR(all[i].z_m, ground - 0.2, 1e-9);
        EXPECT_EQ(all[i].scale, (std::array<float, 3>{2, 2, 2}));
        break;
      case 1:
        EXPECT_NEAR(std::acos(up[2]) * 180 / 3.14159265358979, 10, 1e-3);
        EXPECT_LT(up[0], 0);
        EXPECT_GE(all[i].z_m, ground + 1);
        EXPECT_LE(all[i].z_m, ground + 2);
        EXPECT_EQ(all[i].scale[0], all[i].scale[1]);
        EXPECT_GE(all[i].scale[2], 5);
        EXPECT_LE(all[i].scale[2], 6);
        break;
      default:
        EXPECT_EQ(up[2], 1);
        EXPECT_EQ(all[i].z_m, ground);
        ++meshes[all[i].mesh];
    }
  }
  EXPECT_GT(meshes[1], 2 * meshes[0]);
  EXPECT_GT(meshes[0], 0);
  EXPECT_EQ(meshes[2], 0);
  // A part of the table gives the same transforms.
  InstanceTable part;
  part.lattice = tables[0].lattice;
  for (std::size_t i = 40; i < 60; ++i) {
    part.x.push_back(tables[0].x[i]);
    part.y.push_back(tables[0].y[i]);
    part.z_steps.push_back(tables[0].z_steps[i]);
    part.species.push_back(tables[0].species[i]);
    part.yaw.push_back(tables[0].yaw[i]);
    part.scale.push_back(tables[0].scale[i]);
  }
  std::vector<InstanceTransform> some;
  ASSERT_TRUE(scatter.value().transforms(0, part, Ramp(), some).ok());
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(some[i].rotation, all[40 + i].rotation);
    EXPECT_EQ(some[i].z_m, all[40 + i].z_m);
  }
}

/// Hills with a plot and a mask, which a test moves and repaints.
class HillsWithFields final : public TerrainSource {
 public:
  HillsWithFields(double plot_side, float patch) : mask_(64 * 64, 1.0F) {
    ShapeData data;
    data.polygons.emplace_back();
    data.polygons[0].push_back(
        {at(60, 60), at(60 + plot_side, 60), at(60 + plot_side, 60 + plot_side), at(60, 60 + plot_side)});
    shapes_.push_back(std::move(Shapes::create(data, 10).value()));
    list_.push_back(&shapes_[0]);
    for (std::size_t row = 20; row < 30; ++row) {
      for (std::size_t column = 40; column < 50; ++column) {
        mask_[row * 64 + column] = patch;
      }
    }
  }
  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    STREW_RETURN_IF_ERROR(Hills().window(need, out));
    out.map_data = {mask_};
    out.maps = {{out.map_data[0].data(), 64, 64, 64, at(-20, -20).x, at(-20, -20).y, 4, 4, 0, false}};
    out.view.maps = out.maps;
    out.view.shapes = list_;
    return {};
  }

 private:
  static Vertex at(double x, double y) { return {to_coord(x, "x").value(), to_coord(y, "y").value()}; }
  std::vector<float> mask_;
  std::vector<Shapes> shapes_;
  std::vector<const Shapes*> list_;
};

// A plot that grows and a mask that is repainted change nothing farther away than the world's reach.
TEST(Locality, AChangedPlotOrMaskChangesNothingBeyondItsReach) {
  const Rect extent = metres(0, 0, 200, 200);
  ScatterSpec spec = forest(extent);
  spec.layers[0].constraints.shapes.push_back({0, {0, HUGE_VAL}, 4, 1, false});
  spec.layers[1].constraints.maps.push_back({0, {1, HUGE_VAL}, 1, 2, false});
  auto scatter = Scatter::create(spec, {true, true, 1, 1});
  ASSERT_TRUE(scatter.ok()) << scatter.status().text();
  const auto run = [&](const HillsWithFields& terrain) {
    std::vector<InstanceTable> tables;
    EXPECT_TRUE(scatter.value().generate(extent, terrain, {}, tables).ok());
    return by_id(scatter.value(), tables, extent);
  };
  const ById before = run(HillsWithFields(20, 1));
  const double reach = to_metres(scatter.value().reach());
  const auto compare = [&](const ById& after, const Rect& changed) {
    const Rect near = expanded(changed, scatter.value().reach());
    int inside = 0;
    for (const auto* pair : {&before, &after}) {
      const ById& other = pair == &before ? after : before;
      for (const auto& [id, columns] : *pair) {
        const auto found = other.find(id);
        if (found != other.end() && found->second == columns) {
          continue;
        }
        const std::size_t slot = id >> 58;
        const Lattice lattice = slot == 63 ? scatter.value().slots()[1].lattice
                                           : scatter.value().slots()[slot == 0 ? 0 : slot + 1].lattice;
        EXPECT_TRUE(near.contains(columns[0] * lattice.pitch, columns[1] * lattice.pitch)) << id;
        ++inside;
      }
    }
    EXPECT_GT(inside, 5);
  };
  EXPECT_GT(reach, 1);
  compare(run(HillsWithFields(40, 1)), metres(56, 56, 104, 104));
  compare(run(HillsWithFields(20, 0.2F)), metres(136, 56, 184, 104));
}

TEST(Errors, NameTheFieldOfASpecies) {
  const Rect extent = metres(0, 0, 10, 10);
  const auto where = [&](const auto& change) {
    ScatterSpec spec = one_layer(extent, 3);
    change(spec.layers[0].species[1]);
    auto scatter = Scatter::create(spec, {true, true});
    EXPECT_FALSE(scatter.ok());
    return scatter.ok() ? "" : scatter.status().where;
  };
  const std::string at = "layers[0].species[1].";
  EXPECT_EQ(where([](auto& s) {
              s.constraints.emplace().slope_degrees = Range{50, 10};
            }),
            at + "constraints.slope_degrees");
  EXPECT_EQ(where([](auto& s) { s.constraints.emplace().maps.push_back({}); }), at + "constraints.maps[0]");
  EXPECT_EQ(where([](auto& s) { s.constraints.emplace().shapes.push_back({}); }),
            at + "constraints.shapes[0]");
  EXPECT_EQ(where([](auto& s) { s.biome_weights = {{3, -1}}; }), at + "biome_weights.3");
  EXPECT_EQ(where([](auto& s) { s.biome_weights = {{3, 1}, {3, 1}}; }), at + "biome_weights.3");
  EXPECT_EQ(where([](auto& s) { s.transform.align = 2; }), at + "align");
  EXPECT_EQ(where([](auto& s) { s.transform.max_tilt_degrees = NAN; }), at + "max_tilt_degrees");
  EXPECT_EQ(where([](auto& s) { s.transform.meshes = {{"m", 0}}; }), at + "meshes");
}

}  // namespace
}  // namespace strew
