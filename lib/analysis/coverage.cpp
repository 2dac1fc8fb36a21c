// Uncovered fraction by random probes, and the largest void.
//
// A void is an empty disc that lies in the window: beyond the window nothing is known. Its radius at a centre
// is the smaller of the distance to the nearest point and to the window's border. The largest such disc is
// held by three points (its centre is their circumcentre) or by points and the border; the best probes are
// moved uphill and then onto the circumcentres around them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "check_points.hpp"
#include "guard.hpp"
#include "parallel.hpp"
#include "point_tree.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

constexpr std::uint64_t kChunk = 32768;
constexpr std::size_t kKeptPerChunk = 16;
constexpr std::size_t kRefined = 48;
constexpr std::size_t kAround = 14;  ///< points whose triples are tried
constexpr std::uint64_t kStream = 0x636F766572ULL;

struct Place {
  double radius = 0;
  double x = 0;
  double y = 0;
  std::uint64_t index = 0;
};
bool better(const Place& a, const Place& b) {
  return a.radius != b.radius ? a.radius > b.radius : a.index < b.index;
}

double border_distance(const PlaneWindow& window, double x, double y) {
  return std::min(std::min(x - window.x0, window.x1 - x), std::min(y - window.y0, window.y1 - y));
}

class Searcher {
 public:
  Searcher(const PlaneWindow& window, const analysis::PointTree& tree) : window_(window), tree_(tree) {}

  [[nodiscard]] double radius_at(double x, double y) const {
    const double border = border_distance(window_, x, y);
    return border <= 0 ? border : std::min(border, std::sqrt(tree_.nearest(x, y).squared));
  }

  void refine(Place& place) const {
    climb(place);
    for (int round = 0; round < 8; ++round) {
      if (!to_circumcentre(place)) {
        break;
      }
    }
  }

 private:
  void move_to(Place& place, double x, double y, bool& moved) const {
    const double radius = radius_at(x, y);
    if (radius > place.radius) {
      place = {radius, x, y, place.index};
      moved = true;
    }
  }

  /// Sixteen directions (Pythagorean triples, no trigonometry), the step halved when none climbs.
  void climb(Place& place) const {
    constexpr std::array<std::array<double, 2>, 16> kDirections = {{{1, 0},
                                                                    {0, 1},
                                                                    {-1, 0},
                                                                    {0, -1},
                                                                    {0.8, 0.6},
                                                                    {-0.8, 0.6},
                                                                    {0.8, -0.6},
                                                                    {-0.8, -0.6},
                                                                    {0.6, 0.8},
                                                                    {-0.6, 0.8},
                                                                    {0.6, -0.8},
                                                                    {-0.6, -0.8},
                                                                    {0.96, 0.28},
                                                                    {-0.96, -0.28},
                                                                    {0.28, -0.96},
                                                                    {-0.28, 0.96}}};
    constexpr double kSmallestStep = 1e-10;
    const double scale = std::max(place.radius, 1e-300);
    for (double step = 0.5; step > kSmallestStep;) {
      bool moved = false;
      const Place from = place;
      for (const auto& direction : kDirections) {
        move_to(place, from.x + direction[0] * step * scale, from.y + direction[1] * step * scale, moved);
      }
      if (!moved) {
        step *= 0.5;
      }
    }
  }

  bool to_circumcentre(Place& place) const {
    struct Near {
      double squared;
      double x, y;
      std::uint32_t index;
    };
    std::vector<Near> around;
    const double reach = place.radius * 1.5;
    tree_.for_each_within(place.x, place.y, reach * reach, [&](const auto& entry, double squared) {
      around.push_back({squared, entry.x - place.x, entry.y - place.y, entry.index});
    });
    std::sort(around.begin(), around.end(), [](const Near& a, const Near& b) {
      return a.squared != b.squared ? a.squared < b.squared : a.index < b.index;
    });
    around.resize(std::min(around.size(), kAround));
    bool moved = false;
    const Place from = place;
    for (std::size_t a = 0; a < around.size(); ++a) {
      for (std::size_t b = a + 1; b < around.size(); ++b) {
        for (std::size_t c = b + 1; c < around.size(); ++c) {
          // Circumcentre relative to `from`; lines through collinear points have none.
          const double bx = around[b].x - around[a].x;
          const double by = around[b].y - around[a].y;
          const double cx = around[c].x - around[a].x;
          const double cy = around[c].y - around[a].y;
          const double determinant = 2 * (bx * cy - by * cx);
          if (determinant == 0) {
            continue;
          }
          const double b2 = bx * bx + by * by;
          const double c2 = cx * cx + cy * cy;
          const double x = around[a].x + (cy * b2 - by * c2) / determinant;
          const double y = around[a].y + (bx * c2 - cx * b2) / determinant;
          if (x * x + y * y <= reach * reach) {
            move_to(place, from.x + x, from.y + y, moved);
          }
        }
      }
    }
    return moved;
  }

  PlaneWindow window_;
  const analysis::PointTree& tree_;
};

/// Probes [begin, end), neighbours in the plane near each other: in the order of their draws, every look-up
/// in the tree would miss the caches.
std::vector<Place> draw_places(const PlaneWindow& window, PhiloxKey key, std::uint64_t begin,
                               std::uint64_t end) {
  constexpr std::uint32_t kSide = 32;
  std::vector<Place> drawn(end - begin);
  std::vector<std::uint32_t> bucket(drawn.size());
  std::array<std::size_t, kSide * kSide + 1> first{};
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::uint64_t index = begin + i;
    const PhiloxCounter draw =
        philox4x32({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), 0, 0}, key);
    drawn[i] = {0, window.x0 + window.width() * draw_unit(draw[0]),
                window.y0 + window.height() * draw_unit(draw[1]), index};
    bucket[i] = draw_below(draw[1], kSide) * kSide + draw_below(draw[0], kSide);
    ++first[bucket[i] + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Place> sorted(drawn.size());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    sorted[first[bucket[i]]++] = drawn[i];
  }
  return sorted;
}

/// What one chunk of probes found.
struct Part {
  std::uint64_t probes = 0;
  std::uint64_t uncovered = 0;
  std::vector<Place> best;

  void keep(const Place& place) {
    if (best.size() < kKeptPerChunk || better(place, best.back())) {
      best.insert(std::lower_bound(best.begin(), best.end(), place, better), place);
      best.resize(std::min(best.size(), kKeptPerChunk));
    }
  }
};

void set_statistics(CoverageReport& report) {
  if (report.probes == 0) {
    return;
  }
  const double n = static_cast<double>(report.probes);
  const double p = static_cast<double>(report.uncovered) / n;
  constexpr double kZ = 1.959963984540054;  // 97.5 % point of the normal distribution
  report.fraction = p;
  report.error = std::sqrt(p * (1 - p) / n);
  report.upper =
      (p + kZ * kZ / (2 * n) + kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n))) / (1 + kZ * kZ / n);
}

Result<CoverageReport> measure(const PointsView& points, const CoverageOptions& options,
                               const RunContext& context) {
  STREW_RETURN_IF_ERROR(analysis::check_points(points));
  STREW_RETURN_IF_ERROR(analysis::check_option(options.radius, 0, 1e30, "radius"));
  STREW_RETURN_IF_ERROR(analysis::check_option(static_cast<double>(options.probes), 0, 0x1p+32, "probes"));
  const std::uint64_t probes =
      options.probes != 0 ? options.probes : std::clamp<std::uint64_t>(2 * points.size(), 400'000, 2'000'000);
  const PlaneWindow& window = points.window;
  const analysis::PointTree tree(points);
  const Searcher searcher(window, tree);
  const PhiloxKey key = stream_key(options.seed, kStream);
  const std::uint64_t chunks = (probes + kChunk - 1) / kChunk;
  std::vector<Part> parts(chunks);
  STREW_RETURN_IF_ERROR(parallel_for(context, chunks, [&](std::uint64_t chunk, std::uint32_t) {
    Part& part = parts[chunk];
    for (Place& place : draw_places(window, key, chunk * kChunk, std::min(probes, (chunk + 1) * kChunk))) {
      const double border = border_distance(window, place.x, place.y);
      const double distance = std::sqrt(tree.nearest(place.x, place.y).squared);
      // Nearer to the border than the radius, a point beyond the window may cover the probe.
      if (options.radius > 0 && border >= options.radius) {
        ++part.probes;
        part.uncovered += distance >= options.radius ? 1 : 0;
      }
      place.radius = std::min(border, distance);
      part.keep(place);
    }
    return Status{};
  }));

  CoverageReport report;
  std::vector<Place> best;
  for (const Part& part : parts) {
    report.probes += part.probes;
    report.uncovered += part.uncovered;
    best.insert(best.end(), part.best.begin(), part.best.end());
  }
  set_statistics(report);
  std::sort(best.begin(), best.end(), better);
  best.resize(std::min(best.size(), kRefined));
  STREW_RETURN_IF_ERROR(parallel_for(context, best.size(), [&](std::uint64_t i, std::uint32_t) {
    searcher.refine(best[i]);
    return Status{};
  }));
  const Place largest = *std::min_element(best.begin(), best.end(), better);
  report.void_radius = largest.radius;
  report.void_x = largest.x;
  report.void_y = largest.y;
  return report;
}

}  // namespace

Result<CoverageReport> measure_coverage(const PointsView& points, const CoverageOptions& options,
                                        const RunContext& context) {
  return guarded([&] { return measure(points, options, context); });
}

}  // namespace strew
