// How much of rasters GDAL keeps between reads.
#pragma once

#include <gdal.h>

#include <cstdint>

namespace strew {

/// GDAL's own choice is 5 % of the machine's memory. What it keeps counts in the peak memory of a bake, so it
/// is this much, and grows with the blocks of the files that are read.
inline constexpr std::int64_t kLeastRasterCache = std::int64_t{4} << 20;
inline constexpr std::int64_t kMostRasterCache = std::int64_t{64} << 20;

/// Lets the cache hold the blocks that a window of a band touches, within the limits; four times as much
/// where a block is larger than a quarter of the window, since such blocks serve the next windows too.
/// Thread-safe; the cache is GDAL's, one for the process.
void make_room_in_cache(GDALRasterBandH band, std::int32_t column, std::int32_t row, std::int32_t width,
                        std::int32_t height) noexcept;

}  // namespace strew
