// Scatter::generate: layers in order, each kept away from the earlier ones, over one terrain window.
#include <algorithm>
#include <memory>
#include <optional>

#include "accepted.hpp"
#include "attributes.hpp"
#include "census.hpp"
#include "guard.hpp"
#include "suitable_area.hpp"

namespace strew {
namespace scatter {

namespace {

/// Those of the points that stand in the region.
AcceptedPoints in_region(const AcceptedPoints& points, const Rect& region) {
  AcceptedPoints inside;
  const std::size_t count = points.x.size();
  inside.lattice_x.resize(count);
  inside.lattice_y.resize(count);
  inside.altitude.resize(count);
  inside.valid.resize(points.valid.empty() ? 0 : count);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // Without a branch: each is written over by the next one that is kept.
    inside.lattice_x[kept] = points.lattice_x[i];
    inside.lattice_y[kept] = points.lattice_y[i];
    inside.altitude[kept] = points.altitude[i];
    if (!points.valid.empty()) {
      inside.valid[kept] = points.valid[i];
    }
    kept += region.contains(points.x[i], points.y[i]) ? 1 : 0;
  }
  inside.lattice_x.resize(kept);
  inside.lattice_y.resize(kept);
  inside.altitude.resize(kept);
  inside.valid.resize(points.valid.empty() ? 0 : kept);
  return inside;
}

Status emit_primaries(const Work& work, const Layer& layer, const AcceptedPoints& accepted) {
  const SpeciesChoice choice(work.world.slots[layer.slot_index].species);
  AcceptedPoints cut;
  if (layer.margin > 0) {
    cut = in_region(accepted, work.region);
  }
  const AcceptedPoints& inside = layer.margin > 0 ? cut : accepted;
  STREW_RETURN_IF_ERROR(append_instances(work, layer.stream, choice,
                                         {inside.lattice_x, inside.lattice_y, inside.altitude, inside.valid},
                                         work.out[layer.slot_index]));
  if (work.fates != nullptr && work.fate_slot == layer.slot_index) {
    for (std::size_t i = 0; i < accepted.x.size(); ++i) {
      if (work.region.contains(accepted.x[i], accepted.y[i])) {
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

/// Of the layers up to `done` only what layers in (done, end) keep a distance to is needed from here on.
void release_points(const Work& work, std::size_t done, std::size_t end,
                    std::vector<AcceptedPoints>& accepted) {
  const auto& layers = work.world.layers;
  for (std::size_t i = 0; i <= done; ++i) {
    const bool wanted =
        std::any_of(layers.begin() + static_cast<std::ptrdiff_t>(done) + 1,
                    layers.begin() + static_cast<std::ptrdiff_t>(end), [i](const Layer& later) {
                      return std::any_of(later.spacing.begin(), later.spacing.end(),
                                         [i](const Spacing& one) { return one.layer == i; });
                    });
    AcceptedPoints places;
    if (wanted) {
      places.x.swap(accepted[i].x);
      places.y.swap(accepted[i].y);
    }
    accepted[i] = std::move(places);
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
    STREW_RETURN_IF_ERROR(accept_layer(work, i, layer.margin, accepted, accepted[i]));
    STREW_RETURN_IF_ERROR(emit_primaries(work, layer, accepted[i]));
    std::vector<AcceptedPoints> around(layer.secondaries.size());
    for (std::size_t s = 0; s < layer.secondaries.size(); ++s) {
      const std::size_t parent = layer.secondaries[s].parent;
      const AcceptedPoints& parents = parent == Secondary::kPrimaries ? accepted[i] : around[parent];
      STREW_RETURN_IF_ERROR(place_secondaries(work, layer, s, parents, accepted[i], around[s]));
    }
    release_points(work, i, end, accepted);
  }
  count_placed(work);
  return {};
}

bool has_amounts(const Scatter::Impl& world) noexcept {
  return std::any_of(world.spec.layers.begin(), world.spec.layers.end(),
                     [](const LayerSpec& layer) { return layer.amount.has_value(); });
}

/// A census of another world would let points stand by its rules.
Status check_census(const Scatter::Impl& world, Census* census) {
  if (census != nullptr && &census->impl().world != &world) {
    return invalid_argument("is of another world; make one of this", "census");
  }
  return {};
}

Status generate_with(const Scatter::Impl& world, const Rect& region, const TerrainSource& terrain,
                     const RunContext& context, std::vector<InstanceTable>& out,
                     std::span<SlotReport> reports, std::vector<CandidateFate>* fates, std::size_t fate_slot,
                     Census::Impl* census) {
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
    std::optional<Census::Impl> own;  // nobody counted for us: count for this call alone
    if (census == nullptr && has_amounts(world)) {
      census = &own.emplace(world, terrain);
    }
    return generate_region({world, window.view, inside, context, out, reports, fates, fate_slot, census});
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

std::optional<std::uint64_t> Scatter::requested(std::size_t layer) const noexcept {
  if (layer >= impl_->layers.size() || !impl_->spec.layers[layer].amount) {
    return std::nullopt;
  }
  if (impl_->layers[layer].quotas) {
    return impl_->layers[layer].quotas->total();
  }
  return impl_->spec.layers[layer].amount->per_square_m > 0
             ? std::nullopt
             : std::optional(scatter::amount_of_world(*impl_, layer));
}

Rect Scatter::terrain_needed(const Rect& region) const noexcept {
  return scatter::whole_blocks(expanded(intersection(region, impl_->spec.extent), impl_->reach));
}

Status Scatter::generate(const Rect& region, const TerrainSource& terrain, const RunContext& context,
                         std::vector<InstanceTable>& out, std::span<SlotReport> reports,
                         Census* census) const {
  if (!reports.empty() && reports.size() != impl_->slots.size()) {
    return invalid_argument("has " + std::to_string(reports.size()) + " entries; expected one per slot, " +
                                std::to_string(impl_->slots.size()),
                            "reports");
  }
  STREW_RETURN_IF_ERROR(scatter::check_census(*impl_, census));
  return scatter::generate_with(*impl_, region, terrain, context, out, reports, nullptr, 0,
                                census != nullptr ? &census->impl() : nullptr);
}

Status Scatter::explain(const Rect& region, const TerrainSource& terrain, const RunContext& context,
                        std::size_t slot, std::vector<CandidateFate>& out, Census* census) const {
  STREW_RETURN_IF_ERROR(scatter::check_census(*impl_, census));
  if (slot >= impl_->slots.size()) {
    return invalid_argument(
        "is " + std::to_string(slot) + "; the world has " + std::to_string(impl_->slots.size()) + " slots",
        "slot");
  }
  out.clear();
  std::vector<InstanceTable> tables;
  return scatter::generate_with(*impl_, region, terrain, context, tables, {}, &out, slot,
                                census != nullptr ? &census->impl() : nullptr);
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
