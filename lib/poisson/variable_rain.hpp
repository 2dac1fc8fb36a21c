// Darts of poisson/variable: radius by place, layers by octave of radius.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rain_window.hpp"
#include "strew/poisson_variable.hpp"
#include "strew/random.hpp"

namespace strew::poisson {

/// Rain of density 2 / r(place)^2 per unit of time: one dart per square of side r / sqrt(2), whatever the
/// local radius r. Layer l holds the darts whose radius lies in [2^l, 2^(l+1)) times the smallest. Its cells
/// have side smallest * 2^l / sqrt(2), so that two of its points in one cell would be closer than every rule
/// allows. A dart drawn in a cell counts when its radius is of the layer and it survives thinning by (2^l
/// smallest / r)^2: the thinning makes the density of the rain exact inside an octave and continuous between
/// octaves, so that nothing in the outcome shows where octaves begin.
class VariableRain {
 public:
  static constexpr std::size_t kMaxLayers = 4;

  /// Preconditions: as RadiusField states for its range; `field` outlives this.
  VariableRain(const RadiusField& field, RadiusRule rule, double time, Coord pitch, std::uint64_t seed,
               std::uint64_t stream) noexcept;

  [[nodiscard]] std::size_t layers() const noexcept { return layers_; }
  [[nodiscard]] std::int64_t side(std::size_t layer) const noexcept;
  [[nodiscard]] bool next(std::size_t layer, std::int64_t cx, std::int64_t cy, RainDart& dart) const noexcept;
  [[nodiscard]] std::int64_t reach(std::size_t /*layer*/, const RainDart& dart,
                                   std::size_t other) const noexcept {
    return (doubled(dart.radius, top_[other]) + 1) / 2;
  }
  [[nodiscard]] std::int64_t doubled_distance(std::size_t /*layer*/, const RainDart& dart,
                                              std::size_t /*other*/, const RainDart& point) const noexcept {
    return doubled(dart.radius, point.radius);
  }
  [[nodiscard]] std::int64_t least_doubled(std::size_t layer, std::size_t /*other*/,
                                           const RainDart& point) const noexcept {
    return doubled(smallest_ << layer, point.radius);
  }
  /// Largest distance that two points can have to keep, in lattice steps.
  [[nodiscard]] std::int64_t widest() const noexcept { return largest_; }

 private:
  /// A radius of the field, clamped, in lattice steps, rounded up. Monotone.
  [[nodiscard]] std::int32_t steps_of(double metres) const noexcept;
  /// Twice the distance between points of these radii: whole for the mean too.
  [[nodiscard]] std::int64_t doubled(std::int64_t a, std::int64_t b) const noexcept {
    switch (rule_) {
      case RadiusRule::kMin:
        return 2 * (a < b ? a : b);
      case RadiusRule::kMax:
        return 2 * (a < b ? b : a);
      case RadiusRule::kMean:
        break;
    }
    return a + b;
  }

  const RadiusField& field_;
  RadiusRule rule_;
  float end_;
  double low_;
  double high_;
  Coord pitch_;
  std::int64_t smallest_;
  std::int64_t largest_;
  std::size_t layers_ = 1;
  std::array<std::int64_t, kMaxLayers> top_{};  ///< largest radius of each layer
  std::array<PhiloxKey, kMaxLayers> keys_{};
};

}  // namespace strew::poisson
