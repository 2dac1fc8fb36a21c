// Transforms of glTF nodes.
#pragma once

#include <tiny_gltf.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace strew::gltf {

/// Column-major 4 x 4, as glTF has it.
using Matrix = std::array<double, 16>;
inline constexpr Matrix kUnit = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

[[nodiscard]] inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out{};
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t k = 0; k < 4; ++k) {
        out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
      }
    }
  }
  return out;
}

[[nodiscard]] inline Matrix node_matrix(const tinygltf::Node& node) {
  if (node.matrix.size() == 16) {
    Matrix m{};
    std::copy(node.matrix.begin(), node.matrix.end(), m.begin());
    return m;
  }
  Matrix m = kUnit;
  if (node.rotation.size() == 4) {
    const double x = node.rotation[0];
    const double y = node.rotation[1];
    const double z = node.rotation[2];
    const double w = node.rotation[3];
    m = {1 - 2 * (y * y + z * z),
         2 * (x * y + z * w),
         2 * (x * z - y * w),
         0,
         2 * (x * y - z * w),
         1 - 2 * (x * x + z * z),
         2 * (y * z + x * w),
         0,
         2 * (x * z + y * w),
         2 * (y * z - x * w),
         1 - 2 * (x * x + y * y),
         0,
         0,
         0,
         0,
         1};
  }
  if (node.scale.size() == 3) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t r = 0; r < 3; ++r) {
        m[4 * c + r] *= node.scale[c];
      }
    }
  }
  if (node.translation.size() == 3) {
    std::copy(node.translation.begin(), node.translation.end(), m.begin() + 12);
  }
  return m;
}

}  // namespace strew::gltf
