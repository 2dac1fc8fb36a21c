#include <algorithm>
#include <optional>
#include <tuple>

#include "number_text.hpp"
#include "point_grid.hpp"
#include "verify_block.hpp"
#include "wide.hpp"

namespace strew {
namespace {

double distance_m(Coord x0, Coord y0, Coord x1, Coord y1) {
  const double dx = to_metres(x1 - x0);
  const double dy = to_metres(y1 - y0);
  return std::sqrt(dx * dx + dy * dy);
}

bool closer(const Radius& radius, const SlotPoints& a, std::size_t i, const SlotPoints& b, std::size_t j) {
  return radius.exceeds(absolute_difference(a.x[i], b.x[j]), absolute_difference(a.y[i], b.y[j]));
}

/// Of the instances that share an identity, all but the first count, each in the block it stands in.
void check_ids(const VerifyPlan& plan, const VerifyBlock& block, std::size_t slot, Tallies& tallies) {
  const SlotPoints& points = block.slots[slot];
  const Lattice& lattice = plan.manifest.slots[slot].lattice;
  using Square = std::tuple<std::int64_t, std::int64_t, std::uint64_t, std::size_t>;
  std::vector<Square> squares;
  squares.reserve(points.x.size());
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    squares.emplace_back(floor_div(points.y[i] / lattice.pitch, lattice.identity_step),
                         floor_div(points.x[i] / lattice.pitch, lattice.identity_step), points.rank[i], i);
  }
  std::sort(squares.begin(), squares.end());
  tallies.examined(Check::kDuplicateIds, points.own);
  for (std::size_t k = 1; k < squares.size(); ++k) {
    const auto& [y, x, rank, i] = squares[k];
    if (std::get<0>(squares[k - 1]) == y && std::get<1>(squares[k - 1]) == x && i < points.own) {
      tallies.violation(Check::kDuplicateIds,
                        [&, i = i] { return describe_instance(plan, slot, points.x[i], points.y[i]); });
    }
  }
}

/// Calls report(i, j) for each instance i of the block in `a` and each j of `b` closer to it than the radius.
template <class Report>
void for_close_pairs(const SlotPoints& a, const SlotPoints& b, const Radius& radius, const Report& report) {
  if (a.own == 0) {
    return;
  }
  const PointGrid grid(b.x, b.y, radius.reach());
  for (std::size_t i = 0; i < a.own; ++i) {
    grid.near(a.x[i], a.y[i], radius.reach(), [&](std::size_t j) {
      if (closer(radius, a, i, b, j)) {
        report(i, j);
      }
      return true;
    });
  }
}

void check_distance(const VerifyPlan& plan, const VerifyBlock& block, std::size_t slot, Tallies& tallies) {
  const SlotPoints& points = block.slots[slot];
  const Radius& radius = *plan.slots[slot].minimum_distance;
  tallies.examined(Check::kMinimumDistance, points.own);
  for_close_pairs(points, points, radius, [&](std::size_t i, std::size_t j) {
    // Each pair is found from both sides; the one with the lower rank reports it.
    if (points.rank[i] < points.rank[j]) {
      tallies.violation(Check::kMinimumDistance, [&] {
        return describe_instance(plan, slot, points.x[i], points.y[i]) + " and " +
               describe_instance(plan, slot, points.x[j], points.y[j]) + ": " +
               number_text(distance_m(points.x[i], points.y[i], points.x[j], points.y[j])) +
               " m apart, below " + number_text(radius.metres()) + " m";
      });
    }
  });
}

void check_spacing(const VerifyPlan& plan, const VerifyBlock& block, const SpacingRule& rule,
                   Tallies& tallies) {
  const SlotPoints& later = block.slots[rule.later];
  const SlotPoints& earlier = block.slots[rule.earlier];
  tallies.examined(Check::kSpacing, later.own);
  for_close_pairs(later, earlier, rule.distance, [&](std::size_t i, std::size_t j) {
    tallies.violation(Check::kSpacing, [&] {
      return describe_instance(plan, rule.later, later.x[i], later.y[i]) + " and " +
             describe_instance(plan, rule.earlier, earlier.x[j], earlier.y[j]) + ": " +
             number_text(distance_m(later.x[i], later.y[i], earlier.x[j], earlier.y[j])) +
             " m apart, below " + number_text(rule.distance.metres()) + " m";
    });
  });
}

/// How many of `others` are nearer than `least` to a place, and how many are within a ring around it.
struct Around {
  std::size_t in_ring = 0;
  std::size_t close = 0;
  std::size_t in_ring_and_close = 0;
};
Around count_around(const SlotPoints& others, const PointGrid& grid, Coord x, Coord y, const Range& ring,
                    double least) {
  Around around;
  grid.near(x, y, Radius(std::max(ring.maximum, least)).reach(), [&](std::size_t j) {
    const double distance = distance_m(x, y, others.x[j], others.y[j]);
    const bool within = distance >= ring.minimum && distance <= ring.maximum;
    const bool near = distance < least;
    around.in_ring += within ? 1U : 0U;
    around.close += near ? 1U : 0U;
    around.in_ring_and_close += within && near ? 1U : 0U;
    return true;
  });
  return around;
}

/// Each secondary needs one that may be its parent: at a distance within the ring, all of the parents' kind
/// at the distance kept to those, and every primary but the parent at the distance kept to primaries. A place
/// is rounded to the secondaries' lattice, which the tolerance allows for.
void check_ring(const VerifyPlan& plan, const VerifyBlock& block, const RingRule& rule, Tallies& tallies) {
  const SlotPoints& points = block.slots[rule.slot];
  const SlotPoints& parents = block.slots[rule.parent];
  const SlotPoints& primaries = block.slots[rule.primaries];
  const SecondarySpec& spec = *rule.spec;
  const double tolerance = 2 * to_metres(plan.manifest.slots[rule.slot].lattice.pitch) + 1e-9;
  const Range ring = {spec.ring_m.minimum - tolerance, spec.ring_m.maximum + tolerance};
  const Coord reach =
      Radius(std::max({ring.maximum, spec.spacing_parents_m, spec.spacing_primaries_m})).reach();
  const PointGrid near_parents(parents.x, parents.y, reach);
  const PointGrid near_primaries(primaries.x, primaries.y, reach);
  const Rect inner = expanded(plan.manifest.region, -reach);
  for (std::size_t i = 0; i < points.own; ++i) {
    // Nearer to the border the parent may stand outside, where nothing is written.
    if (!inner.contains(points.x[i], points.y[i])) {
      continue;
    }
    tallies.examined(Check::kSecondaryRing, 1);
    const Around own = count_around(parents, near_parents, points.x[i], points.y[i], ring,
                                    spec.spacing_parents_m - tolerance);
    const Around others = count_around(primaries, near_primaries, points.x[i], points.y[i], ring,
                                       spec.spacing_primaries_m - tolerance);
    // Of the primaries only the parent itself may be near.
    const bool parent_only =
        rule.parent == rule.primaries && others.close == 1 && others.in_ring_and_close == 1;
    if (own.in_ring == 0 || own.close != 0 || (others.close != 0 && !parent_only)) {
      tallies.violation(Check::kSecondaryRing, [&] {
        return describe_instance(plan, rule.slot, points.x[i], points.y[i]) + ": no " +
               plan.manifest.slots[rule.parent].name + " can be its parent";
      });
    }
  }
}

/// Index of the only one of `parents` that can be the parent of a place; none where there are several.
std::optional<std::size_t> only_parent(const SlotPoints& parents, const PointGrid& grid, Coord x, Coord y,
                                       const Range& ring) {
  std::optional<std::size_t> found;
  bool several = false;
  grid.near(x, y, Radius(ring.maximum).reach(), [&](std::size_t j) {
    const double distance = distance_m(x, y, parents.x[j], parents.y[j]);
    if (distance >= ring.minimum && distance <= ring.maximum) {
      several = found.has_value();
      found = j;
    }
    return !several;
  });
  return several ? std::nullopt : found;
}

/// Secondaries of one parent keep apart. Tiles do not say whose they are: a pair counts where no other parent
/// than one and the same is possible for both.
void check_siblings(const VerifyPlan& plan, const VerifyBlock& block, const RingRule& rule,
                    Tallies& tallies) {
  const SecondarySpec& spec = *rule.spec;
  if (!(spec.spacing_siblings_m > 0)) {
    return;
  }
  const SlotPoints& points = block.slots[rule.slot];
  const SlotPoints& parents = block.slots[rule.parent];
  const double tolerance = 2 * to_metres(plan.manifest.slots[rule.slot].lattice.pitch) + 1e-9;
  const Range ring = {spec.ring_m.minimum - tolerance, spec.ring_m.maximum + tolerance};
  const PointGrid near_parents(parents.x, parents.y, Radius(ring.maximum).reach());
  // Nearer to the border one of two possible parents may stand outside, where nothing is written.
  const Rect inner = expanded(plan.manifest.region, -Radius(ring.maximum).reach());
  for (std::size_t i = 0; i < points.own; ++i) {
    tallies.examined(Check::kSiblingDistance, inner.contains(points.x[i], points.y[i]) ? 1 : 0);
  }
  // Two that stand on one place would be one identity twice, which is another check's to find.
  for_close_pairs(points, points, Radius(spec.spacing_siblings_m), [&](std::size_t i, std::size_t j) {
    const double apart = distance_m(points.x[i], points.y[i], points.x[j], points.y[j]);
    if (points.rank[i] >= points.rank[j] || apart >= spec.spacing_siblings_m - tolerance ||
        !inner.contains(points.x[i], points.y[i]) || !inner.contains(points.x[j], points.y[j])) {
      return;
    }
    const auto mine = only_parent(parents, near_parents, points.x[i], points.y[i], ring);
    if (mine && mine == only_parent(parents, near_parents, points.x[j], points.y[j], ring)) {
      tallies.violation(Check::kSiblingDistance, [&] {
        return describe_instance(plan, rule.slot, points.x[i], points.y[i]) + " and " +
               describe_instance(plan, rule.slot, points.x[j], points.y[j]) + ": " + number_text(apart) +
               " m apart around one " + plan.manifest.slots[rule.parent].name + ", below " +
               number_text(spec.spacing_siblings_m) + " m";
      });
    }
  });
}

}  // namespace

void check_pairs(const VerifyPlan& plan, const VerifyBlock& block, Tallies& tallies) {
  for (std::size_t slot = 0; slot < block.slots.size(); ++slot) {
    check_ids(plan, block, slot, tallies);
    if (plan.slots[slot].minimum_distance.has_value()) {
      check_distance(plan, block, slot, tallies);
    }
  }
  for (const SpacingRule& rule : plan.spacing) {
    check_spacing(plan, block, rule, tallies);
  }
  for (const RingRule& rule : plan.rings) {
    check_ring(plan, block, rule, tallies);
    check_siblings(plan, block, rule, tallies);
  }
}

}  // namespace strew
