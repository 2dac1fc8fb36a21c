// Pair correlation function with translation correction.
//
// Source: Ohser & Stoyan, "On the second-order and orientation analysis of planar stationary point
// processes", Biometrical Journal 23, 1981 (translation correction). Difference: bins with their exact ring
// areas instead of a smooth kernel, which would smear the jump at the radius.
#include <algorithm>
#include <cmath>

#include "blocks.hpp"
#include "check_points.hpp"
#include "guard.hpp"
#include "parallel.hpp"
#include "point_tree.hpp"
#include "strew/exact_math.hpp"

namespace strew {
namespace {

/// Every n-th point is a centre, so that about max_pairs pairs are visited: from how many neighbours a sample
/// of the points has.
std::uint64_t centre_stride(const analysis::PointTree& tree, double squared, std::uint64_t max_pairs) {
  constexpr std::size_t kSample = 256;
  const auto& entries = tree.entries();
  const std::size_t step = std::max<std::size_t>(1, entries.size() / kSample);
  double neighbours = 0;
  double sampled = 0;
  for (std::size_t i = step / 2; i < entries.size(); i += step) {
    neighbours += static_cast<double>(tree.count_below(entries[i].x, entries[i].y, squared));
    sampled += 1;
  }
  const double pairs = neighbours / sampled * static_cast<double>(entries.size());
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(
                                        pairs / static_cast<double>(std::max<std::uint64_t>(1, max_pairs)))));
}

Result<PairCorrelationReport> measure(const PointsView& points, const PairCorrelationOptions& options,
                                      const RunContext& context) {
  STREW_RETURN_IF_ERROR(analysis::check_points(points));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.max_distance, 0, 1e30, "max_distance"));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.bins, 1, 10000, "bins"));
  const PlaneWindow& window = points.window;
  const double wanted = options.max_distance > 0 ? options.max_distance : 5 * std::sqrt(1 / points.density());
  const double reach = std::min(wanted, 0.5 * std::min(window.width(), window.height()));
  const double bins = options.bins;
  const double inverse_width = bins / reach;
  const analysis::PointTree tree(points);
  const std::uint64_t stride = centre_stride(tree, reach * reach, options.max_pairs);

  const analysis::Blocks blocks(points);
  std::vector<std::vector<std::uint32_t>> centres(blocks.count());
  for (std::size_t i = 0; i < points.size(); i += stride) {
    centres[blocks.of(points.x[i], points.y[i])].push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<std::vector<double>> sums(blocks.count(), std::vector<double>(options.bins));
  STREW_RETURN_IF_ERROR(parallel_for(context, blocks.count(), [&](std::uint64_t block, std::uint32_t) {
    std::vector<double>& sum = sums[block];
    for (const std::uint32_t i : centres[block]) {
      const double x = points.x[i];
      const double y = points.y[i];
      tree.for_each_within(x, y, reach * reach, [&](const auto& entry, double squared) {
        const double bin = std::sqrt(squared) * inverse_width;
        if (entry.index != i && bin < bins) {
          sum[static_cast<std::size_t>(bin)] +=
              1 / ((window.width() - std::fabs(entry.x - x)) * (window.height() - std::fabs(entry.y - y)));
        }
      });
    }
    return Status{};
  }));

  PairCorrelationReport report;
  report.blocks = blocks.side();
  report.bin_width = reach / bins;
  std::vector<double> weights(blocks.count());
  for (std::uint32_t block = 0; block < blocks.count(); ++block) {
    report.centres += centres[block].size();
    weights[block] = static_cast<double>(centres[block].size());
  }
  const double n = static_cast<double>(points.size());
  for (std::uint32_t bin = 0; bin < options.bins; ++bin) {
    const double inner = report.bin_width * bin;
    const double outer = report.bin_width * (bin + 1);
    const double ring = kPi * (outer * outer - inner * inner);
    // A Poisson process has (N - 1) / A * ring neighbours of a centre here, each weighing 1 / A on average of
    // the corrected area: the sum over centres per centre is (N - 1) ring / A^2.
    const double scale = window.area() * window.area() / ((n - 1) * ring);
    std::vector<double> parts(blocks.count());
    for (std::uint32_t block = 0; block < blocks.count(); ++block) {
      parts[block] = sums[block][bin] * scale;
    }
    const analysis::Ratio ratio = analysis::jackknife_ratio(parts, weights);
    report.bins.push_back({(inner + outer) / 2, ratio.value, ratio.error});
  }
  return report;
}

}  // namespace

Result<PairCorrelationReport> measure_pair_correlation(const PointsView& points,
                                                       const PairCorrelationOptions& options,
                                                       const RunContext& context) {
  return guarded([&] { return measure(points, options, context); });
}

}  // namespace strew
