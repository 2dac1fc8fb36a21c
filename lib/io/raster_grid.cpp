#include "raster_grid.hpp"

#include <array>
#include <cmath>
#include <filesystem>

#include "number_text.hpp"

namespace strew {
namespace {

using GeoTransform = std::array<double, 6>;

/// As a shell word, so that a command in a message can be run as it stands.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:=,@%";
  if (!text.empty() && text.find_first_not_of(kSafe) == std::string::npos) {
    return text;
  }
  std::string result = "'";
  for (const char c : text) {
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result + "'";
}

/// "in.tif" and "_utm" -> "in_utm.tif".
std::string sibling(const std::string& path, std::string_view suffix) {
  const std::filesystem::path source(path);
  return (source.parent_path() / (source.stem().string() + std::string(suffix) + ".tif")).string();
}

std::string warp_command(const std::string& options, const std::string& path, RasterRole role) {
  return "`gdalwarp " + options + (role == RasterRole::kBiome ? "-r near " : "-r bilinear ") +
         shell_word(path) + " " + shell_word(sibling(path, "_metres")) + "`";
}

/// The UTM zone of a place, or the polar system where UTM ends.
int metric_epsg(double longitude, double latitude) {
  const bool north = latitude >= 0;
  if (std::fabs(latitude) > 84) {
    return north ? 32661 : 32761;
  }
  const double wrapped = longitude - 360 * std::floor((longitude + 180) / 360);
  const int zone = std::min(60, static_cast<int>((wrapped + 180) / 6) + 1);
  return (north ? 32600 : 32700) + zone;
}

Status refuse_degrees(OGRSpatialReferenceH crs, const GeoTransform& transform, const RasterGrid& grid,
                      const std::string& path, RasterRole role) {
  const double to_degrees = OSRGetAngularUnits(crs, nullptr) * (180.0 / 3.14159265358979323846);
  const double column = grid.info.width / 2.0;
  const double row = grid.info.height / 2.0;
  const double longitude = (transform[0] + column * transform[1] + row * transform[2]) * to_degrees;
  const double latitude = (transform[3] + column * transform[4] + row * transform[5]) * to_degrees;
  const int epsg = metric_epsg(longitude, latitude);
  return invalid_argument("has coordinates in degrees (" + grid.info.crs_name +
                              "); strew needs metres. Reproject it, for example with " +
                              warp_command("-t_srs EPSG:" + std::to_string(epsg) + " ", path, role) +
                              ", and use the new file",
                          path);
}

Status check_transform(const GeoTransform& transform, const std::string& path, RasterRole role) {
  for (const double value : transform) {
    if (!std::isfinite(value)) {
      return invalid_argument(
          "has a geotransform that is not finite; write a correct one with gdal_edit.py -a_ullr", path);
    }
  }
  if (transform[2] != 0 || transform[4] != 0) {
    return invalid_argument("is rotated: its rows do not run east to west. Straighten it with " +
                                warp_command("", path, role) + ", and use the new file",
                            path);
  }
  if (transform[1] <= 0 || transform[5] == 0) {
    return invalid_argument("has cells of " + number_text(transform[1]) + " by " + number_text(transform[5]) +
                                "; the width must be above 0 and the height not 0. Correct it with " +
                                warp_command("", path, role) + ", and use the new file",
                            path);
  }
  return {};
}

/// Fills name and unit. A raster without a CRS passes as metres; whether that is accepted is the caller's
/// choice.
Status read_crs(GDALDatasetH dataset, const GeoTransform& transform, const std::string& path, RasterRole role,
                RasterGrid& grid) {
  const OGRSpatialReferenceH crs = GDALGetSpatialRef(dataset);
  if (crs == nullptr) {
    return {};
  }
  grid.crs_known = true;
  if (const char* name = OSRGetName(crs); name != nullptr) {
    grid.info.crs_name = name;
  }
  if (OSRIsGeographic(crs) != 0) {
    return refuse_degrees(crs, transform, grid, path, role);
  }
  if (OSRIsGeocentric(crs) != 0) {
    return invalid_argument(
        "has geocentric coordinates (" + grid.info.crs_name +
            "); strew needs a projected system in metres: reproject it with gdalwarp -t_srs",
        path);
  }
  const double unit = OSRGetLinearUnits(crs, nullptr);
  grid.info.linear_unit_m = unit > 0 ? unit : 1;
  return {};
}

}  // namespace

Result<RasterGrid> read_grid(GDALDatasetH dataset, const std::string& path, RasterRole role) {
  RasterGrid grid;
  RasterInfo& info = grid.info;
  info.width = GDALGetRasterXSize(dataset);
  info.height = GDALGetRasterYSize(dataset);
  GeoTransform transform{};
  if (GDALGetGeoTransform(dataset, transform.data()) != CE_None) {
    return invalid_argument(
        "says not where it lies (no geotransform, no world file). Write it, for example with `gdal_translate "
        "-a_srs "
        "EPSG:32632 -a_ullr WEST NORTH EAST SOUTH " +
            shell_word(path) + " " + shell_word(sibling(path, "_placed")) + "`, and use the new file",
        path);
  }
  STREW_RETURN_IF_ERROR(read_crs(dataset, transform, path, role, grid));
  STREW_RETURN_IF_ERROR(check_transform(transform, path, role));

  const double unit = info.linear_unit_m;
  grid.north_up = transform[5] < 0;
  grid.dx = transform[1] * unit;
  grid.dy = std::fabs(transform[5]) * unit;
  const double west = transform[0];
  const double south = grid.north_up ? transform[3] + info.height * transform[5] : transform[3];
  info.x0_m = west * unit;
  info.y0_m = south * unit;
  info.x1_m = (west + info.width * transform[1]) * unit;
  info.y1_m = (south + info.height * std::fabs(transform[5])) * unit;
  // The geotransform names edges of pixels, whatever AREA_OR_POINT says; samples stand at their centres.
  STREW_ASSIGN(grid.x0, to_coord((west + 0.5 * transform[1]) * unit, path));
  STREW_ASSIGN(grid.y0, to_coord((south + 0.5 * std::fabs(transform[5])) * unit, path));
  STREW_ASSIGN([[maybe_unused]] const Rect footprint,
               rect_from_metres(info.x0_m, info.y0_m, info.x1_m, info.y1_m, path));
  return grid;
}

bool same_crs(GDALDatasetH a, GDALDatasetH b) {
  // The order of axes is a matter of each file's encoding; GDAL hands out x, y either way.
  const char* const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", nullptr};
  return OSRIsSameEx(GDALGetSpatialRef(a), GDALGetSpatialRef(b), options) != 0;
}

}  // namespace strew
