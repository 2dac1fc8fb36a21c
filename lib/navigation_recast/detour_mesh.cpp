// Detour's mesh over the polygons of all tiles, and the regions made from its links.
#include <recastnavigation/DetourNavMeshBuilder.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "navmesh_impl.hpp"

namespace strew::nav {

double area_from_above(const std::vector<std::array<float, 3>>& corners) noexcept {
  double twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto& a = corners[i];
    const auto& b = corners[(i + 1) % corners.size()];
    twice += (static_cast<double>(b[0]) - corners[0][0]) * (static_cast<double>(a[2]) - corners[0][2]) -
             (static_cast<double>(a[0]) - corners[0][0]) * (static_cast<double>(b[2]) - corners[0][2]);
  }
  return std::abs(twice) / 2;
}

const Tile& Navmesh::Impl::tile_of(std::size_t polygon) const noexcept {
  const auto after = std::upper_bound(ground.tiles.begin(), ground.tiles.end(), polygon,
                                      [](std::size_t p, const Tile& tile) { return p < tile.first; });
  return *(after - 1);
}

std::size_t Navmesh::Impl::node_of(dtPolyRef ref) const noexcept {
  // Tiles are added in order, so that Detour's index of a tile is ours.
  const Tile& tile = ground.tiles[mesh->decodePolyIdTile(ref)];
  const std::size_t polygon = mesh->decodePolyIdPoly(ref);
  return polygon < tile.count() ? tile.first + polygon : tile.first_link + polygon - tile.count();
}

std::vector<std::array<float, 3>> Navmesh::Impl::corners(std::size_t i) const {
  const Tile& tile = tile_of(i);
  const rcPolyMesh& p = *tile.polygons;
  std::vector<std::array<float, 3>> out;
  const unsigned short* const polygon = p.polys + (i - tile.first) * 2 * static_cast<std::size_t>(p.nvp);
  for (int k = 0; k < p.nvp && polygon[k] != RC_MESH_NULL_IDX; ++k) {
    const unsigned short* const v = p.verts + 3 * std::size_t{polygon[k]};
    out.push_back({p.bmin[0] + static_cast<float>(v[0]) * p.cs, p.bmin[1] + static_cast<float>(v[1]) * p.ch,
                   p.bmin[2] + static_cast<float>(v[2]) * p.cs});
  }
  return out;
}

Status Navmesh::Impl::add_tile(Tile& tile) {
  // Detour takes of the links those that start in the tile.
  std::vector<float> ends;
  std::vector<float> radii(links.size(), static_cast<float>(settings.cell_size * 2));
  std::vector<unsigned short> flags(links.size(), 1);
  std::vector<unsigned char> kinds(links.size(), 1);
  std::vector<unsigned char> directions;
  for (const OffMeshLink& link : links) {
    ends.insert(ends.end(), link.from.begin(), link.from.end());
    ends.insert(ends.end(), link.to.begin(), link.to.end());
    directions.push_back(link.both_ways ? DT_OFFMESH_CON_BIDIR : 0);
  }
  const rcPolyMesh& polygons = *tile.polygons;
  dtNavMeshCreateParams params{};
  params.verts = polygons.verts;
  params.vertCount = polygons.nverts;
  params.polys = polygons.polys;
  params.polyAreas = polygons.areas;
  params.polyFlags = polygons.flags;
  params.polyCount = polygons.npolys;
  params.nvp = polygons.nvp;
  if (tile.detail != nullptr) {
    params.detailMeshes = tile.detail->meshes;
    params.detailVerts = tile.detail->verts;
    params.detailVertsCount = tile.detail->nverts;
    params.detailTris = tile.detail->tris;
    params.detailTriCount = tile.detail->ntris;
  }
  params.offMeshConVerts = ends.data();
  params.offMeshConRad = radii.data();
  params.offMeshConFlags = flags.data();
  params.offMeshConAreas = kinds.data();
  params.offMeshConDir = directions.data();
  params.offMeshConCount = static_cast<int>(links.size());
  params.walkableHeight = static_cast<float>(settings.agent_height);
  params.walkableRadius = static_cast<float>(settings.agent_radius);
  params.walkableClimb = static_cast<float>(std::max(settings.agent_climb, settings.cell_height));
  std::copy_n(polygons.bmin, 3, params.bmin);
  std::copy_n(polygons.bmax, 3, params.bmax);
  params.cs = polygons.cs;
  params.ch = polygons.ch;
  params.tileX = tile.x;
  params.tileY = tile.z;
  params.buildBvTree = true;
  unsigned char* data = nullptr;
  int size = 0;
  if (!dtCreateNavMeshData(&params, &data, &size)) {
    return make_error(StatusCode::kLimit, "Detour refuses the mesh; use a larger cell_size or fewer pieces",
                      "cell_size");
  }
  dtTileRef ref = 0;
  if (dtStatusFailed(mesh->addTile(data, size, DT_TILE_FREE_DATA, 0, &ref))) {
    dtFree(data);
    return make_error(StatusCode::kOutOfMemory, "no memory for the navigation mesh", "navigation");
  }
  tile.base = mesh->getPolyRefBase(mesh->getTileByRef(ref));
  return {};
}

Status Navmesh::Impl::make_detour() {
  std::size_t most = 1;
  std::size_t first = 0;
  for (Tile& tile : ground.tiles) {
    tile.first = first;
    first += tile.count();
    most = std::max(most, tile.count() + links.size());
  }
  // A polygon's name has 32 bits, ten of which Detour keeps for itself.
  const int tile_bits = static_cast<int>(std::bit_width(ground.tiles.size() - 1));
  const int polygon_bits = static_cast<int>(std::bit_width(most - 1));
  if (tile_bits + polygon_bits > 22) {
    return make_error(StatusCode::kLimit,
                      "the map has " + std::to_string(ground.tiles.size()) + " tiles of up to " +
                          std::to_string(most) +
                          " polygons; Detour names 4,194,304: use a larger cell_size or fewer pieces",
                      "cell_size");
  }
  dtNavMeshParams params{};
  std::copy_n(ground.origin.begin(), 3, params.orig);
  params.tileWidth = ground.tile_width;
  params.tileHeight = ground.tile_width;
  params.maxTiles = 1 << tile_bits;
  params.maxPolys = 1 << polygon_bits;
  mesh.reset(dtAllocNavMesh());
  if (mesh == nullptr || dtStatusFailed(mesh->init(&params))) {
    return make_error(StatusCode::kOutOfMemory, "no memory for the navigation mesh", "navigation");
  }
  for (Tile& tile : ground.tiles) {
    STREW_RETURN_IF_ERROR(add_tile(tile));
  }
  std::size_t link = first;
  for (Tile& tile : ground.tiles) {
    tile.first_link = link;
    link += static_cast<std::size_t>(
        const_cast<const dtNavMesh&>(*mesh).getTile(index_of(tile))->header->offMeshConCount);
  }
  return {};
}

std::vector<OneWay> Navmesh::Impl::links_of_polygons() const {
  std::vector<OneWay> edges;
  for (const Tile& ours : ground.tiles) {
    const dtMeshTile* const tile = const_cast<const dtNavMesh&>(*mesh).getTile(index_of(ours));
    for (int i = 0; i < tile->header->polyCount; ++i) {  // off-mesh links are polygons too
      const auto from = static_cast<std::uint32_t>(node_of(ours.base | static_cast<dtPolyRef>(i)));
      for (unsigned l = tile->polys[i].firstLink; l != DT_NULL_LINK; l = tile->links[l].next) {
        edges.push_back({from, static_cast<std::uint32_t>(node_of(tile->links[l].ref))});
      }
    }
  }
  return edges;
}

void Navmesh::Impl::leave_out_small_islands() {
  for (std::size_t i = 0; i < count(); ++i) {
    if (areas[region_of[i]] < settings.min_region_area) {
      polygon_area[i] = 0;
      region_of[i] = kNoRegion;
    }
  }
}

void Navmesh::Impl::make_regions() {
  const bool again = !region_of.empty();
  if (!again) {
    const std::size_t polygons = ground.tiles.back().first + ground.tiles.back().count();
    for (std::size_t i = 0; i < polygons; ++i) {
      polygon_area.push_back(area_from_above(corners(i)));
    }
  }
  const std::vector<OneWay> edges = links_of_polygons();
  std::size_t all = count();
  bool one_way = false;
  for (const OneWay& edge : edges) {
    all = std::max({all, std::size_t{edge.from} + 1, std::size_t{edge.to} + 1});
  }
  for (const OffMeshLink& link : links) {
    one_way = one_way || !link.both_ways;
  }
  std::vector<std::uint32_t> component(all);
  if (one_way) {
    component = components(all, {}, edges);
  } else {
    UnionFind sets;
    sets.reset(all);
    for (const OneWay& edge : edges) {
      sets.join(edge.from, edge.to);
    }
    for (std::uint32_t i = 0; i < all; ++i) {
      component[i] = sets.find(i);
    }
  }
  name_regions(component, edges);
  if (!again && ground.tiled) {
    leave_out_small_islands();
    name_regions(component, edges);
  }
  connected = connected_share_of_areas(areas);
  if (one_way) {
    std::vector<std::uint32_t> self(areas.size());
    for (std::uint32_t i = 0; i < self.size(); ++i) {
      self[i] = i;
    }
    double total = 0;
    for (const double area : areas) {
      total += area;
    }
    connected = total > 0 ? reachable_pairs(self, {}, drops, areas) / (total * total) : 0;
  }
}

/// Regions are numbered by their first ground polygon; a link by itself is no region, nor is what was left
/// out.
void Navmesh::Impl::name_regions(const std::vector<std::uint32_t>& component, std::span<const OneWay> edges) {
  std::vector<std::uint32_t> name(component.size(), kNoRegion);
  region_of.resize(count(), 0);
  areas.clear();
  for (std::size_t i = 0; i < count(); ++i) {
    if (region_of[i] == kNoRegion) {
      continue;
    }
    std::uint32_t& region = name[component[i]];
    if (region == kNoRegion) {
      region = static_cast<std::uint32_t>(areas.size());
      areas.push_back(0);
    }
    region_of[i] = region;
    areas[region] += polygon_area[i];
  }
  drops.clear();
  for (const OneWay& edge : edges) {
    const std::uint32_t a = name[component[edge.from]];
    const std::uint32_t b = name[component[edge.to]];
    if (a != b && a != kNoRegion && b != kNoRegion) {
      drops.push_back({a, b});
    }
  }
}

}  // namespace strew::nav
