#include <algorithm>
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

using poisson::BlockShape;
using poisson::CellRect;
using poisson::KernelWindow;

/// Rows that are made at a time: enough that the lists of a stage are long; more only make more rows alive.
constexpr std::int32_t kStep = 32;
/// Rows of the arrays: some 75 are alive, and they are moved to the beginning when the end is reached.
constexpr std::int32_t kRows = 208;

/// Long blocks, since only their sides pay for a halo all along; more and shorter ones where workers would
/// idle.
BlockShape block_shape(const CellRect& cells, const RunContext& context) {
  constexpr std::int64_t kShort = 384;  // not halved any more
  const std::int64_t enough = worker_count(context) == 1 ? 1 : std::int64_t{4} * worker_count(context);
  BlockShape shape = poisson::kLongBlocks;
  while (poisson::block_count(cells, shape) < enough && shape.height > kShort) {
    (shape.height > shape.width ? shape.height : shape.width) /= 2;
  }
  return shape;
}

/// Arrays of one window, kept while a halo grows.
class WindowArrays {
 public:
  explicit WindowArrays(const Allocator* allocator)
      : position_(allocator), clock_(allocator), covered_(allocator) {}

  [[nodiscard]] Result<KernelWindow> window(const CellRect& cells, std::int64_t halo,
                                            const poisson::DartKeys& keys) {
    KernelWindow window{};
    window.width = static_cast<std::int32_t>(cells.width() + 2 * halo);
    window.y_end = static_cast<std::int32_t>(cells.height() + 2 * halo);
    window.stride =
        (window.width + 16 + 15) / 16 * 16;  // a vector may be read or written past the end of a row
    // A wider halo is asked for where dependence reaches far: there more rows may be alive, too.
    const std::int64_t rows = kRows * halo / poisson::kFirstHalo + 2;
    window.rows = static_cast<std::int32_t>(std::min<std::int64_t>(window.y_end + 2, rows));
    window.step = kStep;
    const auto count = static_cast<std::size_t>(window.stride) * static_cast<std::size_t>(window.rows) + 16;
    STREW_RETURN_IF_ERROR(position_.reserve(count));
    STREW_RETURN_IF_ERROR(clock_.reserve(count));
    STREW_RETURN_IF_ERROR(covered_.reserve(count));
    window.position = position_.data();
    window.clock = clock_.data();
    window.covered = covered_.data();
    window.x0 = cells.x0 - halo;
    window.y0 = cells.y0 - halo;
    const auto margin = static_cast<std::int32_t>(halo);
    window.core = {margin, margin, window.width - margin, window.y_end - margin};
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

/// Where the points of a window go.
struct Collector {
  poisson::BlockPoints& points;
  const RunContext& context;
};
bool take_row(void* taker, const std::uint32_t* across, const std::uint32_t* along, std::size_t count) {
  poisson::BlockPoints& points = static_cast<Collector*>(taker)->points;
  points.x.insert(points.x.end(), across, across + count);
  points.y.insert(points.y.end(), along, along + count);
  points.end_row();
  return !static_cast<Collector*>(taker)->context.cancelled();
}

constexpr StrategyInfo info_of(std::string_view backend, std::string_view description) noexcept {
  return {
      .id = "poisson/tiled",
      .backend = backend,
      .description = description,
      .source =
          "original: sequential dart throwing in continuous time (random sequential adsorption) on integer "
          "cells",
      .output_version = 6,
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
          request.region, context,
          block_shape(poisson::cells_over(request.region, out.lattice.pitch), context), out,
          [&](const CellRect& cells, poisson::BlockPoints& points) -> Status {
            WindowArrays arrays(context.allocator);
            return poisson::with_growing_halo(cells, [&](std::int64_t halo) -> Result<bool> {
              STREW_ASSIGN(KernelWindow window, arrays.window(cells, halo, keys));
              const auto expected = static_cast<std::size_t>(cells.width() * cells.height()) * 23 / 64;
              points.clear();
              points.x.reserve(expected);
              points.y.reserve(expected);
              Collector collector{points, context};
              window.take_row = take_row;
              window.taker = &collector;
              const bool done = kernel(window);
              if (!done && context.cancelled()) {
                return make_error(StatusCode::kCancelled, "cancelled by the caller");
              }
              return done;
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
