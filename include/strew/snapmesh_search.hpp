// Search through seeds for the map that an objective likes best. See docs/snapmesh.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strew/snapmesh.hpp"

namespace strew::snap {

/// Measures of a map that expressions name.
enum class Measure : std::uint8_t {
  kPieces,       ///< pieces: placed, caps included
  kLoops,        ///< loops: joints beyond a tree
  kDeadEnds,     ///< dead_ends: free connectors
  kDiameter,     ///< diameter: largest number of joints between two pieces
  kLongestPath,  ///< longest_path: metres of the longest shortest way, between connectors as the crow flies
  kWidth,        ///< width, depth, height: of the bounds of all boxes, metres
  kDepth,
  kHeight,
  kTentatives,      ///< tentatives
  kLargestShare,    ///< A_r_max
  kConnectedShare,  ///< c_bar
  kArea,            ///< area: walkable, square metres
  kLargestArea,     ///< reachable_area: of the largest region
  kRegions,         ///< regions
  kCover,           ///< cover: walkable area over the area of the bounds seen from above
  kCount
};
inline constexpr std::size_t kMeasures = static_cast<std::size_t>(Measure::kCount);
using Measures = std::array<double, kMeasures>;
[[nodiscard]] std::string_view measure_name(Measure measure) noexcept;
[[nodiscard]] std::string_view measure_meaning(Measure measure) noexcept;

/// What a number is known to be: from `low` to `high`, or NaN where `nan` says so.
struct Bounds {
  double low = 0;
  double high = 0;
  bool nan = false;
};
using MeasureBounds = std::array<Bounds, kMeasures>;

/// An expression over measures: numbers, names, + - * / ( ), comparisons < <= > >= == != (1 or 0), && || !,
/// and min(a, b), max(a, b), abs(a), sqrt(a). Division by zero gives what IEEE gives.
class Expression {
 public:
  /// Refuses unknown names (with the nearest), and says at which column the text fails.
  [[nodiscard]] static Result<Expression> parse(std::string_view text);
  [[nodiscard]] double value(const Measures& measures) const noexcept;
  /// How much is missing for value() to be true: 0 where it is, the difference of the sides of a comparison,
  /// sums for &&, the least for ||, 1 for what knows no nearness, infinity for NaN.
  [[nodiscard]] double shortfall(const Measures& measures) const noexcept;
  /// Bounds of value() for all measures within `measures`: never too narrow, not always as narrow as can be.
  [[nodiscard]] Bounds bounds(const MeasureBounds& measures) const noexcept;
  /// Bit m: measure m is named.
  [[nodiscard]] std::uint32_t uses() const noexcept { return uses_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  friend class ExpressionParser;
  struct Op {
    std::uint8_t code;
    double number;
  };
  std::string text_;
  std::vector<Op> ops_;
  std::uint32_t uses_ = 0;
};

/// Fast score: union-find over the regions of all placed pieces, joined through snapped connectors. Exact for
/// pieces whose walkable floor reaches their connectors and that do not overlap.
class FastScorer {
 public:
  /// One entry per piece of the kit, at_connector as long as its connectors.
  [[nodiscard]] static Result<FastScorer> create(const Kit& kit, std::vector<nav::PieceRegions> regions);
  /// Of the assembler's last map. Reuses its memory: one per worker. Where drops make ways one-way, regions
  /// are strongly connected components and c-bar counts ordered pairs.
  [[nodiscard]] nav::Score score(const Assembler& assembler);
  /// After score(): the region of (placed, its piece's region), numbered by first appearance.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> labels(const Assembler& assembler);

 private:
  void join(const Assembler& assembler);
  std::vector<nav::PieceRegions> regions_;
  std::vector<std::vector<double>> closed_;  ///< areas with nothing joined
  bool drops_ = false;
  nav::UnionFind sets_;
  std::vector<std::uint32_t> first_;
  std::vector<double> areas_;
  std::vector<double> grouped_;
};

/// Fills the measures in `wanted` (bits) of the assembler's last map; the others are left alone. `score` may
/// be null when no measure of navigability is wanted.
void measure(const Kit& kit, const Assembler& assembler, const nav::Score* score, std::uint32_t wanted,
             Measures& out);
/// Bits of the measures that need a score.
[[nodiscard]] std::uint32_t score_measures() noexcept;

struct SearchSpec {
  std::int64_t first_seed = 0;
  std::uint64_t seeds = 0;               ///< at most kMaximumSeeds
  Expression objective;                  ///< larger is better
  std::vector<Expression> requirements;  ///< all must be non-zero; at most 32
  /// Requirements are decided by bounds where these suffice, before dearer measures are made. Off: every
  /// measure that is named is made; the result is the same.
  bool early_exit = true;
  /// The objective of a seed that cannot reach the `top` need not be made: `objective` is NaN and `failed`
  /// kBeyondRanking there, of which seeds depends on the order of work; `best`, `failures`, `qualified` do
  /// not.
  bool ranking_only = false;
};
/// In `failed`: meets all requirements, but comes after the `top` best.
inline constexpr std::uint8_t kBeyondRanking = 255;
inline constexpr std::uint64_t kMaximumSeeds = 100'000'000;
inline constexpr std::uint64_t kChunk = 1024;

/// What is known of a run of seeds. Objectives are NaN where a requirement fails; `failed` tells which first.
struct ChunkResult {
  std::uint64_t chunk = 0;
  std::vector<double> objective;
  /// 0: none; r + 1: requirement r is the first not met; kBeyondRanking
  std::vector<std::uint8_t> failed;
};
/// Receives each chunk when done, one call at a time, in any order: to be kept for resuming.
using ChunkSink = Status (*)(void* self, const ChunkResult& chunk);

struct Ranked {
  std::int64_t seed = 0;
  double objective = 0;
};
struct SearchResult {
  std::vector<double> objective;        ///< per seed, NaN where not qualified
  std::vector<std::uint8_t> failed;     ///< per seed
  std::vector<Ranked> best;             ///< objective descending, then seed ascending; `top` at most
  std::vector<std::uint64_t> failures;  ///< per requirement: seeds it ruled out first
  std::uint64_t qualified = 0;
  /// When none qualified: of the seeds that met most requirements in the order they are looked at, the one
  /// that misses the next by least, the lowest of them. Making the maps of those seeds again finds it.
  std::int64_t closest = 0;
};

/// Evaluates all seeds over the context's workers; `done` are chunks of an earlier, interrupted search, taken
/// as they are. The result is a function of kit, rules, passes and spec alone (but for what ranking_only
/// leaves open). Requirements are looked at from the cheapest measures to the dearest: counts, extents,
/// scores, ways through the map. One that fails ends a seed, and bounds decide before measures are made where
/// they can.
[[nodiscard]] Result<SearchResult> search_seeds(const Kit& kit, const Rules& rules,
                                                const std::vector<Pass>& passes,
                                                const std::vector<nav::PieceRegions>& regions,
                                                const SearchSpec& spec, std::size_t top,
                                                const RunContext& context = {},
                                                std::span<const ChunkResult> done = {},
                                                ChunkSink sink = nullptr, void* sink_self = nullptr);

/// Counts of the qualified objectives in `bins` equal bins from the smallest to the largest finite one.
struct Histogram {
  double low = 0;
  double high = 0;
  std::vector<std::uint64_t> counts;
};
[[nodiscard]] Histogram histogram(std::span<const double> objective, std::size_t bins);

}  // namespace strew::snap
