// Rasters made by a test, through GDAL itself.
#pragma once

#include <gdal.h>
#include <gtest/gtest.h>
#include <ogr_srs_api.h>

#include <array>
#include <string>
#include <vector>

namespace strew_test {

struct MadeRaster {
  int width = 4;
  int height = 3;
  std::array<double, 6> transform = {500000, 10, 0, 4000030, 0, -10};
  bool placed = true;              ///< false: no geotransform
  std::string crs = "EPSG:32632";  ///< empty: none
  GDALDataType type = GDT_Float32;
  int bands = 1;
  bool has_nodata = false;
  double nodata = 0;
  double scale = 1;
  double offset = 0;
  std::string unit;
  std::vector<double> values;  ///< of band 1, first row of the file first; empty: 0, 1, 2, ...

  void write(const std::string& path) const {
    GDALAllRegister();
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("GTiff"), path.c_str(), width, height, bands, type, nullptr);
    ASSERT_NE(dataset, nullptr);
    if (placed) {
      std::array<double, 6> copy = transform;
      EXPECT_EQ(GDALSetGeoTransform(dataset, copy.data()), CE_None);
    }
    if (!crs.empty()) {
      OGRSpatialReferenceH reference = OSRNewSpatialReference(nullptr);
      EXPECT_EQ(OSRSetFromUserInput(reference, crs.c_str()), OGRERR_NONE);
      OSRSetAxisMappingStrategy(reference, OAMS_TRADITIONAL_GIS_ORDER);
      EXPECT_EQ(GDALSetSpatialRef(dataset, reference), CE_None);
      OSRRelease(reference);
    }
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    if (has_nodata) {
      GDALSetRasterNoDataValue(band, nodata);
    }
    if (scale != 1 || offset != 0) {
      GDALSetRasterScale(band, scale);
      GDALSetRasterOffset(band, offset);
    }
    if (!unit.empty()) {
      GDALSetRasterUnitType(band, unit.c_str());
    }
    std::vector<double> data = values;
    for (int i = 0; data.size() < static_cast<std::size_t>(width) * static_cast<std::size_t>(height); ++i) {
      data.push_back(i);
    }
    EXPECT_EQ(
        GDALRasterIO(band, GF_Write, 0, 0, width, height, data.data(), width, height, GDT_Float64, 0, 0),
        CE_None);
    GDALClose(dataset);
  }
};

}  // namespace strew_test
