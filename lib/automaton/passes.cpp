#include "passes.hpp"

#include <algorithm>
#include <vector>

#include "parallel.hpp"
#include "scratch.hpp"
#include "sources.hpp"

namespace strew::automaton {
namespace {

/// Words [first, first + kept) of `out`'s rows, from a strip whose word `skipped` is the first of them.
struct StripPlan {
  std::int64_t word0 = 0;  ///< the strip's first word, in the world's words
  std::int32_t log_v = 0;
  std::int64_t first = 0;
  std::int64_t kept = 0;
  std::int64_t skipped = 0;
  bool masked = false;
};

std::vector<StripPlan> plan_strips(const WaveKernel& wave, const Bounds& bounds, std::int64_t word0,
                                   std::int64_t words) {
  const bool pinned = bounds.limited && bounds.border != Border::kPeriodic;
  // A dead border is what enters a strip at its ends: a strip that ends where the world ends needs no halo
  // there.
  const bool dead = bounds.limited && bounds.border == Border::kDead;
  const bool whole_words = bounds.width % 64 == 0;
  std::vector<StripPlan> plans;
  for (std::int64_t at = 0; at < words;) {
    const std::int64_t left = words - at;
    StripPlan plan;
    const std::int64_t halo_before = dead && word0 + at == 0 ? 0 : 1;
    const std::int64_t halo_after = dead && whole_words && word0 + words == bounds.width / 64 ? 0 : 1;
    // Wide strips have fewer edges; two narrow ones still cost less than one wide.
    const int narrow = wave.max_log_v - 2;
    const std::int64_t narrow_kept = (std::int64_t{wave.lanes} << narrow) - 2;
    plan.log_v = left <= 2 * narrow_kept ? narrow : wave.max_log_v;
    const std::int64_t size = std::int64_t{wave.lanes} << plan.log_v;
    const bool last = size >= left + halo_before + halo_after;
    plan.kept = last ? left : size - halo_before - 1;
    plan.first = at;
    plan.word0 = word0 + at - halo_before;
    if (last && halo_after == 0 && bounds.width / 64 >= size) {
      plan.word0 = bounds.width / 64 - size;  // flush with the world's end
    }
    plan.skipped = word0 + at - plan.word0;
    plan.masked = pinned && (plan.word0 < 0 || 64 * (plan.word0 + size) > bounds.width);
    plans.push_back(plan);
    at += plan.kept;
  }
  return plans;
}

/// Words of a strip: cells inside the world.
void make_mask(const Bounds& bounds, std::int64_t word0, std::int64_t words, std::uint64_t* mask) {
  for (std::int64_t i = 0; i < words; ++i) {
    const std::int64_t inside = word0 + i < 0 ? 0 : bounds.width - 64 * (word0 + i);
    mask[i] = inside <= 0 ? 0 : inside >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << inside) - 1;
  }
}

[[nodiscard]] std::uint64_t last_word_mask(const BitGrid& grid) noexcept {
  const std::int64_t rest = grid.width() % 64;
  return rest == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
}

template <class Rows>
struct StripSource {
  const BorderedRows<Rows>& rows;
  std::int64_t word0;
  std::int64_t words;

  static const std::uint64_t* row(const void* self, std::int64_t y, std::uint64_t* scratch) {
    const auto& source = *static_cast<const StripSource*>(self);
    return source.rows.words(y, source.word0, source.words, scratch);
  }
};

/// Few enough rows that workers share the load, many enough that the halo of 2 depth rows costs little.
std::int64_t choose_band(const AutomatonOptions& options, std::int64_t height, std::int64_t strips,
                         std::uint32_t workers, std::int64_t depth) {
  if (options.band_rows > 0) {
    return options.band_rows;
  }
  constexpr std::int64_t kMost = 8192;
  const std::int64_t wanted = workers > 1 ? std::int64_t{workers} * 4 : 1;
  const std::int64_t bands = std::max<std::int64_t>(1, ceil_div(wanted, strips));
  const std::int64_t least = std::max<std::int64_t>(128, 16 * depth);
  return std::clamp(ceil_div(height, bands), std::min(least, height), std::max(kMost, least));
}

template <class Rows>
Status pass(const Engine& engine, const AutomatonRule& rule, const Bounds& bounds, std::int64_t depth,
            const Rows& rows, BitGrid& out, std::int64_t x0, std::int64_t y0, const AutomatonOptions& options,
            const RunContext& context) {
  const BorderedRows<Rows> bordered(rows, bounds);
  const auto plans = plan_strips(engine.wave, bounds, floor_div(x0, 64), out.words());
  const auto strips = static_cast<std::int64_t>(plans.size());
  const std::int64_t band = choose_band(options, out.height(), strips, worker_count(context), depth);
  const std::int64_t bands = ceil_div(out.height(), band);
  const bool pinned = bounds.limited && bounds.border != Border::kPeriodic;
  return parallel_for(context, static_cast<std::uint64_t>(strips * bands),
                      [&](std::uint64_t index, std::uint32_t /*worker*/) -> Status {
                        const auto i = static_cast<std::int64_t>(index);
                        const StripPlan& plan = plans[static_cast<std::size_t>(i % strips)];
                        const std::int64_t size = std::int64_t{engine.wave.lanes} << plan.log_v;
                        const auto lanes = static_cast<std::size_t>(engine.wave.lanes);
                        const std::size_t memory =
                            wave_memory(lanes, plan.log_v, static_cast<std::size_t>(depth));
                        Scratch<std::uint64_t> scratch(context.allocator);
                        STREW_RETURN_IF_ERROR(scratch.reserve(memory + static_cast<std::size_t>(size)));
                        WaveJob job;
                        job.rule = rule;
                        job.depth = static_cast<std::int32_t>(depth);
                        job.log_v = plan.log_v;
                        job.y0 = y0 + i / strips * band;
                        job.y1 = std::min(job.y0 + band, y0 + out.height());
                        if (pinned) {
                          job.row_low = 0;
                          job.row_high = bounds.height;
                          job.border = bounds.border == Border::kAlive ? ~std::uint64_t{0} : 0;
                        }
                        if (plan.masked) {
                          make_mask(bounds, plan.word0, size, scratch.data() + memory);
                          job.mask = scratch.data() + memory;
                        }
                        const StripSource<Rows> source{bordered, plan.word0, size};
                        job.source.row = StripSource<Rows>::row;
                        job.source.self = &source;
                        rows.locate(plan.word0, job.source);
                        const bool at_end = plan.first + plan.kept == out.words();
                        job.sink = {out.row(0) + plan.first - plan.skipped,
                                    y0,
                                    out.stride(),
                                    plan.skipped,
                                    plan.kept,
                                    at_end ? last_word_mask(out) : ~std::uint64_t{0},
                                    out.height()};
                        job.memory = scratch.data();
                        engine.wave.run(job);
                        return {};
                      });
}

Status copy_fill(const BorderedRows<FillRows>& rows, BitGrid& out, std::int64_t x0, std::int64_t y0,
                 const AutomatonOptions& options, const RunContext& context) {
  const std::int64_t band = options.band_rows > 0 ? options.band_rows : 64;
  const std::int64_t words = out.words();
  return parallel_for(
      context, static_cast<std::uint64_t>(ceil_div(out.height(), band)),
      [&](std::uint64_t index, std::uint32_t /*worker*/) -> Status {
        Scratch<std::uint64_t> scratch(context.allocator);
        STREW_RETURN_IF_ERROR(scratch.reserve(static_cast<std::size_t>(words) + std::size_t{2} * kFillWords));
        const std::int64_t first = static_cast<std::int64_t>(index) * band;
        for (std::int64_t y = first; y < std::min(first + band, out.height()); ++y) {
          const std::uint64_t* const row = rows.words(y0 + y, floor_div(x0, 64), words, scratch.data());
          std::memcpy(out.row(y), row, static_cast<std::size_t>(words) * 8);
          out.row(y)[words - 1] &= last_word_mask(out);
        }
        return {};
      });
}

}  // namespace

AutomatonVariant resolve_variant(AutomatonVariant variant) noexcept {
  if (variant != AutomatonVariant::kBest) {
    return variant;
  }
#ifdef STREW_SCALAR
  return AutomatonVariant::kSwar;
#else
  return AutomatonVariant::kHwy;
#endif
}

Result<Engine> make_engine(AutomatonVariant variant, [[maybe_unused]] Isa isa) {
  switch (resolve_variant(variant)) {
    case AutomatonVariant::kSwar:
      return Engine{wave_kernel_swar(), fill_row_ref};
#ifndef STREW_SCALAR
    case AutomatonVariant::kHwy: {
      STREW_ASSIGN(const WaveKernel wave, wave_kernel_hwy(isa));
      STREW_ASSIGN(const FillKernel fill, fill_kernel_hwy(isa));
      return Engine{wave, fill};
    }
#endif
#ifdef STREW_XSIMD
    case AutomatonVariant::kXsimd: {
      STREW_ASSIGN(const WaveKernel wave, wave_kernel_xsimd(isa));
      STREW_ASSIGN(const FillKernel fill, fill_kernel_hwy(isa));
      return Engine{wave, fill};
    }
#endif
    default:
      return make_error(StatusCode::kUnsupported,
                        "is " + std::string(to_string(variant)) + ", which this build lacks; use best",
                        "variant");
  }
}

std::int64_t choose_depth(std::int64_t generations, const AutomatonOptions& options) noexcept {
  constexpr std::int64_t kDepth = 16;
  const std::int64_t most = options.depth > 0 ? std::min<std::int64_t>(options.depth, kMaxDepth) : kDepth;
  const std::int64_t passes = std::max<std::int64_t>(1, ceil_div(generations, most));
  return options.depth > 0 ? std::min(most, std::max<std::int64_t>(1, generations))
                           : ceil_div(generations, passes);
}

Status pass_from_grid(const Engine& engine, const AutomatonRule& rule, const Bounds& bounds,
                      std::int64_t depth, const BitGrid& in, std::int64_t in_x0, std::int64_t in_y0,
                      BitGrid& out, std::int64_t x0, std::int64_t y0, const AutomatonOptions& options,
                      const RunContext& context) {
  return pass(engine, rule, bounds, depth, GridRows(in, in_x0, in_y0), out, x0, y0, options, context);
}

Status pass_from_fill(const Engine& engine, const AutomatonRule& rule, const Bounds& bounds,
                      std::int64_t depth, const FillTable& table, BitGrid& out, std::int64_t x0,
                      std::int64_t y0, const AutomatonOptions& options, const RunContext& context) {
  const FillRows rows(table, engine.fill);
  if (depth == 0) {
    return copy_fill(BorderedRows<FillRows>(rows, bounds), out, x0, y0, options, context);
  }
  return pass(engine, rule, bounds, depth, rows, out, x0, y0, options, context);
}

}  // namespace strew::automaton
