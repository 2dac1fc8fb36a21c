// Broad phase for large maps: boxes by the cells of a grid that their bounds cover, in a hash table.
//
// Maps of a few hundred boxes are scanned in whole vectors faster than any table is asked; the grid joins in
// beyond kGridFrom boxes. Boxes come and go last in, first out, so that chains are stacks.
#pragma once

#include <cstdint>
#include <vector>

#include "overlap.hpp"

namespace strew::snap {

class BoxGrid {
 public:
  static constexpr std::size_t kGridFrom = 256;

  /// Cells of `cell` metres; forgets all boxes.
  void start(double cell) noexcept;
  /// Takes in the boxes of `columns` that are not in yet, when there are enough of them.
  void follow(const BoxColumns& columns);
  /// Forgets the boxes from `size` on.
  void shrink(std::size_t size) noexcept;
  /// As first_meeting_ref over the boxes taken in.
  [[nodiscard]] std::int64_t first_meeting(const OrientedBox& query, const OverlapRange& range);

 private:
  struct Entry {
    std::uint32_t next;
    std::uint32_t box;
    std::int32_t cell[3];
  };
  struct Cells {
    std::int32_t low[3];
    std::int32_t high[3];
    [[nodiscard]] double count() const noexcept;
  };
  [[nodiscard]] Cells cells_of(const std::array<float, 6>& bounds) const noexcept;
  [[nodiscard]] std::size_t bucket(std::int32_t x, std::int32_t y, std::int32_t z) const noexcept;
  void add(const OrientedBox& box);
  void grow();

  double cell_ = 1;
  std::vector<std::uint32_t> heads_;  ///< entry + 1, 0: none; a power of two
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> first_;  ///< per box: entries before it
  std::vector<std::uint32_t> large_;  ///< boxes of too many cells: looked at always
  /// One box in one place: they are looked at singly, here and there.
  struct Known {
    std::array<float, 6> bounds;
    std::uint32_t seen;  ///< the query that looked at it last
    OrientedBox box;
  };
  std::vector<Known> boxes_;
  std::uint32_t query_ = 0;
};

}  // namespace strew::snap
