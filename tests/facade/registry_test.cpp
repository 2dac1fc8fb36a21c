#include <gtest/gtest.h>

#include <set>

#include "point_checks.hpp"
#include "strew/strategy.hpp"

namespace strew {
namespace {

TEST(Registry, FindsByIdAndByFullId) {
  const Registry registry = builtin_registry();
  for (const Strategy* strategy : registry.strategies) {
    const auto full = registry.find(strategy->info().full_id());
    ASSERT_TRUE(full.ok());
    EXPECT_EQ(full.value(), strategy);
  }
  EXPECT_TRUE(registry.find("poisson/tiled").ok());
}

TEST(Registry, AnUnknownIdIsAnErrorThatSuggests) {
  const auto found = builtin_registry().find("poison/tiled");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.status().code, StatusCode::kNotFound);
  EXPECT_NE(found.status().message.find("poisson/tiled"), std::string::npos);
}

TEST(Registry, EveryStrategyDescribesItself) {
  std::set<std::string> ids;
  for (const Strategy* strategy : builtin_registry().strategies) {
    const StrategyInfo& info = strategy->info();
    EXPECT_TRUE(ids.insert(info.full_id()).second) << info.full_id();
    EXPECT_FALSE(info.description.empty());
    EXPECT_FALSE(info.source.empty());
    EXPECT_GE(info.output_version, 1U);
    for (const ParameterInfo& parameter : info.parameters) {
      EXPECT_FALSE(parameter.name.empty());
      EXPECT_FALSE(parameter.meaning.empty());
      EXPECT_LE(parameter.minimum, parameter.maximum) << parameter.name;
      if (!parameter.required) {
        EXPECT_GE(parameter.default_value, parameter.minimum) << parameter.name;
        EXPECT_LE(parameter.default_value, parameter.maximum) << parameter.name;
      }
    }
  }
}

/// A user's own strategy: one point in the middle of every unit square.
class Middle final : public PointStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override {
    static constexpr StrategyInfo kInfo{.id = "mine/middle",
                                        .backend = "ref",
                                        .description = "centres of unit squares",
                                        .source = "original",
                                        .promises = kCropEqualsWhole,
                                        .parameters = {}};
    return kInfo;
  }
  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& /*parameters*/) const override {
    return Lattice{kUnitsPerMetre / 2, 2};
  }
  [[nodiscard]] double minimum_distance(const ResolvedParameters& /*parameters*/) const override { return 1; }
  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& /*context*/, PointSet& out) const override {
    STREW_ASSIGN(out.lattice, lattice(parameters));
    const Rect& region = request.region;
    for (std::int64_t y = floor_div(region.y0, kUnitsPerMetre); y * kUnitsPerMetre < region.y1; ++y) {
      for (std::int64_t x = floor_div(region.x0, kUnitsPerMetre); x * kUnitsPerMetre < region.x1; ++x) {
        if (region.contains(x * kUnitsPerMetre + kUnitsPerMetre / 2,
                            y * kUnitsPerMetre + kUnitsPerMetre / 2)) {
          out.x.push_back(2 * x + 1);
          out.y.push_back(2 * y + 1);
        }
      }
    }
    return {};
  }
};

TEST(Registry, UsersAddTheirOwn) {
  static const Middle kMiddle;
  Registry registry = builtin_registry();
  registry.strategies.push_back(&kMiddle);
  const Generator generator(registry);
  const auto points =
      generator.points("mine/middle", {rect_from_metres(0, 0, 3, 2, "test").value(), 0, 0}, ParameterSet{});
  ASSERT_TRUE(points.ok());
  EXPECT_EQ(points.value().size(), 6U);
}

}  // namespace
}  // namespace strew
