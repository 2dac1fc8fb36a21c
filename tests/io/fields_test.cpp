// Maps and shapes from files: windows equal the whole, overviews are not used, bad files are refused by name.
#include "strew/io/fields.hpp"

#include <gdal.h>
#include <gdal_utils.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "shared_data.hpp"
#include "temporary_folder.hpp"

namespace strew {
namespace {

Rect metres(double x0, double y0, double x1, double y1) {
  return rect_from_metres(x0, y0, x1, y1, "test").value();
}

std::string write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}
std::string features(const std::string& geometry) {
  return R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32632"}},
            "features":[{"type":"Feature","properties":{},"geometry":)" +
         geometry + "}]}";
}

TEST(Fields, NdviIsTheSameThroughAnyWindow) {
  STREW_REQUIRE_SHARED(path, "L7_ETMs.tif");
  FieldFiles files;
  files.maps.push_back({path, 4, 3});
  const auto terrain = with_fields(nullptr, files);
  ASSERT_TRUE(terrain.ok()) << terrain.status().text();
  TerrainWindow whole;
  ASSERT_TRUE(terrain.value()->window(metres(288000, 9110000, 299000, 9121000), whole).ok());
  ASSERT_EQ(whole.view.maps.size(), 1U);
  double least = 2;
  double most = -2;
  for (int i = 0; i < 400; ++i) {
    const double px = 289000 + 23.7 * i;
    const double py = 9111000 + 22.3 * i;
    const Rect here = metres(px, py, px + 40, py + 40);
    TerrainWindow part;
    ASSERT_TRUE(terrain.value()->window(here, part).ok());
    double a = 0;
    double b = 0;
    ASSERT_EQ(sample_bilinear(whole.view.maps[0], here.x0, here.y0, a), SampleState::kValid);
    ASSERT_EQ(sample_bilinear(part.view.maps[0], here.x0, here.y0, b), SampleState::kValid);
    EXPECT_EQ(a, b);
    least = std::fmin(least, a);
    most = std::fmax(most, a);
  }
  EXPECT_GE(least, -1);
  EXPECT_LE(most, 1);
  EXPECT_LT(least, 0);   // water and roofs
  EXPECT_GT(most, 0.3);  // forest
}

TEST(Fields, OverviewsAreNotUsed) {
  STREW_REQUIRE_SHARED(source, "L7_ETMs.tif");
  const strew_test::TemporaryFolder folder;
  const std::string copy = folder.file("with_overviews.tif");
  std::filesystem::copy_file(source, copy);
  GDALDatasetH dataset = GDALOpen(copy.c_str(), GA_Update);
  ASSERT_NE(dataset, nullptr);
  const int levels[] = {2, 4, 8};
  ASSERT_EQ(GDALBuildOverviews(dataset, "AVERAGE", 3, levels, 0, nullptr, nullptr, nullptr), CE_None);
  GDALClose(dataset);
  std::array<TerrainWindow, 2> windows;
  for (std::size_t i = 0; i < 2; ++i) {
    FieldFiles files;
    files.maps.push_back({i == 0 ? source : copy, 4, 0});
    const auto terrain = with_fields(nullptr, files);
    ASSERT_TRUE(terrain.ok()) << terrain.status().text();
    ASSERT_TRUE(terrain.value()->window(metres(288000, 9110000, 299000, 9121000), windows[i]).ok());
  }
  EXPECT_EQ(windows[0].map_data, windows[1].map_data);
}

TEST(Fields, GeoJsonPolygonsLinesAndCollections) {
  const strew_test::TemporaryFolder folder;
  const std::string path =
      write(folder.file("a.geojson"), features(R"({"type":"GeometryCollection","geometries":[
      {"type":"MultiPolygon","coordinates":[[[[0,0],[100,0],[100,100],[0,100],[0,0]],[[40,40],[60,40],[60,60],[40,60],[40,40]]]]},
      {"type":"LineString","coordinates":[[200,0],[200,100]]},
      {"type":"Point","coordinates":[5,5]}]})"));
  ShapeFile file{path, "", 2, 50};
  const auto data = read_shapes(file, "", false);
  ASSERT_TRUE(data.ok()) << data.status().text();
  ASSERT_EQ(data.value().polygons.size(), 1U);
  EXPECT_EQ(data.value().polygons[0].size(), 2U);
  EXPECT_EQ(data.value().polygons[0][0].size(), 4U);
  EXPECT_EQ(data.value().lines.size(), 1U);
  FieldFiles files;
  files.shapes.push_back(file);
  const auto terrain = with_fields(nullptr, files);
  ASSERT_TRUE(terrain.ok());
  TerrainWindow window;
  ASSERT_TRUE(terrain.value()->window(metres(0, 0, 1, 1), window).ok());
  ASSERT_EQ(window.view.shapes.size(), 1U);
  const Rect place = metres(205, 50, 206, 51);
  EXPECT_DOUBLE_EQ(window.view.shapes[0]->signed_distance(place.x0, place.y0), 3);
}

/// GDAL writes a GeoPackage of what it reads from a GeoJSON file.
std::string to_geopackage(const std::string& source, const std::string& target, const char* layer,
                          bool append) {
  GDALAllRegister();
  GDALDatasetH from = GDALOpenEx(source.c_str(), GDAL_OF_VECTOR, nullptr, nullptr, nullptr);
  EXPECT_NE(from, nullptr);
  std::vector<std::string> words = {"-f", "GPKG", "-nln", layer};
  if (append) {
    words.emplace_back("-update");
  }
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  GDALVectorTranslateOptions* options = GDALVectorTranslateOptionsNew(arguments.data(), nullptr);
  int failed = 0;
  GDALDatasetH to = GDALVectorTranslate(target.c_str(), nullptr, 1, &from, options, &failed);
  EXPECT_NE(to, nullptr);
  GDALVectorTranslateOptionsFree(options);
  GDALClose(to);
  GDALClose(from);
  return target;
}

TEST(Fields, AGeoPackageIsReadAsTheGeoJsonItWasMadeOf) {
  const strew_test::TemporaryFolder folder;
  const std::string json = write(
      folder.file("plots.geojson"),
      features(
          R"({"type":"MultiPolygon","coordinates":[[[[0,0],[100,0],[100,100],[0,100],[0,0]],[[40,40],[60,40],[60,60],[40,60],[40,40]]],
      [[[200,200],[260,260],[260,200],[200,260],[200,200]]]]})"));
  const std::string package = to_geopackage(json, folder.file("plots.gpkg"), "plots", false);
  const auto data = read_shapes({package, "", 3, 50}, "", false);
  ASSERT_TRUE(data.ok()) << data.status().text();
  const auto expected = read_shapes({json, "", 3, 50}, "", false);
  ASSERT_TRUE(expected.ok());
  const auto shapes = Shapes::create(data.value(), 50);
  const auto same = Shapes::create(expected.value(), 50);
  ASSERT_TRUE(shapes.ok() && same.ok());
  double inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Rect at = metres(-20 + 0.16 * i, -20 + (37 * i) % 300, 1e6, 1e6);
    const double distance = shapes.value().signed_distance(at.x0, at.y0);
    EXPECT_EQ(distance, same.value().signed_distance(at.x0, at.y0));
    inside += distance < 0 ? 1 : 0;
  }
  EXPECT_GT(inside, 200);
  // Of several layers one may be named; all without a name. Another CRS is told apart.
  const std::string line = write(folder.file("line.geojson"),
                                 features(R"({"type":"LineString","coordinates":[[500,0],[500,90]]})"));
  to_geopackage(line, package, "roads", true);
  EXPECT_EQ(read_shapes({package, "roads", 0, 10}, "", false).value().lines.size(), 1U);
  EXPECT_TRUE(read_shapes({package, "roads", 0, 10}, "", false).value().polygons.empty());
  EXPECT_EQ(read_shapes({package, "plots", 0, 10}, "", false).value().polygons.size(), 2U);
  EXPECT_EQ(read_shapes({package, "", 0, 10}, "", false).value().lines.size(), 1U);
  EXPECT_NE(read_shapes({package, "rivers", 0, 10}, "", false).status().message.find("no layer"),
            std::string::npos);
}

TEST(Fields, DamagedGeoPackagesNeverCrash) {
  const strew_test::TemporaryFolder folder;
  const std::string json =
      write(folder.file("a.geojson"),
            features(R"({"type":"Polygon","coordinates":[[[0,0],[9,9],[9,0],[0,9],[0,0]]]})"));
  const std::string package = to_geopackage(json, folder.file("a.gpkg"), "a", false);
  std::ifstream in(package, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  ASSERT_GT(good.size(), 50000U);
  int refused = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    std::string bytes = good;
    if (i < 20) {
      bytes.resize(good.size() * i / 20);
    } else {
      for (std::size_t k = 0; k < 40; ++k) {
        bytes[(i * 7919 + k * 104729) % bytes.size()] ^= static_cast<char>(1 + (i + k) % 100);
      }
    }
    const auto data = read_shapes({write(folder.file("d.gpkg"), bytes), "", 0, 10}, "", true);
    if (data.ok()) {
      EXPECT_TRUE(Shapes::create(data.value(), 10).ok());
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
}

TEST(Fields, BadFilesAreRefusedByName) {
  const strew_test::TemporaryFolder folder;
  const auto refused = [&](const std::string& text) {
    const std::string path = write(folder.file("bad.geojson"), text);
    const auto data = read_shapes({path, "", 0, 10}, "", false);
    EXPECT_FALSE(data.ok()) << text;
    EXPECT_EQ(data.ok() ? "" : data.status().where, path);
    return data.ok() ? "" : data.status().message;
  };
  refused("");
  refused("{");
  refused("not vectors at all");
  EXPECT_NE(refused(features(R"({"type":"Point","coordinates":[1,2]})")).find("points"), std::string::npos);
  EXPECT_NE(refused(R"({"type":"LineString","coordinates":[[1,2],[3,4]]})").find("degrees"),
            std::string::npos);
  EXPECT_NE(refused(features(R"({"type":"LineString","coordinates":[[1,2],[3e20,4]]})")).find("vertex"),
            std::string::npos);
  const auto missing = read_shapes({folder.file("none.gpkg"), "", 0, 10}, "", false);
  EXPECT_FALSE(missing.ok());
  const std::string good =
      write(folder.file("b.geojson"), features(R"({"type":"LineString","coordinates":[[1,2],[3,4]]})"));
  EXPECT_NE(read_shapes({good, "rivers", 0, 10}, "", false).status().message.find("no layer"),
            std::string::npos);
}

// Every truncation of a good file, and bytes flipped: an error or shapes, never a crash.
TEST(Fields, DamagedGeoJsonNeverCrashes) {
  const strew_test::TemporaryFolder folder;
  const std::string good =
      features(R"({"type":"Polygon","coordinates":[[[0,0],[9,9],[9,0],[0,9],[0,0]],[[1,1]],[]]})");
  const std::string path = folder.file("d.geojson");
  int read = 0;
  for (std::size_t i = 0; i < 2 * good.size(); i += 3) {
    std::string text = good;
    if (i < good.size()) {
      text.resize(i);
    } else {
      text[i - good.size()] = static_cast<char>(text[i - good.size()] ^ static_cast<char>(1 + i % 60));
    }
    const auto data = read_shapes({write(path, text), "", 0, 10}, "", true);
    if (data.ok()) {
      EXPECT_TRUE(Shapes::create(data.value(), 10).ok());
      ++read;
    }
  }
  EXPECT_GT(read, 10);
}

TEST(Fields, BandsThatAreNotThereAreRefused) {
  STREW_REQUIRE_SHARED(path, "L7_ETMs.tif");
  for (const std::int32_t band : {0, 7, -1}) {
    FieldFiles files;
    files.maps.push_back({path, band, 0});
    const auto terrain = with_fields(nullptr, files);
    ASSERT_FALSE(terrain.ok());
    EXPECT_EQ(terrain.status().where, path);
    EXPECT_NE(terrain.status().message.find("6 bands"), std::string::npos);
  }
}

TEST(Fields, ADegreeRasterAndAnotherCrsAreRefused) {
  STREW_REQUIRE_SHARED(degrees, "elev_degrees_epsg4326.tif");
  STREW_REQUIRE_SHARED(olinda, "olinda_dem_utm25s.tif");
  STREW_REQUIRE_SHARED(gorillas, "gorillas_elevation.tif");
  FieldFiles files;
  files.maps.push_back({degrees, 1, 0});
  EXPECT_EQ(with_fields(nullptr, files).status().where, degrees);
  files.maps[0].path = olinda;
  files.crs_of = gorillas;
  EXPECT_EQ(with_fields(nullptr, files).status().where, olinda);
  files.assume_same_crs = true;
  EXPECT_TRUE(with_fields(nullptr, files).ok());
}

}  // namespace
}  // namespace strew
