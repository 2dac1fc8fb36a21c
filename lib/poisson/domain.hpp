// The domain of strategies that depend on the rectangle they are given: bounded by it, or closed to a torus.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "number_text.hpp"
#include "strew/strategy.hpp"
#include "wide.hpp"

namespace strew::poisson {

inline constexpr std::array<std::string_view, 2> kDomains = {"rectangle", "torus"};
inline constexpr ParameterInfo kDomainParameter{
    .name = "domain",
    .kind = ParameterKind::kChoice,
    .unit = "",
    .minimum = 0,
    .maximum = 1,
    .default_value = 0,
    .required = false,
    .meaning =
        "the region as it is, or closed to a torus so that copies of it side by side keep the distance",
    .choices = kDomains};

struct Domain {
  Rect region;
  bool torus = false;

  [[nodiscard]] Coord width() const noexcept { return region.x1 - region.x0; }
  [[nodiscard]] Coord height() const noexcept { return region.y1 - region.y0; }
  /// Distance on one axis of length `period`; on a torus the shorter way round.
  [[nodiscard]] std::uint64_t apart(Coord a, Coord b, Coord period) const noexcept {
    const std::uint64_t direct = absolute_difference(a, b);
    return torus ? std::min(direct, static_cast<std::uint64_t>(period) - direct) : direct;
  }
};

/// Refuses a torus narrower than four times `radius`, on which a point would meet its own copies.
[[nodiscard]] inline Status check_domain(const Domain& domain, double radius) {
  const double narrow = to_metres(std::min(domain.width(), domain.height()));
  if (domain.torus && narrow < 4 * radius) {
    return invalid_argument("is 'torus' over a region " + number_text(narrow) +
                                " m wide; expected at least four times the radius, " +
                                number_text(4 * radius) + " m",
                            "domain");
  }
  return {};
}

/// Integer in [0, bound) from 64 random bits (the high half of the product).
[[nodiscard]] constexpr std::uint64_t draw_below_wide(std::uint32_t high, std::uint32_t low,
                                                      std::uint64_t bound) noexcept {
  const std::uint64_t bound_low = bound & 0xFFFFFFFFU;
  const std::uint64_t bound_high = bound >> 32;
  const std::uint64_t carry =
      ((low * bound_low) >> 32) + ((high * bound_low) & 0xFFFFFFFFU) + ((low * bound_high) & 0xFFFFFFFFU);
  return high * bound_high + ((high * bound_low) >> 32) + ((low * bound_high) >> 32) + (carry >> 32);
}

}  // namespace strew::poisson
