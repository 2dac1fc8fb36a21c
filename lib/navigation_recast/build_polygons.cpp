// The map in Recast's frame, built in one piece or tile by tile.
#include <algorithm>
#include <cmath>

#include "build_tile.hpp"
#include "number_text.hpp"
#include "parallel.hpp"

namespace strew::nav {
namespace {

/// Columns of voxels up to which a map is built in one piece: about 300 MB.
constexpr double kSoloColumns = 4e6;
/// Cells along the side of a tile: a border of walker's radius and three more is built with each.
constexpr int kTileCells = 512;
constexpr double kMostTiles = 4e6;  ///< tiles that may be looked at, most of them empty

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

Result<Scene> scene_of(const snap::Mesh& mesh, const Settings& settings) {
  Scene scene;
  scene.vertices.resize(mesh.positions.size());
  for (std::size_t i = 0; i + 2 < scene.vertices.size(); i += 3) {
    scene.vertices[i] = mesh.positions[i];
    scene.vertices[i + 1] = mesh.positions[i + 2];
    scene.vertices[i + 2] = -mesh.positions[i + 1];
  }
  scene.triangles.assign(mesh.triangles.begin(), mesh.triangles.end());
  const auto cs = static_cast<float>(settings.cell_size);
  auto& low = scene.low;
  auto& high = scene.high;
  rcCalcBounds(scene.vertices.data(), static_cast<int>(scene.vertices.size() / 3), low.data(), high.data());
  // The grid begins at a multiple of the cell size, so that a piece and a map have the same voxels where the
  // map stands on the lattice.
  for (const std::size_t axis : {std::size_t{0}, std::size_t{2}}) {
    low[axis] = static_cast<float>((std::floor(low[axis] / settings.cell_size) - 2) * settings.cell_size);
    high[axis] += 2 * cs;
  }
  low[1] = static_cast<float>((std::floor(low[1] / settings.cell_height) - 2) * settings.cell_height);
  const double tiles = static_cast<double>(high[0] - low[0]) / settings.cell_size / kTileCells *
                       (static_cast<double>(high[2] - low[2]) / settings.cell_size / kTileCells);
  if (!(tiles <= kMostTiles)) {
    return make_error(StatusCode::kLimit,
                      "the map is " + number_text(high[0] - low[0]) + " m by " +
                          number_text(high[2] - low[2]) + " m; with this cell_size, " +
                          number_text(settings.cell_size) + " m, tiles reach over " +
                          number_text(std::floor(std::sqrt(kMostTiles) * kTileCells * settings.cell_size)) +
                          " m squared: use a larger cell_size, or bring the pieces nearer",
                      "cell_size");
  }
  rcCalcGridSize(low.data(), high.data(), cs, &scene.width, &scene.height);
  const double layers = (high[1] - low[1]) / settings.cell_height;
  if (layers >= RC_SPAN_MAX_HEIGHT) {
    return make_error(StatusCode::kLimit,
                      "the map is " + number_text(high[1] - low[1]) + " m high: more than " +
                          std::to_string(RC_SPAN_MAX_HEIGHT) + " layers; use a larger cell_height",
                      "cell_height");
  }
  return scene;
}

/// Cells to be built with a tile on each side, so that what it borders on is known.
int border_of(const Settings& settings) {
  return static_cast<int>(std::ceil(settings.agent_radius / settings.cell_size - 1e-6)) + 3;
}

/// Triangles of each tile, its border included, by index.
std::vector<std::vector<int>> deal_out(const Scene& scene, int columns, int rows, double side,
                                       double border) {
  std::vector<std::vector<int>> out(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  for (std::size_t t = 0; t + 2 < scene.triangles.size(); t += 3) {
    double low[2] = {1e300, 1e300};
    double high[2] = {-1e300, -1e300};
    for (std::size_t k = 0; k < 3; ++k) {
      const float* const v = &scene.vertices[3 * static_cast<std::size_t>(scene.triangles[t + k])];
      for (const std::size_t a : {std::size_t{0}, std::size_t{1}}) {
        low[a] = std::min(low[a], static_cast<double>(v[2 * a]) - scene.low[2 * a]);
        high[a] = std::max(high[a], static_cast<double>(v[2 * a]) - scene.low[2 * a]);
      }
    }
    const auto tile = [&](double at, int most) {
      return std::clamp(static_cast<int>(std::floor(at / side)), 0, most - 1);
    };
    for (int z = tile(low[1] - border, rows); z <= tile(high[1] + border, rows); ++z) {
      for (int x = tile(low[0] - border, columns); x <= tile(high[0] + border, columns); ++x) {
        std::vector<int>& list = out[static_cast<std::size_t>(z) * static_cast<std::size_t>(columns) +
                                     static_cast<std::size_t>(x)];
        list.insert(list.end(), scene.triangles.begin() + static_cast<std::ptrdiff_t>(t),
                    scene.triangles.begin() + static_cast<std::ptrdiff_t>(t) + 3);
      }
    }
  }
  return out;
}

Status build_tiles(const Scene& scene, int cells, const Settings& settings, std::span<const snap::Zone> zones,
                   const RunContext& context, Ground& ground) {
  const int columns = (scene.width + cells - 1) / cells;
  const int rows = (scene.height + cells - 1) / cells;
  const int border = border_of(settings);
  const double side = cells * static_cast<double>(static_cast<float>(settings.cell_size));
  const double margin = border * settings.cell_size;
  const auto lists = deal_out(scene, columns, rows, side, margin + 2 * settings.cell_size);
  ground.tile_width = static_cast<float>(side);
  ground.tiled = true;
  for (int z = 0; z < rows; ++z) {
    for (int x = 0; x < columns; ++x) {
      if (!lists[static_cast<std::size_t>(z) * static_cast<std::size_t>(columns) +
                 static_cast<std::size_t>(x)]
               .empty()) {
        ground.tiles.emplace_back();
        ground.tiles.back().x = x;
        ground.tiles.back().z = z;
      }
    }
  }
  // Progress is of the whole call, which may build many maps: not of tiles.
  RunContext of_tiles = context;
  of_tiles.progress = nullptr;
  STREW_RETURN_IF_ERROR(parallel_for(
      of_tiles, ground.tiles.size(), [&](std::uint64_t index, std::uint32_t /*worker*/) -> Status {
        Tile& tile = ground.tiles[index];
        std::array<float, 3> low = scene.low;
        std::array<float, 3> high = scene.high;
        const std::size_t axes[] = {0, 2};
        const int at[] = {tile.x, tile.z};
        for (std::size_t a = 0; a < 2; ++a) {
          low[axes[a]] = static_cast<float>(scene.low[axes[a]] + at[a] * side - margin);
          high[axes[a]] = static_cast<float>(scene.low[axes[a]] + (at[a] + 1) * side + margin);
        }
        return build_tile(scene,
                          lists[static_cast<std::size_t>(tile.z) * static_cast<std::size_t>(columns) +
                                static_cast<std::size_t>(tile.x)],
                          low, high, border, settings, zones, tile);
      }));
  std::erase_if(ground.tiles, [](const Tile& tile) { return tile.count() == 0; });
  return {};
}

}  // namespace

Result<Ground> build_polygons(const snap::Mesh& mesh, const Settings& settings,
                              std::span<const snap::Zone> zones, const RunContext& context) {
  STREW_RETURN_IF_ERROR(check_mesh(mesh));
  Ground ground;
  if (mesh.triangles.empty()) {
    return ground;
  }
  STREW_ASSIGN(const Scene scene, scene_of(mesh, settings));
  ground.origin = scene.low;
  int cells = settings.tile_cells;
  if (cells == 0 && static_cast<double>(scene.width) * scene.height <= kSoloColumns) {
    Tile tile;
    const Status whole = build_tile(scene, scene.triangles, scene.low, scene.high, 0, settings, zones, tile);
    if (whole.ok()) {
      ground.tile_width = std::max(scene.high[0] - scene.low[0], scene.high[2] - scene.low[2]) + 1;
      if (tile.polygons != nullptr) {
        ground.tiles.push_back(std::move(tile));
      }
      return ground;
    }
    if (whole.where != kTileLimit) {
      return whole;
    }
  }
  if (cells != 0) {
    STREW_RETURN_IF_ERROR(build_tiles(scene, cells, settings, zones, context, ground));
    return ground;
  }
  // Where much lies one above the other, smaller tiles hold what larger ones do not.
  Status built;
  for (cells = kTileCells; cells >= kTileCells / 4; cells /= 2) {
    built = build_tiles(scene, cells, settings, zones, context, ground);
    if (built.where != kTileLimit) {
      break;
    }
    ground.tiles.clear();
  }
  STREW_RETURN_IF_ERROR(built);
  return ground;
}

}  // namespace strew::nav
