#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "guard.hpp"
#include "number_text.hpp"
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

struct Layout {
  double along;
  double across;
  double offset;
  double jitter;
  double sine = 0;
  double cosine = 1;

  explicit Layout(const ResolvedParameters& parameters) noexcept
      : along(parameters.real("spacing_along")),
        across(parameters.real("spacing_across")),
        offset(parameters.real("row_offset")),
        jitter(parameters.real("jitter")) {
    exact_sincos_turns(parameters.real("rotation") / 360.0, sine, cosine);
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
  [[nodiscard]] const StrategyInfo& info() const noexcept override { return kInfo; }

  [[nodiscard]] Result<Lattice> lattice(const ResolvedParameters& parameters) const override {
    const Layout layout(parameters);
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
    return std::max(0.0, Layout(parameters).minimum_distance());
  }
  [[nodiscard]] Status generate(const PointRequest& request, const ResolvedParameters& parameters,
                                const RunContext& context, PointSet& out) const override {
    if (request.region.empty()) {
      return invalid_argument("is empty; give x1 > x0 and y1 > y0", "region");
    }
    const Rect& region = request.region;
    if (region.x0 < -kCoordLimit || region.y0 < -kCoordLimit || region.x1 > kCoordLimit ||
        region.y1 > kCoordLimit) {
      return invalid_argument("reaches beyond +-1073741823 m", "region");
    }
    STREW_ASSIGN(out.lattice, lattice(parameters));
    return guarded([&]() -> Status {
      std::vector<std::int64_t> xs;
      std::vector<std::int64_t> ys;
      STREW_RETURN_IF_ERROR(collect(request, Layout(parameters), context, xs, ys));
      sort_into(xs, ys, out);
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

  static void sort_into(const std::vector<std::int64_t>& xs, const std::vector<std::int64_t>& ys,
                        PointSet& out) {
    std::vector<std::size_t> order(xs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::int64_t step = out.lattice.identity_step;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const std::array<std::int64_t, 4> key_a = {floor_div(ys[a], step), floor_div(xs[a], step), ys[a],
                                                 xs[a]};
      const std::array<std::int64_t, 4> key_b = {floor_div(ys[b], step), floor_div(xs[b], step), ys[b],
                                                 xs[b]};
      return key_a < key_b;
    });
    out.x.clear();
    out.y.clear();
    out.class_of.clear();
    for (const std::size_t i : order) {
      out.x.push_back(xs[i]);
      out.y.push_back(ys[i]);
    }
  }
};

}  // namespace

const PointStrategy& rows_strategy() noexcept {
  static const Rows kStrategy;
  return kStrategy;
}

}  // namespace strew
