// Small vectors and matrices: plain double arithmetic in a fixed order.
#pragma once

#include <cmath>

#include "strew/snapmesh.hpp"

namespace strew::snap {

constexpr Vec3 operator+(const Vec3& a, const Vec3& b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Vec3 operator-(const Vec3& a, const Vec3& b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr Vec3 operator-(const Vec3& a) noexcept {
  return {-a.x, -a.y, -a.z};
}
constexpr Vec3 operator*(const Vec3& a, double s) noexcept {
  return {a.x * s, a.y * s, a.z * s};
}
constexpr double dot(const Vec3& a, const Vec3& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vec3& a) noexcept {
  return std::sqrt(dot(a, a));
}
inline bool finite(const Vec3& a) noexcept {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// Row-major rotation; its columns are the images of the axes.
struct Mat3 {
  double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

  [[nodiscard]] Vec3 column(int i) const noexcept { return {m[i], m[i + 3], m[i + 6]}; }
  friend Vec3 operator*(const Mat3& a, const Vec3& v) noexcept {
    return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
            a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
  }
  friend Mat3 operator*(const Mat3& a, const Mat3& b) noexcept {
    Mat3 r;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        r.m[3 * i + j] = a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
      }
    }
    return r;
  }
};
inline Mat3 from_columns(const Vec3& x, const Vec3& y, const Vec3& z) noexcept {
  return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}
inline Mat3 transposed(const Mat3& a) noexcept {
  return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
inline Mat3 from_quat(const Quat& q) noexcept {
  return {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * q.w), 2 * (q.x * q.z + q.y * q.w),
           2 * (q.x * q.y + q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.x * q.w),
           2 * (q.x * q.z - q.y * q.w), 2 * (q.y * q.z + q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)}};
}
/// w >= 0; at w = 0 the largest component is positive.
[[nodiscard]] Quat to_quat(const Mat3& r) noexcept;

/// Rotation whose third axis is `forward` and whose second is as near to `up` as can be. Where both are
/// parallel: the smallest rotation that turns the third axis to `forward`, as the published engine does.
[[nodiscard]] Mat3 look_rotation(const Vec3& forward, const Vec3& up) noexcept;

}  // namespace strew::snap
