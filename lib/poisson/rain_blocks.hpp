// A region by blocks, each in a RainWindow with a halo grown until all of the block is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "block_merge.hpp"
#include "cell_lattice.hpp"
#include "parallel.hpp"
#include "rain_window.hpp"
#include "sites.hpp"

namespace strew::poisson {

/// Appends the points of `model` in `region` to `sites`, in no stated order, with their layers as classes.
/// `widest`: the largest distance that the model can ask for, in lattice steps. The size of blocks and halos
/// changes the time and never the output.
template <class Model>
[[nodiscard]] Status rain_over(const Rect& region, Coord pitch, const Model& model, std::int64_t widest,
                               const RunContext& context, std::string_view where, std::vector<Site>& sites) {
  const StepRect all{ceil_div(region.x0, pitch), ceil_div(region.y0, pitch), ceil_div(region.x1, pitch),
                     ceil_div(region.y1, pitch)};
  if (all.x0 >= all.x1 || all.y0 >= all.y1) {
    return {};  // no lattice position lies in the region
  }
  constexpr std::int64_t kBlockRadii = 24;
  constexpr std::int64_t kFirstHaloRadii = 8;
  constexpr std::int64_t kLastHaloRadii = 400;
  const std::int64_t side = std::max<std::int64_t>(kBlockCells * kCellSteps, kBlockRadii * widest);
  const std::int64_t columns = ceil_div(all.x1 - all.x0, side);
  const std::int64_t rows = ceil_div(all.y1 - all.y0, side);
  std::vector<std::vector<Site>> blocks(static_cast<std::size_t>(columns * rows));
  STREW_RETURN_IF_ERROR(parallel_for(context, blocks.size(), [&](std::uint64_t i, std::uint32_t) -> Status {
    const std::int64_t x0 = all.x0 + static_cast<std::int64_t>(i) % columns * side;
    const std::int64_t y0 = all.y0 + static_cast<std::int64_t>(i) / columns * side;
    const StepRect core{x0, y0, std::min(x0 + side, all.x1), std::min(y0 + side, all.y1)};
    RainWindow<Model> window(model, context.allocator);
    for (std::int64_t radii = kFirstHaloRadii; radii <= kLastHaloRadii; radii += radii / 2) {
      const std::int64_t halo = radii * widest;
      STREW_RETURN_IF_ERROR(
          window.evaluate({core.x0 - halo, core.y0 - halo, core.x1 + halo, core.y1 + halo}));
      blocks[i].clear();
      const auto take = [&](std::size_t layer, std::int64_t x, std::int64_t y) {
        blocks[i].push_back({x, y, static_cast<std::uint8_t>(layer)});
      };
      if (window.collect(core, take)) {
        return {};
      }
    }
    return make_error(StatusCode::kLimit,
                      "points near lattice position (" + std::to_string(x0) + ", " + std::to_string(y0) +
                          ") depend on more than " + std::to_string(kLastHaloRadii) +
                          " radii around them; use another seed or a shorter time",
                      std::string(where));
  }));
  for (const std::vector<Site>& block : blocks) {
    sites.insert(sites.end(), block.begin(), block.end());
  }
  return {};
}

/// Lattice steps that hold at least `metres`, also after both ends are rounded to double: above the exact
/// quotient by one to two steps.
[[nodiscard]] inline std::int64_t steps_for_distance(double metres, Coord pitch) noexcept {
  return static_cast<std::int64_t>(metres * 4294967296.0 / static_cast<double>(pitch)) + 2;
}

}  // namespace strew::poisson
