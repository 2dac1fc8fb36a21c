#include <algorithm>
#include <string>

#include "guard.hpp"
#include "strew/strategy.hpp"

namespace strew {

Result<PointSet> Generator::points(std::string_view id, const PointRequest& request,
                                   const ParameterSet& parameters, const RunContext& context) const {
  return guarded([&]() -> Result<PointSet> {
    STREW_ASSIGN(const PointStrategy* strategy, registry_.find_points(id));
    STREW_ASSIGN(const ResolvedParameters resolved,
                 ResolvedParameters::resolve(strategy->info(), parameters));
    PointSet out;
    STREW_RETURN_IF_ERROR(strategy->generate(request, resolved, context, out));
    return out;
  });
}

Status Generator::stream(std::string_view id, const PointRequest& request, const ParameterSet& parameters,
                         double part_metres, const PointSink& sink, const RunContext& context) const {
  return guarded([&]() -> Status {
    STREW_ASSIGN(const PointStrategy* strategy, registry_.find_points(id));
    STREW_ASSIGN(const ResolvedParameters resolved,
                 ResolvedParameters::resolve(strategy->info(), parameters));
    if ((strategy->info().promises & kCropEqualsWhole) == 0) {
      return invalid_argument(std::string(id) +
                                  " depends on the rectangle it is given, so parts would not make up "
                                  "the whole; stream poisson/tiled, or ask for all points at once",
                              "id");
    }
    constexpr double kLargestPart = 1e9;
    if (!(part_metres > 0) || part_metres > kLargestPart) {
      return invalid_argument(
          "a part must be more than 0 and at most 1e9 m wide, not " + std::to_string(part_metres),
          "part_metres");
    }
    const Coord side =
        std::max<Coord>(1, static_cast<Coord>(part_metres * static_cast<double>(kUnitsPerMetre)));
    PointSet part;
    const Rect& whole = request.region;
    if (whole.empty()) {
      return strategy->generate(request, resolved, context, part);  // which says what is wrong with it
    }
    PointRequest now = request;
    for (Coord y = whole.y0; y < whole.y1; y = now.region.y1) {
      for (Coord x = whole.x0; x < whole.x1; x = now.region.x1) {
        now.region = {x, y, whole.x1 - x > side ? x + side : whole.x1,
                      whole.y1 - y > side ? y + side : whole.y1};
        STREW_RETURN_IF_ERROR(strategy->generate(now, resolved, context, part));
        STREW_RETURN_IF_ERROR(sink(part));
      }
    }
    return {};
  });
}

}  // namespace strew
