// The window cut into equal blocks, and the jackknife over them.
//
// Source: Efron & Stein, "The jackknife estimate of variance", Annals of Statistics 9, 1981, in its
// delete-one-block form; blocks of the window as in Loh, "A valid and fast spatial bootstrap for correlation
// functions", ApJ 681, 2008.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "strew/analysis.hpp"

namespace strew::analysis {

class Blocks {
 public:
  /// 4 x 4 to 8 x 8 blocks: as many as keep about 100 points in each.
  explicit Blocks(const PointsView& points) : window_(points.window) {
    const double side = std::sqrt(static_cast<double>(points.size()) / 100);
    side_ = static_cast<std::uint32_t>(std::clamp(side, 4.0, 8.0));
  }
  [[nodiscard]] std::uint32_t side() const noexcept { return side_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return side_ * side_; }
  [[nodiscard]] std::uint32_t of(double x, double y) const noexcept {
    return slot(y - window_.y0, window_.height()) * side_ + slot(x - window_.x0, window_.width());
  }
  [[nodiscard]] PlaneWindow rectangle(std::uint32_t block) const noexcept {
    const std::uint32_t south = block / side_;
    const double column = block % side_;
    const double row = south;
    const double n = side_;
    return {window_.x0 + window_.width() * column / n, window_.y0 + window_.height() * row / n,
            window_.x0 + window_.width() * (column + 1) / n, window_.y0 + window_.height() * (row + 1) / n};
  }

 private:
  [[nodiscard]] std::uint32_t slot(double offset, double extent) const noexcept {
    const double at = offset / extent * side_;
    return std::min(static_cast<std::uint32_t>(at), side_ - 1);
  }
  PlaneWindow window_;
  std::uint32_t side_ = 4;
};

/// A ratio of sums over blocks, and its standard error by leaving out one block at a time. Blocks with no
/// weight are no blocks.
struct Ratio {
  double value = 0;
  double error = 0;
};
[[nodiscard]] inline Ratio jackknife_ratio(std::span<const double> parts, std::span<const double> weights) {
  double sum = 0;
  double weight = 0;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    sum += parts[b];
    weight += weights[b];
  }
  if (!(weight > 0)) {
    return {};
  }
  double mean = 0;
  double blocks = 0;
  const auto left_out = [&](std::size_t b) { return (sum - parts[b]) / (weight - weights[b]); };
  const auto counts = [&](std::size_t b) { return weights[b] > 0 && weight - weights[b] > 0; };
  for (std::size_t b = 0; b < parts.size(); ++b) {
    if (counts(b)) {
      mean += left_out(b);
      blocks += 1;
    }
  }
  if (blocks < 2) {
    return {sum / weight, 0};
  }
  mean /= blocks;
  double variance = 0;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    if (counts(b)) {
      const double difference = left_out(b) - mean;
      variance += difference * difference;
    }
  }
  return {sum / weight, std::sqrt(variance * (blocks - 1) / blocks)};
}

}  // namespace strew::analysis
