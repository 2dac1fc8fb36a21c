// Scatter::generate: layers in order, each kept away from the earlier ones, over one terrain window.
#include <algorithm>
#include <memory>
#include <optional>

#include "accepted.hpp"
#include "attributes.hpp"
#include "guard.hpp"
#include "point_bins.hpp"
#include "suitable_area.hpp"

namespace strew {
namespace scatter {

namespace {

/// Leaves the points of the layer's class.
Status take_class(const LayerSpec& layer, std::size_t index, PointSet& points) {
  if (points.class_of.empty() != !layer.point_class.has_value()) {
    return invalid_argument(
        points.class_of.empty()
            ? "is given, but the strategy makes no classes; leave it out"
            : "is missing: the strategy makes several classes; name the one of this layer",
        "layers[" + std::to_string(index) + "].class");
  }
  if (points.class_of.empty()) {
    return {};
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.class_of[i] == *layer.point_class) {
      points.x[kept] = points.x[i];
      points.y[kept++] = points.y[i];
    }
  }
  points.x.resize(kept);
  points.y.resize(kept);
  points.class_of.clear();
  return {};
}

void keep_suitable(const SuitableBlocks& suitable, PointSet& points) {
  const bool classes = !points.class_of.empty();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (suitable.contains(points.unit_x(i), points.unit_y(i))) {
      points.x[kept] = points.x[i];
      points.y[kept] = points.y[i];
      if (classes) {
        points.class_of[kept] = points.class_of[i];
      }
      ++kept;
    }
  }
  points.x.resize(kept);
  points.y.resize(kept);
  points.class_of.resize(classes ? kept : 0);
}

/// The rules that every instance of a layer obeys: species with rules of their own stand where the layer's
/// reject.
const Constraints& rules_of_all(const LayerSpec& layer) {
  static const Constraints kNone;
  const bool own = std::any_of(layer.species.begin(), layer.species.end(),
                               [](const auto& species) { return species.constraints.has_value(); });
  return own ? kNone : layer.constraints;
}

/// Candidates of a layer around the region that pass its rules and keep away from the accepted of earlier
/// layers.
Status accept_layer(const Work& work, std::size_t index, const std::vector<AcceptedPoints>& earlier,
                    AcceptedPoints& accepted) {
  const Layer& layer = work.world.layers[index];
  PointSet points;
  const Rect around = expanded(work.region, layer.margin);
  std::optional<SuitableBlocks> blocks;
  if (work.fates == nullptr) {  // an account leaves no candidate out, not even on nodata
    blocks.emplace(work.terrain, rules_of_all(work.world.spec.layers[index]), around);
    if (blocks->bounds().empty()) {
      accepted.lattice = work.world.slots[layer.slot_index].lattice;
      return {};
    }
  }
  const PointRequest request{blocks ? blocks->bounds() : around, work.world.spec.seed, layer.point_stream};
  STREW_RETURN_IF_ERROR(layer.strategy->generate(request, layer.parameters, work.context, points));
  if (blocks && !blocks->all()) {
    keep_suitable(*blocks, points);
  }
  STREW_RETURN_IF_ERROR(take_class(work.world.spec.layers[index], index, points));
  std::vector<Coord> x(points.size());
  std::vector<Coord> y(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    x[i] = points.unit_x(i);
    y[i] = points.unit_y(i);
  }
  Suitable suitable;
  STREW_RETURN_IF_ERROR(
      find_suitable(work, layer.slot_index, x, y, work.world.spec.layers[index].constraints, suitable));

  std::vector<PointBins> bins;
  for (const Spacing& spacing : layer.spacing) {
    bins.emplace_back(earlier[spacing.layer].x, earlier[spacing.layer].y, spacing.radius);
  }
  accepted.lattice = points.lattice;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!bit_at(suitable.accepted, i)) {
      continue;
    }
    if (std::any_of(bins.begin(), bins.end(),
                    [&](const PointBins& near) { return near.any_closer(x[i], y[i]); })) {
      if (work.region.contains(x[i], y[i])) {
        count_rejection(work, layer.slot_index, x[i], y[i], Rejection::kSpacing);
      }
      continue;
    }
    accepted.lattice_x.push_back(points.x[i]);
    accepted.lattice_y.push_back(points.y[i]);
    accepted.x.push_back(x[i]);
    accepted.y.push_back(y[i]);
    accepted.altitude.push_back(suitable.altitude[i]);
    if (!suitable.valid.empty()) {
      accepted.valid.push_back(suitable.valid[i]);
    }
  }
  return {};
}

Status emit_primaries(const Work& work, const Layer& layer, const AcceptedPoints& accepted) {
  InstanceTable& table = work.out[layer.slot_index];
  const SpeciesChoice choice(work.world.slots[layer.slot_index].species);
  for (std::size_t i = 0; i < accepted.x.size(); ++i) {
    if (work.region.contains(accepted.x[i], accepted.y[i])) {
      const std::uint64_t valid = accepted.valid.empty() ? kAllSpecies : accepted.valid[i];
      STREW_RETURN_IF_ERROR(append_instance(work, layer.stream, choice, accepted.lattice_x[i],
                                            accepted.lattice_y[i], accepted.altitude[i], valid, table));
      if (work.fates != nullptr && work.fate_slot == layer.slot_index) {
        work.fates->push_back({accepted.x[i], accepted.y[i], Rejection::kCount});
      }
    }
  }
  return {};
}

void count_placed(const Work& work) {
  if (work.reports.empty()) {
    return;
  }
  for (std::size_t slot = 0; slot < work.out.size(); ++slot) {
    SlotReport& report = work.reports[slot];
    report.placed += work.out[slot].size();
    report.placed_by_species.resize(work.world.slots[slot].species.size());
    for (const std::uint16_t species : work.out[slot].species) {
      ++report.placed_by_species[species];
    }
  }
}

Status generate_region(const Work& work) {
  std::vector<AcceptedPoints> accepted(work.world.layers.size());
  const std::size_t end =
      work.fates == nullptr ? work.world.layers.size() : work.world.slots[work.fate_slot].layer + 1;
  for (std::size_t i = 0; i < end; ++i) {
    if (work.context.cancelled()) {
      return make_error(StatusCode::kCancelled, "cancelled by the caller");
    }
    const Layer& layer = work.world.layers[i];
    STREW_RETURN_IF_ERROR(accept_layer(work, i, accepted, accepted[i]));
    STREW_RETURN_IF_ERROR(emit_primaries(work, layer, accepted[i]));
    for (std::size_t s = 0; s < layer.secondaries.size(); ++s) {
      STREW_RETURN_IF_ERROR(place_secondaries(work, layer, s, accepted[i]));
    }
  }
  count_placed(work);
  return {};
}

Status generate_with(const Scatter::Impl& world, const Rect& region, const TerrainSource& terrain,
                     const RunContext& context, std::vector<InstanceTable>& out,
                     std::span<SlotReport> reports, std::vector<CandidateFate>* fates,
                     std::size_t fate_slot) {
  return guarded([&]() -> Status {
    out.assign(world.slots.size(), InstanceTable{});
    for (std::size_t slot = 0; slot < out.size(); ++slot) {
      out[slot].lattice = world.slots[slot].lattice;
    }
    const Rect inside = intersection(region, world.spec.extent);
    if (inside.empty()) {
      return {};
    }
    TerrainWindow window;
    STREW_RETURN_IF_ERROR(terrain.window(whole_blocks(expanded(inside, world.reach)), window));
    return generate_region({world, window.view, inside, context, out, reports, fates, fate_slot});
  });
}

}  // namespace
}  // namespace scatter

Scatter::Scatter(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Scatter::Scatter(Scatter&&) noexcept = default;
Scatter& Scatter::operator=(Scatter&&) noexcept = default;
Scatter::~Scatter() = default;

const ScatterSpec& Scatter::spec() const noexcept {
  return impl_->spec;
}
std::span<const SlotInfo> Scatter::slots() const noexcept {
  return impl_->slots;
}
Coord Scatter::reach() const noexcept {
  return impl_->reach;
}
std::uint32_t Scatter::output_version() const noexcept {
  return impl_->version;
}

Rect Scatter::terrain_needed(const Rect& region) const noexcept {
  return scatter::whole_blocks(expanded(intersection(region, impl_->spec.extent), impl_->reach));
}

Status Scatter::generate(const Rect& region, const TerrainSource& terrain, const RunContext& context,
                         std::vector<InstanceTable>& out, std::span<SlotReport> reports) const {
  if (!reports.empty() && reports.size() != impl_->slots.size()) {
    return invalid_argument("has " + std::to_string(reports.size()) + " entries; expected one per slot, " +
                                std::to_string(impl_->slots.size()),
                            "reports");
  }
  return scatter::generate_with(*impl_, region, terrain, context, out, reports, nullptr, 0);
}

Status Scatter::explain(const Rect& region, const TerrainSource& terrain, const RunContext& context,
                        std::size_t slot, std::vector<CandidateFate>& out) const {
  if (slot >= impl_->slots.size()) {
    return invalid_argument(
        "is " + std::to_string(slot) + "; the world has " + std::to_string(impl_->slots.size()) + " slots",
        "slot");
  }
  out.clear();
  std::vector<InstanceTable> tables;
  return scatter::generate_with(*impl_, region, terrain, context, tables, {}, &out, slot);
}

const TerrainSource& flat_terrain() noexcept {
  class Flat final : public TerrainSource {
   public:
    [[nodiscard]] Status window(const Rect& /*need*/, TerrainWindow& out) const override {
      out = TerrainWindow{};
      return {};
    }
  };
  static const Flat kFlat;
  return kFlat;
}

}  // namespace strew
