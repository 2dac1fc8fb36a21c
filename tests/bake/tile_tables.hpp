// Tables of made-up instances for tests of the tile file.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <vector>

#include "strew/random.hpp"
#include "strew/scatter.hpp"

namespace strew_test {

/// `columns` x `rows` instances, one per square of the lattice, in order, around the lattice index (x0, y0).
inline strew::InstanceTable make_table(std::int64_t x0, std::int64_t y0, int columns, int rows,
                                       strew::Lattice lattice) {
  strew::InstanceTable table;
  table.lattice = lattice;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const auto draw = strew::cell_draw(strew::stream_key(5, 6), column, row, 0);
      const auto side = static_cast<std::uint32_t>(std::min<std::int64_t>(lattice.identity_step, 8192));
      table.x.push_back((x0 + column) * lattice.identity_step + strew::draw_below(draw[0], side));
      table.y.push_back((y0 + row) * lattice.identity_step + strew::draw_below(draw[1], side));
      table.z_steps.push_back(static_cast<std::int32_t>(draw[2] % 4000) - 2000 + 17 * row);
      table.species.push_back(static_cast<std::uint16_t>(draw[2] % 5));
      table.yaw.push_back(static_cast<std::uint16_t>(draw[3] & 0xFFFFU));
      table.scale.push_back(static_cast<std::uint16_t>(draw[3] >> 16));
    }
  }
  return table;
}

/// Unlike ==, which takes -0 for 0.
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
  });
}

inline bool same_table(const strew::InstanceTable& a, const strew::InstanceTable& b) {
  return a.lattice == b.lattice && a.x == b.x && a.y == b.y && a.z_steps == b.z_steps &&
         a.species == b.species && a.yaw == b.yaw && a.scale == b.scale && same_bits(a.z_exact, b.z_exact) &&
         a.yaw_exact == b.yaw_exact && a.scale_exact == b.scale_exact;
}

}  // namespace strew_test
