// Whether the walkable regions of pieces fit their kit.
#pragma once

#include <span>
#include <string>

#include "strew/snapmesh.hpp"

namespace strew::snap {

[[nodiscard]] inline Status check_regions(const Kit& kit, std::span<const nav::PieceRegions> regions) {
  if (regions.size() != kit.pieces.size()) {
    return invalid_argument("there are regions for " + std::to_string(regions.size()) + " of " +
                                std::to_string(kit.pieces.size()) + " pieces",
                            "regions");
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const nav::PieceRegions& r = regions[i];
    const auto count = static_cast<std::int32_t>(r.areas.size());
    bool good = r.at_connector.size() == kit.pieces[i].connectors.size();
    for (const std::int32_t region : r.at_connector) {
      good = good && region >= -1 && region < count;
    }
    good = good && (r.end_loss.empty() || r.end_loss.size() == r.at_connector.size());
    for (const nav::OneWay& drop : r.drops) {
      good = good && drop.from < r.areas.size() && drop.to < r.areas.size();
    }
    if (!good) {
      return invalid_argument("its regions do not fit its connectors; make them again from this kit",
                              "piece \"" + kit.pieces[i].name + "\"");
    }
  }
  return {};
}

}  // namespace strew::snap
