#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "domain.hpp"
#include "elimination_grid.hpp"
#include "elimination_heap.hpp"
#include "guard.hpp"
#include "sites.hpp"
#include "strew/exact_math.hpp"
#include "strew/poisson.hpp"
#include "tiled_parameters.hpp"

namespace strew {
namespace {

using poisson::Domain;

constexpr double kMaxCount = 1e7;

constexpr std::array<ParameterInfo, 5> kParameters = {
    ParameterInfo{.name = "count",
                  .kind = ParameterKind::kInteger,
                  .unit = "",
                  .minimum = 1,
                  .maximum = kMaxCount,
                  .default_value = 1000,
                  .required = false,
                  .meaning = "points in the region; give it or density"},
    ParameterInfo{.name = "density",
                  .kind = ParameterKind::kReal,
                  .unit = "1/m2",
                  .minimum = 1e-10,
                  .maximum = 6000,
                  .default_value = 1,
                  .required = false,
                  .meaning = "points per square metre; sets count to the nearest whole number"},
    ParameterInfo{.name = "oversampling",
                  .kind = ParameterKind::kInteger,
                  .unit = "",
                  .minimum = 2,
                  .maximum = 20,
                  .default_value = 5,
                  .required = false,
                  .meaning = "candidates per point kept"},
    ParameterInfo{.name = "alpha",
                  .kind = ParameterKind::kInteger,
                  .unit = "",
                  .minimum = 1,
                  .maximum = 16,
                  .default_value = 8,
                  .required = false,
                  .meaning = "exponent of the weight of a pair, (1 - distance / 2 r_max)^alpha"},
    poisson::kDomainParameter,
};

constexpr StrategyInfo kInfo{
    .id = "poisson/elimination",
    .backend = "ref",
    .description =
        "Weighted sample elimination: an exact number of points as far apart as they come; sequential, "
        "depends "
        "on the rectangle",
    .source = "Yuksel, Sample elimination for generating Poisson disk sample sets, Eurographics 2015",
    .output_version = 1,
    .bit_equal_to_reference = true,
    .promises = 0,
    .parameters = kParameters,
};

class Elimination final : public PointStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  /// Candidates lie on whole units: only the position itself is unique.
  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& parameters) const override {
    if (parameters.given("density") && parameters.given("count")) {
      return invalid_argument("is given together with count; give one of the two", "density");
    }
    return Lattice{1, 1};
  }
  [[nodiscard]] double minimum_distance(const ResolvedParameters& /*parameters*/) const override { return 0; }
  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    return guarded([&]() -> Status {
      STREW_ASSIGN(out.lattice, lattice(parameters));
      // The limit on cells does not apply here: a coordinate check with the coarsest lattice.
      STREW_RETURN_IF_ERROR(poisson::check_region(request.region, kUnitsPerMetre));
      const Domain domain{request.region, parameters.choice("domain") == 1};
      const double area = to_metres(domain.width()) * to_metres(domain.height());
      STREW_ASSIGN(const std::uint64_t count, count_of(parameters, area));
      std::vector<poisson::Site> sites;
      if (count > 0) {
        STREW_RETURN_IF_ERROR(check_room(domain, area, count));
        STREW_RETURN_IF_ERROR(eliminate(domain, area, count, request, parameters, context, sites));
      }
      poisson::sort_into(sites, false, out);
      return {};
    });
  }

 private:
  static Result<std::uint64_t> count_of(const ResolvedParameters& parameters, double area) {
    if (!parameters.given("density")) {
      return static_cast<std::uint64_t>(parameters.integer("count"));
    }
    const double count = std::floor(parameters.real("density") * area + 0.5);
    if (count > kMaxCount) {
      return invalid_argument("is " + number_text(parameters.real("density")) + ", " + number_text(count) +
                                  " points in this region; expected at most 1e7 (use poisson/tiled)",
                              "density");
    }
    return static_cast<std::uint64_t>(count);
  }
  static Status check_room(const Domain& domain, double area, std::uint64_t count) {
    const double radius = exact_sqrt(area / (2 * exact_sqrt(3) * static_cast<double>(count)));
    constexpr double kMinRadius = 0.001;
    if (radius < kMinRadius) {
      return invalid_argument("is " + std::to_string(count) + " points in " + number_text(area) +
                                  " m2, closer than 2 mm; give fewer, or a larger region",
                              "count");
    }
    return poisson::check_domain(domain, radius);
  }

  static Status eliminate(const Domain& domain, double area, std::uint64_t count, const PointRequest& request,
                          const ResolvedParameters& parameters, const RunContext& context,
                          std::vector<poisson::Site>& kept) {
    const auto total =
        static_cast<std::size_t>(count) * static_cast<std::size_t>(parameters.integer("oversampling"));
    std::vector<poisson::Site> sites(total);
    const PhiloxKey key = stream_key(request.seed, request.stream);
    for (std::size_t i = 0; i < total; ++i) {
      const PhiloxCounter random = cell_draw(key, 0, 0, i);
      const auto place = [](Coord from, std::uint32_t high, std::uint32_t low, Coord length) {
        return from +
               static_cast<Coord>(poisson::draw_below_wide(high, low, static_cast<std::uint64_t>(length)));
      };
      sites[i].x = place(domain.region.x0, random[0], random[1], domain.width());
      sites[i].y = place(domain.region.y0, random[2], random[3], domain.height());
    }
    const poisson::PairWeight weight(domain, area, static_cast<double>(count), static_cast<double>(total),
                                     parameters.integer("alpha"));
    const poisson::CandidateGrid grid(domain, weight.range(), sites);
    std::vector<std::int64_t> weights(total, 0);
    for (std::size_t i = 0; i < total; ++i) {
      grid.visit_near(sites[i],
                      [&](std::uint32_t j) { weights[i] += j != i ? weight(sites[i], sites[j]) : 0; });
    }
    poisson::EliminationHeap heap(weights);
    std::vector<bool> gone(total, false);
    constexpr std::size_t kCancelMask = 0xFFFF;
    while (heap.size() > count) {
      if (((total - heap.size()) & kCancelMask) == 0 && context.cancelled()) {
        return make_error(StatusCode::kCancelled, "cancelled by the caller");
      }
      const std::uint32_t heaviest = heap.pop();
      gone[heaviest] = true;
      grid.visit_near(sites[heaviest], [&](std::uint32_t j) {
        if (!gone[j]) {
          if (const std::int64_t lost = weight(sites[heaviest], sites[j]); lost != 0) {
            heap.lighten(j, lost);
          }
        }
      });
    }
    for (std::size_t i = 0; i < total; ++i) {
      if (!gone[i]) {
        kept.push_back(sites[i]);
      }
    }
    return {};
  }
};

}  // namespace

const PointStrategy& poisson_elimination() noexcept {
  static const Elimination kStrategy;
  return kStrategy;
}

}  // namespace strew
