// Reserved points: how many stand in each block and cell of the world, by the rule that AmountSpec states.
#include <algorithm>

#include "census.hpp"
#include "parallel.hpp"

namespace strew {

using scatter::HashBounds;
using scatter::QuotaGrid;
using scatter::SquareCount;

namespace {

/// Hashes of a cell that are kept on the first look: most cells take their quota and little more.
std::uint64_t first_limit(const QuotaGrid& quotas, std::size_t block) {
  return quotas.quota(block) / (quotas.cells_per_block() / 4) + 4;
}

}  // namespace

Status Census::Impl::count_block(std::size_t layer, std::size_t block, std::uint64_t limit,
                                 const RunContext& context, std::vector<SquareCount>& cells) {
  const QuotaGrid& quotas = *world.layers[layer].quotas;
  cells.assign(quotas.cells_per_block(), {});
  STREW_RETURN_IF_ERROR(visit_accepted(layer, quotas.area(block), context,
                                       [&](Coord x, Coord y, const scatter::PointHash& hash) {
                                         add_to(cells[quotas.cell_at(x, y)], hash, limit);
                                       }));
  std::uint64_t accepted = 0;
  for (SquareCount& cell : cells) {
    finish(cell);
    accepted += cell.count;
  }
  const std::scoped_lock lock(mutex);
  states[layer].accepted[block] = accepted;
  return {};
}

Status Census::Impl::accepted_of(std::size_t layer, std::size_t block, const RunContext& context,
                                 std::uint64_t& out) {
  {
    const std::scoped_lock lock(mutex);
    out = states[layer].accepted[block];
  }
  if (out != kUnknown) {
    return {};
  }
  std::vector<SquareCount> cells;
  STREW_RETURN_IF_ERROR(count_block(layer, block, 0, context, cells));
  out = 0;
  for (const SquareCount& cell : cells) {
    out += cell.count;
  }
  return {};
}

Status Census::Impl::carry_into(std::size_t layer, std::size_t block, const RunContext& context,
                                std::uint64_t& out) {
  const QuotaGrid& quotas = *world.layers[layer].quotas;
  // What blocks [first, block) make of a carry c is max(least, c + shift), and at most all quotas before
  // `first` can come to them: where that makes no difference, or the carry into `first` is known, so is this.
  std::int64_t least = 0;
  std::int64_t shift = 0;
  std::size_t first = block;
  for (;; --first) {
    std::uint64_t known = kUnknown;
    {
      const std::scoped_lock lock(mutex);
      known = states[layer].carry[first];
    }
    if (first == 0) {
      known = 0;
    }
    if (known != kUnknown) {
      out = static_cast<std::uint64_t>(std::max(least, static_cast<std::int64_t>(known) + shift));
      break;
    }
    if (first < block && static_cast<std::int64_t>(quotas.quota_before(first)) + shift <= least) {
      out = static_cast<std::uint64_t>(least);
      break;
    }
    std::uint64_t accepted = 0;
    STREW_RETURN_IF_ERROR(accepted_of(layer, first - 1, context, accepted));
    least = std::max(least, shift);
    shift += static_cast<std::int64_t>(quotas.quota(first - 1)) - static_cast<std::int64_t>(accepted);
  }
  const std::scoped_lock lock(mutex);
  states[layer].carry[block] = out;
  return {};
}

/// How many of the block's accepted points its quota and what comes from earlier blocks take.
Status Census::Impl::taken_of(std::size_t layer, std::size_t block, const RunContext& context,
                              std::uint64_t& accepted, std::uint64_t& taken) {
  std::uint64_t carry = 0;
  STREW_RETURN_IF_ERROR(accepted_of(layer, block, context, accepted));
  STREW_RETURN_IF_ERROR(carry_into(layer, block, context, carry));
  taken = std::min(accepted, world.layers[layer].quotas->quota(block) + carry);
  return {};
}

/// What the last block could not take goes round again, to the first that have points left: how much of it
/// comes by `block`.
Status Census::Impl::remainder_into(std::size_t layer, std::size_t block, const RunContext& context,
                                    std::uint64_t& out) {
  const QuotaGrid& quotas = *world.layers[layer].quotas;
  std::size_t from = block;
  {
    const std::scoped_lock lock(mutex);
    while (from > 0 && states[layer].remainder[from] == kUnknown) {
      --from;
    }
    out = states[layer].remainder[from];
  }
  if (out == kUnknown) {
    STREW_RETURN_IF_ERROR(carry_into(layer, quotas.blocks(), context, out));
  }
  for (; from < block && out > 0; ++from) {
    std::uint64_t accepted = 0;
    std::uint64_t taken = 0;
    STREW_RETURN_IF_ERROR(taken_of(layer, from, context, accepted, taken));
    out -= std::min(out, accepted - taken);
  }
  const std::scoped_lock lock(mutex);
  states[layer].remainder[block] = out;
  return {};
}

/// How many of the block's accepted points stand.
Status Census::Impl::share_of(std::size_t layer, std::size_t block, const RunContext& context,
                              std::uint64_t& out) {
  std::uint64_t accepted = 0;
  std::uint64_t remainder = 0;
  STREW_RETURN_IF_ERROR(taken_of(layer, block, context, accepted, out));
  STREW_RETURN_IF_ERROR(remainder_into(layer, block, context, remainder));
  out += std::min(remainder, accepted - out);
  return {};
}

Status Census::Impl::finish_block(std::size_t layer, std::size_t block, std::vector<SquareCount> cells,
                                  std::uint64_t limit, const RunContext& context) {
  const QuotaGrid& quotas = *world.layers[layer].quotas;
  std::uint64_t take = 0;
  STREW_RETURN_IF_ERROR(share_of(layer, block, context, take));
  std::vector<std::uint64_t> accepts;
  for (const SquareCount& cell : cells) {
    accepts.push_back(cell.count);
  }
  const std::vector<std::uint64_t> dealt = scatter::deal_to_cells(take, quotas.cell_quotas(block), accepts);
  std::uint64_t most = 0;
  for (std::size_t cell = 0; cell < dealt.size(); ++cell) {
    most = std::max(most, dealt[cell] < accepts[cell] ? dealt[cell] : 0);
  }
  if (most > limit) {
    STREW_RETURN_IF_ERROR(count_block(layer, block, most, context, cells));
  }
  std::vector<CellBound> bounds;
  for (std::size_t cell = 0; cell < dealt.size(); ++cell) {
    if (dealt[cell] > 0) {
      bounds.push_back({static_cast<std::uint32_t>(cell), bound_of(cells[cell], dealt[cell])});
    }
  }
  const std::scoped_lock lock(mutex);
  states[layer].cell_bounds.emplace(block, std::move(bounds));
  return {};
}

Status Census::Impl::prepare_blocks(std::size_t layer, const std::vector<std::size_t>& blocks,
                                    const RunContext& context) {
  const QuotaGrid& quotas = *world.layers[layer].quotas;
  std::vector<std::size_t> missing;
  {
    const std::scoped_lock lock(mutex);
    std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(missing),
                 [&](std::size_t block) { return !states[layer].cell_bounds.contains(block); });
  }
  RunContext outer = context;
  outer.progress = nullptr;
  RunContext inner = outer;
  inner.executor = nullptr;
  // A few at a time, because each holds the hashes of its cells until its share is known.
  const std::size_t batch = 4 * std::size_t{worker_count(context)};
  for (std::size_t first = 0; first < missing.size(); first += batch) {
    const std::size_t here = std::min(batch, missing.size() - first);
    std::vector<std::vector<SquareCount>> cells(here);
    STREW_RETURN_IF_ERROR(parallel_for(outer, here, [&](std::uint64_t index, std::uint32_t) -> Status {
      const std::size_t block = missing[first + index];
      return count_block(layer, block, first_limit(quotas, block), inner, cells[index]);
    }));
    for (std::size_t i = 0; i < here; ++i) {
      const std::size_t block = missing[first + i];
      STREW_RETURN_IF_ERROR(
          finish_block(layer, block, std::move(cells[i]), first_limit(quotas, block), inner));
    }
  }
  return {};
}

Status Census::Impl::reserved_bounds(std::size_t layer, const Rect& rect, const RunContext& context,
                                     HashBounds& out) {
  const QuotaGrid& quotas = *world.layers[layer].quotas;
  // Beyond the extent nothing is reserved: bounds of 0 let nothing stand there.
  out.side = quotas.cell_side();
  out.x0 = floor_div(rect.x0, out.side);
  out.y0 = floor_div(rect.y0, out.side);
  out.columns = floor_div(rect.x1 - 1, out.side) + 1 - out.x0;
  const std::int64_t rows = floor_div(rect.y1 - 1, out.side) + 1 - out.y0;
  out.bounds.resize(static_cast<std::size_t>(out.columns * rows));
  const std::vector<std::size_t> blocks = quotas.blocks_of(rect);
  RunContext serial = context;
  serial.executor = nullptr;
  STREW_RETURN_IF_ERROR(prepare_blocks(layer, blocks, serial));
  const std::scoped_lock lock(mutex);
  for (const std::size_t block : blocks) {
    for (const CellBound& cell : states[layer].cell_bounds.at(block)) {
      const auto [column, row] = quotas.cell_place(block, cell.cell);
      const std::int64_t x = column - out.x0;
      const std::int64_t y = row - out.y0;
      if (x >= 0 && y >= 0 && x < out.columns && y < rows) {
        out.bounds[static_cast<std::size_t>(y * out.columns + x)] = cell.bound;
      }
    }
  }
  return {};
}

}  // namespace strew
