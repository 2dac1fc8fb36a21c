// Splitting a region into blocks of cells, and merging their points in row-major order of cells.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
  double points_per_cell = 0;  ///< to make room for them while blocks are made; 0: not known
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
inline constexpr BlockShape kLongBlocks{768, 2048, 0.349};

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

/// Makes a vector this long, and what it held is forgotten. It would copy it to grow, and to twice the room,
/// where the next part of a stream has a few points more than this one.
inline void resize_forgetting(std::vector<std::int64_t>& coordinates, std::size_t size) {
  if (coordinates.capacity() < size) {
    std::vector<std::int64_t>().swap(coordinates);  // its memory is free first
    coordinates.reserve(size + size / 128);
  }
  coordinates.resize(size);
}

/// Rows of cells of a row of blocks that are merged together.
constexpr std::size_t kMergedRows = 256;
struct MergedRows {
  const BlockPoints* first;  ///< leftmost block
  std::size_t row;           ///< the first of the rows
  std::size_t begin;         ///< points before it
};
/// Puts the points of some rows, row by row of their cells, to `x` and `y` on.
inline void merge_rows(const MergedRows& rows, std::int64_t columns, std::int64_t* x, std::int64_t* y) {
  const std::size_t end = std::min(rows.row + kMergedRows, rows.first->rows.size());
  for (std::size_t row = rows.row; row < end; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const BlockPoints& block = rows.first[column];
      const auto from = static_cast<std::ptrdiff_t>(block.rows[row].begin);
      const auto to = static_cast<std::ptrdiff_t>(block.rows[row].end);
      x = std::transform(block.x.begin() + from, block.x.begin() + to, x,
                         [left = block.left](std::uint32_t step) { return left + std::int64_t{step}; });
      y = std::transform(
          block.y.begin() + from, block.y.begin() + to, y,
          [lower = block.lower_of(row)](std::uint32_t step) { return lower + std::int64_t{step}; });
    }
  }
}
/// Merges blocks, `columns` in a row, into out.x and out.y.
[[nodiscard]] inline Status merge_blocks(const std::vector<BlockPoints>& blocks, std::int64_t columns,
                                         const RunContext& context, PointSet& out) {
  std::vector<MergedRows> pieces;
  std::size_t count = 0;
  for (std::size_t i = 0; i < blocks.size(); i += static_cast<std::size_t>(columns)) {
    for (std::size_t row = 0; row < blocks[i].rows.size(); ++row) {
      if (row % kMergedRows == 0) {
        pieces.push_back({&blocks[i], row, count});
      }
      for (std::int64_t column = 0; column < columns; ++column) {
        const BlockPoints::Row& points = blocks[i + static_cast<std::size_t>(column)].rows[row];
        count += points.end - points.begin;
      }
    }
  }
  resize_forgetting(out.x, count);
  resize_forgetting(out.y, count);
  RunContext merging = context;
  merging.progress = nullptr;  // which has come to its end
  return parallel_for(merging, pieces.size(), [&](std::uint64_t i, std::uint32_t) -> Status {
    merge_rows(pieces[i], columns, out.x.data() + pieces[i].begin, out.y.data() + pieces[i].begin);
    return {};
  });
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
  out.class_of.clear();
  // The memory of the answer, touched for the first time, takes a tenth of what one worker needs for the
  // points: with several it is not left to one in the end.
  const std::uint64_t rooms = worker_count(context) > 1 && shape.points_per_cell > 0 ? 2 : 0;
  const auto make_room = [&](std::vector<std::int64_t>& coordinates) {
    resize_forgetting(coordinates,
                      static_cast<std::size_t>(static_cast<double>(cells.width()) *
                                               static_cast<double>(cells.height()) * shape.points_per_cell));
  };
  const auto make_block = [&](std::uint64_t i) -> Status {
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
  };
  STREW_RETURN_IF_ERROR(
      parallel_for(context, rooms + blocks.size(), [&](std::uint64_t i, std::uint32_t) -> Status {
        if (i < rooms) {
          make_room(i == 0 ? out.x : out.y);
          return {};
        }
        return make_block(i - rooms);
      }));
  return merge_blocks(blocks, columns, context, out);
}

}  // namespace strew::poisson
