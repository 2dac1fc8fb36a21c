#include <exception>
#include <memory>
#include <new>

#include "gdal_messages.hpp"
#include "raster_dataset.hpp"
#include "strew/io/raster.hpp"

namespace strew {
namespace {

/// Runs `body` and turns what the standard library throws into a Status; GDAL throws nothing.
template <class Body>
auto guarded(const std::string& where, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory,
                      "not enough memory to read this part of the raster; read less at a time", where);
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal, std::string("reading the raster failed: ") + exception.what(),
                      where);
  }
}

template <class T>
RasterView<T> view_of(const std::vector<T>& data, const RasterGrid& grid, const SampleWindow& window) {
  RasterView<T> view;
  view.data = data.data();
  view.width = window.width();
  view.height = window.height();
  view.stride = window.width();
  view.x0 = grid.x0;
  view.y0 = grid.y0;
  view.first_column = window.column0;
  view.first_row = window.row0;
  view.dx = grid.dx;
  view.dy = grid.dy;
  return view;
}

Status check_crs(RasterDataset& elevation, RasterDataset& biome) {
  if (elevation.shares_crs_with(biome)) {
    return {};
  }
  return invalid_argument(
      "has the CRS " + biome.grid().info.crs_name + ", while " + elevation.path() + " has " +
          elevation.grid().info.crs_name +
          "; reproject one of them with gdalwarp -t_srs, or set assume_same_crs if they agree in "
          "all but the name",
      biome.path());
}

Status check_crs_known(const RasterDataset& raster) {
  if (raster.grid().crs_known) {
    return {};
  }
  return invalid_argument(
      "does not name its CRS, so its unit is unknown; set assume_same_crs if its coordinates are metres, or "
      "write the "
      "CRS into it with gdal_edit.py -a_srs",
      raster.path());
}

class GdalTerrain final : public RasterTerrain {
 public:
  GdalTerrain(std::unique_ptr<RasterDataset> elevation, std::unique_ptr<RasterDataset> biome)
      : elevation_(std::move(elevation)), biome_(std::move(biome)) {}

  [[nodiscard]] const RasterInfo& info() const noexcept override {
    return elevation_ != nullptr ? elevation_->grid().info : biome_->grid().info;
  }

  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    const std::string& where = (elevation_ != nullptr ? elevation_ : biome_)->path();
    return guarded(where, [&]() -> Status {
      out.view = {};
      if (elevation_ != nullptr) {
        STREW_RETURN_IF_ERROR(read_elevation(need, out));
      }
      if (biome_ != nullptr) {
        STREW_RETURN_IF_ERROR(read_biome(need, out));
      }
      return {};
    });
  }

 private:
  Status read_elevation(const Rect& need, TerrainWindow& out) const {
    constexpr std::int32_t kHornHalo = 1;
    const SampleWindow window = elevation_->covering(need, kHornHalo);
    STREW_RETURN_IF_ERROR(elevation_->read_elevation(window, out.elevation));
    out.view.elevation = view_of(out.elevation, elevation_->grid(), window);
    out.slope.resize(out.elevation.size());
    horn_slope(out.view.elevation, out.slope);
    out.view.slope = view_of(out.slope, elevation_->grid(), window);
    return {};
  }

  Status read_biome(const Rect& need, TerrainWindow& out) const {
    const SampleWindow window = biome_->covering(need, 0);
    STREW_RETURN_IF_ERROR(biome_->read_classes(window, out.biome));
    out.view.biome = view_of(out.biome, biome_->grid(), window);
    out.view.biome.nodata = biome_->class_nodata();
    out.view.biome.has_nodata = biome_->has_class_nodata();
    return {};
  }

  std::unique_ptr<RasterDataset> elevation_;
  std::unique_ptr<RasterDataset> biome_;
};

Result<std::unique_ptr<RasterDataset>> open_part(const std::string& path, RasterRole role,
                                                 bool assume_same_crs) {
  if (path.empty()) {
    return std::unique_ptr<RasterDataset>();
  }
  STREW_ASSIGN(std::unique_ptr<RasterDataset> raster, RasterDataset::open(path, role));
  if (!assume_same_crs) {
    STREW_RETURN_IF_ERROR(check_crs_known(*raster));
  }
  return raster;
}

}  // namespace

Result<std::unique_ptr<RasterTerrain>> RasterTerrain::open(const std::string& elevation_path,
                                                           const std::string& biome_path,
                                                           bool assume_same_crs) {
  using Opened = Result<std::unique_ptr<RasterTerrain>>;
  return guarded(elevation_path.empty() ? biome_path : elevation_path, [&]() -> Opened {
    if (elevation_path.empty() && biome_path.empty()) {
      return invalid_argument("names no raster; give an elevation raster, a biome raster or both", "terrain");
    }
    STREW_ASSIGN(auto elevation, open_part(elevation_path, RasterRole::kElevation, assume_same_crs));
    STREW_ASSIGN(auto biome, open_part(biome_path, RasterRole::kBiome, assume_same_crs));
    if (elevation != nullptr && biome != nullptr && !assume_same_crs) {
      STREW_RETURN_IF_ERROR(check_crs(*elevation, *biome));
    }
    return std::unique_ptr<RasterTerrain>(
        std::make_unique<GdalTerrain>(std::move(elevation), std::move(biome)));
  });
}

Result<std::string> raster_crs(const std::string& path) {
  return guarded(path, [&]() -> Result<std::string> {
    const GdalMessages messages;
    const std::unique_ptr<void, void (*)(GDALDatasetH)> dataset(
        GDALOpenEx(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr, nullptr,
                   nullptr),
        [](GDALDatasetH one) {
          if (one != nullptr) {
            GDALClose(one);
          }
        });
    if (dataset == nullptr) {
      return invalid_argument("cannot be opened as a raster" + messages.words(), path);
    }
    std::string wkt = GDALGetProjectionRef(dataset.get());
    if (wkt.empty()) {
      return invalid_argument("has no coordinate system; name one", path);
    }
    return wkt;
  });
}

Result<FloatRaster> read_float_raster(const std::string& path) {
  return guarded(path, [&]() -> Result<FloatRaster> {
    STREW_ASSIGN(const auto raster, RasterDataset::open(path, RasterRole::kElevation));
    FloatRaster out;
    out.info = raster->grid().info;
    const SampleWindow whole{0, 0, out.info.width, out.info.height};
    STREW_RETURN_IF_ERROR(raster->read_elevation(whole, out.data));
    out.view = view_of(out.data, raster->grid(), whole);
    return out;
  });
}

}  // namespace strew
