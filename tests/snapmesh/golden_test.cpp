// The four published maps, piece by piece, from an independent replay; and replays of its own parameters.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "shared_data.hpp"
#include "strew/io/kit.hpp"

namespace strew::snap {
namespace {

using Json = nlohmann::json;

const SelectionMethod& method_of(const std::string& name) {
  if (name == "Arena") {
    return arena();
  }
  if (name == "Star") {
    return star();
  }
  return name == "Branch" ? branch() : corridor();
}

void expect_equal(const Json& golden, const Kit& kit, const Map& map, const std::string& name) {
  const Json& placement = golden["placement"];
  ASSERT_EQ(map.placements.size(), placement.size()) << name;
  EXPECT_EQ(map.rng_draws, golden["rng_draws"].get<std::uint64_t>()) << name;
  EXPECT_EQ(map.tentatives, golden["tentatives"].get<std::int64_t>()) << name;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(map.rng_state[i], golden["rng_state_after"][i].get<std::uint32_t>()) << name;
  }
  for (std::size_t i = 0; i < placement.size(); ++i) {
    const Json& expected = placement[i];
    const Placement& got = map.placements[i];
    EXPECT_EQ(kit.pieces[got.piece].name, expected["piece"].get<std::string>()) << name << " " << i;
    if (i > 0) {
      EXPECT_EQ(got.parent, expected["parent"].get<int>()) << name << " " << i;
      EXPECT_EQ(got.parent_connector, expected["parent_connector"].get<int>()) << name << " " << i;
      EXPECT_EQ(got.own_connector, expected["own_connector"].get<int>()) << name << " " << i;
    } else {
      EXPECT_EQ(got.parent, -1);
    }
    const double position[3] = {got.position.x, got.position.y, got.position.z};
    const double rotation[4] = {got.rotation.x, got.rotation.y, got.rotation.z, got.rotation.w};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(position[k], expected["position"][k].get<double>(), 1e-4) << name << " " << i;
    }
    // A rotation is two quaternions of opposite sign: at half turns rounding chooses between them.
    double along = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      along += rotation[k] * expected["rotation"][k].get<double>();
    }
    EXPECT_NEAR(std::abs(along), 1, 1e-8) << name << " " << i;
    EXPECT_GE(got.rotation.w, -1e-9);
  }
}

TEST(Golden, TheFourPublishedMapsComeOutPieceByPiece) {
  STREW_REQUIRE_SHARED(golden_path, "snapmesh/golden_maps.json");
  std::ifstream file(golden_path);
  const Json golden = Json::parse(file);
  ASSERT_EQ(golden.size(), 4U);
  for (const auto& [name, set] : golden.items()) {
    STREW_REQUIRE_SHARED(kit_path, "snapmesh/" + set["set"].get<std::string>() + "_unity_lh.json");
    const auto kit = read_kit(kit_path);
    ASSERT_TRUE(kit.ok()) << kit.status().text();
    Rules rules;
    rules.piece_distance = set["pieceDistance"];
    rules.check_overlaps = set["checkOverlaps"];
    rules.match_pins = set["usePins"];
    rules.match_colours = set["useColours"];
    rules.pin_tolerance = set["pinCountTolerance"];
    rules.max_fails = set["maxFailures"];
    rules.starter_tolerance = set["starterConTol"];
    rules.use_starter = set["useStarter"];
    ParameterSet parameters;
    const std::pair<const char*, const char*> names[] = {
        {"maxPieces", "max_pieces"}, {"armLength", "arm_length"}, {"armLengthVar", "arm_length_var"}};
    for (const auto& [theirs, ours] : names) {
      if (set["selection_params"].contains(theirs)) {
        parameters.set(ours, set["selection_params"][theirs].get<std::int64_t>());
      }
    }
    for (const Isa isa : {Isa::kScalar, Isa::kSse4, Isa::kAvx2, Isa::kAvx512, Isa::kBest}) {
      Pass pass;
      ASSERT_TRUE(configure(method_of(set["selection"]), parameters, rules, pass).ok());
      auto assembler = Assembler::create(kit.value(), rules, {pass}, isa);
      if (!assembler.ok() && assembler.status().code == StatusCode::kUnsupported) {
        continue;
      }
      ASSERT_TRUE(assembler.ok()) << assembler.status().text();
      // Twice: nothing of one map may reach the next.
      for (int round = 0; round < 2; ++round) {
        ASSERT_TRUE(assembler.value().run(set["seed"].get<std::int64_t>()).ok());
        Map map;
        assembler.value().copy_map(map);
        expect_equal(set, kit.value(), map, name);
      }
    }
  }
}

}  // namespace
}  // namespace strew::snap
