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

}  // namespace strew
