// Every instruction set gives the bits, altitudes and counts of the reference.
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <vector>

#include "raster_fixture.hpp"
#include "strew/random.hpp"
#include "strew/strategy.hpp"

namespace strew {
namespace {

using strew_test::kNaN;
using strew_test::Raster;
using strew_test::units;

constexpr std::array<Isa, 5> kAll = {Isa::kScalar, Isa::kSse4, Isa::kAvx2, Isa::kAvx512, Isa::kBest};

std::uint32_t draw(std::uint64_t seed, std::uint64_t n) {
  return static_cast<std::uint32_t>(mix64(seed * 0x9E3779B97F4A7C15U + n) >> 32);
}
double unit(std::uint64_t seed, std::uint64_t n) {
  return draw_unit(draw(seed, n));
}

/// A terrain of odd sizes, windows, strides and holes, and rules on all of it, made from a seed.
struct Case {
  Raster<float> elevation;
  Raster<float> slope;
  Raster<std::uint8_t> biome;
  std::vector<std::unique_ptr<Raster<float>>> maps;
  std::vector<RasterView<float>> map_views;
  std::vector<Shapes> shapes;
  std::vector<const Shapes*> shape_views;
  TerrainView view;
  Constraints rules;
  std::vector<Coord> x;
  std::vector<Coord> y;

  static std::int32_t size(std::uint64_t seed, std::uint64_t n) {
    return 1 + static_cast<std::int32_t>(draw(seed, n) % (n % 2 == 0 ? 40 : 37));
  }
  static float height(std::uint64_t seed, std::int32_t c, std::int32_t r) {
    const std::uint32_t d = draw(seed, static_cast<std::uint64_t>(c * 1000 + r));
    if (d % 97 == 0) {
      return d % 2 == 0 ? kNaN : -9999.0F;
    }
    return d % 301 == 0 ? HUGE_VALF : static_cast<float>(d % 4000) * 0.25F;
  }

  explicit Case(std::uint64_t seed)
      : elevation(
            size(seed, 1), size(seed, 2), 7.25, [&](auto c, auto r) { return height(seed, c, r); },
            origin(seed)),
        slope(
            elevation.view.width, elevation.view.height, 7.25,
            [&](auto c, auto r) { return height(seed + 1, c, r) * 0.09F; }, origin(seed)),
        biome(
            size(seed, 3), size(seed, 4), 11.5,
            [&](auto c, auto r) {
              return static_cast<std::uint8_t>(draw(seed + 2, static_cast<std::uint64_t>(c * 99 + r)) % 5);
            },
            origin(seed)) {
    view.elevation = elevation.view;
    view.slope = slope.view;
    view.biome = biome.view;
    if (draw(seed, 10) % 2 == 0) {
      view.elevation.nodata = -9999.0F;
      view.elevation.has_nodata = true;
    }
    if (draw(seed, 11) % 2 == 0) {
      view.biome.nodata = 3;
      view.biome.has_nodata = true;
    }
    if (draw(seed, 12) % 3 == 0) {  // a north-up file
      view.elevation.data += static_cast<std::ptrdiff_t>(view.elevation.stride) * (view.elevation.height - 1);
      view.elevation.stride = -view.elevation.stride;
    }
    if (draw(seed, 13) % 3 == 0) {  // a window of a larger raster
      view.elevation.first_column = -2;
      view.elevation.first_row = 3;
    }
    if (draw(seed, 14) % 5 == 0) {
      view.elevation = {};
    }
    if (draw(seed, 15) % 5 == 0) {
      view.biome = {};
    }
    make_fields(seed);
    make_rules(seed);
    make_points(seed);
  }
  static Coord origin(std::uint64_t seed) { return units(seed % 2 == 0 ? 0.0 : 1e7) + 12345; }

  void make_fields(std::uint64_t seed) {
    for (std::uint64_t m = 0; m < 2; ++m) {
      maps.push_back(std::make_unique<Raster<float>>(
          size(seed, 20 + m), size(seed, 30 + m), 5.5 + static_cast<double>(m),
          [&](auto c, auto r) { return height(seed + 3 + m, c, r) / 1000.0F; }, origin(seed)));
      map_views.push_back(maps.back()->view);
    }
    ShapeData data;
    const Coord o = origin(seed);
    data.polygons.emplace_back();
    data.polygons[0].push_back({{o, o}, {o + units(150), o + units(10)}, {o + units(40), o + units(160)}});
    data.lines.push_back({{o, o + units(90)}, {o + units(200), o + units(120)}});
    data.buffer_m = 3;
    shapes.push_back(std::move(Shapes::create(data, 40).value()));
    shape_views.push_back(&shapes.back());
    view.maps = map_views;
    view.shapes = shape_views;
  }
  void make_rules(std::uint64_t seed) {
    const auto chance = [&](std::uint64_t n) { return draw(seed, 40 + n) % 2 == 0; };
    if (chance(0)) {
      rules.biomes.emplace().set(1).set(2).set(4);
    }
    if (chance(1)) {
      rules.altitude_m = Range{100, chance(2) ? HUGE_VAL : 700};
    }
    if (chance(3)) {
      rules.slope_degrees = Range{10, 80};
    }
    if (chance(4)) {
      NoiseSpec noise;
      noise.frequency = std::exp2(static_cast<double>(draw(seed, 60) % 28) - 19);
      noise.octaves = static_cast<std::int32_t>(1 + draw(seed, 61) % 16);
      noise.gain = 0.7;
      noise.seed = seed;
      noise.kind = chance(5) ? NoiseKind::kRidged : NoiseKind::kFbm;
      rules.noise = NoiseRule{noise, unit(seed, 62) * 0.6 - 0.4};
    }
    for (std::uint32_t m = 0; m < 3; ++m) {
      if (draw(seed, 70 + m) % 4 == 0) {  // the third map is not there
        rules.maps.push_back(
            {m, {0.3, chance(6) ? HUGE_VAL : 0.8}, chance(7) ? 0.4 : 0.0, mix64(seed + m), chance(8)});
      }
    }
    if (chance(9)) {
      rules.shapes.push_back({0, {-HUGE_VAL, 5}, 20, mix64(seed), false});
    }
  }
  void make_points(std::uint64_t seed) {
    const std::size_t n = std::array<std::size_t, 8>{0, 1, 7, 9, 63, 64, 65, 700}[draw(seed, 50) % 8];
    const double span = draw(seed, 51) % 8 == 0 ? 1e9 : 260;
    for (std::uint64_t i = 0; i < n; ++i) {
      x.push_back(origin(seed) + units((unit(seed + 7, i) - 0.15) * span));
      y.push_back(origin(seed) + units((unit(seed + 8, i) - 0.15) * span));
    }
  }
};

struct Outcome {
  std::vector<std::uint64_t> words;
  std::vector<std::uint64_t> altitudes;  ///< bits of the accepted, 0 for others
  RejectionCounts counts{};
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <class Run>
Outcome outcome(const Case& what, const Run& run) {
  Outcome out;
  out.words.assign(what.x.size() / 64 + 2, ~std::uint64_t{0});
  std::vector<double> altitude(what.x.size());
  run(out.words, altitude, out.counts);
  for (std::size_t i = 0; i < altitude.size(); ++i) {
    const bool accepted = (out.words[i / 64] >> (i % 64) & 1U) != 0;
    out.altitudes.push_back(accepted ? std::bit_cast<std::uint64_t>(altitude[i]) : 0);
  }
  return out;
}

TEST(ValidateIsa, EqualsTheReferenceOnEveryIsa) {
  RejectionCounts seen{};
  std::uint64_t passed = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Case what(seed);
    const Outcome expected = outcome(what, [&](auto& words, auto& altitude, auto& counts) {
      validate_batch_ref(what.x, what.y, what.view, what.rules, words, altitude, counts);
    });
    for (std::size_t i = 0; i < seen.size(); ++i) {
      seen[i] += expected.counts[i];
    }
    for (const std::uint64_t word : expected.words) {
      passed += static_cast<std::uint64_t>(std::popcount(word));
    }
    int ran = 0;
    int ran_xsimd = 0;
    for (const bool by_xsimd : {false, true}) {
      for (const Isa isa : kAll) {
        Status status;
        const Outcome found = outcome(what, [&](auto& words, auto& altitude, auto& counts) {
          status =
              by_xsimd
                  ? validate_batch_xsimd(what.x, what.y, what.view, what.rules, words, altitude, counts, isa)
                  : validate_batch(what.x, what.y, what.view, what.rules, words, altitude, counts, isa);
        });
        if (status.code == StatusCode::kUnsupported) {
          continue;
        }
        ASSERT_TRUE(status.ok()) << status.text();
        ASSERT_EQ(found.counts, expected.counts) << to_string(isa) << " seed " << seed << ' ' << by_xsimd;
        ASSERT_TRUE(found == expected) << to_string(isa) << " seed " << seed << ' ' << by_xsimd;
        ++(by_xsimd ? ran_xsimd : ran);
      }
    }
    ASSERT_GE(ran, 2);
    // Where xsimd is in the build and this machine has vectors, its kernels ran too.
    const bool built = builtin_registry().find_points("poisson/tiled/xsimd").ok();
    ASSERT_TRUE(!built || ran == 2 || ran_xsimd >= 2);
  }
  // The cases meet every reason, and leave some points standing.
  for (std::size_t i = 0; i < static_cast<std::size_t>(Rejection::kSpacing); ++i) {
    EXPECT_GT(seen[i], 100U) << to_string(static_cast<Rejection>(i));
  }
  EXPECT_GT(passed, 3000U);
}

TEST(ValidateIsa, ProbabilityOfAFieldFollowsItsRamp) {
  const Raster<float> map(2, 2, 1000.0, [](auto column, auto) { return column == 0 ? 0.0F : 1.0F; });
  const std::array<RasterView<float>, 1> maps = {map.view};
  TerrainView view;
  view.maps = maps;
  Constraints rules;
  rules.maps.push_back({0, {0.75, HUGE_VAL}, 0.5, 99, false});
  std::vector<Coord> x;
  std::vector<Coord> y;
  constexpr std::size_t kSide = 400;
  for (std::size_t i = 0; i < kSide * kSide; ++i) {
    x.push_back(units(static_cast<double>(i % kSide) * 2.5 + 0.1));
    y.push_back(units(static_cast<double>(i / kSide) * 2.5));
  }
  std::vector<std::uint64_t> words(x.size() / 64 + 1);
  std::vector<double> altitude(x.size());
  RejectionCounts counts{};
  validate_batch(x, y, view, rules, words, altitude, counts);
  std::array<double, 10> rate{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    rate[i % kSide * 10 / kSide] += static_cast<double>(words[i / 64] >> (i % 64) & 1U);
  }
  for (std::size_t tenth = 0; tenth < 10; ++tenth) {
    const double middle = 0.05 + 0.1 * static_cast<double>(tenth);
    const double expected = field_probability(rules.maps[0], middle);
    const double n = static_cast<double>(x.size()) / 10;
    // A tenth of the map covers 0.2 of the probability, so the ends of the ramp are blunt by 0.025 at most.
    EXPECT_NEAR(rate[tenth] / n, expected, 0.03 + 4 * std::sqrt(0.25 / n)) << tenth;
  }
  EXPECT_EQ(field_probability(rules.maps[0], 0.25), 0);
  EXPECT_EQ(field_probability(rules.maps[0], 0.5), 0.5);
  EXPECT_EQ(field_probability(rules.maps[0], 0.75), 1);
}

TEST(ValidateIsa, AChangedMapChangesOnlyPointsUnderTheChange) {
  Raster<float> before(20, 20, 10.0, [](auto, auto) { return 0.5F; });
  Raster<float> after(20, 20, 10.0, [](auto c, auto r) { return c == 7 && r == 9 ? 0.9F : 0.5F; });
  Constraints rules;
  rules.maps.push_back({0, {1, HUGE_VAL}, 1, 5, false});
  std::vector<Coord> x;
  std::vector<Coord> y;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    x.push_back(units(unit(1, i) * 190));
    y.push_back(units(unit(2, i) * 190));
  }
  std::array<std::vector<std::uint64_t>, 2> words;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::array<RasterView<float>, 1> maps = {k == 0 ? before.view : after.view};
    TerrainView view;
    view.maps = maps;
    words[k].resize(x.size() / 64 + 1);
    std::vector<double> altitude(x.size());
    RejectionCounts counts{};
    validate_batch(x, y, view, rules, words[k], altitude, counts);
  }
  int gained = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool was = (words[0][i / 64] >> (i % 64) & 1U) != 0;
    const bool is = (words[1][i / 64] >> (i % 64) & 1U) != 0;
    const bool under = std::abs(to_metres(x[i]) - 70) < 10 && std::abs(to_metres(y[i]) - 90) < 10;
    EXPECT_TRUE(was == is || under) << i;
    EXPECT_FALSE(was && !is) << i;  // a raised probability takes nothing away
    gained += !was && is ? 1 : 0;
  }
  EXPECT_GT(gained, 10);
}

}  // namespace
}  // namespace strew
