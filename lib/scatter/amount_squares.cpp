// Amounts by square: the squares of a grid anchored at world 0, counted in groups.
#include <algorithm>

#include "census.hpp"
#include "parallel.hpp"

namespace strew {

using scatter::HashBounds;
using scatter::PointHash;
using scatter::SquareCount;

namespace {

/// Squares smaller than this are counted together: a pass over less costs nearly as much.
constexpr Coord kGroupSide = 128 * kUnitsPerMetre;
/// Bounds and groups that are remembered of a layer: 16 MiB each at most.
constexpr std::size_t kMostBounds = std::size_t{1} << 20;
constexpr std::size_t kMostGroups = std::size_t{1} << 17;

/// Squares on a side of a group.
std::int64_t squares_across(Coord side) noexcept {
  return std::max<std::int64_t>(1, kGroupSide / side);
}

/// Groups of which a part lies in `rect`.
struct Groups {
  Groups(const Rect& rect, Coord group)
      : x0(floor_div(rect.x0, group)),
        y0(floor_div(rect.y0, group)),
        x1(floor_div(rect.x1 - 1, group) + 1),
        y1(floor_div(rect.y1 - 1, group) + 1) {}
  std::int64_t x0;
  std::int64_t y0;
  std::int64_t x1;
  std::int64_t y1;
};

}  // namespace

Coord scatter::reach_of_squares(Coord side) noexcept {
  return side * squares_across(side);
}

Status Census::Impl::group_bounds(std::size_t layer, const Square& group, const RunContext& context,
                                  SharedBounds& out) {
  LayerState& state = states[layer];
  {
    const std::scoped_lock lock(mutex);
    const auto found = state.groups.find(group);
    if (found != state.groups.end()) {
      out = found->second;
      return {};
    }
  }
  const AmountSpec& amount = *world.spec.layers[layer].amount;
  const PhiloxKey key =
      stream_key(world.spec.seed, mix64(world.layers[layer].stream ^ scatter::kAmountStream));
  const Coord side = world.layers[layer].amount_square;
  const std::int64_t across = squares_across(side);
  const std::int64_t column = group.second * across;
  const std::int64_t row = group.first * across;
  std::vector<std::uint64_t> wanted;
  for (std::int64_t y = 0; y < across; ++y) {
    for (std::int64_t x = 0; x < across; ++x) {
      wanted.push_back(scatter::draw_amount(amount, cell_draw(key, column + x, row + y, 0)));
    }
  }
  std::vector<SquareCount> squares(wanted.size());
  const Rect area = {column * side, row * side, (column + across) * side, (row + across) * side};
  STREW_RETURN_IF_ERROR(visit_accepted(layer, area, context, [&](Coord x, Coord y, const PointHash& hash) {
    const auto at =
        static_cast<std::size_t>((floor_div(y, side) - row) * across + floor_div(x, side) - column);
    add_to(squares[at], hash, wanted[at]);
  }));
  std::vector<PointHash> bounds(squares.size());
  for (std::size_t i = 0; i < squares.size(); ++i) {
    finish(squares[i]);
    bounds[i] = bound_of(squares[i], wanted[i]);
  }
  out = std::make_shared<const std::vector<PointHash>>(std::move(bounds));
  const std::scoped_lock lock(mutex);
  if (state.groups.emplace(group, out).second) {
    state.group_order.push_back(group);
  }
  // The oldest go first; who still needs them finds the same again.
  while (state.group_order.size() > kMostGroups || state.group_order.size() * squares.size() > kMostBounds) {
    state.groups.erase(state.group_order.front());
    state.group_order.pop_front();
  }
  return {};
}

Status Census::Impl::square_bounds(std::size_t layer, const Rect& rect, const RunContext& context,
                                   HashBounds& out) {
  const Coord side = world.layers[layer].amount_square;
  const std::int64_t across = squares_across(side);
  out.side = side;
  out.x0 = floor_div(rect.x0, side);
  out.y0 = floor_div(rect.y0, side);
  out.columns = floor_div(rect.x1 - 1, side) + 1 - out.x0;
  const std::int64_t rows = floor_div(rect.y1 - 1, side) + 1 - out.y0;
  out.bounds.resize(static_cast<std::size_t>(out.columns * rows));
  const Groups groups(rect, side * across);
  for (std::int64_t gy = groups.y0; gy < groups.y1; ++gy) {
    for (std::int64_t gx = groups.x0; gx < groups.x1; ++gx) {
      SharedBounds bounds;
      STREW_RETURN_IF_ERROR(group_bounds(layer, {gy, gx}, context, bounds));
      const std::int64_t x0 = std::max(out.x0, gx * across);
      const std::int64_t x1 = std::min(out.x0 + out.columns, (gx + 1) * across);
      const std::int64_t y1 = std::min(out.y0 + rows, (gy + 1) * across);
      for (std::int64_t y = std::max(out.y0, gy * across); y < y1; ++y) {
        std::copy_n(bounds->begin() + ((y - gy * across) * across + x0 - gx * across), x1 - x0,
                    out.bounds.begin() + ((y - out.y0) * out.columns + x0 - out.x0));
      }
    }
  }
  return {};
}

Status Census::Impl::prepare_squares(std::size_t layer, std::span<const Rect> rects,
                                     const RunContext& context) {
  const Coord side = world.layers[layer].amount_square;
  if (squares_across(side) > 1) {
    return {};  // small ones cost a tile no more than its own points: it finds them itself
  }
  std::vector<Square> groups;
  for (const Rect& rect : rects) {
    const Groups some(rect, side);
    for (std::int64_t y = some.y0; y < some.y1; ++y) {
      for (std::int64_t x = some.x0; x < some.x1; ++x) {
        groups.emplace_back(y, x);
      }
    }
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  if (groups.size() > kMostGroups) {
    return {};  // the first would be forgotten again before a tile asks
  }
  RunContext inner = context;
  inner.executor = nullptr;
  inner.progress = nullptr;
  RunContext outer = context;
  outer.progress = nullptr;
  return parallel_for(outer, groups.size(), [&](std::uint64_t index, std::uint32_t) -> Status {
    SharedBounds unused;
    return group_bounds(layer, groups[index], inner, unused);
  });
}

}  // namespace strew
