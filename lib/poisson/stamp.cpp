#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <vector>

#include "block_merge.hpp"
#include "cell_lattice.hpp"
#include "dart_region.hpp"
#include "guard.hpp"
#include "scratch.hpp"
#include "strew/poisson.hpp"
#include "tiled_parameters.hpp"

namespace strew {
namespace {

using poisson::CellRect;
using poisson::Clock;
using poisson::Fraction;

constexpr std::array<ParameterInfo, 3> kParameters = {
    poisson::kRadius,
    poisson::kDensity,
    ParameterInfo{.name = "period_cells",
                  .kind = ParameterKind::kInteger,
                  .unit = "cells",
                  .minimum = 8,
                  .maximum = 4096,
                  .default_value = 64,
                  .required = false,
                  .meaning = "side of the tile in cells of radius / sqrt(2)"},
};

constexpr StrategyInfo kInfo{
    .id = "poisson/stamp",
    .backend = "ref",
    .description = "One maximal toroidal tile repeated over the plane, as games do at run time: periodic",
    .source = "original: the process of poisson/tiled on a torus",
    .output_version = 5,
    .bit_equal_to_reference = true,
    .promises = kCropEqualsWhole | kMinimumDistance | kMaximal,
    .parameters = kParameters,
};

/// The process of poisson/tiled on a torus of cells: darts rain in continuous time, each becomes a point
/// unless an earlier one stands closer than the radius. No rim, so every cell is decided.
class TorusTile {
 public:
  TorusTile(std::int64_t period, const Allocator* allocator) noexcept
      : period_(period), has_point_(allocator), clocks_(allocator), heap_(allocator) {}

  /// O(n log n) for n = period^2 cells.
  [[nodiscard]] Status fill(const poisson::DartKeys& keys, const RunContext& context) {
    const auto cells = static_cast<std::size_t>(period_ * period_);
    STREW_RETURN_IF_ERROR(has_point_.reserve(cells));
    STREW_RETURN_IF_ERROR(clocks_.reserve(cells));
    STREW_RETURN_IF_ERROR(heap_.reserve(cells));
    for (std::size_t cell = 0; cell < cells; ++cell) {
      has_point_[cell] = false;
      clocks_[cell] = poisson::first_dart(keys, column_of(cell), row_of(cell));
      heap_[cell] = event_key(cell);
    }
    std::uint64_t* const first = heap_.data();
    std::uint64_t* last = first + cells;
    std::make_heap(first, last, std::greater<>{});
    constexpr std::uint64_t kCancelMask = 0xFFFF;
    for (std::uint64_t event = 1; last != first; ++event) {
      if ((event & kCancelMask) == 0 && context.cancelled()) {
        return make_error(StatusCode::kCancelled, "cancelled by the caller");
      }
      std::pop_heap(first, last, std::greater<>{});
      const auto cell = static_cast<std::size_t>(*(last - 1) & 0xFFFFFFFFU);
      if (land(keys, cell)) {
        *(last - 1) = event_key(cell);
        std::push_heap(first, last, std::greater<>{});
      } else {
        --last;
      }
    }
    return {};
  }

  /// Whether the cell of the plane shows a point of the tile, and where in the cell.
  [[nodiscard]] bool has_point(std::int64_t x, std::int64_t y) const noexcept {
    return has_point_[index(x, y)];
  }
  [[nodiscard]] Fraction point(std::int64_t x, std::int64_t y) const noexcept {
    return clocks_[index(x, y)].dart;
  }

 private:
  [[nodiscard]] std::int64_t column_of(std::size_t cell) const noexcept {
    return static_cast<std::int64_t>(cell) % period_;
  }
  [[nodiscard]] std::int64_t row_of(std::size_t cell) const noexcept {
    return static_cast<std::int64_t>(cell) / period_;
  }
  [[nodiscard]] std::size_t index(std::int64_t x, std::int64_t y) const noexcept {
    return static_cast<std::size_t>(floor_mod(y, period_) * period_ + floor_mod(x, period_));
  }
  /// Events in order of time, ties by row-major place. Times are >= 0, so their bits order as they do.
  [[nodiscard]] std::uint64_t event_key(std::size_t cell) const noexcept {
    return (std::uint64_t{std::bit_cast<std::uint32_t>(clocks_[cell].time)} << 32) | cell;
  }
  /// Lets the dart of a cell land; true when the cell goes on with a later dart.
  [[nodiscard]] bool land(const poisson::DartKeys& keys, std::size_t cell) {
    const std::int64_t x = column_of(cell);
    const std::int64_t y = row_of(cell);
    poisson::Surroundings around;
    for (std::size_t k = 0; k < poisson::kNeighbours.size(); ++k) {
      const std::size_t neighbour = index(x + poisson::kNeighbours[k].x, y + poisson::kNeighbours[k].y);
      if (has_point_[neighbour]) {
        around.add(k, clocks_[neighbour].dart);
      }
    }
    if (!around.covers(clocks_[cell].dart)) {
      has_point_[cell] = true;
      return false;
    }
    constexpr float kNever = std::numeric_limits<float>::infinity();
    return poisson::next_dart(keys, x, y, around, kNever, clocks_[cell], squares_) ==
           poisson::NextDart::kFound;
  }

  std::int64_t period_;
  Scratch<bool> has_point_;
  Scratch<Clock> clocks_;
  Scratch<std::uint64_t> heap_;
  std::array<std::vector<poisson::Square>, 2> squares_;
};

class Stamp final : public poisson::RadiusStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    return guarded([&]() -> Status {
      STREW_ASSIGN(out.lattice, lattice(parameters));
      STREW_RETURN_IF_ERROR(poisson::check_region(request.region, out.lattice.pitch));
      TorusTile tile(parameters.integer("period_cells"), context.allocator);
      STREW_RETURN_IF_ERROR(tile.fill(poisson::dart_keys(stream_key(request.seed, request.stream)), context));
      return poisson::generate_by_blocks(request.region, context, poisson::kSquareBlocks, out,
                                         [&](const CellRect& cells, poisson::BlockPoints& points) -> Status {
                                           for (std::int64_t y = cells.y0; y < cells.y1; ++y) {
                                             for (std::int64_t x = cells.x0; x < cells.x1; ++x) {
                                               if (tile.has_point(x, y)) {
                                                 const Fraction at = tile.point(x, y);
                                                 points.add(x * poisson::kCellSteps + at.x,
                                                            y * poisson::kCellSteps + at.y);
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

const PointStrategy& poisson_stamp() noexcept {
  static const Stamp kStrategy;
  return kStrategy;
}

}  // namespace strew
