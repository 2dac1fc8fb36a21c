#include <algorithm>
#include <cmath>
#include <vector>

#include "block_merge.hpp"
#include "event_window.hpp"
#include "guard.hpp"
#include "parallel.hpp"
#include "strew/poisson.hpp"
#include "tiled_halo.hpp"
#include "tiled_parameters.hpp"

namespace strew {
namespace {

using poisson::CellRect;
using poisson::CellState;

bool all_known(const poisson::EventWindow& window, const CellRect& cells) noexcept {
  for (std::int64_t y = cells.y0; y < cells.y1; ++y) {
    for (std::int64_t x = cells.x0; x < cells.x1; ++x) {
      if (window.state(x, y) == CellState::kUnknown) {
        return false;
      }
    }
  }
  return true;
}

constexpr StrategyInfo kInfo{
    .id = "poisson/tiled",
    .backend = "ref",
    .description = "Blue noise: maximal and unbiased Poisson disk sampling of the plane; scalar reference",
    .source =
        "original: sequential dart throwing in continuous time (random sequential adsorption) on integer "
        "cells",
    .output_version = 6,
    .bit_equal_to_reference = true,
    .promises = kCropEqualsWhole | kMinimumDistance | kMaximal | kUnbiased,
    .parameters = poisson::kRadiusParameters,
};

class TiledRef final : public poisson::RadiusStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    STREW_ASSIGN(out.lattice, lattice(parameters));
    STREW_RETURN_IF_ERROR(poisson::check_region(request.region, out.lattice.pitch));
    const poisson::DartKeys keys = poisson::dart_keys(stream_key(request.seed, request.stream));
    return guarded([&]() -> Status {
      return poisson::generate_by_blocks(
          request.region, context, poisson::kSquareBlocks, out,
          [&](const CellRect& cells, poisson::BlockPoints& points) -> Status {
            poisson::EventWindow window(context.allocator);
            STREW_RETURN_IF_ERROR(poisson::with_growing_halo(cells, [&](std::int64_t halo) -> Result<bool> {
              STREW_RETURN_IF_ERROR(window.evaluate(
                  {cells.x0 - halo, cells.y0 - halo, cells.x1 + halo, cells.y1 + halo}, keys));
              return all_known(window, cells);
            }));
            for (std::int64_t y = cells.y0; y < cells.y1; ++y) {
              for (std::int64_t x = cells.x0; x < cells.x1; ++x) {
                if (window.state(x, y) == CellState::kPoint) {
                  const poisson::Fraction at = window.point(x, y);
                  points.add(x * poisson::kCellSteps + at.x, y * poisson::kCellSteps + at.y);
                }
              }
              points.end_row();
            }
            return {};
          });
    });
  }
};

}  // namespace

const PointStrategy& poisson_tiled_ref() noexcept {
  static const TiledRef kStrategy;
  return kStrategy;
}

}  // namespace strew
