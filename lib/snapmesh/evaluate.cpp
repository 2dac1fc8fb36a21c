#include "evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vec.hpp"

namespace strew::snap {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

constexpr std::uint32_t bit(Measure m) noexcept {
  return 1U << static_cast<unsigned>(m);
}

/// Regions are for passes that connect; growth does not read them.
std::span<const nav::PieceRegions> with_regions(const std::vector<Pass>& passes,
                                                const std::vector<nav::PieceRegions>& regions) {
  const bool connects = std::any_of(passes.begin(), passes.end(), [](const Pass& pass) {
    return pass.method != nullptr && pass.method->connects();
  });
  return connects ? std::span(regions) : std::span<const nav::PieceRegions>();
}

/// What is known of every map. Shares may leave [0, 1] by a rounding.
constexpr MeasureBounds known_beforehand() noexcept {
  MeasureBounds out{};
  for (Bounds& b : out) {
    b = {0, kFar, false};
  }
  out[static_cast<std::size_t>(Measure::kPieces)].low = 1;
  for (const Measure m : {Measure::kLargestShare, Measure::kConnectedShare}) {
    out[static_cast<std::size_t>(m)] = {-1e-9, 1 + 1e-9, false};
  }
  return out;
}

}  // namespace

std::uint32_t measures_of_stage(std::size_t stage) noexcept {
  using enum Measure;
  switch (stage) {
    case 0:
      return bit(kPieces) | bit(kLoops) | bit(kDeadEnds) | bit(kTentatives);
    case 1:
      return bit(kWidth) | bit(kDepth) | bit(kHeight);
    case 2:
      return score_measures();
    default:
      return bit(kDiameter) | bit(kLongestPath);
  }
}

std::size_t stage_of(const Expression& expression) noexcept {
  std::size_t stage = 0;
  for (std::size_t s = 0; s < kStages; ++s) {
    stage = (expression.uses() & measures_of_stage(s)) != 0 ? s : stage;
  }
  return stage;
}

std::vector<std::size_t> requirement_order(const SearchSpec& spec) {
  std::vector<std::size_t> order;
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    for (std::size_t r = 0; r < spec.requirements.size(); ++r) {
      if (stage_of(spec.requirements[r]) == stage) {
        order.push_back(r);
      }
    }
  }
  return order;
}

Evaluator::Evaluator(const Kit& kit, const SearchSpec& spec, Assembler assembler)
    : kit_(&kit), spec_(&spec), assembler_(std::move(assembler)) {}

Result<Evaluator> Evaluator::create(const Kit& kit, const Rules& rules, const std::vector<Pass>& passes,
                                    const std::vector<nav::PieceRegions>& regions, const SearchSpec& spec,
                                    Isa isa) {
  STREW_ASSIGN(Assembler assembler,
               Assembler::create(kit, rules, passes, isa, with_regions(passes, regions)));
  Evaluator out(kit, spec, std::move(assembler));
  out.uses_ = spec.objective.uses();
  for (const Expression& requirement : spec.requirements) {
    out.uses_ |= requirement.uses();
  }
  if ((out.uses_ & score_measures()) != 0) {
    STREW_ASSIGN(FastScorer scorer, FastScorer::create(kit, regions));
    out.scorer_.push_back(std::move(scorer));
    for (const nav::PieceRegions& r : regions) {
      double area = 0;
      for (const double a : r.areas) {
        area += a;
      }
      out.most_area_.push_back(area);
      out.most_regions_.push_back(static_cast<std::uint32_t>(r.areas.size()));
    }
  }
  for (const Piece& piece : kit.pieces) {
    for (const Connector& c : piece.connectors) {
      out.longest_joint_ = std::max(out.longest_joint_, length(c.position));
    }
  }
  out.longest_joint_ = 2 * (out.longest_joint_ + rules.piece_distance);
  out.order_ = requirement_order(spec);
  return out;
}

void Evaluator::begin() {
  static constexpr MeasureBounds kBeforehand = known_beforehand();
  bounds_ = kBeforehand;
  made_ = 0;
  scored_ = false;
}

void Evaluator::provide(std::size_t stage, std::uint32_t uses) {
  const std::uint32_t missing = uses & measures_of_stage(stage) & ~made_;
  if (missing == 0) {
    return;
  }
  if ((missing & score_measures()) != 0 && !scored_) {
    score_ = scorer_.front().score(assembler_);
    scored_ = true;
  }
  measure(*kit_, assembler_, scored_ ? &score_ : nullptr, missing, measures_);
  made_ |= missing;
  for (std::size_t m = 0; m < kMeasures; ++m) {
    if ((missing >> m & 1U) != 0) {
      bounds_[m] = {measures_[m], measures_[m], std::isnan(measures_[m])};
    }
  }
}

void Evaluator::provide_all(std::uint32_t uses) {
  for (std::size_t stage = 0; stage < kStages && (uses & ~made_) != 0; ++stage) {
    provide(stage, uses);
  }
}

/// What the pieces placed say of measures that are not made yet. 1e-9 covers the rounding of sums.
void Evaluator::bound_what_follows() {
  const auto most = [&](Measure m, double value) {
    if ((uses_ & ~made_ & bit(m)) != 0) {
      bounds_[static_cast<std::size_t>(m)].high = value * (1 + 1e-9);
    }
  };
  const auto pieces = static_cast<double>(assembler_.pieces());
  most(Measure::kDiameter, pieces - 1);
  most(Measure::kLongestPath, (pieces - 1) * longest_joint_);
  if (!scorer_.empty()) {
    double area = 0;
    double regions = 0;
    for (std::size_t i = 0; i < assembler_.pieces(); ++i) {
      area += most_area_[assembler_.piece_of(i)];
      regions += most_regions_[assembler_.piece_of(i)];
    }
    most(Measure::kArea, area);
    most(Measure::kLargestArea, area);
    most(Measure::kRegions, regions);
  }
}

Status Evaluator::evaluate(std::int64_t seed, double worst_kept, double& objective, std::uint8_t& failed) {
  STREW_RETURN_IF_ERROR(assembler_.run(seed));
  begin();
  objective = std::numeric_limits<double>::quiet_NaN();
  if (spec_->early_exit || spec_->ranking_only) {
    bound_what_follows();
  } else {
    provide_all(uses_);
  }
  for (const std::size_t r : order_) {
    const Expression& requirement = spec_->requirements[r];
    std::size_t stage = 0;
    bool met = false;
    bool decided = false;
    while (!decided) {
      if ((requirement.uses() & ~made_) == 0) {
        const double value = requirement.value(measures_);
        met = value != 0 && !std::isnan(value);
        break;
      }
      if (spec_->early_exit) {
        const Bounds b = requirement.bounds(bounds_);
        met = !b.nan && (b.low > 0 || b.high < 0);
        decided = met || (b.low == 0 && b.high == 0);
      }
      if (!decided) {
        provide(stage++, requirement.uses());
      }
    }
    if (!met) {
      failed = static_cast<std::uint8_t>(r + 1);
      return {};
    }
  }
  const std::uint32_t uses = spec_->objective.uses();
  for (std::size_t stage = 0; spec_->ranking_only && (uses & ~made_) != 0; ++stage) {
    // A tie may still be ranked, by its seed. NaN is never ranked.
    if (spec_->objective.bounds(bounds_).high < worst_kept) {
      failed = kBeyondRanking;
      return {};
    }
    provide(stage, uses);
  }
  provide_all(uses);
  failed = 0;
  objective = spec_->objective.value(measures_);
  return {};
}

Result<double> Evaluator::shortfall(std::int64_t seed, std::size_t requirement) {
  STREW_RETURN_IF_ERROR(assembler_.run(seed));
  begin();
  provide_all(spec_->requirements[requirement].uses());
  return spec_->requirements[requirement].shortfall(measures_);
}

}  // namespace strew::snap
