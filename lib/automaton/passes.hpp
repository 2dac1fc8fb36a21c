// Passes over rectangles: the work of a pass is split into strips of columns and bands of rows.
#pragma once

#include "kernels.hpp"
#include "reference.hpp"
#include "strew/automaton.hpp"

namespace strew::automaton {

/// Kernels of a variant other than ref.
struct Engine {
  WaveKernel wave;
  FillKernel fill = nullptr;
};
[[nodiscard]] Result<Engine> make_engine(AutomatonVariant variant, Isa isa);
/// kBest by its name.
[[nodiscard]] AutomatonVariant resolve_variant(AutomatonVariant variant) noexcept;

/// Generations per pass so that passes are as equal as they can be.
[[nodiscard]] std::int64_t choose_depth(std::int64_t generations, const AutomatonOptions& options) noexcept;

/// Halo of a strip on either side, in words: cones of up to 64 generations stay inside.
inline constexpr std::int64_t kMaxDepth = 64;

/// `out`, whose cell (0, 0) is cell (x0, y0) with x0 a multiple of 64, becomes the state `depth` generations
/// after `in`, whose cell (0, 0) is (in_x0, in_y0), likewise. Cells whose cone leaves `in` are unspecified.
[[nodiscard]] Status pass_from_grid(const Engine& engine, const AutomatonRule& rule, const Bounds& bounds,
                                    std::int64_t depth, const BitGrid& in, std::int64_t in_x0,
                                    std::int64_t in_y0, BitGrid& out, std::int64_t x0, std::int64_t y0,
                                    const AutomatonOptions& options, const RunContext& context);
/// The same from the fill. depth 0: the fill itself.
[[nodiscard]] Status pass_from_fill(const Engine& engine, const AutomatonRule& rule, const Bounds& bounds,
                                    std::int64_t depth, const FillTable& table, BitGrid& out, std::int64_t x0,
                                    std::int64_t y0, const AutomatonOptions& options,
                                    const RunContext& context);

}  // namespace strew::automaton
