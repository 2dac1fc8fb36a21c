#include <algorithm>
#include <array>
#include <vector>

#include "cell_lattice.hpp"
#include "class_matrix.hpp"
#include "guard.hpp"
#include "rain_blocks.hpp"
#include "strew/exact_math.hpp"
#include "strew/poisson.hpp"
#include "tiled_parameters.hpp"

namespace strew {
namespace {

using poisson::ClassMatrix;

/// Darts over the classes' own grids. Each class rains one dart per unit of time on a square of side
/// radius / sqrt(2), times its weight, so that classes fill at the same pace whatever their radii.
class ClassRain {
 public:
  ClassRain(const ClassMatrix& matrix, Coord pitch, double time, std::uint64_t seed, std::uint64_t stream)
      : classes_(matrix.classes), end_(static_cast<float>(time)) {
    for (std::size_t a = 0; a < classes_; ++a) {
      for (std::size_t b = 0; b < classes_; ++b) {
        distance_[a][b] = poisson::steps_for_distance(matrix.radius[a][b], pitch);
        widest_ = std::max(widest_, distance_[a][b]);
      }
      // The diagonal of a cell is shorter than the radius: 0.70710678^2 < 1/2.
      side_[a] = static_cast<std::int64_t>(static_cast<double>(distance_[a][a]) * 0.70710678);
      gap_[a] = 1 / weight_of(matrix, a);
      key_[a] = stream_key(seed, mix64(stream) + a);
    }
  }

  [[nodiscard]] std::size_t layers() const noexcept { return classes_; }
  [[nodiscard]] std::int64_t side(std::size_t layer) const noexcept { return side_[layer]; }
  [[nodiscard]] std::int64_t widest() const noexcept { return widest_; }
  [[nodiscard]] bool next(std::size_t layer, std::int64_t cx, std::int64_t cy,
                          poisson::RainDart& dart) const noexcept {
    const PhiloxCounter random = cell_draw(key_[layer], cx, cy, dart.draws++);
    const auto bound = static_cast<std::uint32_t>(side_[layer]);
    dart.x = static_cast<std::int32_t>(draw_below(random[0], bound));
    dart.y = static_cast<std::int32_t>(draw_below(random[1], bound));
    dart.time += exact_exponential(random[2]) * gap_[layer];
    return dart.time <= end_;
  }
  [[nodiscard]] std::int64_t reach(std::size_t layer, const poisson::RainDart& /*dart*/,
                                   std::size_t other) const noexcept {
    return distance_[layer][other];
  }
  [[nodiscard]] std::int64_t doubled_distance(std::size_t layer, const poisson::RainDart& /*dart*/,
                                              std::size_t other,
                                              const poisson::RainDart& /*point*/) const noexcept {
    return 2 * distance_[layer][other];
  }
  [[nodiscard]] std::int64_t least_doubled(std::size_t layer, std::size_t other,
                                           const poisson::RainDart& /*point*/) const noexcept {
    return 2 * distance_[layer][other];
  }

 private:
  /// A wide class finds less free ground than a narrow one: near points of class b deny it, per point, a
  /// share of (R_ab / r_b)^2 of what they deny their own class. The fourth power of that sum, relative to the
  /// freest class, lets all classes end near the same N r^2 / A, measured for radii from 1:1 to 4:2:1.
  static float weight_of(const ClassMatrix& matrix, std::size_t index) noexcept {
    double least = 0;
    double own = 0;
    for (std::size_t a = 0; a < matrix.classes; ++a) {
      double denied = 0;
      for (std::size_t b = 0; b < matrix.classes; ++b) {
        const double ratio = matrix.radius[a][b] / matrix.radius[b][b];
        denied += ratio * ratio;
      }
      least = a == 0 ? denied : std::min(least, denied);
      own = a == index ? denied : own;
    }
    const double share = own / least;
    return static_cast<float>(share * share * share * share);
  }

  std::size_t classes_;
  float end_;
  std::int64_t widest_ = 0;
  std::array<std::array<std::int64_t, poisson::kMaxClasses>, poisson::kMaxClasses> distance_{};
  std::array<std::int64_t, poisson::kMaxClasses> side_{};
  std::array<float, poisson::kMaxClasses> gap_{};
  std::array<PhiloxKey, poisson::kMaxClasses> key_{};
};

class Multiclass final : public PointStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override {
    static const StrategyInfo kInfo{
        .id = "poisson/multiclass",
        .backend = "ref",
        .description =
            "Two to four classes with a radius matrix between them; each class and their union are blue "
            "noise, "
            "not quite maximal",
        .source =
            "Wei, Multi-class blue noise sampling, SIGGRAPH 2010 (hard disks, uniform matrix); rain in "
            "continuous time instead of global fill rates",
        .output_version = 1,
        .bit_equal_to_reference = true,
        .promises = kCropEqualsWhole | kMinimumDistance,
        .parameters = poisson::matrix_parameters(),
        .has_classes = true,
    };
    return kInfo;
  }

  /// The squares of side smallest entry / sqrt(2) hold at most one point of any class.
  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& parameters) const override {
    STREW_ASSIGN(const ClassMatrix matrix, poisson::matrix_of(parameters));
    return Lattice{poisson::pitch_for_radius(matrix.smallest()), poisson::kCellSteps};
  }
  [[nodiscard]] double minimum_distance(const ResolvedParameters& parameters) const override {
    const auto matrix = poisson::matrix_of(parameters);
    return matrix.ok() ? matrix.value().smallest() : 0;
  }
  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    return guarded([&]() -> Status {
      STREW_ASSIGN(const ClassMatrix matrix, poisson::matrix_of(parameters));
      STREW_ASSIGN(out.lattice, lattice(parameters));
      STREW_RETURN_IF_ERROR(poisson::check_region(request.region, out.lattice.pitch));
      const ClassRain rain(matrix, out.lattice.pitch, parameters.real("time"), request.seed, request.stream);
      std::vector<poisson::Site> sites;
      STREW_RETURN_IF_ERROR(poisson::rain_over(request.region, out.lattice.pitch, rain, rain.widest(),
                                               context, "poisson/multiclass", sites));
      poisson::sort_into(sites, true, out);
      return {};
    });
  }
};

}  // namespace

const PointStrategy& poisson_multiclass() noexcept {
  static const Multiclass kStrategy;
  return kStrategy;
}

}  // namespace strew
