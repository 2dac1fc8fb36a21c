// Structure factor at the harmonics of a lattice, beside that of the wave vectors around them.
#include <algorithm>
#include <array>
#include <cmath>

#include "check_points.hpp"
#include "guard.hpp"
#include "number_text.hpp"
#include "parallel.hpp"
#include "strew/exact_math.hpp"

namespace strew {
namespace {

constexpr std::size_t kChunk = 16384;
constexpr int kReach = 2;
constexpr std::size_t kSide = 2 * kReach + 1;

struct Wave {
  double width = 0;  ///< of the part of the window that holds whole periods
  double height = 0;
  std::int64_t periods_x = 0;
  std::int64_t periods_y = 0;
  std::int64_t mx = 0;  ///< the wave vector in units of 1 / width
  std::int64_t my = 0;
};

Result<Wave> wave_of(const PlaneWindow& window, const HarmonicRequest& request) {
  STREW_RETURN_IF_ERROR(analysis::check_option(request.period, 1e-9, 1e30, "period"));
  STREW_RETURN_IF_ERROR(analysis::check_option(request.hx, 0, 1e6, "hx"));
  STREW_RETURN_IF_ERROR(analysis::check_option(request.hy, 0, 1e6, "hy"));
  if (request.hx == 0 && request.hy == 0) {
    return invalid_argument("hx and hy are both 0, which is the mean density; give one that is not", "hx");
  }
  // A side given as a multiple of the period is one, whatever the last bit of the quotient says.
  constexpr double kSlack = 1 + 1e-12;
  const double periods_x = std::floor(window.width() / request.period * kSlack);
  const double periods_y = std::floor(window.height() / request.period * kSlack);
  if (!(periods_x >= 2 && periods_y >= 2)) {
    return invalid_argument("the window must hold 2 periods of " + number_text(request.period) +
                                " m on each axis and is " + number_text(window.width()) + " by " +
                                number_text(window.height()) + " m; give a shorter period",
                            "period");
  }
  // As far as exact_sincos_turns reaches, with room for the neighbourhood.
  constexpr double kMostTurns = 0x1p+31 - 2 * kReach;
  STREW_RETURN_IF_ERROR(analysis::check_option(std::max(periods_x * request.hx, periods_y * request.hy), 0,
                                               kMostTurns, "periods of the harmonic in the window"));
  Wave wave;
  wave.width = periods_x * request.period;
  wave.height = periods_y * request.period;
  wave.periods_x = static_cast<std::int64_t>(periods_x);
  wave.periods_y = static_cast<std::int64_t>(periods_y);
  wave.mx = wave.periods_x * request.hx;
  wave.my = wave.periods_y * request.hy;
  return wave;
}

/// Real and imaginary sums over the kSide x kSide wave vectors around one harmonic.
struct Sums {
  std::array<double, kSide * kSide> real{};
  std::array<double, kSide * kSide> imaginary{};
  std::uint64_t points = 0;
};

/// Cosine and sine of 2 pi (m - kReach ... m + kReach) u: by two evaluations and the addition theorem, whose
/// rounding is far below the noise of any set.
struct Phases {
  std::array<double, kSide> cosine;
  std::array<double, kSide> sine;

  Phases(std::int64_t m, double u) {
    double step_sine = 0;
    double step_cosine = 0;
    exact_sincos_turns(u, step_sine, step_cosine);
    exact_sincos_turns(static_cast<double>(m) * u, sine[kReach], cosine[kReach]);
    for (std::size_t a = kReach; a + 1 < kSide; ++a) {
      cosine[a + 1] = cosine[a] * step_cosine - sine[a] * step_sine;
      sine[a + 1] = sine[a] * step_cosine + cosine[a] * step_sine;
      const std::size_t mirrored = kSide - 1 - a;
      cosine[mirrored - 1] = cosine[mirrored] * step_cosine + sine[mirrored] * step_sine;
      sine[mirrored - 1] = sine[mirrored] * step_cosine - cosine[mirrored] * step_sine;
    }
  }
};

void add_point(const Wave& wave, double u, double v, Sums& sums) {
  const Phases x(wave.mx, u);
  const Phases y(wave.my, v);
  for (std::size_t b = 0; b < kSide; ++b) {
    for (std::size_t a = 0; a < kSide; ++a) {
      sums.real[b * kSide + a] += x.cosine[a] * y.cosine[b] - x.sine[a] * y.sine[b];
      sums.imaginary[b * kSide + a] += x.sine[a] * y.cosine[b] + x.cosine[a] * y.sine[b];
    }
  }
  ++sums.points;
}

HarmonicReport report_of(const Wave& wave, const Sums& sums) {
  HarmonicReport report;
  report.points = sums.points;
  const double scale = 1 / static_cast<double>(std::max<std::uint64_t>(1, sums.points));
  double beside = 0;
  for (std::int64_t b = -kReach; b <= kReach; ++b) {
    for (std::int64_t a = -kReach; a <= kReach; ++a) {
      const auto at = static_cast<std::size_t>(b + kReach) * kSide + static_cast<std::size_t>(a + kReach);
      const double power = (sums.real[at] * sums.real[at] + sums.imaginary[at] * sums.imaginary[at]) * scale;
      if (a == 0 && b == 0) {
        report.power = power;
      } else if (a % wave.periods_x != 0 || b % wave.periods_y != 0) {
        beside += power;
        ++report.neighbours;
      }
    }
  }
  const double n = report.neighbours;
  report.beside = beside / n;
  if (beside > 0) {
    report.chance = std::pow(1 + report.power / beside, -n);
  }
  return report;
}

Result<std::vector<HarmonicReport>> measure(const PointsView& points,
                                            std::span<const HarmonicRequest> requests,
                                            const RunContext& context) {
  STREW_RETURN_IF_ERROR(analysis::check_points(points));
  const PlaneWindow& window = points.window;
  std::vector<Wave> waves;
  for (const HarmonicRequest& request : requests) {
    STREW_ASSIGN(const Wave wave, wave_of(window, request));
    waves.push_back(wave);
  }
  const std::size_t chunks = (points.size() + kChunk - 1) / kChunk;
  std::vector<Sums> parts(waves.size() * chunks);
  STREW_RETURN_IF_ERROR(parallel_for(context, parts.size(), [&](std::uint64_t part, std::uint32_t) {
    const Wave& wave = waves[part / chunks];
    const std::size_t begin = part % chunks * kChunk;
    const std::size_t end = std::min(points.size(), begin + kChunk);
    Sums sums;
    for (std::size_t i = begin; i < end; ++i) {
      const double u = (points.x[i] - window.x0) / wave.width;
      const double v = (points.y[i] - window.y0) / wave.height;
      // Half-open: in a whole number of periods the two borders are the same line.
      if (u < 1 && v < 1) {
        add_point(wave, u, v, sums);
      }
    }
    parts[part] = sums;
    return Status{};
  }));
  std::vector<HarmonicReport> reports;
  for (std::size_t w = 0; w < waves.size(); ++w) {
    Sums total;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const Sums& part = parts[w * chunks + chunk];
      for (std::size_t at = 0; at < kSide * kSide; ++at) {
        total.real[at] += part.real[at];
        total.imaginary[at] += part.imaginary[at];
      }
      total.points += part.points;
    }
    reports.push_back(report_of(waves[w], total));
  }
  return reports;
}

}  // namespace

Result<std::vector<HarmonicReport>> measure_harmonics(const PointsView& points,
                                                      std::span<const HarmonicRequest> requests,
                                                      const RunContext& context) {
  return guarded([&] { return measure(points, requests, context); });
}

}  // namespace strew
