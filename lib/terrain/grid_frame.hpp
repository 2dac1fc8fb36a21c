// Where a world position falls in a raster: shared by sampling and by batched validation.
#pragma once

#include <cstdint>

#include "strew/terrain.hpp"

namespace strew {

/// Position along one axis of a raster, in samples: integer part, next sample (the same at the edge),
/// fraction.
struct AxisPlace {
  std::int32_t first;
  std::int32_t second;
  double fraction;
};

/// One axis of a raster, prepared once per batch.
struct AxisFrame {
  Coord origin = 0;
  double samples_per_unit = 0;
  double first = 0;  ///< index of the view's first sample, counted from the origin
  double last = -1;  ///< index of the last sample, counted from the view's first

  AxisFrame() = default;
  AxisFrame(Coord first_sample, double spacing_m, std::int32_t count, std::int32_t offset) noexcept
      : origin(first_sample),
        samples_per_unit(1.0 / 4294967296.0 / spacing_m),
        first(offset),
        last(count - 1) {}

  /// Samples from the first one. The integer difference comes first, so the result depends only on the
  /// distance to the raster's own origin. It is taken modulo 2^64: between accepted coordinates only
  /// distances that are far outside any raster can wrap, and they stay far outside.
  [[nodiscard]] double samples(Coord position) const noexcept {
    const auto distance =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(position) - static_cast<std::uint64_t>(origin));
    // The subtraction is exact wherever it matters: it only drops whole samples.
    return static_cast<double>(distance) * samples_per_unit - first;
  }
  /// The footprint is half-open, so that rasters side by side share no position.
  [[nodiscard]] bool inside(double at) const noexcept { return at >= -0.5 && at < last + 0.5; }
  /// Precondition: inside(at). Beyond the outer sample centres the edge sample extends.
  [[nodiscard]] AxisPlace place(double at) const noexcept {
    const double low = at > 0.0 ? at : 0.0;
    const double clamped = low < last ? low : last;
    const auto first = static_cast<std::int32_t>(clamped);
    const auto end = static_cast<std::int32_t>(last);
    return {first, first < end ? first + 1 : end, clamped - static_cast<double>(first)};
  }
  /// Precondition: inside(at). Ties go to the larger index; the sum may round up to the count.
  [[nodiscard]] std::int32_t nearest(double at) const noexcept {
    const double shifted = at + 0.5;
    return static_cast<std::int32_t>(shifted < last ? shifted : last);
  }
};

/// Both axes of a raster; an absent raster has no inside.
struct GridFrame {
  AxisFrame x;
  AxisFrame y;

  GridFrame() = default;
  template <class T>
  explicit GridFrame(const RasterView<T>& raster) noexcept {
    if (!raster.empty()) {
      x = AxisFrame(raster.x0, raster.dx, raster.width, raster.first_column);
      y = AxisFrame(raster.y0, raster.dy, raster.height, raster.first_row);
    }
  }
};

/// sample_bilinear with the frame of `raster` prepared.
[[nodiscard]] SampleState sample_bilinear(const RasterView<float>& raster, const GridFrame& frame, Coord x,
                                          Coord y, double& value) noexcept;
/// sample_nearest with the frame of `raster` prepared.
[[nodiscard]] SampleState sample_nearest(const RasterView<std::uint8_t>& raster, const GridFrame& frame,
                                         Coord x, Coord y, std::uint8_t& value) noexcept;

}  // namespace strew
