#include <algorithm>
#include <array>

#include "block_merge.hpp"
#include "cell_lattice.hpp"
#include "guard.hpp"
#include "scratch.hpp"
#include "strew/poisson.hpp"
#include "strew/random.hpp"
#include "tiled_parameters.hpp"

namespace strew {
namespace {

using poisson::CellRect;
using poisson::Fraction;

constexpr std::array<ParameterInfo, 4> kParameters = {
    poisson::kRadius,
    poisson::kDensity,
    ParameterInfo{.name = "period",
                  .kind = ParameterKind::kInteger,
                  .unit = "cells",
                  .minimum = 3,
                  .maximum = 8,
                  .default_value = 3,
                  .required = false,
                  .meaning = "side of the square pattern of phases; cells of one phase cannot meet"},
    ParameterInfo{.name = "passes",
                  .kind = ParameterKind::kInteger,
                  .unit = "",
                  .minimum = 1,
                  .maximum = 16,
                  .default_value = 1,
                  .required = false,
                  .meaning = "times that every empty cell tries one dart"},
};

constexpr StrategyInfo kInfo{
    .id = "poisson/phased",
    .backend = "ref",
    .description =
        "Grid cells in phase groups, one dart per cell and pass: fast, not maximal, and leaves the lattice "
        "of "
        "its phases in the spectrum",
    .source = "Wei, Parallel Poisson disk sampling, SIGGRAPH 2008 (phase groups, one resolution level)",
    .output_version = 1,
    .bit_equal_to_reference = true,
    .promises = kCropEqualsWhole | kMinimumDistance,
    .parameters = kParameters,
};

/// The cells of a window, each empty or with a point.
class Window {
 public:
  explicit Window(const Allocator* allocator) noexcept : points_(allocator) {}

  [[nodiscard]] Status clear(const CellRect& window) {
    window_ = window;
    const auto cells = static_cast<std::size_t>(window.width() * window.height());
    STREW_RETURN_IF_ERROR(points_.reserve(cells));
    std::fill(points_.data(), points_.data() + cells, kEmpty);
    return {};
  }
  [[nodiscard]] bool empty(std::int64_t x, std::int64_t y) const noexcept {
    return points_[index(x, y)].x < 0;
  }
  [[nodiscard]] Fraction at(std::int64_t x, std::int64_t y) const noexcept { return points_[index(x, y)]; }

  /// One dart in every empty cell of the phase that has all its neighbours in the window.
  void throw_darts(PhiloxKey key, std::int64_t pass, std::int64_t period, std::int64_t phase) noexcept {
    const std::int64_t first_x = window_.x0 + 2;
    const std::int64_t first_y = window_.y0 + 2;
    const std::int64_t start_x = first_x + floor_mod(phase % period - first_x, period);
    const std::int64_t start_y = first_y + floor_mod(phase / period - first_y, period);
    for (std::int64_t y = start_y; y < window_.y1 - 2; y += period) {
      for (std::int64_t x = start_x; x < window_.x1 - 2; x += period) {
        if (empty(x, y)) {
          const PhiloxCounter random = cell_draw(key, x, y, static_cast<std::uint64_t>(pass));
          const Fraction dart{static_cast<std::int32_t>(random[0] >> (32 - poisson::kCellBits)),
                              static_cast<std::int32_t>(random[1] >> (32 - poisson::kCellBits))};
          if (!has_conflict(x, y, dart)) {
            points_[index(x, y)] = dart;
          }
        }
      }
    }
  }

 private:
  static constexpr Fraction kEmpty{-1, -1};

  [[nodiscard]] std::size_t index(std::int64_t x, std::int64_t y) const noexcept {
    return static_cast<std::size_t>((y - window_.y0) * window_.width() + (x - window_.x0));
  }
  [[nodiscard]] bool has_conflict(std::int64_t x, std::int64_t y, Fraction dart) const noexcept {
    return std::any_of(
        poisson::kNeighbours.begin(), poisson::kNeighbours.end(), [&](poisson::CellOffset offset) {
          const Fraction other = points_[index(x + offset.x, y + offset.y)];
          return other.x >= 0 && poisson::in_conflict(offset.x * poisson::kCellSteps + other.x - dart.x,
                                                      offset.y * poisson::kCellSteps + other.y - dart.y);
        });
  }

  CellRect window_;
  Scratch<Fraction> points_;
};

class Phased final : public poisson::RadiusStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    return guarded([&]() -> Status {
      STREW_ASSIGN(out.lattice, lattice(parameters));
      STREW_RETURN_IF_ERROR(poisson::check_region(request.region, out.lattice.pitch));
      const PhiloxKey key = stream_key(request.seed, request.stream);
      const std::int64_t period = parameters.integer("period");
      const std::int64_t passes = parameters.integer("passes");
      // A dart sees two cells around it, and what it sees was decided in an earlier phase: the outermost two
      // cells of the window stay empty, and each phase carries that two cells further in.
      const std::int64_t halo = 2 * period * period * passes;
      return poisson::generate_by_blocks(
          request.region, context, poisson::kSquareBlocks, out,
          [&](const CellRect& cells, poisson::BlockPoints& points) -> Status {
            Window window(context.allocator);
            STREW_RETURN_IF_ERROR(
                window.clear({cells.x0 - halo, cells.y0 - halo, cells.x1 + halo, cells.y1 + halo}));
            for (std::int64_t pass = 0; pass < passes; ++pass) {
              for (std::int64_t phase = 0; phase < period * period; ++phase) {
                window.throw_darts(key, pass, period, phase);
              }
            }
            for (std::int64_t y = cells.y0; y < cells.y1; ++y) {
              for (std::int64_t x = cells.x0; x < cells.x1; ++x) {
                if (!window.empty(x, y)) {
                  const Fraction at = window.at(x, y);
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

const PointStrategy& poisson_phased() noexcept {
  static const Phased kStrategy;
  return kStrategy;
}

}  // namespace strew
