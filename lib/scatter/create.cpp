// Scatter::create: from a spec to a checked, immutable world.
#include <algorithm>

#include "check_spec.hpp"
#include "guard.hpp"
#include "number_text.hpp"
#include "scatter_impl.hpp"

namespace strew {
namespace {

using scatter::Layer;
using scatter::Secondary;

/// Smallest coordinate distance not below `metres`.
Coord ceil_coord(double metres) noexcept {
  const auto down = static_cast<Coord>(metres * 4294967296.0);
  return static_cast<double>(down) < metres * 4294967296.0 ? down + 1 : down;
}

/// Ids hold 29 bits of each index modulo 2^29: squares of the extent must not repeat.
Status check_ids_fit(const Rect& extent, const Lattice& lattice, const std::string& where) {
  constexpr std::int64_t kMaxSquares = (std::int64_t{1} << 29) - 2;
  const std::int64_t side = lattice.pitch * lattice.identity_step;
  const std::int64_t width = std::max(extent.x1 - extent.x0, extent.y1 - extent.y0);
  if (width / side > kMaxSquares) {
    return invalid_argument("instance ids do not fit: the extent is " + number_text(to_metres(width)) +
                                " m wide or high, more than 2^29 squares of " + number_text(to_metres(side)) +
                                " m; use a smaller extent or larger distances",
                            where);
  }
  return {};
}

Status resolve_strategy(const LayerSpec& spec, const Registry& registry, const std::string& where,
                        Layer& layer) {
  auto found = registry.find_points(spec.strategy);
  if (!found.ok()) {
    Status status = found.status();
    status.where = where + ".strategy";
    return status;
  }
  layer.strategy = found.value();
  const StrategyInfo& info = layer.strategy->info();
  if ((info.promises & kCropEqualsWhole) == 0) {
    return invalid_argument(
        "is " + std::string(info.id) +
            ", whose points depend on the rectangle it is given, so tiles would not meet; use "
            "poisson/tiled",
        where + ".strategy");
  }
  if (info.has_classes != spec.point_class.has_value()) {
    return invalid_argument(
        info.has_classes
            ? "is missing: " + std::string(info.id) + " makes several classes; name the one of this layer"
            : "is given, but " + std::string(info.id) + " makes no classes; leave it out",
        where + ".class");
  }
  auto parameters = ResolvedParameters::resolve(info, spec.parameters);
  if (!parameters.ok()) {
    Status status = parameters.status();
    status.where = where + ".parameters." + status.where;
    return status;
  }
  layer.parameters = std::move(parameters).value();
  return {};
}

Status resolve_spacing(const ScatterSpec& spec, std::size_t index, const std::string& where, Layer& layer) {
  for (const auto& [name, metres] : spec.layers[index].spacing_m) {
    const std::string at = where + ".spacing_m." + name;
    const auto earlier =
        std::find_if(spec.layers.begin(), spec.layers.begin() + static_cast<std::ptrdiff_t>(index),
                     [&wanted = name](const LayerSpec& other) { return other.name == wanted; });
    if (earlier == spec.layers.begin() + static_cast<std::ptrdiff_t>(index)) {
      return invalid_argument("is not an earlier layer; spacing is kept to layers listed before", at);
    }
    if (!(metres >= 0 && metres <= 1000)) {
      return invalid_argument("is " + number_text(metres) + "; expected 0 to 1000 m", at);
    }
    if (metres > 0) {
      layer.spacing.push_back({static_cast<std::size_t>(earlier - spec.layers.begin()), ceil_coord(metres)});
    }
  }
  return {};
}

Status resolve_amount(const LayerSpec& spec, const Rect& extent, const std::string& where, Layer& layer) {
  if (!spec.amount) {
    return {};
  }
  STREW_RETURN_IF_ERROR(scatter::check_amount(*spec.amount, where));
  if (spec.amount->choice == AmountSpec::Choice::kReserved) {
    STREW_ASSIGN(layer.quotas, scatter::QuotaGrid::make(*spec.amount, extent, where));
  } else if (spec.amount->per_square_m > 0) {
    STREW_ASSIGN(layer.amount_square, to_coord(spec.amount->per_square_m, where + ".per_square_m"));
  }
  return {};
}

/// From last layer to first: how far around a region each layer's primaries must be known.
void compute_margins(Scatter::Impl& impl) {
  for (std::size_t i = impl.layers.size(); i-- > 0;) {
    Layer& layer = impl.layers[i];
    layer.margin = std::max(layer.margin, layer.secondary_reach);
    for (const scatter::Spacing& spacing : layer.spacing) {
      Layer& earlier = impl.layers[spacing.layer];
      earlier.margin = std::max(earlier.margin, layer.margin + spacing.radius);
    }
    impl.reach = std::max(impl.reach, layer.margin);
  }
}

Secondary resolve_secondary(const std::string& full_name, const SecondarySpec& spec) {
  Secondary secondary;
  secondary.stream = scatter::stream_of(full_name);
  secondary.ring_min = ceil_coord(spec.ring_m.minimum);
  secondary.ring_max = ceil_coord(spec.ring_m.maximum);
  secondary.spacing_siblings = ceil_coord(spec.spacing_siblings_m);
  secondary.spacing_parents = ceil_coord(spec.spacing_parents_m);
  secondary.spacing_primaries = ceil_coord(spec.spacing_primaries_m);
  return secondary;
}

/// Adds the types that stand around `parent`, each followed by those around itself.
Status add_secondaries(Scatter::Impl& impl, Scatter::TerrainKinds terrain,
                       const std::vector<SecondarySpec>& specs, std::size_t parent, const std::string& where,
                       Layer& layer, std::uint32_t& next_slot) {
  const std::size_t parent_slot =
      parent == Secondary::kPrimaries ? layer.slot_index : layer.secondaries[parent].slot_index;
  for (std::size_t s = 0; s < specs.size(); ++s) {
    const SecondarySpec& spec = specs[s];
    const std::string at = where + ".secondaries[" + std::to_string(s) + "]";
    STREW_RETURN_IF_ERROR(scatter::check_secondary(spec, terrain, at));
    STREW_RETURN_IF_ERROR(check_ids_fit(impl.spec.extent, kSecondaryLattice, at));
    for (std::size_t other = 0; other < s; ++other) {
      if (specs[other].name == spec.name) {
        return invalid_argument("'" + spec.name + "' is used twice around one parent", at + ".name");
      }
    }
    const std::string full_name = impl.slots[parent_slot].name + "/" + spec.name;
    Secondary secondary = resolve_secondary(full_name, spec);
    secondary.slot_index = impl.slots.size();
    secondary.parent = parent;
    const std::size_t number = layer.secondaries.size();
    SlotInfo slot{next_slot--, full_name,         impl.slots[parent_slot].layer,
                  number,      kSecondaryLattice, spec.species};
    slot.parent = parent_slot;
    slot.type = &spec;
    slot.constraints = spec.own_constraints ? &*spec.own_constraints : impl.slots[parent_slot].constraints;
    impl.slots.push_back(std::move(slot));
    layer.secondaries.push_back(secondary);
    STREW_RETURN_IF_ERROR(add_secondaries(impl, terrain, spec.secondaries, number, at, layer, next_slot));
  }
  return {};
}

/// From the types around others to the primaries: how far around a region each must be known. A parent stands
/// a ring away from its secondary, a sibling on the far side of it, and what that keeps away from near that.
void compute_secondary_margins(Layer& layer) {
  for (std::size_t s = layer.secondaries.size(); s-- > 0;) {
    const Secondary& secondary = layer.secondaries[s];
    const Coord siblings = secondary.margin + 2 * secondary.ring_max + kUnitsPerMetre;
    const Coord parents = siblings + secondary.spacing_parents;
    const Coord primaries = siblings + secondary.spacing_primaries;
    layer.secondary_reach = std::max(layer.secondary_reach, primaries);
    Coord& wanted = secondary.parent == Secondary::kPrimaries ? layer.secondary_reach
                                                              : layer.secondaries[secondary.parent].margin;
    wanted = std::max(wanted, parents);
  }
}

std::size_t count_types(const std::vector<SecondarySpec>& specs) {
  std::size_t count = specs.size();
  for (const SecondarySpec& spec : specs) {
    count += count_types(spec.secondaries);
  }
  return count;
}

Status check_depth(const std::vector<SecondarySpec>& specs, int depth, const std::string& where) {
  for (std::size_t s = 0; s < specs.size(); ++s) {
    const std::string at = where + ".secondaries[" + std::to_string(s) + "]";
    if (depth > kMaxSecondaryDepth) {
      return invalid_argument("stands around secondaries that are " + std::to_string(kMaxSecondaryDepth) +
                                  " levels deep, the most there may be; leave it out",
                              at);
    }
    STREW_RETURN_IF_ERROR(check_depth(specs[s].secondaries, depth + 1, at));
  }
  return {};
}

Status add_layer(Scatter::Impl& impl, std::size_t index, Scatter::TerrainKinds terrain,
                 const Registry& registry, std::uint32_t& next_secondary_slot) {
  const LayerSpec& spec = impl.spec.layers[index];
  const std::string where = "layers[" + std::to_string(index) + "]";
  STREW_RETURN_IF_ERROR(scatter::check_name(spec.name, where + ".name"));
  for (std::size_t other = 0; other < index; ++other) {
    if (impl.spec.layers[other].name == spec.name) {
      return invalid_argument("'" + spec.name + "' is also the name of layers[" + std::to_string(other) + "]",
                              where + ".name");
    }
  }
  Layer layer;
  STREW_RETURN_IF_ERROR(resolve_strategy(spec, registry, where, layer));
  auto lattice = layer.strategy->lattice(layer.parameters);
  if (!lattice.ok()) {
    Status status = lattice.status();
    status.where = where + ".parameters." + status.where;
    return status;
  }
  STREW_RETURN_IF_ERROR(scatter::check_rules(spec.constraints, terrain, where + ".constraints"));
  STREW_RETURN_IF_ERROR(scatter::check_species(spec.species, terrain, where + ".species"));
  STREW_RETURN_IF_ERROR(resolve_spacing(impl.spec, index, where, layer));
  STREW_RETURN_IF_ERROR(check_ids_fit(impl.spec.extent, lattice.value(), where));
  const bool reserved = spec.amount && spec.amount->choice == AmountSpec::Choice::kReserved;
  STREW_RETURN_IF_ERROR(
      resolve_amount(spec, impl.spec.extent, where + (reserved ? ".reserved" : ".amount"), layer));
  layer.stream = scatter::stream_of(spec.name);
  layer.point_stream = spec.stream.empty() ? layer.stream : scatter::stream_of(spec.stream);
  layer.slot_index = impl.slots.size();
  impl.slots.push_back(
      {static_cast<std::uint32_t>(index), spec.name, index, std::nullopt, lattice.value(), spec.species});
  impl.slots.back().constraints = &spec.constraints;
  STREW_RETURN_IF_ERROR(add_secondaries(impl, terrain, spec.secondaries, Secondary::kPrimaries, where, layer,
                                        next_secondary_slot));
  compute_secondary_margins(layer);
  impl.version += layer.strategy->info().output_version - 1;
  impl.layers.push_back(std::move(layer));
  return {};
}

}  // namespace

Result<Scatter> Scatter::create(ScatterSpec spec, TerrainKinds terrain, const Registry& registry) {
  return guarded([&]() -> Result<Scatter> {
    auto impl = std::make_unique<Impl>();
    impl->spec = std::move(spec);
    const Rect& extent = impl->spec.extent;
    if (extent.empty()) {
      return invalid_argument("is empty; give a size above 0", "extent");
    }
    if (extent.x0 < -kCoordLimit || extent.y0 < -kCoordLimit || extent.x1 > kCoordLimit ||
        extent.y1 > kCoordLimit) {
      return invalid_argument("reaches beyond +-1073741823 m", "extent");
    }
    if (impl->spec.layers.empty()) {
      return invalid_argument("is empty; a world needs at least one layer", "layers");
    }
    std::size_t slots = impl->spec.layers.size();
    for (std::size_t i = 0; i < impl->spec.layers.size(); ++i) {
      const std::vector<SecondarySpec>& secondaries = impl->spec.layers[i].secondaries;
      STREW_RETURN_IF_ERROR(check_depth(secondaries, 1, "layers[" + std::to_string(i) + "]"));
      slots += count_types(secondaries);
    }
    if (slots > kMaxSlots) {
      return invalid_argument(
          "have " + std::to_string(slots) + " layers and secondary types together; instance ids hold 64",
          "layers");
    }
    std::uint32_t next_secondary_slot = kMaxSlots - 1;
    for (std::size_t i = 0; i < impl->spec.layers.size(); ++i) {
      STREW_RETURN_IF_ERROR(add_layer(*impl, i, terrain, registry, next_secondary_slot));
    }
    compute_margins(*impl);
    Coord square = 0;  // those of an amount that meet the extent are looked at whole
    for (const Layer& layer : impl->layers) {
      if (layer.amount_square > 0) {
        square = std::max(square, scatter::reach_of_squares(layer.amount_square));
      }
    }
    const Rect needed = expanded(extent, impl->reach + square);
    if (needed.x0 < -kCoordLimit || needed.y0 < -kCoordLimit || needed.x1 > kCoordLimit ||
        needed.y1 > kCoordLimit) {
      return invalid_argument("with the " + number_text(to_metres(impl->reach + square)) +
                                  " m that its layers look around it reaches beyond +-1073741823 m",
                              "extent");
    }
    return Scatter(std::move(impl));
  });
}

}  // namespace strew
