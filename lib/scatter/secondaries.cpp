// Things around each primary, or each secondary: drawn in its ring, keyed by its identity.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>

#include "accepted.hpp"
#include "attributes.hpp"
#include "point_bins.hpp"
#include "strew/exact_math.hpp"
#include "wide.hpp"

namespace strew::scatter {
namespace {

struct Candidates {
  std::vector<std::size_t> parent;
  std::vector<std::int64_t> lattice_x;
  std::vector<std::int64_t> lattice_y;
  std::vector<Coord> x;
  std::vector<Coord> y;
};

/// All secondaries that the parents ask for, siblings in the order drawn, before any rule.
Candidates draw_candidates(const Work& work, const SecondarySpec& spec, const Secondary& secondary,
                           const AcceptedPoints& parents) {
  Candidates candidates;
  const PhiloxKey key = stream_key(work.world.spec.seed, secondary.stream);
  const auto range = static_cast<std::uint32_t>(spec.amount_max - spec.amount_min + 1);
  const double inner = spec.ring_m.minimum * spec.ring_m.minimum;
  const double outer = spec.ring_m.maximum * spec.ring_m.maximum;
  const double steps_per_metre = static_cast<double>(kUnitsPerMetre / kSecondaryLattice.pitch);
  const Rect wanted = expanded(work.region, secondary.margin + secondary.ring_max);
  const std::int64_t step = parents.lattice.identity_step;
  for (std::size_t p = 0; p < parents.x.size(); ++p) {
    if (!wanted.contains(parents.x[p], parents.y[p])) {
      continue;
    }
    const std::int64_t square_x = floor_div(parents.lattice_x[p], step);
    const std::int64_t square_y = floor_div(parents.lattice_y[p], step);
    const std::uint32_t amount = static_cast<std::uint32_t>(spec.amount_min) +
                                 draw_below(cell_draw(key, square_x, square_y, 0)[0], range);
    for (std::uint32_t n = 1; n <= amount; ++n) {
      const PhiloxCounter random = cell_draw(key, square_x, square_y, n);
      const double distance = exact_sqrt(inner + (outer - inner) * draw_unit(random[1]));
      double sine = 0;
      double cosine = 0;
      exact_sincos_turns(draw_unit(random[0]), sine, cosine);
      const auto shift = [&](double metres) {
        return static_cast<std::int64_t>(std::floor(metres * steps_per_metre + 0.5));
      };
      // The parent is brought to the secondaries' lattice first: the offset, below 1000 m, is then exact in
      // double.
      const std::int64_t x = floor_div(parents.x[p], kSecondaryLattice.pitch) + shift(distance * cosine);
      const std::int64_t y = floor_div(parents.y[p], kSecondaryLattice.pitch) + shift(distance * sine);
      candidates.parent.push_back(p);
      candidates.lattice_x.push_back(x);
      candidates.lattice_y.push_back(y);
      candidates.x.push_back(x * kSecondaryLattice.pitch);
      candidates.y.push_back(y * kSecondaryLattice.pitch);
    }
  }
  return candidates;
}

/// In the ring, away from parents, primaries and from earlier siblings that stand.
class SpacingRules {
 public:
  SpacingRules(const Candidates& candidates, const AcceptedPoints& parents, const AcceptedPoints& primaries,
               const Secondary& secondary)
      : candidates_(candidates), parents_(parents), secondary_(secondary) {
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
    if (closer_than(x, y, parents_.x[parent], parents_.y[parent], secondary_.ring_min) ||
        !closer_than(x, y, parents_.x[parent], parents_.y[parent], secondary_.ring_max)) {
      return false;  // rounding to the lattice left the ring
    }
    if (near_parents_ != nullptr && near_parents_->any_closer(x, y)) {
      return false;
    }
    const bool parent_is_primary = secondary_.parent == Secondary::kPrimaries;
    if (near_primaries_ != nullptr &&
        near_primaries_->any_closer(x, y, parent_is_primary ? parent : PointBins::kNone)) {
      return false;
    }
    for (std::size_t s = standing.size(); s-- > 0 && candidates_.parent[standing[s]] == parent;) {
      if (closer_than(x, y, candidates_.x[standing[s]], candidates_.y[standing[s]],
                      secondary_.spacing_siblings)) {
        return false;
      }
    }
    return true;
  }

 private:
  const Candidates& candidates_;
  const AcceptedPoints& parents_;
  const Secondary& secondary_;
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
  const Candidates candidates = draw_candidates(work, *info.type, secondary, parents);
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
  std::stable_sort(standing.begin(), standing.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(candidates.lattice_y[a], candidates.lattice_x[a]) <
           std::tie(candidates.lattice_y[b], candidates.lattice_x[b]);
  });
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
