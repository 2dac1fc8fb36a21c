// All seeds over all workers. Every value goes to the slot of its seed; ranking and histogram are made from
// the slots at the end, so that neither threads nor order nor an interruption can show.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

#include "evaluate.hpp"
#include "guard.hpp"
#include "parallel.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew::snap {
namespace {

Status check_spec(const SearchSpec& spec) {
  if (spec.seeds == 0 || spec.seeds > kMaximumSeeds) {
    return invalid_argument(
        "asks for " + std::to_string(spec.seeds) + " seeds; expected 1 to " + std::to_string(kMaximumSeeds),
        "seeds");
  }
  const auto beyond_first = static_cast<std::int64_t>(spec.seeds - 1);
  if (spec.first_seed > std::numeric_limits<std::int64_t>::max() - beyond_first) {
    return invalid_argument("run beyond the largest seed, 9223372036854775807; begin lower or ask for fewer",
                            "seeds");
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
    if (result.failed[i] != 0 && result.failed[i] != kBeyondRanking) {
      ++result.failures[result.failed[i] - 1U];
    } else {
      ++result.qualified;
      if (!std::isnan(result.objective[i])) {
        order.push_back(i);
      }
    }
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

/// What SearchResult::closest is. Nearness is made only here, so that a search that finds something pays
/// nothing for it.
Status find_closest(const SearchSpec& spec, std::vector<Evaluator>& evaluators, const RunContext& context,
                    SearchResult& result) {
  std::vector<std::size_t> met(spec.requirements.size(), 0);
  const std::vector<std::size_t> looked_at = requirement_order(spec);
  for (std::size_t i = 0; i < looked_at.size(); ++i) {
    met[looked_at[i]] = i;
  }
  std::size_t next = result.failed.front() - 1U;
  for (const std::uint8_t failed : result.failed) {
    next = met[failed - 1U] > met[next] ? failed - 1U : next;
  }
  struct Near {
    double missing = std::numeric_limits<double>::infinity();
    std::uint64_t seed = std::numeric_limits<std::uint64_t>::max();  ///< counted from the first
  };
  std::vector<Near> nearest((spec.seeds + kChunk - 1) / kChunk);
  const auto keep_nearer = [](Near& kept, const Near& other) {
    if (other.missing < kept.missing || (other.missing == kept.missing && other.seed < kept.seed)) {
      kept = other;
    }
  };
  STREW_RETURN_IF_ERROR(
      parallel_for(context, nearest.size(), [&](std::uint64_t chunk, std::uint32_t worker) -> Status {
        const std::uint64_t end = std::min<std::uint64_t>(spec.seeds, (chunk + 1) * kChunk);
        for (std::uint64_t i = chunk * kChunk; i < end; ++i) {
          if (result.failed[i] != next + 1) {
            continue;
          }
          STREW_ASSIGN(const double missing,
                       evaluators[worker].shortfall(spec.first_seed + static_cast<std::int64_t>(i), next));
          keep_nearer(nearest[chunk], {missing, i});
        }
        return {};
      }));
  Near closest;
  for (const Near& near : nearest) {
    keep_nearer(closest, near);
  }
  result.closest = spec.first_seed + static_cast<std::int64_t>(closest.seed);
  return {};
}

/// The k best objectives seen so far, whatever the order: what is below the worst of them is below it at the
/// end.
class Kept {
 public:
  explicit Kept(std::size_t top) : top_(top) {}
  [[nodiscard]] double worst() const noexcept { return worst_.load(std::memory_order_relaxed); }
  void add(std::span<const double> objective) {
    const std::lock_guard lock(mutex_);
    for (const double value : objective) {
      if (std::isnan(value) || (best_.size() == top_ && (top_ == 0 || value <= best_.front()))) {
        continue;
      }
      best_.push_back(value);
      std::push_heap(best_.begin(), best_.end(), std::greater<>());
      if (best_.size() > top_) {
        std::pop_heap(best_.begin(), best_.end(), std::greater<>());
        best_.pop_back();
      }
    }
    if (best_.size() == top_ && top_ > 0) {
      worst_.store(best_.front(), std::memory_order_relaxed);
    }
  }

 private:
  std::size_t top_;
  std::mutex mutex_;
  std::vector<double> best_;  ///< a heap, the worst in front
  std::atomic<double> worst_{-std::numeric_limits<double>::infinity()};
};

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
      const auto of_this_search = [&](std::uint8_t failed) {
        return failed <= spec.requirements.size() || (failed == kBeyondRanking && spec.ranking_only);
      };
      if (chunk.chunk >= chunks || chunk.objective.size() != length_of(chunk.chunk) ||
          chunk.failed.size() != chunk.objective.size() ||
          !std::all_of(chunk.failed.begin(), chunk.failed.end(), of_this_search)) {
        return invalid_argument("holds a part that is not of this search; start again in another folder",
                                "resume");
      }
      std::copy(chunk.objective.begin(), chunk.objective.end(),
                result.objective.begin() + static_cast<std::ptrdiff_t>(chunk.chunk * kChunk));
      std::copy(chunk.failed.begin(), chunk.failed.end(),
                result.failed.begin() + static_cast<std::ptrdiff_t>(chunk.chunk * kChunk));
      known[chunk.chunk] = 1;
    }
    Kept kept(top);
    if (spec.ranking_only) {
      kept.add(result.objective);  // of the parts known already; all others are NaN
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
                                                              kept.worst(), result.objective[i],
                                                              result.failed[i]));
          }
          if (spec.ranking_only) {
            kept.add(std::span(result.objective).subspan(begin, length_of(chunk)));
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
    if (result.qualified == 0) {
      STREW_RETURN_IF_ERROR(find_closest(spec, evaluators, context, result));
    }
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
