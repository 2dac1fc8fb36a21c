// Elementary functions whose every bit is the same on every platform.
//
// libm differs between platforms in the last bit; these use only +, -, *, / and sqrt in IEEE double, in a
// fixed order, and must be compiled with -ffp-contract=off (strew's own targets are). All are pure and
// thread-safe.
#pragma once

#include <cstdint>

namespace strew {

/// Arc tangent in radians. Error below 4e-16 relative; odd; atan(+-inf) = +-pi/2 rounded; NaN gives NaN.
[[nodiscard]] double exact_atan(double x) noexcept;
/// Sine and cosine of 2 pi * turns, for |turns| <= 2^31; reduction is exact in turns. Error below 4e-16.
void exact_sincos_turns(double turns, double& sine, double& cosine) noexcept;
/// -ln(u) for u = (draw + 1/2) / 2^32: an exponential variate of mean 1 in float, for event clocks.
/// Relative error below 1e-6 of the value or absolute below 1e-7; the same float everywhere.
[[nodiscard]] float exact_exponential(std::uint32_t draw) noexcept;
/// Correctly rounded square root (IEEE), for double.
[[nodiscard]] double exact_sqrt(double x) noexcept;

inline constexpr double kPi = 3.14159265358979323846;

}  // namespace strew
