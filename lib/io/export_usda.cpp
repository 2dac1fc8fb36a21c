// USD as text: a PointInstancer per tile, sharing one set of prototypes (under an `over`, so that they are
// not drawn by themselves).
#include "export_parts.hpp"

namespace strew::exporting {
namespace {

/// z-up, as the stage says: the stand-in's y-up (x, y, z) becomes (x, -z, y).
std::string prototype(const std::string& name, const std::string& label, const Mesh& mesh) {
  std::string points;
  std::string normals;
  const auto append = [](std::string& text, const std::vector<float>& values, std::size_t i) {
    text += text.empty() ? "(" : ", (";
    append_number(text, values[i]);
    text += ", ";
    append_number(text, 0.0F - values[i + 2]);
    text += ", ";
    append_number(text, values[i + 1]);
    text += ")";
  };
  for (std::size_t i = 0; i + 2 < mesh.positions.size(); i += 3) {
    append(points, mesh.positions, i);
    append(normals, mesh.normals, i);
  }
  std::string counts;
  std::string indices;
  for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
    indices += (i == 0 ? "" : ", ") + std::to_string(mesh.indices[i]);
    counts += i % 3 != 0 ? "" : (i == 0 ? "3" : ", 3");
  }
  std::string colour;
  for (const float part : mesh.colour) {
    colour += colour.empty() ? "" : ", ";
    append_number(colour, part);
  }
  return "        def Mesh \"" + name + "\" (\n            displayName = " + text_literal(label) +
         "\n        )\n        {\n            int[] faceVertexCounts = [" + counts +
         "]\n            int[] faceVertexIndices = [" + indices + "]\n            point3f[] points = [" +
         points + "]\n            normal3f[] normals = [" + normals +
         "] (\n                interpolation = \"vertex\"\n            )\n            uniform token "
         "subdivisionScheme = "
         "\"none\"\n            color3f[] primvars:displayColor = [(" +
         colour + ")]\n        }\n";
}

/// First prototype of each slot.
std::vector<std::size_t> first_prototypes(const ExportSource& source) {
  std::vector<std::size_t> first;
  std::size_t count = 0;
  for (const ExportSlot& slot : source.slots()) {
    first.push_back(count);
    count += slot.species.size();
  }
  return first;
}

std::string tile_name(const ExportTile& tile) {
  const auto part = [](std::int64_t value) {
    return value < 0 ? "m" + std::to_string(-value) : std::to_string(value);
  };
  return "tile_" + part(tile.x) + "_" + part(tile.y);
}

template <class Put>
void append_array(std::string& text, const char* name, const std::vector<Placed>& placed, const Put& put) {
  text += std::string("        ") + name + " = [";
  for (std::size_t i = 0; i < placed.size(); ++i) {
    text += i == 0 ? "" : ", ";
    put(placed[i]);
  }
  text += "]\n";
}

void append_tuple(std::string& text, std::initializer_list<double> values) {
  text += "(";
  bool first = true;
  for (const double value : values) {
    text += first ? "" : ", ";
    append_number(text, static_cast<float>(value));
    first = false;
  }
  text += ")";
}

}  // namespace

Status export_usda(const ExportSource& source, const std::string& path, const ExportOptions& /*options*/,
                   const Origin& origin, const RunContext& context, ExportSummary& summary) {
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(path));
  std::string text =
      "#usda 1.0\n(\n    defaultPrim = \"strew\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n"
      "    customLayerData = {\n        double2 strew_origin_m = (";
  append_number(text, to_metres(origin.x));
  text += ", ";
  append_number(text, to_metres(origin.y));
  text += ")\n    }\n)\n\ndef Xform \"strew\"\n{\n    over \"prototypes\"\n    {\n";
  std::string targets;
  std::size_t number = 0;
  for (const ExportSlot& slot : source.slots()) {
    for (std::size_t s = 0; s < slot.species.size(); ++s, ++number) {
      const std::string name = "p" + std::to_string(number);
      text += prototype(name, slot.name + ": " + slot.species[s].name, stand_in(slot, s));
      targets += (number == 0 ? "<" : ", <") + std::string("/strew/prototypes/") + name + ">";
    }
  }
  text += "    }\n";
  STREW_RETURN_IF_ERROR(file.text(text));
  const std::vector<std::size_t> first = first_prototypes(source);
  const Origin world;
  STREW_RETURN_IF_ERROR(
      each_tile(source, world, context, [&](const ExportTile& tile, const std::vector<Placed>& placed) {
        // Floats hold places in a tile, not in a world: each tile is moved to its corner in doubles.
        const double corner_x = to_metres(tile.rect.x0);
        const double corner_y = to_metres(tile.rect.y0);
        text = "    def PointInstancer \"" + tile_name(tile) +
               "\"\n    {\n        double3 xformOp:translate = (";
        append_number(text, to_metres(tile.rect.x0 - origin.x));
        text += ", ";
        append_number(text, to_metres(tile.rect.y0 - origin.y));
        text +=
            ", 0)\n        uniform token[] xformOpOrder = [\"xformOp:translate\"]\n        rel prototypes = "
            "[" +
            targets + "]\n";
        append_array(text, "int[] protoIndices", placed,
                     [&](const Placed& one) { append_number(text, first[one.slot] + one.species); });
        append_array(text, "int64[] ids", placed,
                     [&](const Placed& one) { append_number(text, static_cast<std::int64_t>(one.id)); });
        append_array(text, "point3f[] positions", placed, [&](const Placed& one) {
          append_tuple(text, {one.x - corner_x, one.y - corner_y, one.z});
        });
        append_array(text, "quath[] orientations", placed, [&](const Placed& one) {
          double sine = 0;
          double cosine = 0;
          half_angle(one.yaw_degrees, sine, cosine);
          append_tuple(text, {cosine, 0, 0, sine});
        });
        append_array(text, "float3[] scales", placed, [&](const Placed& one) {
          append_tuple(text, {one.scale, one.scale, one.scale});
        });
        text += "    }\n";
        summary.instances += placed.size();
        return file.text(text);
      }));
  STREW_RETURN_IF_ERROR(file.text("}\n"));
  return file.finish(summary);
}

}  // namespace strew::exporting
