#include "strew/exact_math.hpp"

#include <bit>
#include <cmath>

// Every function is straight-line code with selects, so that a vector kernel can repeat it lane by lane,
// operation by operation. Coefficients are near-minimax: interpolation at Chebyshev nodes in 50 digits,
// rounded to the type used.

namespace strew {

double exact_atan(double x) noexcept {
  // pi/8 and 3 pi/8 split the quadrant into three parts, each reduced to |r| <= tan(pi/8) by one division:
  // atan(a) = atan(a), pi/4 + atan((a - 1) / (a + 1)), pi/2 + atan(-1 / a).
  constexpr double kTanEighth = 0x1.a827999fcef32p-2;
  constexpr double kTanThreeEighths = 0x1.3504f333f9de6p+1;
  const double a = std::fabs(x);
  const bool low = a <= kTanEighth;
  const bool high = a > kTanThreeEighths;
  const double numerator = low ? a : high ? -1.0 : a - 1.0;
  const double denominator = low ? 1.0 : high ? a : a + 1.0;
  const double base = low ? 0.0 : high ? 0x1.921fb54442d18p+0 : 0x1.921fb54442d18p-1;
  const double base_rest = low ? 0.0 : high ? 0x1.1a62633145c07p-54 : 0x1.1a62633145c07p-55;
  const double r = numerator / denominator;
  // (atan(r) / r - 1) / r^2 in z = r^2 <= 0.1718, error below 1.2e-18.
  const double z = r * r;
  double p = 0x1.0a997ba33c1dbp-6;
  p = p * z + -0x1.1b1992aa413c9p-5;
  p = p * z + 0x1.74d3a7b43351ap-5;
  p = p * z + -0x1.ac7858539e493p-5;
  p = p * z + 0x1.e199c62156609p-5;
  p = p * z + -0x1.110e84aa36d9dp-4;
  p = p * z + 0x1.3b1392a9c2d8bp-4;
  p = p * z + -0x1.745d165c497f3p-4;
  p = p * z + 0x1.c71c71c2fc236p-4;
  p = p * z + -0x1.249249248d739p-3;
  p = p * z + 0x1.9999999999952p-3;
  p = p * z + -0x1.5555555555555p-2;
  return std::copysign(base + (r + (r * z * p + base_rest)), x);
}

void exact_sincos_turns(double turns, double& sine, double& cosine) noexcept {
  // Adding 1.5 * 2^52 rounds to the nearest integer (ties to even) and leaves that integer, modulo 4, in the
  // lowest bits of the sum; the remainder r in [-1/8, 1/8] is exact. The sign is put back last, so sine is
  // exactly odd.
  constexpr double kRounder = 0x1.8p+52;
  const double a = std::fabs(turns);
  const double rounded = 4.0 * a + kRounder;
  const std::uint64_t quadrant = std::bit_cast<std::uint64_t>(rounded);
  const double r = a - 0.25 * (rounded - kRounder);
  const double z = r * r;
  // (sin(2 pi r) / r - 2 pi) / z, error below 3e-18.
  double p = -0x1.6cc577dadd922p-1;
  p = p * z + 0x1.e8f036bcd3237p+1;
  p = p * z + -0x1.e3074d2614b2dp+3;
  p = p * z + 0x1.50783486facaap+5;
  p = p * z + -0x1.32d2cce62b872p+6;
  p = p * z + 0x1.466bc6775aae1p+6;
  p = p * z + -0x1.4abbce625be53p+5;
  const double s = r * 0x1.921fb54442d18p+2 + r * (z * p + 0x1.1a62633145c07p-52);
  // (cos(2 pi r) - 1) / z, error below 8e-18.
  double q = -0x1.b2f3eb054afcdp+0;
  q = q * z + 0x1.f9ce245cada0bp+2;
  q = q * z + -0x1.a6d1eef479be1p+4;
  q = q * z + 0x1.e1f5068688d5bp+5;
  q = q * z + -0x1.55d3c7e3cb241p+6;
  q = q * z + 0x1.03c1f081b5ac0p+6;
  q = q * z + -0x1.3bd3cc9be45dep+4;
  const double c = 1.0 + z * q;
  const bool swap = (quadrant & 1U) != 0;
  const double sine_part = swap ? c : s;
  const double cosine_part = swap ? s : c;
  const double sine_positive = (quadrant & 2U) != 0 ? -sine_part : sine_part;
  sine = std::signbit(turns) ? -sine_positive : sine_positive;
  cosine = ((quadrant + 1U) & 2U) != 0 ? -cosine_part : cosine_part;
}

float exact_exponential(std::uint32_t draw) noexcept {
  // u = (2 draw + 1) / 2^33 = (1 + fraction / 2^32) * 2^-(1 + zeros): the leading one of the 33-bit 2 draw +
  // 1 is shifted out. Two shifts, because draw = 0 shifts by 32.
  const auto zeros = static_cast<std::uint32_t>(std::countl_zero(draw));
  const std::uint32_t half = zeros >> 1;
  const std::uint32_t fraction = (((draw << 1) | 1U) << half) << (zeros - half);
  // Mantissas from 1.5 on are halved, so that u = (1 + f) * 2^-exponent with f in [-1/4, 1/2): one signed
  // conversion, exact towards f = 0, which keeps the relative error small where u is near 1.
  const std::uint32_t upper = fraction >> 31;
  const float scale = upper != 0 ? 0x1p-33F : 0x1p-32F;
  const float f = static_cast<float>(static_cast<std::int32_t>(fraction)) * scale;
  const auto exponent = static_cast<float>(static_cast<std::int32_t>(zeros + 1U - upper));
  // ln(1 + f) = 2 atanh(s), s = f / (2 + f); (atanh(s) / s - 1) / z in z = s^2 <= 0.04, error below 2.5e-7.
  const float s = f / (2.0F + f);
  const float t = s + s;
  const float z = s * s;
  float p = 0x1.32c83cp-3F;
  p = p * z + 0x1.99625p-3F;
  p = p * z + 0x1.555566p-2F;
  return exponent * 0x1.62e43p-1F - (t + t * (z * p));
}

double exact_sqrt(double x) noexcept {
  return std::sqrt(x);
}

}  // namespace strew
