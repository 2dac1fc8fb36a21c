// random: candidates of a Poisson process taken one by one in a fixed random order; each that stands deletes
// the later ones in conflict with it. Evaluated in windows: a candidate near the rim whose fate depends on
// what lies outside is unknown, unknowns spread to those that depend on them, and the window grows until
// none is left in its core. So chains of dependency are followed to their end, never cut.
#include <algorithm>
#include <array>

#include "guard.hpp"
#include "number_text.hpp"
#include "parallel.hpp"
#include "point_order.hpp"
#include "random_candidates.hpp"
#include "strew/scatter_strategies.hpp"

namespace strew {
namespace {

using scatter::Candidate;
using scatter::CandidateCells;
using scatter::kRandomPitch;
using scatter::kRandomStepsPerMetre;
using scatter::Overlap;

constexpr std::array<std::string_view, 2> kOverlaps = {"disc", "rect"};
constexpr std::array<ParameterInfo, 5> kParameters = {{
    {.name = "density",
     .kind = ParameterKind::kReal,
     .unit = "1/m2",
     .minimum = 1e-8,
     .maximum = 1e4,
     .default_value = 0,
     .required = true,
     .meaning = "expected number of candidates per square metre, before any is deleted"},
    {.name = "overlap",
     .kind = ParameterKind::kChoice,
     .unit = "",
     .minimum = 0,
     .maximum = 1,
     .default_value = 0,
     .required = false,
     .meaning = "footprints that may not overlap: discs, or axis-aligned rectangles",
     .choices = kOverlaps},
    {.name = "radius",
     .kind = ParameterKind::kReal,
     .unit = "m",
     .minimum = 0,
     .maximum = 1000,
     .default_value = 1,
     .required = false,
     .meaning = "disc: smallest distance between two points"},
    {.name = "width",
     .kind = ParameterKind::kReal,
     .unit = "m",
     .minimum = 0,
     .maximum = 1000,
     .default_value = 1,
     .required = false,
     .meaning = "rect: size of a footprint from west to east"},
    {.name = "height",
     .kind = ParameterKind::kReal,
     .unit = "m",
     .minimum = 0,
     .maximum = 1000,
     .default_value = 1,
     .required = false,
     .meaning = "rect: size of a footprint from south to north"},
}};

constexpr StrategyInfo kInfo{
    .id = "random",
    .backend = "ref",
    .description = "Random points of a given density, thinned one by one to keep discs or rectangles apart",
    .source = "original: the third process of Matern (1960) on keyed cells",
    .output_version = 1,
    .bit_equal_to_reference = true,
    .promises = kCropEqualsWhole | kMinimumDistance,
    .parameters = kParameters,
};

struct Layout {
  double density;
  Overlap overlap;
  double promise = 0;  ///< m

  explicit Layout(const ResolvedParameters& parameters) : density(parameters.real("density")) {
    // No two points at one place: that would be two instances with one identity.
    static constexpr std::int64_t kLeast = 2;
    const auto steps = [](double metres) {
      const double exact = metres * kRandomStepsPerMetre;
      const auto whole = static_cast<std::int64_t>(exact);
      return std::max(kLeast, whole + (static_cast<double>(whole) < exact ? 1 : 0));
    };
    overlap.disc = parameters.choice("overlap") == 0;
    overlap.width = steps(parameters.real(overlap.disc ? "radius" : "width"));
    overlap.height = overlap.disc ? overlap.width : steps(parameters.real("height"));
    promise = std::min(parameters.real(overlap.disc ? "radius" : "width"),
                       parameters.real(overlap.disc ? "radius" : "height"));
  }
};

/// Half-open rectangle in lattice steps.
struct StepRect {
  std::int64_t x0;
  std::int64_t y0;
  std::int64_t x1;
  std::int64_t y1;
  [[nodiscard]] bool contains(std::int64_t x, std::int64_t y) const noexcept {
    return x >= x0 && x < x1 && y >= y0 && y < y1;
  }
  [[nodiscard]] StepRect grown(std::int64_t by) const noexcept {
    return {x0 - by, y0 - by, x1 + by, y1 + by};
  }
};

class Window {
 public:
  Window(const CandidateCells& cells, const Overlap& overlap, const StepRect& rect)
      : overlap_(overlap), rect_(rect) {
    for (std::int64_t y = floor_div(rect.y0, cells.side()); y * cells.side() < rect.y1; ++y) {
      for (std::int64_t x = floor_div(rect.x0, cells.side()); x * cells.side() < rect.x1; ++x) {
        cells.append(x, y, candidates_);
      }
    }
    std::erase_if(candidates_, [&](const Candidate& c) { return !rect_.contains(c.x, c.y); });
    std::sort(candidates_.begin(), candidates_.end(),
              [](const Candidate& a, const Candidate& b) { return a.order() < b.order(); });
    make_bins();
  }

  /// Takes the candidates in order. False when the fate of one in `core` is unknown.
  bool run(const StepRect& core, std::vector<std::int64_t>& xs, std::vector<std::int64_t>& ys) {
    const StepRect sure = rect_.grown(-overlap_.reach());
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Candidate& candidate = candidates_[i];
      const Neighbours near = neighbours(candidate);
      if (near == Neighbours::kStanding) {
        continue;
      }
      const bool known = near == Neighbours::kNone && sure.contains(candidate.x, candidate.y);
      if (core.contains(candidate.x, candidate.y)) {
        if (!known) {
          return false;
        }
        xs.push_back(candidate.x);
        ys.push_back(candidate.y);
      }
      keep(i, known);
    }
    return true;
  }

 private:
  enum class Neighbours : std::uint8_t { kNone, kUnknown, kStanding };
  static constexpr std::uint32_t kEnd = ~std::uint32_t{0};

  void make_bins() {
    const double area = static_cast<double>(rect_.x1 - rect_.x0) * static_cast<double>(rect_.y1 - rect_.y0);
    const double wanted = exact_sqrt(area / static_cast<double>(candidates_.size() + 1));
    side_ = std::max(overlap_.reach(), static_cast<std::int64_t>(wanted) + 1);
    columns_ = (rect_.x1 - rect_.x0) / side_ + 1;
    rows_ = (rect_.y1 - rect_.y0) / side_ + 1;
    head_.assign(static_cast<std::size_t>(columns_ * rows_), kEnd);
    next_.resize(candidates_.size());
    known_.resize(candidates_.size());
  }
  [[nodiscard]] Neighbours neighbours(const Candidate& candidate) const {
    Neighbours found = Neighbours::kNone;
    const std::int64_t column = (candidate.x - rect_.x0) / side_;
    const std::int64_t row = (candidate.y - rect_.y0) / side_;
    for (std::int64_t r = std::max<std::int64_t>(row - 1, 0); r <= std::min(row + 1, rows_ - 1); ++r) {
      for (std::int64_t c = std::max<std::int64_t>(column - 1, 0); c <= std::min(column + 1, columns_ - 1);
           ++c) {
        for (std::uint32_t i = head_[static_cast<std::size_t>(r * columns_ + c)]; i != kEnd; i = next_[i]) {
          if (overlap_.conflict(candidate, candidates_[i])) {
            if (known_[i] != 0) {
              return Neighbours::kStanding;
            }
            found = Neighbours::kUnknown;
          }
        }
      }
    }
    return found;
  }
  void keep(std::size_t i, bool known) {
    const Candidate& candidate = candidates_[i];
    std::uint32_t& head = head_[static_cast<std::size_t>((candidate.y - rect_.y0) / side_ * columns_ +
                                                         (candidate.x - rect_.x0) / side_)];
    next_[i] = head;
    known_[i] = known ? 1 : 0;
    head = static_cast<std::uint32_t>(i);
  }

  const Overlap& overlap_;
  StepRect rect_;
  std::vector<Candidate> candidates_;
  std::int64_t side_ = 1;
  std::int64_t columns_ = 1;
  std::int64_t rows_ = 1;
  std::vector<std::uint32_t> head_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint8_t> known_;
};

class Random final : public PointStrategy {
 public:
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& parameters) const override {
    const Layout layout(parameters);
    const double most = 64;
    const double footprint = static_cast<double>(layout.overlap.width) / kRandomStepsPerMetre *
                             static_cast<double>(layout.overlap.height) / kRandomStepsPerMetre;
    if (layout.density * footprint > most) {
      return invalid_argument(
          "is " + number_text(layout.density) + " per m2, " + number_text(layout.density * footprint) +
              " candidates for each place that one of them takes; at most 64: to fill the "
              "ground use poisson/tiled",
          "density");
    }
    const std::int64_t least = std::min(layout.overlap.width, layout.overlap.height);
    // Of a disc the diagonal of the square must stay below the distance.
    const std::int64_t side =
        layout.overlap.disc ? static_cast<std::int64_t>(static_cast<double>(least) / 1.5) : least;
    return Lattice{kRandomPitch, std::max<std::int64_t>(1, side)};
  }
  [[nodiscard]] double minimum_distance(const ResolvedParameters& parameters) const override {
    return Layout(parameters).promise;
  }
  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    STREW_RETURN_IF_ERROR(scatter::check_region(request.region));
    STREW_ASSIGN(out.lattice, lattice(parameters));
    return guarded([&]() -> Status {
      const Layout layout(parameters);
      const CandidateCells cells(stream_key(request.seed, request.stream), layout.density);
      const StepRect all = {
          ceil_div(request.region.x0, kRandomPitch), ceil_div(request.region.y0, kRandomPitch),
          ceil_div(request.region.x1, kRandomPitch), ceil_div(request.region.y1, kRandomPitch)};
      const std::int64_t side = std::max(128 * cells.side(), 16 * layout.overlap.reach());
      const std::int64_t columns = ceil_div(all.x1 - all.x0, side);
      const std::int64_t rows = ceil_div(all.y1 - all.y0, side);
      if (columns <= 0 || rows <= 0) {
        scatter::sort_into({}, {}, out);
        return {};
      }
      struct Block {
        std::vector<std::int64_t> xs;
        std::vector<std::int64_t> ys;
      };
      std::vector<Block> blocks(static_cast<std::size_t>(columns * rows));
      STREW_RETURN_IF_ERROR(
          parallel_for(context, blocks.size(), [&](std::uint64_t index, std::uint32_t /*worker*/) -> Status {
            const std::int64_t x = all.x0 + static_cast<std::int64_t>(index) % columns * side;
            const std::int64_t y = all.y0 + static_cast<std::int64_t>(index) / columns * side;
            const StepRect core = {x, y, std::min(x + side, all.x1), std::min(y + side, all.y1)};
            return fill(cells, layout.overlap, core, blocks[index].xs, blocks[index].ys);
          }));
      std::vector<std::int64_t> xs;
      std::vector<std::int64_t> ys;
      for (const Block& block : blocks) {
        xs.insert(xs.end(), block.xs.begin(), block.xs.end());
        ys.insert(ys.end(), block.ys.begin(), block.ys.end());
      }
      scatter::sort_into(xs, ys, out);
      return {};
    });
  }

 private:
  static Status fill(const CandidateCells& cells, const Overlap& overlap, const StepRect& core,
                     std::vector<std::int64_t>& xs, std::vector<std::int64_t>& ys) {
    for (std::int64_t radii = 4; radii <= 1024; radii *= 2) {
      xs.clear();
      ys.clear();
      if (Window(cells, overlap, core.grown(radii * overlap.reach())).run(core, xs, ys)) {
        return {};
      }
    }
    return make_error(StatusCode::kInternal,
                      "a chain of dependent points is longer than 1024 distances; use a lower density",
                      "density");
  }
};

}  // namespace

const PointStrategy& random_strategy() noexcept {
  static const Random kStrategy;
  return kStrategy;
}

}  // namespace strew
