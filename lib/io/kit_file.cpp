// Kit files: which form, validation, the own form written, its schema.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "guard.hpp"
#include "kit_read.hpp"

namespace strew {
namespace {

using Ordered = nlohmann::ordered_json;
using kit_file::Json;

Ordered triple(const snap::Vec3& v) {
  return Ordered::array({v.x, v.y, v.z});
}

Result<snap::Kit> parse(std::string_view text, const std::string& folder) {
  Json document;
  try {
    document = Json::parse(text, nullptr, true, true);
  } catch (const Json::exception& error) {
    return invalid_argument(std::string("is no JSON: ") + error.what(), "kit");
  }
  STREW_RETURN_IF_ERROR(kit_file::check_object(document, "kit"));
  const auto frame = document.find("frame");
  const bool unity = frame != document.end();
  if (unity &&
      (!frame->is_string() || frame->get_ref<const std::string&>().find("Unity") == std::string::npos)) {
    return invalid_argument(
        "is " + frame->dump() + "; only the published pieces (Unity, left-handed) have a frame: leave it out",
        "frame");
  }
  STREW_ASSIGN(snap::Kit kit, unity ? kit_file::read_unity_form(document, folder)
                                    : kit_file::read_own_form(document, folder));
  // Faults name connectors as the file lists them.
  STREW_RETURN_IF_ERROR(snap::validate_kit(kit));
  snap::order_connectors(kit);
  return kit;
}

}  // namespace

Result<snap::Kit> parse_kit(std::string_view json, const std::string& folder) {
  return guarded([&]() -> Result<snap::Kit> { return parse(json, folder); });
}

Result<snap::Kit> read_kit(const std::string& path) {
  return guarded([&]() -> Result<snap::Kit> {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path)) {
      return make_error(StatusCode::kNotFound, "cannot be read; give the path of a kit (a JSON file)", path);
    }
    std::ostringstream text;
    text << file.rdbuf();
    std::string folder = std::filesystem::path(path).parent_path().string();
    auto kit = parse(text.str(), folder.empty() ? "." : folder);
    if (kit.ok()) {
      if (kit.value().name.empty()) {
        kit.value().name = std::filesystem::path(path).stem().string();
      }
      return kit;
    }
    Status status = kit.status();
    status.where = path + ": " + status.where;
    return status;
  });
}

std::string kit_json(const snap::Kit& kit) {
  Ordered out;
  out["version"] = 1;
  out["name"] = kit.name;
  if (!kit.starters.empty()) {
    out["starters"] = Ordered::array();
    for (const std::uint32_t starter : kit.starters) {
      out["starters"].push_back(kit.pieces[starter].name);
    }
  }
  if (kit.colour_matrix != snap::usual_colour_matrix()) {
    out["colour_matrix"] = kit.colour_matrix;
  }
  out["pieces"] = Ordered::array();
  for (const snap::Piece& piece : kit.pieces) {
    Ordered p;
    p["name"] = piece.name;
    if (piece.weight != 1) {
      p["weight"] = piece.weight;
    }
    if (piece.minimum_count != 0) {
      p["minimum"] = piece.minimum_count;
    }
    if (piece.maximum_count >= 0) {
      p["maximum"] = piece.maximum_count;
    }
    if (piece.cap) {
      p["cap"] = true;
    }
    p["connectors"] = Ordered::array();
    for (const snap::Connector& c : piece.connectors) {
      p["connectors"].push_back({{"name", c.name},
                                 {"position", triple(c.position)},
                                 {"heading", triple(c.heading)},
                                 {"up", triple(c.up)},
                                 {"pins", c.pins},
                                 {"colour", snap::colour_name(c.colour)}});
    }
    p["boxes"] = Ordered::array();
    for (const snap::Box& b : piece.boxes) {
      p["boxes"].push_back({{"centre", triple(b.centre)},
                            {"half_extents", triple(b.half_extents)},
                            {"rotation", {b.rotation.x, b.rotation.y, b.rotation.z, b.rotation.w}}});
    }
    for (const snap::Zone& z : piece.zones) {
      p["zones"].push_back({{"minimum", triple(z.minimum)}, {"maximum", triple(z.maximum)}});
    }
    out["pieces"].push_back(std::move(p));
  }
  return out.dump(1);
}

std::string kit_schema() {
  constexpr std::string_view kText = R"json({
 "$schema": "https://json-schema.org/draft/2020-12/schema",
 "title": "strew kit of snappable pieces: z up, metres",
 "type": "object",
 "required": ["version", "pieces"],
 "additionalProperties": false,
 "properties": {
  "version": {"const": 1},
  "name": {"type": "string"},
  "starters": {"type": "array", "items": {"type": "string"}, "description": "pieces a map may begin with"},
  "colour_matrix": {"type": "array", "minItems": 12, "maxItems": 12, "description": "[guide][tentative]",
   "items": {"type": "array", "minItems": 12, "maxItems": 12, "items": {"enum": [true, false, 0, 1]}}},
  "pieces": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/piece"}}
 },
 "$defs": {
  "vector": {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "number"}},
  "piece": {
   "type": "object", "required": ["name"], "additionalProperties": false,
   "properties": {
    "name": {"type": "string", "minLength": 1},
    "mesh": {"description": "glTF, GLB or OBJ beside the kit; empty nodes connector.<colour>.<pins> are connectors",
     "oneOf": [{"type": "string"},
      {"type": "object", "required": ["file"], "additionalProperties": false,
       "properties": {"file": {"type": "string"}, "scale": {"type": "number", "exclusiveMinimum": 0},
        "up": {"enum": ["y", "z"], "default": "y"}}}]},
    "connectors": {"type": "array", "maxItems": 64, "items": {
     "type": "object", "required": ["position", "heading"], "additionalProperties": false,
     "properties": {"name": {"type": "string"}, "position": {"$ref": "#/$defs/vector"},
      "heading": {"$ref": "#/$defs/vector"}, "up": {"$ref": "#/$defs/vector"},
      "pins": {"type": "integer", "minimum": 0},
      "colour": {"oneOf": [{"type": "integer", "minimum": 0, "maximum": 11},
       {"enum": ["white", "red", "green", "blue", "cyan", "orange", "yellow", "pink", "purple", "brown", "black",
        "grey"]}]}}}},
    "boxes": {"type": "array", "description": "absent: made from the mesh", "items": {
     "type": "object", "required": ["centre", "half_extents"], "additionalProperties": false,
     "properties": {"centre": {"$ref": "#/$defs/vector"}, "half_extents": {"$ref": "#/$defs/vector"},
      "rotation": {"type": "array", "minItems": 4, "maxItems": 4, "items": {"type": "number"},
       "description": "x, y, z, w"}}}},
    "zones": {"type": "array", "description": "where walking counts; absent: everywhere", "items": {
     "type": "object", "required": ["minimum", "maximum"], "additionalProperties": false,
     "properties": {"minimum": {"$ref": "#/$defs/vector"}, "maximum": {"$ref": "#/$defs/vector"}}}},
    "weight": {"type": "number", "minimum": 0, "default": 1},
    "minimum": {"type": "integer", "minimum": 0, "default": 0},
    "maximum": {"type": "integer", "minimum": -1, "default": -1, "description": "-1: no limit"},
    "cap": {"type": "boolean", "default": false, "description": "closes dead ends"}
   }
  }
 }
}
)json";
  return std::string(kText);
}

}  // namespace strew
