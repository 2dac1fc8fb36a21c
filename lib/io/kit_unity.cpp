// The published pieces as JSON: left-handed, y up, z forward.
#include <filesystem>

#include "kit_read.hpp"

namespace strew::kit_file {
namespace {

/// Column i of the rotation of a unit quaternion.
snap::Vec3 axis_of(const snap::Quat& q, int i) {
  if (i == 2) {
    return {2 * (q.x * q.z + q.y * q.w), 2 * (q.y * q.z - q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)};
  }
  return {2 * (q.x * q.y - q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.x * q.w)};
}

Status read_connector(const ObjectAt& object, snap::Connector& connector) {
  for (const std::string_view key : {"position", "rotation", "pins", "color"}) {
    STREW_RETURN_IF_ERROR(require(object, key));
  }
  STREW_RETURN_IF_ERROR(read_text(object, "name", connector.name));
  STREW_RETURN_IF_ERROR(read_vector(object, "position", connector.position));
  snap::Quat rotation;
  STREW_RETURN_IF_ERROR(read_quaternion(object, "rotation", rotation));
  connector.heading = axis_of(rotation, 2);
  connector.up = axis_of(rotation, 1);
  STREW_RETURN_IF_ERROR(read_whole(object, "pins", connector.pins));
  std::int32_t colour = 0;
  STREW_RETURN_IF_ERROR(read_whole(object, "color", colour));
  if (colour < 0 || colour > 11) {
    return invalid_argument("is " + std::to_string(colour) + "; expected 0 to 11", object.place("color"));
  }
  connector.colour = static_cast<std::uint8_t>(colour);
  return {};
}

Status read_box(const ObjectAt& object, snap::Box& box) {
  for (const std::string_view key : {"center", "half_extents"}) {
    STREW_RETURN_IF_ERROR(require(object, key));
  }
  STREW_RETURN_IF_ERROR(read_vector(object, "center", box.centre));
  box.query_centre = box.centre;
  STREW_RETURN_IF_ERROR(read_vector(object, "reference_center", box.query_centre));
  STREW_RETURN_IF_ERROR(read_vector(object, "half_extents", box.half_extents));
  STREW_RETURN_IF_ERROR(read_quaternion(object, "rotation", box.rotation));
  return read_flag(object, "enabled", box.enabled);
}

/// The mesh files mirror x, to be right-handed.
Status read_unity_mesh(const std::filesystem::path& folder, const std::string& set, snap::Piece& piece) {
  for (const std::filesystem::path& base : {folder / set, folder}) {
    for (const std::string_view extension : {".glb", ".obj"}) {
      const std::filesystem::path path = base / (piece.name + std::string(extension));
      std::error_code error;
      if (!std::filesystem::exists(path, error)) {
        continue;
      }
      STREW_ASSIGN(MeshFile file, read_mesh(path.string()));
      piece.mesh = std::move(file.mesh);
      for (std::size_t i = 0; i < piece.mesh.positions.size(); i += 3) {
        piece.mesh.positions[i] = -piece.mesh.positions[i];
      }
      for (std::size_t i = 0; i + 2 < piece.mesh.triangles.size(); i += 3) {
        std::swap(piece.mesh.triangles[i + 1], piece.mesh.triangles[i + 2]);
      }
      return {};
    }
  }
  return {};
}

}  // namespace

Result<snap::Kit> read_unity_form(const Json& document, const std::string& folder) {
  snap::Kit kit;
  kit.frame = snap::Frame::kUnity;
  const ObjectAt top{document, "kit"};
  STREW_RETURN_IF_ERROR(require(top, "pieces"));
  STREW_RETURN_IF_ERROR(read_text(top, "set", kit.name));
  STREW_RETURN_IF_ERROR(each(top, "pieces", "piece", [&](const ObjectAt& object) -> Status {
    snap::Piece piece;
    STREW_RETURN_IF_ERROR(require(object, "name"));
    STREW_RETURN_IF_ERROR(read_text(object, "name", piece.name));
    STREW_RETURN_IF_ERROR(each(object, "connectors", "connector", [&](const ObjectAt& at) {
      return read_connector(at, piece.connectors.emplace_back());
    }));
    STREW_RETURN_IF_ERROR(each(object, "boxes", "box",
                               [&](const ObjectAt& at) { return read_box(at, piece.boxes.emplace_back()); }));
    STREW_RETURN_IF_ERROR(read_unity_mesh(folder, kit.name, piece));
    kit.pieces.push_back(std::move(piece));
    return {};
  }));
  if (const Json* const starters = top.find("starter_list"); starters != nullptr && starters->is_array()) {
    for (const Json& name : *starters) {
      const auto at = std::find_if(kit.pieces.begin(), kit.pieces.end(),
                                   [&](const snap::Piece& piece) { return name == piece.name; });
      if (at == kit.pieces.end()) {
        return invalid_argument("names " + name.dump() + ", which is no piece", "starter_list");
      }
      kit.starters.push_back(static_cast<std::uint32_t>(at - kit.pieces.begin()));
    }
  }
  return kit;
}

}  // namespace strew::kit_file
