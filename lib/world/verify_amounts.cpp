#include "number_text.hpp"
#include "strew/scatter_census.hpp"
#include "verify_block.hpp"

namespace strew {

void count_squares(const VerifyPlan& plan, const VerifyBlock& block, SquareCounts& counts) {
  for (std::size_t rule = 0; rule < plan.amounts.size(); ++rule) {
    const AmountRule& amount = plan.amounts[rule];
    const SlotPoints& points = block.slots[amount.slot];
    for (std::size_t i = 0; amount.square > 0 && i < points.own; ++i) {
      ++counts[{rule, floor_div(points.y[i], amount.square), floor_div(points.x[i], amount.square)}];
    }
  }
}

Status check_amounts(const VerifyPlan& plan, const SquareCounts& counts, const RunContext& context,
                     Tallies& tallies) {
  for (const auto& [square, count] : counts) {
    const AmountRule& rule = plan.amounts[square.rule];
    tallies.examined(Check::kAmounts, 1);
    if (count > static_cast<std::uint64_t>(rule.amount.maximum)) {
      tallies.violation(Check::kAmounts, [&, &at = square, n = count] {
        return "the square of " + plan.manifest.slots[rule.slot].name + " from (" +
               number_text(to_metres(at.column * rule.square)) + ", " +
               number_text(to_metres(at.row * rule.square)) + ") m holds " + std::to_string(n) +
               ", above the amount of " + std::to_string(rule.amount.maximum);
      });
    }
  }
  const bool whole = plan.scatter != nullptr && plan.manifest.region == plan.manifest.extent;
  for (const AmountRule& rule : plan.amounts) {
    const std::optional<std::uint64_t> requested = plan.scatter->requested(rule.layer);
    if (!whole || !requested) {
      continue;
    }
    std::uint64_t placed = 0;
    for (const BakedTile& tile : plan.manifest.tiles) {
      placed += tile.counts[rule.slot];
    }
    std::uint64_t wanted = *requested;
    if (placed < wanted) {
      Census census(*plan.scatter, *plan.terrain);
      STREW_RETURN_IF_ERROR(census.standing(rule.layer, context, wanted));
    }
    tallies.examined(Check::kAmounts, 1);
    if (placed != wanted) {
      tallies.violation(Check::kAmounts, [&] {
        return plan.manifest.slots[rule.slot].name + " stands " + std::to_string(placed) + " times; " +
               std::to_string(*requested) + " are asked for, and the ground holds " +
               (wanted < *requested ? std::to_string(wanted) : "them");
      });
    }
  }
  return {};
}

}  // namespace strew
