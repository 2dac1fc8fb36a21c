// USD as text: a PointInstancer per tile, sharing one set of prototypes (under an `over`, so that they are
// not drawn by themselves).
#include "export_parts.hpp"

namespace strew::exporting {
namespace {

/// z-up, as the stage says: the y-up (x, y, z) becomes (x, -z, y).
std::string tuples(const std::vector<float>& values) {
  std::string text;
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
    text += text.empty() ? "(" : ", (";
    append_number(text, values[i]);
    text += ", ";
    append_number(text, 0.0F - values[i + 2]);
    text += ", ";
    append_number(text, values[i + 1]);
    text += ")";
  }
  return text;
}

/// A mesh `name`; `about` goes into its parentheses.
template <class Index>
std::string mesh_text(const std::string& indent, const std::string& name, const std::string& about,
                      const std::vector<float>& positions, const std::vector<float>& normals,
                      const std::vector<Index>& corners, const std::array<float, 3>& colour) {
  std::string counts;
  std::string indices;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    indices += (i == 0 ? "" : ", ") + std::to_string(corners[i]);
    counts += i % 3 != 0 ? "" : (i == 0 ? "3" : ", 3");
  }
  std::string parts;
  for (const float part : colour) {
    parts += parts.empty() ? "" : ", ";
    append_number(parts, part);
  }
  const std::string in = indent + "    ";
  std::string text = indent + "def Mesh \"" + name + "\"";
  text += about.empty() ? "\n" : " (\n" + in + about + "\n" + indent + ")\n";
  text += indent + "{\n" + in + "int[] faceVertexCounts = [" + counts + "]\n" + in +
          "int[] faceVertexIndices = [" + indices + "]\n" + in + "point3f[] points = [" + tuples(positions) +
          "]\n";
  if (!normals.empty()) {
    text += in + "normal3f[] normals = [" + tuples(normals) + "] (\n" + in +
            "    interpolation = \"vertex\"\n" + in + ")\n";
  }
  return text + in + "uniform token subdivisionScheme = \"none\"\n" + in +
         "color3f[] primvars:displayColor = [(" + parts + ")]\n" + indent + "}\n";
}

/// A stand-in, or a model with a mesh for each of its materials.
std::string prototype(const std::string& name, const ExportSlot& slot, std::size_t species, std::size_t shown,
                      const Model* model) {
  const std::string about =
      "displayName = " + text_literal(slot.name + ": " + shown_name(slot.species[species], shown));
  const std::string indent = "        ";
  if (model == nullptr) {
    const Mesh mesh = stand_in(slot, species);
    return mesh_text(indent, name, about, mesh.positions, mesh.normals, mesh.indices, mesh.colour);
  }
  std::string text = indent + "def Xform \"" + name + "\" (\n" + indent + "    " + about + "\n" + indent +
                     ")\n" + indent + "{\n";
  for (std::size_t i = 0; i < model->parts.size(); ++i) {
    const ModelPart& part = model->parts[i];
    constexpr std::array<float, 3> kGrey = {0.5F, 0.5F, 0.5F};
    text += mesh_text(indent + "    ", "part" + std::to_string(i), {}, part.positions, part.normals,
                      part.indices, part.material ? model->colours[*part.material] : kGrey);
  }
  return text + indent + "}\n";
}

/// First prototype of each species, by slot.
std::vector<std::vector<std::size_t>> first_prototypes(const ExportSource& source) {
  std::vector<std::vector<std::size_t>> first;
  std::size_t count = 0;
  for (const ExportSlot& slot : source.slots()) {
    first.emplace_back();
    for (const SpeciesSpec& species : slot.species) {
      first.back().push_back(count);
      count += mesh_count(species);
    }
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

Status export_usda(const Task& task, ExportSummary& summary) {
  const ExportSource& source = task.source;
  const Origin& origin = task.origin;
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(task.path));
  std::string text =
      "#usda 1.0\n(\n    defaultPrim = \"strew\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n"
      "    customLayerData = {\n        double2 strew_origin_m = (";
  append_number(text, to_metres(origin.x));
  text += ", ";
  append_number(text, to_metres(origin.y));
  text += ")\n    }\n)\n\ndef Xform \"strew\"\n{\n    over \"prototypes\"\n    {\n";
  std::string targets;
  std::size_t number = 0;
  for (std::size_t slot_number = 0; slot_number < source.slots().size(); ++slot_number) {
    const ExportSlot& slot = source.slots()[slot_number];
    for (std::size_t s = 0; s < slot.species.size(); ++s) {
      for (std::size_t shown = 0; shown < mesh_count(slot.species[s]); ++shown, ++number) {
        const std::string name = "p" + std::to_string(number);
        text += prototype(name, slot, s, shown, task.models.find(slot_number, s));
        targets += (number == 0 ? "<" : ", <") + std::string("/strew/prototypes/") + name + ">";
      }
    }
  }
  text += "    }\n";
  STREW_RETURN_IF_ERROR(file.text(text));
  const std::vector<std::vector<std::size_t>> first = first_prototypes(source);
  const Origin world;
  STREW_RETURN_IF_ERROR(write_tiles(
      task, world, file, summary,
      [&](const ExportTile& tile, const std::vector<Placed>& placed, std::vector<std::byte>& out) {
        // Floats hold places in a tile, not in a world: each tile is moved to its corner in doubles.
        const double corner_x = to_metres(tile.rect.x0);
        const double corner_y = to_metres(tile.rect.y0);
        std::string text = "    def PointInstancer \"" + tile_name(tile) +
                           "\"\n    {\n        double3 xformOp:translate = (";
        append_number(text, to_metres(tile.rect.x0 - origin.x));
        text += ", ";
        append_number(text, to_metres(tile.rect.y0 - origin.y));
        text +=
            ", 0)\n        uniform token[] xformOpOrder = [\"xformOp:translate\"]\n        rel prototypes = "
            "[" +
            targets + "]\n";
        append_array(text, "int[] protoIndices", placed, [&](const Placed& one) {
          append_number(text, first[one.slot][one.species] + one.mesh);
        });
        append_array(text, "int64[] ids", placed,
                     [&](const Placed& one) { append_number(text, static_cast<std::int64_t>(one.id)); });
        append_array(text, "point3f[] positions", placed, [&](const Placed& one) {
          append_tuple(text, {one.x - corner_x, one.y - corner_y, one.z});
        });
        append_array(text, "quath[] orientations", placed, [&](const Placed& one) {
          const auto [i, j, k, w] = turn_of(one);
          append_tuple(text, {w, i, j, k});
        });
        append_array(text, "float3[] scales", placed, [&](const Placed& one) {
          append_tuple(text, {one.scale[0], one.scale[1], one.scale[2]});
        });
        text += "    }\n";
        append_text(out, text);
      }));
  STREW_RETURN_IF_ERROR(file.text("}\n"));
  return file.finish(summary);
}

}  // namespace strew::exporting
