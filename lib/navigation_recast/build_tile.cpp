// Voxels to polygons with Recast.
#include "build_tile.hpp"

#include <algorithm>
#include <cmath>

#include "number_text.hpp"

namespace strew::nav {
namespace {

constexpr int kMostSpans = 1 << 24;  ///< rcCompactCell::index has 24 bits
constexpr int kVerticesPerPolygon = 6;

using HeightfieldPtr = std::unique_ptr<rcHeightfield, Freed<rcFreeHeightField>>;
using CompactPtr = std::unique_ptr<rcCompactHeightfield, Freed<rcFreeCompactHeightfield>>;
using ContoursPtr = std::unique_ptr<rcContourSet, Freed<rcFreeContourSet>>;

Status beyond_a_tile(const std::string& what) {
  return make_error(
      StatusCode::kLimit,
      "a tile of the navigation mesh would have " + what + ": use a larger cell_size or smaller tile_cells",
      kTileLimit);
}

Status out_of_memory() {
  return make_error(StatusCode::kOutOfMemory, "no memory for the navigation mesh; use a larger cell_size",
                    "cell_size");
}

/// Walkable spans outside all zones become obstacles, after erosion, so that a zone's border is no wall.
void keep_zones(rcCompactHeightfield& field, std::span<const snap::Zone> zones) {
  std::vector<unsigned char> keep(static_cast<std::size_t>(field.spanCount), 0);
  for (const snap::Zone& zone : zones) {
    const auto cell = [&](double v, double low, int most) {
      return std::clamp(static_cast<int>(std::floor((v - low) / field.cs)), 0, most - 1);
    };
    const double right = field.bmin[0] + field.width * static_cast<double>(field.cs);
    const double back = field.bmin[2] + field.height * static_cast<double>(field.cs);
    if (zone.maximum.x < field.bmin[0] || zone.minimum.x > right || -zone.minimum.y < field.bmin[2] ||
        -zone.maximum.y > back) {
      continue;  // of another tile
    }
    const int x0 = cell(zone.minimum.x, field.bmin[0], field.width);
    const int x1 = cell(zone.maximum.x, field.bmin[0], field.width);
    const int z0 = cell(-zone.maximum.y, field.bmin[2], field.height);
    const int z1 = cell(-zone.minimum.y, field.bmin[2], field.height);
    for (int z = z0; z <= z1; ++z) {
      for (int x = x0; x <= x1; ++x) {
        const rcCompactCell& c = field.cells[x + z * field.width];
        const unsigned end = c.index + static_cast<unsigned>(c.count);
        for (unsigned i = c.index; i < end; ++i) {
          const double y = field.bmin[1] + field.spans[i].y * static_cast<double>(field.ch);
          if (y >= zone.minimum.z && y <= zone.maximum.z) {
            keep[i] = 1;
          }
        }
      }
    }
  }
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i] == 0) {
      field.areas[i] = RC_NULL_AREA;
    }
  }
}

}  // namespace

Status build_tile(const Scene& scene, std::span<const int> triangles, const std::array<float, 3>& low,
                  const std::array<float, 3>& high, int border, const Settings& settings,
                  std::span<const snap::Zone> zones, Tile& tile) {
  const auto cs = static_cast<float>(settings.cell_size);
  const auto ch = static_cast<float>(settings.cell_height);
  const int vertex_count = static_cast<int>(scene.vertices.size() / 3);
  const int triangle_count = static_cast<int>(triangles.size() / 3);
  int width = 0;
  int height = 0;
  rcCalcGridSize(low.data(), high.data(), cs, &width, &height);
  rcContext context(false);
  const int walkable_height =
      std::max(3, static_cast<int>(std::ceil(settings.agent_height / settings.cell_height)));
  const int walkable_climb = static_cast<int>(std::floor(settings.agent_climb / settings.cell_height + 1e-6));
  const int walkable_radius = static_cast<int>(std::ceil(settings.agent_radius / settings.cell_size - 1e-6));
  const HeightfieldPtr solid(rcAllocHeightfield());
  if (solid == nullptr ||
      !rcCreateHeightfield(&context, *solid, width, height, low.data(), high.data(), cs, ch)) {
    return out_of_memory();
  }
  std::vector<unsigned char> walkable(static_cast<std::size_t>(triangle_count), 0);
  rcMarkWalkableTriangles(&context, static_cast<float>(settings.agent_slope), scene.vertices.data(),
                          vertex_count, triangles.data(), triangle_count, walkable.data());
  if (!rcRasterizeTriangles(&context, scene.vertices.data(), vertex_count, triangles.data(), walkable.data(),
                            triangle_count, *solid, walkable_climb)) {
    return out_of_memory();
  }
  rcFilterLowHangingWalkableObstacles(&context, walkable_climb, *solid);
  rcFilterLedgeSpans(&context, walkable_height, walkable_climb, *solid);
  rcFilterWalkableLowHeightSpans(&context, walkable_height, *solid);
  const CompactPtr field(rcAllocCompactHeightfield());
  if (field == nullptr ||
      !rcBuildCompactHeightfield(&context, walkable_height, walkable_climb, *solid, *field)) {
    return out_of_memory();
  }
  if (field->spanCount >= kMostSpans) {
    // Recast does not notice: it would find no ground.
    return beyond_a_tile(std::to_string(field->spanCount) + " spans of voxels; 24 bits count them");
  }
  if (!rcErodeWalkableArea(&context, walkable_radius, *field)) {
    return out_of_memory();
  }
  if (!zones.empty()) {
    keep_zones(*field, zones);
  }
  const auto min_region =
      static_cast<int>(settings.min_region_area / (settings.cell_size * settings.cell_size));
  if (!rcBuildDistanceField(&context, *field) ||
      !rcBuildRegions(&context, *field, border, min_region, 20 * 20)) {
    return out_of_memory();
  }
  const ContoursPtr contours(rcAllocContourSet());
  if (contours == nullptr ||
      !rcBuildContours(&context, *field, static_cast<float>(settings.edge_max_error), 0, *contours)) {
    return out_of_memory();
  }
  PolyMeshPtr polygons(rcAllocPolyMesh());
  if (polygons == nullptr) {
    return out_of_memory();
  }
  int outline = 0;
  for (int i = 0; i < contours->nconts; ++i) {
    outline += std::max(0, contours->conts[i].nverts);
  }
  if (outline >= 0xFFFE || !rcBuildPolyMesh(&context, *contours, kVerticesPerPolygon, *polygons)) {
    return beyond_a_tile(std::to_string(outline) + " vertices; they have 16-bit indices");
  }
  if (polygons->npolys == 0) {
    return {};
  }
  for (int i = 0; i < polygons->npolys; ++i) {
    polygons->flags[i] = 1;
  }
  if (settings.detail_distance > 0) {
    // A sample distance of 0 makes this function loop for ever; two cells is the least that makes sense.
    const auto spacing = static_cast<float>(std::max(settings.detail_distance, 2 * settings.cell_size));
    tile.detail.reset(rcAllocPolyMeshDetail());
    if (tile.detail == nullptr ||
        !rcBuildPolyMeshDetail(&context, *polygons, *field, spacing, 2 * ch, *tile.detail)) {
      return out_of_memory();
    }
  }
  tile.polygons = std::move(polygons);
  return {};
}

}  // namespace strew::nav
