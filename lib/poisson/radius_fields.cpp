#include "radius_fields.hpp"

#include <algorithm>
#include <cmath>

namespace strew {
namespace {

double mix(double a, double b, double weight) noexcept {
  return a + (b - a) * weight;
}
/// A range stretched by more than the rounding of an interpolation.
RadiusRange widened(double low, double high) noexcept {
  constexpr double kHair = 1e-12;
  return {low - low * kHair, high + high * kHair};
}
/// 3 u^2 - 2 u^3: a smooth step from 0 to 1 with no slope at its ends.
double smooth(double u) noexcept {
  return u * u * (3 - 2 * u);
}

}  // namespace

RadiusRange RadiusField::range(const Rect& /*area*/) const noexcept {
  return {minimum(), maximum()};
}

namespace poisson {

BuiltInField::BuiltInField(FieldShape shape, double minimum, double maximum, double wavelength,
                           PhiloxKey key) noexcept
    : shape_(shape),
      minimum_(minimum),
      maximum_(maximum),
      wavelength_(static_cast<Coord>(wavelength * static_cast<double>(kUnitsPerMetre))),
      key_(key) {}

double BuiltInField::node(std::int64_t i, std::int64_t j) const noexcept {
  return draw_unit(cell_draw(key_, i, j, 0)[0]);
}

double BuiltInField::radius(Coord x, Coord y) const noexcept {
  if (shape_ == FieldShape::kConstant) {
    return minimum_;
  }
  const double period = static_cast<double>(wavelength_);
  const double u = static_cast<double>(floor_mod(x, wavelength_)) / period;
  if (shape_ == FieldShape::kRamp) {
    return mix(minimum_, maximum_, smooth(u < 0.5 ? 2 * u : 2 - 2 * u));
  }
  const double v = smooth(static_cast<double>(floor_mod(y, wavelength_)) / period);
  const double w = smooth(u);
  const std::int64_t i = floor_div(x, wavelength_);
  const std::int64_t j = floor_div(y, wavelength_);
  return mix(minimum_, maximum_,
             mix(mix(node(i, j), node(i + 1, j), w), mix(node(i, j + 1), node(i + 1, j + 1), w), v));
}

RadiusRange BuiltInField::range(const Rect& area) const noexcept {
  const std::int64_t i = floor_div(area.x0, wavelength_);
  const std::int64_t j = floor_div(area.y0, wavelength_);
  const bool one_column = floor_div(area.x1 - 1, wavelength_) == i;
  if (shape_ == FieldShape::kNoise && one_column && floor_div(area.y1 - 1, wavelength_) == j) {
    // Bilinear weights: the values lie between those of the four nodes.
    const double nodes[] = {node(i, j), node(i + 1, j), node(i, j + 1), node(i + 1, j + 1)};
    return widened(mix(minimum_, maximum_, *std::min_element(nodes, nodes + 4)),
                   mix(minimum_, maximum_, *std::max_element(nodes, nodes + 4)));
  }
  const Coord half = wavelength_ / 2;
  if (shape_ == FieldShape::kRamp && one_column &&
      (area.x1 - i * wavelength_ <= half || area.x0 - i * wavelength_ > half)) {
    // Monotone on either half of the wave.
    const double a = radius(area.x0, 0);
    const double b = radius(area.x1 - 1, 0);
    return widened(std::min(a, b), std::max(a, b));
  }
  return {minimum_, maximum_};
}

}  // namespace poisson

RasterRadiusField::RasterRadiusField(std::span<const float> samples, std::size_t width, std::size_t height,
                                     Coord x0, Coord y0, Coord step) noexcept
    : samples_(samples),
      width_(static_cast<std::int64_t>(width)),
      height_(static_cast<std::int64_t>(height)),
      x0_(x0),
      y0_(y0),
      step_(step) {
  bool found = false;
  for (const float value : samples) {
    if (std::isfinite(value)) {
      minimum_ = found ? std::min(minimum_, static_cast<double>(value)) : static_cast<double>(value);
      maximum_ = found ? std::max(maximum_, static_cast<double>(value)) : static_cast<double>(value);
      found = true;
    }
  }
}

double RasterRadiusField::sample(std::int64_t i, std::int64_t j) const noexcept {
  return static_cast<double>(samples_[static_cast<std::size_t>(
      std::clamp<std::int64_t>(j, 0, height_ - 1) * width_ + std::clamp<std::int64_t>(i, 0, width_ - 1))]);
}

double RasterRadiusField::radius(Coord x, Coord y) const noexcept {
  const std::int64_t i = floor_div(x - x0_, step_);
  const std::int64_t j = floor_div(y - y0_, step_);
  const double u = static_cast<double>(floor_mod(x - x0_, step_)) / static_cast<double>(step_);
  const double v = static_cast<double>(floor_mod(y - y0_, step_)) / static_cast<double>(step_);
  return mix(mix(sample(i, j), sample(i + 1, j), u), mix(sample(i, j + 1), sample(i + 1, j + 1), u), v);
}

RadiusRange RasterRadiusField::range(const Rect& area) const noexcept {
  const std::int64_t i0 = floor_div(area.x0 - x0_, step_);
  const std::int64_t j0 = floor_div(area.y0 - y0_, step_);
  const std::int64_t i1 = floor_div(area.x1 - 1 - x0_, step_) + 1;
  const std::int64_t j1 = floor_div(area.y1 - 1 - y0_, step_) + 1;
  constexpr std::int64_t kMaxSamples = 64;  // above that, evaluating places is cheaper
  if (i1 - i0 >= kMaxSamples || j1 - j0 >= kMaxSamples || (i1 - i0) * (j1 - j0) > kMaxSamples) {
    return {minimum_, maximum_};
  }
  RadiusRange found{maximum_, minimum_};
  for (std::int64_t j = j0; j <= j1; ++j) {
    for (std::int64_t i = i0; i <= i1; ++i) {
      const double value = sample(i, j);
      if (!std::isfinite(value)) {
        return {minimum_, maximum_};
      }
      found = {std::min(found.low, value), std::max(found.high, value)};
    }
  }
  return widened(found.low, found.high);
}

}  // namespace strew
