// Scatter::generate: layers in order, each kept away from the earlier ones, over one terrain window.
#include <algorithm>
#include <memory>

#include "accepted.hpp"
#include "attributes.hpp"
#include "guard.hpp"
#include "point_bins.hpp"
#include "suitable_area.hpp"

namespace strew {
namespace scatter {

void validate_candidates(const Work& work, std::size_t slot, std::span<const Coord> x,
                         std::span<const Coord> y, const Constraints& rules,
                         std::vector<std::uint64_t>& accepted, std::vector<double>& altitude) {
  accepted.resize(x.size() / 64 + 1);
  altitude.resize(x.size());
  RejectionCounts everywhere{};
  validate_batch(x, y, work.terrain, rules, accepted, altitude, everywhere);
  if (work.reports.empty()) {
    return;
  }
  // The report speaks of the region alone: the rejected inside it are checked again for their reasons.
  SlotReport& report = work.reports[slot];
  std::vector<Coord> rejected_x;
  std::vector<Coord> rejected_y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (work.region.contains(x[i], y[i])) {
      ++report.candidates;
      if (!bit_at(accepted, i)) {
        rejected_x.push_back(x[i]);
        rejected_y.push_back(y[i]);
      }
    }
  }
  std::vector<std::uint64_t> bits(rejected_x.size() / 64 + 1);
  std::vector<double> heights(rejected_x.size());
  validate_batch(rejected_x, rejected_y, work.terrain, rules, bits, heights, report.rejected);
}

namespace {

void keep_suitable(const SuitableBlocks& suitable, PointSet& points) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (suitable.contains(points.unit_x(i), points.unit_y(i))) {
      points.x[kept] = points.x[i];
      points.y[kept] = points.y[i];
      ++kept;
    }
  }
  points.x.resize(kept);
  points.y.resize(kept);
}

/// Candidates of a layer around the region that pass its rules and keep away from the accepted of earlier
/// layers.
Status accept_layer(const Work& work, std::size_t index, const std::vector<AcceptedPoints>& earlier,
                    AcceptedPoints& accepted) {
  const Layer& layer = work.world.layers[index];
  PointSet points;
  const SuitableBlocks suitable(work.terrain, work.world.spec.layers[index].constraints,
                                expanded(work.region, layer.margin));
  if (suitable.bounds().empty()) {
    accepted.lattice = work.world.slots[layer.slot_index].lattice;
    return {};
  }
  const PointRequest request{suitable.bounds(), work.world.spec.seed, layer.stream};
  STREW_RETURN_IF_ERROR(layer.strategy->generate(request, layer.parameters, work.context, points));
  if (!points.class_of.empty()) {
    return invalid_argument("makes several classes; a layer takes a strategy of one class",
                            "layers[" + std::to_string(index) + "].strategy");
  }
  if (!suitable.all()) {
    keep_suitable(suitable, points);
  }
  std::vector<Coord> x(points.size());
  std::vector<Coord> y(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    x[i] = points.unit_x(i);
    y[i] = points.unit_y(i);
  }
  std::vector<std::uint64_t> bits;
  std::vector<double> altitude;
  validate_candidates(work, layer.slot_index, x, y, work.world.spec.layers[index].constraints, bits,
                      altitude);

  std::vector<PointBins> bins;
  for (const Spacing& spacing : layer.spacing) {
    bins.emplace_back(earlier[spacing.layer].x, earlier[spacing.layer].y, spacing.radius);
  }
  accepted.lattice = points.lattice;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!bit_at(bits, i)) {
      continue;
    }
    if (std::any_of(bins.begin(), bins.end(),
                    [&](const PointBins& near) { return near.any_closer(x[i], y[i]); })) {
      if (work.region.contains(x[i], y[i])) {
        count_spacing(work, layer.slot_index);
      }
      continue;
    }
    accepted.lattice_x.push_back(points.x[i]);
    accepted.lattice_y.push_back(points.y[i]);
    accepted.x.push_back(x[i]);
    accepted.y.push_back(y[i]);
    accepted.altitude.push_back(altitude[i]);
  }
  return {};
}

Status emit_primaries(const Work& work, const Layer& layer, const AcceptedPoints& accepted) {
  InstanceTable& table = work.out[layer.slot_index];
  const SpeciesChoice choice(work.world.slots[layer.slot_index].species);
  for (std::size_t i = 0; i < accepted.x.size(); ++i) {
    if (work.region.contains(accepted.x[i], accepted.y[i])) {
      STREW_RETURN_IF_ERROR(append_instance(work.world.spec.seed, layer.stream, choice, accepted.lattice_x[i],
                                            accepted.lattice_y[i], accepted.altitude[i], table));
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
  for (std::size_t i = 0; i < work.world.layers.size(); ++i) {
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
  return guarded([&]() -> Status {
    out.assign(impl_->slots.size(), InstanceTable{});
    for (std::size_t slot = 0; slot < out.size(); ++slot) {
      out[slot].lattice = impl_->slots[slot].lattice;
    }
    const Rect inside = intersection(region, impl_->spec.extent);
    if (inside.empty()) {
      return {};
    }
    TerrainWindow window;
    STREW_RETURN_IF_ERROR(terrain.window(terrain_needed(inside), window));
    return scatter::generate_region({*impl_, window.view, inside, context, out, reports});
  });
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
