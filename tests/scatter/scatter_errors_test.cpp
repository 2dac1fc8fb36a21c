#include <functional>

#include "world_fixture.hpp"

namespace strew {
namespace {

struct BadSpec {
  const char* where;
  std::function<void(ScatterSpec&)> spoil;
};

TEST(ScatterErrors, EveryBadFieldIsNamed) {
  const double nan = std::nan("");
  const std::vector<BadSpec> cases = {
      {"extent", [](ScatterSpec& s) { s.extent = {}; }},
      {"layers", [](ScatterSpec& s) { s.layers.clear(); }},
      {"layers", [](ScatterSpec& s) { s.layers.resize(65, s.layers[0]); }},
      {"layers[0].name", [](ScatterSpec& s) { s.layers[0].name = ""; }},
      {"layers[1].name", [](ScatterSpec& s) { s.layers[1].name = "canopy"; }},
      {"layers[0].strategy", [](ScatterSpec& s) { s.layers[0].strategy = "poisson/tield"; }},
      {"layers[0].strategy", [](ScatterSpec& s) { s.layers[0].strategy = "poisson/bridson"; }},
      {"layers[0].parameters.radius", [&](ScatterSpec& s) { s.layers[0].parameters.set("radius", nan); }},
      {"layers[0].parameters.radios", [](ScatterSpec& s) { s.layers[0].parameters.set("radios", 1.0); }},
      {"layers[2].parameters.jitter", [](ScatterSpec& s) { s.layers[2].parameters.set("jitter", 5.0); }},
      {"layers[0].species", [](ScatterSpec& s) { s.layers[0].species.clear(); }},
      {"layers[0].species",
       [](ScatterSpec& s) {
         s.layers[0].species = {{"x", 0, {1, 1}, {0, 1}}};
       }},
      {"layers[0].species[1].weight", [](ScatterSpec& s) { s.layers[0].species[1].weight = -1; }},
      {"layers[0].species[0].weight", [&](ScatterSpec& s) { s.layers[0].species[0].weight = nan; }},
      {"layers[0].species[0].scale",
       [](ScatterSpec& s) {
         s.layers[0].species[0].scale = {2, 1};
       }},
      {"layers[0].species[0].yaw_degrees",
       [](ScatterSpec& s) {
         s.layers[0].species[0].yaw_degrees = {0, 999};
       }},
      {"layers[1].spacing_m.herbs",
       [](ScatterSpec& s) {
         s.layers[1].spacing_m = {{"herbs", 1}};
       }},
      {"layers[1].spacing_m.canopy",
       [&](ScatterSpec& s) {
         s.layers[1].spacing_m = {{"canopy", nan}};
       }},
      {"layers[1].constraints.slope_degrees",
       [](ScatterSpec& s) {
         s.layers[1].constraints.slope_degrees = Range{40, 30};
       }},
      {"layers[0].secondaries[0].amount", [](ScatterSpec& s) { s.layers[0].secondaries[0].amount_min = 9; }},
      {"layers[0].secondaries[0].ring_m",
       [](ScatterSpec& s) {
         s.layers[0].secondaries[0].ring_m = {2, 1};
       }},
      {"layers[0].secondaries[0].ring_m",
       [](ScatterSpec& s) {
         s.layers[0].secondaries[0].ring_m = {1, 1};
       }},
      {"layers[0].secondaries[0].spacing_siblings_m",
       [](ScatterSpec& s) { s.layers[0].secondaries[0].spacing_siblings_m = -1; }},
      {"layers[0].secondaries[0].species",
       [](ScatterSpec& s) { s.layers[0].secondaries[0].species.clear(); }},
      {"layers[0]",
       [](ScatterSpec& s) {
         s.extent = metres(-1e9, 0, 1e9, 10);
         s.layers[0].secondaries.clear();
         s.layers[0].parameters.set("radius", 1.0);
       }},
  };
  for (const BadSpec& bad : cases) {
    ScatterSpec spec = forest(metres(0, 0, 50, 50));
    bad.spoil(spec);
    const auto scatter = Scatter::create(spec, {true, true});
    ASSERT_FALSE(scatter.ok()) << bad.where;
    EXPECT_EQ(scatter.status().where, bad.where) << scatter.status().text();
    EXPECT_FALSE(scatter.status().message.empty());
  }
}

TEST(ScatterErrors, RulesThatNeedARasterAreRefusedWithoutIt) {
  const ScatterSpec spec = forest(metres(0, 0, 50, 50));
  const auto no_biome = Scatter::create(spec, {true, false});
  ASSERT_FALSE(no_biome.ok());
  EXPECT_EQ(no_biome.status().where, "layers[0].constraints.biomes");
  const auto no_elevation = Scatter::create(spec, {false, true});
  ASSERT_FALSE(no_elevation.ok());
  EXPECT_EQ(no_elevation.status().where, "layers[1].constraints.slope_degrees");
}

/// Elevation that no instance can hold.
class Spike final : public TerrainSource {
 public:
  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    STREW_RETURN_IF_ERROR(hills_.window(need, out));
    for (float& height : out.elevation) {
      height = 1e30F;
    }
    return {};
  }

 private:
  Hills hills_;
};

TEST(ScatterErrors, AnElevationBeyondTheColumnIsAnErrorAndNotAWrongNumber) {
  ScatterSpec spec = forest(metres(0, 0, 50, 50));
  spec.layers.resize(1);
  const Scatter scatter = make_scatter(spec);
  std::vector<InstanceTable> tables;
  const Status status = scatter.generate(spec.extent, Spike(), {}, tables);
  EXPECT_EQ(status.where, "elevation");
}

TEST(ScatterErrors, ReportsOfTheWrongLengthAreRefused) {
  const Scatter scatter = make_scatter(forest(metres(0, 0, 50, 50)));
  std::vector<InstanceTable> tables;
  std::vector<SlotReport> reports(1);
  EXPECT_EQ(scatter.generate(metres(0, 0, 9, 9), Hills(), {}, tables, reports).where, "reports");
}

TEST(ScatterEdges, RegionsOutsideTheExtentAreEmpty) {
  const Scatter scatter = make_scatter(forest(metres(0, 0, 50, 50)));
  for (const auto& table : generate(scatter, metres(60, 60, 90, 90))) {
    EXPECT_EQ(table.size(), 0U);
  }
}

}  // namespace
}  // namespace strew
