#include "instance_picture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace strew_tool {
namespace {

/// From this radius in pixels on a disc is drawn as one; below it, its area is added to its pixel.
constexpr double kDiscFrom = 0.75;
constexpr double kCoverUnits = 1024;
/// Part of the minimum distance that a disc's radius takes.
constexpr double kDiscPart = 0.42;
constexpr double kDiscWithoutDistance = 0.45;  // metres

}  // namespace

SlotStyle make_style(std::string name, double minimum_distance_m, std::span<const strew::SpeciesSpec> species,
                     std::size_t index) {
  // Colours of plants and earth; no blues, which read as water.
  constexpr double kHues[] = {128, 32, 300, 78, 8, 52, 335, 158};
  SlotStyle style;
  style.name = std::move(name);
  style.disc_m = minimum_distance_m > 0 ? kDiscPart * minimum_distance_m : kDiscWithoutDistance;
  style.species.assign(species.begin(), species.end());
  // Later rounds lie between the hues of the first and are lighter: no two slots look alike before 24.
  const auto round = static_cast<double>(index / std::size(kHues) % 3);
  const double hue = kHues[index % std::size(kHues)] + 12 * round;
  const bool mineral =
      style.name.find("rock") != std::string::npos || style.name.find("stone") != std::string::npos;
  for (std::size_t i = 0; i < species.size(); ++i) {
    const double place =
        species.size() > 1 ? static_cast<double>(i) / static_cast<double>(species.size() - 1) : 0.5;
    style.colours.push_back(
        from_hsl(hue - 22 + 44 * place, mineral ? 0.06 : 0.62, 0.24 + 0.24 * place + 0.16 * round));
  }
  return style;
}

InstancePicture::InstancePicture(const View& view, std::vector<SlotStyle> styles)
    : view_(view),
      styles_(std::move(styles)),
      counts_(styles_.size(), 0),
      blended_(styles_.size(), false),
      cover_(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height)) {}

void InstancePicture::add(std::span<const strew::InstanceTable> tables) {
  const std::lock_guard lock(mutex_);
  for (std::size_t slot = 0; slot < tables.size() && slot < styles_.size(); ++slot) {
    add_table(slot, tables[slot]);
  }
}

void InstancePicture::add_table(std::size_t slot, const strew::InstanceTable& table) {
  const SlotStyle& style = styles_[slot];
  for (std::size_t i = 0; i < table.size(); ++i) {
    const strew::Coord x = table.x[i] * table.lattice.pitch;
    const strew::Coord y = table.y[i] * table.lattice.pitch;
    const strew::SpeciesSpec& species = style.species[table.species[i]];
    const double radius = style.disc_m * table.scale_factor(i, species.scale) / view_.metres_per_pixel;
    const double column = view_.pixel_x(x);
    const double row = view_.pixel_y(y);
    const bool inside = view_.region.contains(x, y);
    counts_[slot] += inside ? 1U : 0U;
    if (radius >= kDiscFrom) {
      discs_.push_back({static_cast<float>(column), static_cast<float>(row), static_cast<float>(radius),
                        static_cast<std::uint16_t>(slot), table.species[i]});
    } else if (inside) {
      const auto c = std::clamp(static_cast<std::int32_t>(column), 0, view_.width - 1);
      const auto r = std::clamp(static_cast<std::int32_t>(row), 0, view_.height - 1);
      Cover& cover = cover_[static_cast<std::size_t>(r) * static_cast<std::size_t>(view_.width) +
                            static_cast<std::size_t>(c)];
      const auto weight =
          static_cast<std::uint64_t>(std::max(1.0, kCoverUnits * 3.14159265 * radius * radius));
      const Colour colour = style.colours[table.species[i]];
      blended_[slot] = true;
      cover.weight += weight;
      cover.r += weight * colour.r;
      cover.g += weight * colour.g;
      cover.b += weight * colour.b;
    }
  }
}

void InstancePicture::draw(Canvas& canvas) const {
  const auto slots = static_cast<double>(std::count(blended_.begin(), blended_.end(), true));
  for (std::int32_t row = 0; row < view_.height; ++row) {
    for (std::int32_t column = 0; column < view_.width; ++column) {
      const Cover& cover = cover_[static_cast<std::size_t>(row) * static_cast<std::size_t>(view_.width) +
                                  static_cast<std::size_t>(column)];
      if (cover.weight != 0) {
        const Colour colour = {static_cast<std::uint8_t>(cover.r / cover.weight),
                               static_cast<std::uint8_t>(cover.g / cover.weight),
                               static_cast<std::uint8_t>(cover.b / cover.weight)};
        // Discs of one slot do not overlap, so their areas add; discs of different slots fall on each other
        // at random.
        const double each = static_cast<double>(cover.weight) / kCoverUnits / slots;
        canvas.blend(column, row, colour, 1 - std::pow(1 - std::min(1.0, each), slots));
      }
    }
  }
  // Large ones below, so that what stands under a canopy can be seen.
  std::vector<Disc> ordered = discs_;
  std::sort(ordered.begin(), ordered.end(), [&](const Disc& a, const Disc& b) {
    const double size_a = styles_[a.slot].disc_m;
    const double size_b = styles_[b.slot].disc_m;
    return std::tie(size_b, a.slot, a.y, a.x) < std::tie(size_a, b.slot, b.y, b.x);
  });
  for (const Disc& disc : ordered) {
    canvas.disc(disc.x, disc.y, disc.radius, styles_[disc.slot].colours[disc.species]);
  }
}

std::uint64_t InstancePicture::count() const noexcept {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

}  // namespace strew_tool
