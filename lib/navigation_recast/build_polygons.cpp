// Voxels to polygons with Recast.
#include <algorithm>
#include <cmath>

#include "navmesh_impl.hpp"
#include "number_text.hpp"

namespace strew::nav {
namespace {

/// Columns of voxels that a solo mesh may have: about 3 GiB at worst.
constexpr double kMostColumns = 64e6;
constexpr int kVerticesPerPolygon = 6;

using HeightfieldPtr = std::unique_ptr<rcHeightfield, Freed<rcFreeHeightField>>;
using CompactPtr = std::unique_ptr<rcCompactHeightfield, Freed<rcFreeCompactHeightfield>>;
using ContoursPtr = std::unique_ptr<rcContourSet, Freed<rcFreeContourSet>>;

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

Status check_mesh(const snap::Mesh& mesh) {
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (!std::isfinite(mesh.positions[i])) {
      return invalid_argument("vertex " + std::to_string(i / 3) + " is not finite; export the mesh again",
                              "mesh");
    }
  }
  const std::size_t vertices = mesh.positions.size() / 3;
  for (const std::uint32_t index : mesh.triangles) {
    if (index >= vertices) {
      return invalid_argument("names vertex " + std::to_string(index) + " of " + std::to_string(vertices),
                              "mesh");
    }
  }
  return {};
}

}  // namespace

Result<Ground> build_polygons(const snap::Mesh& mesh, const Settings& settings,
                              std::span<const snap::Zone> zones) {
  STREW_RETURN_IF_ERROR(check_mesh(mesh));
  if (mesh.triangles.empty()) {
    return Ground{};
  }
  std::vector<float> vertices(mesh.positions.size());
  for (std::size_t i = 0; i + 2 < vertices.size(); i += 3) {
    vertices[i] = mesh.positions[i];
    vertices[i + 1] = mesh.positions[i + 2];
    vertices[i + 2] = -mesh.positions[i + 1];
  }
  const std::vector<int> triangles(mesh.triangles.begin(), mesh.triangles.end());
  const int vertex_count = static_cast<int>(vertices.size() / 3);
  const int triangle_count = static_cast<int>(triangles.size() / 3);
  const auto cs = static_cast<float>(settings.cell_size);
  const auto ch = static_cast<float>(settings.cell_height);
  float low[3];
  float high[3];
  rcCalcBounds(vertices.data(), vertex_count, low, high);
  // The grid begins at a multiple of the cell size, so that a piece and a map have the same voxels where the
  // map stands on the lattice.
  for (const int axis : {0, 2}) {
    low[axis] = static_cast<float>((std::floor(low[axis] / settings.cell_size) - 2) * settings.cell_size);
    high[axis] += 2 * cs;
  }
  low[1] = static_cast<float>((std::floor(low[1] / settings.cell_height) - 2) * settings.cell_height);
  int width = 0;
  int height = 0;
  rcCalcGridSize(low, high, cs, &width, &height);
  const double columns = static_cast<double>(width) * height;
  const double layers = (high[1] - low[1]) / settings.cell_height;
  if (columns > kMostColumns || width > 65000 || height > 65000) {
    return make_error(
        StatusCode::kLimit,
        "the map is " + number_text((high[0] - low[0])) + " m by " + number_text(high[2] - low[2]) +
            " m: " + std::to_string(width) + " x " + std::to_string(height) +
            " cells; a solo mesh takes 64 million: use a cell_size of " +
            number_text(std::ceil(settings.cell_size * std::sqrt(columns / kMostColumns) * 100) / 100) +
            " m or more, or fewer pieces",
        "cell_size");
  }
  if (layers >= RC_SPAN_MAX_HEIGHT) {
    return make_error(StatusCode::kLimit,
                      "the map is " + number_text(high[1] - low[1]) + " m high: more than " +
                          std::to_string(RC_SPAN_MAX_HEIGHT) + " layers; use a larger cell_height",
                      "cell_height");
  }
  rcContext context(false);
  const int walkable_height =
      std::max(3, static_cast<int>(std::ceil(settings.agent_height / settings.cell_height)));
  const int walkable_climb = static_cast<int>(std::floor(settings.agent_climb / settings.cell_height + 1e-6));
  const int walkable_radius = static_cast<int>(std::ceil(settings.agent_radius / settings.cell_size - 1e-6));
  const HeightfieldPtr solid(rcAllocHeightfield());
  if (solid == nullptr || !rcCreateHeightfield(&context, *solid, width, height, low, high, cs, ch)) {
    return out_of_memory();
  }
  std::vector<unsigned char> walkable(static_cast<std::size_t>(triangle_count), 0);
  rcMarkWalkableTriangles(&context, static_cast<float>(settings.agent_slope), vertices.data(), vertex_count,
                          triangles.data(), triangle_count, walkable.data());
  if (!rcRasterizeTriangles(&context, vertices.data(), vertex_count, triangles.data(), walkable.data(),
                            triangle_count, *solid, walkable_climb)) {
    return out_of_memory();
  }
  rcFilterLowHangingWalkableObstacles(&context, walkable_climb, *solid);
  rcFilterLedgeSpans(&context, walkable_height, walkable_climb, *solid);
  rcFilterWalkableLowHeightSpans(&context, walkable_height, *solid);
  const CompactPtr field(rcAllocCompactHeightfield());
  if (field == nullptr ||
      !rcBuildCompactHeightfield(&context, walkable_height, walkable_climb, *solid, *field) ||
      !rcErodeWalkableArea(&context, walkable_radius, *field)) {
    return out_of_memory();
  }
  if (!zones.empty()) {
    keep_zones(*field, zones);
  }
  const auto min_region =
      static_cast<int>(settings.min_region_area / (settings.cell_size * settings.cell_size));
  if (!rcBuildDistanceField(&context, *field) || !rcBuildRegions(&context, *field, 0, min_region, 20 * 20)) {
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
    return make_error(StatusCode::kLimit,
                      "the navigation mesh would have " + std::to_string(outline) +
                          " vertices; a solo mesh has 16-bit indices: use a larger cell_size or fewer pieces",
                      "cell_size");
  }
  if (polygons->npolys == 0) {
    return Ground{};
  }
  for (int i = 0; i < polygons->npolys; ++i) {
    polygons->flags[i] = 1;
  }
  DetailPtr detail;
  if (settings.detail_distance > 0) {
    // A sample distance of 0 makes this function loop for ever; two cells is the least that makes sense.
    const auto spacing = static_cast<float>(std::max(settings.detail_distance, 2 * settings.cell_size));
    detail.reset(rcAllocPolyMeshDetail());
    if (detail == nullptr || !rcBuildPolyMeshDetail(&context, *polygons, *field, spacing, 2 * ch, *detail)) {
      return out_of_memory();
    }
  }
  return Ground{std::move(polygons), std::move(detail)};
}

}  // namespace strew::nav
