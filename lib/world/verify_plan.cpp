#include "verify_plan.hpp"

#include <algorithm>

namespace strew {
namespace {

// Blocks of about this size decode the tiles around them little more than once, and stay small.
constexpr Coord kBlockSide = 1024 * kUnitsPerMetre;
constexpr double kSqrt2 = 1.4142135623730951;

Status check_radius(double metres, const std::string& where) {
  if (!(metres >= 0 && metres <= 1e6)) {
    return make_error(StatusCode::kCorrupt, "holds a distance that is not within 0 to 1000000 m", where);
  }
  return {};
}

std::size_t slot_named(const Manifest& manifest, const std::string& name) {
  const auto found = std::find_if(manifest.slots.begin(), manifest.slots.end(),
                                  [&name](const BakedSlot& slot) { return slot.name == name; });
  return static_cast<std::size_t>(found - manifest.slots.begin());
}

Status add_slot(VerifyPlan& plan, std::size_t i) {
  const BakedSlot& slot = plan.manifest.slots[i];
  const std::string where = "manifest.json: slots[" + std::to_string(i) + "]";
  STREW_RETURN_IF_ERROR(check_radius(slot.minimum_distance_m, where));
  SlotRules rules;
  if (slot.minimum_distance_m > 0) {
    rules.minimum_distance.emplace(slot.minimum_distance_m);
    plan.halo = std::max(plan.halo, rules.minimum_distance->reach());
  }
  for (const auto& [layer, metres] : slot.spacing_m) {
    STREW_RETURN_IF_ERROR(check_radius(metres, where));
    const std::size_t earlier = slot_named(plan.manifest, layer);
    if (earlier == plan.manifest.slots.size()) {
      return make_error(StatusCode::kCorrupt,
                        "keeps a distance to \"" + layer + "\", which is not in the bake", where);
    }
    plan.spacing.push_back({i, earlier, Radius(metres)});
    plan.halo = std::max(plan.halo, plan.spacing.back().distance.reach());
  }
  // Two instances with one identity share a square, on whichever side of a seam they stand.
  const Lattice& lattice = slot.lattice;
  if (lattice.identity_step <= 1000000 * kUnitsPerMetre / lattice.pitch) {
    plan.halo = std::max(plan.halo, lattice.identity_step * lattice.pitch);
  }
  plan.slots.push_back(rules);
  return {};
}

void add_cover(VerifyPlan& plan, std::size_t i) {
  const BakedSlot& slot = plan.manifest.slots[i];
  CoverRule rule;
  rule.slot = i;
  // Candidates stand on the lattice: a hole may exceed the radius by half the diagonal of a lattice square.
  // The other half is for the rounding of probes.
  rule.hole = Radius(slot.minimum_distance_m + kSqrt2 * to_metres(slot.lattice.pitch));
  Coord farthest = 0;
  for (const SpacingRule& spacing : plan.spacing) {
    if (spacing.later == i) {
      rule.spacing.push_back({i, spacing.earlier, Radius(spacing.distance.metres() + rule.hole.metres())});
      farthest = std::max(farthest, rule.spacing.back().distance.reach());
    }
  }
  rule.margin = std::max(rule.hole.reach(), farthest);
  plan.halo = std::max(plan.halo, rule.margin);
  plan.covers.push_back(std::move(rule));
}

/// The layer's rules with those that the species gives in their place.
Constraints replaced(Constraints rules, const Constraints& own) {
  rules.biomes = own.biomes ? own.biomes : rules.biomes;
  rules.altitude_m = own.altitude_m ? own.altitude_m : rules.altitude_m;
  rules.slope_degrees = own.slope_degrees ? own.slope_degrees : rules.slope_degrees;
  rules.noise = own.noise ? own.noise : rules.noise;
  rules.maps = own.maps.empty() ? rules.maps : own.maps;
  rules.shapes = own.shapes.empty() ? rules.shapes : own.shapes;
  return rules;
}

std::vector<SpeciesRule> rules_of(std::span<const SpeciesSpec> species, const Constraints& rules) {
  std::vector<SpeciesRule> out;
  if (std::none_of(species.begin(), species.end(), [](const SpeciesSpec& one) {
        return one.constraints.has_value() || !one.biome_weights.empty();
      })) {
    return out;
  }
  for (const SpeciesSpec& one : species) {
    SpeciesRule rule;
    if (one.constraints) {
      rule.rules = std::make_shared<const Constraints>(replaced(rules, *one.constraints));
    }
    rule.weight = one.weight;
    rule.biome_weights = one.biome_weights;
    out.push_back(std::move(rule));
  }
  return out;
}

Status add_scatter(VerifyPlan& plan, const Scatter& scatter) {
  const std::span<const SlotInfo> slots = scatter.slots();
  const std::vector<BakedSlot>& baked = plan.manifest.slots;
  const auto same = [](const SlotInfo& a, const BakedSlot& b) {
    return a.slot == b.slot && a.name == b.name && a.lattice == b.lattice;
  };
  if (!std::equal(slots.begin(), slots.end(), baked.begin(), baked.end(), same)) {
    return invalid_argument("has other layers than the bake; give the world that was baked", "world");
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const LayerSpec& layer = scatter.spec().layers[slots[i].layer];
    plan.slots[i].constraints = slots[i].constraints;
    if (!slots[i].secondary.has_value() && layer.amount) {
      AmountRule rule{i, slots[i].layer, *layer.amount, 0};
      if (layer.amount->choice == AmountSpec::Choice::kSmallest && layer.amount->per_square_m > 0) {
        STREW_ASSIGN(rule.square, to_coord(layer.amount->per_square_m, "amount.per_square_m"));
      }
      plan.amounts.push_back(rule);
    }
    if (slots[i].secondary.has_value()) {
      const SecondarySpec& spec = *slots[i].type;
      plan.rings.push_back({i, slots[i].parent, slot_named(plan.manifest, layer.name), &spec});
      const double reach = std::max({spec.ring_m.maximum + spec.spacing_siblings_m, spec.spacing_parents_m,
                                     spec.spacing_primaries_m}) +
                           1;
      plan.halo = std::max(plan.halo, Radius(reach).reach());
    } else if (!layer.amount && baked[i].maximal && plan.slots[i].minimum_distance.has_value()) {
      add_cover(plan, i);
    }
    plan.slots[i].species = rules_of(slots[i].species, *slots[i].constraints);
  }
  return {};
}

}  // namespace

TileGrid VerifyPlan::block(std::uint64_t index) const noexcept {
  const auto at = static_cast<std::int64_t>(index);
  const std::int64_t x0 = grid.x0 + at % block_columns * block_tiles;
  const std::int64_t y0 = grid.y0 + at / block_columns * block_tiles;
  return {grid.side, x0, y0, std::min(grid.x1, x0 + block_tiles), std::min(grid.y1, y0 + block_tiles)};
}

const BakedTile* VerifyPlan::find(const TileIndex& tile) const noexcept {
  const auto before = [](const BakedTile& a, const TileIndex& b) {
    return a.tile_y != b.y ? a.tile_y < b.y : a.tile_x < b.x;
  };
  const auto found = std::lower_bound(manifest.tiles.begin(), manifest.tiles.end(), tile, before);
  return found != manifest.tiles.end() && found->tile_x == tile.x && found->tile_y == tile.y ? &*found
                                                                                             : nullptr;
}

Result<VerifyPlan> make_verify_plan(const std::string& folder, Manifest manifest, const Scatter* scatter,
                                    const TerrainSource* terrain) {
  if ((scatter == nullptr) != (terrain == nullptr)) {
    return invalid_argument("is missing; give the world and its terrain, or neither",
                            scatter == nullptr ? "scatter" : "terrain");
  }
  VerifyPlan plan;
  plan.folder = folder;
  plan.manifest = std::move(manifest);
  plan.terrain = terrain;
  plan.scatter = scatter;
  for (std::size_t i = 0; i < plan.manifest.slots.size(); ++i) {
    STREW_RETURN_IF_ERROR(add_slot(plan, i));
  }
  if (scatter != nullptr) {
    STREW_RETURN_IF_ERROR(add_scatter(plan, *scatter));
  }
  plan.grid = TileGrid::over(plan.manifest.region, plan.manifest.tile_size);
  const Coord wanted = std::max(kBlockSide, 4 * plan.halo);
  plan.block_tiles = std::max<std::int64_t>(1, wanted / plan.grid.side);
  plan.block_columns = ceil_div(plan.grid.x1 - plan.grid.x0, plan.block_tiles);
  plan.block_rows = ceil_div(plan.grid.y1 - plan.grid.y0, plan.block_tiles);
  return plan;
}

}  // namespace strew
