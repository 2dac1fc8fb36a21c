// Things around each primary, or each secondary: drawn in its ring, keyed by its identity.
#include <algorithm>
#include <memory>

#include "accepted.hpp"
#include "attribute_draws.hpp"
#include "attributes.hpp"
#include "disc.hpp"
#include "point_bins.hpp"
#include "point_order.hpp"
#include "ring_offsets.hpp"

namespace strew::scatter {
namespace {

struct Candidates {
  std::vector<std::size_t> parent;
  std::vector<std::int64_t> lattice_x;
  std::vector<std::int64_t> lattice_y;
  std::vector<Coord> x;
  std::vector<Coord> y;

  void resize(std::size_t count) {
    parent.resize(count);
    lattice_x.resize(count);
    lattice_y.resize(count);
    x.resize(count);
    y.resize(count);
  }
};

/// Parents that ask for one secondary more, and where its row is among the candidates.
struct Asking {
  std::vector<std::size_t> parent;
  std::vector<std::size_t> row;
  std::vector<std::uint32_t> amount;
  std::vector<std::int64_t> lattice_x;
  std::vector<std::int64_t> lattice_y;

  /// Leaves those with an amount of at least `least`, and moves their rows on.
  void keep(std::uint32_t least) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < parent.size(); ++i) {
      parent[kept] = parent[i];
      row[kept] = row[i] + 1;
      amount[kept] = amount[i];
      lattice_x[kept] = lattice_x[i];
      lattice_y[kept] = lattice_y[i];
      kept += amount[i] >= least ? 1 : 0;
    }
    parent.resize(kept);
    row.resize(kept);
    amount.resize(kept);
    lattice_x.resize(kept);
    lattice_y.resize(kept);
  }
};

/// Columns of draws, one row per asking parent.
struct Draws {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;
  std::vector<std::uint32_t> third;
  explicit Draws(std::size_t count) : first(count), second(count), third(count) {}
  [[nodiscard]] DrawColumns columns() noexcept { return {first.data(), second.data(), third.data()}; }
};

/// All secondaries that the parents ask for, siblings in the order drawn, before any rule.
Status draw_candidates(const Work& work, const SecondarySpec& spec, const Secondary& secondary,
                       const AcceptedPoints& parents, Candidates& candidates) {
  STREW_ASSIGN(const DrawColumnsFn draw_columns, draw_columns_kernel(work.context.max_isa));
  STREW_ASSIGN(const RingOffsetsFn ring_offsets, ring_offsets_kernel(work.context.max_isa));
  Asking asking;
  const Rect wanted = expanded(work.region, secondary.margin + secondary.ring_max);
  for (std::size_t p = 0; p < parents.x.size(); ++p) {
    if (wanted.contains(parents.x[p], parents.y[p])) {
      asking.parent.push_back(p);
      asking.lattice_x.push_back(parents.lattice_x[p]);
      asking.lattice_y.push_back(parents.lattice_y[p]);
    }
  }
  const std::size_t count = asking.parent.size();
  asking.row.resize(count);
  asking.amount.resize(count);
  Draws draws(count);
  DrawBatch batch{stream_key(work.world.spec.seed, secondary.stream), parents.lattice.identity_step, 0};
  draw_columns(batch, asking.lattice_x.data(), asking.lattice_y.data(), count, draws.columns());
  const auto range = static_cast<std::uint32_t>(spec.amount_max - spec.amount_min + 1);
  std::size_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    asking.amount[i] = static_cast<std::uint32_t>(spec.amount_min) + draw_below(draws.first[i], range);
    asking.row[i] = total - 1;  // the row before its first; modulo 2^n
    total += asking.amount[i];
  }
  candidates.resize(total);

  constexpr Coord kPerMetre = kUnitsPerMetre / kSecondaryLattice.pitch;
  const Ring ring{spec.ring_m.minimum * spec.ring_m.minimum, spec.ring_m.maximum * spec.ring_m.maximum,
                  static_cast<double>(kPerMetre)};
  std::vector<std::int32_t> offset_x(count);
  std::vector<std::int32_t> offset_y(count);
  for (std::uint32_t n = 1; n <= static_cast<std::uint32_t>(spec.amount_max); ++n) {
    asking.keep(n);
    const std::size_t here = asking.parent.size();
    batch.number = n;
    draw_columns(batch, asking.lattice_x.data(), asking.lattice_y.data(), here, draws.columns());
    ring_offsets(ring, draws.first.data(), draws.second.data(), here, offset_x.data(), offset_y.data());
    for (std::size_t i = 0; i < here; ++i) {
      const std::size_t p = asking.parent[i];
      const std::size_t row = asking.row[i];
      // The parent is brought to the secondaries' lattice first: the offset, below 1000 m, is then exact in
      // double.
      candidates.parent[row] = p;
      candidates.lattice_x[row] = floor_div(parents.x[p], kSecondaryLattice.pitch) + offset_x[i];
      candidates.lattice_y[row] = floor_div(parents.y[p], kSecondaryLattice.pitch) + offset_y[i];
      candidates.x[row] = candidates.lattice_x[row] * kSecondaryLattice.pitch;
      candidates.y[row] = candidates.lattice_y[row] * kSecondaryLattice.pitch;
    }
  }
  return {};
}

/// In the ring, away from parents, primaries and from earlier siblings that stand.
class SpacingRules {
 public:
  SpacingRules(const Candidates& candidates, const AcceptedPoints& parents, const AcceptedPoints& primaries,
               const Secondary& secondary)
      : candidates_(candidates),
        parents_(parents),
        parent_is_primary_(secondary.parent == Secondary::kPrimaries),
        ring_min_(secondary.ring_min),
        ring_max_(secondary.ring_max),
        siblings_(secondary.spacing_siblings) {
    if (secondary.spacing_parents > 0) {
      near_parents_ = std::make_unique<PointBins>(parents.x, parents.y, secondary.spacing_parents);
    }
    if (secondary.spacing_primaries > 0) {
      near_primaries_ = std::make_unique<PointBins>(primaries.x, primaries.y, secondary.spacing_primaries);
    }
  }

  /// `standing`: earlier candidates that stand; those of the same parent are its tail.
  [[nodiscard]] bool allows(std::size_t i, const std::vector<std::size_t>& standing) const noexcept {
    const std::size_t parent = candidates_.parent[i];
    const Coord x = candidates_.x[i];
    const Coord y = candidates_.y[i];
    const Coord from_x = x - parents_.x[parent];
    const Coord from_y = y - parents_.y[parent];
    if (ring_min_.contains(from_x, from_y) || !ring_max_.contains(from_x, from_y)) {
      return false;  // rounding to the lattice left the ring
    }
    if (near_parents_ != nullptr && near_parents_->any_closer(x, y)) {
      return false;
    }
    if (near_primaries_ != nullptr &&
        near_primaries_->any_closer(x, y, parent_is_primary_ ? parent : PointBins::kNone)) {
      return false;
    }
    for (std::size_t s = standing.size(); s-- > 0 && candidates_.parent[standing[s]] == parent;) {
      if (siblings_.contains(x - candidates_.x[standing[s]], y - candidates_.y[standing[s]])) {
        return false;
      }
    }
    return true;
  }

 private:
  const Candidates& candidates_;
  const AcceptedPoints& parents_;
  bool parent_is_primary_;
  Disc ring_min_;
  Disc ring_max_;
  Disc siblings_;
  std::unique_ptr<PointBins> near_parents_;
  std::unique_ptr<PointBins> near_primaries_;
};

}  // namespace

Status place_secondaries(const Work& work, const Layer& layer, std::size_t index,
                         const AcceptedPoints& parents, const AcceptedPoints& primaries,
                         AcceptedPoints& accepted) {
  const Secondary& secondary = layer.secondaries[index];
  const std::size_t slot = secondary.slot_index;
  const SlotInfo& info = work.world.slots[slot];
  Candidates candidates;
  STREW_RETURN_IF_ERROR(draw_candidates(work, *info.type, secondary, parents, candidates));
  const std::size_t count = candidates.x.size();

  Suitable suitable;
  STREW_RETURN_IF_ERROR(find_suitable(work, slot, candidates.x, candidates.y, *info.constraints, suitable));

  const SpacingRules spacing(candidates, parents, primaries, secondary);
  std::vector<std::size_t> standing;
  for (std::size_t i = 0; i < count; ++i) {
    if (!bit_at(suitable.accepted, i)) {
      continue;
    }
    if (spacing.allows(i, standing)) {
      standing.push_back(i);
    } else if (work.region.contains(candidates.x[i], candidates.y[i])) {
      count_rejection(work, slot, candidates.x[i], candidates.y[i], Rejection::kSpacing);
    }
  }

  // One per lattice position, the first by its parent's place: candidates come in that order, and the sort is
  // stable.
  const Rect wanted = expanded(work.region, secondary.margin);
  std::erase_if(standing, [&](std::size_t i) { return !wanted.contains(candidates.x[i], candidates.y[i]); });
  sort_by_place(candidates.lattice_x, candidates.lattice_y, standing);
  const SpeciesChoice choice(info.species);
  accepted.lattice = kSecondaryLattice;
  AcceptedPoints inside;  // of the region
  for (const std::size_t i : standing) {
    const bool in_region = work.region.contains(candidates.x[i], candidates.y[i]);
    if (!accepted.x.empty() && accepted.lattice_x.back() == candidates.lattice_x[i] &&
        accepted.lattice_y.back() == candidates.lattice_y[i]) {
      if (in_region) {
        count_rejection(work, slot, candidates.x[i], candidates.y[i], Rejection::kSpacing);
      }
      continue;
    }
    accepted.lattice_x.push_back(candidates.lattice_x[i]);
    accepted.lattice_y.push_back(candidates.lattice_y[i]);
    accepted.x.push_back(candidates.x[i]);
    accepted.y.push_back(candidates.y[i]);
    if (!in_region) {
      continue;
    }
    inside.lattice_x.push_back(candidates.lattice_x[i]);
    inside.lattice_y.push_back(candidates.lattice_y[i]);
    inside.altitude.push_back(suitable.altitude[i]);
    if (!suitable.valid.empty()) {
      inside.valid.push_back(suitable.valid[i]);
    }
    if (work.fates != nullptr && work.fate_slot == slot) {
      work.fates->push_back({candidates.x[i], candidates.y[i], Rejection::kCount});
    }
  }
  return append_instances(work, secondary.stream, choice,
                          {inside.lattice_x, inside.lattice_y, inside.altitude, inside.valid},
                          work.out[slot]);
}

}  // namespace strew::scatter
