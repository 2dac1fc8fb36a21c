// When two connectors meet.
#pragma once

#include "assembler_impl.hpp"

namespace strew::snap {

/// Connectors this near, facing each other, are one joint.
inline constexpr double kMeet = 1e-4;
inline constexpr double kFacing = -1 + 1e-6;

[[nodiscard]] inline bool face(const Vec3& a_position, const Vec3& a_heading, const OpenEnd& b) noexcept {
  const Vec3 apart = a_position - b.position;
  // Most are far apart along x already.
  return std::abs(apart.x) <= kMeet && dot(apart, apart) <= kMeet * kMeet &&
         dot(a_heading, b.heading) <= kFacing;
}

}  // namespace strew::snap
