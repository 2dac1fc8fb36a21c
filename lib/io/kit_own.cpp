// The project's own kit format: z up, metres; its schema and its writer.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "kit_read.hpp"
#include "strew/strategy.hpp"

namespace strew::kit_file {
namespace {

Status read_colour(const ObjectAt& object, std::uint8_t& out) {
  const Json* const value = object.find("colour");
  if (value == nullptr) {
    return {};
  }
  if (value->is_number_integer() && *value >= 0 && *value < 12) {
    out = value->get<std::uint8_t>();
    return {};
  }
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < snap::kColours; ++i) {
    names.push_back(snap::colour_name(i));
    if (value->is_string() && value->get_ref<const std::string&>() == names.back()) {
      out = static_cast<std::uint8_t>(i);
      return {};
    }
  }
  const std::string_view near =
      value->is_string() ? nearest_name(value->get_ref<const std::string&>(), names) : "";
  return invalid_argument("is " + value->dump() + "; expected 0 to 11 or a name such as \"" +
                              std::string(near.empty() ? "red" : near) + "\"",
                          object.place("colour"));
}

Status read_connector(const ObjectAt& object, snap::Connector& connector) {
  STREW_RETURN_IF_ERROR(refuse_others(object, {"name", "position", "heading", "up", "pins", "colour"}));
  STREW_RETURN_IF_ERROR(require(object, "position"));
  STREW_RETURN_IF_ERROR(require(object, "heading"));
  STREW_RETURN_IF_ERROR(read_text(object, "name", connector.name));
  STREW_RETURN_IF_ERROR(read_vector(object, "position", connector.position));
  STREW_RETURN_IF_ERROR(read_vector(object, "heading", connector.heading));
  STREW_RETURN_IF_ERROR(read_vector(object, "up", connector.up));
  STREW_RETURN_IF_ERROR(read_whole(object, "pins", connector.pins));
  return read_colour(object, connector.colour);
}

Status read_box(const ObjectAt& object, snap::Box& box) {
  STREW_RETURN_IF_ERROR(refuse_others(object, {"centre", "half_extents", "rotation"}));
  STREW_RETURN_IF_ERROR(require(object, "centre"));
  STREW_RETURN_IF_ERROR(require(object, "half_extents"));
  STREW_RETURN_IF_ERROR(read_vector(object, "centre", box.centre));
  box.query_centre = box.centre;
  STREW_RETURN_IF_ERROR(read_vector(object, "half_extents", box.half_extents));
  return read_quaternion(object, "rotation", box.rotation);
}

Status read_zone(const ObjectAt& object, snap::Zone& zone) {
  STREW_RETURN_IF_ERROR(refuse_others(object, {"minimum", "maximum"}));
  STREW_RETURN_IF_ERROR(require(object, "minimum"));
  STREW_RETURN_IF_ERROR(require(object, "maximum"));
  STREW_RETURN_IF_ERROR(read_vector(object, "minimum", zone.minimum));
  return read_vector(object, "maximum", zone.maximum);
}

/// connector.<colour>.<pins>, colour by number or name; what follows a further dot is the artist's.
Status node_connector(const MeshFile::Node& node, const std::string& where, snap::Connector& connector) {
  const std::string rest = node.name.substr(std::string("connector.").size());
  const std::size_t dot = rest.find('.');
  const std::string colour = rest.substr(0, dot);
  const std::string pins =
      dot == std::string::npos ? "" : rest.substr(dot + 1, rest.find('.', dot + 1) - dot - 1);
  const auto digits = [](const std::string& text) {
    return !text.empty() && text.size() < 7 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  std::size_t number = snap::kColours;
  for (std::size_t i = 0; i < snap::kColours; ++i) {
    if (colour == snap::colour_name(i)) {
      number = i;
    }
  }
  if (digits(colour)) {
    number = std::stoul(colour);
  }
  if (number >= snap::kColours || !digits(pins)) {
    return invalid_argument("node \"" + node.name +
                                "\" should read connector.<colour>.<pins>, such as "
                                "connector.red.2 or connector.1.2",
                            where);
  }
  connector.name = node.name;
  connector.colour = static_cast<std::uint8_t>(number);
  connector.pins = static_cast<std::int32_t>(std::stol(pins));
  connector.position = node.position;
  connector.heading = node.heading;
  connector.up = node.up;
  return {};
}

struct MeshReference {
  std::string file;
  double scale = 1;
  std::string up = "y";
};

Status read_mesh_of(const ObjectAt& object, const std::string& folder, snap::Piece& piece) {
  const Json* const value = object.find("mesh");
  if (value == nullptr) {
    return {};
  }
  MeshReference mesh;
  if (value->is_string()) {
    mesh.file = value->get<std::string>();
  } else {
    STREW_RETURN_IF_ERROR(check_object(*value, object.place("mesh")));
    const ObjectAt at{*value, object.place("mesh")};
    STREW_RETURN_IF_ERROR(refuse_others(at, {"file", "scale", "up"}));
    STREW_RETURN_IF_ERROR(require(at, "file"));
    STREW_RETURN_IF_ERROR(read_text(at, "file", mesh.file));
    STREW_RETURN_IF_ERROR(read_number(at, "scale", mesh.scale));
    STREW_RETURN_IF_ERROR(read_text(at, "up", mesh.up));
  }
  if (!(mesh.scale > 0 && mesh.scale < 1e6) || (mesh.up != "y" && mesh.up != "z")) {
    return invalid_argument("scale is a number above 0, up is \"y\" or \"z\"", object.place("mesh"));
  }
  auto read = read_mesh((std::filesystem::path(folder) / mesh.file).string());
  if (!read.ok()) {
    Status status = read.status();
    status.where = object.where + ", " + status.where;
    return status;
  }
  MeshFile file = std::move(read).value();
  if (file.mesh.triangles.empty() && file.connectors.empty()) {
    return invalid_argument(
        mesh.file + " holds no triangles and no connector nodes; export it again, or leave \"mesh\" out",
        object.where);
  }
  // y up to z up: (x, y, z) -> (x, -z, y).
  const bool turn = mesh.up == "y";
  const auto place = [&](const snap::Vec3& v, double s) {
    return turn ? snap::Vec3{v.x * s, -v.z * s, v.y * s} : snap::Vec3{v.x * s, v.y * s, v.z * s};
  };
  piece.mesh = std::move(file.mesh);
  for (std::size_t i = 0; i + 2 < piece.mesh.positions.size(); i += 3) {
    float* const p = &piece.mesh.positions[i];
    const snap::Vec3 v = place({p[0], p[1], p[2]}, mesh.scale);
    p[0] = static_cast<float>(v.x);
    p[1] = static_cast<float>(v.y);
    p[2] = static_cast<float>(v.z);
  }
  for (MeshFile::Node& node : file.connectors) {
    node.position = place(node.position, mesh.scale);
    node.heading = place(node.heading, 1);
    node.up = place(node.up, 1);
    STREW_RETURN_IF_ERROR(node_connector(node, object.where, piece.connectors.emplace_back()));
  }
  return {};
}

Status read_piece(const ObjectAt& object, const std::string& folder, snap::Piece& piece) {
  STREW_RETURN_IF_ERROR(refuse_others(
      object, {"name", "mesh", "connectors", "boxes", "zones", "weight", "minimum", "maximum", "cap"}));
  STREW_RETURN_IF_ERROR(require(object, "name"));
  STREW_RETURN_IF_ERROR(read_text(object, "name", piece.name));
  STREW_RETURN_IF_ERROR(each(object, "connectors", "connector", [&](const ObjectAt& at) {
    return read_connector(at, piece.connectors.emplace_back());
  }));
  STREW_RETURN_IF_ERROR(read_mesh_of(object, folder, piece));
  STREW_RETURN_IF_ERROR(each(object, "boxes", "box",
                             [&](const ObjectAt& at) { return read_box(at, piece.boxes.emplace_back()); }));
  STREW_RETURN_IF_ERROR(each(object, "zones", "zone",
                             [&](const ObjectAt& at) { return read_zone(at, piece.zones.emplace_back()); }));
  STREW_RETURN_IF_ERROR(read_number(object, "weight", piece.weight));
  STREW_RETURN_IF_ERROR(read_whole(object, "minimum", piece.minimum_count));
  STREW_RETURN_IF_ERROR(read_whole(object, "maximum", piece.maximum_count));
  return read_flag(object, "cap", piece.cap);
}

Status read_matrix(const ObjectAt& top, snap::ColourMatrix& matrix) {
  const Json* const value = top.find("colour_matrix");
  if (value == nullptr) {
    return {};
  }
  bool good = value->is_array() && value->size() == snap::kColours;
  for (std::size_t g = 0; good && g < snap::kColours; ++g) {
    const Json& row = (*value)[g];
    good = row.is_array() && row.size() == snap::kColours;
    for (std::size_t t = 0; good && t < snap::kColours; ++t) {
      const Json& cell = row[t];
      good = cell.is_boolean() || (cell.is_number_integer() && (cell == 0 || cell == 1));
      matrix[g][t] = good && (cell.is_boolean() ? cell.get<bool>() : cell == 1);
    }
  }
  return good ? Status()
              : invalid_argument("expected 12 rows (guide) of 12 (tentative) true, false, 0 or 1",
                                 "colour_matrix");
}

}  // namespace

void derive_boxes(snap::Piece& piece) {
  if (!piece.boxes.empty() || piece.mesh.positions.empty()) {
    return;
  }
  snap::Vec3 low{1e30, 1e30, 1e30};
  snap::Vec3 high{-1e30, -1e30, -1e30};
  for (std::size_t i = 0; i + 2 < piece.mesh.positions.size(); i += 3) {
    const float* const p = &piece.mesh.positions[i];
    low = {std::min<double>(low.x, p[0]), std::min<double>(low.y, p[1]), std::min<double>(low.z, p[2])};
    high = {std::max<double>(high.x, p[0]), std::max<double>(high.y, p[1]), std::max<double>(high.z, p[2])};
  }
  const auto half = [](double a, double b) {
    const double h = (b - a) / 2;
    return std::max(0.0, h - std::min(0.02, 0.01 * h));
  };
  snap::Box box;
  box.centre = {(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
  box.query_centre = box.centre;
  box.half_extents = {half(low.x, high.x), half(low.y, high.y), half(low.z, high.z)};
  piece.boxes.push_back(box);
}

Result<snap::Kit> read_own_form(const Json& document, const std::string& folder) {
  snap::Kit kit;
  const ObjectAt top{document, ""};
  STREW_RETURN_IF_ERROR(refuse_others(top, {"version", "name", "starters", "colour_matrix", "pieces"}));
  STREW_RETURN_IF_ERROR(require(top, "version"));
  STREW_RETURN_IF_ERROR(require(top, "pieces"));
  if (document["version"] != 1) {
    return invalid_argument("is " + document["version"].dump() + "; this program reads version 1", "version");
  }
  STREW_RETURN_IF_ERROR(read_text(top, "name", kit.name));
  STREW_RETURN_IF_ERROR(read_matrix(top, kit.colour_matrix));
  STREW_RETURN_IF_ERROR(each(top, "pieces", "piece", [&](const ObjectAt& object) -> Status {
    snap::Piece piece;
    STREW_RETURN_IF_ERROR(read_piece(object, folder, piece));
    derive_boxes(piece);
    kit.pieces.push_back(std::move(piece));
    return {};
  }));
  if (const Json* const starters = top.find("starters"); starters != nullptr) {
    if (!starters->is_array()) {
      return invalid_argument("expected a list of names", "starters");
    }
    for (const Json& name : *starters) {
      const auto at = std::find_if(kit.pieces.begin(), kit.pieces.end(),
                                   [&](const snap::Piece& piece) { return name == piece.name; });
      if (at == kit.pieces.end()) {
        return invalid_argument("names " + name.dump() + ", which is no piece", "starters");
      }
      kit.starters.push_back(static_cast<std::uint32_t>(at - kit.pieces.begin()));
    }
  }
  return kit;
}

}  // namespace strew::kit_file
