// Maps of snapped pieces. Names: snapmesh/what/kit/pieces. The benchmark kit needs the shared data; without
// it those are left out.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "strew/snapmesh_search.hpp"

namespace {

using namespace strew::snap;

void run(benchmark::State& state, const SelectionMethod& method, const char* parameter, std::int64_t value,
         Mode mode, bool scored) {
  Kit kit = built_in_kit();
  Rules rules = standard_rules();
  rules.mode = mode;
  strew::ParameterSet parameters;
  parameters.set(parameter, value);
  Pass pass;
  if (!validate_kit(kit).ok() || !configure(method, parameters, rules, pass).ok()) {
    state.SkipWithError("the benchmark's own kit or parameters are wrong");
    return;
  }
  auto assembler = Assembler::create(kit, rules, {pass});
  std::vector<strew::nav::PieceRegions> regions;
  for (const Piece& piece : kit.pieces) {
    strew::nav::PieceRegions r;
    r.areas = {100};
    r.at_connector.assign(piece.connectors.size(), 0);
    r.end_loss.assign(piece.connectors.size(), 1);
    regions.push_back(r);
  }
  auto scorer = FastScorer::create(kit, regions);
  std::int64_t seed = 0;
  std::size_t pieces = 0;
  double sum = 0;
  for (auto _ : state) {
    static_cast<void>(assembler.value().run(seed++));
    pieces += assembler.value().pieces();
    sum += scored ? scorer.value().score(assembler.value()).largest_share : 0;
  }
  benchmark::DoNotOptimize(sum);
  state.counters["pieces"] =
      benchmark::Counter(static_cast<double>(pieces), benchmark::Counter::kAvgIterations);
  state.counters["seeds_per_second"] =
      benchmark::Counter(static_cast<double>(seed), benchmark::Counter::kIsRate);
}

const bool registered = [] {
  const auto add = [](const char* name, const SelectionMethod& method, const char* parameter,
                      std::int64_t value, Mode mode, bool scored) {
    benchmark::RegisterBenchmark(name, [=, &method](benchmark::State& state) {
      run(state, method, parameter, value, mode, scored);
    })->Unit(benchmark::kMicrosecond);
  };
  add("snapmesh/reference/corridor/20", corridor(), "max_pieces", 20, Mode::kReference, false);
  add("snapmesh/reference/arena/20", arena(), "max_pieces", 20, Mode::kReference, false);
  add("snapmesh/standard/arena/20", arena(), "max_pieces", 20, Mode::kStandard, false);
  add("snapmesh/standard/arena_scored/20", arena(), "max_pieces", 20, Mode::kStandard, true);
  add("snapmesh/standard/arena/200", arena(), "max_pieces", 200, Mode::kStandard, false);
  add("snapmesh/standard/arena/2000", arena(), "max_pieces", 2000, Mode::kStandard, false);
  add("snapmesh/standard/arena/20000", arena(), "max_pieces", 20000, Mode::kStandard, false);
  return true;
}();

}  // namespace
