// Ground of blocks, for the tests of this folder.
#pragma once

#include "strew/snapmesh.hpp"

namespace strew::nav {

inline void add_slab(snap::Mesh& mesh, const snap::Vec3& low, const snap::Vec3& high) {
  const auto base = static_cast<std::uint32_t>(mesh.positions.size() / 3);
  for (int corner = 0; corner < 8; ++corner) {
    for (const double c : {(corner & 4) != 0 ? high.x : low.x, (corner & 2) != 0 ? high.y : low.y,
                           (corner & 1) != 0 ? high.z : low.z}) {
      mesh.positions.push_back(static_cast<float>(c));
    }
  }
  constexpr std::uint32_t kFaces[] = {0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5,
                                      2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7};
  for (const std::uint32_t i : kFaces) {
    mesh.triangles.push_back(base + i);
  }
}

}  // namespace strew::nav
