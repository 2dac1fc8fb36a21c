#include "raster_cache.hpp"

#include <algorithm>

namespace strew {

void make_room_in_cache(GDALRasterBandH band, std::int32_t column, std::int32_t row, std::int32_t width,
                        std::int32_t height) noexcept {
  int across = 0;
  int along = 0;
  GDALGetBlockSize(band, &across, &along);
  if (across <= 0 || along <= 0 || width <= 0 || height <= 0) {
    return;
  }
  const auto blocks = [](std::int64_t first, std::int64_t count, std::int64_t side) {
    return (first + count - 1) / side - first / side + 1;
  };
  const std::int64_t sample = GDALGetDataTypeSizeBytes(GDALGetRasterDataType(band));
  // Below 2^31 blocks of below 2^31 samples on an axis each: in floating point, since only the size matters.
  const double touched = static_cast<double>(blocks(column, width, across)) *
                         static_cast<double>(blocks(row, height, along)) * static_cast<double>(across) *
                         static_cast<double>(along) * static_cast<double>(sample);
  const bool large = 4.0 * across * along > static_cast<double>(width) * height;
  const double wanted = std::clamp(large ? 4 * touched : touched, static_cast<double>(kLeastRasterCache),
                                   static_cast<double>(kMostRasterCache));
  // Two threads at once may leave the smaller of two wishes; the next read mends that.
  if (static_cast<double>(GDALGetCacheMax64()) < wanted) {
    GDALSetCacheMax64(static_cast<GIntBig>(wanted));
  }
}

}  // namespace strew
