#include "vec.hpp"

namespace strew::snap {

Quat to_quat(const Mat3& r) noexcept {
  const double* m = r.m;
  Quat q;
  // The largest of the four squares keeps the divisor at one half or more.
  const double w2 = 1 + m[0] + m[4] + m[8];
  const double x2 = 1 + m[0] - m[4] - m[8];
  const double y2 = 1 - m[0] + m[4] - m[8];
  const double z2 = 1 - m[0] - m[4] + m[8];
  if (w2 >= x2 && w2 >= y2 && w2 >= z2) {
    const double s = 2 * std::sqrt(w2);
    q = {(m[7] - m[5]) / s, (m[2] - m[6]) / s, (m[3] - m[1]) / s, s / 4};
  } else if (x2 >= y2 && x2 >= z2) {
    const double s = 2 * std::sqrt(x2);
    q = {s / 4, (m[1] + m[3]) / s, (m[2] + m[6]) / s, (m[7] - m[5]) / s};
  } else if (y2 >= z2) {
    const double s = 2 * std::sqrt(y2);
    q = {(m[1] + m[3]) / s, s / 4, (m[5] + m[7]) / s, (m[2] - m[6]) / s};
  } else {
    const double s = 2 * std::sqrt(z2);
    q = {(m[2] + m[6]) / s, (m[5] + m[7]) / s, s / 4, (m[3] - m[1]) / s};
  }
  // Half turns have w = 0 up to rounding: their sign is that of the largest component, which is positive.
  constexpr double kHalfTurn = 1e-9;
  if (q.w < -kHalfTurn) {
    q = {-q.x, -q.y, -q.z, -q.w};
  }
  return q;
}

Mat3 look_rotation(const Vec3& forward, const Vec3& up) noexcept {
  const Vec3 z = forward * (1 / length(forward));
  Vec3 x = cross(up, z);
  const double size = length(x);
  if (size < 1e-9 * length(up) || size == 0) {
    // Smallest rotation from (0, 0, 1) to z.
    const double c = z.z;
    if (c < -1 + 1e-12) {
      return {{1, 0, 0, 0, -1, 0, 0, 0, -1}};
    }
    const double k = 1 / (1 + c);
    return from_columns({1 - z.x * z.x * k, -z.x * z.y * k, -z.x}, {-z.x * z.y * k, 1 - z.y * z.y * k, -z.y},
                        z);
  }
  x = x * (1 / size);
  return from_columns(x, cross(z, x), z);
}

}  // namespace strew::snap
