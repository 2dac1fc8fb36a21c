// Degenerate input: clear errors or stated behaviour, and always an end.
#include <gtest/gtest.h>

#include "maps.hpp"

namespace strew::snap {
namespace {

TEST(Degenerate, KitsThatCannotBeUsedAreRefusedByName) {
  const auto refused = [](const auto& change, const std::string& where, const std::string& words) {
    Kit kit = bars(2);
    change(kit);
    const Status status = validate_kit(kit);
    EXPECT_FALSE(status.ok());
    EXPECT_NE(status.where.find(where), std::string::npos) << status.text();
    EXPECT_NE(status.message.find(words), std::string::npos) << status.text();
  };
  refused([](Kit& k) { k.pieces.clear(); }, "pieces", "no pieces");
  refused(
      [](Kit& k) {
        k.pieces[0].connectors.clear();
        k.pieces[1].connectors.clear();
      },
      "pieces", "no piece has a connector");
  refused([](Kit& k) { k.pieces[1].name = k.pieces[0].name; }, "bar 0", "rename");
  refused(
      [](Kit& k) {
        k.pieces[1].connectors[1].name = "west";
        k.pieces[1].connectors[1].position.x = NAN;
      },
      "\"bar 1\", connector \"west\"", "NaN");
  refused([](Kit& k) { k.pieces[0].connectors[0].heading = {}; }, "connector 0", "heading");
  refused([](Kit& k) { k.pieces[0].connectors[0].pins = -1; }, "connector 0", "pins");
  refused([](Kit& k) { k.pieces[0].connectors[0].colour = 12; }, "connector 0", "colour");
  refused([](Kit& k) { k.pieces[0].boxes[0].half_extents.y = -1; }, "box 0", "below 0");
  refused([](Kit& k) { k.pieces[0].boxes[0].rotation = {0, 0, 0, 0}; }, "box 0", "unit quaternion");
  refused([](Kit& k) { k.pieces[0].mesh.positions = {0, 0, NAN}; }, "bar 0", "not finite");
  refused(
      [](Kit& k) {
        k.pieces[0].mesh.positions = {0, 0, 0};
        k.pieces[0].mesh.triangles = {0, 0, 1};
      },
      "bar 0", "vertex 1");
  refused([](Kit& k) { k.pieces[0].mesh.positions = {100, 100, 100}; }, "bar 0", "different units");
  refused([](Kit& k) { k.pieces[0].connectors.resize(65); }, "bar 0", "65");
  refused(
      [](Kit& k) {
        k.pieces[0].minimum_count = 3;
        k.pieces[0].maximum_count = 2;
      },
      "bar 0", "at least 3");
  refused([](Kit& k) { k.starters = {7}; }, "starters", "7");
}

TEST(Degenerate, OnePieceMaxPiecesOneAndNoMatch) {
  const Kit kit = bars();
  Rules rules = standard_rules();
  EXPECT_EQ(make(kit, rules, {pass_of(arena(), {{"max_pieces", 1}}, rules)}, 1).value().placements.size(),
            1U);
  EXPECT_EQ(make(kit, rules, {pass_of(corridor(), {{"max_pieces", 7}}, rules)}, 1).value().placements.size(),
            7U);
  Kit none = kit;
  none.colour_matrix = {};
  const auto alone = make(none, rules, {pass_of(arena(), {{"max_pieces", 7}}, rules)}, 1);
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(alone.value().placements.size(), 1U);
  EXPECT_EQ(alone.value().end, End::kStuck);
  Rules published;
  published.match_colours = true;
  EXPECT_EQ(
      make(none, published, {pass_of(arena(), {{"max_pieces", 7}}, published)}, 1).value().placements.size(),
      1U);
  // The published loop snaps once before it asks, so one piece becomes two.
  Rules open;
  EXPECT_EQ(make(kit, open, {pass_of(arena(), {{"max_pieces", 1}}, open)}, 1).value().placements.size(), 2U);
}

TEST(Degenerate, ParametersAreRefusedByName) {
  Rules rules;
  Pass pass;
  const auto refused = [&](const SelectionMethod& method, const char* name, std::int64_t value) {
    ParameterSet parameters;
    parameters.set(name, value);
    const Status status = configure(method, parameters, rules, pass);
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.where, name);
  };
  refused(branch(), "branch_count", 0);
  refused(arena(), "max_pieces", 0);
  refused(arena(), "max_fails", 0);
  refused(star(), "arm_length", -1);
  ParameterSet unknown;
  unknown.set("max_piece", std::int64_t{3});
  const Status status = configure(arena(), unknown, rules, pass);
  EXPECT_NE(status.text().find("max_pieces"), std::string::npos) << status.text();
  EXPECT_FALSE(find_method(builtin_registry(), "arenna").ok());
  EXPECT_FALSE(find_method(builtin_registry(), "poisson/tiled").ok());
  EXPECT_FALSE(Assembler::create(bars(), rules, {}).ok());
  rules.use_starter = true;
  EXPECT_EQ(Assembler::create(bars(), rules, {pass_of(arena(), {}, rules)}).status().where, "use_starter");
}

TEST(Degenerate, VerticalHeadingsSnapAndTenThousandPiecesEnd) {
  Kit kit;
  Piece shaft = bar("shaft");
  shaft.connectors[0].heading = {0, 0, 1};
  shaft.connectors[0].position = {0, 0, 1};
  shaft.connectors[1].heading = {0, 0, -1};
  shaft.connectors[1].position = {0, 0, -1};
  kit.pieces = {shaft};
  ASSERT_TRUE(validate_kit(kit).ok());
  for (const Mode mode : {Mode::kStandard, Mode::kReference}) {
    Rules rules = standard_rules();
    rules.mode = mode;
    const auto map = make(kit, rules, {pass_of(corridor(), {{"max_pieces", 6}}, rules)}, 4);
    ASSERT_TRUE(map.ok());
    EXPECT_EQ(map.value().placements.size(), 6U);
    for (const Joint& joint : map.value().joints) {
      const double apart =
          map.value().placements[joint.a].position.z - map.value().placements[joint.b].position.z;
      EXPECT_NEAR(std::abs(apart), 2, 1e-9);
    }
  }
  Rules rules = standard_rules();
  const auto many = make(bars(), rules, {pass_of(corridor(), {{"max_pieces", 10000}}, rules)}, 4);
  ASSERT_TRUE(many.ok());
  EXPECT_EQ(many.value().placements.size(), 10000U);
  const Quat& q = many.value().placements.back().rotation;
  EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-9);
  Kit large = bars(10000);
  const auto drawn = make(large, rules, {pass_of(arena(), {{"max_pieces", 30}}, rules)}, 4);
  ASSERT_TRUE(drawn.ok());
  EXPECT_EQ(drawn.value().placements.size(), 30U);
}

/// Never content and never full: asks for the starter for ever.
class Stubborn final : public SelectionMethod {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override {
    static constexpr StrategyInfo kInfo{.id = "mine/stubborn",
                                        .backend = "ref",
                                        .description = "two guides in turn",
                                        .source = "original",
                                        .parameters = {}};
    return kInfo;
  }
  [[nodiscard]] Status prepare(const ResolvedParameters& /*parameters*/,
                               MethodState& /*state*/) const override {
    return {};
  }
  [[nodiscard]] bool starts_with_most() const noexcept override { return true; }
  [[nodiscard]] std::int64_t select(MethodState& state, const MapView& map,
                                    Random& /*random*/) const override {
    return state.memory[0]++ % 2 == 0 ? 0 : map.placed() - 1;
  }
};

TEST(Degenerate, AWorkLimitEndsWhatWouldNeverEnd) {
  static const Stubborn kMethod;
  Registry registry = builtin_registry();
  registry.strategies.push_back(&kMethod);
  Kit kit = bars();
  kit.pieces[0].boxes[0].half_extents = {3, 3, 3};  // overlapping starters: nothing fits for long
  Rules rules;
  rules.check_overlaps = true;
  rules.work_limit = 5000;
  const auto map = assemble(registry, "mine/stubborn", kit, 1, rules, {});
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map.value().end, End::kWorkLimit);
  EXPECT_GE(map.value().placements.size(), 2U);
}

/// Kits that offer little, every method, both modes: always an end, and at least the starter.
TEST(Degenerate, PoorKitsEndInEveryMethodAndMode) {
  Kit loner = bars(2);
  loner.pieces[0].connectors.clear();  // cannot be joined, may be the starter
  loner.starters = {0};
  Kit dead_ends = bars(1);
  dead_ends.pieces[0].connectors.pop_back();
  Kit fat = bars(1);  // the boxes of neighbours but one overlap
  fat.pieces[0].boxes[0].half_extents = {3, 3, 3};
  Kit bare = bars(3);  // no boxes: nothing ever overlaps
  for (Piece& piece : bare.pieces) {
    piece.boxes.clear();
  }
  Kit wanting = bars(2);  // more asked for than fits
  wanting.pieces[0].minimum_count = 50;
  wanting.pieces[1].maximum_count = 0;
  Kit vertical = bars(1);  // a shaft whose ends both point up
  for (Connector& c : vertical.pieces[0].connectors) {
    c.heading = {0, 0, 1};
    c.up = {};
  }
  for (Kit* kit : {&loner, &dead_ends, &fat, &bare, &wanting, &vertical}) {
    ASSERT_TRUE(validate_kit(*kit).ok());
    for (const Mode mode : {Mode::kReference, Mode::kStandard}) {
      for (const SelectionMethod* method : {&arena(), &corridor(), &star(), &branch()}) {
        for (const bool checked : {false, true}) {
          Rules rules = mode == Mode::kStandard ? standard_rules() : Rules{};
          rules.check_overlaps = checked;
          rules.use_starter = !kit->starters.empty();
          rules.close_dead_ends = true;
          rules.work_limit = 3000;
          std::vector<Pass> passes = {pass_of(*method, {}, rules)};
          if (mode == Mode::kStandard) {
            passes.push_back(pass_of(connect(), {{"bridge_pieces", 8}}, rules));
          }
          for (std::int64_t seed = -2; seed < 3; ++seed) {
            const auto map = make(*kit, rules, passes, seed);
            ASSERT_TRUE(map.ok()) << map.status().text();
            EXPECT_GE(map.value().placements.size(), 1U);
            EXPECT_LE(map.value().placements.size(), 3001U);
          }
        }
      }
    }
  }
  Rules rules = standard_rules();
  rules.use_starter = true;
  const auto alone = make(loner, rules, {pass_of(arena(), {}, rules)}, 1);
  EXPECT_EQ(alone.value().placements.size(), 1U);
  EXPECT_EQ(alone.value().end, End::kGuideFull);
}

TEST(Degenerate, TheLoopOfThePublishedStarIsEnded) {
  // The starter and the end of its arm have a free connector each, and nothing fits at either: they are guide
  // in turn, never the same one twice running.
  Kit kit = bars(1);
  kit.pieces[0].boxes[0].half_extents = {3, 3, 3};
  Rules rules;
  rules.check_overlaps = true;
  rules.work_limit = 4000;
  const Pass pass = pass_of(star(), {{"arm_length", 2}}, rules);
  const auto map = make(kit, rules, {pass}, 3);
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map.value().placements.size(), 2U);
  EXPECT_EQ(map.value().end, End::kWorkLimit);
}

TEST(Degenerate, TenThousandPiecesInAllDirections) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  rules.work_limit = 100'000'000;
  rules.prefer_loops = true;
  const auto map = make(kit, rules, {pass_of(arena(), {{"max_pieces", 10000}}, rules)}, 4);
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map.value().placements.size(), 10000U);
  rules.cap_pieces = 500;
  const auto capped = make(kit, rules, {pass_of(arena(), {{"max_pieces", 10000}}, rules)}, 4);
  EXPECT_EQ(capped.value().placements.size(), 500U);
  EXPECT_EQ(capped.value().end, End::kPieceCap);
}

}  // namespace
}  // namespace strew::snap
