#include "class_matrix.hpp"

#include <algorithm>
#include <string>

#include "number_text.hpp"
#include "strew/exact_math.hpp"

namespace strew::poisson {
namespace {

constexpr double kMaxRatio = 16;
constexpr double kMinRadius = 0.01;
constexpr double kMaxRadius = 100000;

constexpr ParameterInfo own_radius(std::string_view name, double radius, std::string_view meaning) {
  return {.name = name,
          .kind = ParameterKind::kReal,
          .unit = "m",
          .minimum = kMinRadius,
          .maximum = kMaxRadius,
          .default_value = radius,
          .required = false,
          .meaning = meaning};
}
constexpr ParameterInfo cross_radius(std::string_view name) {
  return own_radius(name, 1,
                    "smallest distance between the two classes; by Wei's uniform rule when not given");
}

constexpr std::array<std::string_view, kMaxClasses> kOwnNames = {"radius_0", "radius_1", "radius_2",
                                                                 "radius_3"};
struct CrossName {
  std::string_view name;
  std::size_t a;
  std::size_t b;
};
constexpr std::array<CrossName, 6> kCrossNames = {{{"radius_01", 0, 1},
                                                   {"radius_02", 0, 2},
                                                   {"radius_03", 0, 3},
                                                   {"radius_12", 1, 2},
                                                   {"radius_13", 1, 3},
                                                   {"radius_23", 2, 3}}};

constexpr std::array<ParameterInfo, 12> kParameters = {
    ParameterInfo{.name = "classes",
                  .kind = ParameterKind::kInteger,
                  .unit = "",
                  .minimum = 2,
                  .maximum = kMaxClasses,
                  .default_value = 2,
                  .required = false,
                  .meaning = "number of classes, numbered from 0"},
    own_radius(kOwnNames[0], 4, "smallest distance within class 0"),
    own_radius(kOwnNames[1], 2, "smallest distance within class 1"),
    own_radius(kOwnNames[2], 2, "smallest distance within class 2"),
    own_radius(kOwnNames[3], 1, "smallest distance within class 3"),
    cross_radius(kCrossNames[0].name),
    cross_radius(kCrossNames[1].name),
    cross_radius(kCrossNames[2].name),
    cross_radius(kCrossNames[3].name),
    cross_radius(kCrossNames[4].name),
    cross_radius(kCrossNames[5].name),
    ParameterInfo{.name = "time",
                  .kind = ParameterKind::kReal,
                  .unit = "",
                  .minimum = 0.1,
                  .maximum = 1024,
                  .default_value = 32,
                  .required = false,
                  .meaning = "how long the darts rain: darts per square of side radius / sqrt(2) of a class"},
};

Status refuse_absent_class(const ResolvedParameters& parameters, std::string_view name, std::size_t index,
                           std::size_t classes) {
  if (index >= classes && parameters.given(name)) {
    return invalid_argument("is " + number_text(parameters.real(name)) + " but 'classes' is " +
                                std::to_string(classes) + "; classes are numbered from 0 to " +
                                std::to_string(classes - 1),
                            std::string(name));
  }
  return {};
}

}  // namespace

double ClassMatrix::smallest() const noexcept {
  double value = radius[0][0];
  for (std::size_t a = 0; a < classes; ++a) {
    value = std::min(value, *std::min_element(radius[a].begin(), radius[a].begin() + classes));
  }
  return value;
}

double ClassMatrix::largest() const noexcept {
  double value = radius[0][0];
  for (std::size_t a = 0; a < classes; ++a) {
    value = std::max(value, *std::max_element(radius[a].begin(), radius[a].begin() + classes));
  }
  return value;
}

void fill_uniform(ClassMatrix& matrix) noexcept {
  for (std::size_t a = 0; a < matrix.classes; ++a) {
    const double own = matrix.radius[a][a];
    double density = 0;
    for (std::size_t b = 0; b < matrix.classes; ++b) {
      const double other = matrix.radius[b][b];
      density += other >= own ? 1 / (other * other) : 0;
    }
    for (std::size_t b = 0; b < matrix.classes; ++b) {
      if (b != a && matrix.radius[b][b] >= own) {
        matrix.radius[a][b] = matrix.radius[b][a] = 1 / exact_sqrt(density);
      }
    }
  }
}

std::span<const ParameterInfo> matrix_parameters() noexcept {
  return kParameters;
}

Result<ClassMatrix> matrix_of(const ResolvedParameters& parameters) {
  ClassMatrix matrix;
  matrix.classes = static_cast<std::size_t>(parameters.integer("classes"));
  for (std::size_t i = 0; i < kMaxClasses; ++i) {
    STREW_RETURN_IF_ERROR(refuse_absent_class(parameters, kOwnNames[i], i, matrix.classes));
    matrix.radius[i][i] = parameters.real(kOwnNames[i]);
  }
  fill_uniform(matrix);
  for (const CrossName& cross : kCrossNames) {
    STREW_RETURN_IF_ERROR(refuse_absent_class(parameters, cross.name, cross.b, matrix.classes));
    if (parameters.given(cross.name)) {
      matrix.radius[cross.a][cross.b] = matrix.radius[cross.b][cross.a] = parameters.real(cross.name);
    }
  }
  if (matrix.largest() > kMaxRatio * matrix.smallest()) {
    return invalid_argument("has entries from " + number_text(matrix.smallest()) + " to " +
                                number_text(matrix.largest()) +
                                " m; the largest may be at most 16 times the smallest",
                            "radius matrix");
  }
  return matrix;
}

}  // namespace strew::poisson
