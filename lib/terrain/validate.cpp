#include <algorithm>

#include "validate_block.hpp"

namespace strew {
namespace {

bool within(const Range& range, double value) noexcept {
  return value >= range.minimum && value <= range.maximum;
}

// A missing raster says nothing.
SampleState worse(SampleState a, SampleState b) noexcept {
  if (a == SampleState::kOutside || b == SampleState::kOutside) {
    return SampleState::kOutside;
  }
  return a == SampleState::kNodata || b == SampleState::kNodata ? SampleState::kNodata : SampleState::kValid;
}

Rejection rejection_of(SampleState state) noexcept {
  return state == SampleState::kOutside ? Rejection::kOutside : Rejection::kNodata;
}

// The first rule that rejects the point, or kCount. Rules that need no further memory come before those that
// do, and noise, the dearest, comes last.
Rejection first_rejection(const PreparedRules& rules, Coord x, Coord y, double& altitude) noexcept {
  const TerrainView& terrain = rules.terrain;
  const Constraints& constraints = rules.constraints;
  altitude = 0;
  std::uint8_t biome = 0;
  SampleState elevation_state = SampleState::kValid;
  SampleState biome_state = SampleState::kValid;
  if (!terrain.elevation.empty()) {
    elevation_state = sample_bilinear(terrain.elevation, rules.elevation_frame, x, y, altitude);
  }
  if (!terrain.biome.empty()) {
    biome_state = sample_nearest(terrain.biome, rules.biome_frame, x, y, biome);
  }
  if (const SampleState state = worse(elevation_state, biome_state); state != SampleState::kValid) {
    return rejection_of(state);
  }
  if (constraints.biomes && (terrain.biome.empty() || !(*constraints.biomes)[biome])) {
    return Rejection::kBiome;
  }
  if (constraints.altitude_m && !within(*constraints.altitude_m, altitude)) {
    return Rejection::kAltitude;
  }
  if (constraints.slope_degrees) {
    if (terrain.slope.empty()) {
      return Rejection::kSlope;
    }
    double slope = 0;
    const SampleState state = sample_bilinear(terrain.slope, rules.slope_frame, x, y, slope);
    if (state != SampleState::kValid) {
      return rejection_of(state);
    }
    if (!within(*constraints.slope_degrees, slope)) {
      return Rejection::kSlope;
    }
  }
  if (constraints.noise &&
      !(static_cast<double>(noise_at(rules.noise, x, y)) >= constraints.noise->threshold)) {
    return Rejection::kNoise;
  }
  return Rejection::kCount;
}

}  // namespace

std::uint64_t validate_block_ref(const PreparedRules& rules, const Coord* x, const Coord* y,
                                 std::uint32_t count, double* altitude, RejectionCounts& counts) noexcept {
  std::uint64_t accepted = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Rejection rejection = first_rejection(rules, x[i], y[i], altitude[i]);
    if (rejection == Rejection::kCount) {
      accepted |= std::uint64_t{1} << i;
    } else {
      ++counts[static_cast<std::size_t>(rejection)];
    }
  }
  return accepted;
}

void validate_batch(std::span<const Coord> x, std::span<const Coord> y, const TerrainView& terrain,
                    const Constraints& constraints, std::span<std::uint64_t> accepted,
                    std::span<double> altitude, RejectionCounts& counts) noexcept {
  PreparedRules rules{terrain,
                      constraints,
                      GridFrame(terrain.elevation),
                      GridFrame(terrain.slope),
                      GridFrame(terrain.biome),
                      NoiseField{}};
  if (constraints.noise) {
    rules.noise = make_noise_field(constraints.noise->noise);
  }
  const ValidateBlockFn block = validate_block_ref;
  std::fill(accepted.begin(), accepted.end(), 0U);
  for (std::size_t begin = 0; begin < x.size(); begin += 64) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(64, x.size() - begin));
    accepted[begin / 64] =
        block(rules, x.data() + begin, y.data() + begin, count, altitude.data() + begin, counts);
  }
}

}  // namespace strew
