#include "attributes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "attribute_draws.hpp"
#include "number_text.hpp"

namespace strew {

std::uint64_t instance_id(std::uint32_t slot, const Lattice& lattice, std::int64_t x,
                          std::int64_t y) noexcept {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 29) - 1;
  const auto square_x = static_cast<std::uint64_t>(floor_div(x, lattice.identity_step)) & kMask;
  const auto square_y = static_cast<std::uint64_t>(floor_div(y, lattice.identity_step)) & kMask;
  return (std::uint64_t{slot} << 58) | (square_y << 29) | square_x;
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

namespace {

constexpr std::uint64_t kDraws = std::uint64_t{1} << 32;
constexpr double kHighest = 2000000;  // int32 holds +-2,097,151 m in steps of 2^-10 m
/// Instances that are drawn for at a time: their draws stay in the nearest cache.
constexpr std::size_t kChunk = 512;

PhiloxKey attribute_key(std::uint64_t seed, std::uint64_t stream) noexcept {
  // A stream of its own, beside that of the positions.
  return stream_key(seed, mix64(stream ^ 0xA77121B07E5ED00DU));
}

/// floor(1024 * altitude + 0.5), of at most kHighest: in vectors, where std::floor is a call.
std::int32_t z_steps_of(double altitude) noexcept {
  const double steps = altitude * 1024 + 0.5;
  const auto cut = static_cast<std::int32_t>(steps);
  return cut - (static_cast<double>(cut) > steps ? 1 : 0);
}

void reserve_columns(InstanceTable& table, std::size_t count, bool exact) {
  table.x.reserve(count);
  table.y.reserve(count);
  table.z_steps.reserve(count);
  table.species.reserve(count);
  table.yaw.reserve(count);
  table.scale.reserve(count);
  if (exact) {
    table.z_exact.reserve(count);
    table.yaw_exact.reserve(count);
    table.scale_exact.reserve(count);
  }
}

template <class T>
void append(const T* values, std::size_t count, std::vector<T>& column) {
  column.insert(column.end(), values, values + count);
}

Status refuse_elevation(double altitude, Coord x, Coord y) {
  return make_error(StatusCode::kCorrupt,
                    "is " + number_text(altitude) + " m at (" + number_text(to_metres(x)) + ", " +
                        number_text(to_metres(y)) +
                        "); instances hold +-2,000,000 m: declare such samples as nodata",
                    "elevation");
}

}  // namespace

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
  for (const double bound : cumulative_) {
    // The product with the total rises with the draw, rounded or not: halving finds where it reaches the
    // bound.
    std::uint64_t low = 0;
    std::uint64_t high = kDraws;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (draw_unit(static_cast<std::uint32_t>(middle)) * total < bound) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < kDraws) {
      thresholds_.push_back(static_cast<std::uint32_t>(low));
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

void SpeciesChoice::choose_all(std::span<const std::uint32_t> draw, std::uint16_t* out) const noexcept {
  std::fill(out, out + draw.size(), std::uint16_t{0});
  for (const std::uint32_t threshold : thresholds_) {
    for (std::size_t i = 0; i < draw.size(); ++i) {
      out[i] = static_cast<std::uint16_t>(out[i] + (draw[i] >= threshold ? 1 : 0));
    }
  }
  if (thresholds_.size() == cumulative_.size()) {
    for (std::size_t i = 0; i < draw.size(); ++i) {
      out[i] = out[i] == thresholds_.size() ? last_ : out[i];
    }
  }
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
  return cell_draw(attribute_key(seed, stream), floor_div(x, lattice.identity_step),
                   floor_div(y, lattice.identity_step), number);
}

Status append_instances(const Work& work, std::uint64_t stream, const SpeciesChoice& choice,
                        const Places& places, InstanceTable& table) {
  STREW_ASSIGN(const DrawColumnsFn draw_columns, draw_columns_kernel(work.context.max_isa));
  const DrawBatch batch{attribute_key(work.world.spec.seed, stream), table.lattice.identity_step, 0};
  const std::size_t count = places.lattice_x.size();
  const bool exact = work.world.spec.exact_columns;
  reserve_columns(table, table.size() + count, exact);
  std::array<std::uint32_t, kChunk> first;
  std::array<std::uint32_t, kChunk> yaw;
  std::array<std::uint32_t, kChunk> scale;
  std::array<std::int32_t, kChunk> z_steps;
  std::array<std::uint16_t, kChunk> word;
  for (std::size_t begin = 0; begin < count; begin += kChunk) {
    const std::size_t here = std::min(kChunk, count - begin);
    const std::int64_t* const x = places.lattice_x.data() + begin;
    const std::int64_t* const y = places.lattice_y.data() + begin;
    const double* const altitude = places.altitude.data() + begin;
    const double* const wrong =
        std::find_if_not(altitude, altitude + here, [](double z) { return std::fabs(z) <= kHighest; });
    if (wrong != altitude + here) {
      const auto i = static_cast<std::size_t>(wrong - altitude);
      return refuse_elevation(*wrong, x[i] * table.lattice.pitch, y[i] * table.lattice.pitch);
    }
    draw_columns(batch, x, y, here, {first.data(), yaw.data(), scale.data()});
    append(x, here, table.x);
    append(y, here, table.y);
    std::transform(altitude, altitude + here, z_steps.data(), z_steps_of);
    append(z_steps.data(), here, table.z_steps);
    if (places.valid.empty()) {
      choice.choose_all({first.data(), here}, word.data());
    } else {
      for (std::size_t i = 0; i < here; ++i) {
        const std::uint64_t valid = places.valid[begin + i];
        std::uint8_t biome = 0;
        static_cast<void>(sample_nearest(work.terrain.biome, x[i] * table.lattice.pitch,
                                         y[i] * table.lattice.pitch, biome));
        word[i] =
            valid == kAllSpecies ? choice.choose(first[i]) : choice.choose_valid(first[i], valid, biome);
      }
    }
    append(word.data(), here, table.species);
    const auto upper_half = [](std::uint32_t draw) { return static_cast<std::uint16_t>(draw >> 16); };
    std::transform(yaw.data(), yaw.data() + here, word.data(), upper_half);
    append(word.data(), here, table.yaw);
    std::transform(scale.data(), scale.data() + here, word.data(), upper_half);
    append(word.data(), here, table.scale);
    if (exact) {
      append(altitude, here, table.z_exact);
      append(yaw.data(), here, table.yaw_exact);
      append(scale.data(), here, table.scale_exact);
    }
  }
  return {};
}

}  // namespace scatter
}  // namespace strew
