#include "fate_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "common.hpp"

namespace strew_tool {
namespace {

constexpr std::int32_t kLegendWidth = 260;
constexpr std::int32_t kLine = 22;
constexpr Colour kInk = {30, 30, 30};

}  // namespace

Colour fate_colour(strew::Rejection reason) {
  switch (reason) {
    case strew::Rejection::kOutside:
      return {60, 60, 60};
    case strew::Rejection::kNodata:
      return {120, 120, 120};
    case strew::Rejection::kBiome:
      return {120, 80, 30};
    case strew::Rejection::kAltitude:
      return {40, 90, 200};
    case strew::Rejection::kSlope:
      return {220, 50, 40};
    case strew::Rejection::kMap:
      return {230, 150, 20};
    case strew::Rejection::kNoise:
      return {150, 60, 180};
    case strew::Rejection::kShape:
      return {20, 170, 180};
    case strew::Rejection::kSpacing:
      return {240, 220, 40};
    case strew::Rejection::kSpecies:
      return {235, 110, 170};
    case strew::Rejection::kAmount:
      return {110, 200, 70};
    case strew::Rejection::kCount:
      break;
  }
  return {255, 255, 255};
}

std::int32_t fate_legend_width() {
  return kLegendWidth;
}

void draw_fates(std::span<const strew::CandidateFate> fates, const View& view, Canvas& canvas) {
  const auto stands = [](const strew::CandidateFate& fate) {
    return fate.reason == strew::Rejection::kCount;
  };
  const auto radius_of = [&](std::size_t count, double most) {
    const double each =
        static_cast<double>(view.width) * view.height / std::max(1.0, static_cast<double>(count));
    return std::clamp(0.4 * std::sqrt(each), 0.7, most);
  };
  // The few that stand among many are drawn as large as their own number lets them, or nobody finds them.
  const double radius = radius_of(fates.size(), 6.0);
  const auto standing = static_cast<std::size_t>(std::count_if(fates.begin(), fates.end(), stands));
  const double standing_radius = std::max(radius, radius_of(16 * standing, 6.0));
  for (const bool now : {false, true}) {
    for (const strew::CandidateFate& fate : fates) {
      if (stands(fate) == now) {
        canvas.disc(view.pixel_x(fate.x), view.pixel_y(fate.y), now ? standing_radius : radius,
                    fate_colour(fate.reason));
      }
    }
  }
}

void draw_fate_legend(std::string_view name, std::span<const strew::CandidateFate> fates, std::int32_t column,
                      Canvas& canvas) {
  std::array<std::uint64_t, strew::kRejectionKinds + 1> counts{};
  for (const strew::CandidateFate& fate : fates) {
    ++counts[static_cast<std::size_t>(fate.reason)];
  }
  canvas.fill(column, 0, kLegendWidth, canvas.height(), {245, 244, 240});
  std::int32_t row = 12;
  canvas.text(column + 12, row, name, kInk, 2);
  row += kLine + 8;
  for (std::size_t kind = counts.size(); kind-- > 0;) {
    if (counts[kind] == 0) {
      continue;
    }
    const auto reason = static_cast<strew::Rejection>(kind);
    canvas.fill(column + 12, row, 14, 14, kInk);
    canvas.fill(column + 13, row + 1, 12, 12, fate_colour(reason));
    const std::string word =
        reason == strew::Rejection::kCount ? "placed" : std::string(strew::to_string(reason));
    canvas.text(column + 34, row, word + " " + grouped(counts[kind]), kInk, 2);
    row += kLine;
  }
}

}  // namespace strew_tool
