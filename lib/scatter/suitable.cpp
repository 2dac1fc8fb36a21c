// Which candidates their rules accept: the layer's, and those of species that have rules of their own.
#include <algorithm>

#include "accepted.hpp"

namespace strew::scatter {
namespace {

/// The layer's rules with those that a species gives in their place.
Constraints merged(const Constraints& layer, const Constraints& own) {
  Constraints rules = layer;
  if (own.biomes) {
    rules.biomes = own.biomes;
  }
  if (own.altitude_m) {
    rules.altitude_m = own.altitude_m;
  }
  if (own.slope_degrees) {
    rules.slope_degrees = own.slope_degrees;
  }
  if (own.noise) {
    rules.noise = own.noise;
  }
  if (!own.maps.empty()) {
    rules.maps = own.maps;
  }
  if (!own.shapes.empty()) {
    rules.shapes = own.shapes;
  }
  return rules;
}

double biome_factor(const SpeciesSpec& species, std::uint8_t biome) noexcept {
  for (const BiomeWeight& weight : species.biome_weights) {
    if (weight.biome == biome) {
      return weight.factor;
    }
  }
  return 1;
}

/// Bits of the species that pass their rules and have a weight above 0 at each candidate.
Status find_valid(const Work& work, std::span<const SpeciesSpec> species, std::span<const Coord> x,
                  std::span<const Coord> y, const Constraints& rules, Suitable& out) {
  // `out` comes with the result of the layer's own rules, which species without rules share.
  const std::vector<std::uint64_t> common = out.accepted;
  const std::vector<double> common_altitude = out.altitude;
  out.valid.assign(x.size(), 0);
  std::fill(out.accepted.begin(), out.accepted.end(), 0U);
  std::vector<std::uint64_t> own_bits(common.size());
  std::vector<double> own_altitude(x.size());
  for (std::size_t s = 0; s < species.size(); ++s) {
    const bool own = species[s].constraints.has_value();
    if (own) {
      RejectionCounts counts{};
      STREW_RETURN_IF_ERROR(validate_batch(x, y, work.terrain, merged(rules, *species[s].constraints),
                                           own_bits, own_altitude, counts, work.context.max_isa));
    }
    const std::vector<std::uint64_t>& bits = own ? own_bits : common;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!bit_at(bits, i) || species[s].weight <= 0) {
        continue;
      }
      std::uint8_t biome = 0;
      if (!species[s].biome_weights.empty() &&
          sample_nearest(work.terrain.biome, x[i], y[i], biome) == SampleState::kValid &&
          biome_factor(species[s], biome) <= 0) {
        continue;
      }
      out.valid[i] |= std::uint64_t{1} << s;
      out.accepted[i / 64] |= std::uint64_t{1} << (i % 64);
      out.altitude[i] = own ? own_altitude[i] : common_altitude[i];
    }
  }
  return {};
}

/// Counts why candidates of the region fail: all of them at once. Those that the layer's own rules accept
/// fail by their species.
Status count_reasons(const Work& work, std::size_t slot, std::span<const Coord> x, std::span<const Coord> y,
                     const Constraints& rules) {
  std::vector<std::uint64_t> accepted(x.size() / 64 + 1);
  std::vector<double> altitude(x.size());
  RejectionCounts counts{};
  STREW_RETURN_IF_ERROR(
      validate_batch(x, y, work.terrain, rules, accepted, altitude, counts, work.context.max_isa));
  auto& rejected = work.reports[slot].rejected;
  std::uint64_t explained = 0;
  for (std::size_t reason = 0; reason < counts.size(); ++reason) {
    rejected[reason] += counts[reason];
    explained += counts[reason];
  }
  rejected[static_cast<std::size_t>(Rejection::kSpecies)] += x.size() - explained;
  return {};
}

/// The first rule that rejects a place; kSpecies where the layer's own rules do not.
Rejection reason_at(const Work& work, Coord x, Coord y, const Constraints& rules) noexcept {
  RejectionCounts counts{};
  std::uint64_t bits = 0;
  double altitude = 0;
  validate_batch_ref({&x, 1}, {&y, 1}, work.terrain, rules, {&bits, 1}, {&altitude, 1}, counts);
  const auto* found = std::find_if(counts.begin(), counts.end(), [](std::uint64_t n) { return n != 0; });
  return found == counts.end() ? Rejection::kSpecies : static_cast<Rejection>(found - counts.begin());
}

}  // namespace

Status find_suitable(const Work& work, std::size_t slot, std::span<const Coord> x, std::span<const Coord> y,
                     const Constraints& rules, Suitable& out) {
  out.accepted.assign(x.size() / 64 + 1, 0);
  out.altitude.resize(x.size());
  RejectionCounts everywhere{};
  STREW_RETURN_IF_ERROR(validate_batch(x, y, work.terrain, rules, out.accepted, out.altitude, everywhere,
                                       work.context.max_isa));
  const std::span<const SpeciesSpec> species = work.world.slots[slot].species;
  if (has_species_rules(species)) {
    STREW_RETURN_IF_ERROR(find_valid(work, species, x, y, rules, out));
  }
  if (!work.tells()) {
    return {};
  }
  // The report speaks of the region alone: the rejected inside it are looked at again for their reasons.
  std::vector<Coord> rejected_x;
  std::vector<Coord> rejected_y;
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!work.region.contains(x[i], y[i])) {
      continue;
    }
    ++inside;
    if (bit_at(out.accepted, i)) {
      continue;
    }
    if (work.fates != nullptr) {  // an account keeps the order of the candidates
      count_rejection(work, slot, x[i], y[i], reason_at(work, x[i], y[i], rules));
    } else {
      rejected_x.push_back(x[i]);
      rejected_y.push_back(y[i]);
    }
  }
  if (work.reports.empty()) {
    return {};
  }
  work.reports[slot].candidates += inside;
  return rejected_x.empty() ? Status() : count_reasons(work, slot, rejected_x, rejected_y, rules);
}

void count_rejection(const Work& work, std::size_t slot, Coord x, Coord y, Rejection reason) {
  if (!work.reports.empty()) {
    ++work.reports[slot].rejected[static_cast<std::size_t>(reason)];
  }
  if (work.fates != nullptr && work.fate_slot == slot) {
    work.fates->push_back({x, y, reason});
  }
}

}  // namespace strew::scatter
