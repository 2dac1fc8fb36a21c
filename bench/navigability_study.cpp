// How far the fast navigability score is from the exact one: strew_navigability_study KIT METHOD PIECES SEEDS
// [name=value ...] KIT is a kit file or builtin; settings are agent_radius, agent_height, agent_climb;
// seconds: no map is begun after. Prints one table row per measure.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "strew/io/kit.hpp"
#include "strew/navigation_recast.hpp"
#include "strew/snapmesh_search.hpp"

namespace {

using namespace strew;

struct Outcome {
  snap::Measures fast{};
  nav::Score fast_score;
  nav::Score exact_score;
  bool built = false;
  bool tried = false;
};

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> out(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) {
      ++end;
    }
    for (std::size_t k = i; k < end; ++k) {
      out[order[k]] = static_cast<double>(i + end - 1) / 2;
    }
    i = end;
  }
  return out;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  const double ma = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mb = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) * (a[i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 1;
}

void row(const char* name, const std::vector<double>& fast, const std::vector<double>& exact) {
  std::vector<double> apart;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < fast.size(); ++i) {
    apart.push_back(std::abs(fast[i] - exact[i]));
    worst = apart[i] > apart[worst] ? i : worst;
  }
  const double worst_value = apart[worst];
  const auto beyond = [&](double limit) {
    return 100.0 *
           static_cast<double>(
               std::count_if(apart.begin(), apart.end(), [&](double d) { return d > limit; })) /
           static_cast<double>(apart.size());
  };
  const double mean = std::accumulate(apart.begin(), apart.end(), 0.0) / static_cast<double>(apart.size());
  const double over_1 = beyond(0.01);
  const double over_5 = beyond(0.05);
  std::sort(apart.begin(), apart.end());
  std::printf(
      "%-8s maps %zu  rank correlation %.4f  mean %.5f  median %.5f  99%% %.5f  worst %.5f (map %zu)  "
      "beyond 0.01: %.2f %%  beyond 0.05: %.2f %%\n",
      name, fast.size(), correlation(ranks(fast), ranks(exact)), mean, apart[apart.size() / 2],
      apart[apart.size() * 99 / 100], worst_value, worst, over_1, over_5);
}

int fail(const Status& status) {
  std::fprintf(stderr, "%s\n", status.text().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr,
                 "usage: %s KIT|builtin METHOD PIECES SEEDS [agent_radius=.. agent_height=.. agent_climb=.. "
                 "seconds=..]\n",
                 argv[0]);
    return 2;
  }
  snap::Kit kit = snap::built_in_kit();
  if (std::string(argv[1]) != "builtin") {
    auto read = read_kit(argv[1]);
    if (!read.ok()) {
      return fail(read.status());
    }
    kit = snap::to_z_up(std::move(read).value());
  }
  if (const Status status = snap::validate_kit(kit); !status.ok()) {
    return fail(status);
  }
  nav::Settings walker;
  double seconds = 1e9;
  for (int i = 5; i < argc; ++i) {
    const std::string word = argv[i];
    const double value = std::atof(word.c_str() + word.find('=') + 1);
    double& setting = word.starts_with("agent_radius")   ? walker.agent_radius
                      : word.starts_with("agent_height") ? walker.agent_height
                      : word.starts_with("agent_climb")  ? walker.agent_climb
                                                         : seconds;
    setting = value;
  }
  const auto method = snap::find_method(builtin_registry(), argv[2]);
  if (!method.ok()) {
    return fail(method.status());
  }
  snap::Rules rules = snap::standard_rules();
  ParameterSet parameters;
  parameters.set("max_pieces", std::int64_t{std::atoi(argv[3])});
  snap::Pass pass;
  if (const Status status = snap::configure(*method.value(), parameters, rules, pass); !status.ok()) {
    return fail(status);
  }
  const auto pool = ThreadPool::create(0);
  RunContext context;
  context.executor = &pool.value().executor();
  const auto regions = nav::piece_regions(kit, walker, context);
  if (!regions.ok()) {
    return fail(regions.status());
  }
  const auto start = std::chrono::steady_clock::now();
  std::vector<Outcome> outcomes(static_cast<std::size_t>(std::atoi(argv[4])));
  const auto one = [&](std::uint64_t seed) {
    auto assembler = snap::Assembler::create(kit, rules, {pass});
    auto scorer = snap::FastScorer::create(kit, regions.value());
    Outcome& out = outcomes[seed];
    if (std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds)) {
      return 0;
    }
    out.tried = true;
    snap::Map map;
    static_cast<void>(assembler.value().run(static_cast<std::int64_t>(seed)));
    assembler.value().copy_map(map);
    out.fast_score = scorer.value().score(assembler.value());
    const auto navmesh = nav::Navmesh::build(nav::map_mesh(kit, map), walker, nav::map_zones(kit, map));
    out.built = navmesh.ok();
    if (navmesh.ok()) {
      out.exact_score = navmesh.value().score();
    }
    return 0;
  };
  static_cast<void>(context.executor->run(context.executor->self, outcomes.size(),
                                          const_cast<void*>(static_cast<const void*>(&one)),
                                          [](void* task, std::uint64_t index, std::uint32_t) {
                                            return (*static_cast<decltype(one)*>(task))(index);
                                          }));
  std::vector<double> fast[3];
  std::vector<double> exact[3];
  std::size_t refused = 0;
  for (const Outcome& out : outcomes) {
    refused += out.tried && !out.built ? 1U : 0U;
    if (out.built) {
      fast[0].push_back(out.fast_score.largest_share);
      exact[0].push_back(out.exact_score.largest_share);
      fast[1].push_back(out.fast_score.connected_share);
      exact[1].push_back(out.exact_score.connected_share);
      fast[2].push_back(out.fast_score.area / std::max(1e-9, out.exact_score.area));
      exact[2].push_back(1);
    }
  }
  if (fast[0].empty()) {
    std::fprintf(stderr, "no map could be built\n");
    return 1;
  }
  row("A_r_max", fast[0], exact[0]);
  row("c_bar", fast[1], exact[1]);
  row("area", fast[2], exact[2]);
  std::printf("refused as too large: %zu\n", refused);
  return 0;
}
