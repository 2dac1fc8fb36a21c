// Splitting a region into blocks of cells, and merging their points in row-major order of cells.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "cell_lattice.hpp"
#include "parallel.hpp"
#include "strew/strategy.hpp"

namespace strew::poisson {

/// Points of one block, row by row of its cells, x ascending in a row. In 32 bits: there are many blocks
/// before they are merged.
struct BlockPoints {
  /// Those that a row of cells has: `begin` to `end` - 1.
  struct Row {
    std::size_t begin;
    std::size_t end;
  };
  std::int64_t left = 0;         ///< lattice steps of the block's left side
  std::int64_t lower = 0;        ///< and of its lower side
  std::vector<std::uint32_t> x;  ///< lattice steps from the left side
  std::vector<std::uint32_t> y;  ///< lattice steps from the lower side of the row
  std::vector<Row> rows;

  /// Adds a point to the row that is being filled.
  void add(std::int64_t lattice_x, std::int64_t lattice_y) {
    x.push_back(static_cast<std::uint32_t>(lattice_x - left));
    y.push_back(static_cast<std::uint32_t>(lattice_y - lower_of(rows.size())));
  }
  void end_row() { rows.push_back({rows.empty() ? 0 : rows.back().end, x.size()}); }
  [[nodiscard]] std::int64_t lower_of(std::size_t row) const {
    return lower + static_cast<std::int64_t>(row) * kCellSteps;
  }
  [[nodiscard]] std::size_t count() const {
    return std::accumulate(rows.begin(), rows.end(), std::size_t{0},
                           [](std::size_t sum, const Row& row) { return sum + (row.end - row.begin); });
  }
  void clear() {
    x.clear();
    y.clear();
    rows.clear();
  }
};

/// Side of a block in cells where blocks are square.
inline constexpr std::int64_t kBlockCells = 384;

/// Sides of blocks. They change the time and never the output.
struct BlockShape {
  std::int64_t width;
  std::int64_t height;
};
/// Blocks of an extent that are near `wanted` long and of equal length.
[[nodiscard]] constexpr std::int64_t block_side(std::int64_t extent, std::int64_t wanted) noexcept {
  const std::int64_t blocks = std::max<std::int64_t>(1, (2 * extent + wanted) / (2 * wanted));
  return ceil_div(extent, blocks);
}
/// Number of blocks of cells of a shape, for extents that are not beyond any machine.
[[nodiscard]] constexpr std::int64_t block_count(const CellRect& cells, const BlockShape& shape) noexcept {
  return ceil_div(cells.width(), block_side(cells.width(), shape.width)) *
         ceil_div(cells.height(), block_side(cells.height(), shape.height));
}
inline constexpr BlockShape kSquareBlocks{kBlockCells, kBlockCells};
/// Blocks of a generator that pays for a halo along the sides only.
inline constexpr BlockShape kLongBlocks{768, 2048};

/// Takes the points outside the region from the rows of a block. Only the cells on the region's border reach
/// beyond it: the lowest and the highest row, and the ends of the others.
inline void keep_inside(const Rect& region, Coord pitch, BlockPoints& points) {
  for (std::size_t number = 0; number < points.rows.size(); ++number) {
    BlockPoints::Row& row = points.rows[number];
    const auto inside = [&](std::size_t i) {
      return region.contains((points.left + points.x[i]) * pitch,
                             (points.lower_of(number) + points.y[i]) * pitch);
    };
    if (number > 0 && number + 1 < points.rows.size()) {
      while (row.begin < row.end && !inside(row.begin)) {
        ++row.begin;
      }
      while (row.begin < row.end && !inside(row.end - 1)) {
        --row.end;
      }
      continue;
    }
    std::size_t kept = row.begin;
    for (std::size_t i = row.begin; i < row.end; ++i) {
      if (inside(i)) {
        points.x[kept] = points.x[i];
        points.y[kept] = points.y[i];
        ++kept;
      }
    }
    row.end = kept;
  }
}

/// Puts the points of a row of blocks, row by row of their cells, to `x` and `y` on, and gives their memory
/// back.
inline void merge_block_row(BlockPoints* first, std::int64_t columns, std::int64_t* x, std::int64_t* y) {
  for (std::size_t row = 0; row < first->rows.size(); ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const BlockPoints& block = first[column];
      const auto from = static_cast<std::ptrdiff_t>(block.rows[row].begin);
      const auto to = static_cast<std::ptrdiff_t>(block.rows[row].end);
      x = std::transform(block.x.begin() + from, block.x.begin() + to, x,
                         [left = block.left](std::uint32_t step) { return left + std::int64_t{step}; });
      y = std::transform(
          block.y.begin() + from, block.y.begin() + to, y,
          [lower = block.lower_of(row)](std::uint32_t step) { return lower + std::int64_t{step}; });
    }
  }
  std::fill(first, first + columns, BlockPoints{});
}

/// Calls `evaluate(cells, points)` -> Status for each block of the region, in parallel, and replaces out.x
/// and out.y by the points inside the region, in PointSet order. out.lattice must be set.
template <class Evaluate>
[[nodiscard]] Status generate_by_blocks(const Rect& region, const RunContext& context,
                                        const BlockShape& shape, PointSet& out, const Evaluate& evaluate) {
  const Coord pitch = out.lattice.pitch;
  const CellRect cells = cells_over(region, pitch);
  const std::int64_t across = block_side(cells.width(), shape.width);
  const std::int64_t along = block_side(cells.height(), shape.height);
  const std::int64_t columns = ceil_div(cells.width(), across);
  const std::int64_t rows = ceil_div(cells.height(), along);
  constexpr std::int64_t kMaxBlocks = std::int64_t{1} << 24;
  if (columns > kMaxBlocks / rows) {
    return make_error(StatusCode::kLimit,
                      "the points of " + std::to_string(cells.width()) + " x " +
                          std::to_string(cells.height()) +
                          " cells do not fit in one answer; ask for it part by part",
                      "region");
  }
  std::vector<BlockPoints> blocks(static_cast<std::size_t>(columns * rows));
  STREW_RETURN_IF_ERROR(parallel_for(context, blocks.size(), [&](std::uint64_t i, std::uint32_t) -> Status {
    const std::int64_t x0 = cells.x0 + static_cast<std::int64_t>(i) % columns * across;
    const std::int64_t y0 = cells.y0 + static_cast<std::int64_t>(i) / columns * along;
    const CellRect block{x0, y0, std::min(x0 + across, cells.x1), std::min(y0 + along, cells.y1)};
    blocks[i].left = x0 * kCellSteps;
    blocks[i].lower = y0 * kCellSteps;
    STREW_RETURN_IF_ERROR(evaluate(block, blocks[i]));
    if (block.x0 == cells.x0 || block.y0 == cells.y0 || block.x1 == cells.x1 || block.y1 == cells.y1) {
      keep_inside(region, pitch, blocks[i]);
    }
    return {};
  }));

  std::vector<std::size_t> begin(static_cast<std::size_t>(rows) + 1);  // points before each row of blocks
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    begin[i / static_cast<std::size_t>(columns) + 1] += blocks[i].count();
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  out.class_of.clear();
  out.x.resize(begin.back());
  out.y.resize(begin.back());
  RunContext merging = context;
  merging.progress = nullptr;  // which has come to its end
  return parallel_for(merging, static_cast<std::uint64_t>(rows),
                      [&](std::uint64_t row, std::uint32_t) -> Status {
                        merge_block_row(&blocks[row * static_cast<std::size_t>(columns)], columns,
                                        out.x.data() + begin[row], out.y.data() + begin[row]);
                        return {};
                      });
}

}  // namespace strew::poisson
