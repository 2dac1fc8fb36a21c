#include <algorithm>
#include <cmath>
#include <limits>

#include "validate_block.hpp"
#ifndef STREW_SCALAR
#include "validate_kernels.hpp"
#endif

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

Rejection map_rejection(const PreparedRules& rules, std::size_t index, Coord x, Coord y) noexcept {
  const FieldRule& rule = rules.constraints.maps[index];
  if (rule.field >= rules.terrain.maps.size()) {
    return Rejection::kMap;
  }
  double value = 0;
  const SampleState state =
      sample_bilinear(rules.terrain.maps[rule.field], rules.map_frames[index], x, y, value);
  if (state != SampleState::kValid) {
    return rule.accept_missing ? Rejection::kCount : rejection_of(state);
  }
  return field_accepts(rule, falloff_slope(rule), value, x, y) ? Rejection::kCount : Rejection::kMap;
}

// The first rule that rejects the point, or kCount. Rules that need no further memory come before those that
// do; noise and shapes, the dearest, come last.
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
  for (std::size_t i = 0; i < constraints.maps.size(); ++i) {
    if (const Rejection rejection = map_rejection(rules, i, x, y); rejection != Rejection::kCount) {
      return rejection;
    }
  }
  if (constraints.noise &&
      !(static_cast<double>(noise_at(rules.noise, x, y)) >= constraints.noise->threshold)) {
    return Rejection::kNoise;
  }
  return shapes_accept(rules, x, y) ? Rejection::kCount : Rejection::kShape;
}

// Sample numbers, and products of a row and the stride, must fit 31 bits.
template <class T>
bool is_narrow(const RasterView<T>& raster) noexcept {
  const double stride = std::fabs(static_cast<double>(raster.stride));
  return raster.empty() || stride * raster.height + raster.width < 2147483647.0;
}

bool same_grid(const AxisFrame& a, const AxisFrame& b) noexcept {
  return a.origin == b.origin && a.samples_per_unit == b.samples_per_unit;
}
bool same_window(const AxisFrame& a, const AxisFrame& b) noexcept {
  return same_grid(a, b) && a.first == b.first && a.last == b.last;
}

void run_blocks(ValidateBlockFn block, const PreparedRules& rules, std::span<const Coord> x,
                std::span<const Coord> y, std::span<std::uint64_t> accepted, std::span<double> altitude,
                RejectionCounts& counts) noexcept {
  std::fill(accepted.begin(), accepted.end(), 0U);
  for (std::size_t begin = 0; begin < x.size(); begin += kBlockPoints) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(kBlockPoints, x.size() - begin));
    accepted[begin / kBlockPoints] =
        block(rules, x.data() + begin, y.data() + begin, count, altitude.data() + begin, counts);
  }
}

}  // namespace

PreparedRules::PreparedRules(const TerrainView& view, const Constraints& rules) noexcept
    : terrain(view),
      constraints(rules),
      elevation_frame(view.elevation),
      slope_frame(view.slope),
      biome_frame(view.biome) {
  narrow = is_narrow(view.elevation) && is_narrow(view.slope) && is_narrow(view.biome);
  for (std::size_t i = 0; i < std::min(rules.maps.size(), kMaxFieldRules); ++i) {
    if (rules.maps[i].field < view.maps.size()) {
      const RasterView<float>& map = view.maps[rules.maps[i].field];
      map_frames[i] = GridFrame(map);
      narrow = narrow && is_narrow(map);
    }
  }
  biome_on_elevation_grid = !view.elevation.empty() && same_grid(elevation_frame.x, biome_frame.x) &&
                            same_grid(elevation_frame.y, biome_frame.y);
  slope_with_elevation = rules.slope_degrees.has_value() && !view.slope.empty() && view.elevation.width > 1 &&
                         view.slope.stride == view.elevation.stride &&
                         same_window(elevation_frame.x, slope_frame.x) &&
                         same_window(elevation_frame.y, slope_frame.y);
  if (rules.noise) {
    noise = make_noise_field(rules.noise->noise);
    noise_threshold = static_cast<float>(rules.noise->threshold);
    if (static_cast<double>(noise_threshold) < rules.noise->threshold) {
      noise_threshold = std::nextafterf(noise_threshold, HUGE_VALF);
    }
  }
  for (std::size_t i = 0; i < biome_classes.size(); ++i) {
    const bool accepted = !rules.biomes || rules.biomes->test(i);
    const bool missing = view.biome.is_nodata(static_cast<std::uint8_t>(i));
    biome_classes[i] = static_cast<std::uint8_t>((accepted ? 1 : 0) | (missing ? 2 : 0));
  }
}

bool shapes_accept(const PreparedRules& rules, Coord x, Coord y) noexcept {
  for (const FieldRule& rule : rules.constraints.shapes) {
    if (rule.field >= rules.terrain.shapes.size() ||
        !field_accepts(rule, falloff_slope(rule), rules.terrain.shapes[rule.field]->signed_distance(x, y), x,
                       y)) {
      return false;
    }
  }
  return true;
}

double field_probability(const FieldRule& rule, double value) noexcept {
  const double outside = outside_range(rule.accept, value);
  const double probability = outside <= 0 ? 1.0 : 1.0 - outside * falloff_slope(rule);
  return probability > 0 ? probability : 0;
}

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

void validate_batch_ref(std::span<const Coord> x, std::span<const Coord> y, const TerrainView& terrain,
                        const Constraints& constraints, std::span<std::uint64_t> accepted,
                        std::span<double> altitude, RejectionCounts& counts) noexcept {
  run_blocks(validate_block_ref, PreparedRules(terrain, constraints), x, y, accepted, altitude, counts);
}

#ifdef STREW_SCALAR

void validate_batch(std::span<const Coord> x, std::span<const Coord> y, const TerrainView& terrain,
                    const Constraints& constraints, std::span<std::uint64_t> accepted,
                    std::span<double> altitude, RejectionCounts& counts) noexcept {
  validate_batch_ref(x, y, terrain, constraints, accepted, altitude, counts);
}

Status validate_batch(std::span<const Coord> x, std::span<const Coord> y, const TerrainView& terrain,
                      const Constraints& constraints, std::span<std::uint64_t> accepted,
                      std::span<double> altitude, RejectionCounts& counts, Isa isa) {
  if (isa != Isa::kScalar && isa != Isa::kBest) {
    return make_error(StatusCode::kUnsupported,
                      std::string(to_string(isa)) + " is not available in this build; use best", "isa");
  }
  validate_batch_ref(x, y, terrain, constraints, accepted, altitude, counts);
  return {};
}

#else

void validate_batch(std::span<const Coord> x, std::span<const Coord> y, const TerrainView& terrain,
                    const Constraints& constraints, std::span<std::uint64_t> accepted,
                    std::span<double> altitude, RejectionCounts& counts) noexcept {
  const PreparedRules rules(terrain, constraints);
  run_blocks(rules.narrow ? best_validate_kernel() : validate_block_ref, rules, x, y, accepted, altitude,
             counts);
}

Status validate_batch(std::span<const Coord> x, std::span<const Coord> y, const TerrainView& terrain,
                      const Constraints& constraints, std::span<std::uint64_t> accepted,
                      std::span<double> altitude, RejectionCounts& counts, Isa isa) {
  STREW_ASSIGN(const ValidateBlockFn kernel, choose_kernel(validate_kernels(), isa));
  const PreparedRules rules(terrain, constraints);
  run_blocks(rules.narrow ? kernel : validate_block_ref, rules, x, y, accepted, altitude, counts);
  return {};
}

#endif

Status validate_batch_xsimd(std::span<const Coord> x, std::span<const Coord> y, const TerrainView& terrain,
                            const Constraints& constraints, std::span<std::uint64_t> accepted,
                            std::span<double> altitude, RejectionCounts& counts, Isa isa) {
#ifdef STREW_XSIMD
  STREW_ASSIGN(const ValidateBlockFn kernel, choose_kernel(validate_kernels_xsimd(), isa));
  const PreparedRules rules(terrain, constraints);
  run_blocks(rules.narrow ? kernel : validate_block_ref, rules, x, y, accepted, altitude, counts);
  return {};
#else
  static_cast<void>(x), static_cast<void>(y), static_cast<void>(terrain), static_cast<void>(constraints);
  static_cast<void>(accepted), static_cast<void>(altitude), static_cast<void>(counts);
  return make_error(StatusCode::kUnsupported,
                    std::string(to_string(isa)) + " by xsimd is not in this build; use validate_batch",
                    "isa");
#endif
}

}  // namespace strew
