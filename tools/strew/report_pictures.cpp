#include <algorithm>
#include <cmath>

#include "fmt/format.h"
#include "report_figures.hpp"
#include "strew/io/files.hpp"
#include "svg_plot.hpp"

namespace strew_tool {
namespace {

constexpr double kSide = 480;   ///< of the drawing, without its labels
constexpr double kMargin = 34;  ///< for the labels

/// The part of the window that is drawn: all of a small set, otherwise a square from the middle.
strew::PlaneWindow crop_of(const SetAnalysis& set) {
  constexpr std::size_t kAll = 4000;
  constexpr double kPoints = 1200;
  const strew::PlaneWindow& window = set.input->window;
  const double aspect = window.width() / window.height();
  if (set.input->x.size() <= kAll && aspect > 0.25 && aspect < 4) {
    return window;
  }
  const double side = std::sqrt(kPoints / set.density());
  const double width = std::min(side, window.width());
  const double height = std::min(side, window.height());
  const double x = (window.x0 + window.x1) / 2;
  const double y = (window.y0 + window.y1) / 2;
  return {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
}

/// From metres to the drawing, y up.
struct Map {
  strew::PlaneWindow crop;
  double scale;

  explicit Map(const strew::PlaneWindow& part)
      : crop(part), scale(kSide / std::max(part.width(), part.height())) {}
  [[nodiscard]] double x(double metres) const { return (metres - crop.x0) * scale; }
  [[nodiscard]] double y(double metres) const { return (crop.y1 - metres) * scale; }
  [[nodiscard]] double width() const { return crop.width() * scale; }
  [[nodiscard]] double height() const { return crop.height() * scale; }
};

std::string tile_lines(const PointInput& input, const Map& map, double tile) {
  std::string text;
  const auto first = [tile](double at, double origin) {
    return std::ceil((at + origin) / tile) * tile - origin;
  };
  for (double x = first(map.crop.x0, input.origin_x); x <= map.crop.x1; x += tile) {
    text += fmt::format("<path class=\"tile\" d=\"M{:.1f} 0V{:.1f}\"/>\n", map.x(x), map.height());
  }
  for (double y = first(map.crop.y0, input.origin_y); y <= map.crop.y1; y += tile) {
    text += fmt::format("<path class=\"tile\" d=\"M0 {:.1f}H{:.1f}\"/>\n", map.y(y), map.width());
  }
  return text;
}

/// A bar of a round length, below the picture.
std::string scale_bar(const Map& map) {
  const double length = tick_positions({0, map.crop.width() * 0.3}, 1).back();
  const double pixels = length * map.scale;
  return fmt::format(
      "<path class=\"frame\" d=\"M0 {0:.1f}h{1:.1f}m0 -4v8m{2:.1f} -8v8\"/><text x=\"{3:.1f}\" "
      "y=\"{4:.1f}\">{5:g} "
      "m</text>\n",
      map.height() + 16, pixels, -pixels, pixels + 8, map.height() + 20, length);
}

std::string base64(const std::vector<std::byte>& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[(group >> (18 - 6 * k)) & 63U] : '=';
    }
  }
  return text;
}

/// Black is 0, mid grey 1, white 2 and more: the usual scale for such pictures.
strew::Image grey_picture(const strew::SpectrumReport& spectrum) {
  strew::Image image{
      static_cast<std::int32_t>(spectrum.columns), static_cast<std::int32_t>(spectrum.rows), {}};
  image.rgb.reserve(spectrum.power.size() * 3);
  for (std::size_t row = spectrum.rows; row-- > 0;) {
    for (std::size_t column = 0; column < spectrum.columns; ++column) {
      const double power = static_cast<double>(spectrum.power[row * spectrum.columns + column]);
      const auto grey = static_cast<std::uint8_t>(std::clamp(power, 0.0, 2.0) * 127.5);
      image.rgb.insert(image.rgb.end(), 3, grey);
    }
  }
  return image;
}

}  // namespace

std::string points_caption(const SetAnalysis& set) {
  const strew::PlaneWindow crop = crop_of(set);
  const bool whole = crop.width() >= set.input->window.width() && crop.height() >= set.input->window.height();
  return fmt::format("{}, {:.4g} by {:.4g} m.{}",
                     whole ? "The whole window" : "A crop from the middle of the window", crop.width(),
                     crop.height(), set.radius > 0 ? " Discs of radius r/2 must not overlap." : "") +
         " A dashed circle is the largest void found, where it lies in the picture.";
}

std::string points_figure(const SetAnalysis& set, std::size_t index, double tile_size) {
  const PointInput& input = *set.input;
  const Map map(crop_of(set));
  std::string text = fmt::format(
      "<svg class=\"picture\" viewBox=\"-6 -6 {:.1f} {:.1f}\" role=\"img\" aria-label=\"points\">\n"
      "<defs><clipPath id=\"crop-{}\"><rect width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath></defs>\n"
      "<rect class=\"paper\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n<g clip-path=\"url(#crop-{})\">\n",
      map.width() + 12, map.height() + kMargin, set_style(index), map.width(), map.height(), map.width(),
      map.height(), set_style(index));
  if (tile_size > 0 && tile_size * map.scale > 4) {
    text += tile_lines(input, map, tile_size);
  }
  const double spacing = map.scale / std::sqrt(set.density());
  const double dot = std::clamp(spacing * 0.1, 0.7, 3.0);
  const double disc = set.radius / 2 * map.scale;
  std::string discs;
  std::string dots;
  for (std::size_t i = 0; i < input.x.size(); ++i) {
    const double x = map.x(input.x[i]);
    const double y = map.y(input.y[i]);
    if (x < -disc || y < -disc || x > map.width() + disc || y > map.height() + disc) {
      continue;
    }
    if (disc > 1) {
      discs += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"/>", x, y, disc);
    }
    dots += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"/>", x, y, dot);
  }
  text += fmt::format("<g class=\"disc {}\">", set_style(index)) + discs + "</g>\n<g class=\"dot\">" + dots +
          "</g>\n";
  text += fmt::format("<circle class=\"void\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\"/>\n</g>\n",
                      map.x(set.coverage.void_x), map.y(set.coverage.void_y),
                      set.coverage.void_radius * map.scale);
  return text + scale_bar(map) + "</svg>\n";
}

strew::Result<std::string> spectrum_picture(const SetAnalysis& set) {
  const strew::SpectrumReport& spectrum = set.spectrum;
  STREW_ASSIGN(const std::vector<std::byte> png, strew::encode_png(grey_picture(spectrum)));
  const auto middle_x = spectrum.columns / 2;
  const auto middle_y = spectrum.rows / 2;
  const double reach_x = spectrum.frequency_step_x * middle_x;
  const double reach_y = spectrum.frequency_step_y * middle_y;
  const double reach = std::max({reach_x, reach_y, 1e-300});
  const double half = kSide / 2;
  const double scale = half / reach;
  // A wave vector's pixel is centred on it.
  const double width = spectrum.columns * spectrum.frequency_step_x * scale;
  const double height = spectrum.rows * spectrum.frequency_step_y * scale;
  std::string text = fmt::format(
      "<svg class=\"picture\" viewBox=\"-6 -6 {0:.1f} {1:.1f}\" role=\"img\" aria-label=\"power spectrum\">\n"
      "<defs><clipPath id=\"round\"><circle cx=\"{2}\" cy=\"{2}\" r=\"{2}\"/></clipPath></defs>\n"
      "<g clip-path=\"url(#round)\"><rect width=\"{3}\" height=\"{3}\"/><image x=\"{4:.2f}\" y=\"{5:.2f}\" "
      "width=\"{6:.2f}\" height=\"{7:.2f}\" preserveAspectRatio=\"none\" "
      "href=\"data:image/png;base64,{8}\"/></g>\n",
      kSide + 12, kSide + kMargin, half, kSide, half - width / 2, half - height / 2, width, height,
      base64(png));
  const double step = tick_positions({0, reach}, 3).at(1);
  text += fmt::format(
      "<path class=\"frame\" d=\"M{0} {1}h{2:.1f}m0 -4v8m{3:.1f} -8v8\"/><text x=\"{4:.1f}\" y=\"{5}\">{6:g} "
      "cycles "
      "per metre</text>\n</svg>\n",
      half, kSide + 16, step * scale, -step * scale, half + step * scale + 8, kSide + 20, step);
  return text;
}

}  // namespace strew_tool
