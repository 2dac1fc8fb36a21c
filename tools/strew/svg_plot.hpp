// Line plots as SVG: axes with units, error bars, a legend. Colours are CSS classes of the page ("a", "b",
// "ref"), so that one drawing is legible on light and dark ground.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strew_tool {

/// Ends of an axis.
struct AxisRange {
  double low = 0;
  double high = 1;
};
/// Round positions of about `count` ticks inside the range: multiples of 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<double> tick_positions(const AxisRange& range, int count);
/// "&", "<", ">" and quotes made safe.
[[nodiscard]] std::string html_escaped(std::string_view text);

class SvgPlot {
 public:
  SvgPlot(std::string x_label, std::string y_label);

  void set_x(AxisRange range) { x_ = range; }
  /// `logarithmic`: both ends above 0.
  void set_y(AxisRange range, bool logarithmic = false);

  /// Curves are drawn in the order they are added; values outside the range are cut at the frame.
  void line(const std::vector<double>& x, const std::vector<double>& y, std::string_view style);
  /// Bars from y - error to y + error.
  void errors(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& error,
              std::string_view style);
  /// Steps of a histogram with equal bins from 0, filled.
  void steps(double bin_width, const std::vector<double>& y, std::string_view style);
  /// A thin dashed line across the plot.
  void level(double y);
  /// A thin upright line, with a word at its top.
  void mark(double x, std::string_view words);
  void legend(std::string_view words, std::string_view style);

  [[nodiscard]] std::string svg() const;

 private:
  [[nodiscard]] double px(double x) const;
  [[nodiscard]] double py(double y) const;
  [[nodiscard]] std::string axes() const;

  std::string x_label_;
  std::string y_label_;
  AxisRange x_;
  AxisRange y_;
  bool logarithmic_ = false;
  std::string curves_;
  std::string notes_;
  std::string legend_;
  double legend_at_ = 0;
};

}  // namespace strew_tool
