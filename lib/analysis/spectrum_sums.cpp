#include "spectrum_sums.hpp"

#include <algorithm>
#include <cmath>

#include "strew/exact_math.hpp"

namespace strew::analysis {
namespace {

/// Points whose features are held at once: 32 rows of 400 floats, twice, stay in the second-level cache, and
/// a row of sums is read and written once for 32 points.
constexpr std::size_t kBatch = 32;
constexpr std::size_t kAtOnce = 4;

/// Cosine and sine of 2 pi m u for m = 0 ... last, as two planes.
struct Features {
  std::size_t stride;
  std::vector<float> cosine;
  std::vector<float> sine;

  explicit Features(std::uint32_t last)
      : stride(std::size_t{last} + 1), cosine(stride * kBatch), sine(stride * kBatch) {}
  void set(std::size_t row, double u) {
    for (std::size_t m = 0; m < stride; ++m) {
      double s = 0;
      double c = 0;
      exact_sincos_turns(static_cast<double>(m) * u, s, c);
      cosine[row * stride + m] = static_cast<float>(c);
      sine[row * stride + m] = static_cast<float>(s);
    }
  }
  /// A row of zeros adds nothing: the last batch is filled up with them.
  void clear(std::size_t row) {
    std::fill_n(cosine.begin() + static_cast<std::ptrdiff_t>(row * stride), stride, 0.0F);
    std::fill_n(sine.begin() + static_cast<std::ptrdiff_t>(row * stride), stride, 0.0F);
  }
};

/// One row of the four sums: first letter the feature in x, second that in y.
struct Sums {
  float* cc;
  float* cs;
  float* sc;
  float* ss;
};

/// Adds kAtOnce points, whose features lie `stride` apart, to `count` sums.
void add_points(const float* cosine, const float* sine, std::size_t stride, const float (&cy)[kAtOnce],
                const float (&sy)[kAtOnce], std::size_t count, const Sums& sums) {
  const float* const c0 = cosine;
  const float* const c1 = cosine + stride;
  const float* const c2 = cosine + 2 * stride;
  const float* const c3 = cosine + 3 * stride;
  const float* const s0 = sine;
  const float* const s1 = sine + stride;
  const float* const s2 = sine + 2 * stride;
  const float* const s3 = sine + 3 * stride;
  float* const __restrict cc = sums.cc;
  float* const __restrict cs = sums.cs;
  float* const __restrict sc = sums.sc;
  float* const __restrict ss = sums.ss;
  for (std::size_t j = 0; j < count; ++j) {
    cc[j] += (c0[j] * cy[0] + c1[j] * cy[1]) + (c2[j] * cy[2] + c3[j] * cy[3]);
    cs[j] += (c0[j] * sy[0] + c1[j] * sy[1]) + (c2[j] * sy[2] + c3[j] * sy[3]);
    sc[j] += (s0[j] * cy[0] + s1[j] * cy[1]) + (s2[j] * cy[2] + s3[j] * cy[3]);
    ss[j] += (s0[j] * sy[0] + s1[j] * sy[1]) + (s2[j] * sy[2] + s3[j] * sy[3]);
  }
}

}  // namespace

WaveGrid WaveGrid::of(double step_x, double step_y, double max_frequency) {
  return {step_x, step_y, max_frequency, static_cast<std::uint32_t>(max_frequency / step_x),
          static_cast<std::uint32_t>(max_frequency / step_y)};
}

std::uint32_t WaveGrid::row_end(std::uint32_t my) const noexcept {
  const double y = my * step_y;
  const double rest = max_frequency * max_frequency - y * y;
  return rest <= 0 ? 0 : std::min(last_x, static_cast<std::uint32_t>(std::sqrt(rest) / step_x));
}

std::vector<float> squared_sums(std::span<const double> u, std::span<const double> v, const WaveGrid& grid) {
  const std::size_t width = std::size_t{grid.last_x} + 1;
  const std::size_t rows = std::size_t{grid.last_y} + 1;
  std::vector<float> accumulators(4 * width * rows);
  const auto sums_of = [&](std::size_t my) {
    float* const row = accumulators.data() + 4 * width * my;
    return Sums{row, row + width, row + 2 * width, row + 3 * width};
  };
  Features x(grid.last_x);
  Features y(grid.last_y);
  for (std::size_t begin = 0; begin < u.size(); begin += kBatch) {
    for (std::size_t p = 0; p < kBatch; ++p) {
      if (begin + p < u.size()) {
        x.set(p, u[begin + p]);
        y.set(p, v[begin + p]);
      } else {
        x.clear(p);
        y.clear(p);
      }
    }
    for (std::uint32_t my = 0; my <= grid.last_y; ++my) {
      const std::size_t count = std::size_t{grid.row_end(my)} + 1;
      const Sums sums = sums_of(my);
      for (std::size_t p = 0; p < kBatch; p += kAtOnce) {
        float cy[kAtOnce];
        float sy[kAtOnce];
        for (std::size_t q = 0; q < kAtOnce; ++q) {
          cy[q] = y.cosine[(p + q) * y.stride + my];
          sy[q] = y.sine[(p + q) * y.stride + my];
        }
        add_points(x.cosine.data() + p * x.stride, x.sine.data() + p * x.stride, x.stride, cy, sy, count,
                   sums);
      }
    }
  }

  std::vector<float> squared(grid.columns() * rows);
  for (std::uint32_t my = 0; my <= grid.last_y; ++my) {
    const Sums sums = sums_of(my);
    float* const centre = squared.data() + grid.columns() * my + grid.last_x;
    for (std::uint32_t mx = 0; mx <= grid.row_end(my); ++mx) {
      // cos(a + b) = cc - ss, sin(a + b) = sc + cs; for -mx the sine in x changes its sign.
      const float real = sums.cc[mx] - sums.ss[mx];
      const float imaginary = sums.sc[mx] + sums.cs[mx];
      const float mirrored_real = sums.cc[mx] + sums.ss[mx];
      const float mirrored_imaginary = sums.cs[mx] - sums.sc[mx];
      centre[mx] = real * real + imaginary * imaginary;
      *(centre - mx) = mirrored_real * mirrored_real + mirrored_imaginary * mirrored_imaginary;
    }
  }
  return squared;
}

}  // namespace strew::analysis
