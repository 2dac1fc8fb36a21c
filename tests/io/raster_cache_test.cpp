// GDAL's cache grows with the blocks that windows touch, between its limits.
#include "raster_cache.hpp"

#include <cpl_string.h>
#include <gtest/gtest.h>

#include <string>

#include "temporary_folder.hpp"

namespace strew {
namespace {

/// Cache after a window of 560 x 560 at (100, 100) of a Float32 raster with blocks of a size.
std::int64_t cache_after(const std::string& path, const char* width, const char* height) {
  GDALAllRegister();
  char** options = CSLSetNameValue(nullptr, "TILED", "YES");
  options = CSLSetNameValue(options, "BLOCKXSIZE", width);
  options = CSLSetNameValue(options, "BLOCKYSIZE", height);
  options = CSLSetNameValue(options, "SPARSE_OK", "TRUE");
  const GDALDatasetH file =
      GDALCreate(GDALGetDriverByName("GTiff"), path.c_str(), 16384, 16384, 1, GDT_Float32, options);
  CSLDestroy(options);
  EXPECT_NE(file, nullptr);
  if (file == nullptr) {
    return 0;
  }
  make_room_in_cache(GDALGetRasterBand(file, 1), 100, 100, 560, 560);
  GDALClose(file);
  return GDALGetCacheMax64();
}

TEST(RasterCache, HoldsTheBlocksThatAWindowTouches) {
  const strew_test::TemporaryFolder folder;
  const std::string path = folder.file("blocks.tif");
  GDALSetCacheMax64(kLeastRasterCache);
  // Columns 100 to 659 lie in blocks 0 to 2 of 256 samples: nine of 256 KiB.
  EXPECT_EQ(cache_after(path, "256", "256"), kLeastRasterCache);
  // Larger than a quarter of the window: 2 x 2 blocks of 1 MiB, four times.
  EXPECT_EQ(cache_after(path, "512", "512"), std::int64_t{16} << 20);
  // Never less again.
  EXPECT_EQ(cache_after(path, "256", "256"), std::int64_t{16} << 20);
  // One of 16 MiB, four times; and what would be more.
  EXPECT_EQ(cache_after(path, "2048", "2048"), kMostRasterCache);
  EXPECT_EQ(cache_after(path, "4096", "4096"), kMostRasterCache);
}

}  // namespace
}  // namespace strew
