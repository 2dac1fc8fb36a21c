#include "quota.hpp"

#include <algorithm>
#include <cmath>

#include "number_text.hpp"

namespace strew::scatter {
namespace {

double square_metres(const Rect& rect) noexcept {
  return rect.empty() ? 0 : to_metres(rect.x1 - rect.x0) * to_metres(rect.y1 - rect.y0);
}

std::uint64_t spread_bits(std::uint64_t value) noexcept {
  value &= 0xFFFFFFFFU;
  value = (value | (value << 16)) & 0x0000FFFF0000FFFFU;
  value = (value | (value << 8)) & 0x00FF00FF00FF00FFU;
  value = (value | (value << 4)) & 0x0F0F0F0F0F0F0F0FU;
  value = (value | (value << 2)) & 0x3333333333333333U;
  return (value | (value << 1)) & 0x5555555555555555U;
}

constexpr double kSmallestBlock = 256;  // m: smaller pieces of the world cost more than they hold
constexpr double kLargestCell = 1024;   // m
constexpr double kEasyBlocks = 262144;  // beyond, cells without a side of their own are larger

double blocks_over(const Rect& extent, double block) noexcept {
  return (to_metres(extent.x1 - extent.x0) / block + 1) * (to_metres(extent.y1 - extent.y0) / block + 1);
}

}  // namespace

std::uint64_t morton_of(std::uint64_t x, std::uint64_t y) noexcept {
  return spread_bits(x) | (spread_bits(y) << 1);
}

std::uint64_t morton_x(std::uint64_t code) noexcept {
  std::uint64_t value = code & 0x5555555555555555U;
  value = (value | (value >> 1)) & 0x3333333333333333U;
  value = (value | (value >> 2)) & 0x0F0F0F0F0F0F0F0FU;
  value = (value | (value >> 4)) & 0x00FF00FF00FF00FFU;
  value = (value | (value >> 8)) & 0x0000FFFF0000FFFFU;
  return (value | (value >> 16)) & 0xFFFFFFFFU;
}

Result<QuotaGrid> QuotaGrid::make(const AmountSpec& amount, const Rect& extent, const std::string& where) {
  QuotaGrid grid;
  grid.extent_ = extent;
  grid.area_ = square_metres(extent);
  const double square = amount.per_square_m;
  const double total = square > 0
                           ? std::floor(static_cast<double>(amount.minimum) * grid.area_ / (square * square))
                           : static_cast<double>(amount.minimum);
  if (total > static_cast<double>(kMostCounted)) {
    return invalid_argument("reserves " + number_text(total) + " points of the world; at most " +
                                std::to_string(kMostCounted) + ": reserve fewer, or use amount",
                            where);
  }
  grid.total_ = static_cast<std::uint64_t>(total);
  grid.square_ = square * square;
  grid.per_square_ = static_cast<double>(amount.minimum);
  double side = square;
  if (square <= 0) {
    side = kLargestCell;
    while (side > 1 && side * side * std::max(1.0, total) > grid.area_) {
      side /= 2;
    }
  }
  const auto across_of = [](double cell) {
    std::int64_t across = 16;
    while (static_cast<double>(across) * cell < kSmallestBlock) {
      across *= 2;
    }
    return across;
  };
  while (square <= 0 && blocks_over(extent, static_cast<double>(across_of(side)) * side) > kEasyBlocks) {
    side *= 2;
  }
  grid.across_ = across_of(side);
  if (blocks_over(extent, static_cast<double>(grid.across_) * side) > static_cast<double>(kMostBlocks)) {
    return invalid_argument("of " + number_text(side) + " m cuts the extent into more than " +
                                std::to_string(kMostBlocks) +
                                " blocks of 16 x 16 squares; use larger squares",
                            where + ".per_square_m");
  }
  STREW_ASSIGN(grid.cell_, to_coord(side, where + ".per_square_m"));
  grid.cut(extent);
  return grid;
}

void QuotaGrid::cut(const Rect& extent) {
  const Coord side = cell_ * across_;
  first_x_ = floor_div(extent.x0, side);
  first_y_ = floor_div(extent.y0, side);
  columns_ = floor_div(extent.x1 - 1, side) + 1 - first_x_;
  rows_ = floor_div(extent.y1 - 1, side) + 1 - first_y_;
  blocks_.reserve(static_cast<std::size_t>(columns_ * rows_));
  for (std::int64_t y = 0; y < rows_; ++y) {
    for (std::int64_t x = 0; x < columns_; ++x) {
      blocks_.push_back({x, y, 0});
    }
  }
  const auto code = [](const Block& block) {
    return morton_of(static_cast<std::uint64_t>(block.x), static_cast<std::uint64_t>(block.y));
  };
  std::sort(blocks_.begin(), blocks_.end(),
            [&](const Block& a, const Block& b) { return code(a) < code(b); });
  block_index_.resize(blocks_.size());
  double before = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    block_index_[static_cast<std::size_t>(blocks_[i].y * columns_ + blocks_[i].x)] =
        static_cast<std::uint32_t>(i);
    blocks_[i].area_before = before;
    before += square_metres(intersection(whole(blocks_[i]), extent_));
  }
  area_ = before;  // summed in the same order as area_before, so that the last quota ends at the total
}

Rect QuotaGrid::whole(const Block& block) const noexcept {
  const Coord side = cell_ * across_;
  const Coord x = (first_x_ + block.x) * side;
  const Coord y = (first_y_ + block.y) * side;
  return {x, y, x + side, y + side};
}

std::uint64_t QuotaGrid::quota_of(double area) const noexcept {
  // The slack keeps whole numbers whole where areas are sums with a rounding.
  const double share =
      square_ > 0 ? per_square_ * area / square_ : static_cast<double>(total_) * (area / area_);
  return std::min(total_, static_cast<std::uint64_t>(share + 1e-6));
}

std::uint64_t QuotaGrid::quota_before(std::size_t block) const noexcept {
  return block < blocks_.size() ? quota_of(blocks_[block].area_before) : total_;
}

std::vector<std::uint64_t> QuotaGrid::cell_quotas(std::size_t block) const {
  const Rect outer = whole(blocks_[block]);
  const std::uint64_t end = quota_before(block + 1);
  std::vector<std::uint64_t> quotas(cells_per_block());
  double area = blocks_[block].area_before;
  std::uint64_t given = quota_before(block);
  for (std::size_t cell = 0; cell < quotas.size(); ++cell) {
    const Coord x = outer.x0 + static_cast<Coord>(morton_x(cell)) * cell_;
    const Coord y = outer.y0 + static_cast<Coord>(morton_x(cell >> 1)) * cell_;
    area += square_metres(intersection({x, y, x + cell_, y + cell_}, extent_));
    const std::uint64_t upto = cell + 1 == quotas.size() ? end : std::min(end, quota_of(area));
    quotas[cell] = upto - given;
    given = upto;
  }
  return quotas;
}

Rect QuotaGrid::area(std::size_t block) const noexcept {
  return intersection(whole(blocks_[block]), extent_);
}

std::vector<std::size_t> QuotaGrid::blocks_of(const Rect& rect) const {
  std::vector<std::size_t> found;
  const Rect inside = intersection(rect, extent_);
  if (inside.empty()) {
    return found;
  }
  const Coord side = cell_ * across_;
  for (std::int64_t y = floor_div(inside.y0, side); y <= floor_div(inside.y1 - 1, side); ++y) {
    for (std::int64_t x = floor_div(inside.x0, side); x <= floor_div(inside.x1 - 1, side); ++x) {
      found.push_back(block_index_[static_cast<std::size_t>((y - first_y_) * columns_ + x - first_x_)]);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::size_t QuotaGrid::cell_at(Coord x, Coord y) const noexcept {
  return static_cast<std::size_t>(
      morton_of(static_cast<std::uint64_t>(floor_mod(floor_div(x, cell_), across_)),
                static_cast<std::uint64_t>(floor_mod(floor_div(y, cell_), across_))));
}

std::pair<std::int64_t, std::int64_t> QuotaGrid::cell_place(std::size_t block,
                                                            std::size_t cell) const noexcept {
  return {(first_x_ + blocks_[block].x) * across_ + static_cast<std::int64_t>(morton_x(cell)),
          (first_y_ + blocks_[block].y) * across_ + static_cast<std::int64_t>(morton_x(cell >> 1))};
}

std::vector<std::uint64_t> deal_to_cells(std::uint64_t take, std::span<const std::uint64_t> quotas,
                                         std::span<const std::uint64_t> accepts) {
  std::vector<std::uint64_t> dealt(quotas.size());
  std::uint64_t rest = take;
  for (std::size_t cell = 0; cell < quotas.size(); ++cell) {
    dealt[cell] = std::min(quotas[cell], accepts[cell]);
    rest -= dealt[cell];
  }
  for (std::uint64_t factor = 1; rest > 0; factor *= 2) {
    for (std::size_t cell = 0; cell < quotas.size() && rest > 0; ++cell) {
      const std::uint64_t most = std::max<std::uint64_t>(1, quotas[cell]) * factor;
      const std::uint64_t more = std::min({most, accepts[cell] - dealt[cell], rest});
      dealt[cell] += more;
      rest -= more;
    }
  }
  return dealt;
}

}  // namespace strew::scatter
