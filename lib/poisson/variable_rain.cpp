#include "variable_rain.hpp"

#include <algorithm>

#include "cell_lattice.hpp"
#include "rain_blocks.hpp"
#include "strew/exact_math.hpp"

namespace strew::poisson {

VariableRain::VariableRain(const RadiusField& field, RadiusRule rule, double time, Coord pitch,
                           std::uint64_t seed, std::uint64_t stream) noexcept
    : field_(field),
      rule_(rule),
      end_(static_cast<float>(time)),
      low_(field.minimum()),
      high_(field.maximum()),
      pitch_(pitch),
      smallest_(steps_for_distance(field.minimum(), pitch)),
      largest_(steps_for_distance(field.maximum(), pitch)) {
  while (layers_ < kMaxLayers && (smallest_ << layers_) < largest_) {
    ++layers_;
  }
  for (std::size_t layer = 0; layer < layers_; ++layer) {
    // The last layer takes the rest, which is one octave: the range is at most 16.
    top_[layer] = layer + 1 < layers_ ? (smallest_ << (layer + 1)) - 1 : largest_;
    keys_[layer] = stream_key(seed, mix64(stream) + layer);
  }
}

std::int64_t VariableRain::side(std::size_t layer) const noexcept {
  return std::int64_t{kCellSteps} << layer;
}

std::int32_t VariableRain::steps_of(double metres) const noexcept {
  // Negated, so that NaN gives the maximum.
  const double bounded = !(metres < high_) ? high_ : metres > low_ ? metres : low_;
  return static_cast<std::int32_t>(steps_for_distance(bounded, pitch_));
}

bool VariableRain::next(std::size_t layer, std::int64_t cx, std::int64_t cy, RainDart& dart) const noexcept {
  const std::int64_t cell = side(layer);
  const std::int64_t base = smallest_ << layer;
  if (dart.draws == 0) {
    const Coord step = cell * pitch_;
    const RadiusRange range = field_.range({cx * step, cy * step, (cx + 1) * step, (cy + 1) * step});
    if (steps_of(range.high) < base || steps_of(range.low) > top_[layer]) {
      return false;  // none of its darts would be of the layer
    }
  }
  for (;;) {
    const PhiloxCounter random = cell_draw(keys_[layer], cx, cy, dart.draws++);
    dart.time += exact_exponential(random[2]);
    if (dart.time > end_) {
      return false;
    }
    dart.x = static_cast<std::int32_t>(draw_below(random[0], static_cast<std::uint32_t>(cell)));
    dart.y = static_cast<std::int32_t>(draw_below(random[1], static_cast<std::uint32_t>(cell)));
    dart.radius = steps_of(field_.radius((cx * cell + dart.x) * pitch_, (cy * cell + dart.y) * pitch_));
    // 24 bits of the draw: radius^2 < 2^36, so the products stay below 2^61.
    const auto thinning = static_cast<std::int64_t>(random[3] >> 8);
    if (dart.radius >= base && dart.radius <= top_[layer] &&
        thinning * dart.radius * dart.radius < (base * base) << 24) {
      return true;
    }
  }
}

}  // namespace strew::poisson
