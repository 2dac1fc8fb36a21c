// Checks of single parts of a ScatterSpec; each error names the field.
#pragma once

#include <string>

#include "scatter_impl.hpp"

namespace strew::scatter {

/// Refuses empty lists, weights that are negative, NaN or all zero, and impossible scale or yaw ranges.
[[nodiscard]] Status check_species(const std::vector<SpeciesSpec>& species, Scatter::TerrainKinds terrain,
                                   const std::string& where);
/// check_constraints, and the rasters that the rules need must be there.
[[nodiscard]] Status check_rules(const Constraints& constraints, Scatter::TerrainKinds terrain,
                                 const std::string& where);
/// Range of the counts and side of the square.
[[nodiscard]] Status check_amount(const AmountSpec& amount, const std::string& where);
/// Ranges of amount, ring and spacings, species and own constraints.
[[nodiscard]] Status check_secondary(const SecondarySpec& secondary, Scatter::TerrainKinds terrain,
                                     const std::string& where);
/// Not empty and free of '/', which separates a layer's name from its secondary's.
[[nodiscard]] Status check_name(const std::string& name, const std::string& where);

}  // namespace strew::scatter
