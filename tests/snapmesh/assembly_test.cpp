// Assembly: what holds of every map, and degenerate input.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "overlap.hpp"
#include "strew/random.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew::snap {
namespace {

Pass pass_of(const SelectionMethod& method,
             std::initializer_list<std::pair<const char*, std::int64_t>> settings, Rules& rules) {
  ParameterSet parameters;
  for (const auto& [name, value] : settings) {
    parameters.set(name, value);
  }
  Pass pass;
  const Status status = configure(method, parameters, rules, pass);
  EXPECT_TRUE(status.ok()) << status.text();
  return pass;
}

Kit own_kit() {
  Kit kit = built_in_kit();
  const Status status = validate_kit(kit);
  EXPECT_TRUE(status.ok()) << status.text();
  return kit;
}

/// A piece with a passage at each end of a box of length 2.
Piece bar(const std::string& name, std::uint8_t front = 0, std::uint8_t back = 0) {
  Piece piece;
  piece.name = name;
  for (const double x : {1.0, -1.0}) {
    Connector c;
    c.position = {x, 0, 0};
    c.heading = {x, 0, 0};
    c.colour = x > 0 ? front : back;
    piece.connectors.push_back(c);
  }
  Box box;
  box.half_extents = {0.9, 0.9, 0.9};
  piece.boxes.push_back(box);
  return piece;
}
Kit bars(std::size_t count = 1) {
  Kit kit;
  for (std::size_t i = 0; i < count; ++i) {
    kit.pieces.push_back(bar("bar " + std::to_string(i)));
  }
  EXPECT_TRUE(validate_kit(kit).ok());
  return kit;
}

Result<Map> make(const Kit& kit, const Rules& rules, const std::vector<Pass>& passes, std::int64_t seed) {
  STREW_ASSIGN(Assembler assembler, Assembler::create(kit, rules, passes));
  STREW_RETURN_IF_ERROR(assembler.run(seed));
  Map map;
  assembler.copy_map(map);
  return map;
}

void expect_sound(const Kit& kit, const Rules& rules, const Map& map) {
  // Connectors meet and oppose, each is used once.
  std::set<std::pair<std::uint32_t, std::uint32_t>> used;
  const auto place = [&](std::uint32_t placed, std::uint32_t connector, Vec3& position, Vec3& heading) {
    const Placement& p = map.placements[placed];
    const Mat3 turn = from_quat(p.rotation);
    const Connector& c = kit.pieces[p.piece].connectors[connector];
    position = p.position + turn * c.position;
    heading = turn * c.heading;
    EXPECT_TRUE(used.insert({placed, connector}).second);
  };
  for (const Joint& joint : map.joints) {
    Vec3 a;
    Vec3 a_heading;
    Vec3 b;
    Vec3 b_heading;
    place(joint.a, joint.a_connector, a, a_heading);
    place(joint.b, joint.b_connector, b, b_heading);
    EXPECT_LE(length(a + a_heading * rules.piece_distance - b), 1e-4);
    EXPECT_LE(dot(a_heading, b_heading), -1 + 1e-9);
  }
  // Brute force over all pairs that are not parent and child.
  for (std::size_t i = 0; i < map.placements.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (map.placements[i].parent == static_cast<std::int32_t>(j)) {
        continue;
      }
      const auto boxes = [&](const Placement& p) {
        std::vector<OrientedBox> out;
        const Mat3 turn = from_quat(p.rotation);
        for (const Box& b : kit.pieces[p.piece].boxes) {
          out.push_back({p.position + turn * b.centre, turn * from_quat(b.rotation), b.half_extents});
        }
        return out;
      };
      for (const OrientedBox& a : boxes(map.placements[i])) {
        for (const OrientedBox& b : boxes(map.placements[j])) {
          EXPECT_FALSE(boxes_meet(a, b)) << i << " " << j;
        }
      }
    }
  }
}

TEST(Assembly, StandardMapsOfTheOwnKitAreSound) {
  const Kit kit = own_kit();
  std::size_t plain_loops = 0;
  for (const bool prefer : {false, true}) {
    Rules rules = standard_rules();
    rules.prefer_loops = prefer;
    rules.close_dead_ends = prefer;
    const Pass pass = pass_of(arena(), {{"max_pieces", 30}}, rules);
    std::size_t loops = 0;
    for (std::int64_t seed = 0; seed < 40; ++seed) {
      const auto map = make(kit, rules, {pass}, seed);
      ASSERT_TRUE(map.ok());
      expect_sound(kit, rules, map.value());
      std::size_t plain = 0;
      for (const Placement& p : map.value().placements) {
        plain += kit.pieces[p.piece].cap ? 0U : 1U;
      }
      EXPECT_EQ(plain, 30U);
      EXPECT_EQ(map.value().placements.size() > 30, prefer);
      loops += map.value().joints.size() + 1 - map.value().placements.size();
    }
    EXPECT_GT(loops, prefer ? plain_loops : 2U);
    plain_loops = loops;
  }
}

TEST(Assembly, EveryMethodEndsAndDependsOnTheSeedAlone) {
  const Kit kit = own_kit();
  for (const SelectionMethod* method : {&arena(), &corridor(), &star(), &branch()}) {
    for (const Mode mode : {Mode::kReference, Mode::kStandard}) {
      Rules rules = standard_rules();
      rules.mode = mode;
      const Pass pass = pass_of(*method, {}, rules);
      auto assembler = Assembler::create(kit, rules, {pass});
      ASSERT_TRUE(assembler.ok());
      std::set<std::size_t> sizes;
      for (std::int64_t seed = -5; seed < 25; ++seed) {
        ASSERT_TRUE(assembler.value().run(seed).ok());
        Map reused;
        assembler.value().copy_map(reused);
        const auto fresh = make(kit, rules, {pass}, seed);
        ASSERT_TRUE(fresh.ok());
        ASSERT_EQ(reused.placements.size(), fresh.value().placements.size());
        for (std::size_t i = 0; i < reused.placements.size(); ++i) {
          EXPECT_EQ(reused.placements[i].position, fresh.value().placements[i].position);
          EXPECT_EQ(reused.placements[i].piece, fresh.value().placements[i].piece);
        }
        sizes.insert(reused.placements.size() * 1000 + reused.joints.size() + reused.placements.back().piece);
      }
      EXPECT_GT(sizes.size(), 1U) << method->info().id;
    }
  }
}

TEST(Assembly, CountsAndCapsAreKept) {
  Kit kit = own_kit();
  for (Piece& piece : kit.pieces) {
    piece.maximum_count = piece.name == "hall" ? 1 : -1;
    piece.minimum_count = piece.name == "tower" ? 2 : 0;
  }
  Rules rules = standard_rules();
  rules.close_dead_ends = true;
  rules.cap_pieces = 25;
  const Pass pass = pass_of(arena(), {{"max_pieces", 20}}, rules);
  for (std::int64_t seed = 0; seed < 20; ++seed) {
    const auto map = make(kit, rules, {pass}, seed);
    ASSERT_TRUE(map.ok());
    std::size_t halls = 0;
    std::size_t towers = 0;
    for (const Placement& p : map.value().placements) {
      halls += kit.pieces[p.piece].name == "hall" ? 1U : 0U;
      towers += kit.pieces[p.piece].name == "tower" ? 1U : 0U;
    }
    EXPECT_LE(halls, 1U);
    EXPECT_GE(towers, 2U);
    EXPECT_LE(map.value().placements.size(), 25U);
  }
}

TEST(Assembly, PassesAddToWhatIsThere) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const Pass first = pass_of(corridor(), {{"max_pieces", 8}}, rules);
  const Pass second = pass_of(arena(), {{"max_pieces", 15}}, rules);
  const auto one = make(kit, rules, {first}, 3);
  const auto two = make(kit, rules, {first, second}, 3);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(one.value().placements.size(), 8U);
  EXPECT_EQ(two.value().placements.size(), 15U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(one.value().placements[i].position, two.value().placements[i].position);
  }
  expect_sound(kit, rules, two.value());
}

TEST(Assembly, BacktrackingLeavesADeadEnd) {
  // The stopper fits everywhere and has no other end: without going back the map would end with it.
  Kit kit = bars();
  Piece stopper = bar("stopper");
  stopper.connectors.pop_back();
  stopper.weight = 3;
  kit.pieces.push_back(stopper);
  Rules rules = standard_rules();
  const Pass pass = pass_of(corridor(), {{"max_pieces", 12}}, rules);
  std::size_t with = 0;
  std::size_t without = 0;
  for (std::int64_t seed = 0; seed < 50; ++seed) {
    rules.backtrack = 8;
    with += make(kit, rules, {pass}, seed).value().placements.size();
    rules.backtrack = 0;
    without += make(kit, rules, {pass}, seed).value().placements.size();
  }
  EXPECT_GT(with, 2 * without);
}

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

TEST(Log, TellsEveryDecision) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  rules.close_dead_ends = true;
  const Pass pass = pass_of(arena(), {{"max_pieces", 20}}, rules);
  auto assembler = Assembler::create(kit, rules, {pass});
  std::vector<Event> events;
  ASSERT_TRUE(assembler.value().run(21, &events).ok());
  const std::vector<std::string> lines = narrate(kit, events);
  ASSERT_EQ(lines.size(), events.size());
  EXPECT_EQ(lines.front(), "Starting piece is 'hall' with 8 free connectors");
  EXPECT_NE(lines.back().find("End of map generation"), std::string::npos);
  std::size_t snaps = 0;
  for (const Event& event : events) {
    snaps += event.kind == Event::Kind::kSnap || event.kind == Event::Kind::kCap ? 1U : 0U;
  }
  EXPECT_EQ(snaps + 1, assembler.value().pieces());
}

// ---- search

SearchSpec spec_of(std::string_view objective, std::initializer_list<std::string_view> requirements,
                   std::uint64_t seeds) {
  SearchSpec spec;
  spec.first_seed = -100;
  spec.seeds = seeds;
  spec.objective = Expression::parse(objective).value();
  for (const std::string_view text : requirements) {
    spec.requirements.push_back(Expression::parse(text).value());
  }
  return spec;
}

std::vector<nav::PieceRegions> made_regions(const Kit& kit) {
  std::vector<nav::PieceRegions> regions;
  for (const Piece& piece : kit.pieces) {
    nav::PieceRegions r;
    // Two regions, the connectors dealt out between them.
    r.areas = {10, 5};
    for (std::size_t c = 0; c < piece.connectors.size(); ++c) {
      r.at_connector.push_back(static_cast<std::int32_t>(c % 2));
    }
    regions.push_back(r);
  }
  return regions;
}

TEST(Search, WorkersOrderAndInterruptionDoNotShow) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const std::vector<Pass> passes = {pass_of(arena(), {{"max_pieces", 15}}, rules)};
  const auto regions = made_regions(kit);
  const SearchSpec spec = spec_of("A_r_max + 0.001 * loops", {"dead_ends <= 20", "c_bar > 0.1"}, 5000);
  const SearchResult serial = search_seeds(kit, rules, passes, regions, spec, 20).value();
  EXPECT_GT(serial.qualified, 100U);
  EXPECT_GT(serial.failures[0], 10U);
  EXPECT_GT(serial.failures[1], 10U);
  const auto same = [&](const Result<SearchResult>& other) {
    ASSERT_TRUE(other.ok());
    EXPECT_EQ(other.value().failed, serial.failed);
    EXPECT_EQ(other.value().failures, serial.failures);
    ASSERT_EQ(other.value().best.size(), serial.best.size());
    for (std::size_t i = 0; i < serial.best.size(); ++i) {
      EXPECT_EQ(other.value().best[i].seed, serial.best[i].seed);
      EXPECT_EQ(other.value().best[i].objective, serial.best[i].objective);
    }
  };
  for (const std::uint32_t workers : {1U, 2U, 3U, 7U}) {
    const auto pool = ThreadPool::create(workers);
    RunContext context;
    context.executor = &pool.value().executor();
    same(search_seeds(kit, rules, passes, regions, spec, 20, context));
    const ShuffledExecutor shuffled(workers, workers);
    context.executor = &shuffled.executor();
    same(search_seeds(kit, rules, passes, regions, spec, 20, context));
  }
  // Stopped after two parts, then resumed from what was kept.
  struct Kept {
    std::vector<ChunkResult> chunks;
    std::atomic<bool> stop{false};
  } kept;
  const ShuffledExecutor shuffled(5, 2);
  RunContext context;
  context.executor = &shuffled.executor();
  context.cancel = &kept.stop;
  const ChunkSink sink = [](void* self, const ChunkResult& chunk) -> Status {
    auto& to = *static_cast<Kept*>(self);
    to.chunks.push_back(chunk);
    to.stop = to.chunks.size() == 2;
    return {};
  };
  EXPECT_EQ(search_seeds(kit, rules, passes, regions, spec, 20, context, {}, sink, &kept).status().code,
            StatusCode::kCancelled);
  ASSERT_EQ(kept.chunks.size(), 2U);
  same(search_seeds(kit, rules, passes, regions, spec, 20, {}, kept.chunks));
  // Ties by the lowest seed.
  const SearchResult ties = search_seeds(kit, rules, passes, regions, spec_of("1", {}, 3000), 5).value();
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(ties.best[i].seed, -100 + static_cast<std::int64_t>(i));
  }
}

TEST(Search, NothingQualifiesIsAResult) {
  const Kit kit = own_kit();
  Rules rules = standard_rules();
  const std::vector<Pass> passes = {pass_of(arena(), {{"max_pieces", 5}}, rules)};
  const auto result = search_seeds(kit, rules, passes, made_regions(kit),
                                   spec_of("1", {"A_r_max > 2", "pieces >= 5", "loops > 90"}, 50), 5);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().qualified, 0U);
  EXPECT_TRUE(result.value().best.empty());
  EXPECT_EQ(result.value().failures[1], 0U);
  EXPECT_EQ(result.value().failures[2], 50U);  // structure is looked at before the dearer score
  EXPECT_EQ(search_seeds(kit, rules, passes, made_regions(kit), spec_of("1", {}, 0), 5).status().where,
            "seeds");
}

TEST(Search, FastScoreOfAChainIsWorkedOutByHand) {
  const Kit kit = bars();
  Rules rules = standard_rules();
  auto assembler = Assembler::create(kit, rules, {pass_of(corridor(), {{"max_pieces", 4}}, rules)});
  ASSERT_TRUE(assembler.value().run(1).ok());
  nav::PieceRegions through{{10}, {0, 0}, {1, 1}, {}};
  auto whole = FastScorer::create(kit, {through});
  const nav::Score one = whole.value().score(assembler.value());
  EXPECT_EQ(one.regions, 1U);
  EXPECT_DOUBLE_EQ(one.area, 4 * 10 - 2);  // two open ends
  EXPECT_DOUBLE_EQ(one.largest_share, 1);
  nav::PieceRegions split{{6, 4}, {0, 1}, {}, {}};
  auto broken = FastScorer::create(kit, {split});
  const nav::Score parts = broken.value().score(assembler.value());
  EXPECT_EQ(parts.regions, 5U);  // three joints, each between two halves
  nav::PieceRegions blocked{{10}, {-1, 0}, {}, {}};
  auto closed = FastScorer::create(kit, {blocked});
  std::uint32_t passable = 0;
  for (const Joint& joint : assembler.value().joints()) {
    passable += joint.a_connector == 1 && joint.b_connector == 1 ? 1U : 0U;
  }
  EXPECT_EQ(closed.value().score(assembler.value()).regions, 4U - passable);
  // A drop from half 0 to half 1 of each piece: all is one way, and pairs count in order.
  split.drops = {{0, 1}};
  auto drops = FastScorer::create(kit, {split});
  const nav::Score directed = drops.value().score(assembler.value());
  EXPECT_EQ(directed.regions, 5U);
  EXPECT_GT(directed.connected_share, parts.connected_share);
  EXPECT_FALSE(FastScorer::create(kit, {nav::PieceRegions{{1}, {0, 3}, {}, {}}}).ok());
}

TEST(Expressions, ValuesAndFaults) {
  Measures measures{};
  measures[static_cast<std::size_t>(Measure::kPieces)] = 20;
  measures[static_cast<std::size_t>(Measure::kLargestShare)] = 0.5;
  const auto value = [&](std::string_view text) { return Expression::parse(text).value().value(measures); };
  EXPECT_EQ(value("1 + 2 * 3 - 8 / 4"), 5);
  EXPECT_EQ(value("-(1 + 2) * -3"), 9);
  EXPECT_EQ(value("pieces >= 20 && A_r_max < 1"), 1);
  EXPECT_EQ(value("!(pieces == 20) || 0"), 0);
  EXPECT_EQ(value("max(pieces, 30) - min(1, 2) + abs(-2) + sqrt(9)"), 34);
  EXPECT_EQ(value("1 < 2 == 1"), 1);
  for (const char* text : {"", "1 +", "(1", "pieces pieces", "min(1)", "1..2", "$", "a && "}) {
    const auto parsed = Expression::parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.status().message.find("column"), std::string::npos) << parsed.status().text();
  }
  EXPECT_NE(Expression::parse("piecez > 1").status().message.find("'pieces'"), std::string::npos);
  EXPECT_FALSE(Expression::parse(std::string(5000, '(')).ok());
}

TEST(Measures, NamesAreThoseOfTheSpecification) {
  EXPECT_EQ(measure_name(Measure::kLargestShare), "A_r_max");
  EXPECT_EQ(measure_name(Measure::kConnectedShare), "c_bar");
}

}  // namespace
}  // namespace strew::snap
