// Density against the distance to the nearest line of a tile grid.
#include <algorithm>
#include <array>
#include <cmath>

#include "blocks.hpp"
#include "check_points.hpp"
#include "guard.hpp"
#include "parallel.hpp"

namespace strew {
namespace {

constexpr std::size_t kChunk = 65536;

/// Distance from `at` to the nearest multiple of `size` from `origin`.
double line_distance(double at, double origin, double size) {
  const double turns = (at - origin) / size;
  return std::fabs(turns - std::floor(turns + 0.5)) * size;
}

/// Length of the part of [origin, at) at distance `t` or more from the lines, signed.
double inner_length(double at, double origin, double size, double t) {
  const double turns = std::floor((at - origin) / size);
  const double rest = (at - origin) - turns * size;
  const double inside = std::max(0.0, size - 2 * t);
  return turns * inside + std::clamp(rest - t, 0.0, inside);
}

/// Area of the part of a rectangle at distance `t` or more from every line: a product, because the distance
/// is the smaller of those on the two axes.
double inner_area(const PlaneWindow& rectangle, const TileLines& lines, double t) {
  const double width = inner_length(rectangle.x1, lines.x0, lines.size_x, t) -
                       inner_length(rectangle.x0, lines.x0, lines.size_x, t);
  const double height = inner_length(rectangle.y1, lines.y0, lines.size_y, t) -
                        inner_length(rectangle.y0, lines.y0, lines.size_y, t);
  return width * height;
}

Status check(const PointsView& points, const BorderOptions& options) {
  STREW_RETURN_IF_ERROR(analysis::check_points(points));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.lines.size_x, 1e-9, 1e30, "lines.size_x"));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.lines.size_y, 1e-9, 1e30, "lines.size_y"));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.lines.x0, -1e30, 1e30, "lines.x0"));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.lines.y0, -1e30, 1e30, "lines.y0"));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.max_distance, 0, 1e30, "max_distance"));
  return analysis::check_option(options.bins, 1, 10000, "bins");
}

Result<BorderReport> measure(const PointsView& points, const BorderOptions& options,
                             const RunContext& context) {
  STREW_RETURN_IF_ERROR(check(points, options));
  const TileLines& lines = options.lines;
  const double half = 0.5 * std::min(lines.size_x, lines.size_y);
  const double wanted =
      options.max_distance > 0 ? options.max_distance : 10 * std::sqrt(1 / points.density());
  const double reach = std::min(wanted, half);
  const double bins = options.bins;
  const analysis::Blocks blocks(points);
  const std::size_t cells = std::size_t{blocks.count()} * options.bins;
  const std::size_t chunks = (points.size() + kChunk - 1) / kChunk;
  std::vector<std::vector<std::uint64_t>> parts(chunks);
  STREW_RETURN_IF_ERROR(parallel_for(context, chunks, [&](std::uint64_t chunk, std::uint32_t) {
    std::vector<std::uint64_t>& counts = parts[chunk];
    counts.assign(cells, 0);
    const std::size_t end = std::min(points.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      const double distance = std::min(line_distance(points.x[i], lines.x0, lines.size_x),
                                       line_distance(points.y[i], lines.y0, lines.size_y));
      // Closed: the centre lines of the tiles belong to the last band.
      if (distance <= reach) {
        const double bin = std::min(distance / reach * bins, bins - 1);
        ++counts[blocks.of(points.x[i], points.y[i]) * std::size_t{options.bins} +
                 static_cast<std::size_t>(bin)];
      }
    }
    return Status{};
  }));

  BorderReport report;
  report.blocks = blocks.side();
  report.bin_width = reach / bins;
  std::vector<double> count(blocks.count());
  std::vector<double> expected(blocks.count());
  for (std::uint32_t bin = 0; bin < options.bins; ++bin) {
    BorderBin band;
    double area = 0;
    for (std::uint32_t block = 0; block < blocks.count(); ++block) {
      std::uint64_t here = 0;
      for (const auto& counts : parts) {
        here += counts[block * std::size_t{options.bins} + bin];
      }
      const PlaneWindow rectangle = blocks.rectangle(block);
      const double part = std::max(0.0, inner_area(rectangle, lines, report.bin_width * bin) -
                                            inner_area(rectangle, lines, report.bin_width * (bin + 1)));
      count[block] = static_cast<double>(here);
      expected[block] = part * points.density();
      band.count += here;
      area += part;
    }
    // Less than this is what rounding leaves of no area at all.
    if (area <= 1e-9 * points.window.area()) {
      continue;
    }
    const analysis::Ratio ratio = analysis::jackknife_ratio(count, expected);
    band.distance = report.bin_width * (bin + 0.5);
    band.density = ratio.value;
    band.error = ratio.error;
    report.bins.push_back(band);
  }
  return report;
}

}  // namespace

Result<BorderReport> measure_borders(const PointsView& points, const BorderOptions& options,
                                     const RunContext& context) {
  return guarded([&] { return measure(points, options, context); });
}

}  // namespace strew
