#include "analyze_set.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "strew/strategy.hpp"

namespace strew_tool {
namespace {

/// Two hundredths short of saturation, in a second or two.
constexpr std::int64_t kReferenceFailures = 200000;

/// Density of random sequential adsorption at saturation, as N r^2 / A.
constexpr double kSaturation = 0.69656;

constexpr std::uint32_t kNearestBins = 150;
constexpr std::uint32_t kPairBins = 100;

/// About `wanted`, and such that the radius is the edge of a bin: both functions jump there.
double bin_width(double wanted, double radius) {
  return radius > 0 ? radius / std::ceil(radius / wanted) : wanted;
}

struct Wanted {
  std::vector<NamedHarmonic> harmonics;
  std::string note;
};

/// Harmonics that fit the window; the rest are named in the note.
Wanted wanted_harmonics(const PointInput& input, double cell, double tile) {
  Wanted wanted;
  const double shorter = std::min(input.window.width(), input.window.height());
  const auto add = [&](const std::string& name, double period, std::uint32_t h) {
    if (period * 2 > shorter) {
      wanted.note += (wanted.note.empty() ? "" : ", ") + name;
      return;
    }
    wanted.harmonics.push_back({name + ", along x", {period, h, 0}, {}});
    wanted.harmonics.push_back({name + ", along y", {period, 0, h}, {}});
  };
  if (cell > 0) {
    add("1/3 per cell", 3 * cell, 1);
    add("1/2 per cell", 2 * cell, 1);
    add("2/3 per cell", 3 * cell, 2);
    add("1 per cell", cell, 1);
    add("2 per cell", cell, 2);
  }
  if (tile > 0) {
    for (const std::uint32_t h : {1U, 2U, 3U, 4U}) {
      add(fmt::format("{} per tile", h), tile, h);
    }
  }
  if (!wanted.note.empty()) {
    wanted.note = "the window holds fewer than 2 periods for: " + wanted.note;
  }
  return wanted;
}

/// Lines of the tile grid, which passes through the world's origin; without tiles, the window itself.
strew::TileLines tile_lines(const PointInput& input, double tile) {
  if (tile > 0) {
    const auto before = [tile](double origin) { return -(origin - std::floor(origin / tile) * tile); };
    return {before(input.origin_x), before(input.origin_y), tile, tile};
  }
  return {input.window.x0, input.window.y0, input.window.width(), input.window.height()};
}

}  // namespace

strew::Result<SetAnalysis> analyze_set(const PointInput& input, const AnalyzeOptions& options,
                                       const strew::RunContext& context) {
  const auto start = std::chrono::steady_clock::now();
  const strew::PointsView points = input.view();
  SetAnalysis set;
  set.input = &input;
  set.radius = options.radius > 0 ? options.radius : input.promised_distance;
  const double spacing = std::sqrt(1 / set.density());
  STREW_ASSIGN(set.spacing, strew::measure_spacing(points,
                                                   {.radius = set.radius,
                                                    .bins = kNearestBins,
                                                    .bin_width = bin_width(spacing / 60, set.radius)},
                                                   context));
  STREW_ASSIGN(set.coverage, strew::measure_coverage(points, {.radius = set.radius}, context));
  STREW_ASSIGN(set.spectrum, strew::measure_spectrum(points, {}, context));
  STREW_ASSIGN(
      set.pairs,
      strew::measure_pair_correlation(
          points, {.max_distance = kPairBins * bin_width(spacing / 20, set.radius), .bins = kPairBins},
          context));
  set.border_name = options.tile_size > 0 ? fmt::format("the borders of {} m tiles", options.tile_size)
                                          : "the window's border";
  STREW_ASSIGN(set.borders,
               strew::measure_borders(points, {.lines = tile_lines(input, options.tile_size)}, context));
  const double cell = options.cell_period > 0 ? options.cell_period : set.radius / std::sqrt(2.0);
  Wanted wanted = wanted_harmonics(input, cell, options.tile_size);
  std::vector<strew::HarmonicRequest> requests;
  for (const NamedHarmonic& harmonic : wanted.harmonics) {
    requests.push_back(harmonic.request);
  }
  STREW_ASSIGN(const std::vector<strew::HarmonicReport> reports,
               strew::measure_harmonics(points, requests, context));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    wanted.harmonics[i].report = reports[i];
  }
  set.harmonics = std::move(wanted.harmonics);
  set.harmonics_note = std::move(wanted.note);
  set.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return set;
}

namespace {

void add_scaled(const strew::SpectrumReport& one, int seeds, strew::SpectrumReport& mean) {
  if (mean.bins.empty()) {
    mean = one;
    for (strew::SpectrumBin& bin : mean.bins) {
      bin.power /= seeds;
      bin.anisotropy_db /= seeds;
    }
    return;
  }
  for (std::size_t i = 0; i < mean.bins.size() && i < one.bins.size(); ++i) {
    mean.bins[i].power += one.bins[i].power / seeds;
    mean.bins[i].anisotropy_db += one.bins[i].anisotropy_db / seeds;
  }
}

void add_scaled(const strew::PairCorrelationReport& one, int seeds, strew::PairCorrelationReport& mean) {
  if (mean.bins.empty()) {
    mean = one;
    for (strew::PairCorrelationBin& bin : mean.bins) {
      bin.g /= seeds;
    }
    return;
  }
  for (std::size_t i = 0; i < mean.bins.size(); ++i) {
    mean.bins[i].g += one.bins[i].g / seeds;
  }
}

/// Points of poisson/dart on a torus, one set for each seed, thrown side by side.
strew::Result<std::vector<strew::PointSet>> throw_darts(const strew::Rect& square, double radius, int seeds,
                                                        const strew::RunContext& context) {
  struct Task {
    strew::Rect square;
    strew::ParameterSet parameters;
    const strew::RunContext& context;
    std::vector<std::optional<strew::Result<strew::PointSet>>> made;
  };
  Task task{square, {}, context, {}};
  task.parameters.set("radius", radius);
  task.parameters.set("failures", kReferenceFailures);
  task.parameters.set("domain", "torus");
  task.made.resize(static_cast<std::size_t>(seeds));
  const auto one = [](void* self, std::uint64_t seed, std::uint32_t) -> int {
    Task& of = *static_cast<Task*>(self);
    strew::RunContext serial = of.context;
    serial.executor = nullptr;
    serial.progress = nullptr;
    of.made[seed] = strew::Generator().points("poisson/dart", {of.square, seed, 0}, of.parameters, serial);
    return 0;
  };
  if (context.executor != nullptr) {
    context.executor->run(context.executor->self, task.made.size(), &task, one);
  } else {
    for (std::uint64_t seed = 0; seed < task.made.size(); ++seed) {
      one(&task, seed, 0);
    }
  }
  std::vector<strew::PointSet> sets;
  for (auto& made : task.made) {
    if (!made.has_value()) {
      return strew::Status{strew::StatusCode::kCancelled, "stopped before the reference was made", "analyze"};
    }
    STREW_ASSIGN(strew::PointSet set, std::move(*made));
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace

strew::Result<Reference> make_reference(const SetAnalysis& set, const strew::RunContext& context) {
  constexpr double kFewestPoints = 2000;
  constexpr double kMostPoints = 12000;
  Reference reference;
  reference.seeds = 4;
  const bool by_radius = set.radius > 0;
  reference.radius = by_radius ? set.radius : std::sqrt(kSaturation / set.density());
  const double count = std::clamp(static_cast<double>(set.input->x.size()), kFewestPoints, kMostPoints);
  const double side = std::sqrt(count / kSaturation) * reference.radius;
  reference.label = fmt::format("poisson/dart of the same {}", by_radius ? "radius" : "density");
  STREW_ASSIGN(const strew::Rect square, strew::rect_from_metres(0, 0, side, side, "the reference's square"));
  STREW_ASSIGN(const std::vector<strew::PointSet> sets,
               throw_darts(square, reference.radius, reference.seeds, context));
  reference.nearest_bin = set.spacing.nearest.bin_width;
  reference.nearest_share.assign(set.spacing.nearest.counts.size(), 0.0);
  for (const strew::PointSet& made : sets) {
    PointInput input;
    input.window = {0, 0, side, side};
    for (std::size_t i = 0; i < made.size(); ++i) {
      input.x.push_back(strew::to_metres(made.unit_x(i)));
      input.y.push_back(strew::to_metres(made.unit_y(i)));
    }
    const strew::PointsView points = input.view();
    // No further than its own spectrum says anything, should the radius be far from the set's spacing.
    const double max_frequency = 3 * std::sqrt(std::min(set.density(), points.density()));
    STREW_ASSIGN(const auto spectrum,
                 strew::measure_spectrum(points, {.max_frequency = max_frequency}, context));
    add_scaled(spectrum, reference.seeds, reference.spectrum);
    const double max_distance = set.pairs.bin_width * static_cast<double>(set.pairs.bins.size());
    STREW_ASSIGN(const auto pairs, strew::measure_pair_correlation(
                                       points, {.max_distance = max_distance, .bins = kPairBins}, context));
    add_scaled(pairs, reference.seeds, reference.pairs);
    STREW_ASSIGN(const auto spacing,
                 strew::measure_spacing(points,
                                        {.bins = static_cast<std::uint32_t>(reference.nearest_share.size()),
                                         .bin_width = reference.nearest_bin},
                                        context));
    const double n = static_cast<double>(points.size());
    for (std::size_t i = 0; i < reference.nearest_share.size(); ++i) {
      reference.nearest_share[i] += static_cast<double>(spacing.nearest.counts[i]) / n / reference.seeds;
    }
    reference.normalised += points.density() * reference.radius * reference.radius / reference.seeds;
    reference.mean_nearest += spacing.mean_nearest / reference.seeds;
  }
  return reference;
}

}  // namespace strew_tool
