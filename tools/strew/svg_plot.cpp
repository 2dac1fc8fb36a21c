#include "svg_plot.hpp"

#include <algorithm>
#include <cmath>

#include "fmt/format.h"

namespace strew_tool {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 360;
constexpr double kLeft = 64;
constexpr double kRight = 624;
constexpr double kTop = 34;
constexpr double kBottom = 304;
/// Curves are kept this far beyond the frame, where they are cut.
constexpr double kBeyond = 2000;
constexpr double kLetter = 6.6;  ///< mean width of a letter of the labels

std::string number(double value) {
  std::string text = fmt::format("{:.6g}", std::fabs(value) < 1e-12 ? 0.0 : value);
  return text;
}

}  // namespace

std::vector<double> tick_positions(const AxisRange& range, int count) {
  const double raw = (range.high - range.low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double lead = raw / power;
  const double step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
  std::vector<double> ticks;
  constexpr double kSlack = 1e-9;
  for (double i = std::ceil(range.low / step - kSlack); i * step <= range.high + kSlack * step; i += 1) {
    ticks.push_back(i * step);
  }
  return ticks;
}

std::string html_escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

SvgPlot::SvgPlot(std::string x_label, std::string y_label)
    : x_label_(std::move(x_label)), y_label_(std::move(y_label)), legend_at_(kLeft) {}

void SvgPlot::set_y(AxisRange range, bool logarithmic) {
  y_ = range;
  logarithmic_ = logarithmic;
}

double SvgPlot::px(double x) const {
  return std::clamp(kLeft + (x - x_.low) / (x_.high - x_.low) * (kRight - kLeft), -kBeyond, kBeyond);
}

double SvgPlot::py(double y) const {
  double share = 0;
  if (logarithmic_) {
    const double lowest = y_.low * 1e-3;  // a zero lies below the frame
    share = std::log10(std::max(y, lowest) / y_.low) / std::log10(y_.high / y_.low);
  } else {
    share = (y - y_.low) / (y_.high - y_.low);
  }
  return std::clamp(kBottom - share * (kBottom - kTop), -kBeyond, kBeyond);
}

void SvgPlot::line(const std::vector<double>& x, const std::vector<double>& y, std::string_view style) {
  curves_ += fmt::format("<polyline class=\"curve {}\" points=\"", style);
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
    curves_ += fmt::format("{:.1f},{:.1f} ", px(x[i]), py(y[i]));
  }
  curves_ += "\"/>\n";
}

void SvgPlot::errors(const std::vector<double>& x, const std::vector<double>& y,
                     const std::vector<double>& error, std::string_view style) {
  curves_ += fmt::format("<path class=\"error {}\" d=\"", style);
  for (std::size_t i = 0; i < x.size() && i < y.size() && i < error.size(); ++i) {
    if (error[i] > 0) {
      curves_ += fmt::format("M{:.1f} {:.1f}V{:.1f}", px(x[i]), py(y[i] - error[i]), py(y[i] + error[i]));
    }
  }
  curves_ += "\"/>\n";
}

void SvgPlot::steps(double bin_width, const std::vector<double>& y, std::string_view style) {
  std::string path = fmt::format("M{:.1f} {:.1f}", px(0), py(y_.low));
  for (std::size_t i = 0; i < y.size(); ++i) {
    path += fmt::format("V{:.1f}H{:.1f}", py(y[i]), px(bin_width * static_cast<double>(i + 1)));
  }
  path += fmt::format("V{:.1f}", py(y_.low));
  curves_ += fmt::format("<path class=\"steps {}\" d=\"{}\"/>\n", style, path);
}

void SvgPlot::level(double y) {
  if (y >= y_.low && y <= y_.high) {
    notes_ += fmt::format("<path class=\"note\" d=\"M{} {:.1f}H{}\"/>\n", kLeft, py(y), kRight);
  }
}

void SvgPlot::mark(double x, std::string_view words) {
  if (x < x_.low || x > x_.high) {
    return;
  }
  notes_ += fmt::format(
      "<path class=\"note\" d=\"M{:.1f} {}V{}\"/><text class=\"small\" x=\"{:.1f}\" y=\"{}\">{}</text>\n",
      px(x), kTop, kBottom, px(x) + 4, kTop + 12, html_escaped(words));
}

void SvgPlot::legend(std::string_view words, std::string_view style) {
  constexpr double kSwatch = 22;
  constexpr double kGap = 18;
  const double y = kTop - 14;
  legend_ +=
      fmt::format("<path class=\"curve {}\" d=\"M{:.1f} {}h{}\"/><text x=\"{:.1f}\" y=\"{}\">{}</text>\n",
                  style, legend_at_, y, kSwatch, legend_at_ + kSwatch + 6, y + 4, html_escaped(words));
  legend_at_ += kSwatch + 6 + kLetter * static_cast<double>(words.size()) + kGap;
}

std::string SvgPlot::axes() const {
  std::string text;
  for (const double tick : tick_positions(x_, 7)) {
    text += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text class=\"tick\" x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4}</text>\n",
        px(tick), kTop, kBottom, kBottom + 18, number(tick));
  }
  std::vector<double> ticks;
  if (logarithmic_) {
    for (double power = std::ceil(std::log10(y_.low) - 1e-9); power <= std::log10(y_.high) + 1e-9;
         power += 1) {
      ticks.push_back(std::pow(10.0, power));
    }
  } else {
    ticks = tick_positions(y_, 5);
  }
  for (const double tick : ticks) {
    text += fmt::format(
        "<path class=\"grid\" d=\"M{0} {1:.1f}H{2}\"/><text class=\"tick\" x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>\n",
        kLeft, py(tick), kRight, kLeft - 8, py(tick) + 4, number(tick));
  }
  text += fmt::format("<path class=\"frame\" d=\"M{0} {1}V{2}H{3}\"/>\n", kLeft, kTop, kBottom, kRight);
  text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (kLeft + kRight) / 2,
                      kBottom + 42, html_escaped(x_label_));
  text += fmt::format("<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                      (kTop + kBottom) / 2, html_escaped(y_label_));
  return text;
}

std::string SvgPlot::svg() const {
  // The clip's frame is the same in every plot, so one name may stand for all of them.
  return fmt::format(
             "<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n"
             "<defs><clipPath id=\"frame\"><rect x=\"{}\" y=\"{}\" width=\"{}\" "
             "height=\"{}\"/></clipPath></defs>\n",
             kWidth, kHeight, html_escaped(y_label_ + " against " + x_label_), kLeft, kTop, kRight - kLeft,
             kBottom - kTop) +
         axes() + notes_ + "<g clip-path=\"url(#frame)\">\n" + curves_ + "</g>\n" + legend_ + "</svg>\n";
}

}  // namespace strew_tool
