// Fourier sums of a set of points on a grid of wave vectors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace strew::analysis {

/// Wave vectors (mx step_x, my step_y) no longer than max_frequency, all in cycles per metre.
struct WaveGrid {
  double step_x = 0;
  double step_y = 0;
  double max_frequency = 0;
  std::uint32_t last_x = 0;  ///< largest mx
  std::uint32_t last_y = 0;  ///< largest my

  [[nodiscard]] static WaveGrid of(double step_x, double step_y, double max_frequency);
  /// 2 last_x + 1.
  [[nodiscard]] std::size_t columns() const noexcept { return 2 * std::size_t{last_x} + 1; }
  /// Largest mx >= 0 in row my.
  [[nodiscard]] std::uint32_t row_end(std::uint32_t my) const noexcept;
};

/// |sum exp(2 pi i (mx u + my v))|^2 at (last_x + mx) + columns * my, for mx in [-last_x, last_x] and my in
/// [0, last_y]; 0 beyond max_frequency. (u, v): positions as fractions of the sub-window's sides, in [0, 1].
///
/// The sum of a product of four real features (cosine and sine of mx u, cosine and sine of my v) is a matrix
/// product, at 4 multiply-adds for the two vectors (mx, my) and (-mx, my). Phases and features are
/// double rounded to float; sums are float in a fixed order: relative error of a sum below 1e-4 of sqrt(N).
[[nodiscard]] std::vector<float> squared_sums(std::span<const double> u, std::span<const double> v,
                                              const WaveGrid& grid);

}  // namespace strew::analysis
