// Batched validation by xsimd, for the instruction set that the including unit is compiled for: it defines
// STREW_XSIMD_ARCH, STREW_XSIMD_NAMESPACE and STREW_XSIMD_KERNEL. Passes over arrays of the block, one per
// rule, without squeezing out the dead.
//
// xsimd 8.1 has neither gathers, nor masks as bits, nor conversions between widths: those steps are plain
// loops, which the compiler may vectorise. Every step repeats the reference's arithmetic lane by lane. Units
// call no inline function with floating point that a linker could take for one of a narrower unit.
#include <xsimd/xsimd.hpp>

#include "validate_kernels.hpp"

namespace strew {
namespace STREW_XSIMD_NAMESPACE {

using Reals = xsimd::batch<double, STREW_XSIMD_ARCH>;
using Floats = xsimd::batch<float, STREW_XSIMD_ARCH>;
using Words = xsimd::batch<std::uint32_t, STREW_XSIMD_ARCH>;
using Ints = xsimd::batch<std::int32_t, STREW_XSIMD_ARCH>;
constexpr std::uint32_t kReals = static_cast<std::uint32_t>(Reals::size);
constexpr std::uint32_t kFloats = static_cast<std::uint32_t>(Floats::size);
constexpr double kInfinite = __builtin_huge_val();

#include "validate_xsimd_sample-inl.hpp"

static_assert(kBlockPoints % kFloats == 0, "rows are walked in whole vectors");

#include "validate_xsimd_noise-inl.hpp"

class Block {
 public:
  Block(const PreparedRules& rules, const Coord* x, const Coord* y, std::uint32_t count,
        RejectionCounts& counts)
      : rules_(rules), counts_(counts) {
    for (std::uint32_t i = 0; i < kBlockPoints; ++i) {  // the last point stands in for what is not there
      const std::uint32_t from = i < count ? i : count - 1;
      x_[i] = x[from];
      y_[i] = y[from];
    }
    alive_ = count >= kBlockPoints ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }

  std::uint64_t run(double* altitude, std::uint32_t count) {
    place(altitude, count);
    const Constraints& constraints = rules_.constraints;
    if (constraints.slope_degrees && alive_ != 0) {
      slope();
    }
    for (std::size_t i = 0; i < constraints.maps.size() && alive_ != 0; ++i) {
      map(i);
    }
    if (constraints.noise && alive_ != 0) {
      reject(~noise_passes(rules_.noise, rules_.noise_threshold, x_, y_), Rejection::kNoise);
    }
    if (!constraints.shapes.empty()) {
      shapes();
    }
    return alive_;
  }

 private:
  void reject(std::uint64_t bits, Rejection reason) {
    bits &= alive_;
    counts_[static_cast<std::size_t>(reason)] += static_cast<std::uint64_t>(__builtin_popcountll(bits));
    alive_ &= ~bits;
  }

  void place(double* altitude, std::uint32_t count) {
    const TerrainView& terrain = rules_.terrain;
    const Constraints& constraints = rules_.constraints;
    Sampled elevation{~std::uint64_t{0}, ~std::uint64_t{0}};
    RealRow heights{};
    if (!terrain.elevation.empty()) {
      elevation = sample_raster(terrain.elevation, rules_.elevation_frame, x_, y_, heights.at);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      altitude[i] = heights.at[i];
    }
    reject(~elevation.inside, Rejection::kOutside);
    if (!terrain.biome.empty()) {
      biome(elevation);
    } else {
      reject(~elevation.known, Rejection::kNodata);
      if (constraints.biomes) {
        reject(~std::uint64_t{0}, Rejection::kBiome);
      }
    }
    if (constraints.altitude_m) {
      reject(~within(*constraints.altitude_m, heights.at), Rejection::kAltitude);
    }
  }

  void biome(const Sampled& elevation) {
    const RasterView<std::uint8_t>& raster = rules_.terrain.biome;
    RealRow places;
    Axis column;
    Axis row;
    place_axis(rules_.biome_frame.x, x_, places);
    place_samples(rules_.biome_frame.x, places, column);
    place_axis(rules_.biome_frame.y, y_, places);
    place_samples(rules_.biome_frame.y, places, row);
    const std::uint64_t inside = bits_of(column.inside.at) & bits_of(row.inside.at);
    std::uint64_t accepted = 0;
    std::uint64_t missing = 0;
    for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
      // A point outside takes the first sample; what it gives is not looked at.
      const bool here = (inside >> i & 1U) != 0;
      const auto c = here ? static_cast<std::ptrdiff_t>(column.nearest.at[i]) : 0;
      const auto r = here ? static_cast<std::ptrdiff_t>(row.nearest.at[i]) : 0;
      const std::uint64_t flags = rules_.biome_classes[raster.data[r * raster.stride + c]];
      accepted |= (flags & 1U) << i;
      missing |= (flags >> 1 & 1U) << i;
    }
    reject(~inside, Rejection::kOutside);
    reject(~elevation.known | missing, Rejection::kNodata);
    reject(~accepted, Rejection::kBiome);
  }

  void slope() {
    if (rules_.terrain.slope.empty()) {
      reject(~std::uint64_t{0}, Rejection::kSlope);
      return;
    }
    RealRow values;
    const Sampled slope = sample_raster(rules_.terrain.slope, rules_.slope_frame, x_, y_, values.at);
    reject(~slope.inside, Rejection::kOutside);
    reject(~slope.known, Rejection::kNodata);
    reject(~within(*rules_.constraints.slope_degrees, values.at), Rejection::kSlope);
  }

  void map(std::size_t index) {
    const FieldRule& rule = rules_.constraints.maps[index];
    if (rule.field >= rules_.terrain.maps.size()) {
      reject(~std::uint64_t{0}, Rejection::kMap);
      return;
    }
    RealRow values;
    const Sampled map =
        sample_raster(rules_.terrain.maps[rule.field], rules_.map_frames[index], x_, y_, values.at);
    std::uint64_t refused = ~field_passes(rule, values.at, x_, y_);
    if (rule.accept_missing) {
      refused &= map.inside & map.known;
    } else {
      reject(~map.inside, Rejection::kOutside);
      reject(~map.known, Rejection::kNodata);
    }
    reject(refused, Rejection::kMap);
  }

  void shapes() {
    std::uint64_t refused = 0;
    for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
      if ((alive_ >> i & 1U) != 0 && !shapes_accept(rules_, x_[i], y_[i])) {
        refused |= std::uint64_t{1} << i;
      }
    }
    reject(refused, Rejection::kShape);
  }

  const PreparedRules& rules_;
  RejectionCounts& counts_;
  alignas(64) Coord x_[kBlockPoints];
  alignas(64) Coord y_[kBlockPoints];
  std::uint64_t alive_ = 0;
};

}  // namespace STREW_XSIMD_NAMESPACE

std::uint64_t STREW_XSIMD_KERNEL(const PreparedRules& rules, const Coord* x, const Coord* y,
                                 std::uint32_t count, double* altitude, RejectionCounts& counts) noexcept {
  return count == 0 ? 0 : STREW_XSIMD_NAMESPACE::Block(rules, x, y, count, counts).run(altitude, count);
}

}  // namespace strew
