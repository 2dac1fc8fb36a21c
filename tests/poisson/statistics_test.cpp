// Promise P4: density and spectrum of random sequential adsorption, no trace of cells, blocks or their order.
#include <gtest/gtest.h>

#include <complex>

#include "block_merge.hpp"
#include "cell_lattice.hpp"
#include "strew/exact_math.hpp"
#include "strew/poisson.hpp"

namespace strew {
namespace {

constexpr double kRadius = 2;

/// Points over exactly `width` x `height` cells.
PointSet rectangle_of_cells(std::int64_t width, std::int64_t height, std::uint64_t seed,
                            const RunContext& context) {
  const Coord cell = poisson::pitch_for_radius(kRadius) * poisson::kCellSteps;
  ParameterSet parameters;
  parameters.set("radius", kRadius);
  auto points = Generator().points("poisson/tiled", {{0, 0, cell * width, cell * height}, seed, 0},
                                   parameters, context);
  EXPECT_TRUE(points.ok());
  return points.ok() ? std::move(points).value() : PointSet{};
}
/// A square, so that every lattice harmonic is a mode of it, free of leakage.
PointSet square_of_cells(std::int64_t side, std::uint64_t seed, const RunContext& context) {
  return rectangle_of_cells(side, side, seed, context);
}

/// |sum exp(2 pi i (mx x + my y) / L)|^2 / N for a square of `side` cells.
double structure_factor(const PointSet& points, std::int64_t side, std::int64_t mx, std::int64_t my) {
  std::complex<double> sum = 0;
  const double scale = 1.0 / static_cast<double>(side * poisson::kCellSteps);
  for (std::size_t i = 0; i < points.size(); ++i) {
    double sine = 0;
    double cosine = 0;
    exact_sincos_turns(static_cast<double>(mx * points.x[i] + my * points.y[i]) * scale, sine, cosine);
    sum += std::complex<double>(cosine, sine);
  }
  return std::norm(sum) / static_cast<double>(points.size());
}

struct Peak {
  double at = 0;
  double beside = 0;
};

/// Mean over both axes of the structure factor at mode m, and over 20 modes beside it.
Peak harmonic(const PointSet& points, std::int64_t side, std::int64_t m) {
  Peak peak;
  peak.at = (structure_factor(points, side, m, 0) + structure_factor(points, side, 0, m)) / 2;
  for (std::int64_t d = 1; d <= 5; ++d) {
    for (const std::int64_t beside : {m - d, m + d}) {
      peak.beside += structure_factor(points, side, beside, 0) + structure_factor(points, side, 0, beside);
    }
  }
  peak.beside /= 20;
  return peak;
}

TEST(Statistics, NoHarmonicOfCellsOrBlocksStandsOut) {
  const auto pool = ThreadPool::create(2);
  ASSERT_TRUE(pool.ok());
  RunContext context;
  context.executor = &pool.value().executor();
  // Blocks are as short as they get for two workers, so their borders lie inside. 1-, 2-, 3-cell periods and
  // second harmonics.
  constexpr std::int64_t kSide = poisson::kBlockCells + 6;
  static_assert(kSide % 6 == 0);
  constexpr int kSeeds = 32;
  const std::vector<std::int64_t> modes = {kSide, 2 * kSide, kSide / 2, kSide / 3, 2 * kSide / 3};
  std::vector<Peak> mean(modes.size());
  double count = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const PointSet points = square_of_cells(kSide, 1000 + seed, context);
    count += static_cast<double>(points.size());
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const Peak peak = harmonic(points, kSide, modes[i]);
      mean[i].at += peak.at / kSeeds;
      mean[i].beside += peak.beside / kSeeds;
    }
  }
  for (std::size_t i = 0; i < modes.size(); ++i) {
    RecordProperty("mode" + std::to_string(modes[i]),
                   std::to_string(mean[i].at) + " beside " + std::to_string(mean[i].beside));
    // A structure factor is exponentially distributed: the mean over 2 x 32 samples has a deviation of 1/8. A
    // lattice that modulates the density of these 53,000 points by 2 % would add 53,000 * 0.02^2 / 4 = 5.
    EXPECT_LT(mean[i].at, 1.7 * mean[i].beside) << "mode " << modes[i];
    EXPECT_GT(mean[i].at, 0.5 * mean[i].beside) << "mode " << modes[i];
  }
  // N r^2 / A in lattice units: r^2 = 2 cells. Deviation of one set near 0.0005, of the mean of 32 below
  // 0.0001.
  const double density = count / kSeeds / static_cast<double>(kSide * kSide) * 2;
  EXPECT_NEAR(density, poisson::kSaturation, 0.0005);
}

/// Density within 4 cells of the lines that a coordinate of lattice steps crosses every `period` cells, over
/// the mean, for rectangles of cells from the origin.
double density_at_borders(std::int64_t width, std::int64_t height,
                          std::vector<std::int64_t> PointSet::*coordinate, std::int64_t period) {
  constexpr int kSeeds = 12;
  constexpr std::int64_t kBand = 4;  // cells on either side of a border
  double near = 0;
  double all = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const PointSet points = rectangle_of_cells(width, height, 5000 + seed, RunContext{});
    for (const std::int64_t step : points.*coordinate) {
      const std::int64_t place = floor_mod(floor_div(step, poisson::kCellSteps), period);
      near += place < kBand || place >= period - kBand ? 1 : 0;
    }
    all += static_cast<double>(points.size());
  }
  return near / all * static_cast<double>(period) / static_cast<double>(2 * kBand);
}

TEST(Statistics, DensityIsFlatAcrossBlockBorders) {
  // Without workers blocks are as long as they get. Counts of a blue-noise set fluctuate far less than
  // Poisson counts; 1 % is many deviations.
  constexpr poisson::BlockShape kShape = poisson::kLongBlocks;
  EXPECT_NEAR(density_at_borders(2 * kShape.width, 700, &PointSet::x, kShape.width), 1, 0.01);
  EXPECT_NEAR(density_at_borders(500, 2 * kShape.height, &PointSet::y, kShape.height), 1, 0.01);
  // Rows are made 32 at a time.
  EXPECT_NEAR(density_at_borders(400, 800, &PointSet::y, 32), 1, 0.01);
}

}  // namespace
}  // namespace strew
