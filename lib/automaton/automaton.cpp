// The public calls: checks, then passes.
#include <algorithm>
#include <array>
#include <cstring>

#include "guard.hpp"
#include "number_text.hpp"
#include "passes.hpp"
#include "sources.hpp"

namespace strew {
namespace {

using automaton::Bounds;
using automaton::Engine;
using automaton::FillTable;

Status check_fill(const AutomatonFill& fill) {
  if (!(fill.probability >= 0 && fill.probability <= 1)) {
    return invalid_argument("is " + number_text(fill.probability) + "; expected a probability from 0 to 1",
                            "fill");
  }
  return {};
}

Status check_options(const AutomatonOptions& options) {
  if (options.depth < 0 || options.depth > automaton::kMaxDepth) {
    return invalid_argument("is " + std::to_string(options.depth) + "; expected 1 to 64, or 0 for the best",
                            "depth");
  }
  if (options.band_rows < 0) {
    return invalid_argument("is " + std::to_string(options.band_rows) + "; expected 0 or more", "band_rows");
  }
  return {};
}

Status check_rule(const AutomatonRule& rule) {
  constexpr unsigned kEnd = 1U << 9;
  if (rule.birth >= kEnd || rule.survival >= kEnd) {
    return invalid_argument("has a bit above 8; a cell has 8 neighbours", "rule");
  }
  return {};
}

Status check_generations(std::int64_t generations, std::int64_t most) {
  if (generations < 0 || generations > most) {
    return invalid_argument("is " + std::to_string(generations) + "; expected 0 to " + std::to_string(most),
                            "generations");
  }
  return {};
}

Status check_range(const CellRange& range, std::int64_t halo) {
  if (range.x1 <= range.x0 || range.y1 <= range.y0) {
    return invalid_argument("is empty; give x1 > x0 and y1 > y0", "range");
  }
  if (range.x0 < -kMaxCell || range.y0 < -kMaxCell || range.x1 > kMaxCell || range.y1 > kMaxCell) {
    return invalid_argument("reaches beyond cell +-2^55", "range");
  }
  if (range.x1 - range.x0 + 2 * halo + 128 > kMaxGridSide || range.y1 - range.y0 + 2 * halo > kMaxGridSide) {
    return make_error(StatusCode::kLimit, "with its halo is wider than 2^31 cells; ask for it part by part",
                      "range");
  }
  return {};
}

/// `in` without its first x columns (x < 64), cut to the size of `out`.
void shift_into(const BitGrid& in, std::int64_t x, BitGrid& out) {
  const std::int64_t words = out.words();
  const std::int64_t rest = out.width() % 64;
  for (std::int64_t y = 0; y < out.height(); ++y) {
    const std::uint64_t* const from = in.row(y);
    std::uint64_t* const to = out.row(y);
    for (std::int64_t i = 0; i < words; ++i) {
      const std::uint64_t high = i + 1 < in.words() ? from[i + 1] : 0;
      to[i] = x == 0 ? from[i] : (from[i] >> x) | (high << (64 - x));
    }
    if (rest != 0) {
      to[words - 1] &= (std::uint64_t{1} << rest) - 1;
    }
  }
}

/// The state of `range` after plane.generations, in a plane or a world with limits, into a grid of its size.
Status compute(const AutomatonPlane& plane, const Bounds& bounds, const CellRange& range,
               const AutomatonOptions& options, const RunContext& context, BitGrid& result) {
  const FillTable table = automaton::make_fill_table(plane.fill);
  if (automaton::resolve_variant(options.variant) == AutomatonVariant::kRef) {
    return automaton::window_ref(plane, table, bounds, range, result);
  }
  STREW_ASSIGN(const Engine engine, automaton::make_engine(options.variant, context.max_isa));
  const std::int64_t depth = automaton::choose_depth(plane.generations, options);
  // A periodic world is a plane of copies once it is filled.
  const Bounds later = bounds.border == Border::kPeriodic ? Bounds{} : bounds;
  // Passes on ever smaller rectangles, the first from the fill; columns begin at whole words.
  BitGrid now;
  std::int64_t now_x0 = 0;
  std::int64_t now_y0 = 0;
  std::int64_t left = plane.generations;
  bool first = true;
  do {
    const std::int64_t step = std::min(depth, left);
    left -= step;
    const std::int64_t x0 = floor_div(range.x0 - left, 64) * 64;
    const std::int64_t y0 = range.y0 - left;
    const std::int64_t height = range.y1 + left - y0;
    const bool last_in_place = left == 0 && x0 == range.x0;
    BitGrid own;
    if (!last_in_place) {
      STREW_ASSIGN(own, BitGrid::create(range.x1 + left - x0, height, context.allocator));
    }
    BitGrid& next = last_in_place ? result : own;
    STREW_RETURN_IF_ERROR(first ? automaton::pass_from_fill(engine, plane.rule, bounds, step, table, next, x0,
                                                            y0, options, context)
                                : automaton::pass_from_grid(engine, plane.rule, later, step, now, now_x0,
                                                            now_y0, next, x0, y0, options, context));
    if (last_in_place) {
      return {};
    }
    now = std::move(own);
    now_x0 = x0;
    now_y0 = y0;
    first = false;
  } while (left > 0);
  shift_into(now, range.x0 - now_x0, result);
  return {};
}

}  // namespace

std::span<const AutomatonVariant> automaton_variants() noexcept {
  static constexpr std::array kVariants = {
#ifndef STREW_SCALAR
      AutomatonVariant::kHwy,
#endif
#ifdef STREW_XSIMD
      AutomatonVariant::kXsimd,
#endif
      AutomatonVariant::kSwar, AutomatonVariant::kRef};
  return kVariants;
}

Result<Isa> automaton_isa(AutomatonVariant variant, const RunContext& context) {
  return guarded([&]() -> Result<Isa> {
    const AutomatonVariant chosen = automaton::resolve_variant(variant);
    if (chosen == AutomatonVariant::kRef || chosen == AutomatonVariant::kSwar) {
      return Isa::kScalar;
    }
    if (context.max_isa != Isa::kBest) {
      STREW_ASSIGN(const Engine engine, automaton::make_engine(chosen, context.max_isa));
      static_cast<void>(engine);
      return context.max_isa;
    }
    for (const Isa isa : {Isa::kAvx512, Isa::kAvx2, Isa::kSse4}) {
      if (automaton::make_engine(chosen, isa).ok()) {
        return isa;
      }
    }
    STREW_ASSIGN(const Engine engine, automaton::make_engine(chosen, Isa::kScalar));
    static_cast<void>(engine);
    return Isa::kScalar;
  });
}

Status fill_grid(const AutomatonFill& fill, std::int64_t x0, std::int64_t y0, BitGrid& grid,
                 const AutomatonOptions& options, const RunContext& context) {
  return automaton_window({kDayAndNight, fill, 0}, x0, y0, grid, options, context);
}

Status advance(const AutomatonRule& rule, Border border, std::int64_t generations, BitGrid& grid,
               BitGrid& spare, const AutomatonOptions& options, const RunContext& context) {
  return guarded([&]() -> Status {
    STREW_RETURN_IF_ERROR(check_rule(rule));
    STREW_RETURN_IF_ERROR(check_options(options));
    STREW_RETURN_IF_ERROR(check_generations(generations, INT64_MAX));
    if (generations == 0 || grid.height() == 0) {
      return {};
    }
    if (automaton::resolve_variant(options.variant) == AutomatonVariant::kRef) {
      return automaton::advance_ref(rule, border, generations, grid);
    }
    STREW_ASSIGN(const Engine engine, automaton::make_engine(options.variant, context.max_isa));
    const Bounds bounds{true, border, grid.width(), grid.height()};
    const std::int64_t depth = automaton::choose_depth(generations, options);
    if (spare.width() != grid.width() || spare.height() != grid.height()) {
      STREW_ASSIGN(spare, BitGrid::create(grid.width(), grid.height(), context.allocator));
    }
    for (std::int64_t done = 0; done < generations; done += depth) {
      STREW_RETURN_IF_ERROR(automaton::pass_from_grid(engine, rule, bounds,
                                                      std::min(depth, generations - done), grid, 0, 0, spare,
                                                      0, 0, options, context));
      std::swap(grid, spare);
    }
    return {};
  });
}

Status advance(const AutomatonRule& rule, Border border, std::int64_t generations, BitGrid& grid,
               const AutomatonOptions& options, const RunContext& context) {
  BitGrid spare;
  return advance(rule, border, generations, grid, spare, options, context);
}

Status automaton_window(const AutomatonPlane& plane, std::int64_t x0, std::int64_t y0, BitGrid& grid,
                        const AutomatonOptions& options, const RunContext& context) {
  return guarded([&]() -> Status {
    STREW_RETURN_IF_ERROR(check_rule(plane.rule));
    STREW_RETURN_IF_ERROR(check_options(options));
    STREW_RETURN_IF_ERROR(check_fill(plane.fill));
    STREW_RETURN_IF_ERROR(check_generations(plane.generations, kMaxPlaneGenerations));
    const bool overflows = x0 > kMaxCell || y0 > kMaxCell;  // the sum below does not
    const CellRange range{x0, y0, overflows ? x0 : x0 + grid.width(), overflows ? y0 : y0 + grid.height()};
    STREW_RETURN_IF_ERROR(check_range(range, plane.generations));
    return compute(plane, Bounds{}, range, options, context, grid);
  });
}

Result<BitGrid> automaton_window(const AutomatonPlane& plane, const CellRange& range,
                                 const AutomatonOptions& options, const RunContext& context) {
  return guarded([&]() -> Result<BitGrid> {
    STREW_RETURN_IF_ERROR(check_range(range, 0));
    STREW_ASSIGN(BitGrid out, BitGrid::create(range.x1 - range.x0, range.y1 - range.y0, context.allocator));
    STREW_RETURN_IF_ERROR(automaton_window(plane, range.x0, range.y0, out, options, context));
    return out;
  });
}

Status automaton_stream(const AutomatonWorld& world, const CellRange& range, BandFn band_fn, void* user,
                        const AutomatonOptions& options, const RunContext& context) {
  return guarded([&]() -> Status {
    STREW_RETURN_IF_ERROR(check_rule(world.plane.rule));
    STREW_RETURN_IF_ERROR(check_options(options));
    STREW_RETURN_IF_ERROR(check_fill(world.plane.fill));
    STREW_RETURN_IF_ERROR(check_generations(world.plane.generations, kMaxPlaneGenerations));
    if (world.width < 1 || world.height < 1 || world.width > kMaxGridSide || world.height > kMaxGridSide) {
      return invalid_argument("is " + std::to_string(world.width) + "x" + std::to_string(world.height) +
                                  " cells; expected sides from 1 to 2147483648",
                              "size");
    }
    if (range.x0 < 0 || range.y0 < 0 || range.x1 > world.width || range.y1 > world.height) {
      return invalid_argument("reaches outside the world", "range");
    }
    STREW_RETURN_IF_ERROR(check_range(range, 0));
    const Bounds bounds{true, world.border, world.width, world.height};
    constexpr std::int64_t kBandBytes = std::int64_t{32} << 20;
    const std::int64_t row_bytes = (range.x1 - range.x0 + 7) / 8;
    const std::int64_t band =
        options.band_rows > 0 ? options.band_rows
                              : std::max<std::int64_t>({1, 2 * world.plane.generations,
                                                        kBandBytes / std::max<std::int64_t>(1, row_bytes)});
    AutomatonOptions inner = options;
    inner.band_rows = 0;
    BitGrid out;
    for (std::int64_t y = range.y0; y < range.y1; y += band) {
      const CellRange rows{range.x0, y, range.x1, std::min(y + band, range.y1)};
      if (out.height() != rows.y1 - rows.y0) {
        STREW_ASSIGN(out, BitGrid::create(rows.x1 - rows.x0, rows.y1 - rows.y0, context.allocator));
      }
      STREW_RETURN_IF_ERROR(compute(world.plane, bounds, rows, inner, context, out));
      STREW_RETURN_IF_ERROR(band_fn(user, out, y));
    }
    return {};
  });
}

}  // namespace strew
