#include "tiled_window.hpp"

namespace strew::poisson {

void WordList::grow(std::size_t count) {
  memory.resize(2 * (size + count + 16));
}

const CoverRows& cover_rows() noexcept {
  static const CoverRows kRows = [] {
    CoverRows rows;
    constexpr std::int32_t kBoxSide = CoverTable::kBoxSide;
    for (std::size_t box = 0; box < CoverRows::kBoxes * CoverRows::kBoxes; ++box) {
      const Fraction at{static_cast<std::int32_t>(box % CoverRows::kBoxes) * kBoxSide,
                        static_cast<std::int32_t>(box / CoverRows::kBoxes) * kBoxSide};
      for (std::size_t k = 0; k < kNeighbours.size(); ++k) {
        // The point stands at the neighbour's offset from the covered cell, so that cell is at minus the
        // offset.
        const auto dx = static_cast<std::size_t>(2 - kNeighbours[k].x);
        const auto dy = static_cast<std::size_t>(2 - kNeighbours[k].y);
        rows.masks[(box * 5 + dy) * 8 + dx] = cover_table().mask(k, at);
      }
    }
    return rows;
  }();
  return kRows;
}

}  // namespace strew::poisson
