// Cells and blocks of a layer's reserved points, and their quotas: a pure function of amount and extent.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "strew/scatter.hpp"

namespace strew::scatter {

inline constexpr std::int64_t kMostCounted = std::int64_t{1} << 22;
inline constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 20;

/// Interleaves the low 32 bits of x and y, x first.
[[nodiscard]] std::uint64_t morton_of(std::uint64_t x, std::uint64_t y) noexcept;
/// The x of a code that morton_of made; of code >> 1 the y.
[[nodiscard]] std::uint64_t morton_x(std::uint64_t code) noexcept;

class QuotaGrid {
 public:
  /// `where` names the amount in errors: too many points or blocks.
  [[nodiscard]] static Result<QuotaGrid> make(const AmountSpec& amount, const Rect& extent,
                                              const std::string& where);

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] Coord cell_side() const noexcept { return cell_; }
  [[nodiscard]] std::size_t cells_per_block() const noexcept {
    return static_cast<std::size_t>(across_ * across_);
  }
  [[nodiscard]] std::size_t blocks() const noexcept { return blocks_.size(); }
  /// Quotas of all blocks before `block` (<= blocks()).
  [[nodiscard]] std::uint64_t quota_before(std::size_t block) const noexcept;
  [[nodiscard]] std::uint64_t quota(std::size_t block) const noexcept {
    return quota_before(block + 1) - quota_before(block);
  }
  /// Quotas of a block's cells, in Morton order; they add up to quota(block).
  [[nodiscard]] std::vector<std::uint64_t> cell_quotas(std::size_t block) const;
  /// The block's part of the extent.
  [[nodiscard]] Rect area(std::size_t block) const noexcept;
  /// Blocks that meet a part of the extent, ascending.
  [[nodiscard]] std::vector<std::size_t> blocks_of(const Rect& rect) const;
  /// Number of a place's cell in its block.
  [[nodiscard]] std::size_t cell_at(Coord x, Coord y) const noexcept;
  /// Column and row of a block's cell, in cells from world 0.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> cell_place(std::size_t block,
                                                                 std::size_t cell) const noexcept;

 private:
  struct Block {
    std::int64_t x = 0;  ///< from the first column
    std::int64_t y = 0;
    double area_before = 0;  ///< m2 of the extent in the blocks before
  };
  void cut(const Rect& extent);
  /// Quotas of the first `area` square metres.
  [[nodiscard]] std::uint64_t quota_of(double area) const noexcept;
  [[nodiscard]] Rect whole(const Block& block) const noexcept;

  Rect extent_;
  Coord cell_ = 0;
  std::int64_t across_ = 16;  ///< cells on a side of a block; a power of two
  std::int64_t first_x_ = 0;  ///< in blocks from world 0
  std::int64_t first_y_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t rows_ = 0;
  std::vector<Block> blocks_;               ///< in Morton order
  std::vector<std::uint32_t> block_index_;  ///< by row, then column
  double area_ = 0;                         ///< m2
  double square_ = 0;                       ///< m2; 0: the amount is the world's
  double per_square_ = 0;
  std::uint64_t total_ = 0;
};

/// Deals `take` points to cells of which cell c has quotas[c] and accepts[c] >= what it gets: each its quota,
/// then in rounds of Morton order at most its quota again (at least 1), doubled from round to round.
/// Precondition: sum of min(quota, accepts) <= take <= sum of accepts.
[[nodiscard]] std::vector<std::uint64_t> deal_to_cells(std::uint64_t take,
                                                       std::span<const std::uint64_t> quotas,
                                                       std::span<const std::uint64_t> accepts);

}  // namespace strew::scatter
