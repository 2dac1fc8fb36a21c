// forest: living cells of the plane's automaton as points.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "guard.hpp"
#include "number_text.hpp"
#include "parallel.hpp"
#include "rule_tables.hpp"
#include "strew/automaton.hpp"

namespace strew {
namespace {

constexpr Coord kPitch = Coord{1} << 16;  // 2^-16 m
constexpr double kStepsPerMetre = 65536.0;

constexpr std::array<std::string_view, 10> kRuleNames = {"day-and-night", "life",     "caves", "highlife",
                                                         "anneal",        "diamoeba", "maze",  "seeds",
                                                         "replicator",    "coral"};

constexpr std::array<ParameterInfo, 8> kParameters = {{
    {.name = "cell",
     .kind = ParameterKind::kReal,
     .unit = "m",
     .minimum = 0.01,
     .maximum = 10000,
     .default_value = 2.5,
     .meaning = "side of a cell, rounded to a multiple of 2^-16 m"},
    {.name = "jitter",
     .kind = ParameterKind::kReal,
     .unit = "m",
     .minimum = 0,
     .maximum = 5000,
     .default_value = 1.25,
     .meaning =
         "largest shift of a point from its cell's centre along x and along y, uniform; at most half a cell"},
    {.name = "fill",
     .kind = ParameterKind::kReal,
     .unit = "",
     .minimum = 0,
     .maximum = 1,
     .default_value = 0.7,
     .meaning = "probability that a cell lives in generation 0"},
    {.name = "generations",
     .kind = ParameterKind::kInteger,
     .unit = "",
     .minimum = 0,
     .maximum = 1000,
     .default_value = 10,
     .meaning = "steps of the automaton"},
    {.name = "rule",
     .kind = ParameterKind::kChoice,
     .unit = "",
     .minimum = 0,
     .maximum = kRuleNames.size() - 1,
     .default_value = 0,
     .meaning = "rule by name",
     .choices = kRuleNames},
    {.name = "birth",
     .kind = ParameterKind::kInteger,
     .unit = "",
     .minimum = 0,
     .maximum = 511,
     .default_value = kDayAndNight.birth,
     .meaning =
         "any rule, with survival: the sum of 2^n over the numbers n of living neighbours that give birth"},
    {.name = "survival",
     .kind = ParameterKind::kInteger,
     .unit = "",
     .minimum = 0,
     .maximum = 511,
     .default_value = kDayAndNight.survival,
     .meaning = "the sum of 2^n over the numbers n of living neighbours that let a cell live on"},
    {.name = "invert",
     .kind = ParameterKind::kBool,
     .unit = "",
     .minimum = 0,
     .maximum = 1,
     .default_value = 0,
     .meaning = "points on dead cells instead of living ones"},
}};

constexpr StrategyInfo info_of(std::string_view backend) noexcept {
  return {.id = "forest",
          .backend = backend,
          .description = "Cellular-automaton forests and caves: a point per living cell, jittered",
          .source = "original; rules of Life's family on the Moore neighbourhood",
          .output_version = 1,
          .bit_equal_to_reference = true,
          .promises = kCropEqualsWhole,
          .parameters = kParameters};
}

struct Layout {
  std::int64_t side;    ///< of a cell, in lattice steps
  std::int64_t jitter;  ///< largest shift, in lattice steps

  explicit Layout(const ResolvedParameters& parameters) noexcept
      : side(static_cast<std::int64_t>(parameters.real("cell") * kStepsPerMetre + 0.5)),
        jitter(static_cast<std::int64_t>(parameters.real("jitter") * kStepsPerMetre)) {}
};

AutomatonRule rule_of(const ResolvedParameters& parameters) noexcept {
  AutomatonRule rule = kDayAndNight;
  for (const NamedRule& named : named_rules()) {
    rule = named.name == kRuleNames[parameters.choice("rule")] ? named.rule : rule;
  }
  if (parameters.given("birth") || parameters.given("survival")) {
    rule = {static_cast<std::uint16_t>(parameters.integer("birth")),
            static_cast<std::uint16_t>(parameters.integer("survival"))};
  }
  return rule;
}

/// Where the point of a cell stands.
class Jitter {
 public:
  Jitter(const PointRequest& request, const Layout& layout) noexcept
      : layout_(layout),
        key_(mix64(mix64(request.seed + 0x8CB92BA72F3D8DD7U) ^ (request.stream + 0x2545F4914F6CDD1DU))) {}

  [[nodiscard]] std::uint64_t row_key(std::int64_t y) const noexcept {
    return mix64(key_ + static_cast<std::uint64_t>(y) * 0xD1342543DE82EF95U);
  }
  void place(std::uint64_t row_key, std::int64_t cell_x, std::int64_t cell_y, std::int64_t& x,
             std::int64_t& y) const noexcept {
    const std::uint64_t random = mix64(row_key + static_cast<std::uint64_t>(cell_x) * 0x9E3779B97F4A7C15U);
    const auto span = static_cast<std::uint32_t>(2 * layout_.jitter);
    const std::int64_t corner = layout_.side / 2 - layout_.jitter;
    x = cell_x * layout_.side + corner + draw_below(static_cast<std::uint32_t>(random), span);
    y = cell_y * layout_.side + corner + draw_below(static_cast<std::uint32_t>(random >> 32), span);
  }

 private:
  Layout layout_;
  std::uint64_t key_;
};

/// Takes the cells out of `grid` whose points are outside the region: none but those at its rim can be.
void clear_outside(const Rect& region, const CellRange& cells, const Jitter& jitter, BitGrid& grid) {
  const auto check = [&](std::int64_t cx, std::int64_t cy) {
    std::int64_t x = 0;
    std::int64_t y = 0;
    jitter.place(jitter.row_key(cells.y0 + cy), cells.x0 + cx, cells.y0 + cy, x, y);
    if (!region.contains(x * kPitch, y * kPitch)) {
      grid.set(cx, cy, false);
    }
  };
  for (std::int64_t cx = 0; cx < grid.width(); ++cx) {
    check(cx, 0);
    check(cx, grid.height() - 1);
  }
  for (std::int64_t cy = 0; cy < grid.height(); ++cy) {
    check(0, cy);
    check(grid.width() - 1, cy);
  }
}

void invert(BitGrid& grid) {
  const std::int64_t rest = grid.width() % 64;
  for (std::int64_t y = 0; y < grid.height(); ++y) {
    std::uint64_t* const row = grid.row(y);
    for (std::int64_t i = 0; i < grid.words(); ++i) {
      row[i] = ~row[i];
    }
    if (rest != 0) {
      row[grid.words() - 1] &= (std::uint64_t{1} << rest) - 1;
    }
  }
}

class Forest final : public PointStrategy {
 public:
  Forest(const StrategyInfo& info, AutomatonVariant variant) noexcept : info_(info), variant_(variant) {}

  [[nodiscard]] const StrategyInfo& info() const noexcept override { return info_; }

  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& parameters) const override {
    const Layout layout(parameters);
    if (2 * layout.jitter > layout.side) {
      return invalid_argument("is " + number_text(parameters.real("jitter")) + " m; at most half a cell (" +
                                  number_text(static_cast<double>(layout.side) / 2 / kStepsPerMetre) +
                                  " m), so that a point stays in its cell",
                              "jitter");
    }
    return Lattice{kPitch, layout.side};
  }
  [[nodiscard]] double minimum_distance(const ResolvedParameters& parameters) const override {
    const Layout layout(parameters);
    return static_cast<double>(std::max<std::int64_t>(0, layout.side - 2 * layout.jitter)) / kStepsPerMetre;
  }

  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    const Rect& region = request.region;
    if (region.empty()) {
      return invalid_argument("is empty; give x1 > x0 and y1 > y0", "region");
    }
    if (region.x0 < -kCoordLimit || region.y0 < -kCoordLimit || region.x1 > kCoordLimit ||
        region.y1 > kCoordLimit) {
      return invalid_argument("reaches beyond +-1073741823 m", "region");
    }
    STREW_ASSIGN(out.lattice, lattice(parameters));
    return guarded([&]() -> Status {
      const Layout layout(parameters);
      const std::int64_t side = layout.side * kPitch;
      const CellRange cells{floor_div(region.x0, side), floor_div(region.y0, side), ceil_div(region.x1, side),
                            ceil_div(region.y1, side)};
      const AutomatonPlane plane{rule_of(parameters),
                                 {parameters.real("fill"), request.seed, request.stream},
                                 parameters.integer("generations")};
      AutomatonOptions options;
      options.variant = variant_;
      RunContext quiet = context;
      quiet.progress = nullptr;  // told once, by the points
      auto window = automaton_window(plane, cells, options, quiet);
      if (!window.ok()) {
        Status status = window.status();
        status.where = status.where == "range" ? "region" : status.where;
        return status;
      }
      BitGrid& grid = window.value();
      if (parameters.boolean("invert")) {
        invert(grid);
      }
      const Jitter jitter(request, layout);
      clear_outside(region, cells, jitter, grid);
      return place(grid, cells, jitter, context, out);
    });
  }

 private:
  static Status place(const BitGrid& grid, const CellRange& cells, const Jitter& jitter,
                      const RunContext& context, PointSet& out) {
    constexpr std::int64_t kRows = 64;
    const std::int64_t blocks = ceil_div(grid.height(), kRows);
    std::vector<std::size_t> first(static_cast<std::size_t>(blocks) + 1);
    const auto each_word = [&](std::uint64_t block, const auto& body) {
      const std::int64_t y0 = static_cast<std::int64_t>(block) * kRows;
      for (std::int64_t y = y0; y < std::min(y0 + kRows, grid.height()); ++y) {
        body(y, grid.row(y));
      }
    };
    for (std::size_t block = 0; block < static_cast<std::size_t>(blocks); ++block) {
      std::size_t count = 0;
      each_word(block, [&](std::int64_t /*y*/, const std::uint64_t* row) {
        for (std::int64_t i = 0; i < grid.words(); ++i) {
          count += static_cast<std::size_t>(std::popcount(row[i]));
        }
      });
      first[block + 1] = first[block] + count;
    }
    out.class_of.clear();
    out.x.resize(first.back());
    out.y.resize(first.back());
    return parallel_for(context, static_cast<std::uint64_t>(blocks),
                        [&](std::uint64_t block, std::uint32_t /*worker*/) -> Status {
                          std::size_t at = first[block];
                          each_word(block, [&](std::int64_t y, const std::uint64_t* row) {
                            const std::uint64_t key = jitter.row_key(cells.y0 + y);
                            for (std::int64_t i = 0; i < grid.words(); ++i) {
                              for (std::uint64_t bits = row[i]; bits != 0; bits &= bits - 1) {
                                const std::int64_t cell_x = cells.x0 + 64 * i + std::countr_zero(bits);
                                jitter.place(key, cell_x, cells.y0 + y, out.x[at], out.y[at]);
                                ++at;
                              }
                            }
                          });
                          return {};
                        });
  }

  StrategyInfo info_;
  AutomatonVariant variant_;
};

}  // namespace

const PointStrategy& forest_strategy() noexcept {
#ifdef STREW_SCALAR
  static const Forest kStrategy(info_of("swar"), AutomatonVariant::kSwar);
#else
  static const Forest kStrategy(info_of("hwy"), AutomatonVariant::kHwy);
#endif
  return kStrategy;
}

const PointStrategy& forest_ref() noexcept {
  static const Forest kStrategy(info_of("ref"), AutomatonVariant::kRef);
  return kStrategy;
}

}  // namespace strew
