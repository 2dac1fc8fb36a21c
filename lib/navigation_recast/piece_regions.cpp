// Regions of single pieces, for the fast score.
#include <algorithm>
#include <cmath>
#include <utility>

#include "guard.hpp"
#include "navmesh_geometry.hpp"
#include "navmesh_impl.hpp"
#include "parallel.hpp"

namespace strew::nav {
namespace {

/// Part of a convex polygon where dot(normal, p) <= limit.
std::vector<Vec3> clipped(const std::vector<Vec3>& polygon, const Vec3& normal, double limit) {
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3& a = polygon[i];
    const Vec3& b = polygon[(i + 1) % polygon.size()];
    const double da = dot(normal, a) - limit;
    const double db = dot(normal, b) - limit;
    if (da <= 0) {
      out.push_back(a);
    }
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
      out.push_back(add(a, add(b, a, -1), da / (da - db)));
    }
  }
  return out;
}

double area_from_above(const std::vector<Vec3>& polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const Vec3 u = add(polygon[i - 1], polygon[0], -1);
    const Vec3 v = add(polygon[i], polygon[0], -1);
    twice += u.x * v.y - u.y * v.x;
  }
  return std::abs(twice) / 2;
}

/// The space beyond a connector: from its plane outward, and so far to both sides.
struct Stub {
  Vec3 origin;
  Vec3 outward;  ///< level
  Vec3 side;
  double depth = 0;
  double half_width = 0;

  /// Heights of what belongs to the passage, about the connector's own.
  static constexpr double kBelow = 1.5;
  static constexpr double kAbove = 3.0;

  [[nodiscard]] std::vector<Vec3> inside(std::vector<Vec3> polygon) const {
    polygon = clipped(polygon, {-outward.x, -outward.y, -outward.z}, -dot(outward, origin));
    polygon = clipped(polygon, outward, dot(outward, origin) + depth);
    polygon = clipped(polygon, side, dot(side, origin) + half_width);
    polygon = clipped(polygon, {-side.x, -side.y, -side.z}, -dot(side, origin) + half_width);
    polygon = clipped(polygon, {0, 0, -1}, kBelow - origin.z);
    return clipped(polygon, {0, 0, 1}, origin.z + kAbove);
  }
};

std::vector<Stub> stubs_of(const snap::Piece& piece, const Settings& settings) {
  std::vector<Stub> out;
  for (const snap::Connector& c : piece.connectors) {
    Stub stub;
    stub.origin = c.position;
    const double level = std::sqrt(c.heading.x * c.heading.x + c.heading.y * c.heading.y);
    if (level < 1e-3) {
      out.push_back(stub);  // nobody walks through a hole in the floor: depth 0
      continue;
    }
    stub.outward = {c.heading.x / level, c.heading.y / level, 0};
    stub.side = {-stub.outward.y, stub.outward.x, 0};
    stub.depth = 3 * settings.agent_radius + 4 * settings.cell_size;
    stub.half_width = 4;
    for (const snap::Connector& other : piece.connectors) {
      const Vec3 apart = add(other.position, c.position, -1);
      if (&other != &c && std::abs(dot(apart, stub.outward)) < stub.depth && std::abs(apart.z) < 2) {
        stub.half_width = std::min(stub.half_width, std::max(std::abs(dot(apart, stub.side)) / 2, 1e-3));
      }
    }
    out.push_back(stub);
  }
  return out;
}

/// The mirror image of the piece in the connector's plane, as deep as the stub: a neighbour with the same
/// passage, so that erosion stops beyond the plane and not before it.
void add_mirrored(const snap::Mesh& mesh, const Stub& stub, snap::Mesh& out) {
  for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
    std::vector<Vec3> polygon;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* const p = &mesh.positions[3 * std::size_t{mesh.triangles[t + 2 - k]}];
      const Vec3 v{p[0], p[1], p[2]};
      polygon.push_back(add(v, stub.outward, -2 * (dot(v, stub.outward) - dot(stub.origin, stub.outward))));
    }
    polygon = stub.inside(std::move(polygon));
    const auto base = static_cast<std::uint32_t>(out.positions.size() / 3);
    for (const Vec3& v : polygon) {
      out.positions.insert(out.positions.end(),
                           {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
    }
    for (std::uint32_t k = 2; k < polygon.size(); ++k) {
      out.triangles.insert(out.triangles.end(), {base, base + k - 1, base + k});
    }
  }
}

PieceRegions boxes_only(const snap::Piece& piece) {
  PieceRegions out;
  double area = 0;
  for (const snap::Box& box : piece.boxes) {
    area += 4 * box.half_extents.x * box.half_extents.y;
  }
  out.areas = {area};
  out.at_connector.assign(piece.connectors.size(), 0);
  return out;
}

/// The piece with neighbours at the connectors of `stubs` that have a depth, and the areas of its regions
/// without them.
struct PieceGround {
  Navmesh navmesh;
  std::vector<double> inside;
};
Result<PieceGround> ground_of(const snap::Piece& piece, const std::vector<Stub>& stubs,
                              const Settings& settings, const RunContext& context) {
  snap::Mesh mesh = piece.mesh;
  for (const Stub& stub : stubs) {
    if (stub.depth > 0) {
      add_mirrored(piece.mesh, stub, mesh);
    }
  }
  std::vector<snap::Zone> zones = piece.zones;
  for (const Stub& stub : stubs) {
    if (piece.zones.empty() || stub.depth == 0) {
      continue;
    }
    // The stubs are walkable too: they belong to whatever neighbour comes.
    const Vec3 end = add(stub.origin, stub.outward, stub.depth);
    const double wide_x = std::abs(stub.side.x) * stub.half_width;
    const double wide_y = std::abs(stub.side.y) * stub.half_width;
    zones.push_back({{std::min(stub.origin.x, end.x) - wide_x, std::min(stub.origin.y, end.y) - wide_y,
                      stub.origin.z - Stub::kBelow},
                     {std::max(stub.origin.x, end.x) + wide_x, std::max(stub.origin.y, end.y) + wide_y,
                      stub.origin.z + Stub::kBelow}});
  }
  STREW_ASSIGN(Navmesh navmesh, Navmesh::build(mesh, settings, zones, context));
  std::vector<double> inside(navmesh.regions(), 0);
  snap::Mesh ground;
  std::vector<std::uint32_t> region;
  navmesh.triangles(ground, region);
  for (std::size_t t = 0; t < region.size(); ++t) {
    std::vector<Vec3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* const p = &ground.positions[3 * std::size_t{ground.triangles[3 * t + k]}];
      triangle.push_back({p[0], p[1], p[2]});
    }
    double area = area_from_above(triangle);
    for (const Stub& stub : stubs) {
      if (stub.depth > 0) {
        area -= area_from_above(stub.inside(triangle));
      }
    }
    inside[region[t]] += std::max(0.0, area);
  }
  return PieceGround{std::move(navmesh), std::move(inside)};
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) {
    total += value;
  }
  return total;
}

Result<PieceRegions> regions_of(const snap::Piece& piece, const Settings& settings,
                                const RunContext& context) {
  if (piece.mesh.triangles.empty()) {
    return boxes_only(piece);
  }
  std::vector<Stub> stubs = stubs_of(piece, settings);
  STREW_ASSIGN(const PieceGround all, ground_of(piece, stubs, settings, context));
  PieceRegions out;
  std::vector<std::int32_t> at(stubs.size(), -1);
  std::vector<bool> kept(all.inside.size(), false);
  for (std::size_t i = 0; i < stubs.size(); ++i) {
    if (stubs[i].depth > 0) {
      at[i] = all.navmesh.region_at(stubs[i].origin, settings.agent_radius);
      if (at[i] >= 0) {
        kept[static_cast<std::size_t>(at[i])] = true;
      }
    }
  }
  std::vector<std::int32_t> renamed(all.inside.size(), -1);
  for (std::size_t r = 0; r < all.inside.size(); ++r) {
    // Slivers that only the stubs made.
    if (all.inside[r] > settings.min_region_area || kept[r]) {
      renamed[r] = static_cast<std::int32_t>(out.areas.size());
      out.areas.push_back(all.inside[r]);
    }
  }
  out.end_loss.assign(stubs.size(), 0);
  for (std::size_t i = 0; i < stubs.size(); ++i) {
    out.at_connector.push_back(at[i] < 0 ? -1 : renamed[static_cast<std::size_t>(at[i])]);
    if (at[i] < 0) {
      continue;
    }
    // The same piece with this one end open.
    const double depth = std::exchange(stubs[i].depth, 0.0);
    STREW_ASSIGN(const PieceGround open, ground_of(piece, stubs, settings, context));
    stubs[i].depth = depth;
    const double region = all.inside[static_cast<std::size_t>(at[i])];
    out.end_loss[i] =
        std::clamp(sum(all.inside) - sum(open.inside), 0.0, region / static_cast<double>(stubs.size()));
  }
  for (const OneWay& drop : all.navmesh.drops()) {
    if (renamed[drop.from] >= 0 && renamed[drop.to] >= 0) {
      out.drops.push_back(
          {static_cast<std::uint32_t>(renamed[drop.from]), static_cast<std::uint32_t>(renamed[drop.to])});
    }
  }
  return out;
}

}  // namespace

Result<std::vector<PieceRegions>> piece_regions(const snap::Kit& kit, const Settings& settings,
                                                const RunContext& context) {
  return guarded([&]() -> Result<std::vector<PieceRegions>> {
    if (kit.frame != snap::Frame::kZUp) {
      return invalid_argument("the kit is left-handed with y up; give to_z_up(kit)", "kit");
    }
    STREW_ASSIGN(const Settings full, resolved(settings));
    std::vector<PieceRegions> out(kit.pieces.size());
    // Workers are busy with pieces; within one, only the wish to stop counts. Fine voxels make a piece of
    // many tiles, which takes minutes.
    RunContext of_piece;
    of_piece.cancel = context.cancel;
    STREW_RETURN_IF_ERROR(
        parallel_for(context, kit.pieces.size(), [&](std::uint64_t i, std::uint32_t /*worker*/) -> Status {
          auto made = regions_of(kit.pieces[i], full, of_piece);
          if (!made.ok()) {
            Status status = made.status();
            if (status.code == StatusCode::kCancelled) {
              return status;
            }
            status.where = "piece \"" + kit.pieces[i].name + "\": " + status.where;
            return status;
          }
          out[i] = std::move(made).value();
          return {};
        }));
    return out;
  });
}

}  // namespace strew::nav
