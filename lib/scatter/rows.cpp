#include <algorithm>
#include <array>
#include <cmath>

#include "guard.hpp"
#include "number_text.hpp"
#include "point_order.hpp"
#include "strew/exact_math.hpp"
#include "strew/scatter_strategies.hpp"

namespace strew {
namespace {

constexpr Coord kPitch = Coord{1} << 16;  // 2^-16 m
constexpr double kStepsPerMetre = 65536.0;

constexpr ParameterInfo real(std::string_view name, std::string_view unit, double minimum, double maximum,
                             double default_value, std::string_view meaning) {
  return {.name = name,
          .kind = ParameterKind::kReal,
          .unit = unit,
          .minimum = minimum,
          .maximum = maximum,
          .default_value = default_value,
          .required = false,
          .meaning = meaning};
}

constexpr std::array<ParameterInfo, 5> kParameters = {
    real("spacing_along", "m", 0.01, 100000, 5, "distance between neighbours in a row"),
    real("spacing_across", "m", 0.01, 100000, 5, "distance between rows"),
    real("rotation", "degrees", -360, 360, 0, "direction of the rows, counter-clockwise from east"),
    real("row_offset", "", 0, 1, 0,
         "share of spacing_along by which each row is shifted against the one before"),
    real("jitter", "m", 0, 50000, 0, "largest shift of a point along and across, uniform"),
};

constexpr StrategyInfo kInfo{
    .id = "rows",
    .backend = "ref",
    .description = "Aligned rows with spacing, rotation, offset per row and jitter",
    .source = "original",
    .output_version = 1,
    .bit_equal_to_reference = true,
    .promises = kCropEqualsWhole,
    .parameters = kParameters,
};

constexpr std::array<std::string_view, 2> kLattices = {"square", "hexagonal"};
constexpr std::array<ParameterInfo, 4> kGridParameters = {{
    real("spacing", "m", 0.01, 100000, 5, "distance between neighbours in the lattice"),
    {.name = "lattice",
     .kind = ParameterKind::kChoice,
     .unit = "",
     .minimum = 0,
     .maximum = 1,
     .default_value = 0,
     .required = false,
     .meaning = "square, or hexagonal: every second row shifted by half a spacing, 0.866 of it apart",
     .choices = kLattices},
    real("jitter", "", 0, 0.49, 0.25, "largest shift of a point along each axis, as a share of spacing"),
    real("rotation", "degrees", -360, 360, 0, "of the lattice, counter-clockwise"),
}};

constexpr StrategyInfo kGridInfo{
    .id = "grid-jitter",
    .backend = "ref",
    .description = "Jittered square or hexagonal lattice: what most engines ship, the baseline to beat",
    .source = "Cook, Stochastic sampling in computer graphics, 1986",
    .output_version = 1,
    .bit_equal_to_reference = true,
    .promises = kCropEqualsWhole,
    .parameters = kGridParameters,
};

struct Layout {
  double along;
  double across;
  double offset;
  double jitter;
  double sine = 0;
  double cosine = 1;

  Layout(double along_m, double across_m, double row_offset, double jitter_m,
         double rotation_degrees) noexcept
      : along(along_m), across(across_m), offset(row_offset), jitter(jitter_m) {
    exact_sincos_turns(rotation_degrees / 360.0, sine, cosine);
  }
  static Layout of_rows(const ResolvedParameters& parameters) noexcept {
    return {parameters.real("spacing_along"), parameters.real("spacing_across"),
            parameters.real("row_offset"), parameters.real("jitter"), parameters.real("rotation")};
  }
  static Layout of_grid(const ResolvedParameters& parameters) noexcept {
    const bool hexagonal = parameters.choice("lattice") == 1;
    const double spacing = parameters.real("spacing");
    return {spacing, hexagonal ? spacing * 0.8660254037844386 : spacing, hexagonal ? 0.5 : 0.0,
            parameters.real("jitter") * spacing, parameters.real("rotation")};
  }
  /// In one row points keep along - 2 jitter, in different rows across - 2 jitter; two lattice steps for
  /// rounding.
  [[nodiscard]] double minimum_distance() const noexcept {
    return std::min(along, across) - 2 * jitter - 2 / kStepsPerMetre;
  }
};

struct Span {
  std::int64_t first;
  std::int64_t last;
};

/// Indices whose multiples of `spacing`, shifted by `shift`, can come within `reach` of [low, high].
Span indices(double low, double high, double spacing, double shift, double reach) noexcept {
  return {static_cast<std::int64_t>(std::floor((low - shift - reach) / spacing)) - 1,
          static_cast<std::int64_t>(std::ceil((high - shift + reach) / spacing)) + 1};
}

class Rows final : public PointStrategy {
 public:
  using MakeLayout = Layout (*)(const ResolvedParameters&) noexcept;
  Rows(const StrategyInfo& info, MakeLayout layout) : info_(info), layout_(layout) {}
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return info_; }

  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& parameters) const override {
    const Layout layout = layout_(parameters);
    const double most = 0.499 * std::min(layout.along, layout.across);
    if (layout.jitter > most) {
      return invalid_argument("is " + number_text(layout.jitter) +
                                  " m; at most 0.499 of the smaller spacing (" + number_text(most) +
                                  " m), so that no two points meet",
                              "jitter");
    }
    if (layout.minimum_distance() <= 0) {
      return invalid_argument(
          "leaves less than two lattice steps (2^-15 m) between points; use less, or wider rows", "jitter");
    }
    const double side = layout.minimum_distance() / 1.5 * kStepsPerMetre;  // diagonal below the distance
    return Lattice{kPitch, std::max<std::int64_t>(1, static_cast<std::int64_t>(side))};
  }
  [[nodiscard]] double minimum_distance(const ResolvedParameters& parameters) const override {
    return std::max(0.0, layout_(parameters).minimum_distance());
  }
  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    STREW_RETURN_IF_ERROR(scatter::check_region(request.region));
    STREW_ASSIGN(out.lattice, lattice(parameters));
    return guarded([&]() -> Status {
      std::vector<std::int64_t> xs;
      std::vector<std::int64_t> ys;
      STREW_RETURN_IF_ERROR(collect(request, layout_(parameters), context, xs, ys));
      scatter::sort_into(xs, ys, out);
      return {};
    });
  }

 private:
  static Status collect(const PointRequest& request, const Layout& layout, const RunContext& context,
                        std::vector<std::int64_t>& xs, std::vector<std::int64_t>& ys) {
    const PhiloxKey key = stream_key(request.seed, request.stream);
    // The region in the frame of the rows: u along, v across.
    const std::array<double, 2> region_x = {to_metres(request.region.x0), to_metres(request.region.x1)};
    const std::array<double, 2> region_y = {to_metres(request.region.y0), to_metres(request.region.y1)};
    double u0 = INFINITY;
    double u1 = -INFINITY;
    double v0 = INFINITY;
    double v1 = -INFINITY;
    for (const double x : region_x) {
      for (const double y : region_y) {
        u0 = std::min(u0, x * layout.cosine + y * layout.sine);
        u1 = std::max(u1, x * layout.cosine + y * layout.sine);
        v0 = std::min(v0, y * layout.cosine - x * layout.sine);
        v1 = std::max(v1, y * layout.cosine - x * layout.sine);
      }
    }
    const Span rows = indices(v0, v1, layout.across, 0, layout.jitter);
    for (std::int64_t row = rows.first; row <= rows.last; ++row) {
      if (context.cancelled()) {
        return make_error(StatusCode::kCancelled, "cancelled by the caller");
      }
      const double turns = layout.offset * static_cast<double>(row);
      const double shift = (turns - std::floor(turns)) * layout.along;
      const Span columns = indices(u0, u1, layout.along, shift, layout.jitter);
      for (std::int64_t column = columns.first; column <= columns.last; ++column) {
        const PhiloxCounter random = cell_draw(key, column, row, 0);
        const double u = static_cast<double>(column) * layout.along + shift +
                         layout.jitter * (2 * draw_unit(random[0]) - 1);
        const double v =
            static_cast<double>(row) * layout.across + layout.jitter * (2 * draw_unit(random[1]) - 1);
        const auto x = static_cast<std::int64_t>(
            std::floor((u * layout.cosine - v * layout.sine) * kStepsPerMetre + 0.5));
        const auto y = static_cast<std::int64_t>(
            std::floor((u * layout.sine + v * layout.cosine) * kStepsPerMetre + 0.5));
        if (request.region.contains(x * kPitch, y * kPitch)) {
          xs.push_back(x);
          ys.push_back(y);
        }
      }
    }
    return {};
  }

  const StrategyInfo& info_;
  MakeLayout layout_;
};

}  // namespace

const PointStrategy& rows_strategy() noexcept {
  static const Rows kStrategy(kInfo, Layout::of_rows);
  return kStrategy;
}
const PointStrategy& grid_jitter_strategy() noexcept {
  static const Rows kStrategy(kGridInfo, Layout::of_grid);
  return kStrategy;
}

}  // namespace strew
