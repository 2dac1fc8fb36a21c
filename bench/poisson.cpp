// Point strategies over squares of the plane. Names: domain/algorithm/backend/isa/size/threads; "size" is the
// side of the square in metres at a radius (or spacing) of 1 m. The output is checked once before it is
// timed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strew/context.hpp"
#include "strew/strategy.hpp"

namespace {

struct Case {
  std::string id;  ///< full id
  strew::ParameterSet parameters;
  double size_m = 0;
  std::uint32_t threads = 1;
  std::string isa = "scalar";
};

/// Smallest squared distance in units, or nothing when it is not below `bound`: points sorted by y, each
/// compared with those at most the bound above it.
bool closer_than(const strew::PointSet& points, double metres) {
  struct Place {
    double x;
    double y;
  };
  std::vector<Place> places(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    places[i] = {strew::to_metres(points.unit_x(i)), strew::to_metres(points.unit_y(i))};
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.x < b.x; });
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size() && places[j].x - places[i].x < metres; ++j) {
      const double dx = places[j].x - places[i].x;
      const double dy = places[j].y - places[i].y;
      if (dx * dx + dy * dy < metres * metres) {
        return true;
      }
    }
  }
  return false;
}

/// Why the output may not be timed; empty when it may.
std::string check(const Case& what, const strew::PointSet& points) {
  const auto registry = strew::builtin_registry();
  const auto strategy = registry.find_points(what.id);
  const auto parameters = strew::ResolvedParameters::resolve(strategy.value()->info(), what.parameters);
  const double distance = strategy.value()->minimum_distance(parameters.value());
  if (points.size() == 0) {
    return "no points";
  }
  if (distance > 0 && closer_than(points, distance)) {
    return "two points are closer than " + std::to_string(distance) + " m";
  }
  return {};
}

void run(benchmark::State& state, const Case& what) {
  const strew::Generator generator;
  std::optional<strew::ThreadPool> pool;
  strew::RunContext context;
  if (what.threads > 1) {
    auto made = strew::ThreadPool::create(what.threads);
    if (!made.ok()) {
      state.SkipWithError(made.status().text().c_str());
      return;
    }
    pool.emplace(std::move(made).value());
    context.executor = &pool->executor();
  }
  const auto isa = strew::parse_isa(what.isa);
  const auto region = strew::rect_from_metres(0, 0, what.size_m, what.size_m, "size");
  if (!isa.ok() || !region.ok()) {
    state.SkipWithError("the benchmark's own isa or size is wrong");
    return;
  }
  context.max_isa = isa.value();
  const strew::PointRequest request = {.region = region.value(), .seed = 1, .stream = 0};
  auto points = generator.points(what.id, request, what.parameters, context);
  const std::string wrong = points.ok() ? check(what, points.value()) : points.status().text();
  if (!wrong.empty()) {
    state.SkipWithError(wrong.c_str());
    return;
  }
  for (auto _ : state) {
    points = generator.points(what.id, request, what.parameters, context);
    benchmark::DoNotOptimize(points);
  }
  const auto count = static_cast<double>(points.value().size());
  state.counters["points_per_second"] =
      benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["Nr2_A"] = count / (what.size_m * what.size_m);
  // A double holds 32 bits exactly; the whole hash is in the label.
  const std::uint64_t hash = strew::hash_points(points.value()).digest();
  state.counters["hash"] = static_cast<double>(hash & 0xFFFFFFFFU);
  state.SetLabel(std::to_string(hash));
}

void add(Case what) {
  const std::string name = what.id + "/" + what.isa + "/" + std::to_string(static_cast<int>(what.size_m)) +
                           "/" + std::to_string(what.threads);
  benchmark::RegisterBenchmark(name.c_str(),
                               [what = std::move(what)](benchmark::State& state) { run(state, what); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

// Every backend of an algorithm on every ISA that this machine has, so that rivals run interleaved;
// references and the scalar classics are scalar whatever is allowed.
void add_backends(const std::string& id, const strew::ParameterSet& parameters,
                  const std::vector<double>& sizes, const std::vector<std::uint32_t>& threads) {
  for (const strew::Strategy* strategy : strew::builtin_registry().strategies) {
    if (strategy->info().id != id) {
      continue;
    }
    const bool scalar = strategy->info().backend == "ref";
    for (const char* const isa : {"scalar", "sse4", "avx2", "avx512"}) {
      const bool is_scalar = std::string(isa) == "scalar";
      if (is_scalar ? strategy->info().backend == "xsimd" : scalar) {
        continue;
      }
      for (const double size : sizes) {
        for (const std::uint32_t workers : threads) {
          add({.id = strategy->info().full_id(),
               .parameters = parameters,
               .size_m = size,
               .threads = workers,
               .isa = isa});
        }
      }
    }
  }
}

const bool registered = [] {
  strew::ParameterSet radius;
  radius.set("radius", 1.0);
  // 10^5, 10^6 and 10^7 points at saturation; and 256 x 256 cells, the tile of a game that asks for it now.
  constexpr double kTile = 256 / 1.4142135623730951;
  add_backends("poisson/tiled", radius, {kTile, 379, 1198, 3789}, {1, 2});
  for (const char* const id : {"poisson/bridson", "poisson/phased", "poisson/stamp"}) {
    add_backends(id, radius, {379, 1198, 3789}, {1});
  }
  add_backends("poisson/dart", radius, {379}, {1});
  strew::ParameterSet count;
  count.set("radius", 1.0);
  add_backends("poisson/elimination", count, {379}, {1});
  strew::ParameterSet spacing;
  spacing.set("spacing_along", 1.0);
  spacing.set("spacing_across", 1.0);
  add_backends("rows", spacing, {379}, {1});
  return true;
}();

}  // namespace
