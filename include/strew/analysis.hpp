// Quality of a point set: distances, coverage, spectrum, pair correlation, lattices, borders.
//
// Plain arrays in, plain structs out. Coordinates are doubles relative to an origin of the caller's choice
// (near the points, so that nothing is lost far from the world's origin). Every measure is a pure function
// of its arguments: parallel over the executor of the RunContext, merged by index, so the results have the
// same bits for any number of workers. Definitions, error bars, costs and sources: docs/analysis.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "strew/context.hpp"
#include "strew/status.hpp"

namespace strew {

/// Closed rectangle of the plane, in metres.
struct PlaneWindow {
  double x0 = 0;
  double y0 = 0;
  double x1 = 0;
  double y1 = 0;

  [[nodiscard]] constexpr double width() const noexcept { return x1 - x0; }
  [[nodiscard]] constexpr double height() const noexcept { return y1 - y0; }
  [[nodiscard]] constexpr double area() const noexcept { return width() * height(); }
};

/// The set under study. Every measure refuses fewer than 2 or 2^31 and more points, columns of different
/// length, an empty window, and points that are not finite or lie outside the window (naming the first).
struct PointsView {
  std::span<const double> x;
  std::span<const double> y;
  PlaneWindow window;

  [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
  /// Points per square metre.
  [[nodiscard]] double density() const noexcept { return static_cast<double>(x.size()) / window.area(); }
};

/// A histogram with equal bins from 0; values beyond the last bin are counted in `beyond`.
struct Histogram {
  double bin_width = 0;
  std::vector<std::uint64_t> counts;
  std::uint64_t beyond = 0;
};

struct SpacingReport {
  double minimum_distance = 0;
  std::uint64_t closest_a = 0;  ///< indices of a closest pair, a < b: the first in order of a
  std::uint64_t closest_b = 0;
  std::uint64_t violations = 0;  ///< pairs closer than the radius; 0 when no radius is given
  double mean_nearest = 0;       ///< mean distance to the nearest other point, without border correction
  Histogram nearest;
};
struct SpacingOptions {
  double radius = 0;        ///< metres; 0: none, no violations are counted
  std::uint32_t bins = 60;  ///< of the histogram, in [1, 10000]
  double bin_width = 0;     ///< metres; 0: 1/30 of the mean spacing sqrt(A / N)
};
/// O(N log N).
[[nodiscard]] Result<SpacingReport> measure_spacing(const PointsView& points, const SpacingOptions& options,
                                                    const RunContext& context);

struct CoverageReport {
  std::uint64_t probes = 0;     ///< those at the radius or more from the window's border
  std::uint64_t uncovered = 0;  ///< probes at the radius or more from every point
  double fraction = 0;          ///< uncovered / probes
  double error = 0;             ///< binomial standard error
  double upper = 0;             ///< upper end of Wilson's 95 % interval: not 0 when nothing was found
  double void_radius = 0;       ///< of the largest empty disc found that lies in the window
  double void_x = 0;
  double void_y = 0;
};
struct CoverageOptions {
  double radius = 0;         ///< metres; 0: none, only the largest void is looked for
  std::uint64_t probes = 0;  ///< at most 2^32; 0: two per point, in [4 * 10^5, 2 * 10^6]
  std::uint64_t seed = 0;    ///< of the probes
};
/// O(probes log N).
[[nodiscard]] Result<CoverageReport> measure_coverage(const PointsView& points,
                                                      const CoverageOptions& options,
                                                      const RunContext& context);

struct SpectrumBin {
  double frequency = 0;       ///< mean over the shell's wave vectors, cycles per metre
  double power = 0;           ///< mean periodogram; 1 for a Poisson process
  double error = 0;           ///< standard error of `power` (0 with one vector)
  double anisotropy_db = 0;   ///< 10 log10(variance / mean^2) over the shell
  std::uint64_t vectors = 0;  ///< wave vectors in the shell, k and -k counted once
};
struct SpectrumReport {
  std::uint32_t segments = 0;        ///< sub-windows averaged
  std::uint32_t segments_total = 0;  ///< sub-windows the window was cut into
  std::uint64_t points = 0;          ///< in the sub-windows used
  double frequency_step_x = 0;       ///< 1 / width of a sub-window, cycles per metre
  double frequency_step_y = 0;
  double isotropic_db = 0;        ///< the anisotropy expected of an isotropic set: -10 log10(segments)
  std::vector<SpectrumBin> bins;  ///< shells that hold at least one wave vector
  /// Mean periodogram at (mx, my) for mx in [-columns / 2, columns / 2], my in [-rows / 2, rows / 2], my the
  /// slower index; both sides are odd. 0 at the centre (DC is left out) and beyond the largest frequency.
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  std::vector<float> power;
};
struct SpectrumOptions {
  double max_frequency = 0;  ///< cycles per metre; 0: 3 sqrt(N / A)
  std::uint32_t bins = 96;   ///< shells, in [1, 10000]; fewer where they would be thinner than 1 / side
  std::uint32_t segment_points = 4096;  ///< aim for the points of a sub-window, in [16, 32768]
  std::uint32_t max_segments = 16;      ///< sub-windows used, in [1, 256]
};
/// O(segments * segment_points * wave vectors); with the defaults at most about 16 * 4096 * 74,000
/// multiply-adds. Refuses a max_frequency that asks for more than 2^24 wave vectors.
[[nodiscard]] Result<SpectrumReport> measure_spectrum(const PointsView& points,
                                                      const SpectrumOptions& options,
                                                      const RunContext& context);

struct PairCorrelationBin {
  double distance = 0;  ///< centre of the bin, metres
  double g = 0;         ///< 1 for a Poisson process
  double error = 0;     ///< jackknife over blocks of the window
};
struct PairCorrelationReport {
  std::uint64_t centres = 0;  ///< points whose neighbours were counted
  std::uint32_t blocks = 0;   ///< blocks per side of the jackknife
  double bin_width = 0;
  std::vector<PairCorrelationBin> bins;
};
struct PairCorrelationOptions {
  double max_distance = 0;   ///< metres; 0: 5 sqrt(A / N), at most half the shorter side of the window
  std::uint32_t bins = 100;  ///< in [1, 10000]
  std::uint64_t max_pairs = 200'000'000;  ///< beyond about so many, only every n-th point is a centre
};
/// O(pairs within max_distance), at most about max_pairs.
[[nodiscard]] Result<PairCorrelationReport> measure_pair_correlation(const PointsView& points,
                                                                     const PairCorrelationOptions& options,
                                                                     const RunContext& context);

/// A wave vector (hx, hy) / period to be looked at: a harmonic of a lattice of that period.
struct HarmonicRequest {
  double period = 0;  ///< metres; the window must hold at least 2 on each axis
  std::uint32_t hx = 0;
  std::uint32_t hy = 0;  ///< not both 0; each at most 10^6
};
struct HarmonicReport {
  double power = 0;              ///< |sum exp(2 pi i k . x)|^2 / N
  double beside = 0;             ///< mean over the wave vectors around it that are no harmonics
  std::uint32_t neighbours = 0;  ///< how many those are, at most 24
  std::uint64_t points = 0;      ///< in the largest part of the window that holds whole periods
  /// Chance of at least this power beside such a neighbourhood when nothing stands out:
  /// (1 + power / (n beside))^-n for n neighbours.
  double chance = 1;
};
/// O(requests * N), about 90 ns each.
[[nodiscard]] Result<std::vector<HarmonicReport>> measure_harmonics(const PointsView& points,
                                                                    std::span<const HarmonicRequest> requests,
                                                                    const RunContext& context);

/// Lines x = x0 + i size_x and y = y0 + j size_y.
struct TileLines {
  double x0 = 0;
  double y0 = 0;
  double size_x = 0;
  double size_y = 0;
};
struct BorderBin {
  double distance = 0;  ///< centre of the band, metres from the nearest line
  double density = 0;   ///< points per square metre of the band, over that of the whole window
  double error = 0;     ///< jackknife over blocks of the window
  std::uint64_t count = 0;
};
struct BorderReport {
  std::uint32_t blocks = 0;
  double bin_width = 0;
  std::vector<BorderBin> bins;  ///< bands that have an area
};
struct BorderOptions {
  TileLines lines;
  double max_distance = 0;  ///< metres; 0: 10 sqrt(A / N); never more than half a tile
  std::uint32_t bins = 40;  ///< in [1, 10000]
};
/// O(N).
[[nodiscard]] Result<BorderReport> measure_borders(const PointsView& points, const BorderOptions& options,
                                                   const RunContext& context);

}  // namespace strew
