// Parameters shared by the strategies that take a radius, or a density that implies one.
#pragma once

#include <array>
#include <cmath>

#include "cell_lattice.hpp"
#include "number_text.hpp"
#include "strew/strategy.hpp"

namespace strew::poisson {

inline constexpr ParameterInfo kRadius{.name = "radius",
                                       .kind = ParameterKind::kReal,
                                       .unit = "m",
                                       .minimum = 0.01,
                                       .maximum = 100000,
                                       .default_value = 1,
                                       .required = false,
                                       .meaning = "smallest distance between two points; give it or density"};
inline constexpr ParameterInfo kDensity{
    .name = "density",
    .kind = ParameterKind::kReal,
    .unit = "1/m2",
    .minimum = 1e-10,
    .maximum = 6000,
    .default_value = 0.69656,
    .required = false,
    .meaning = "points per square metre; sets radius = sqrt(0.69656 / density)"};
inline constexpr std::array<ParameterInfo, 2> kRadiusParameters = {kRadius, kDensity};

/// The radius, from whichever of the two parameters was given; both at once are refused.
[[nodiscard]] inline Result<double> radius_of(const ResolvedParameters& parameters) {
  if (!parameters.given("density")) {
    return parameters.real("radius");
  }
  if (parameters.given("radius")) {
    return invalid_argument("is given together with radius, which implies it; give one of the two",
                            "density");
  }
  return std::sqrt(kSaturation / parameters.real("density"));
}

/// What the strategies of one radius on the common cells have in common.
class RadiusStrategy : public PointStrategy {
 public:
  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& parameters) const final {
    STREW_ASSIGN(const double radius, radius_of(parameters));
    return Lattice{pitch_for_radius(radius), kCellSteps};
  }
  [[nodiscard]] double minimum_distance(const ResolvedParameters& parameters) const final {
    const auto radius = radius_of(parameters);
    return radius.ok() ? radius.value() : 0;
  }
};

inline constexpr std::int64_t kMaxCells = std::int64_t{1} << 48;

/// Refuses empty regions, regions beyond the coordinate range and regions of more than 2^48 cells.
[[nodiscard]] inline Status check_region(const Rect& region, Coord pitch) {
  if (region.empty()) {
    return invalid_argument("is empty; give x1 > x0 and y1 > y0", "region");
  }
  if (region.x0 < -kCoordLimit || region.y0 < -kCoordLimit || region.x1 > kCoordLimit ||
      region.y1 > kCoordLimit) {
    return invalid_argument("reaches beyond +-1073741823 m", "region");
  }
  const CellRect cells = cells_over(region, pitch);
  if (cells.width() > kMaxCells / cells.height()) {
    return invalid_argument("holds more than 2^48 cells of side radius / sqrt(2) (" +
                                std::to_string(cells.width()) + " x " + std::to_string(cells.height()) +
                                "); split it or use a larger radius",
                            "region");
  }
  return {};
}

}  // namespace strew::poisson
