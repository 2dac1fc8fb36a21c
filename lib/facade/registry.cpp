#include "guard.hpp"
#include "strew/automaton.hpp"
#include "strew/poisson.hpp"
#include "strew/scatter_strategies.hpp"
#include "strew/snapmesh.hpp"
#include "strew/strategy.hpp"

namespace strew {

Registry builtin_registry() {
  return {{
#ifndef STREW_SCALAR
      &poisson_tiled_hwy(),
#endif
#ifdef STREW_XSIMD
      &poisson_tiled_xsimd(),
#endif
      &poisson_tiled_ref(),   &poisson_bridson(),    &poisson_dart(),         &poisson_phased(),
      &poisson_elimination(), &poisson_multiclass(), &poisson_variable(),     &poisson_stamp(),
      &rows_strategy(),       &random_strategy(),    &grid_jitter_strategy(), &forest_strategy(),
      &forest_ref(),          &snap::arena(),        &snap::corridor(),       &snap::star(),
      &snap::branch(),        &snap::connect()}};
}

Result<const Strategy*> Registry::find(std::string_view id) const {
  return guarded([&]() -> Result<const Strategy*> {
    std::vector<std::string> names;
    for (const Strategy* strategy : strategies) {
      const StrategyInfo& info = strategy->info();
      if (id == info.id || id == info.full_id()) {
        return strategy;
      }
      names.emplace_back(info.id);
      names.push_back(info.full_id());
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view near = nearest_name(id, views);
    std::string message = "no strategy is called '" + std::string(id) + "'";
    message +=
        near.empty() ? "; 'strew strategies' lists them" : "; did you mean '" + std::string(near) + "'?";
    return make_error(StatusCode::kNotFound, std::move(message), "strategy");
  });
}

Result<const PointStrategy*> Registry::find_points(std::string_view id) const {
  STREW_ASSIGN(const Strategy* strategy, find(id));
  if (const auto* points = dynamic_cast<const PointStrategy*>(strategy)) {
    return points;
  }
  return invalid_argument("'" + std::string(id) + "' does not make points", "strategy");
}

}  // namespace strew
