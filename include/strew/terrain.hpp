// Terrain: raster views over caller memory, sampling, Horn slope, gradient noise, batched constraint
// validation.
#pragma once

#include <array>
#include <bitset>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "strew/context.hpp"
#include "strew/shapes.hpp"
#include "strew/types.hpp"

namespace strew {

/// View of a raster in caller memory. Sample (column, row) is data[row * stride + column]; row 0 is the
/// southernmost (smallest y) row: a north-up file is viewed with a negative stride from its last row. Sample
/// (0, 0) stands at the world position (x0, y0), its centre; samples are dx and dy metres apart, both > 0. A
/// sample equal to nodata (when has_nodata), or NaN, is nodata.
template <class T>
struct RasterView {
  const T* data = nullptr;
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::ptrdiff_t stride = 0;
  Coord x0 = 0;
  Coord y0 = 0;
  double dx = 1;
  double dy = 1;
  T nodata = T{};
  bool has_nodata = false;
  /// A window into a larger raster: (x0, y0) is then the centre of the larger raster's first sample, and this
  /// view's sample (0, 0) is the larger one's (first_column, first_row). Sampling measures from that one
  /// origin, so that every window gives the same bits.
  std::int32_t first_column = 0;
  std::int32_t first_row = 0;

  [[nodiscard]] bool empty() const noexcept { return data == nullptr || width <= 0 || height <= 0; }
  [[nodiscard]] T at(std::int32_t column, std::int32_t row) const noexcept {
    return data[static_cast<std::ptrdiff_t>(row) * stride + column];
  }
  [[nodiscard]] bool is_nodata(T value) const noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) {
        return true;
      }
    }
    return has_nodata && value == nodata;
  }
};

enum class SampleState : std::uint8_t { kValid, kOutside, kNodata };

/// Bilinear interpolation at (x, y). Inside the raster's footprint (half a cell beyond the outer sample
/// centres, where the edge sample extends); kOutside beyond it; kNodata when any of the four samples is
/// nodata. Computed as south + (north - south) * fy with each row west + (east - west) * fx, in double.
[[nodiscard]] SampleState sample_bilinear(const RasterView<float>& raster, Coord x, Coord y,
                                          double& value) noexcept;
/// Nearest sample; ties go to the larger index.
[[nodiscard]] SampleState sample_nearest(const RasterView<std::uint8_t>& raster, Coord x, Coord y,
                                         std::uint8_t& value) noexcept;

/// Slope in degrees per raster sample by Horn's 3x3 operator (Horn, "Hill shading and the reflectance map",
/// 1981; the operator of `gdaldem slope`). `out` holds width * height floats, row 0 southernmost, row-major,
/// stride width. A nodata sample gives NaN, and so does a sample with a nodata neighbour; beyond the raster
/// the edge sample extends.
void horn_slope(const RasterView<float>& elevation, std::span<float> out) noexcept;

/// fBm adds the octaves as they are. Ridged folds each at 0: an octave's n becomes 2 (1 - |n|)^2 - 1, so that
/// its zero lines become crests at 1 with slopes that flatten away from them (after Musgrave, "Texturing and
/// modeling", 1994, without his feedback from one octave to the next).
enum class NoiseKind : std::uint8_t { kFbm, kRidged };

/// Lattice gradient noise in octaves. The lattice is indexed by integers with the fraction kept apart,
/// so it looks the same 1e7 m from the origin. Range [-1, 1] (hard bound; octaves are normalised by the sum
/// of amplitudes).
struct NoiseSpec {
  double frequency = 0.01;   ///< 1/m of the first octave, in [1e-6, 1e3]
  std::int32_t octaves = 1;  ///< 1 to 16; each doubles the frequency exactly
  double gain = 0.5;         ///< amplitude ratio between octaves, in [0, 1]
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
  NoiseKind kind = NoiseKind::kFbm;
};
[[nodiscard]] Status check_noise(const NoiseSpec& spec, std::string_view where);
/// Noise at a world position; same bits on every platform.
[[nodiscard]] double gradient_noise(const NoiseSpec& spec, Coord x, Coord y) noexcept;
/// Noise along a row: out[i] is gradient_noise at (x + i * step, y), bit for bit, several times faster. step
/// > 0.
void gradient_noise_row(const NoiseSpec& spec, Coord x, Coord y, Coord step, std::span<float> out) noexcept;

struct Range {
  double minimum = 0;
  double maximum = 0;
};
struct NoiseRule {
  NoiseSpec noise;
  double threshold = 0;  ///< a place passes where noise >= threshold, in [-1, 1]
};

/// Where the value of a map, or the distance to a shape, lets a point stand: always where it lies in
/// `accept`; beyond that with a probability that falls linearly to 0 over `falloff`. The draw is a hash of
/// the point's position and `key`, so a changed map changes only the points under the change.
struct FieldRule {
  std::uint32_t field = 0;               ///< index into TerrainView::maps or TerrainView::shapes
  Range accept = {-HUGE_VAL, HUGE_VAL};  ///< inclusive; infinite ends are open
  double falloff = 0;  ///< in the unit of the value (m for shapes), finite, >= 0; 0: a sharp edge
  std::uint64_t key = 0;
  bool accept_missing = false;  ///< of maps: accept where the map has no data or does not reach
};
/// Probability that `rule` accepts `value`, in [0, 1].
[[nodiscard]] double field_probability(const FieldRule& rule, double value) noexcept;
/// A list of constraints holds at most this many rules on maps, and as many on shapes.
inline constexpr std::size_t kMaxFieldRules = 8;

/// Rules of where a point may stand; each absent one accepts everything. All bounds are inclusive.
struct Constraints {
  std::optional<std::bitset<256>> biomes;  ///< accepted classes of the biome raster
  std::optional<Range> altitude_m;
  std::optional<Range> slope_degrees;
  std::optional<NoiseRule> noise;
  std::vector<FieldRule> maps;    ///< density maps and masks; all must accept
  std::vector<FieldRule> shapes;  ///< polygons and lines, by signed distance in metres; all must accept
};
/// Refuses NaN, empty ranges and impossible values, naming `where`.field.
[[nodiscard]] Status check_constraints(const Constraints& constraints, std::string_view where);

/// The rasters that a batch is checked against. Empty views are absent. `slope` is horn_slope of `elevation`.
/// Rules refer to `maps` and `shapes` by index; each map has its own grid.
struct TerrainView {
  RasterView<float> elevation;
  RasterView<float> slope;
  RasterView<std::uint8_t> biome;
  std::span<const RasterView<float>> maps = {};
  std::span<const Shapes* const> shapes = {};
};

/// In the order of checking: each point is counted once, by the first rule that rejects it.
enum class Rejection : std::uint8_t {
  kOutside = 0,
  kNodata,
  kBiome,
  kAltitude,
  kSlope,
  kMap,
  kNoise,
  kShape,
  kSpacing,
  kSpecies,  ///< no species of the layer may stand there
  kAmount,   ///< beyond the layer's amount
  kCount
};
inline constexpr std::size_t kRejectionKinds = static_cast<std::size_t>(Rejection::kCount);
[[nodiscard]] std::string_view to_string(Rejection rejection) noexcept;
using RejectionCounts = std::array<std::uint64_t, kRejectionKinds>;

/// Structure of arrays in, bitset out. `x`, `y`: positions in units, n each. `accepted`: at least ceil(n /
/// 64) words; bit i % 64 of word i / 64 tells whether point i passes; bits from n on are cleared. `altitude`:
/// n doubles, receives the bilinear elevation of every accepted point (0 without an elevation raster), other
/// entries unspecified. `counts` is added to. A point is kOutside where an elevation or biome raster is
/// present and does not reach it, kNodata where one has no data there; the slope raster and maps are
/// consulted only for a rule on them. A rule on a raster or shape that is not there rejects. O(n) and, per
/// rule on a shape, the edges near the point; thread-safe. The widest instruction set of the machine.
void validate_batch(std::span<const Coord> x, std::span<const Coord> y, const TerrainView& terrain,
                    const Constraints& constraints, std::span<std::uint64_t> accepted,
                    std::span<double> altitude, RejectionCounts& counts) noexcept;
/// The same bits, altitudes and counts by the kernel of one instruction set (kScalar and kBest are always
/// there); kUnsupported where this machine or build lacks it.
[[nodiscard]] Status validate_batch(std::span<const Coord> x, std::span<const Coord> y,
                                    const TerrainView& terrain, const Constraints& constraints,
                                    std::span<std::uint64_t> accepted, std::span<double> altitude,
                                    RejectionCounts& counts, Isa isa);
/// The same by xsimd, for comparison; kUnsupported also for kScalar, and in builds without xsimd.
[[nodiscard]] Status validate_batch_xsimd(std::span<const Coord> x, std::span<const Coord> y,
                                          const TerrainView& terrain, const Constraints& constraints,
                                          std::span<std::uint64_t> accepted, std::span<double> altitude,
                                          RejectionCounts& counts, Isa isa);
/// The same by the plain reference.
void validate_batch_ref(std::span<const Coord> x, std::span<const Coord> y, const TerrainView& terrain,
                        const Constraints& constraints, std::span<std::uint64_t> accepted,
                        std::span<double> altitude, RejectionCounts& counts) noexcept;

}  // namespace strew
