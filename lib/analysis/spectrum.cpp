// Power spectrum of a point set: periodogram at the window's own wave vectors, averaged over sub-windows.
//
// Source: Lagae & Dutre, "A comparison of methods for generating Poisson disk distributions", Computer
// Graphics Forum 27, 2008 (radial power, anisotropy); Schloemer & Deussen, "Accurate spectral analysis of
// two-dimensional point sets", Journal of Graphics Tools 15, 2011 (sums over points, no raster); Bartlett,
// "Periodogram analysis and continuous spectra", Biometrika 37, 1950 (averaging over sub-windows).
// Difference: the sets need not be periodic. A rectangle's transform vanishes at non-zero integer multiples
// of 1 / side, so there the mean density does not leak into the spectrum, with no taper.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "check_points.hpp"
#include "guard.hpp"
#include "parallel.hpp"
#include "spectrum_sums.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

using analysis::WaveGrid;

struct Segments {
  std::uint32_t columns = 1;
  std::uint32_t rows = 1;
  std::vector<std::uint32_t> used;        ///< sorted
  std::vector<std::vector<double>> u, v;  ///< per used segment: fractions of its sides
  std::uint64_t points = 0;
};

std::uint32_t pieces(double side, double piece) {
  return static_cast<std::uint32_t>(std::clamp(std::floor(side / piece + 0.5), 1.0, 65535.0));
}

/// Square-like sub-windows with about segment_points each; which are used is drawn, so that no row or column
/// of the window is preferred.
Segments cut(const PointsView& points, const SpectrumOptions& options) {
  const PlaneWindow& window = points.window;
  const double side = std::sqrt(static_cast<double>(options.segment_points) / points.density());
  Segments segments;
  segments.columns = pieces(window.width(), side);
  segments.rows = pieces(window.height(), side);
  std::vector<std::uint32_t> order(std::size_t{segments.columns} * segments.rows);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [](std::uint32_t a, std::uint32_t b) {
    return mix64(a + 1ULL) < mix64(b + 1ULL);  // a bijection: no ties
  });
  std::vector<std::uint32_t> slot(order.size(), options.max_segments);
  order.resize(std::min<std::size_t>(order.size(), options.max_segments));
  std::sort(order.begin(), order.end());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    slot[order[i]] = i;
  }
  segments.used = std::move(order);
  segments.u.resize(segments.used.size());
  segments.v.resize(segments.used.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double u = (points.x[i] - window.x0) / window.width() * segments.columns;
    const double v = (points.y[i] - window.y0) / window.height() * segments.rows;
    const std::uint32_t column = std::min(static_cast<std::uint32_t>(u), segments.columns - 1);
    const std::uint32_t row = std::min(static_cast<std::uint32_t>(v), segments.rows - 1);
    const std::uint32_t at = slot[std::size_t{row} * segments.columns + column];
    if (at < segments.used.size()) {
      segments.u[at].push_back(u - column);
      segments.v[at].push_back(v - row);
      ++segments.points;
    }
  }
  return segments;
}

void fill_shells(const WaveGrid& grid, const std::vector<float>& half, std::uint32_t wanted,
                 SpectrumReport& report) {
  const double thinnest = std::max(grid.step_x, grid.step_y);
  const double thickness = std::max(grid.max_frequency / wanted, thinnest);
  struct Shell {
    double frequency = 0, power = 0, squares = 0;
    std::uint64_t vectors = 0;
  };
  std::vector<Shell> shells(static_cast<std::size_t>(std::ceil(grid.max_frequency / thickness)) + 1);
  const auto for_each_vector = [&](const auto& use) {
    for (std::uint32_t my = 0; my <= grid.last_y; ++my) {
      const auto end = static_cast<std::int64_t>(grid.row_end(my));
      for (std::int64_t mx = my == 0 ? 1 : -end; mx <= end; ++mx) {
        const double fx = static_cast<double>(mx) * grid.step_x;
        const double fy = my * grid.step_y;
        const double frequency = std::sqrt(fx * fx + fy * fy);
        const auto at = static_cast<std::size_t>(static_cast<std::int64_t>(grid.last_x) + mx);
        use(shells[static_cast<std::size_t>(frequency / thickness)], frequency,
            static_cast<double>(half[grid.columns() * my + at]));
      }
    }
  };
  for_each_vector([](Shell& shell, double frequency, double power) {
    shell.frequency += frequency;
    shell.power += power;
    ++shell.vectors;
  });
  for (Shell& shell : shells) {
    const double n = static_cast<double>(std::max<std::uint64_t>(1, shell.vectors));
    shell.frequency /= n;
    shell.power /= n;
  }
  for_each_vector([](Shell& shell, double, double power) {
    shell.squares += (power - shell.power) * (power - shell.power);
  });
  constexpr double kLowestDb = -100;  // instead of minus infinity
  for (const Shell& shell : shells) {
    if (shell.vectors == 0) {
      continue;
    }
    SpectrumBin bin{shell.frequency, shell.power, 0, 0, shell.vectors};
    if (shell.vectors > 1) {
      const double n = static_cast<double>(shell.vectors);
      const double variance = shell.squares / (n - 1);
      bin.error = std::sqrt(variance / n);
      const double ratio = shell.power > 0 ? variance / (shell.power * shell.power) : 0;
      bin.anisotropy_db = ratio > 0 ? std::max(kLowestDb, 10 * std::log10(ratio)) : kLowestDb;
    }
    report.bins.push_back(bin);
  }
}

/// The upper half plane (my >= 0) mirrored through the centre.
void fill_picture(const WaveGrid& grid, const std::vector<float>& half, SpectrumReport& report) {
  const std::size_t columns = grid.columns();
  report.columns = static_cast<std::uint32_t>(columns);
  report.rows = 2 * grid.last_y + 1;
  report.power.assign(columns * report.rows, 0.0F);
  for (std::size_t my = 0; my <= grid.last_y; ++my) {
    for (std::size_t column = 0; column < columns; ++column) {
      const float power = half[columns * my + column];
      report.power[columns * (grid.last_y + my) + column] = power;
      report.power[columns * (grid.last_y - my) + (columns - 1 - column)] = power;
    }
  }
  report.power[columns * grid.last_y + grid.last_x] = 0;
}

Status check(const PointsView& points, const SpectrumOptions& options) {
  STREW_RETURN_IF_ERROR(analysis::check_points(points));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.max_frequency, 0, 1e30, "max_frequency"));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.bins, 1, 10000, "bins"));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.segment_points, 16, 32768, "segment_points"));
  return analysis::check_option(options.max_segments, 1, 256, "max_segments");
}

Result<SpectrumReport> measure(const PointsView& points, const SpectrumOptions& options,
                               const RunContext& context) {
  STREW_RETURN_IF_ERROR(check(points, options));
  const double max_frequency =
      options.max_frequency > 0 ? options.max_frequency : 3 * std::sqrt(points.density());
  const Segments segments = cut(points, options);
  SpectrumReport report;
  report.segments_total = segments.columns * segments.rows;
  report.points = segments.points;
  report.frequency_step_x = segments.columns / points.window.width();
  report.frequency_step_y = segments.rows / points.window.height();
  constexpr double kMostVectors = 0x1p+24;
  const double vectors =
      (2 * max_frequency / report.frequency_step_x + 1) * (2 * max_frequency / report.frequency_step_y + 1);
  STREW_RETURN_IF_ERROR(analysis::check_option(vectors, 0, kMostVectors, "wave vectors up to max_frequency"));
  const WaveGrid grid = WaveGrid::of(report.frequency_step_x, report.frequency_step_y, max_frequency);

  std::vector<std::vector<float>> squared(segments.used.size());
  STREW_RETURN_IF_ERROR(parallel_for(context, segments.used.size(), [&](std::uint64_t i, std::uint32_t) {
    if (!segments.u[i].empty()) {
      squared[i] = analysis::squared_sums(segments.u[i], segments.v[i], grid);
    }
    return Status{};
  }));
  std::vector<double> sum(grid.columns() * (std::size_t{grid.last_y} + 1));
  for (const std::vector<float>& part : squared) {
    report.segments += part.empty() ? 0 : 1;
    for (std::size_t at = 0; at < part.size(); ++at) {
      sum[at] += static_cast<double>(part[at]);
    }
  }
  // Where sub-windows hold different numbers of points, each counts by its points.
  std::vector<float> half(sum.size());
  const double scale = 1 / static_cast<double>(std::max<std::uint64_t>(1, segments.points));
  std::transform(sum.begin(), sum.end(), half.begin(),
                 [scale](double value) { return static_cast<float>(value * scale); });
  report.isotropic_db = -10 * std::log10(static_cast<double>(std::max(1U, report.segments)));
  fill_shells(grid, half, options.bins, report);
  fill_picture(grid, half, report);
  return report;
}

}  // namespace

Result<SpectrumReport> measure_spectrum(const PointsView& points, const SpectrumOptions& options,
                                        const RunContext& context) {
  return guarded([&] { return measure(points, options, context); });
}

}  // namespace strew
