// Cellular automata on bit grids: outer-totalistic rules on the Moore neighbourhood, one bit per cell.
//
// The state of a cell is a pure function of (seed, stream, rule, fill, generation, cell) on the infinite
// plane; of those, the border and the grid's size in a world with borders. Variants, instruction sets,
// threads, blocking depth and the rectangle asked for never change a bit. A halo of `generations` cells makes
// any rectangle computable alone.
//
// Cells are addressed by integers, y north as everywhere: row 0 is y = 0, the southernmost. All functions are
// thread-safe on distinct grids; errors are Status, nothing is printed. Cost: O(cells * generations) with
// about ten vector operations per 512 cells and generation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strew/context.hpp"
#include "strew/strategy.hpp"

namespace strew {

/// A dead cell with n living neighbours of 8 is born when bit n of `birth` is set; a living one survives when
/// bit n of `survival` is. Bits 9 and above are zero.
struct AutomatonRule {
  std::uint16_t birth = 0;
  std::uint16_t survival = 0;
  friend constexpr bool operator==(const AutomatonRule&, const AutomatonRule&) = default;
};
/// Day & Night, B3678/S34678: the rule of the forests.
inline constexpr AutomatonRule kDayAndNight{0b111001000, 0b111011000};

struct ParsedRule {
  AutomatonRule rule;
  std::string note;  ///< what was assumed, such as the order of "23/3"; empty when nothing was
};
/// A name of named_rules() or a B/S string: "B3678/S34678", lower case, digits in any order, either part
/// first; "23/3" without letters is taken as S/B, with a note. "B9", repeated or missing parts and anything
/// else are refused with the position of the fault.
[[nodiscard]] Result<ParsedRule> parse_rule(std::string_view text);
/// Canonical form, "B3678/S34678".
[[nodiscard]] std::string to_string(const AutomatonRule& rule);

struct NamedRule {
  std::string_view name;  ///< such as "day-and-night"
  AutomatonRule rule;
  std::string_view meaning;
};
[[nodiscard]] std::span<const NamedRule> named_rules() noexcept;

/// What lies beyond the sides of a grid.
enum class Border : std::uint8_t { kDead, kAlive, kPeriodic };
/// "dead", "alive", "periodic".
[[nodiscard]] std::string_view to_string(Border border) noexcept;
[[nodiscard]] Result<Border> parse_border(std::string_view name);

/// Longest side of a grid, in cells.
inline constexpr std::int64_t kMaxGridSide = std::int64_t{1} << 31;

/// Row-major bits in 64-bit words, bit 0 of word 0 of a row being x = 0. Rows are `stride()` words apart,
/// aligned to 64 bytes and padded; bits beyond the width are zero. Move-only: grids are large.
class BitGrid {
 public:
  BitGrid() noexcept = default;
  /// All cells dead. Refuses sides below 1 or above kMaxGridSide. The memory comes from `allocator` (null:
  /// the global one), which must outlive the grid.
  [[nodiscard]] static Result<BitGrid> create(std::int64_t width, std::int64_t height,
                                              const Allocator* allocator = nullptr);
  BitGrid(BitGrid&& other) noexcept;
  BitGrid& operator=(BitGrid&& other) noexcept;
  BitGrid(const BitGrid&) = delete;
  BitGrid& operator=(const BitGrid&) = delete;
  ~BitGrid();

  [[nodiscard]] std::int64_t width() const noexcept { return width_; }
  [[nodiscard]] std::int64_t height() const noexcept { return height_; }
  [[nodiscard]] std::int64_t stride() const noexcept { return stride_; }
  /// Words that hold cells of a row: ceil(width / 64).
  [[nodiscard]] std::int64_t words() const noexcept { return (width_ + 63) / 64; }
  /// Precondition for the rest: the cell lies in the grid.
  [[nodiscard]] std::uint64_t* row(std::int64_t y) noexcept { return data_ + y * stride_; }
  [[nodiscard]] const std::uint64_t* row(std::int64_t y) const noexcept { return data_ + y * stride_; }
  [[nodiscard]] bool get(std::int64_t x, std::int64_t y) const noexcept {
    return ((row(y)[x / 64] >> (x % 64)) & 1U) != 0;
  }
  void set(std::int64_t x, std::int64_t y, bool alive) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (x % 64);
    std::uint64_t& word = row(y)[x / 64];
    word = alive ? word | bit : word & ~bit;
  }
  friend bool operator==(const BitGrid& a, const BitGrid& b) noexcept;

 private:
  std::uint64_t* data_ = nullptr;
  std::int64_t width_ = 0;
  std::int64_t height_ = 0;
  std::int64_t stride_ = 0;
  const Allocator* allocator_ = nullptr;
};

/// Living cells.
[[nodiscard]] std::uint64_t population(const BitGrid& grid) noexcept;
/// Order-independent hash of a grid whose corner is cell (x0, y0): hashes of parts whose x0 is a multiple of
/// 64 add up to that of the whole. The same for all variants and strides.
[[nodiscard]] SetHash hash_cells(const BitGrid& grid, std::int64_t x0 = 0, std::int64_t y0 = 0) noexcept;

struct GridStatistics {
  std::uint64_t population = 0;
  SetHash hash;  ///< as hash_cells
};
/// population() and hash_cells() in one pass over the grid, in parallel.
[[nodiscard]] Result<GridStatistics> grid_statistics(const BitGrid& grid, std::int64_t x0 = 0,
                                                     std::int64_t y0 = 0, const RunContext& context = {});

/// Which implementation steps and fills. All give the same bits.
enum class AutomatonVariant : std::uint8_t {
  kBest,   ///< the fastest of this build
  kRef,    ///< a byte per cell
  kSwar,   ///< 64-bit words
  kHwy,    ///< Highway, instruction set chosen at run time (not in a scalar build)
  kXsimd,  ///< xsimd, one unit per instruction set (where it was found at build time)
};
/// "best", "ref", "swar", "hwy", "xsimd".
[[nodiscard]] std::string_view to_string(AutomatonVariant variant) noexcept;
[[nodiscard]] Result<AutomatonVariant> parse_variant(std::string_view name);
/// Variants that this build has, kBest not among them.
[[nodiscard]] std::span<const AutomatonVariant> automaton_variants() noexcept;
/// The instruction set that a variant runs on under `context`; kUnsupported when it cannot.
[[nodiscard]] Result<Isa> automaton_isa(AutomatonVariant variant, const RunContext& context);

/// How to compute; never what.
struct AutomatonOptions {
  AutomatonVariant variant = AutomatonVariant::kBest;
  std::int32_t depth = 0;      ///< generations per pass over memory, 1 to 64; 0: chosen (up to 16)
  std::int64_t band_rows = 0;  ///< rows of a work item; 0: chosen
};

/// Cells of generation 0: each alive by itself with a probability.
struct AutomatonFill {
  double probability = 0.7;  ///< [0, 1]
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  ///< independent fills of one seed
};
/// The probability in force: the nearest multiple of 2^-20 (so within 4.8e-7; 0, 1/2 and 1 exact).
/// Precondition: in [0, 1].
[[nodiscard]] double effective_probability(double probability) noexcept;

/// Rectangle of cells [x0, x1) x [y0, y1).
struct CellRange {
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int64_t x1 = 0;
  std::int64_t y1 = 0;
};
/// Cells of the plane are addressed within +-2^62 / 64; the library refuses ranges beyond +-kMaxCell.
inline constexpr std::int64_t kMaxCell = std::int64_t{1} << 55;

/// Generation 0 of the plane's cells from (x0, y0) on, into `grid`.
[[nodiscard]] Status fill_grid(const AutomatonFill& fill, std::int64_t x0, std::int64_t y0, BitGrid& grid,
                               const AutomatonOptions& options = {}, const RunContext& context = {});

/// Replaces `grid` by its state `generations` >= 0 later. Needs memory for one more grid: `spare`, which is
/// made when it has not the grid's size, may be kept between calls, and is unspecified after them. On error
/// both grids are unspecified.
[[nodiscard]] Status advance(const AutomatonRule& rule, Border border, std::int64_t generations,
                             BitGrid& grid, BitGrid& spare, const AutomatonOptions& options = {},
                             const RunContext& context = {});
/// The same with a spare grid of its own.
[[nodiscard]] Status advance(const AutomatonRule& rule, Border border, std::int64_t generations,
                             BitGrid& grid, const AutomatonOptions& options = {},
                             const RunContext& context = {});

/// The automaton on the infinite plane.
struct AutomatonPlane {
  AutomatonRule rule = kDayAndNight;
  AutomatonFill fill;
  std::int64_t generations = 10;  ///< [0, 4096]
};
inline constexpr std::int64_t kMaxPlaneGenerations = 4096;

/// State of the cells in `range`, as a grid whose corner is (range.x0, range.y0). Fill and generations in one
/// pass. kLimit when the range with its halo would not fit one grid.
[[nodiscard]] Result<BitGrid> automaton_window(const AutomatonPlane& plane, const CellRange& range,
                                               const AutomatonOptions& options = {},
                                               const RunContext& context = {});
/// The same for the cells from (x0, y0) on that `grid` has room for, into it.
[[nodiscard]] Status automaton_window(const AutomatonPlane& plane, std::int64_t x0, std::int64_t y0,
                                      BitGrid& grid, const AutomatonOptions& options = {},
                                      const RunContext& context = {});

/// A filled grid of any size with a border, cells [0, width) x [0, height), never in memory as a whole.
struct AutomatonWorld {
  AutomatonPlane plane;
  Border border = Border::kDead;
  std::int64_t width = 0;
  std::int64_t height = 0;
};
/// Receives the rows [y0, y0 + band.height()) of the range asked for; column 0 of `band` is range.x0. Bands
/// arrive in order of y, one at a time, on the calling thread.
using BandFn = Status (*)(void* user, const BitGrid& band, std::int64_t y0);
/// Calls `band_fn` for every band of `range` (inside the world). Memory: about 2 bands of
/// band_rows + 2 * generations rows (band_rows 0: sized for 32 MiB).
[[nodiscard]] Status automaton_stream(const AutomatonWorld& world, const CellRange& range, BandFn band_fn,
                                      void* user, const AutomatonOptions& options = {},
                                      const RunContext& context = {});

/// Connected regions of cells of one state.
struct RegionStatistics {
  std::uint64_t cells = 0;    ///< cells of that state
  std::uint64_t regions = 0;  ///< components: 8-connected living cells, 4-connected dead ones
  std::uint64_t largest = 0;  ///< cells of the largest
};
/// Of the living (alive = true, 8-connected) or the dead cells (4-connected, so that the two never cross):
/// the open floor of a cave. O(runs); memory 12 bytes per run of equal cells in a row.
[[nodiscard]] Result<RegionStatistics> region_statistics(const BitGrid& grid, bool alive);

/// forest: living cells of the plane's automaton as points, one per cell, at the cell's centre moved by a
/// uniform jitter on each axis; ids stable, crop equals whole, usable as a layer. Cell (i, j) is the square
/// [i cell, (i + 1) cell) x [j cell, (j + 1) cell) and a point never leaves its own. Parameters: cell, jitter
/// (m, at most half a cell), fill, generations, rule (by name) or birth and survival (bit sums), invert.
/// O(cells * generations + points); 2^-16 m lattice. forest/hwy (forest/swar in a scalar build) and
/// forest/ref.
[[nodiscard]] const PointStrategy& forest_strategy() noexcept;
[[nodiscard]] const PointStrategy& forest_ref() noexcept;

}  // namespace strew
