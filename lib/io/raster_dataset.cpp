#include "raster_dataset.hpp"

#include <cpl_vsi.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gdal_messages.hpp"
#include "number_text.hpp"
#include "raster_cache.hpp"

namespace strew {
namespace {

/// Metres per unit of a band of heights; 1 where the file says nothing that is known.
double height_unit(const char* name) {
  const std::string text = name == nullptr ? "" : name;
  if (text == "ft" || text == "foot" || text == "feet") {
    return 0.3048;
  }
  if (text == "US survey foot" || text == "ftUS" || text == "us-ft") {
    return 1200.0 / 3937.0;
  }
  return 1;
}

/// The float of a height, NaN where no float holds it: such a number is no height.
float to_height(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return std::fabs(value) <= kLargest ? static_cast<float>(value) : std::numeric_limits<float>::quiet_NaN();
}

bool is_integer_type(GDALDataType type) {
  return type == GDT_Byte || type == GDT_UInt16 || type == GDT_Int16 || type == GDT_UInt32 ||
         type == GDT_Int32;
}

/// First and last sample that positions from `low` to `high` use on one axis, halo included, cut to the
/// raster.
void cover_axis(Coord low, Coord high, Coord origin, double spacing_m, std::int32_t count, std::int32_t halo,
                std::int32_t& first, std::int32_t& end) {
  // A position is placed in floating point, so one within rounding of a sample may be given to either side.
  constexpr double kRounding = 1e-6;
  const double last = count - 1;
  const double from = to_metres(low - origin) / spacing_m - kRounding;
  const double to = to_metres(high - origin) / spacing_m + kRounding;
  first = static_cast<std::int32_t>(std::clamp(std::floor(from) - halo, 0.0, last));
  end = 1 + static_cast<std::int32_t>(std::clamp(std::floor(to) + 1 + halo, 0.0, last));
}

}  // namespace

Result<RasterDataset::Handle> RasterDataset::open_handle() const {
  GdalMessages messages;
  Handle handle(GDALOpenEx(path_.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr,
                           nullptr, nullptr));
  if (handle == nullptr) {
    return invalid_argument("cannot be opened as a raster" + messages.words() +
                                "; give an undamaged GeoTIFF or another format that `gdalinfo` reads",
                            path_);
  }
  return handle;
}

Result<RasterDataset::Handle> RasterDataset::take_handle() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      Handle handle = std::move(idle_.back());
      idle_.pop_back();
      return handle;
    }
  }
  return open_handle();
}

void RasterDataset::give_handle(Handle handle) const {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(handle));
}

Result<std::unique_ptr<RasterDataset>> RasterDataset::open(const std::string& path, RasterRole role,
                                                           std::int32_t band) {
  std::unique_ptr<RasterDataset> dataset(new RasterDataset(path, role, band));
  STREW_RETURN_IF_ERROR(dataset->initialise());
  return dataset;
}

Status RasterDataset::initialise() {
  VSIStatBufL stat{};
  if (VSIStatL(path_.c_str(), &stat) != 0) {
    return invalid_argument("does not exist or cannot be reached; give the path of a raster file", path_);
  }
  if (stat.st_size == 0 && VSI_ISREG(stat.st_mode)) {
    return invalid_argument("is an empty file of 0 bytes; copy the raster again", path_);
  }
  STREW_ASSIGN(Handle handle, open_handle());
  STREW_RETURN_IF_ERROR(read_band_properties(handle.get()));
  STREW_ASSIGN(grid_, read_grid(handle.get(), path_, role_));
  give_handle(std::move(handle));
  return probe();
}

Status RasterDataset::read_band_properties(GDALDatasetH dataset) {
  if (GDALGetRasterCount(dataset) < 1) {
    return invalid_argument(
        "holds no raster band; if `gdalinfo` lists subdatasets, convert one with gdal_translate", path_);
  }
  if (band_ < 1 || band_ > GDALGetRasterCount(dataset)) {
    return invalid_argument("has " + std::to_string(GDALGetRasterCount(dataset)) +
                                " bands, numbered from 1; " + std::to_string(band_) + " is none of them",
                            path_);
  }
  const GDALRasterBandH band = GDALGetRasterBand(dataset, band_);
  type_ = GDALGetRasterDataType(band);
  if (GDALDataTypeIsComplex(type_) != 0) {
    return invalid_argument("holds complex numbers; convert it with gdal_translate -ot Float32", path_);
  }
  int given = 0;
  nodata_ = GDALGetRasterNoDataValue(band, &given);
  has_nodata_ = given != 0;
  if (role_ == RasterRole::kBiome) {
    if (!is_integer_type(type_)) {
      return invalid_argument(std::string("holds ") + GDALGetDataTypeName(type_) +
                                  " values; biome classes are whole numbers from 0 to 255: convert it with "
                                  "gdal_translate -ot Byte",
                              path_);
    }
    // A missing value that is no class is shown as 255; read_classes refuses a real 255 beside it. In a file
    // of bytes such a value cannot occur.
    const bool is_class = nodata_ >= 0 && nodata_ <= 255 && std::trunc(nodata_) == nodata_;
    has_nodata_ = has_nodata_ && (is_class || type_ != GDT_Byte);
    class_nodata_ = is_class ? static_cast<std::uint8_t>(nodata_) : std::uint8_t{255};
    return {};
  }
  const double unit = role_ == RasterRole::kMap ? 1 : height_unit(GDALGetRasterUnitType(band));
  scale_ = GDALGetRasterScale(band, &given) * unit;
  offset_ = GDALGetRasterOffset(band, &given) * unit;
  return {};
}

Status RasterDataset::probe() const {
  // A truncated file opens, since its header stands at the front; its last samples cannot be read. Better now
  // than after hours of a bake.
  const RasterInfo& info = grid_.info;
  const SampleWindow south{info.width - 1, 0, info.width, 1};
  const SampleWindow north{info.width - 1, info.height - 1, info.width, info.height};
  double value = 0;
  for (const SampleWindow& corner : {south, north}) {
    if (Status status = read_raw(corner, GDT_Float64, &value); !status.ok()) {
      status.code = StatusCode::kInvalidArgument;
      status.message += "; the file is probably truncated: copy it again";
      return status;
    }
  }
  return {};
}

bool RasterDataset::shares_crs_with(RasterDataset& other) {
  const GdalMessages messages;
  const std::scoped_lock lock(mutex_, other.mutex_);
  return same_crs(idle_.front().get(), other.idle_.front().get());
}

SampleWindow RasterDataset::covering(const Rect& need, std::int32_t halo) const {
  const auto margin = static_cast<double>(kUnitsPerMetre);
  const auto width = static_cast<Coord>(grid_.info.width * grid_.dx * margin);
  const auto height = static_cast<Coord>(grid_.info.height * grid_.dy * margin);
  const auto cell_x = static_cast<Coord>(grid_.dx * margin) + 1;
  const auto cell_y = static_cast<Coord>(grid_.dy * margin) + 1;
  // Cut to a cell around the raster first: differences of coordinates then cannot overflow.
  const auto on_x = [&](Coord x) { return std::clamp(x, grid_.x0 - cell_x, grid_.x0 + width + cell_x); };
  const auto on_y = [&](Coord y) { return std::clamp(y, grid_.y0 - cell_y, grid_.y0 + height + cell_y); };
  SampleWindow window;
  cover_axis(on_x(need.x0), on_x(std::max(need.x0, need.x1 - 1)), grid_.x0, grid_.dx, grid_.info.width, halo,
             window.column0, window.column1);
  cover_axis(on_y(need.y0), on_y(std::max(need.y0, need.y1 - 1)), grid_.y0, grid_.dy, grid_.info.height, halo,
             window.row0, window.row1);
  return window;
}

template <class T>
Status RasterDataset::read_raw(const SampleWindow& window, GDALDataType type, T* out) const {
  const GdalMessages messages;
  STREW_ASSIGN(Handle handle, take_handle());
  const std::int32_t file_row = grid_.north_up ? grid_.info.height - window.row1 : window.row0;
  const GDALRasterBandH band = GDALGetRasterBand(handle.get(), band_);
  make_room_in_cache(band, window.column0, file_row, window.width(), window.height());
  const CPLErr error = GDALRasterIO(band, GF_Read, window.column0, file_row, window.width(), window.height(),
                                    out, window.width(), window.height(), type, 0, 0);
  if (error != CE_None) {
    return make_error(StatusCode::kIo,
                      "cannot be read at column " + std::to_string(window.column0) + ", row " +
                          std::to_string(file_row) + " of the file" + messages.words(),
                      path_);
  }
  give_handle(std::move(handle));
  if (grid_.north_up) {
    const auto width = static_cast<std::ptrdiff_t>(window.width());
    for (std::int32_t low = 0, high = window.height() - 1; low < high; ++low, --high) {
      std::swap_ranges(out + low * width, out + (low + 1) * width, out + high * width);
    }
  }
  return {};
}

Status RasterDataset::read_elevation(const SampleWindow& window, std::vector<float>& out) const {
  const std::size_t count =
      static_cast<std::size_t>(window.width()) * static_cast<std::size_t>(window.height());
  out.resize(count);
  // Types that fit a float are read as such; the others in double, so that nodata is compared before
  // rounding.
  const bool narrow = type_ == GDT_Float32 || type_ == GDT_Byte || type_ == GDT_UInt16 || type_ == GDT_Int16;
  const auto convert = [this](double raw, double missing) {
    const bool absent = std::isnan(raw) || (has_nodata_ && raw == missing);
    return absent ? std::numeric_limits<float>::quiet_NaN() : to_height(raw * scale_ + offset_);
  };
  if (narrow) {
    STREW_RETURN_IF_ERROR(read_raw(window, GDT_Float32, out.data()));
    const double missing = to_height(nodata_);
    std::transform(out.begin(), out.end(), out.begin(), [&](float raw) { return convert(raw, missing); });
    return {};
  }
  std::vector<double> raw(count);
  STREW_RETURN_IF_ERROR(read_raw(window, GDT_Float64, raw.data()));
  std::transform(raw.begin(), raw.end(), out.begin(), [&](double value) { return convert(value, nodata_); });
  return {};
}

Status RasterDataset::read_classes(const SampleWindow& window, std::vector<std::uint8_t>& out) const {
  const std::size_t count =
      static_cast<std::size_t>(window.width()) * static_cast<std::size_t>(window.height());
  out.resize(count);
  if (type_ == GDT_Byte) {
    return read_raw(window, GDT_Byte, out.data());
  }
  std::vector<double> raw(count);
  STREW_RETURN_IF_ERROR(read_raw(window, GDT_Float64, raw.data()));
  const bool shown_as_255 = has_nodata_ && class_nodata_ != nodata_;
  for (std::size_t i = 0; i < count; ++i) {
    if (has_nodata_ && raw[i] == nodata_) {
      out[i] = class_nodata_;
      continue;
    }
    if (raw[i] < 0 || raw[i] > (shown_as_255 ? 254 : 255)) {
      return invalid_argument("holds the biome class " + number_text(raw[i]) +
                                  "; classes are whole numbers from 0 to " +
                                  (shown_as_255 ? "254, as nodata is none of them" : "255") +
                                  ": renumber them and write the file with gdal_translate -ot Byte",
                              path_);
    }
    out[i] = static_cast<std::uint8_t>(raw[i]);
  }
  return {};
}

}  // namespace strew
