// Which 1024-step sub-squares of a cell a neighbour's disc covers, by table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cell_lattice.hpp"

namespace strew::poisson {

/// For each neighbour cell and each of 32 x 32 boxes in it: the sub-squares covered whatever the point's
/// place in the box. Conservative, so that a missing bit costs time and never changes the law. 160 KiB, built
/// once, immutable.
class CoverTable {
 public:
  static constexpr std::size_t kBoxes = 32;
  static constexpr std::int32_t kBoxSide = kCellSteps / static_cast<std::int32_t>(kBoxes);

  CoverTable() noexcept;
  [[nodiscard]] std::uint64_t mask(std::size_t neighbour, Fraction at) const noexcept {
    return masks_[(neighbour * kBoxes + static_cast<std::size_t>(at.y / kBoxSide)) * kBoxes +
                  static_cast<std::size_t>(at.x / kBoxSide)];
  }

 private:
  std::array<std::uint64_t, kNeighbours.size() * kBoxes * kBoxes> masks_{};
};

[[nodiscard]] const CoverTable& cover_table() noexcept;

}  // namespace strew::poisson
