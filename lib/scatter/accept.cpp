// The primaries of a layer that stand around a region: candidates of its strategy, its rules, its distances
// to earlier layers, its amount.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "accepted.hpp"
#include "census.hpp"
#include "point_bins.hpp"
#include "suitable_area.hpp"

namespace strew::scatter {
namespace {

/// Leaves the points of the layer's class.
Status take_class(const LayerSpec& layer, std::size_t index, PointSet& points) {
  if (!layer.point_class) {
    return {};
  }
  if (points.class_of.size() != points.size()) {
    return invalid_argument("is for a strategy that says it makes classes and made none; mend the strategy",
                            "layers[" + std::to_string(index) + "].class");
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
  std::vector<std::uint64_t> inside(points.size() / 64 + 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool here = suitable.contains(points.unit_x(i), points.unit_y(i));
    inside[i / 64] |= std::uint64_t{here} << (i % 64);
  }
  keep_set(inside, points.x);
  keep_set(inside, points.y);
  keep_set(inside, points.class_of);
}

/// The rules that every instance of a layer obeys: species with rules of their own stand where the layer's
/// reject.
const Constraints& rules_of_all(const LayerSpec& layer) {
  static const Constraints kNone;
  const bool own = std::any_of(layer.species.begin(), layer.species.end(),
                               [](const auto& species) { return species.constraints.has_value(); });
  return own ? kNone : layer.constraints;
}

}  // namespace

Status accept_layer(const Work& work, std::size_t index, Coord margin,
                    const std::vector<AcceptedPoints>& earlier, AcceptedPoints& accepted) {
  const Layer& layer = work.world.layers[index];
  PointSet points;
  const Rect around = expanded(work.region, margin);
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
  HashBounds bounds;
  const bool counted = work.census != nullptr && index != work.uncounted_layer &&
                       work.world.spec.layers[index].amount.has_value();
  if (counted) {
    STREW_RETURN_IF_ERROR(work.census->bounds(index, around, work.context, bounds));
  }
  if (!bins.empty() || counted) {
    for (std::size_t word = 0; word < suitable.accepted.size(); ++word) {
      for (std::uint64_t left = suitable.accepted[word]; left != 0; left &= left - 1) {
        const std::size_t i = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
        Rejection reason = Rejection::kCount;
        if (std::any_of(bins.begin(), bins.end(),
                        [&](const PointBins& near) { return near.any_closer(x[i], y[i]); })) {
          reason = Rejection::kSpacing;
        } else if (counted &&
                   !bounds.admits(x[i], y[i], point_hash(work.world, index, points.x[i], points.y[i]))) {
          reason = Rejection::kAmount;
        } else {
          continue;
        }
        suitable.accepted[word] &= ~(left & (~left + 1));
        if (work.region.contains(x[i], y[i])) {
          count_rejection(work, layer.slot_index, x[i], y[i], reason);
        }
      }
    }
  }
  keep_set(suitable.accepted, points.x);
  keep_set(suitable.accepted, points.y);
  keep_set(suitable.accepted, x);
  keep_set(suitable.accepted, y);
  keep_set(suitable.accepted, suitable.altitude);
  keep_set(suitable.accepted, suitable.valid);
  accepted = {points.lattice, std::move(points.x),          std::move(points.y),      std::move(x),
              std::move(y),   std::move(suitable.altitude), std::move(suitable.valid)};
  return {};
}

}  // namespace strew::scatter
