// The radius matrix of poisson/multiclass: how near points of two classes may stand.
#pragma once

#include <array>
#include <cstddef>

#include "strew/strategy.hpp"

namespace strew::poisson {

inline constexpr std::size_t kMaxClasses = 4;

struct ClassMatrix {
  std::size_t classes = 0;
  std::array<std::array<double, kMaxClasses>, kMaxClasses> radius{};  ///< metres, symmetric

  [[nodiscard]] double smallest() const noexcept;
  [[nodiscard]] double largest() const noexcept;
};

/// Fills the entries off the diagonal as Wei 2010, section 3.2, does, so that the union of all classes is as
/// uniform as each: classes enter by falling radius, equal ones together, and a class keeps from every class
/// that has entered 1 / sqrt(sum of 1 / r^2 over those).
void fill_uniform(ClassMatrix& matrix) noexcept;

/// Parameters of the matrix: classes, radius_0 ..., and radius_01 ... for entries that replace
/// fill_uniform's.
[[nodiscard]] std::span<const ParameterInfo> matrix_parameters() noexcept;

/// The matrix that the parameters describe. Refuses values for classes that do not exist and a largest entry
/// above 16 times the smallest.
[[nodiscard]] Result<ClassMatrix> matrix_of(const ResolvedParameters& parameters);

}  // namespace strew::poisson
