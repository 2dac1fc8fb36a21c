// Blue noise whose radius is a function of place: poisson/variable with a field of the caller's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "strew/strategy.hpp"

namespace strew {

/// Closed range of radii, in metres.
struct RadiusRange {
  double low = 0;
  double high = 0;
};

/// Radius as a function of place. Implementations must be pure and thread-safe: the same place always gives
/// the same radius, whoever asks, or crops no longer equal the whole.
class RadiusField {
 public:
  RadiusField() = default;
  RadiusField(const RadiusField&) = delete;
  RadiusField& operator=(const RadiusField&) = delete;
  virtual ~RadiusField() = default;
  /// Metres at the world position (units). Called for every dart. What lies outside [minimum(), maximum()] is
  /// clamped to it; NaN counts as maximum().
  [[nodiscard]] virtual double radius(Coord x, Coord y) const noexcept = 0;
  /// Range of the radius in metres: 0.01 <= minimum() <= maximum() <= 100000, at most 16 times apart.
  [[nodiscard]] virtual double minimum() const noexcept = 0;
  [[nodiscard]] virtual double maximum() const noexcept = 0;
  /// A range that holds every radius in `area`, clamped as above. Wider than need be costs time only;
  /// narrower loses points. By default all of [minimum(), maximum()].
  [[nodiscard]] virtual RadiusRange range(const Rect& area) const noexcept;
};

/// A raster of radii: float metres, row-major, row 0 at the smallest y; sample (i, j) stands at
/// (x0 + i * step, y0 + j * step). Bilinear between samples, constant beyond them. The samples are borrowed
/// and must outlive the field.
class RasterRadiusField final : public RadiusField {
 public:
  /// Preconditions: width, height >= 1; samples.size() == width * height; step >= 1 unit. The range is that
  /// of the finite samples; a NaN among the four around a place gives maximum() there.
  RasterRadiusField(std::span<const float> samples, std::size_t width, std::size_t height, Coord x0, Coord y0,
                    Coord step) noexcept;
  [[nodiscard]] double radius(Coord x, Coord y) const noexcept override;
  [[nodiscard]] double minimum() const noexcept override { return minimum_; }
  [[nodiscard]] double maximum() const noexcept override { return maximum_; }
  [[nodiscard]] RadiusRange range(const Rect& area) const noexcept override;

 private:
  [[nodiscard]] double sample(std::int64_t i, std::int64_t j) const noexcept;
  std::span<const float> samples_;
  std::int64_t width_;
  std::int64_t height_;
  Coord x0_;
  Coord y0_;
  Coord step_;
  double minimum_ = 0;
  double maximum_ = 0;
};

/// How near two points of different radii may stand.
enum class RadiusRule : std::uint8_t {
  kMin,   ///< the smaller of the two radii
  kMax,   ///< the larger
  kMean,  ///< half their sum
};

/// poisson/variable_field/ref: the points of poisson/variable for a caller's field, which is borrowed and
/// must outlive the strategy. Parameters: `rule` (min, max, mean) and `time`. A range of the field outside
/// the stated one is refused by every call.
class VariablePoisson final : public PointStrategy {
 public:
  explicit VariablePoisson(const RadiusField& field) noexcept : field_(field) {}
  [[nodiscard]] const StrategyInfo& info() const noexcept override;
  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& parameters) const override;
  [[nodiscard]] double minimum_distance(const ResolvedParameters& parameters) const override;
  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override;

 private:
  const RadiusField& field_;
};

}  // namespace strew
