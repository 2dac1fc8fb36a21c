#include "snap_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "fmt/format.h"
#include "font.hpp"

namespace strew_tool {
namespace {

using strew::snap::Mesh;

constexpr std::int32_t kLongest = 1200;
constexpr std::int32_t kBorder = 24;
constexpr std::int32_t kRow = 26;  ///< of words below the picture
constexpr Colour kInk{40, 40, 40};

/// Pixels that keep the highest of what covers them.
class Relief {
 public:
  Relief(double x0, double y1, double scale, std::int32_t width, std::int32_t height)
      : x0_(x0),
        y1_(y1),
        scale_(scale),
        width_(width),
        height_(height),
        top_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
             -std::numeric_limits<float>::infinity()) {}

  [[nodiscard]] double column(double x) const { return kBorder + (x - x0_) * scale_; }
  [[nodiscard]] double row(double y) const { return kBorder + (y1_ - y) * scale_; }

  void triangle(Canvas& canvas, const float* a, const float* b, const float* c, double lift, Colour colour) {
    const double ax = column(a[0]);
    const double ay = row(a[1]);
    const double bx = column(b[0]);
    const double by = row(b[1]);
    const double cx = column(c[0]);
    const double cy = row(c[1]);
    const double area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (std::abs(area) < 1e-9) {
      return;
    }
    const auto low = [](double v) { return std::max(0, static_cast<std::int32_t>(std::floor(v))); };
    const std::int32_t x1 = std::min(width_ - 1, static_cast<std::int32_t>(std::max({ax, bx, cx})));
    const std::int32_t y1 = std::min(height_ - 1, static_cast<std::int32_t>(std::max({ay, by, cy})));
    for (std::int32_t y = low(std::min({ay, by, cy})); y <= y1; ++y) {
      for (std::int32_t x = low(std::min({ax, bx, cx})); x <= x1; ++x) {
        const double px = x + 0.5;
        const double py = y + 0.5;
        const double u = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area;
        const double v = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area;
        const double w = 1 - u - v;
        if (u < 0 || v < 0 || w < 0) {
          continue;
        }
        const auto z = static_cast<float>(u * a[2] + v * b[2] + w * c[2] + lift);
        float& top = top_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                          static_cast<std::size_t>(x)];
        if (z > top) {
          top = z;
          canvas.set(x, y, colour);
        }
      }
    }
  }

 private:
  double x0_;
  double y1_;
  double scale_;
  std::int32_t width_;
  std::int32_t height_;
  std::vector<float> top_;
};

/// A bar of a round number of metres, right in the caption.
void scale_bar(Canvas& canvas, double pixels_per_metre, std::int32_t row) {
  double metres = 1;
  for (const double larger : {2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0}) {
    metres = larger * pixels_per_metre <= 200 ? larger : metres;
  }
  const auto length = static_cast<std::int32_t>(std::lround(metres * pixels_per_metre));
  const std::string words = fmt::format("{} m", metres);
  const std::int32_t left = canvas.width() - kBorder - length;
  canvas.fill(left, row + 6, length, 3, kInk);
  canvas.fill(left, row + 1, 2, 13, kInk);
  canvas.fill(left + length - 2, row + 1, 2, 13, kInk);
  canvas.text(left - static_cast<std::int32_t>(words.size()) * 12 - 8, row, words, kInk, 2);
}

/// Swatches of the largest regions with their share of the ground.
void region_shares(Canvas& canvas, const strew::nav::Navmesh& navmesh, std::int32_t row) {
  const std::span<const double> areas = navmesh.areas();
  std::vector<std::size_t> order(areas.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return areas[a] > areas[b]; });
  const double total = std::accumulate(areas.begin(), areas.end(), 0.0);
  std::int32_t column = kBorder;
  for (std::size_t i = 0; i < order.size() && column + 110 < canvas.width(); ++i) {
    canvas.fill(column, row, 14, 14, region_colour(order[i]));
    canvas.text(column + 20, row, fmt::format("{:.1f} %", 100 * areas[order[i]] / total), kInk, 2);
    column += 120;
  }
}

}  // namespace

Colour region_colour(std::size_t region) {
  return from_hsl(std::fmod(210.0 + 137.50776 * static_cast<double>(region), 360.0), 0.55, 0.62);
}

strew::Image map_picture(const strew::snap::Kit& kit, const strew::snap::Map& map,
                         const strew::nav::Navmesh* navmesh, const std::string& caption,
                         std::span<const PictureLabel> labels) {
  const Mesh mesh = strew::nav::map_mesh(kit, map);
  float low[3] = {0, 0, 0};
  float high[3] = {1, 1, 1};
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    low[i % 3] = i < 3 ? mesh.positions[i] : std::min(low[i % 3], mesh.positions[i]);
    high[i % 3] = i < 3 ? mesh.positions[i] : std::max(high[i % 3], mesh.positions[i]);
  }
  const double wide = std::max(1e-3, static_cast<double>(high[0]) - low[0]);
  const double deep = std::max(1e-3, static_cast<double>(high[1]) - low[1]);
  const double scale = kLongest / std::max(wide, deep);
  const bool shares = navmesh != nullptr && labels.empty();
  const std::int32_t caption_height = shares ? 2 * kRow : kRow;
  const auto width = static_cast<std::int32_t>(std::ceil(wide * scale)) + 2 * kBorder;
  const auto height = static_cast<std::int32_t>(std::ceil(deep * scale)) + 2 * kBorder + caption_height;
  Canvas canvas(std::max(width, 320), height, {250, 250, 248});
  Relief relief(low[0], high[1], scale, canvas.width(), height - caption_height);
  const double tall = std::max(1e-3, static_cast<double>(high[2]) - low[2]);
  for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
    const float* const a = &mesh.positions[3 * std::size_t{mesh.triangles[t]}];
    const float* const b = &mesh.positions[3 * std::size_t{mesh.triangles[t + 1]}];
    const float* const c = &mesh.positions[3 * std::size_t{mesh.triangles[t + 2]}];
    const double z = (static_cast<double>(a[2]) + b[2] + c[2]) / 3;
    const double grey = 90 + 90 * (z - low[2]) / tall;
    const auto level = static_cast<std::uint8_t>(grey);
    relief.triangle(canvas, a, b, c, 0, {level, level, static_cast<std::uint8_t>(level + 8)});
  }
  if (navmesh != nullptr) {
    Mesh ground;
    std::vector<std::uint32_t> region;
    navmesh->triangles(ground, region);
    for (std::size_t t = 0; t < region.size(); ++t) {
      const float* const a = &ground.positions[3 * std::size_t{ground.triangles[3 * t]}];
      const float* const b = &ground.positions[3 * std::size_t{ground.triangles[3 * t + 1]}];
      const float* const c = &ground.positions[3 * std::size_t{ground.triangles[3 * t + 2]}];
      const double height_share = (static_cast<double>(a[2]) + b[2] + c[2]) / 3 - low[2];
      relief.triangle(canvas, a, b, c, 0.4,
                      scaled(region_colour(region[t]), 0.8 + 0.35 * height_share / tall));
    }
  }
  for (const PictureLabel& label : labels) {
    canvas.text(static_cast<std::int32_t>(relief.column(label.x)),
                static_cast<std::int32_t>(relief.row(label.y)), label.words, kInk, 2);
  }
  if (labels.empty()) {
    canvas.disc(relief.column(map.placements.front().position.x),
                relief.row(map.placements.front().position.y), 5, {30, 30, 30});
  }
  std::int32_t row = height - caption_height;
  if (shares) {
    region_shares(canvas, *navmesh, row);
    row += kRow;
  }
  canvas.text(kBorder, row, caption, kInk, 2);
  scale_bar(canvas, scale, row);
  return canvas.image();
}

strew::Image histogram_picture(const strew::snap::Histogram& histogram, const std::string& caption) {
  constexpr std::int32_t kWidth = 900;
  constexpr std::int32_t kHeight = 420;
  constexpr std::int32_t kBase = 350;
  Canvas canvas(kWidth, kHeight, {250, 250, 248});
  std::uint64_t most = 1;
  for (const std::uint64_t count : histogram.counts) {
    most = std::max(most, count);
  }
  const auto bins = static_cast<std::int32_t>(histogram.counts.size());
  for (std::int32_t i = 0; i < bins; ++i) {
    const std::int32_t x0 = 40 + i * (kWidth - 80) / bins;
    const std::int32_t x1 = 40 + (i + 1) * (kWidth - 80) / bins;
    const auto tall = static_cast<std::int32_t>(
        std::lround(300.0 * static_cast<double>(histogram.counts[static_cast<std::size_t>(i)]) /
                    static_cast<double>(most)));
    canvas.fill(x0, kBase - tall, std::max(1, x1 - x0 - 1), tall, {88, 129, 170});
  }
  canvas.fill(40, kBase, kWidth - 80, 1, {60, 60, 60});
  canvas.text(40, kBase + 8, fmt::format("{:.6g}", histogram.low), {40, 40, 40}, 2);
  const std::string high = fmt::format("{:.6g}", histogram.high);
  canvas.text(kWidth - 40 - static_cast<std::int32_t>(high.size()) * 12, kBase + 8, high, {40, 40, 40}, 2);
  canvas.text(40, 12, caption, {40, 40, 40}, 2);
  canvas.text(40, kBase + 36, fmt::format("tallest bar: {} seeds", most), {40, 40, 40}, 2);
  return canvas.image();
}

}  // namespace strew_tool
