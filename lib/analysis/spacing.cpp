// Distances to the nearest neighbour, and pairs closer than the radius.
#include <algorithm>
#include <cmath>

#include "check_points.hpp"
#include "guard.hpp"
#include "parallel.hpp"
#include "point_tree.hpp"

namespace strew {
namespace {

constexpr std::size_t kChunk = 4096;

Result<SpacingReport> measure(const PointsView& points, const SpacingOptions& options,
                              const RunContext& context) {
  STREW_RETURN_IF_ERROR(analysis::check_points(points));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.radius, 0, 1e30, "radius"));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.bin_width, 0, 1e30, "bin_width"));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.bins, 1, 10000, "bins"));
  const std::size_t count = points.size();
  const analysis::PointTree tree(points);
  std::vector<analysis::PointTree::Nearest> nearest(count);
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  std::vector<std::uint64_t> close_pairs(chunks);
  const double squared_radius = options.radius * options.radius;
  STREW_RETURN_IF_ERROR(parallel_for(context, chunks, [&](std::uint64_t chunk, std::uint32_t) {
    const std::size_t begin = chunk * kChunk;
    const std::size_t end = std::min(count, begin + kChunk);
    for (std::size_t i = begin; i < end; ++i) {
      const auto& entry = tree.entries()[i];
      nearest[entry.index] = tree.nearest(entry.x, entry.y, entry.index);
      if (nearest[entry.index].squared < squared_radius) {
        // The point itself is one of those counted.
        close_pairs[chunk] += tree.count_below(entry.x, entry.y, squared_radius) - 1;
      }
    }
    return Status{};
  }));

  SpacingReport report;
  report.nearest.bin_width = options.bin_width > 0 ? options.bin_width : std::sqrt(1 / points.density()) / 30;
  report.nearest.counts.assign(options.bins, 0);
  double closest = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (nearest[i].squared < closest) {
      closest = nearest[i].squared;
      report.closest_a = i;
      report.closest_b = nearest[i].index;
    }
    const double distance = std::sqrt(nearest[i].squared);
    sum += distance;
    const double bin = distance / report.nearest.bin_width;
    if (bin < static_cast<double>(options.bins)) {
      ++report.nearest.counts[static_cast<std::size_t>(bin)];
    } else {
      ++report.nearest.beyond;
    }
  }
  report.minimum_distance = std::sqrt(closest);
  report.mean_nearest = sum / static_cast<double>(count);
  for (const std::uint64_t pairs : close_pairs) {
    report.violations += pairs;
  }
  report.violations /= 2;
  return report;
}

}  // namespace

Result<SpacingReport> measure_spacing(const PointsView& points, const SpacingOptions& options,
                                      const RunContext& context) {
  return guarded([&] { return measure(points, options, context); });
}

}  // namespace strew
