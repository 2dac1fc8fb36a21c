// Which points of layers with an amount stand: bounds of hashes by square, cell or world, remembered.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "quota.hpp"
#include "scatter_impl.hpp"
#include "strew/scatter_census.hpp"

namespace strew {
namespace scatter {

/// Order of points in a layer with an amount: by hash; the identity decides between equal ones.
struct PointHash {
  std::uint64_t hash = 0;
  std::uint64_t id = 0;
  friend bool operator<(const PointHash& a, const PointHash& b) noexcept {
    return a.hash != b.hash ? a.hash < b.hash : a.id < b.id;
  }
  friend bool operator==(const PointHash& a, const PointHash& b) noexcept = default;
};
inline constexpr PointHash kAllStand{~std::uint64_t{0}, ~std::uint64_t{0}};

/// Of a primary at lattice position (x, y) of its layer.
[[nodiscard]] PointHash point_hash(const Scatter::Impl& world, std::size_t layer, std::int64_t x,
                                   std::int64_t y) noexcept;

/// Bounds of the squares of a rectangle: points below their square's bound stand.
struct HashBounds {
  Coord side = 0;  ///< of a square, anchored at world 0; 0: one bound for all
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int64_t columns = 1;
  std::vector<PointHash> bounds;
  [[nodiscard]] bool admits(Coord x, Coord y, const PointHash& hash) const noexcept {
    const std::int64_t at = side == 0 ? 0 : (floor_div(y, side) - y0) * columns + floor_div(x, side) - x0;
    return hash < bounds[static_cast<std::size_t>(at)];
  }
};

/// The smallest hashes of a square, at most `limit` + 1 of them, and how many there are.
struct SquareCount {
  std::uint64_t count = 0;
  std::vector<PointHash> smallest;  ///< sorted once finished
};

}  // namespace scatter

struct Census::Impl {
  using Square = std::pair<std::int64_t, std::int64_t>;  ///< row, column
  using SharedBounds = std::shared_ptr<const std::vector<scatter::PointHash>>;
  struct CellBound {
    std::uint32_t cell = 0;
    scatter::PointHash bound;
  };
  /// What is known of a layer.
  struct LayerState {
    std::optional<scatter::PointHash> world;
    std::uint64_t world_count = 0;          ///< accepted of the whole world, with `world`
    std::map<Square, SharedBounds> groups;  ///< of squares, row by row
    std::deque<Square> group_order;         ///< in which the groups were found
    std::vector<std::uint64_t> accepted;    ///< by block; kUnknown
    std::vector<std::uint64_t> carry;       ///< into each block; kUnknown
    std::vector<std::uint64_t> remainder;   ///< of the last block, come round to each; kUnknown
    std::map<std::size_t, std::vector<CellBound>> cell_bounds;  ///< by block; cells without one hold nothing
  };
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

  const Scatter::Impl& world;
  const TerrainSource& terrain;
  std::mutex mutex;  ///< guards the states; nothing is computed under it
  std::vector<LayerState> states;

  Impl(const Scatter::Impl& world_in, const TerrainSource& terrain_in);

  /// Bounds of a layer with an amount for every place of `rect`.
  [[nodiscard]] Status bounds(std::size_t layer, const Rect& rect, const RunContext& context,
                              scatter::HashBounds& out);
  /// Finds what bounds() will need, in parallel.
  [[nodiscard]] Status prepare(std::size_t layer, std::span<const Rect> rects, const RunContext& context);

  // Reserved points (reserved.cpp).
  [[nodiscard]] Status reserved_bounds(std::size_t layer, const Rect& rect, const RunContext& context,
                                       scatter::HashBounds& out);
  [[nodiscard]] Status prepare_blocks(std::size_t layer, const std::vector<std::size_t>& blocks,
                                      const RunContext& context);
  [[nodiscard]] Status accepted_of(std::size_t layer, std::size_t block, const RunContext& context,
                                   std::uint64_t& out);
  [[nodiscard]] Status carry_into(std::size_t layer, std::size_t block, const RunContext& context,
                                  std::uint64_t& out);
  [[nodiscard]] Status taken_of(std::size_t layer, std::size_t block, const RunContext& context,
                                std::uint64_t& accepted, std::uint64_t& taken);
  [[nodiscard]] Status remainder_into(std::size_t layer, std::size_t block, const RunContext& context,
                                      std::uint64_t& out);
  [[nodiscard]] Status share_of(std::size_t layer, std::size_t block, const RunContext& context,
                                std::uint64_t& out);
  [[nodiscard]] Status finish_block(std::size_t layer, std::size_t block,
                                    std::vector<scatter::SquareCount> cells, std::uint64_t limit,
                                    const RunContext& context);
  [[nodiscard]] Status count_block(std::size_t layer, std::size_t block, std::uint64_t limit,
                                   const RunContext& context, std::vector<scatter::SquareCount>& cells);

  // Smallest hashes of the world (census.cpp).
  [[nodiscard]] Status world_bound(std::size_t layer, const RunContext& context, scatter::PointHash& out);

  // Smallest hashes of squares (amount_squares.cpp).
  [[nodiscard]] Status group_bounds(std::size_t layer, const Square& group, const RunContext& context,
                                    SharedBounds& out);
  [[nodiscard]] Status square_bounds(std::size_t layer, const Rect& rect, const RunContext& context,
                                     scatter::HashBounds& out);
  [[nodiscard]] Status prepare_squares(std::size_t layer, std::span<const Rect> rects,
                                       const RunContext& context);

  /// Calls visit(x, y, hash) for the points of `layer` in `rect` that would stand without its amount.
  template <class Visit>
  [[nodiscard]] Status visit_accepted(std::size_t layer, const Rect& rect, const RunContext& context,
                                      const Visit& visit);
  /// One piece of it, small enough for memory.
  [[nodiscard]] Status accepted_in(std::size_t layer, const Rect& piece, const RunContext& context,
                                   std::vector<Coord>& x, std::vector<Coord>& y,
                                   std::vector<scatter::PointHash>& hashes);
};

namespace scatter {
/// Pieces of the world that are generated at a time when points are counted.
inline constexpr Coord kPieceSide = 256 * kUnitsPerMetre;

/// Draws from the range of an amount.
[[nodiscard]] std::uint64_t draw_amount(const AmountSpec& amount, const PhiloxCounter& draw) noexcept;
/// Keeps the smallest limit + 1 hashes that are added to it.
void add_to(SquareCount& square, const PointHash& hash, std::uint64_t limit);
/// Sorts; the bound below which `kept` of the square's points stand. Precondition: kept <= limit or
/// kept == count.
void finish(SquareCount& square);
[[nodiscard]] PointHash bound_of(const SquareCount& square, std::uint64_t kept);
}  // namespace scatter

template <class Visit>
Status Census::Impl::visit_accepted(std::size_t layer, const Rect& rect, const RunContext& context,
                                    const Visit& visit) {
  std::vector<Coord> x;
  std::vector<Coord> y;
  std::vector<scatter::PointHash> hashes;
  for (Coord top = rect.y0; top < rect.y1; top += scatter::kPieceSide) {
    for (Coord left = rect.x0; left < rect.x1; left += scatter::kPieceSide) {
      const Rect piece = {left, top, std::min(rect.x1, left + scatter::kPieceSide),
                          std::min(rect.y1, top + scatter::kPieceSide)};
      if (context.cancelled()) {
        return make_error(StatusCode::kCancelled, "cancelled by the caller");
      }
      STREW_RETURN_IF_ERROR(accepted_in(layer, piece, context, x, y, hashes));
      for (std::size_t i = 0; i < x.size(); ++i) {
        visit(x[i], y[i], hashes[i]);
      }
    }
  }
  return {};
}

}  // namespace strew
