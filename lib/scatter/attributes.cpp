#include "attributes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "number_text.hpp"

namespace strew {

std::uint64_t instance_id(std::uint32_t slot, const Lattice& lattice, std::int64_t x,
                          std::int64_t y) noexcept {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 29) - 1;
  const auto square_x = static_cast<std::uint64_t>(floor_div(x, lattice.identity_step)) & kMask;
  const auto square_y = static_cast<std::uint64_t>(floor_div(y, lattice.identity_step)) & kMask;
  return (std::uint64_t{slot} << 58) | (square_y << 29) | square_x;
}

SetHash hash_instances(std::uint32_t slot, const InstanceTable& table) noexcept {
  SetHash hash;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::array<std::uint64_t, 4> words = {static_cast<std::uint64_t>(table.x[i] * table.lattice.pitch),
                                                static_cast<std::uint64_t>(table.y[i] * table.lattice.pitch),
                                                (std::uint64_t{slot} << 48) |
                                                    (std::uint64_t{table.species[i]} << 32) |
                                                    static_cast<std::uint32_t>(table.z_steps[i]),
                                                (std::uint64_t{table.yaw[i]} << 16) | table.scale[i]};
    hash.add(hash_words(words));
  }
  return hash;
}

void SlotReport::merge(const SlotReport& other) {
  candidates += other.candidates;
  placed += other.placed;
  for (std::size_t i = 0; i < rejected.size(); ++i) {
    rejected[i] += other.rejected[i];
  }
  placed_by_species.resize(std::max(placed_by_species.size(), other.placed_by_species.size()));
  for (std::size_t i = 0; i < other.placed_by_species.size(); ++i) {
    placed_by_species[i] += other.placed_by_species[i];
  }
}

namespace scatter {

std::uint64_t stream_of(const std::string& name) noexcept {
  std::uint64_t state = name.size();
  for (const char c : name) {
    state = mix64(state * 257 + static_cast<unsigned char>(c) + 1);
  }
  return state;
}

SpeciesChoice::SpeciesChoice(std::span<const SpeciesSpec> species) : species_(species) {
  double total = 0;
  for (std::size_t i = 0; i < species.size(); ++i) {
    total += species[i].weight;
    cumulative_.push_back(total);
    if (species[i].weight > 0) {
      last_ = static_cast<std::uint16_t>(i);
    }
  }
}

std::uint16_t SpeciesChoice::choose(std::uint32_t draw) const noexcept {
  const double target = draw_unit(draw) * cumulative_.back();
  for (std::size_t i = 0; i < cumulative_.size(); ++i) {
    if (target < cumulative_[i]) {
      return static_cast<std::uint16_t>(i);
    }
  }
  return last_;  // the product rounded up to the total
}

std::uint16_t SpeciesChoice::choose_valid(std::uint32_t draw, std::uint64_t valid,
                                          std::uint8_t biome) const noexcept {
  std::array<double, 64> sums{};
  double total = 0;
  std::uint16_t last = 0;
  for (std::size_t i = 0; i < species_.size(); ++i) {
    double weight = ((valid >> i) & 1U) != 0 ? species_[i].weight : 0;
    for (const BiomeWeight& factor : species_[i].biome_weights) {
      weight *= factor.biome == biome ? factor.factor : 1;
    }
    total += weight;
    sums[i] = total;
    last = weight > 0 ? static_cast<std::uint16_t>(i) : last;
  }
  const double target = draw_unit(draw) * total;
  for (std::uint16_t i = 0; i < last; ++i) {
    if (target < sums[i]) {
      return i;
    }
  }
  return last;
}

bool has_species_rules(std::span<const SpeciesSpec> species) noexcept {
  return std::any_of(species.begin(), species.end(), [](const SpeciesSpec& one) {
    return one.constraints.has_value() || !one.biome_weights.empty();
  });
}

PhiloxCounter attribute_draw(std::uint64_t seed, std::uint64_t stream, const Lattice& lattice, std::int64_t x,
                             std::int64_t y, std::uint64_t number) noexcept {
  // A stream of its own, beside that of the positions.
  const PhiloxKey key = stream_key(seed, mix64(stream ^ 0xA77121B07E5ED00DU));
  return cell_draw(key, floor_div(x, lattice.identity_step), floor_div(y, lattice.identity_step), number);
}

Status append_instance(const Work& work, std::uint64_t stream, const SpeciesChoice& choice, std::int64_t x,
                       std::int64_t y, double altitude, std::uint64_t valid, InstanceTable& table) {
  constexpr double kStepsPerMetre = 1024;
  constexpr double kHighest = 2000000;  // int32 holds +-2,097,151 m in steps of 2^-10 m
  if (!(std::fabs(altitude) <= kHighest)) {
    return make_error(StatusCode::kCorrupt,
                      "is " + number_text(altitude) + " m at (" +
                          number_text(to_metres(x * table.lattice.pitch)) + ", " +
                          number_text(to_metres(y * table.lattice.pitch)) +
                          "); instances hold +-2,000,000 m: declare such samples as nodata",
                      "elevation");
  }
  const PhiloxCounter random = attribute_draw(work.world.spec.seed, stream, table.lattice, x, y, 0);
  std::uint16_t species = 0;
  if (valid == kAllSpecies) {
    species = choice.choose(random[0]);
  } else {
    std::uint8_t biome = 0;
    static_cast<void>(
        sample_nearest(work.terrain.biome, x * table.lattice.pitch, y * table.lattice.pitch, biome));
    species = choice.choose_valid(random[0], valid, biome);
  }
  table.x.push_back(x);
  table.y.push_back(y);
  table.z_steps.push_back(static_cast<std::int32_t>(std::floor(altitude * kStepsPerMetre + 0.5)));
  table.species.push_back(species);
  table.yaw.push_back(static_cast<std::uint16_t>(random[1] >> 16));
  table.scale.push_back(static_cast<std::uint16_t>(random[2] >> 16));
  if (work.world.spec.exact_columns) {
    table.z_exact.push_back(altitude);
    table.yaw_exact.push_back(random[1]);
    table.scale_exact.push_back(random[2]);
  }
  return {};
}

}  // namespace scatter
}  // namespace strew
