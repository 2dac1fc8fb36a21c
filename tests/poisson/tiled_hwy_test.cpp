// poisson/tiled/hwy and .../xsimd equal poisson/tiled/ref bit for bit, on every instruction set this machine
// has.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

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

/// A window with arrays of its own, of `rows` rows, that collects its points.
struct OwnWindow {
  using Points = std::vector<std::array<std::int64_t, 3>>;  ///< row of cells, steps across, steps along
  std::vector<std::uint32_t> position;
  std::vector<float> clock;
  std::vector<std::uint64_t> covered;
  poisson::KernelLists lists;
  poisson::KernelWindow window{};
  Points points;
  std::int64_t rows_taken = 0;

  OwnWindow(std::int32_t width, std::int32_t height, std::int32_t rows, std::int64_t x0, std::int64_t y0,
            const poisson::DartKeys& keys)
      : position(static_cast<std::size_t>((width + 31) * rows) + 16),
        clock(position.size()),
        covered(position.size()) {
    window.position = position.data();
    window.clock = clock.data();
    window.covered = covered.data();
    window.width = width;
    window.stride = width + 31;
    window.rows = rows;
    window.step = 32;
    window.y_end = height;
    window.x0 = x0;
    window.y0 = y0;
    window.keys = keys;
    window.lists = &lists;
    window.taker = this;
    window.take_row = [](void* taker, const std::uint32_t* across, const std::uint32_t* along,
                         std::size_t count) {
      auto* const own = static_cast<OwnWindow*>(taker);
      for (std::size_t i = 0; i < count; ++i) {
        own->points.push_back({own->rows_taken, across[i], along[i]});
      }
      ++own->rows_taken;
      return true;
    };
  }
};

// A processor that has more than AVX-512 needs takes another kernel: the plain one must be the same.
TEST(TiledHwy, PlainKernelsEqualTheChosenOnes) {
  constexpr std::int32_t kWidth = 150;
  const auto evaluate = [](poisson::TiledKernel kernel) {
    OwnWindow own(kWidth, kWidth, kWidth + 2, -70, (std::int64_t{1} << 32) - 75,
                  poisson::dart_keys(stream_key(4, 4)));
    own.window.core = {40, 40, kWidth - 40, kWidth - 40};
    EXPECT_TRUE(kernel(own.window));
    return own.points;
  };
  for (const Isa isa : kAll) {
    const auto kernel = poisson::tiled_kernel(isa);
    if (kernel.ok()) {
      EXPECT_EQ(evaluate(kernel.value()), evaluate(poisson::tiled_kernels()[static_cast<std::size_t>(isa)]))
          << to_string(isa);
    }
  }
}

// A block of a million cells takes a while, in which it must not be deaf.
TEST(TiledHwy, ACancelledBlockEnds) {
  std::atomic<bool> cancel = false;
  RunContext context;
  context.cancel = &cancel;
  ParameterSet parameters;
  parameters.set("radius", 1.0);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel = true;
  });
  const Rect region = rect_from_metres(0, 0, 700, 1400, "test").value();
  const auto points = Generator().points("poisson/tiled/hwy", {region, 1, 1}, parameters, context);
  later.join();
  ASSERT_FALSE(points.ok());
  EXPECT_EQ(points.status().code, StatusCode::kCancelled);
}

// How many rows are made at a time, and how many there is room for, changes no point.
TEST(TiledHwy, RowsThatPassThroughAWindowAreTheSame) {
  constexpr std::int32_t kWidth = 110;
  constexpr std::int32_t kHeight = 700;
  const auto evaluate = [](poisson::TiledKernel kernel, std::int32_t step, std::int32_t rows, bool fits) {
    OwnWindow own(kWidth, kHeight, rows, -70, (std::int64_t{1} << 32) - 300,
                  poisson::dart_keys(stream_key(4, 9)));
    own.window.core = {38, 38, kWidth - 38, kHeight - 38};
    own.window.step = step;
    EXPECT_EQ(kernel(own.window), fits) << step << " of " << rows << " rows";
    return own.points;
  };
  for (const Isa isa : kAll) {
    const auto kernel = poisson::tiled_kernel(isa);
    if (!kernel.ok()) {
      continue;
    }
    const auto all_at_once = evaluate(kernel.value(), kHeight, kHeight + 2, true);
    EXPECT_GT(all_at_once.size(), 7000U);
    EXPECT_EQ(evaluate(kernel.value(), 32, 210, true), all_at_once) << to_string(isa);
    EXPECT_EQ(evaluate(kernel.value(), 1, 160, true), all_at_once) << to_string(isa);
    EXPECT_EQ(evaluate(kernel.value(), 97, 260, true), all_at_once) << to_string(isa);
    // Less room than what is alive: said, not gone on without end.
    evaluate(kernel.value(), 16, 60, false);
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
    const std::uint32_t draw = poisson::first_words(keys, x, 0)[1];
    if (draw < least) {
      least = draw;
      least_x = x;
    }
    if (draw > most) {
      most = draw;
      most_x = x;
    }
  }
  for (const std::int64_t centre :
       {least_x, most_x, least_x + 1, std::int64_t{-40}, std::int64_t{7}, std::int64_t{20},
        (std::int64_t{1} << 32) - 20, (std::int64_t{1} << 32) - 11}) {
    for (const Isa isa : kAll) {
      const auto kernel = poisson::tiled_kernel(isa);
      if (!kernel.ok()) {
        continue;
      }
      // No cell of the first two rows gets more than its first dart.
      OwnWindow own(41, 5, 7, centre - 20, 0, keys);
      own.window.core = {20, 2, 20, 3};
      EXPECT_TRUE(kernel.value()(own.window));
      for (std::int64_t y = 0; y < 2; ++y) {
        for (std::int64_t x = 0; x < 41; ++x) {
          const auto cell = static_cast<std::size_t>(y * own.window.stride + x);
          const auto random = poisson::first_words(keys, centre - 20 + x, y);
          ASSERT_EQ(own.clock[cell], exact_exponential(random[1])) << to_string(isa) << " draw " << random[1];
          ASSERT_EQ(own.position[cell] & 0x1FFFU, random[0] & 0x1FFFU);
          ASSERT_EQ(own.position[cell] >> 16, (random[0] >> 13) & 0x1FFFU);
        }
      }
    }
  }
}

}  // namespace
}  // namespace strew
