#include "analyze_input.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "common.hpp"
#include "fmt/format.h"
#include "strew/io/files.hpp"
#include "strew/world/bake.hpp"

namespace strew_tool {
namespace {

/// Far from the world's origin a double has few bits left for differences: positions are taken from whole
/// metres near the window.
void set_origin(double x0, double y0, PointInput& input) {
  input.origin_x = std::floor(x0);
  input.origin_y = std::floor(y0);
}

strew::Result<PointInput> from_file(const InputOptions& options) {
  STREW_ASSIGN(const strew::PointColumns points, strew::read_points(options.path));
  if (points.size() < 2) {
    return strew::invalid_argument(fmt::format("holds {} point{}; an analysis needs at least 2",
                                               points.size(), points.size() == 1 ? "" : "s"),
                                   options.path);
  }
  PointInput input;
  input.name = options.path;
  const auto [west, east] = std::minmax_element(points.x.begin(), points.x.end());
  const auto [south, north] = std::minmax_element(points.y.begin(), points.y.end());
  std::vector<double> sides = {*west, *south, *east, *north};
  const bool cropped = !options.region.empty();
  if (cropped) {
    STREW_ASSIGN(sides, parse_numbers(options.region, ',', 4, "--region"));
  } else if (!(*east > *west && *north > *south)) {
    return strew::invalid_argument(
        "all points lie on one line along an axis, so their bounding box has no area; give the window with "
        "--region",
        options.path);
  }
  if (!(sides[2] > sides[0] && sides[3] > sides[1])) {
    return strew::invalid_argument(
        fmt::format("\"{}\" has no area; give x0,y0,x1,y1 with x1 > x0 and y1 > y0", options.region),
        "--region");
  }
  input.window_from = cropped ? "--region" : "bounding box of the points";
  set_origin(sides[0], sides[1], input);
  input.window = {sides[0] - input.origin_x, sides[1] - input.origin_y, sides[2] - input.origin_x,
                  sides[3] - input.origin_y};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points.x[i];
    const double y = points.y[i];
    // A region is half-open, as everywhere in strew; the bounding box holds the points on its border.
    if (!cropped || (x >= sides[0] && x < sides[2] && y >= sides[1] && y < sides[3])) {
      input.x.push_back(x - input.origin_x);
      input.y.push_back(y - input.origin_y);
    }
  }
  if (input.x.size() < 2) {
    return strew::invalid_argument(
        fmt::format(
            "{} holds {} of the {} points of {}, which lie in [{}, {}] x [{}, {}] m; give a rectangle "
            "with at least 2",
            options.region, input.x.empty() ? "none" : "1", points.size(), options.path, *west, *east, *south,
            *north),
        "--region");
  }
  return input;
}

/// Primaries have no slash in their name; secondaries are named "layer/type".
strew::Result<std::size_t> choose_slot(const strew::Manifest& manifest, const InputOptions& options) {
  std::vector<std::uint64_t> totals(manifest.slots.size());
  for (const strew::BakedTile& tile : manifest.tiles) {
    for (std::size_t slot = 0; slot < totals.size() && slot < tile.counts.size(); ++slot) {
      totals[slot] += tile.counts[slot];
    }
  }
  std::vector<std::string_view> names;
  std::size_t largest = manifest.slots.size();
  for (std::size_t slot = 0; slot < manifest.slots.size(); ++slot) {
    const std::string& name = manifest.slots[slot].name;
    if (name == options.layer) {
      return slot;
    }
    names.push_back(name);
    const bool primary = name.find('/') == std::string::npos;
    if (primary && (largest == manifest.slots.size() || totals[slot] > totals[largest])) {
      largest = slot;
    }
  }
  if (options.layer.empty() && largest < manifest.slots.size()) {
    return largest;
  }
  const std::string_view nearest = strew::nearest_name(options.layer, names);
  std::string known;
  for (const std::string_view name : names) {
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return strew::make_error(
      strew::StatusCode::kNotFound,
      fmt::format("{} has no layer \"{}\"{}; it has {}", options.path, options.layer,
                  nearest.empty() ? "" : fmt::format(", did you mean {}", nearest), known),
      "--layer");
}

strew::Result<PointInput> from_bake(const InputOptions& options) {
  STREW_ASSIGN(const strew::Manifest manifest, strew::load_manifest(options.path));
  STREW_ASSIGN(const std::size_t slot, choose_slot(manifest, options));
  const strew::Rect whole =
      manifest.region.empty() ? manifest.extent : strew::intersection(manifest.region, manifest.extent);
  STREW_ASSIGN(const strew::Rect rect, region_in(whole, options.region, "bake"));
  PointInput input;
  input.name = options.path + ", layer " + manifest.slots[slot].name;
  input.window_from = options.region.empty() ? "region of the bake" : "--region";
  input.promised_distance = manifest.slots[slot].minimum_distance_m;
  set_origin(strew::to_metres(rect.x0), strew::to_metres(rect.y0), input);
  STREW_ASSIGN(const strew::Coord origin_x, strew::to_coord(input.origin_x, "origin"));
  STREW_ASSIGN(const strew::Coord origin_y, strew::to_coord(input.origin_y, "origin"));
  input.window = {strew::to_metres(rect.x0 - origin_x), strew::to_metres(rect.y0 - origin_y),
                  strew::to_metres(rect.x1 - origin_x), strew::to_metres(rect.y1 - origin_y)};
  for (const strew::BakedTile& tile : manifest.tiles) {
    const strew::Coord x0 = tile.tile_x * manifest.tile_size;
    const strew::Coord y0 = tile.tile_y * manifest.tile_size;
    const strew::Rect square = {x0, y0, x0 + manifest.tile_size, y0 + manifest.tile_size};
    if (strew::intersection(square, rect).empty() || tile.counts[slot] == 0) {
      continue;
    }
    STREW_ASSIGN(const std::vector<strew::InstanceTable> tables,
                 strew::load_tile(options.path, manifest, tile));
    const strew::InstanceTable& table = tables[slot];
    for (std::size_t i = 0; i < table.size(); ++i) {
      const strew::Coord x = table.x[i] * table.lattice.pitch;
      const strew::Coord y = table.y[i] * table.lattice.pitch;
      if (rect.contains(x, y)) {
        input.x.push_back(strew::to_metres(x - origin_x));
        input.y.push_back(strew::to_metres(y - origin_y));
      }
    }
  }
  if (input.x.size() < 2) {
    return strew::invalid_argument(
        fmt::format("{} has {} in {}; an analysis needs at least 2 points", input.name,
                    input.x.empty() ? "no points" : "1 point", describe(rect)),
        options.region.empty() ? options.path : "--region");
  }
  return input;
}

}  // namespace

strew::Result<PointInput> read_input(const InputOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(options.path, ignored)) {
    return from_bake(options);
  }
  if (!options.layer.empty()) {
    return strew::invalid_argument(
        "names a layer of a bake, and " + options.path + " is a file; leave it out", "--layer");
  }
  return from_file(options);
}

}  // namespace strew_tool
