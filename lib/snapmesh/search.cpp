// All seeds over all workers. Every value goes to the slot of its seed; ranking and histogram are made from
// the slots at the end, so that neither threads nor order nor an interruption can show.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "guard.hpp"
#include "parallel.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew::snap {
namespace {

/// Requirements of structure first, those that need a score after; each group in the order given.
std::vector<std::size_t> order_of(const SearchSpec& spec) {
  std::vector<std::size_t> order;
  for (const bool scored : {false, true}) {
    for (std::size_t r = 0; r < spec.requirements.size(); ++r) {
      if (((spec.requirements[r].uses() & score_measures()) != 0) == scored) {
        order.push_back(r);
      }
    }
  }
  return order;
}

/// Regions are for passes that connect; growth does not read them.
std::span<const nav::PieceRegions> with_regions(const std::vector<Pass>& passes,
                                                const std::vector<nav::PieceRegions>& regions) {
  const bool connects = std::any_of(passes.begin(), passes.end(), [](const Pass& pass) {
    return pass.method != nullptr && pass.method->connects();
  });
  return connects ? std::span(regions) : std::span<const nav::PieceRegions>();
}

/// The evaluation of one seed.
class Evaluator {
 public:
  static Result<Evaluator> create(const Kit& kit, const Rules& rules, const std::vector<Pass>& passes,
                                  const std::vector<nav::PieceRegions>& regions, const SearchSpec& spec,
                                  Isa isa) {
    STREW_ASSIGN(Assembler assembler,
                 Assembler::create(kit, rules, passes, isa, with_regions(passes, regions)));
    Evaluator out(kit, spec, std::move(assembler));
    std::uint32_t uses = spec.objective.uses();
    for (const Expression& requirement : spec.requirements) {
      uses |= requirement.uses();
    }
    if ((uses & score_measures()) != 0) {
      STREW_ASSIGN(FastScorer scorer, FastScorer::create(kit, regions));
      out.scorer_.push_back(std::move(scorer));
    }
    out.order_ = order_of(spec);
    return out;
  }

  Status evaluate(std::int64_t seed, double& objective, std::uint8_t& failed) {
    STREW_RETURN_IF_ERROR(assembler_.run(seed));
    Measures measures{};
    std::uint32_t made = 0;
    bool scored = false;
    nav::Score score;
    const auto provide = [&](std::uint32_t uses) {
      if ((uses & ~made) == 0) {
        return;
      }
      if ((uses & score_measures()) != 0 && !scored) {
        score = scorer_.front().score(assembler_);
        scored = true;
      }
      measure(*kit_, assembler_, scored ? &score : nullptr, uses, measures);
      made |= uses;
    };
    for (const std::size_t r : order_) {
      provide(spec_->requirements[r].uses());
      const double met = spec_->requirements[r].value(measures);
      if (met == 0 || std::isnan(met)) {
        failed = static_cast<std::uint8_t>(r + 1);
        objective = std::numeric_limits<double>::quiet_NaN();
        return {};
      }
    }
    provide(spec_->objective.uses());
    failed = 0;
    objective = spec_->objective.value(measures);
    return {};
  }

 private:
  Evaluator(const Kit& kit, const SearchSpec& spec, Assembler assembler)
      : kit_(&kit), spec_(&spec), assembler_(std::move(assembler)) {}
  const Kit* kit_;
  const SearchSpec* spec_;
  Assembler assembler_;
  std::vector<FastScorer> scorer_;  ///< none or one
  std::vector<std::size_t> order_;
};

Status check_spec(const SearchSpec& spec) {
  if (spec.seeds == 0 || spec.seeds > kMaximumSeeds) {
    return invalid_argument(
        "asks for " + std::to_string(spec.seeds) + " seeds; expected 1 to " + std::to_string(kMaximumSeeds),
        "seeds");
  }
  if (spec.first_seed > std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(spec.seeds)) {
    return invalid_argument("runs beyond the largest seed", "seeds");
  }
  if (spec.requirements.size() > 32) {
    return invalid_argument("there are more than 32; join some with &&", "require");
  }
  return {};
}

void rank(const SearchSpec& spec, std::size_t top, SearchResult& result) {
  result.failures.assign(spec.requirements.size(), 0);
  std::vector<std::uint64_t> order;
  for (std::uint64_t i = 0; i < spec.seeds; ++i) {
    if (result.failed[i] != 0) {
      ++result.failures[result.failed[i] - 1U];
    } else {
      ++result.qualified;
      if (!std::isnan(result.objective[i])) {
        order.push_back(i);
      }
    }
  }
  if (result.qualified == 0) {
    std::vector<std::size_t> met(spec.requirements.size(), 0);
    const std::vector<std::size_t> looked_at = order_of(spec);
    for (std::size_t i = 0; i < looked_at.size(); ++i) {
      met[looked_at[i]] = i;
    }
    std::uint64_t closest = 0;
    for (std::uint64_t i = 1; i < spec.seeds; ++i) {
      if (met[result.failed[i] - 1U] > met[result.failed[closest] - 1U]) {
        closest = i;
      }
    }
    result.closest = spec.first_seed + static_cast<std::int64_t>(closest);
  }
  const auto better = [&](std::uint64_t a, std::uint64_t b) {
    const double x = result.objective[a];
    const double y = result.objective[b];
    return x != y ? x > y : a < b;
  };
  const std::size_t keep = std::min(top, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(keep), order.end(), better);
  for (std::size_t i = 0; i < keep; ++i) {
    result.best.push_back(
        {spec.first_seed + static_cast<std::int64_t>(order[i]), result.objective[order[i]]});
  }
}

}  // namespace

Result<SearchResult> search_seeds(const Kit& kit, const Rules& rules, const std::vector<Pass>& passes,
                                  const std::vector<nav::PieceRegions>& regions, const SearchSpec& spec,
                                  std::size_t top, const RunContext& context,
                                  std::span<const ChunkResult> done, ChunkSink sink, void* sink_self) {
  return guarded([&]() -> Result<SearchResult> {
    STREW_RETURN_IF_ERROR(check_spec(spec));
    const std::uint64_t chunks = (spec.seeds + kChunk - 1) / kChunk;
    const auto length_of = [&](std::uint64_t chunk) {
      return std::min<std::uint64_t>(kChunk, spec.seeds - chunk * kChunk);
    };
    SearchResult result;
    result.objective.assign(spec.seeds, std::numeric_limits<double>::quiet_NaN());
    result.failed.assign(spec.seeds, 0);
    std::vector<std::uint8_t> known(chunks, 0);
    for (const ChunkResult& chunk : done) {
      if (chunk.chunk >= chunks || chunk.objective.size() != length_of(chunk.chunk) ||
          chunk.failed.size() != chunk.objective.size()) {
        return invalid_argument("holds a part that is not of this search; start again in another folder",
                                "resume");
      }
      std::copy(chunk.objective.begin(), chunk.objective.end(),
                result.objective.begin() + static_cast<std::ptrdiff_t>(chunk.chunk * kChunk));
      std::copy(chunk.failed.begin(), chunk.failed.end(),
                result.failed.begin() + static_cast<std::ptrdiff_t>(chunk.chunk * kChunk));
      known[chunk.chunk] = 1;
    }
    std::vector<std::uint64_t> todo;
    for (std::uint64_t c = 0; c < chunks; ++c) {
      if (known[c] == 0) {
        todo.push_back(c);
      }
    }
    std::vector<Evaluator> evaluators;
    for (std::uint32_t w = 0; w < worker_count(context); ++w) {
      STREW_ASSIGN(Evaluator evaluator,
                   Evaluator::create(kit, rules, passes, regions, spec, context.max_isa));
      evaluators.push_back(std::move(evaluator));
    }
    std::mutex mutex;
    STREW_RETURN_IF_ERROR(
        parallel_for(context, todo.size(), [&](std::uint64_t index, std::uint32_t worker) -> Status {
          const std::uint64_t chunk = todo[index];
          const std::uint64_t begin = chunk * kChunk;
          for (std::uint64_t i = begin; i < begin + length_of(chunk); ++i) {
            STREW_RETURN_IF_ERROR(evaluators[worker].evaluate(spec.first_seed + static_cast<std::int64_t>(i),
                                                              result.objective[i], result.failed[i]));
          }
          if (sink == nullptr) {
            return {};
          }
          ChunkResult out;
          out.chunk = chunk;
          const auto from = static_cast<std::ptrdiff_t>(begin);
          const auto to = static_cast<std::ptrdiff_t>(begin + length_of(chunk));
          out.objective.assign(result.objective.begin() + from, result.objective.begin() + to);
          out.failed.assign(result.failed.begin() + from, result.failed.begin() + to);
          const std::lock_guard lock(mutex);
          return sink(sink_self, out);
        }));
    rank(spec, top, result);
    return result;
  });
}

Histogram histogram(std::span<const double> objective, std::size_t bins) {
  Histogram out;
  bool any = false;
  for (const double value : objective) {
    if (!std::isfinite(value)) {
      continue;
    }
    out.low = any ? std::min(out.low, value) : value;
    out.high = any ? std::max(out.high, value) : value;
    any = true;
  }
  if (!any || bins == 0) {
    return out;
  }
  out.counts.assign(bins, 0);
  const double width = (out.high - out.low) / static_cast<double>(bins);
  for (const double value : objective) {
    if (std::isfinite(value)) {
      const auto bin = width > 0 ? static_cast<std::size_t>((value - out.low) / width) : 0;
      ++out.counts[std::min(bin, bins - 1)];
    }
  }
  return out;
}

}  // namespace strew::snap
