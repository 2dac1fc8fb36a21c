// poisson/tiled/hwy and .../xsimd equal poisson/tiled/ref bit for bit, on every instruction set this machine
// has.
#include <gtest/gtest.h>

#include <cmath>

#include "kernel_table.hpp"
#include "point_checks.hpp"
#include "strew/exact_math.hpp"
#include "strew/poisson.hpp"
#include "tiled_kernel.hpp"

namespace strew {
namespace {

constexpr std::array<Isa, 4> kAll = {Isa::kScalar, Isa::kSse4, Isa::kAvx2, Isa::kAvx512};

Result<PointSet> make(const char* id, const Rect& region, double radius, std::uint64_t seed, Isa isa) {
  ParameterSet parameters;
  parameters.set("radius", radius);
  RunContext context;
  context.max_isa = isa;
  return Generator().points(id, {region, seed, seed / 3}, parameters, context);
}

/// The vector backends of this build and the instruction sets that they and the machine have.
struct Backend {
  std::string id;
  Isa isa;
};
std::vector<Backend> backends() {
  std::vector<Backend> found;
  for (const Strategy* const strategy : builtin_registry().strategies) {
    const StrategyInfo& info = strategy->info();
    if (info.id == "poisson/tiled" && info.backend != "ref") {
      for (const Isa isa : kAll) {
        if (cpu_supports(isa) && (info.backend != "xsimd" || isa != Isa::kScalar)) {
          found.push_back({info.full_id(), isa});
        }
      }
    }
  }
  return found;
}

TEST(TiledHwy, EqualsTheReferenceOnEveryIsa) {
  for (std::int64_t i = 0; i < 10; ++i) {
    const PhiloxCounter random = cell_draw(stream_key(8, 8), i, 0, 0);
    const double radius = std::pow(10.0, -2 + 5 * draw_unit(random[0]));
    const double x = (2 * draw_unit(random[1]) - 1) * 1e7;
    const double y = (2 * draw_unit(random[2]) - 1) * 1e7;
    // From less than a cell to a few dozen, never a multiple of a vector.
    const double size = radius * (0.3 + static_cast<double>(i * i) * 0.37);
    const Rect region = rect_from_metres(x, y, x + size, y + size * 0.8, "test").value();
    const auto reference = make("poisson/tiled/ref", region, radius, random[3], Isa::kBest);
    ASSERT_TRUE(reference.ok());
    for (const auto& [id, isa] : backends()) {
      const auto fast = make(id.c_str(), region, radius, random[3], isa);
      ASSERT_TRUE(fast.ok()) << fast.status().text();
      ASSERT_EQ(strew_test::pairs(fast.value()), strew_test::pairs(reference.value()))
          << id << " on " << to_string(isa) << " radius " << radius << " at " << x << "," << y << " size "
          << size;
    }
  }
  EXPECT_GE(backends().size(), 1U);
}

TEST(TiledHwy, BlocksMeetOnEveryIsa) {
  // More than one block of 512 cells across.
  const Rect region = rect_from_metres(-100, 30, 500, 130, "test").value();
  const auto reference = make("poisson/tiled/ref", region, 1.2, 5, Isa::kBest);
  ASSERT_TRUE(reference.ok());
  for (const auto& [id, isa] : backends()) {
    const auto fast = make(id.c_str(), region, 1.2, 5, isa);
    ASSERT_TRUE(fast.ok());
    EXPECT_EQ(strew_test::pairs(fast.value()), strew_test::pairs(reference.value()))
        << id << " on " << to_string(isa);
  }
}

TEST(TiledHwy, AnIsaThatIsMissingIsAnError) {
  const Rect region = rect_from_metres(0, 0, 5, 5, "test").value();
  for (const Isa isa : kAll) {
    if (!cpu_supports(isa)) {
      const auto points = make("poisson/tiled/hwy", region, 1, 1, isa);
      ASSERT_FALSE(points.ok());
      EXPECT_EQ(points.status().code, StatusCode::kUnsupported);
      EXPECT_EQ(points.status().where, "isa");
    }
  }
}

/// A window with arrays of its own.
struct OwnWindow {
  std::vector<std::uint32_t> position;
  std::vector<float> clock;
  std::vector<std::uint64_t> covered;
  poisson::KernelLists lists;
  poisson::KernelWindow window{};

  OwnWindow(std::int32_t width, std::int32_t height, std::int32_t stride, std::int64_t x0, std::int64_t y0,
            const poisson::DartKeys& keys)
      : position(static_cast<std::size_t>(stride * height) + 16),
        clock(position.size()),
        covered(position.size()) {
    window.position = position.data();
    window.clock = clock.data();
    window.covered = covered.data();
    window.width = width;
    window.height = height;
    window.stride = stride;
    window.x0 = x0;
    window.y0 = y0;
    window.keys = keys;
    window.lists = &lists;
  }
};

// A processor that has more than AVX-512 needs takes another kernel: the plain one must be the same.
TEST(TiledHwy, PlainKernelsEqualTheChosenOnes) {
  constexpr std::int32_t kWidth = 150;
  constexpr std::int32_t kStride = 176;
  const auto evaluate = [](poisson::TiledKernel kernel) {
    OwnWindow own(kWidth, kWidth, kStride, -70, (std::int64_t{1} << 32) - 75,
                  poisson::dart_keys(stream_key(4, 4)));
    poisson::KernelWindow& window = own.window;
    window.core = {40, 40, kWidth - 40, kWidth - 40};
    EXPECT_TRUE(kernel(window));
    std::vector<std::uint32_t> core;
    for (std::int32_t y = window.core.y0; y < window.core.y1; ++y) {
      for (std::int32_t x = window.core.x0; x < window.core.x1; ++x) {
        const std::uint32_t word = own.position[static_cast<std::size_t>(y * kStride + x)];
        core.push_back((word & poisson::kIsPoint) != 0 ? word : 0);
      }
    }
    return core;
  };
  for (const Isa isa : kAll) {
    const auto kernel = poisson::tiled_kernel(isa);
    if (kernel.ok()) {
      EXPECT_EQ(evaluate(kernel.value()), evaluate(poisson::tiled_kernels()[static_cast<std::size_t>(isa)]))
          << to_string(isa);
    }
  }
}

// The kernels' first darts cover the exponential's whole range only in very large windows: the rows here are
// chosen by their draws, so that both ends are met.
TEST(TiledHwy, FirstDartsOfRareDrawsAreExact) {
  const poisson::DartKeys keys = poisson::dart_keys(stream_key(1, 2));
  std::int64_t least_x = 0;
  std::int64_t most_x = 0;
  std::uint32_t least = 0xFFFFFFFFU;
  std::uint32_t most = 0;
  for (std::int64_t x = 0; x < 3000000; ++x) {
    const std::uint32_t draw = poisson::dart_words(keys, x, 0, 0.0F, 0)[1];
    if (draw < least) {
      least = draw;
      least_x = x;
    }
    if (draw > most) {
      most = draw;
      most_x = x;
    }
  }
  for (const std::int64_t centre : {least_x, most_x, std::int64_t{-40}, (std::int64_t{1} << 32) - 20}) {
    const OwnWindow own(41, 5, 64, centre - 20, -2, keys);
    for (const Isa isa : kAll) {
      const auto kernel = poisson::tiled_kernel(isa);
      if (!kernel.ok()) {
        continue;
      }
      EXPECT_TRUE(
          kernel.value()(own.window));  // an empty core is decided at once: only the first darts are made
      for (std::int64_t y = 0; y < 5; ++y) {
        for (std::int64_t x = 0; x < 41; ++x) {
          const auto cell = static_cast<std::size_t>(y * 64 + x);
          const auto random = poisson::dart_words(keys, centre - 20 + x, y - 2, 0.0F, 0);
          ASSERT_EQ(own.clock[cell], exact_exponential(random[1])) << to_string(isa) << " draw " << random[1];
          ASSERT_EQ(own.position[cell] & 0xFFFFU, random[0] & 0x1FFFU);
          ASSERT_EQ(own.position[cell] >> 16, (random[0] >> 13) & 0x1FFFU);
        }
      }
    }
  }
}

}  // namespace
}  // namespace strew
