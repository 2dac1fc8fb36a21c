// What every strategy of the family poisson/* promises, checked for whatever is registered.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "point_checks.hpp"
#include "strew/poisson.hpp"

namespace strew {
namespace {

constexpr double kSize = 60;

struct Setting {
  ParameterSet parameters;
  std::uint64_t golden = 0;  ///< hash of the square of kSize at the origin for seed 7
};

ParameterSet set_of(std::initializer_list<std::pair<const char*, ParameterValue>> values) {
  ParameterSet set;
  for (const auto& [name, value] : values) {
    set.set(name, value);
  }
  return set;
}

/// Settings by id. Hashes change only together with output_version.
const std::map<std::string_view, Setting>& settings() {
  using Int = std::int64_t;
  static const std::map<std::string_view, Setting> kSettings = {
      {"poisson/tiled", {set_of({{"radius", 2.0}}), 17675864822983231404U}},
      {"poisson/bridson", {set_of({{"radius", 2.0}}), 13551151653789718824U}},
      {"poisson/dart", {set_of({{"radius", 2.0}, {"failures", Int{3000}}}), 2552549862087750271U}},
      {"poisson/phased", {set_of({{"radius", 2.0}, {"passes", Int{2}}}), 202277794741377806U}},
      {"poisson/elimination", {set_of({{"count", Int{500}}}), 7190376111944584012U}},
      {"poisson/multiclass",
       {set_of(
            {{"classes", Int{3}}, {"radius_0", 4.0}, {"radius_1", 2.0}, {"radius_2", 2.0}, {"time", 12.0}}),
        76328037407882346U}},
      {"poisson/variable",
       {set_of({{"radius_min", 1.0}, {"radius_max", 6.0}, {"wavelength", 32.0}, {"time", 12.0}}),
        4756728621668649225U}},
      {"poisson/stamp", {set_of({{"radius", 2.0}, {"period_cells", Int{16}}}), 3670837528720055095U}},
  };
  return kSettings;
}

struct Variant {
  const PointStrategy* strategy;
  const Setting* setting;

  [[nodiscard]] PointSet points(const Rect& region, std::uint64_t seed,
                                const RunContext& context = {}) const {
    auto made =
        Generator().points(strategy->info().full_id(), {region, seed, 0}, setting->parameters, context);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.status().text());
    return made.ok() ? std::move(made).value() : PointSet{};
  }
  [[nodiscard]] bool keeps(Promise promise) const { return (strategy->info().promises & promise) != 0; }
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Strategy* strategy : builtin_registry().strategies) {
    const StrategyInfo& info = strategy->info();
    if (info.id.substr(0, 8) == "poisson/") {
      const auto found = settings().find(info.id);
      EXPECT_NE(found, settings().end()) << info.id << " has no settings here";
      if (found != settings().end()) {
        all.push_back({dynamic_cast<const PointStrategy*>(strategy), &found->second});
      }
    }
  }
  EXPECT_GE(all.size(), settings().size());
  return all;
}

Rect square_at(double x, double y, double size) {
  return rect_from_metres(x, y, x + size, y + size, "test").value();
}

using Row = std::array<std::int64_t, 3>;
std::vector<Row> rows_in(const PointSet& points, const Rect& rect) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (rect.contains(points.unit_x(i), points.unit_y(i))) {
      rows.push_back({points.x[i], points.y[i], points.class_of.empty() ? -1 : points.class_of[i]});
    }
  }
  return rows;
}

TEST(Variants, OrderRegionAndMinimumDistance) {
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.strategy->info().full_id());
    const auto resolved = ResolvedParameters::resolve(variant.strategy->info(), variant.setting->parameters);
    ASSERT_TRUE(resolved.ok());
    const double distance = variant.strategy->minimum_distance(resolved.value());
    for (const double at : {-1e7, 0.0, 1e7}) {
      const Rect region = square_at(at + 0.37, -at, kSize);
      const PointSet points = variant.points(region, 3);
      EXPECT_GT(points.size(), 60U);
      EXPECT_TRUE(strew_test::in_order(points));
      EXPECT_EQ(rows_in(points, region).size(), points.size());
      EXPECT_EQ(points.lattice, variant.strategy->lattice(resolved.value()).value());
      EXPECT_EQ(distance > 0, variant.keeps(kMinimumDistance));
      if (distance > 0) {
        EXPECT_EQ(strew_test::closest_pair(points, distance).violations, 0U) << "at " << at;
      }
    }
  }
}

TEST(Variants, WorkersAndOrderChangeNothing) {
  // Wide enough for several blocks of those that work in blocks.
  const Rect region = square_at(-20, 15, 400);
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.strategy->info().full_id());
    if (!variant.keeps(kCropEqualsWhole)) {
      continue;  // sequential
    }
    const PointSet serial = variant.points(region, 5);
    const auto expected = rows_in(serial, region);
    const auto pool = ThreadPool::create(3);
    ASSERT_TRUE(pool.ok());
    const ShuffledExecutor shuffled(9, 4);
    for (const Executor* executor : {&pool.value().executor(), &shuffled.executor()}) {
      RunContext context;
      context.executor = executor;
      EXPECT_EQ(rows_in(variant.points(region, 5, context), region), expected);
    }
  }
}

TEST(Variants, RepeatsAndSeeds) {
  const Rect region = square_at(0, 0, kSize);
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.strategy->info().full_id());
    const std::uint64_t hash = hash_points(variant.points(region, 7)).digest();
    EXPECT_EQ(hash, variant.setting->golden);
    EXPECT_EQ(hash, hash_points(variant.points(region, 7)).digest());
    EXPECT_NE(hash, hash_points(variant.points(region, 8)).digest());
  }
}

TEST(Variants, AnyRectangleEqualsTheWholeCutWherePromised) {
  const PhiloxKey key = stream_key(21, 0);
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.strategy->info().full_id());
    int different = 0;
    for (int i = 0; i < 6; ++i) {
      const PhiloxCounter random = cell_draw(key, i, 0, 0);
      const double x = i == 0 ? -kSize / 2 : (2 * draw_unit(random[0]) - 1) * 1e7;
      const double y = i == 0 ? -kSize / 2 : (2 * draw_unit(random[1]) - 1) * 1e7;
      const PointSet whole = variant.points(square_at(x, y, kSize), random[2]);
      const PhiloxCounter cut = cell_draw(key, i, 1, 0);
      const double cut_x = x + kSize * 0.7 * draw_unit(cut[0]);
      const double cut_y = y + kSize * 0.7 * draw_unit(cut[1]);
      const Rect rect = rect_from_metres(cut_x, cut_y, cut_x + kSize * (0.15 + 0.15 * draw_unit(cut[2])),
                                         cut_y + kSize * (0.15 + 0.15 * draw_unit(cut[3])), "cut")
                            .value();
      different += rows_in(variant.points(rect, random[2]), rect) == rows_in(whole, rect) ? 0 : 1;
    }
    if (variant.keeps(kCropEqualsWhole)) {
      EXPECT_EQ(different, 0);
    } else {
      EXPECT_GT(different, 3);
    }
  }
}

struct Refused {
  const char* id;
  ParameterSet parameters;
  const char* where;
  const char* says;
};

TEST(Variants, BadParametersAreRefusedByNameValueAndRange) {
  using Int = std::int64_t;
  const Refused cases[] = {
      {"poisson/dart", set_of({{"failures", Int{0}}}), "failures", "from 1 to"},
      {"poisson/dart", set_of({{"domain", std::string("sphere")}}), "domain", "rectangle, torus"},
      {"poisson/dart", set_of({{"domain", std::string("torus")}, {"radius", 20.0}}), "domain", "80"},
      {"poisson/phased", set_of({{"period", Int{2}}}), "period", "from 3 to 8"},
      {"poisson/phased", set_of({{"passes", 1.5}}), "passes", "1.5"},
      {"poisson/elimination", set_of({{"count", Int{0}}}), "count", "from 1 to"},
      {"poisson/elimination", set_of({{"count", Int{5}}, {"density", 1.0}}), "density", "together"},
      {"poisson/elimination", set_of({{"density", 6000.0}}), "density", "1e7"},
      {"poisson/elimination", set_of({{"oversampling", Int{1}}}), "oversampling", "from 2 to 20"},
      {"poisson/multiclass", set_of({{"classes", Int{5}}}), "classes", "from 2 to 4"},
      {"poisson/multiclass", set_of({{"radius_2", 2.0}}), "radius_2", "'classes' is 2"},
      {"poisson/multiclass", set_of({{"radius_13", 2.0}}), "radius_13", "'classes' is 2"},
      {"poisson/multiclass", set_of({{"radius_0", 40.0}, {"radius_1", 1.0}}), "radius matrix", "16 times"},
      {"poisson/multiclass", set_of({{"radius_0", std::nan("")}}), "radius_0", "NaN"},
      {"poisson/variable", set_of({{"radius_max", 17.0}}), "radius_max", "17"},
      {"poisson/variable", set_of({{"radius_min", 5.0}}), "radius_max", "from 5"},
      {"poisson/variable", set_of({{"rule", std::string("sum")}}), "rule", "min, max, mean"},
      {"poisson/variable", set_of({{"time", 0.0}}), "time", "from 0.1"},
      {"poisson/stamp", set_of({{"period_cells", Int{7}}}), "period_cells", "from 8 to"},
  };
  for (const Refused& refused : cases) {
    SCOPED_TRACE(std::string(refused.id) + " " + refused.where);
    const auto points = Generator().points(refused.id, {square_at(0, 0, kSize), 1, 0}, refused.parameters);
    ASSERT_FALSE(points.ok());
    EXPECT_EQ(points.status().code, StatusCode::kInvalidArgument);
    EXPECT_EQ(points.status().where, refused.where);
    EXPECT_NE(points.status().message.find(refused.says), std::string::npos) << points.status().text();
  }
}

TEST(Variants, BadRegionsAndCancellation) {
  const std::atomic<bool> cancel{true};
  RunContext context;
  context.cancel = &cancel;
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.strategy->info().full_id());
    const std::string id = variant.strategy->info().full_id();
    const Generator generator;
    const ParameterSet& parameters = variant.setting->parameters;
    EXPECT_EQ(generator.points(id, {{5, 5, 5, 9}, 1, 0}, parameters).status().where, "region");
    const Rect beyond{kCoordLimit, 0, kCoordLimit + kUnitsPerMetre, kUnitsPerMetre};
    EXPECT_EQ(generator.points(id, {beyond, 1, 0}, parameters).status().where, "region");
    const auto stopped = generator.points(id, {square_at(0, 0, kSize), 1, 0}, parameters, context);
    ASSERT_FALSE(stopped.ok());
    EXPECT_EQ(stopped.status().code, StatusCode::kCancelled);
  }
}

TEST(Variants, ClassesEnterTheHash) {
  const Rect region = square_at(0, 0, kSize);
  PointSet points = Generator().points("poisson/multiclass", {region, 1, 0}, {}).value();
  ASSERT_EQ(points.class_of.size(), points.size());
  const std::uint64_t hash = hash_points(points).digest();
  points.class_of[0] ^= 1U;
  EXPECT_NE(hash_points(points).digest(), hash);
}

}  // namespace
}  // namespace strew
