// One raster file: opened, checked, and read by windows from any thread.
#pragma once

#include <gdal.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "raster_grid.hpp"

namespace strew {

/// Part of a raster, in samples; rows count from the south. Half-open.
struct SampleWindow {
  std::int32_t column0 = 0;
  std::int32_t row0 = 0;
  std::int32_t column1 = 0;
  std::int32_t row1 = 0;
  [[nodiscard]] std::int32_t width() const noexcept { return column1 - column0; }
  [[nodiscard]] std::int32_t height() const noexcept { return row1 - row0; }
};

class RasterDataset {
 public:
  [[nodiscard]] static Result<std::unique_ptr<RasterDataset>> open(const std::string& path, RasterRole role,
                                                                   std::int32_t band = 1);

  [[nodiscard]] const RasterGrid& grid() const noexcept { return grid_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] bool shares_crs_with(RasterDataset& other);
  /// The samples that positions in `need` use, with `halo` more around them. Never empty: where `need` misses
  /// the raster, the nearest edge samples, so that a position there is seen to be outside.
  [[nodiscard]] SampleWindow covering(const Rect& need, std::int32_t halo) const;

  /// Elevation in metres, or a map's values; nodata as NaN; row-major from the south. Thread-safe.
  [[nodiscard]] Status read_elevation(const SampleWindow& window, std::vector<float>& out) const;
  /// Biome classes; row-major from the south. Thread-safe.
  [[nodiscard]] Status read_classes(const SampleWindow& window, std::vector<std::uint8_t>& out) const;
  /// Code of missing classes in what read_classes gives.
  [[nodiscard]] std::uint8_t class_nodata() const noexcept { return class_nodata_; }
  [[nodiscard]] bool has_class_nodata() const noexcept { return has_nodata_; }

 private:
  struct Close {
    void operator()(GDALDatasetH dataset) const noexcept { GDALClose(dataset); }
  };
  using Handle = std::unique_ptr<void, Close>;

  RasterDataset(std::string path, RasterRole role, std::int32_t band)
      : path_(std::move(path)), role_(role), band_(band) {}
  [[nodiscard]] Status initialise();
  [[nodiscard]] Status read_band_properties(GDALDatasetH dataset);
  [[nodiscard]] Status probe() const;
  [[nodiscard]] Result<Handle> open_handle() const;
  [[nodiscard]] Result<Handle> take_handle() const;
  void give_handle(Handle handle) const;
  /// Raw values of the band, rows from the south. `out` has room for the window.
  template <class T>
  [[nodiscard]] Status read_raw(const SampleWindow& window, GDALDataType type, T* out) const;

  std::string path_;
  RasterRole role_;
  std::int32_t band_;
  RasterGrid grid_;
  GDALDataType type_ = GDT_Unknown;
  bool has_nodata_ = false;
  double nodata_ = 0;
  double scale_ = 1;  ///< of elevation: to metres, after the band's own scale and offset
  double offset_ = 0;
  std::uint8_t class_nodata_ = 0;
  // A GDAL handle serves one thread at a time; each reader takes an idle one or opens its own, so that
  // readers wait for the disk and not for one another.
  mutable std::mutex mutex_;
  mutable std::vector<Handle> idle_;
};

}  // namespace strew
