// Built-in radius fields of poisson/variable.
#pragma once

#include "strew/poisson_variable.hpp"
#include "strew/random.hpp"

namespace strew::poisson {

enum class FieldShape : std::uint8_t { kNoise, kRamp, kConstant };

/// Radii in [minimum, maximum]: value noise on a square lattice of `wavelength` metres, or a smooth wave
/// along x with that period, or minimum everywhere. Only integers and + - * / enter, so every bit is the same
/// everywhere; places are reduced to the lattice as integers, so nothing degrades far from the origin.
class BuiltInField final : public RadiusField {
 public:
  /// Preconditions: 0 < minimum <= maximum; wavelength >= 0.01.
  BuiltInField(FieldShape shape, double minimum, double maximum, double wavelength, PhiloxKey key) noexcept;
  [[nodiscard]] double radius(Coord x, Coord y) const noexcept override;
  [[nodiscard]] double minimum() const noexcept override { return minimum_; }
  [[nodiscard]] double maximum() const noexcept override { return maximum_; }
  [[nodiscard]] RadiusRange range(const Rect& area) const noexcept override;

 private:
  [[nodiscard]] double node(std::int64_t i, std::int64_t j) const noexcept;
  FieldShape shape_;
  double minimum_;
  double maximum_;
  Coord wavelength_;
  PhiloxKey key_;
};

}  // namespace strew::poisson
