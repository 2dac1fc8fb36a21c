// The same bytes for any number of workers and any order of tasks.
#include <cstring>

#include "known_sets.hpp"

namespace strew {
namespace {

using strew_test::KnownSet;

/// Every number of every report, in order, as bits.
class Bits {
 public:
  template <class T>
  void add(T value) {
    std::uint64_t bits = 0;
    static_assert(sizeof value <= sizeof bits);
    std::memcpy(&bits, &value, sizeof value);
    words_.push_back(bits);
  }
  friend bool operator==(const Bits&, const Bits&) = default;
  [[nodiscard]] std::size_t size() const { return words_.size(); }

 private:
  std::vector<std::uint64_t> words_;
};

Bits all_measures(const KnownSet& set, const RunContext& context) {
  Bits bits;
  const PointsView points = set.view();
  const auto spacing = measure_spacing(points, {.radius = 0.4}, context).value();
  bits.add(spacing.minimum_distance);
  bits.add(spacing.mean_nearest);
  bits.add(spacing.violations);
  for (const auto count : spacing.nearest.counts) {
    bits.add(count);
  }
  const auto coverage = measure_coverage(points, {.radius = 0.6, .probes = 50'000}, context).value();
  bits.add(coverage.uncovered);
  bits.add(coverage.void_radius);
  bits.add(coverage.void_x);
  bits.add(coverage.void_y);
  const auto spectrum = measure_spectrum(points, {.segment_points = 500}, context).value();
  for (const SpectrumBin& bin : spectrum.bins) {
    bits.add(bin.power);
    bits.add(bin.error);
    bits.add(bin.anisotropy_db);
  }
  for (const float power : spectrum.power) {
    bits.add(power);
  }
  const auto pairs = measure_pair_correlation(points, {}, context).value();
  for (const PairCorrelationBin& bin : pairs.bins) {
    bits.add(bin.g);
    bits.add(bin.error);
  }
  const std::vector<HarmonicRequest> requests = {{3, 1, 0}, {3, 0, 2}, {5, 1, 1}};
  const auto harmonics = measure_harmonics(points, requests, context).value();
  for (const HarmonicReport& report : harmonics) {
    bits.add(report.power);
    bits.add(report.beside);
  }
  const auto borders = measure_borders(points, {.lines = {0, 0, 7, 9}}, context).value();
  for (const BorderBin& bin : borders.bins) {
    bits.add(bin.density);
    bits.add(bin.error);
  }
  return bits;
}

TEST(Workers, ChangeNothing) {
  const KnownSet set = strew_test::poisson_process(40000, 120, 77);
  const Bits serial = all_measures(set, {});
  EXPECT_GT(serial.size(), 1000U);
  for (const std::uint32_t workers : {1U, 2U, 3U}) {
    const auto pool = ThreadPool::create(workers);
    ASSERT_TRUE(pool.ok());
    RunContext context;
    context.executor = &pool.value().executor();
    EXPECT_TRUE(all_measures(set, context) == serial) << workers;
  }
  for (const std::uint64_t seed : {1U, 2U}) {
    const ShuffledExecutor shuffled(seed, 7);
    RunContext context;
    context.executor = &shuffled.executor();
    EXPECT_TRUE(all_measures(set, context) == serial) << "shuffled " << seed;
  }
}

}  // namespace
}  // namespace strew
