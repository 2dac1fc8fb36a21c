// Polygons and lines through OGR.
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <memory>

#include "gdal_messages.hpp"
#include "number_text.hpp"
#include "strew/io/fields.hpp"

namespace strew {
namespace {

struct CloseDataset {
  void operator()(GDALDatasetH dataset) const noexcept { GDALClose(dataset); }
};
using Dataset = std::unique_ptr<void, CloseDataset>;
struct DestroyFeature {
  void operator()(OGRFeatureH feature) const noexcept { OGR_F_Destroy(feature); }
};
struct DestroyGeometry {
  void operator()(OGRGeometryH geometry) const noexcept { OGR_G_DestroyGeometry(geometry); }
};

constexpr int kDeepest = 32;  // of collections within collections

class Reader {
 public:
  explicit Reader(const ShapeFile& file) : file_(file) { data_.buffer_m = file.buffer_m; }

  Status read(OGRLayerH layer) {
    OGR_L_ResetReading(layer);
    for (;;) {
      const std::unique_ptr<void, DestroyFeature> feature(OGR_L_GetNextFeature(layer));
      if (feature == nullptr) {
        return {};
      }
      feature_ = std::to_string(OGR_F_GetFID(feature.get()));
      if (OGRGeometryH geometry = OGR_F_GetGeometryRef(feature.get()); geometry != nullptr) {
        const std::unique_ptr<void, DestroyGeometry> straight(OGR_G_GetLinearGeometry(geometry, 0, nullptr));
        if (straight != nullptr) {
          STREW_RETURN_IF_ERROR(add(straight.get(), 0));
        }
      }
    }
  }
  [[nodiscard]] std::size_t others() const noexcept { return others_; }
  ShapeData take() { return std::move(data_); }

 private:
  Status add(OGRGeometryH geometry, int depth) {
    switch (wkbFlatten(OGR_G_GetGeometryType(geometry))) {
      case wkbPolygon:
        return add_polygon(geometry);
      case wkbLineString:
      case wkbLinearRing: {
        std::vector<Vertex> line;
        STREW_RETURN_IF_ERROR(vertices(geometry, line));
        if (line.size() > 1) {
          data_.lines.push_back(std::move(line));
        }
        return {};
      }
      case wkbMultiPolygon:
      case wkbMultiLineString:
      case wkbGeometryCollection:
        if (depth >= kDeepest) {
          return invalid_argument("feature " + feature_ + " nests collections more than 32 deep", file_.path);
        }
        for (int i = 0; i < OGR_G_GetGeometryCount(geometry); ++i) {
          STREW_RETURN_IF_ERROR(add(OGR_G_GetGeometryRef(geometry, i), depth + 1));
        }
        return {};
      default:
        ++others_;
        return {};
    }
  }
  Status add_polygon(OGRGeometryH polygon) {
    std::vector<Ring> rings;
    for (int i = 0; i < OGR_G_GetGeometryCount(polygon); ++i) {
      Ring ring;
      STREW_RETURN_IF_ERROR(vertices(OGR_G_GetGeometryRef(polygon, i), ring));
      if (ring.size() > 1 && ring.front() == ring.back()) {
        ring.pop_back();
      }
      if (ring.size() > 2) {
        rings.push_back(std::move(ring));
      }
    }
    if (!rings.empty()) {
      data_.polygons.push_back(std::move(rings));
    }
    return {};
  }
  Status vertices(OGRGeometryH geometry, std::vector<Vertex>& out) const {
    const int count = OGR_G_GetPointCount(geometry);
    out.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      const auto x = to_coord(OGR_G_GetX(geometry, i), file_.path);
      const auto y = to_coord(OGR_G_GetY(geometry, i), file_.path);
      if (!x.ok() || !y.ok()) {
        return invalid_argument("feature " + feature_ + " has the vertex (" +
                                    number_text(OGR_G_GetX(geometry, i)) + ", " +
                                    number_text(OGR_G_GetY(geometry, i)) +
                                    "), which is no place within +-1073741823 m; mend or remove the feature",
                                file_.path);
      }
      out.push_back({x.value(), y.value()});
    }
    return {};
  }

  const ShapeFile& file_;
  ShapeData data_;
  std::string feature_;
  std::size_t others_ = 0;
};

Status check_crs(OGRLayerH layer, const ShapeFile& file, GDALDatasetH reference, bool assume_same_crs) {
  const OGRSpatialReferenceH crs = OGR_L_GetSpatialRef(layer);
  if (crs == nullptr) {
    return assume_same_crs ? Status()
                           : invalid_argument(
                                 "does not name its CRS; set assume_same_crs if its coordinates "
                                 "are the terrain's metres, or write the CRS with ogr2ogr -a_srs",
                                 file.path);
  }
  if (OSRIsGeographic(crs) != 0) {
    return invalid_argument(
        std::string("has coordinates in degrees (") + OSRGetName(crs) +
            "); strew needs metres. Reproject it with `ogr2ogr -t_srs EPSG:CODE NEW.gpkg " + file.path +
            "`, where CODE is the terrain's, and use the new file",
        file.path);
  }
  if (const double unit = OSRGetLinearUnits(crs, nullptr); unit != 1) {
    return invalid_argument(
        "has a unit of " + number_text(unit) + " m; strew needs metres: reproject it with ogr2ogr -t_srs",
        file.path);
  }
  const char* const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", nullptr};
  if (!assume_same_crs && reference != nullptr &&
      OSRIsSameEx(crs, GDALGetSpatialRef(reference), options) == 0) {
    return invalid_argument(std::string("has the CRS ") + OSRGetName(crs) +
                                ", another than the terrain; reproject it with ogr2ogr -t_srs, or set "
                                "assume_same_crs if they agree in all but the name",
                            file.path);
  }
  return {};
}

}  // namespace

Result<ShapeData> read_shapes(const ShapeFile& file, const std::string& crs_of, bool assume_same_crs) {
  const GdalMessages messages;
  const Dataset dataset(GDALOpenEx(file.path.c_str(),
                                   GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr,
                                   nullptr, nullptr));
  if (dataset == nullptr) {
    return invalid_argument(
        "cannot be opened as vector data" + messages.words() +
            "; give an undamaged GeoJSON, GeoPackage or another format that `ogrinfo` reads",
        file.path);
  }
  Dataset reference;
  if (!crs_of.empty()) {
    reference.reset(GDALOpenEx(crs_of.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, nullptr, nullptr, nullptr));
  }
  Reader reader(file);
  std::string names;
  bool found = false;
  for (int i = 0; i < GDALDatasetGetLayerCount(dataset.get()); ++i) {
    OGRLayerH layer = GDALDatasetGetLayer(dataset.get(), i);
    const std::string name = OGR_L_GetName(layer);
    names += (names.empty() ? "" : ", ") + name;
    if (file.layer.empty() || name == file.layer) {
      found = true;
      STREW_RETURN_IF_ERROR(check_crs(layer, file, reference.get(), assume_same_crs));
      STREW_RETURN_IF_ERROR(reader.read(layer));
    }
  }
  if (!found) {
    return invalid_argument(file.layer.empty() ? std::string("holds no layers")
                                               : "has no layer \"" + file.layer + "\"; it has: " + names,
                            file.path);
  }
  ShapeData data = reader.take();
  if (data.polygons.empty() && data.lines.empty() && reader.others() > 0) {
    return invalid_argument(
        "holds points only; shapes are polygons and lines: buffer the points into polygons", file.path);
  }
  return data;
}

}  // namespace strew
