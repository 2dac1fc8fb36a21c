// One seed of a search: its map, and as many measures as its requirements and objective need.
#pragma once

#include <atomic>
#include <vector>

#include "strew/snapmesh_search.hpp"

namespace strew::snap {

/// Measures by what they cost, cheapest first: counts, extents, scores, ways through the map.
inline constexpr std::size_t kStages = 4;
[[nodiscard]] std::uint32_t measures_of_stage(std::size_t stage) noexcept;
/// Stage of the dearest measure of an expression.
[[nodiscard]] std::size_t stage_of(const Expression& expression) noexcept;
/// Requirements in the order they are looked at: by stage, otherwise as given.
[[nodiscard]] std::vector<std::size_t> requirement_order(const SearchSpec& spec);

/// One per worker.
class Evaluator {
 public:
  [[nodiscard]] static Result<Evaluator> create(const Kit& kit, const Rules& rules,
                                                const std::vector<Pass>& passes,
                                                const std::vector<nav::PieceRegions>& regions,
                                                const SearchSpec& spec, Isa isa);
  /// `worst_kept`: what an objective must reach to be ranked (spec.ranking_only), or -infinity.
  [[nodiscard]] Status evaluate(std::int64_t seed, double worst_kept, double& objective,
                                std::uint8_t& failed);

  /// How much `seed` misses a requirement by.
  [[nodiscard]] Result<double> shortfall(std::int64_t seed, std::size_t requirement);

 private:
  Evaluator(const Kit& kit, const SearchSpec& spec, Assembler assembler);
  void begin();
  /// Makes the measures of one stage that are still missing among `uses`.
  void provide(std::size_t stage, std::uint32_t uses);
  /// Makes all that `uses` names.
  void provide_all(std::uint32_t uses);
  void bound_what_follows();

  const Kit* kit_;
  const SearchSpec* spec_;
  Assembler assembler_;
  std::vector<FastScorer> scorer_;  ///< none or one
  std::vector<std::size_t> order_;
  std::uint32_t uses_ = 0;         ///< of all requirements and the objective
  std::vector<double> most_area_;  ///< per piece of the kit
  std::vector<std::uint32_t> most_regions_;
  double longest_joint_ = 0;  ///< metres that a joint adds to a way at most

  // Of the seed at hand.
  Measures measures_{};
  MeasureBounds bounds_{};
  std::uint32_t made_ = 0;
  nav::Score score_;
  bool scored_ = false;
};

}  // namespace strew::snap
