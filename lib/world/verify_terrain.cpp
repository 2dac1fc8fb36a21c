#include <algorithm>
#include <cmath>

#include "number_text.hpp"
#include "point_grid.hpp"
#include "strew/exact_math.hpp"
#include "strew/random.hpp"
#include "verify_block.hpp"
#include "wide.hpp"

namespace strew {
namespace {

constexpr double kElevationTolerance = 1e-3;  // m; stored steps of 1/1024 m stay below half of it
constexpr std::uint64_t kProbesPerTile = 20;
// Keys the probes apart from every layer's stream.
constexpr std::uint64_t kProbeStream = 0x70726F6265000000U;
// A candidate may hide where rejected ground is smaller than the sampling, so what looks like a hole is
// looked at again, as densely as this many places across it.
constexpr int kFineSteps = 512;

struct Places {
  std::vector<Coord> x;
  std::vector<Coord> y;
};

/// Validates places under a slot's constraints, and for each of its species.
class Validator {
 public:
  Validator(const TerrainView& view, const SlotRules& rules) : view_(view), rules_(rules) {}

  void run(std::span<const Coord> x, std::span<const Coord> y) {
    x_ = x;
    y_ = y;
    validate(*rules_.constraints, common_);
    own_.resize(rules_.species.size());
    for (std::size_t s = 0; s < own_.size(); ++s) {
      if (rules_.species[s].rules != nullptr) {
        validate(*rules_.species[s].rules, own_[s]);
      }
    }
  }
  /// Whether an instance of the species may stand at place i.
  [[nodiscard]] bool accepted(std::size_t i, std::size_t species) const noexcept {
    if (rules_.species.empty()) {
      return common_.accepted(i);
    }
    return species < own_.size() && of(species).accepted(i) && weight(i, species) > 0;
  }
  [[nodiscard]] double altitude(std::size_t i, std::size_t species) const noexcept {
    return rules_.species.empty() ? common_.altitude[i] : of(species).altitude[i];
  }
  /// Whether some species may stand at place i.
  [[nodiscard]] bool accepted(std::size_t i) const noexcept {
    if (rules_.species.empty()) {
      return common_.accepted(i);
    }
    for (std::size_t s = 0; s < own_.size(); ++s) {
      if (accepted(i, s)) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool all(const Places& places) {
    run(places.x, places.y);
    for (std::size_t i = 0; i < places.x.size(); ++i) {
      if (!accepted(i)) {
        return false;
      }
    }
    return true;
  }

 private:
  struct Batch {
    std::vector<std::uint64_t> bits;
    std::vector<double> altitude;
    [[nodiscard]] bool accepted(std::size_t i) const noexcept { return (bits[i / 64] >> (i % 64) & 1U) != 0; }
  };

  void validate(const Constraints& constraints, Batch& batch) {
    batch.bits.assign(x_.size() / 64 + 1, 0);
    batch.altitude.resize(x_.size());
    validate_batch(x_, y_, view_, constraints, batch.bits, batch.altitude, counts_);
  }
  [[nodiscard]] const Batch& of(std::size_t species) const noexcept {
    return rules_.species[species].rules != nullptr ? own_[species] : common_;
  }
  [[nodiscard]] double weight(std::size_t i, std::size_t species) const noexcept {
    const SpeciesRule& rule = rules_.species[species];
    std::uint8_t biome = 0;
    if (!rule.biome_weights.empty() &&
        sample_nearest(view_.biome, x_[i], y_[i], biome) == SampleState::kValid) {
      for (const BiomeWeight& factor : rule.biome_weights) {
        if (factor.biome == biome) {
          return rule.weight * factor.factor;
        }
      }
    }
    return rule.weight;
  }

  const TerrainView& view_;
  const SlotRules& rules_;
  std::span<const Coord> x_;
  std::span<const Coord> y_;
  Batch common_;
  std::vector<Batch> own_;
  RejectionCounts counts_{};
};

void check_instances(const VerifyPlan& plan, const VerifyBlock& block, std::size_t slot,
                     const TerrainView& view, Tallies& tallies) {
  const SlotPoints& points = block.slots[slot];
  Validator validator(view, plan.slots[slot]);
  validator.run(std::span(points.x).first(points.own), std::span(points.y).first(points.own));
  const double tolerance = plan.manifest.exact_columns ? 0 : kElevationTolerance;
  tallies.examined(Check::kConstraints, points.own);
  const std::vector<SpeciesSpec>& list = plan.manifest.slots[slot].species;
  for (std::size_t i = 0; i < points.own; ++i) {
    const std::size_t species = points.species[i];
    if (!validator.accepted(i, species)) {
      tallies.violation(Check::kConstraints, [&] {
        return describe_instance(plan, slot, points.x[i], points.y[i]) +
               (species < list.size() ? ", species " + list[species].name : "");
      });
      continue;  // its altitude is unspecified
    }
    tallies.examined(Check::kElevation, 1);
    const double z = points.z_m[i];
    if (!(std::fabs(z - validator.altitude(i, species)) <= tolerance)) {
      tallies.violation(Check::kElevation, [&] {
        return describe_instance(plan, slot, points.x[i], points.y[i]) + ": z is " + number_text(z) +
               " m, the terrain is at " + number_text(validator.altitude(i, species)) + " m";
      });
    }
  }
}

/// The centre, and three rings out to the radius.
Places coarse_disc(Coord x, Coord y, double radius) {
  Places places{{x}, {y}};
  for (int ring = 1; ring <= 3; ++ring) {
    const int count = 8 * ring;
    for (int i = 0; i < count; ++i) {
      double sine = 0;
      double cosine = 0;
      exact_sincos_turns(static_cast<double>(i) / count, sine, cosine);
      const double length = radius * ring / 3 * static_cast<double>(kUnitsPerMetre);
      places.x.push_back(x + static_cast<Coord>(length * cosine));
      places.y.push_back(y + static_cast<Coord>(length * sine));
    }
  }
  return places;
}

Places fine_disc(Coord x, Coord y, const Radius& radius) {
  Places places;
  const Coord step = std::max<Coord>(1, 2 * radius.reach() / kFineSteps);
  for (Coord dy = -radius.reach(); dy <= radius.reach(); dy += step) {
    for (Coord dx = -radius.reach(); dx <= radius.reach(); dx += step) {
      if (radius.exceeds(absolute_difference(dx, 0), absolute_difference(dy, 0))) {
        places.x.push_back(x + dx);
        places.y.push_back(y + dy);
      }
    }
  }
  return places;
}

bool any_closer(const PointGrid& grid, const SlotPoints& points, Coord x, Coord y, const Radius& radius) {
  bool found = false;
  grid.near(x, y, radius.reach(), [&](std::size_t i) {
    found = radius.exceeds(absolute_difference(x, points.x[i]), absolute_difference(y, points.y[i]));
    return !found;
  });
  return found;
}

/// Probe `n` of a tile: a function of the bake's seed, the slot and the place alone.
std::pair<Coord, Coord> probe_place(const VerifyPlan& plan, const CoverRule& rule, const TileIndex& tile,
                                    std::uint64_t n) {
  const PhiloxKey key =
      stream_key(plan.manifest.seed, kProbeStream + std::uint64_t{plan.manifest.slots[rule.slot].slot});
  const PhiloxCounter draw = cell_draw(key, tile.x, tile.y, n);
  const auto along = [&plan](std::uint32_t high, std::uint32_t low) {
    const double unit = draw_unit(high) + draw_unit(low) * (1.0 / 4294967296.0);
    return std::min(plan.grid.side - 1, static_cast<Coord>(unit * static_cast<double>(plan.grid.side)));
  };
  const Rect rect = plan.grid.rect(tile);
  return {rect.x0 + along(draw[0], draw[1]), rect.y0 + along(draw[2], draw[3])};
}

/// A probe is a violation when every candidate that could cover it would have been accepted, and none stands
/// there.
void check_cover(const VerifyPlan& plan, const VerifyBlock& block, const CoverRule& rule,
                 const TerrainView& view, Tallies& tallies) {
  const SlotPoints& points = block.slots[rule.slot];
  const PointGrid grid(points.x, points.y, rule.hole.reach());
  std::vector<PointGrid> earlier;
  for (const SpacingRule& spacing : rule.spacing) {
    const SlotPoints& others = block.slots[spacing.earlier];
    earlier.emplace_back(others.x, others.y, spacing.distance.reach());
  }
  const auto kept_clear = [&](Coord x, Coord y) {
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      if (any_closer(earlier[i], block.slots[rule.spacing[i].earlier], x, y, rule.spacing[i].distance)) {
        return true;
      }
    }
    return false;
  };
  Validator validator(view, plan.slots[rule.slot]);
  const Rect inner = expanded(plan.manifest.region, -rule.margin);
  for (std::int64_t ty = block.tiles.y0; ty < block.tiles.y1; ++ty) {
    for (std::int64_t tx = block.tiles.x0; tx < block.tiles.x1; ++tx) {
      for (std::uint64_t n = 0; n < kProbesPerTile; ++n) {
        const auto [x, y] = probe_place(plan, rule, {tx, ty}, n);
        if (!inner.contains(x, y)) {
          continue;
        }
        tallies.examined(Check::kUncoveredArea, 1);
        if (any_closer(grid, points, x, y, rule.hole) || kept_clear(x, y) ||
            !validator.all(coarse_disc(x, y, rule.hole.metres())) ||
            !validator.all(fine_disc(x, y, rule.hole))) {
          continue;
        }
        tallies.violation(Check::kUncoveredArea, [&, x = x, y = y] {
          return "no " + plan.manifest.slots[rule.slot].name + " within " + number_text(rule.hole.metres()) +
                 " m of (" + number_text(to_metres(x)) + ", " + number_text(to_metres(y)) +
                 ") m, where all ground is suitable, in tile " + std::to_string(tx) + "_" +
                 std::to_string(ty);
        });
      }
    }
  }
}

}  // namespace

Status check_terrain(const VerifyPlan& plan, const VerifyBlock& block, Tallies& tallies) {
  const TileGrid& tiles = block.tiles;
  Coord discs = 0;
  for (const CoverRule& rule : plan.covers) {
    discs = std::max(discs, rule.hole.reach());
  }
  const Rect area = intersection(
      {tiles.x0 * tiles.side, tiles.y0 * tiles.side, tiles.x1 * tiles.side, tiles.y1 * tiles.side},
      plan.manifest.region);
  TerrainWindow window;
  STREW_RETURN_IF_ERROR(plan.terrain->window(expanded(area, discs), window));
  for (std::size_t slot = 0; slot < block.slots.size(); ++slot) {
    check_instances(plan, block, slot, window.view, tallies);
  }
  for (const CoverRule& rule : plan.covers) {
    check_cover(plan, block, rule, window.view, tallies);
  }
  return {};
}

}  // namespace strew
