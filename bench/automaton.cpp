// Cellular automata. Names: automaton/WHAT/RULE/VARIANT/ISA/SIZE/GENERATIONS/THREADS, WHAT being step (a grid
// in memory), fill (generation 0 alone), fused (fill and generations in one pass), points (fused, then points
// with jitter in memory), or copy: memcpy of as many bytes as the grid has, the yardstick. Every result is
// compared with another variant's once, on a strip of the grid, before it is timed. Large sizes only with the
// environment variable STREW_BENCH_LARGE.
#include <benchmark/benchmark.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strew/automaton.hpp"

namespace {

/// Pages of 2 MiB for grids, as an engine would lend them: a strip's rows lie pages apart.
void* allocate(void* /*self*/, std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t kHuge = std::size_t{2} << 20;
  const std::size_t to = bytes >= kHuge ? kHuge : alignment;
  void* const memory = std::aligned_alloc(to, (bytes + to - 1) / to * to);
#if defined(__linux__)
  if (memory != nullptr && bytes >= kHuge) {
    madvise(memory, bytes, MADV_HUGEPAGE);
  }
#endif
  return memory;
}
const strew::Allocator kHugePages{
    allocate, [](void*, void* memory, std::size_t, std::size_t) { std::free(memory); }, nullptr};

struct Case {
  std::string what;
  std::string rule = "day-and-night";
  strew::AutomatonVariant variant = strew::AutomatonVariant::kBest;
  std::string isa = "best";
  std::int64_t size = 2048;
  std::int64_t generations = 10;
  std::uint32_t threads = 1;
};

struct Setup {
  std::optional<strew::ThreadPool> pool;
  strew::RunContext context;
  strew::AutomatonOptions options;
  strew::AutomatonRule rule;
};

/// Why the case cannot run; empty when it can.
std::string prepare(const Case& what, Setup& setup) {
  if (what.threads > 1) {
    auto made = strew::ThreadPool::create(what.threads);
    if (!made.ok()) {
      return made.status().text();
    }
    setup.pool.emplace(std::move(made).value());
    setup.context.executor = &setup.pool->executor();
  }
  setup.context.allocator = &kHugePages;
  setup.context.max_isa = strew::parse_isa(what.isa).value();
  setup.options.variant = what.variant;
  setup.rule = strew::parse_rule(what.rule).value().rule;
  const auto isa = strew::automaton_isa(what.variant, setup.context);
  return isa.ok() ? std::string() : isa.status().text();
}

/// A strip of the same rule by 64-bit words, one generation a pass: the result must be the same.
std::string check(const Case& what, const Setup& setup) {
  const strew::AutomatonPlane plane{setup.rule, {0.7, 1, 0}, what.what == "fill" ? 0 : what.generations};
  const strew::CellRange strip{0, 0, std::min<std::int64_t>(what.size, 9000), 24};
  auto fast = strew::automaton_window(plane, strip, setup.options, setup.context);
  strew::AutomatonOptions plain;
  plain.variant = strew::AutomatonVariant::kSwar;
  plain.depth = 1;
  auto slow = strew::automaton_window(plane, strip, plain);
  if (!fast.ok() || !slow.ok()) {
    return fast.ok() ? slow.status().text() : fast.status().text();
  }
  return fast.value() == slow.value() ? std::string() : "differs from automaton/swar";
}

void run(benchmark::State& state, const Case& what) {
  Setup setup;
  std::string wrong = prepare(what, setup);
  wrong = wrong.empty() ? check(what, setup) : wrong;
  auto made = strew::BitGrid::create(what.size, what.size, &kHugePages);
  if (!wrong.empty() || !made.ok()) {
    state.SkipWithError((wrong.empty() ? made.status().text() : wrong).c_str());
    return;
  }
  strew::BitGrid grid = std::move(made).value();
  strew::BitGrid spare;
  const strew::AutomatonPlane plane{setup.rule, {0.7, 1, 0}, what.what == "fill" ? 0 : what.generations};
  strew::Status status = strew::fill_grid(plane.fill, 0, 0, grid, {}, setup.context);
  const bool copies = what.what == "copy" || what.what == "step";
  if (status.ok() && copies) {
    // The spare grid is made, and its pages touched, outside the timing.
    status = strew::advance(setup.rule, strew::Border::kDead, 1, grid, spare, setup.options, setup.context);
    std::swap(grid, spare);  // back to generation 0
  }
  std::uint64_t hash = 0;  // of the first result: later ones depend on how many there are
  const std::size_t bytes = static_cast<std::size_t>(grid.stride() * grid.height()) * 8;
  for (auto _ : state) {
    if (what.what == "copy") {
      std::memcpy(spare.row(0), grid.row(0), bytes);
      benchmark::ClobberMemory();
    } else if (what.what == "step") {
      status = strew::advance(setup.rule, strew::Border::kDead, what.generations, grid, spare, setup.options,
                              setup.context);
    } else {
      status = strew::automaton_window(plane, 0, 0, grid, setup.options, setup.context);
    }
    if (!status.ok()) {
      state.SkipWithError(status.text().c_str());
      return;
    }
    if (hash == 0) {
      state.PauseTiming();
      hash = strew::hash_cells(grid).digest();
      state.ResumeTiming();
    }
  }
  const double cells = static_cast<double>(what.size) * static_cast<double>(what.size);
  const bool stepped = what.what == "step" || what.what == "fused";
  state.counters["updates/s"] =
      benchmark::Counter(cells * (stepped ? static_cast<double>(what.generations) : 1.0),
                         benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(std::to_string(hash));
}

void run_points(benchmark::State& state, const Case& what) {
  Setup setup;
  const std::string wrong = prepare(what, setup);
  if (!wrong.empty()) {
    state.SkipWithError(wrong.c_str());
    return;
  }
  strew::ParameterSet parameters;
  parameters.set("cell", 1.0);
  parameters.set("jitter", 0.5);
  const auto side = static_cast<double>(what.size);
  const strew::PointRequest request{strew::rect_from_metres(0, 0, side, side, "size").value(), 1, 0};
  const auto resolved = strew::ResolvedParameters::resolve(strew::forest_strategy().info(), parameters);
  strew::PointSet points;
  for (auto _ : state) {
    const strew::Status status =
        strew::forest_strategy().generate(request, resolved.value(), setup.context, points);
    if (!status.ok()) {
      state.SkipWithError(status.text().c_str());
      return;
    }
  }
  state.counters["points/s"] =
      benchmark::Counter(static_cast<double>(points.size()), benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(std::to_string(strew::hash_points(points).digest()));
}

void add(Case what) {
  const std::string name = "automaton/" + what.what + "/" + what.rule + "/" +
                           std::string(strew::to_string(what.variant)) + "/" + what.isa + "/" +
                           std::to_string(what.size) + "/" + std::to_string(what.generations) + "/" +
                           std::to_string(what.threads);
  benchmark::RegisterBenchmark(name.c_str(),
                               [what = std::move(what)](benchmark::State& state) {
                                 what.what == "points" ? run_points(state, what) : run(state, what);
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

void add_size(std::int64_t size) {
  using strew::AutomatonVariant;
  const bool large = size > 16384;
  add({.what = "copy", .size = size});
  add({.what = "fill", .size = size});
  add({.what = "fused", .size = size});
  add({.what = "fused", .size = size, .threads = 2});
  // B3/S23, a run-time rule and the compiled-in ones, at each number of generations.
  for (const char* rule : {"day-and-night", "life", "caves", "B25678/S2468"}) {
    for (const std::int64_t generations : {1, 10, 100}) {
      add({.what = "step", .rule = rule, .size = size, .generations = generations});
    }
  }
  add({.what = "step", .size = size, .threads = 2});
  for (const char* isa : {"sse4", "avx2", "avx512"}) {
    add({.what = "step", .variant = AutomatonVariant::kHwy, .isa = isa, .size = size});
    add({.what = "step", .variant = AutomatonVariant::kXsimd, .isa = isa, .size = size});
    add({.what = "fill", .variant = AutomatonVariant::kHwy, .isa = isa, .size = size});
  }
  if (!large) {
    add({.what = "step", .variant = AutomatonVariant::kSwar, .size = size});
    add({.what = "points", .size = size / 4});
  }
}

const bool registered = [] {
  add({.what = "step", .variant = strew::AutomatonVariant::kRef, .size = 512});
  add_size(2048);
  add_size(16384);
  if (std::getenv("STREW_BENCH_LARGE") != nullptr) {
    add_size(65536);
  }
  return true;
}();

}  // namespace
