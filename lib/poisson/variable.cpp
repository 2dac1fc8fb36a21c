#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "cell_lattice.hpp"
#include "guard.hpp"
#include "radius_fields.hpp"
#include "rain_blocks.hpp"
#include "strew/poisson.hpp"
#include "tiled_parameters.hpp"
#include "variable_rain.hpp"

namespace strew {
namespace {

using poisson::BuiltInField;
using poisson::FieldShape;

constexpr double kMaxRatio = 16;
constexpr double kMinRadius = 0.01;
constexpr double kMaxRadius = 100000;

constexpr std::array<std::string_view, 3> kRules = {"min", "max", "mean"};
constexpr std::array<std::string_view, 3> kFields = {"noise", "ramp", "constant"};

constexpr ParameterInfo kRule{.name = "rule",
                              .kind = ParameterKind::kChoice,
                              .unit = "",
                              .minimum = 0,
                              .maximum = 2,
                              .default_value = 2,
                              .required = false,
                              .meaning = "distance of two points: the min, max or mean of their radii",
                              .choices = kRules};
constexpr ParameterInfo kTime{
    .name = "time",
    .kind = ParameterKind::kReal,
    .unit = "",
    .minimum = 0.1,
    .maximum = 1024,
    .default_value = 32,
    .required = false,
    .meaning = "how long the darts rain: darts per square of side radius / sqrt(2)"};
constexpr ParameterInfo real_parameter(std::string_view name, double minimum, double value,
                                       std::string_view meaning) {
  return {.name = name,
          .kind = ParameterKind::kReal,
          .unit = "m",
          .minimum = minimum,
          .maximum = kMaxRadius,
          .default_value = value,
          .required = false,
          .meaning = meaning};
}
constexpr std::array<ParameterInfo, 2> kFieldParameters = {kRule, kTime};
constexpr std::array<ParameterInfo, 6> kParameters = {
    real_parameter("radius_min", kMinRadius, 1, "smallest radius of the field"),
    real_parameter("radius_max", kMinRadius, 4, "largest radius of the field, at most 16 times the smallest"),
    ParameterInfo{.name = "field",
                  .kind = ParameterKind::kChoice,
                  .unit = "",
                  .minimum = 0,
                  .maximum = 2,
                  .default_value = 0,
                  .required = false,
                  .meaning = "radius over the plane: value noise, a wave along x, or radius_min everywhere",
                  .choices = kFields},
    real_parameter("wavelength", 0.01, 64, "lattice of the noise, or period of the wave"),
    kRule,
    kTime,
};

constexpr std::string_view kSource =
    "original: dart throwing in continuous time with the rain of density 2 / r^2; variable radii as in "
    "Mitchell, "
    "Ebeida et al., Variable radii Poisson disk sampling, CCCG 2012";
constexpr StrategyInfo kInfo{
    .id = "poisson/variable",
    .backend = "ref",
    .description =
        "Blue noise with a radius that varies over the plane by a built-in field; not quite maximal",
    .source = kSource,
    .output_version = 1,
    .bit_equal_to_reference = true,
    .promises = kCropEqualsWhole | kMinimumDistance,
    .parameters = kParameters,
};
constexpr StrategyInfo kFieldInfo{
    .id = "poisson/variable_field",
    .backend = "ref",
    .description =
        "Blue noise with a radius that varies over the plane by the caller's field; not quite maximal",
    .source = kSource,
    .output_version = 1,
    .bit_equal_to_reference = true,
    .promises = kCropEqualsWhole | kMinimumDistance,
    .parameters = kFieldParameters,
};

/// The squares of side minimum / sqrt(2) hold at most one point under every rule.
Lattice lattice_for(double minimum) noexcept {
  return {poisson::pitch_for_radius(minimum), poisson::kCellSteps};
}

Status sample(const RadiusField& field, const PointRequest& request, const ResolvedParameters& parameters,
              const RunContext& context, PointSet& out) {
  return guarded([&]() -> Status {
    out.lattice = lattice_for(field.minimum());
    STREW_RETURN_IF_ERROR(poisson::check_region(request.region, out.lattice.pitch));
    const poisson::VariableRain rain(field, static_cast<RadiusRule>(parameters.choice("rule")),
                                     parameters.real("time"), out.lattice.pitch, request.seed,
                                     request.stream);
    std::vector<poisson::Site> sites;
    STREW_RETURN_IF_ERROR(poisson::rain_over(request.region, out.lattice.pitch, rain, rain.widest(), context,
                                             "poisson/variable", sites));
    poisson::sort_into(sites, false, out);
    return {};
  });
}

Status check_range(double minimum, double maximum, std::string_view where) {
  if (!(maximum >= minimum && maximum <= kMaxRatio * minimum)) {
    return invalid_argument("is " + number_text(maximum) + "; expected a number from " +
                                number_text(minimum) + " (the smallest radius) to 16 times that",
                            std::string(where));
  }
  return {};
}

class Variable final : public PointStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& parameters) const override {
    const double minimum = parameters.real("radius_min");
    STREW_RETURN_IF_ERROR(check_range(minimum, parameters.real("radius_max"), "radius_max"));
    return lattice_for(minimum);
  }
  [[nodiscard]] double minimum_distance(const ResolvedParameters& parameters) const override {
    return parameters.real("radius_min");
  }
  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    STREW_ASSIGN(out.lattice, lattice(parameters));
    // The field has a stream of its own, so that it does not follow the darts.
    constexpr std::uint64_t kFieldStream = 0xF1E1D0;
    const BuiltInField field(static_cast<FieldShape>(parameters.choice("field")),
                             parameters.real("radius_min"), parameters.real("radius_max"),
                             parameters.real("wavelength"),
                             stream_key(request.seed, mix64(request.stream) ^ kFieldStream));
    return sample(field, request, parameters, context, out);
  }
};

}  // namespace

const StrategyInfo& VariablePoisson::info() const noexcept {
  return kFieldInfo;
}

Result<Lattice> VariablePoisson::lattice(const ResolvedParameters& /*parameters*/) const {
  const double minimum = field_.minimum();
  if (!(minimum >= kMinRadius && minimum <= kMaxRadius)) {
    return invalid_argument("is " + number_text(minimum) + "; expected a number from 0.01 to 100000 m",
                            "field minimum");
  }
  STREW_RETURN_IF_ERROR(check_range(minimum, field_.maximum(), "field maximum"));
  return lattice_for(minimum);
}

double VariablePoisson::minimum_distance(const ResolvedParameters& /*parameters*/) const {
  return field_.minimum();
}

Status VariablePoisson::generate(const PointRequest& request, const ResolvedParameters& parameters,
                                 const RunContext& context, PointSet& out) const {
  STREW_ASSIGN(out.lattice, lattice(parameters));
  return sample(field_, request, parameters, context, out);
}

const PointStrategy& poisson_variable() noexcept {
  static const Variable kStrategy;
  return kStrategy;
}

}  // namespace strew
