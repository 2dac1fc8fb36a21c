#include <algorithm>
#include <string>

#include "guard.hpp"
#include "strew/strategy.hpp"

namespace strew {
namespace {

/// An extent cut into as few parts of `longest` at most as do, of equal length but for a unit: a sliver at
/// the end would have its own halo, and too few blocks for the workers.
struct EvenParts {
  Coord first;
  Coord count;
  Coord length;  ///< of a part
  Coord longer;  ///< parts that are a unit longer: the first ones

  EvenParts(Coord from, Coord to, Coord longest)
      : first(from),
        count((to - from - 1) / longest + 1),
        length((to - from) / count),
        longer((to - from) % count) {}
  [[nodiscard]] Coord begin(Coord part) const { return first + part * length + std::min(part, longer); }
};

}  // namespace

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
    const EvenParts across(whole.x0, whole.x1, side);
    const EvenParts along(whole.y0, whole.y1, side);
    PointRequest now = request;
    for (Coord row = 0; row < along.count; ++row) {
      for (Coord column = 0; column < across.count; ++column) {
        now.region = {across.begin(column), along.begin(row), across.begin(column + 1), along.begin(row + 1)};
        STREW_RETURN_IF_ERROR(strategy->generate(now, resolved, context, part));
        STREW_RETURN_IF_ERROR(sink(part));
      }
    }
    return {};
  });
}

}  // namespace strew
