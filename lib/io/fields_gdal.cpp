// Maps by windows and shapes in memory, beside another terrain.
#include <exception>
#include <limits>
#include <new>

#include "raster_dataset.hpp"
#include "strew/io/fields.hpp"

namespace strew {
namespace {

/// One map: a band, or two to be put against each other.
class Map {
 public:
  static Result<Map> open(const MapFile& file) {
    Map map;
    STREW_ASSIGN(map.band_, RasterDataset::open(file.path, RasterRole::kMap, file.band));
    if (file.minus_band != 0) {
      STREW_ASSIGN(map.minus_, RasterDataset::open(file.path, RasterRole::kMap, file.minus_band));
    }
    return map;
  }
  [[nodiscard]] RasterDataset& dataset() const noexcept { return *band_; }

  Status read(const Rect& need, std::vector<float>& data, RasterView<float>& view) const {
    const SampleWindow window = band_->covering(need, 0);
    STREW_RETURN_IF_ERROR(band_->read_elevation(window, data));
    if (minus_ != nullptr) {
      std::vector<float> minus;
      STREW_RETURN_IF_ERROR(minus_->read_elevation(window, minus));
      for (std::size_t i = 0; i < data.size(); ++i) {
        const float sum = data[i] + minus[i];
        data[i] = sum != 0 ? (data[i] - minus[i]) / sum : std::numeric_limits<float>::quiet_NaN();
      }
    }
    const RasterGrid& grid = band_->grid();
    view = {data.data(), window.width(), window.height(), window.width(), grid.x0, grid.y0, grid.dx, grid.dy};
    view.first_column = window.column0;
    view.first_row = window.row0;
    return {};
  }

 private:
  std::unique_ptr<RasterDataset> band_;
  std::unique_ptr<RasterDataset> minus_;
};

class FieldTerrain final : public TerrainSource {
 public:
  explicit FieldTerrain(std::unique_ptr<TerrainSource> base) : base_(std::move(base)) {}

  Status open(const FieldFiles& files) {
    std::unique_ptr<RasterDataset> reference;
    if (!files.crs_of.empty() && !files.assume_same_crs) {
      STREW_ASSIGN(reference, RasterDataset::open(files.crs_of, RasterRole::kElevation));
    }
    for (const MapFile& file : files.maps) {
      STREW_ASSIGN(Map map, Map::open(file));
      if (!files.assume_same_crs) {
        STREW_RETURN_IF_ERROR(check_crs(map.dataset(), reference.get()));
      }
      maps_.push_back(std::move(map));
    }
    for (const ShapeFile& file : files.shapes) {
      STREW_ASSIGN(const ShapeData data, read_shapes(file, files.crs_of, files.assume_same_crs));
      auto shapes = Shapes::create(data, file.reach_m);
      if (!shapes.ok()) {
        Status status = shapes.status();
        status.where = file.path + ": " + status.where;
        return status;
      }
      shapes_.push_back(std::make_unique<Shapes>(std::move(shapes).value()));
      shape_list_.push_back(shapes_.back().get());
    }
    return {};
  }

  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    try {
      STREW_RETURN_IF_ERROR((base_ != nullptr ? *base_ : flat_terrain()).window(need, out));
      out.map_data.resize(maps_.size());
      out.maps.resize(maps_.size());
      for (std::size_t i = 0; i < maps_.size(); ++i) {
        STREW_RETURN_IF_ERROR(maps_[i].read(need, out.map_data[i], out.maps[i]));
      }
      out.view.maps = out.maps;
      out.view.shapes = shape_list_;
      return {};
    } catch (const std::bad_alloc&) {
      return make_error(StatusCode::kOutOfMemory, "not enough memory to read this part of the maps");
    } catch (const std::exception& exception) {
      return make_error(StatusCode::kInternal, exception.what());
    }
  }

 private:
  static Status check_crs(RasterDataset& map, RasterDataset* reference) {
    if (!map.grid().crs_known) {
      return invalid_argument(
          "does not name its CRS, so its unit is unknown; set assume_same_crs if its coordinates are metres, "
          "or write the CRS into it with gdal_edit.py -a_srs",
          map.path());
    }
    if (reference != nullptr && !(reference->grid().crs_known && reference->shares_crs_with(map))) {
      return invalid_argument(
          "has the CRS " + map.grid().info.crs_name + ", while " + reference->path() + " has " +
              reference->grid().info.crs_name +
              "; reproject one of them with gdalwarp -t_srs, or set assume_same_crs if they "
              "agree in all but the name",
          map.path());
    }
    return {};
  }

  std::unique_ptr<TerrainSource> base_;
  std::vector<Map> maps_;
  std::vector<std::unique_ptr<Shapes>> shapes_;
  std::vector<const Shapes*> shape_list_;
};

}  // namespace

Result<std::unique_ptr<TerrainSource>> with_fields(std::unique_ptr<TerrainSource> base,
                                                   const FieldFiles& files) {
  try {
    auto terrain = std::make_unique<FieldTerrain>(std::move(base));
    STREW_RETURN_IF_ERROR(terrain->open(files));
    return std::unique_ptr<TerrainSource>(std::move(terrain));
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "not enough memory to open the maps and shapes");
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal, exception.what());
  }
}

}  // namespace strew
