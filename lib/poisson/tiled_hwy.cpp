#include <algorithm>
#include <cmath>
#include <vector>

#include "block_merge.hpp"
#include "guard.hpp"
#include "scratch.hpp"
#include "strew/poisson.hpp"
#include "tiled_halo.hpp"
#include "tiled_kernel.hpp"
#include "tiled_parameters.hpp"

namespace strew {
namespace {

using poisson::CellRect;
using poisson::KernelWindow;

/// Arrays of one window, kept while a halo grows.
class WindowArrays {
 public:
  explicit WindowArrays(const Allocator* allocator)
      : position_(allocator), clock_(allocator), covered_(allocator) {}

  [[nodiscard]] Result<KernelWindow> window(const CellRect& cells, std::int64_t halo, PhiloxKey key) {
    KernelWindow window{};
    window.width = static_cast<std::int32_t>(cells.width() + 2 * halo);
    window.height = static_cast<std::int32_t>(cells.height() + 2 * halo);
    window.stride =
        (window.width + 16 + 15) / 16 * 16;  // a vector may be read or written past the end of a row
    const auto count = static_cast<std::size_t>(window.stride) * static_cast<std::size_t>(window.height) + 16;
    STREW_RETURN_IF_ERROR(position_.reserve(count));
    STREW_RETURN_IF_ERROR(clock_.reserve(count));
    STREW_RETURN_IF_ERROR(covered_.reserve(count));
    window.position = position_.data();
    window.clock = clock_.data();
    window.covered = covered_.data();
    window.x0 = cells.x0 - halo;
    window.y0 = cells.y0 - halo;
    window.core_x0 = static_cast<std::int32_t>(halo);
    window.core_y0 = static_cast<std::int32_t>(halo);
    window.core_x1 = static_cast<std::int32_t>(halo + cells.width());
    window.core_y1 = static_cast<std::int32_t>(halo + cells.height());
    window.key = key;
    window.lists = &lists_;
    return window;
  }

 private:
  Scratch<std::uint32_t> position_;
  Scratch<float> clock_;
  Scratch<std::uint64_t> covered_;
  poisson::KernelLists lists_;
};

void collect(const KernelWindow& window, const CellRect& cells, poisson::BlockPoints& points) {
  for (std::int32_t y = window.core_y0; y < window.core_y1; ++y) {
    const std::uint32_t* const row = window.position + static_cast<std::ptrdiff_t>(y) * window.stride;
    const std::int64_t base_y = (cells.y0 + y - window.core_y0) * poisson::kCellSteps;
    for (std::int32_t x = window.core_x0; x < window.core_x1; ++x) {
      if ((row[x] & poisson::kIsPoint) != 0) {
        points.add((cells.x0 + x - window.core_x0) * poisson::kCellSteps +
                       static_cast<std::int64_t>(row[x] & 0x1FFFU),
                   base_y + static_cast<std::int64_t>((row[x] >> 16) & 0x1FFFU));
      }
    }
    points.end_row();
  }
}

constexpr StrategyInfo kInfo{
    .id = "poisson/tiled",
    .backend = "hwy",
    .description =
        "Blue noise: maximal and unbiased Poisson disk sampling of the plane; vectorised, run-time ISA",
    .source =
        "original: sequential dart throwing in continuous time (random sequential adsorption) on integer "
        "cells",
    .output_version = 2,
    .bit_equal_to_reference = true,
    .promises = kCropEqualsWhole | kMinimumDistance | kMaximal | kUnbiased,
    .parameters = poisson::kRadiusParameters,
};

class TiledHwy final : public poisson::RadiusStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    STREW_ASSIGN(out.lattice, lattice(parameters));
    STREW_RETURN_IF_ERROR(poisson::check_region(request.region, out.lattice.pitch));
    STREW_ASSIGN(const poisson::TiledKernel kernel, choose_kernel(poisson::tiled_kernels(), context.max_isa));
    const PhiloxKey key = stream_key(request.seed, request.stream);
    return guarded([&]() -> Status {
      return poisson::generate_by_blocks(
          request.region, context, out, [&](const CellRect& cells, poisson::BlockPoints& points) -> Status {
            WindowArrays arrays(context.allocator);
            return poisson::with_growing_halo(cells, [&](std::int64_t halo) -> Result<bool> {
              STREW_ASSIGN(const KernelWindow window, arrays.window(cells, halo, key));
              const bool settled = kernel(window);
              if (settled) {
                collect(window, cells, points);
              }
              return settled;
            });
          });
    });
  }
};

}  // namespace

const PointStrategy& poisson_tiled_hwy() noexcept {
  static const TiledHwy kStrategy;
  return kStrategy;
}

}  // namespace strew
