// Kits: order, validation, frames.
#include <algorithm>
#include <set>

#include "guard.hpp"
#include "number_text.hpp"
#include "vec.hpp"

namespace strew::snap {
namespace {

constexpr std::array<std::string_view, kColours> kNames = {
    "white", "red", "green", "blue", "cyan", "orange", "yellow", "pink", "purple", "brown", "black", "grey"};
/// Coordinates beyond this lose the precision that snapping needs.
constexpr double kLargest = 1e7;
constexpr std::int32_t kMostPins = 1'000'000;

std::string text(const Vec3& v) {
  return "(" + number_text(v.x) + ", " + number_text(v.y) + ", " + number_text(v.z) + ")";
}
bool usable(const Vec3& v) {
  const auto inside = [](double c) { return std::abs(c) <= kLargest; };  // false for NaN
  return inside(v.x) && inside(v.y) && inside(v.z);
}

Status check_connector(Connector& connector, Frame frame, const std::string& where) {
  if (!usable(connector.position)) {
    return invalid_argument(
        "its position is " + text(connector.position) + "; expected finite numbers up to 1e7 in size", where);
  }
  if (!usable(connector.heading) || length(connector.heading) < 1e-9) {
    return invalid_argument(
        "its heading is " + text(connector.heading) + "; expected a direction that points out of the piece",
        where);
  }
  if (connector.pins < 0 || connector.pins > kMostPins) {
    return invalid_argument(
        "has " + std::to_string(connector.pins) + " pins; expected 0 to " + std::to_string(kMostPins), where);
  }
  if (connector.colour >= kColours) {
    return invalid_argument("has colour " + std::to_string(connector.colour) + "; expected 0 to 11", where);
  }
  if (!finite(connector.up)) {
    return invalid_argument("its up is " + text(connector.up) + "; expected a direction", where);
  }
  const Vec3 frame_up = frame == Frame::kZUp ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
  const Vec3 frame_forward = frame == Frame::kZUp ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const double size = length(connector.heading);
  // Already of unit length up to rounding: keep its bits.
  if (std::abs(size - 1) > 1e-12) {
    connector.heading = connector.heading * (1 / size);
  }
  for (const Vec3& up : {connector.up, frame_up, frame_forward}) {
    const double along = dot(up, connector.heading);
    const Vec3 across = up - connector.heading * along;
    if (length(across) > 1e-6 * std::max(length(up), 1e-300)) {
      if (std::abs(along) > 1e-12 || std::abs(length(up) - 1) > 1e-12) {
        connector.up = across * (1 / length(across));
      } else {
        connector.up = up;
      }
      break;
    }
  }
  return {};
}

Status check_box(Box& box, const std::string& where) {
  if (!usable(box.centre) || !usable(box.query_centre) || !usable(box.half_extents)) {
    return invalid_argument("its centre is " + text(box.centre) + " and its half extents " +
                                text(box.half_extents) + "; expected finite numbers up to 1e7 in size",
                            where);
  }
  if (box.half_extents.x < 0 || box.half_extents.y < 0 || box.half_extents.z < 0) {
    return invalid_argument("its half extents are " + text(box.half_extents) + "; expected none below 0",
                            where);
  }
  const Quat& q = box.rotation;
  const double norm = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!(std::abs(norm - 1) < 1e-3)) {
    return invalid_argument("its rotation has length " + number_text(norm) + "; expected a unit quaternion",
                            where);
  }
  return {};
}

Status check_mesh(const Mesh& mesh, const std::string& where) {
  if (mesh.positions.size() % 3 != 0 || mesh.triangles.size() % 3 != 0) {
    return invalid_argument("its mesh has " + std::to_string(mesh.positions.size()) + " coordinates and " +
                                std::to_string(mesh.triangles.size()) + " indices; expected multiples of 3",
                            where);
  }
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (!(std::abs(mesh.positions[i]) <= static_cast<float>(kLargest))) {
      return invalid_argument("vertex " + std::to_string(i / 3) +
                                  " of its mesh is not finite or beyond 1e7; "
                                  "export the mesh again",
                              where);
    }
  }
  const std::size_t vertices = mesh.positions.size() / 3;
  for (const std::uint32_t index : mesh.triangles) {
    if (index >= vertices) {
      return invalid_argument("its mesh names vertex " + std::to_string(index) + " of " +
                                  std::to_string(vertices) + "; export the mesh again",
                              where);
    }
  }
  return {};
}

/// A size of the piece against the spread of its connectors: metres against centimetres shows as a factor of
/// 100.
Status check_units(const Piece& piece, const std::string& where) {
  if (piece.mesh.positions.empty() || piece.connectors.size() < 2) {
    return {};
  }
  double mesh = 0;
  for (const float coordinate : piece.mesh.positions) {
    mesh = std::max(mesh, static_cast<double>(std::abs(coordinate)));
  }
  double spread = 0;
  for (const Connector& connector : piece.connectors) {
    spread = std::max({spread, std::abs(connector.position.x), std::abs(connector.position.y),
                       std::abs(connector.position.z)});
  }
  if (spread > 0 && mesh > 0 && (mesh > 30 * spread || spread > 30 * mesh)) {
    return invalid_argument("its mesh reaches to " + number_text(mesh) + " and its connectors to " +
                                number_text(spread) +
                                ": they seem to be in different units; give the mesh a \"scale\"",
                            where);
  }
  return {};
}

Status check_piece(Piece& piece, Frame frame) {
  const std::string where = "piece \"" + piece.name + "\"";
  if (piece.name.empty()) {
    return invalid_argument("a piece has no name; give each its own", "pieces");
  }
  if (piece.connectors.size() > kMaximumConnectors) {
    return invalid_argument("has " + std::to_string(piece.connectors.size()) + " connectors; expected " +
                                std::to_string(kMaximumConnectors) + " at most: split the piece",
                            where);
  }
  for (std::size_t i = 0; i < piece.connectors.size(); ++i) {
    Connector& connector = piece.connectors[i];
    const std::string name = connector.name.empty() ? std::to_string(i) : "\"" + connector.name + "\"";
    STREW_RETURN_IF_ERROR(check_connector(connector, frame, where + ", connector " + name));
  }
  // Before boxes, which may have been made from it.
  STREW_RETURN_IF_ERROR(check_mesh(piece.mesh, where));
  for (std::size_t i = 0; i < piece.boxes.size(); ++i) {
    STREW_RETURN_IF_ERROR(check_box(piece.boxes[i], where + ", box " + std::to_string(i)));
  }
  STREW_RETURN_IF_ERROR(check_units(piece, where));
  for (std::size_t i = 0; i < piece.zones.size(); ++i) {
    const Zone& zone = piece.zones[i];
    if (!usable(zone.minimum) || !usable(zone.maximum) || zone.minimum.x > zone.maximum.x ||
        zone.minimum.y > zone.maximum.y || zone.minimum.z > zone.maximum.z) {
      return invalid_argument("runs from " + text(zone.minimum) + " to " + text(zone.maximum) +
                                  "; expected finite numbers, the smaller first",
                              where + ", zone " + std::to_string(i));
    }
  }
  if (!(piece.weight >= 0 && piece.weight <= 1e9)) {
    return invalid_argument("its weight is " + number_text(piece.weight) + "; expected 0 to 1e9", where);
  }
  if (piece.minimum_count < 0 || (piece.maximum_count >= 0 && piece.maximum_count < piece.minimum_count)) {
    return invalid_argument("is asked for at least " + std::to_string(piece.minimum_count) + " and at most " +
                                std::to_string(piece.maximum_count) + " times",
                            where);
  }
  return {};
}

}  // namespace

std::string_view colour_name(std::size_t colour) noexcept {
  return colour < kColours ? kNames[colour] : std::string_view("unknown");
}

ColourMatrix usual_colour_matrix() noexcept {
  ColourMatrix matrix{};
  for (std::size_t g = 0; g < kColours; ++g) {
    for (std::size_t t = 0; t < kColours; ++t) {
      matrix[g][t] = g == 0 || t == 0 || g == t;
    }
  }
  return matrix;
}

void order_connectors(Kit& kit) {
  for (Piece& piece : kit.pieces) {
    std::stable_sort(piece.connectors.begin(), piece.connectors.end(),
                     [](const Connector& a, const Connector& b) { return a.pins > b.pins; });
  }
}

Status validate_kit(Kit& kit) {
  return guarded([&]() -> Status {
    if (kit.pieces.empty()) {
      return invalid_argument("the kit has no pieces", "pieces");
    }
    std::set<std::string_view> names;
    bool any_connector = false;
    for (Piece& piece : kit.pieces) {
      STREW_RETURN_IF_ERROR(check_piece(piece, kit.frame));
      if (!names.insert(piece.name).second) {
        return invalid_argument("two pieces have this name; rename one", "piece \"" + piece.name + "\"");
      }
      any_connector = any_connector || !piece.connectors.empty();
    }
    if (!any_connector) {
      return invalid_argument(
          "no piece has a connector, so nothing can be joined; add connectors, or empty "
          "nodes named connector.<colour>.<pins> in the glTF",
          "pieces");
    }
    for (const std::uint32_t starter : kit.starters) {
      if (starter >= kit.pieces.size()) {
        return invalid_argument(
            "names piece " + std::to_string(starter) + " of " + std::to_string(kit.pieces.size()),
            "starters");
      }
    }
    return {};
  });
}

namespace {

Vec3 swapped(const Vec3& v) {
  return {v.x, v.z, v.y};
}

}  // namespace

Kit to_z_up(Kit kit) {
  if (kit.frame == Frame::kZUp) {
    return kit;
  }
  kit.frame = Frame::kZUp;
  for (Piece& piece : kit.pieces) {
    for (Connector& connector : piece.connectors) {
      connector.position = swapped(connector.position);
      connector.heading = swapped(connector.heading);
      connector.up = swapped(connector.up);
    }
    for (Box& box : piece.boxes) {
      box.centre = swapped(box.centre);
      box.query_centre = box.centre;
      // Axes of the box change places too, and a reflection turns rotations round.
      box.half_extents = swapped(box.half_extents);
      box.rotation = {-box.rotation.x, -box.rotation.z, -box.rotation.y, box.rotation.w};
    }
    for (std::size_t i = 0; i + 2 < piece.mesh.positions.size(); i += 3) {
      std::swap(piece.mesh.positions[i + 1], piece.mesh.positions[i + 2]);
    }
    for (std::size_t i = 0; i + 2 < piece.mesh.triangles.size(); i += 3) {
      std::swap(piece.mesh.triangles[i + 1], piece.mesh.triangles[i + 2]);
    }
    for (Zone& zone : piece.zones) {
      zone.minimum = swapped(zone.minimum);
      zone.maximum = swapped(zone.maximum);
    }
  }
  return kit;
}

Map to_z_up(Map map) {
  for (Placement& placement : map.placements) {
    placement.position = swapped(placement.position);
    const Quat& q = placement.rotation;
    placement.rotation = {-q.x, -q.z, -q.y, q.w};
  }
  return map;
}

}  // namespace strew::snap
