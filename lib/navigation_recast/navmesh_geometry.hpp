// Vectors of the files of this folder.
#pragma once

#include "strew/snapmesh.hpp"

namespace strew::nav {

using snap::Vec3;

[[nodiscard]] inline Vec3 add(const Vec3& a, const Vec3& b, double s = 1) {
  return {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
[[nodiscard]] inline double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline Vec3 rotated(const snap::Quat& q, const Vec3& v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = add(cross(u, v), v, q.w);
  return add(v, cross(u, t), 2);
}

}  // namespace strew::nav
