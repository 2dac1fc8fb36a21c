#include "legend.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "common.hpp"
#include "fmt/format.h"
#include "font.hpp"

namespace strew_tool {
namespace {

constexpr Colour kPaper = {250, 249, 246};
constexpr Colour kInk = {40, 40, 40};
constexpr std::int32_t kMargin = 8;
constexpr std::int32_t kSwatch = 9;
constexpr std::int32_t kScaleBarRoom = 28;

struct Line {
  std::string words;
  std::optional<Colour> swatch;
};

std::vector<Line> lines_of(const InstancePicture& picture) {
  std::vector<Line> lines;
  for (std::size_t slot = 0; slot < picture.styles().size(); ++slot) {
    const SlotStyle& style = picture.styles()[slot];
    lines.push_back({fmt::format("{} {}", style.name, grouped(picture.counts()[slot])), std::nullopt});
    for (std::size_t i = 0; i < style.species.size(); ++i) {
      lines.push_back({style.species[i].name, style.colours[i]});
    }
  }
  return lines;
}

std::int32_t text_width(const std::string& words) {
  return static_cast<std::int32_t>(words.size()) * (kGlyphWidth + 1);
}

/// The largest of 1, 2, 5 times a power of ten metres that is at most `metres`.
double round_length(double metres) {
  const double power = std::pow(10.0, std::floor(std::log10(metres)));
  const double digit = metres / power;
  return power * (digit >= 5 ? 5 : (digit >= 2 ? 2 : 1));
}

}  // namespace

std::int32_t legend_width(const InstancePicture& picture) {
  std::int32_t width = 120;
  for (const Line& line : lines_of(picture)) {
    width = std::max(width, text_width(line.words) + kSwatch + 3 * kMargin);
  }
  return width;
}

void draw_legend(const InstancePicture& picture, const View& view, std::int32_t column, Canvas& canvas) {
  canvas.fill(column, 0, canvas.width() - column, canvas.height(), kPaper);
  const std::vector<Line> lines = lines_of(picture);
  const std::int32_t room = canvas.height() - 2 * kMargin - kScaleBarRoom;
  const std::int32_t step = std::clamp(room / std::max(1, static_cast<std::int32_t>(lines.size())),
                                       kGlyphHeight + 1, kGlyphHeight + 7);
  std::int32_t row = kMargin;
  for (const Line& line : lines) {
    if (row + kGlyphHeight > canvas.height() - kScaleBarRoom) {
      break;
    }
    if (line.swatch.has_value()) {
      canvas.fill(column + kMargin, row - 1, kSwatch, kGlyphHeight + 1, *line.swatch);
    }
    const std::int32_t indent = line.swatch.has_value() ? kSwatch + kMargin : 0;
    canvas.text(column + kMargin + indent, row, line.words, kInk, 1);
    row += step;
  }
  const double room_m = (canvas.width() - column - 2 * kMargin) * view.metres_per_pixel;
  const double length_m = round_length(room_m);
  const auto length = static_cast<std::int32_t>(std::lround(length_m / view.metres_per_pixel));
  const std::int32_t base = canvas.height() - kMargin;
  canvas.fill(column + kMargin, base - 3, length, 3, kInk);
  const std::string words =
      length_m >= 1000 ? fmt::format("{} km", length_m / 1000) : fmt::format("{} m", length_m);
  canvas.text(column + kMargin, base - 6 - kGlyphHeight, words, kInk, 1);
}

}  // namespace strew_tool
