#include <algorithm>
#include <array>
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

  [[nodiscard]] Result<KernelWindow> window(const CellRect& cells, std::int64_t halo,
                                            const poisson::DartKeys& keys) {
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
    const auto margin = static_cast<std::int32_t>(halo);
    window.core = {margin, margin, window.width - margin, window.height - margin};
    window.keys = keys;
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
  std::array<std::uint32_t, poisson::kLongestBlock + 1> across;
  std::array<std::uint32_t, poisson::kLongestBlock + 1> along;
  const std::int64_t base_x = cells.x0 * poisson::kCellSteps;
  for (std::int32_t y = window.core.y0; y < window.core.y1; ++y) {
    const std::uint32_t* const row =
        window.position + static_cast<std::ptrdiff_t>(y) * window.stride + window.core.x0;
    // Without a branch: whether a cell holds a point is anybody's guess.
    std::size_t count = 0;
    for (std::uint32_t x = 0; x < static_cast<std::uint32_t>(cells.width()); ++x) {
      const std::uint32_t word = row[x];
      across[count] = (x << poisson::kCellBits) | (word & 0x1FFFU);
      along[count] = (word >> 16) & 0x1FFFU;
      count += (word & poisson::kIsPoint) != 0 ? 1 : 0;
    }
    const std::int64_t base_y = (cells.y0 + y - window.core.y0) * poisson::kCellSteps;
    const std::size_t before = points.x.size();
    points.x.resize(before + count);
    points.y.resize(before + count);
    std::transform(across.begin(), across.begin() + static_cast<std::ptrdiff_t>(count),
                   points.x.begin() + static_cast<std::ptrdiff_t>(before),
                   [&](std::uint32_t step) { return base_x + std::int64_t{step}; });
    std::transform(along.begin(), along.begin() + static_cast<std::ptrdiff_t>(count),
                   points.y.begin() + static_cast<std::ptrdiff_t>(before),
                   [&](std::uint32_t step) { return base_y + std::int64_t{step}; });
    points.end_row();
  }
}

constexpr StrategyInfo info_of(std::string_view backend, std::string_view description) noexcept {
  return {
      .id = "poisson/tiled",
      .backend = backend,
      .description = description,
      .source =
          "original: sequential dart throwing in continuous time (random sequential adsorption) on integer "
          "cells",
      .output_version = 4,
      .bit_equal_to_reference = true,
      .promises = kCropEqualsWhole | kMinimumDistance | kMaximal | kUnbiased,
      .parameters = poisson::kRadiusParameters,
  };
}
constexpr StrategyInfo kHwy = info_of(
    "hwy", "Blue noise: maximal and unbiased Poisson disk sampling of the plane; vectorised, run-time ISA");

using ChooseKernel = Result<poisson::TiledKernel> (*)(Isa isa);

class TiledVector final : public poisson::RadiusStrategy {
 public:
  TiledVector(const StrategyInfo& info, ChooseKernel choose) noexcept : info_(info), choose_(choose) {}
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return info_; }

  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    STREW_ASSIGN(out.lattice, lattice(parameters));
    STREW_RETURN_IF_ERROR(poisson::check_region(request.region, out.lattice.pitch));
    STREW_ASSIGN(const poisson::TiledKernel kernel, choose_(context.max_isa));
    const poisson::DartKeys keys = poisson::dart_keys(stream_key(request.seed, request.stream));
    return guarded([&]() -> Status {
      return poisson::generate_by_blocks(
          request.region, context, out, [&](const CellRect& cells, poisson::BlockPoints& points) -> Status {
            WindowArrays arrays(context.allocator);
            return poisson::with_growing_halo(cells, [&](std::int64_t halo) -> Result<bool> {
              STREW_ASSIGN(const KernelWindow window, arrays.window(cells, halo, keys));
              const bool settled = kernel(window);
              if (settled) {
                const auto expected = static_cast<std::size_t>(cells.width() * cells.height()) * 23 / 64;
                points.x.reserve(expected);
                points.y.reserve(expected);
                collect(window, cells, points);
              }
              return settled;
            });
          });
    });
  }

 private:
  const StrategyInfo& info_;
  ChooseKernel choose_;
};

}  // namespace

const PointStrategy& poisson_tiled_hwy() noexcept {
  static const TiledVector kStrategy(kHwy, &poisson::tiled_kernel);
  return kStrategy;
}

#ifdef STREW_XSIMD
const PointStrategy& poisson_tiled_xsimd() noexcept {
  static constexpr StrategyInfo kInfo =
      info_of("xsimd", "The same points by xsimd, for comparison; SSE4.1, AVX2 or AVX-512 at run time");
  static const TiledVector kStrategy(kInfo, &poisson::tiled_kernel_xsimd);
  return kStrategy;
}
#endif

}  // namespace strew
