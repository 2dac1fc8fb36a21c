#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cell_lattice.hpp"
#include "guard.hpp"
#include "sites.hpp"
#include "strew/exact_math.hpp"
#include "strew/poisson.hpp"
#include "tiled_parameters.hpp"

namespace strew {
namespace {

using poisson::CellRect;
using poisson::Site;

constexpr std::array<std::string_view, 2> kRings = {"radius", "area"};
constexpr std::array<ParameterInfo, 4> kParameters = {
    poisson::kRadius,
    poisson::kDensity,
    ParameterInfo{.name = "k",
                  .kind = ParameterKind::kInteger,
                  .unit = "",
                  .minimum = 1,
                  .maximum = 10000,
                  .default_value = 30,
                  .required = false,
                  .meaning = "candidates tried around a point before it retires"},
    ParameterInfo{.name = "ring",
                  .kind = ParameterKind::kChoice,
                  .unit = "",
                  .minimum = 0,
                  .maximum = 1,
                  .default_value = 0,
                  .required = false,
                  .meaning = "candidates in the ring [r, 2r) uniform by radius (the classic) or by area",
                  .choices = kRings},
};

constexpr StrategyInfo kInfo{
    .id = "poisson/bridson",
    .backend = "ref",
    .description =
        "Poisson disk sampling by advancing front, sequential; depends on the rectangle, crowds its borders",
    .source = "Bridson, Fast Poisson disk sampling in arbitrary dimensions, SIGGRAPH sketches 2007",
    .output_version = 1,
    .bit_equal_to_reference = true,
    .promises = kMinimumDistance,
    .parameters = kParameters,
};

/// Background grid with at most one point per cell.
class Grid {
 public:
  explicit Grid(const CellRect& cells)
      : cells_(cells), slots_(static_cast<std::size_t>(cells.width() * cells.height()), kEmpty) {}

  [[nodiscard]] bool has_conflict(Site site, const std::vector<Site>& points) const noexcept {
    const std::int64_t cell_x = floor_div(site.x, poisson::kCellSteps);
    const std::int64_t cell_y = floor_div(site.y, poisson::kCellSteps);
    for (std::int64_t y = std::max(cell_y - 2, cells_.y0); y < std::min(cell_y + 3, cells_.y1); ++y) {
      for (std::int64_t x = std::max(cell_x - 2, cells_.x0); x < std::min(cell_x + 3, cells_.x1); ++x) {
        const std::uint32_t slot = slots_[index(x, y)];
        if (slot != kEmpty && poisson::in_conflict(static_cast<std::int32_t>(points[slot].x - site.x),
                                                   static_cast<std::int32_t>(points[slot].y - site.y))) {
          return true;
        }
      }
    }
    return false;
  }
  void insert(Site site, std::size_t slot) noexcept {
    slots_[index(floor_div(site.x, poisson::kCellSteps), floor_div(site.y, poisson::kCellSteps))] =
        static_cast<std::uint32_t>(slot);
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFFU;
  [[nodiscard]] std::size_t index(std::int64_t x, std::int64_t y) const noexcept {
    return static_cast<std::size_t>((y - cells_.y0) * cells_.width() + (x - cells_.x0));
  }
  CellRect cells_;
  std::vector<std::uint32_t> slots_;
};

class Bridson final : public poisson::RadiusStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    STREW_ASSIGN(out.lattice, lattice(parameters));
    const Coord pitch = out.lattice.pitch;
    STREW_RETURN_IF_ERROR(poisson::check_region(request.region, pitch));
    const CellRect cells = poisson::cells_over(request.region, pitch);
    constexpr std::int64_t kMaxGrid = std::int64_t{1} << 31;
    if (cells.width() > kMaxGrid / cells.height()) {
      return make_error(StatusCode::kLimit, "needs a grid of more than 2^31 cells; use poisson/tiled",
                        "poisson/bridson");
    }
    return guarded([&]() -> Status {
      std::vector<Site> points = grow(request, cells, pitch, parameters, context);
      if (context.cancelled()) {
        return make_error(StatusCode::kCancelled, "cancelled by the caller");
      }
      poisson::sort_into(points, false, out);
      return {};
    });
  }

 private:
  static std::vector<Site> grow(const PointRequest& request, const CellRect& cells, Coord pitch,
                                const ResolvedParameters& parameters, const RunContext& context) {
    const PhiloxKey key = stream_key(request.seed, request.stream);
    const auto tries = static_cast<std::uint64_t>(parameters.integer("k"));
    const bool by_area = parameters.choice("ring") == 1;
    const double radius_steps = exact_sqrt(poisson::kRadiusSquared);
    Grid grid(cells);
    std::vector<Site> points;
    const Site centre{(request.region.x0 + (request.region.x1 - request.region.x0) / 2) / pitch,
                      (request.region.y0 + (request.region.y1 - request.region.y0) / 2) / pitch};
    std::vector<Site> active = {centre};
    std::uint64_t draw = 0;  // counts attempts: the whole set is one sequence, as in the paper
    while (!active.empty() && !context.cancelled()) {
      const std::size_t chosen =
          draw_below(cell_draw(key, 0, 1, draw)[0], static_cast<std::uint32_t>(active.size()));
      const Site parent = active[chosen];
      bool found = false;
      for (std::uint64_t attempt = 0; attempt < tries && !found; ++attempt) {
        const PhiloxCounter random = cell_draw(key, 0, 0, draw++);
        const double u = draw_unit(random[0]);
        const double distance = radius_steps * (by_area ? exact_sqrt(1 + 3 * u) : 1 + u);
        double sine = 0;
        double cosine = 0;
        exact_sincos_turns(draw_unit(random[1]), sine, cosine);
        const Site site{parent.x + static_cast<std::int64_t>(std::floor(distance * cosine + 0.5)),
                        parent.y + static_cast<std::int64_t>(std::floor(distance * sine + 0.5))};
        if (request.region.contains(site.x * pitch, site.y * pitch) && !grid.has_conflict(site, points)) {
          grid.insert(site, points.size());
          points.push_back(site);
          active.push_back(site);
          found = true;
        }
      }
      if (!found) {
        active[chosen] = active.back();
        active.pop_back();
      }
    }
    return points;
  }
};

}  // namespace

const PointStrategy& poisson_bridson() noexcept {
  static const Bridson kStrategy;
  return kStrategy;
}

}  // namespace strew
