#include <algorithm>
#include <array>
#include <vector>

#include "cell_lattice.hpp"
#include "domain.hpp"
#include "guard.hpp"
#include "sites.hpp"
#include "strew/poisson.hpp"
#include "tiled_parameters.hpp"
#include "wide.hpp"

namespace strew {
namespace {

using poisson::Domain;
using poisson::Site;

constexpr std::array<ParameterInfo, 4> kParameters = {
    poisson::kRadius,
    poisson::kDensity,
    ParameterInfo{.name = "failures",
                  .kind = ParameterKind::kInteger,
                  .unit = "",
                  .minimum = 1,
                  .maximum = 1e12,
                  .default_value = 100000,
                  .required = false,
                  .meaning = "stops after this many darts in a row that land too close to a point"},
    poisson::kDomainParameter,
};

constexpr StrategyInfo kInfo{
    .id = "poisson/dart",
    .backend = "ref",
    .description =
        "Plain dart throwing to a number of failures in a row, sequential: the quality reference; depends on "
        "the rectangle",
    .source = "Cook, Stochastic sampling in computer graphics, ACM Transactions on Graphics 5(1), 1986",
    .output_version = 1,
    .bit_equal_to_reference = true,
    .promises = kMinimumDistance,
    .parameters = kParameters,
};

/// Background grid over the domain, at most one point per cell. The domain's sides are no multiples of the
/// cell of the lattice, so its cells are a little narrower: width / ceil(width / side). Fewer than 2^20 of
/// them on an axis leave the last cell less than 2^20 units narrower than the others, so that three cells
/// apart is always beyond the radius, across the seam of a torus too.
class Grid {
 public:
  Grid(const Domain& domain, Coord cell_side)
      : domain_(domain),
        columns_(domain.width(), cell_side),
        rows_(domain.height(), cell_side),
        slots_(static_cast<std::size_t>(columns_.count * rows_.count), kEmpty),
        radius_squared_(square(static_cast<std::uint64_t>(cell_side))) {
    radius_squared_ = radius_squared_ + radius_squared_;  // r^2 = 2 side^2
  }

  /// Whether a point stands closer than the radius to (x, y), in units.
  [[nodiscard]] bool has_conflict(Coord x, Coord y) const noexcept {
    const std::int64_t column = (x - domain_.region.x0) / columns_.side;
    const std::int64_t row = (y - domain_.region.y0) / rows_.side;
    if (slots_[index(column, row)] != kEmpty) {
      return true;  // the diagonal of a cell is shorter than the radius
    }
    for (std::int64_t dy = -2; dy <= 2; ++dy) {
      std::int64_t near_row = row + dy;
      if (!rows_.bring_inside(near_row, domain_.torus)) {
        continue;
      }
      for (std::int64_t dx = -2; dx <= 2; ++dx) {
        std::int64_t near_column = column + dx;
        if (columns_.bring_inside(near_column, domain_.torus) &&
            in_conflict(slots_[index(near_column, near_row)], x, y)) {
          return true;
        }
      }
    }
    return false;
  }
  /// Precondition: !has_conflict(x, y).
  void insert(Coord x, Coord y) {
    slots_[index((x - domain_.region.x0) / columns_.side, (y - domain_.region.y0) / rows_.side)] =
        static_cast<std::uint32_t>(xs_.size());
    xs_.push_back(x);
    ys_.push_back(y);
  }

 private:
  struct Axis {
    Axis(Coord length, Coord cell_side)
        : side(ceil_div(length, ceil_div(length, cell_side))), count(ceil_div(length, side)) {}
    [[nodiscard]] bool bring_inside(std::int64_t& cell, bool wraps) const noexcept {
      if (cell >= 0 && cell < count) {
        return true;
      }
      cell = floor_mod(cell, count);
      return wraps;
    }
    Coord side;
    std::int64_t count;
  };

  static constexpr std::uint32_t kEmpty = 0xFFFFFFFFU;
  [[nodiscard]] std::size_t index(std::int64_t column, std::int64_t row) const noexcept {
    return static_cast<std::size_t>(row * columns_.count + column);
  }
  [[nodiscard]] bool in_conflict(std::uint32_t slot, Coord x, Coord y) const noexcept {
    return slot != kEmpty && square(domain_.apart(x, xs_[slot], domain_.width())) +
                                     square(domain_.apart(y, ys_[slot], domain_.height())) <
                                 radius_squared_;
  }

  Domain domain_;
  Axis columns_;
  Axis rows_;
  std::vector<std::uint32_t> slots_;
  Unsigned128 radius_squared_;
  std::vector<Coord> xs_;
  std::vector<Coord> ys_;
};

class Dart final : public poisson::RadiusStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    return guarded([&]() -> Status {
      STREW_ASSIGN(out.lattice, lattice(parameters));
      STREW_RETURN_IF_ERROR(poisson::check_region(request.region, out.lattice.pitch));
      const Domain domain{request.region, parameters.choice("domain") == 1};
      STREW_RETURN_IF_ERROR(poisson::check_domain(domain, minimum_distance(parameters)));
      const poisson::CellRect cells = poisson::cells_over(request.region, out.lattice.pitch);
      constexpr std::int64_t kMaxSide = std::int64_t{1} << 20;
      constexpr std::int64_t kMaxGrid = std::int64_t{1} << 31;
      if (std::max(cells.width(), cells.height()) >= kMaxSide || cells.width() > kMaxGrid / cells.height()) {
        return make_error(StatusCode::kLimit,
                          "needs a grid of more than 2^31 cells or 2^20 on a side; use poisson/tiled",
                          "poisson/dart");
      }
      std::vector<Site> sites;
      STREW_RETURN_IF_ERROR(rain(domain, out.lattice.pitch, stream_key(request.seed, request.stream),
                                 static_cast<std::uint64_t>(parameters.integer("failures")), context, sites));
      poisson::sort_into(sites, false, out);
      return {};
    });
  }

 private:
  static Status rain(const Domain& domain, Coord pitch, PhiloxKey key, std::uint64_t failures,
                     const RunContext& context, std::vector<Site>& sites) {
    const std::int64_t x0 = ceil_div(domain.region.x0, pitch);
    const std::int64_t y0 = ceil_div(domain.region.y0, pitch);
    const auto columns = static_cast<std::uint64_t>(ceil_div(domain.region.x1, pitch) - x0);
    const auto rows = static_cast<std::uint64_t>(ceil_div(domain.region.y1, pitch) - y0);
    if (columns == 0 || rows == 0) {
      return {};  // no lattice position lies in the region
    }
    Grid grid(domain, pitch * poisson::kCellSteps);
    std::uint64_t failed = 0;
    constexpr std::uint64_t kCancelMask = 0xFFFF;
    for (std::uint64_t dart = 0; failed < failures; ++dart) {
      if ((dart & kCancelMask) == 0 && context.cancelled()) {
        return make_error(StatusCode::kCancelled, "cancelled by the caller");
      }
      const PhiloxCounter random = cell_draw(key, 0, 0, dart);
      const Site site{x0 + static_cast<std::int64_t>(poisson::draw_below_wide(random[0], random[1], columns)),
                      y0 + static_cast<std::int64_t>(poisson::draw_below_wide(random[2], random[3], rows))};
      if (grid.has_conflict(site.x * pitch, site.y * pitch)) {
        ++failed;
      } else {
        grid.insert(site.x * pitch, site.y * pitch);
        sites.push_back(site);
        failed = 0;
      }
    }
    return {};
  }
};

}  // namespace

const PointStrategy& poisson_dart() noexcept {
  static const Dart kStrategy;
  return kStrategy;
}

}  // namespace strew
