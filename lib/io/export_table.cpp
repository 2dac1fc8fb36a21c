// CSV, PLY and NPY: one row per instance.
#include <algorithm>

#include "export_parts.hpp"

namespace strew::exporting {
namespace {

std::uint64_t total(const ExportSource& source) noexcept {
  std::uint64_t count = 0;
  for (const ExportTile& tile : source.tiles()) {
    count += tile.instances;
  }
  return count;
}

/// Names of layers and species with the numbers that rows carry.
std::string comments(const ExportSource& source, const Origin& origin) {
  std::string text = "comment origin_m ";
  append_number(text, to_metres(origin.x));
  text += " ";
  append_number(text, to_metres(origin.y));
  text += "\n";
  for (std::size_t s = 0; s < source.slots().size(); ++s) {
    const ExportSlot& slot = source.slots()[s];
    text += "comment layer " + std::to_string(s) + " " + text_literal(slot.name) + "\n";
    for (std::size_t i = 0; i < slot.species.size(); ++i) {
      const std::string numbers = std::to_string(s) + " " + std::to_string(i) + " ";
      text += "comment species " + numbers + text_literal(slot.species[i].name) + "\n";
      const std::vector<MeshSpec>& meshes = slot.species[i].transform.meshes;
      for (std::size_t m = 0; m < meshes.size(); ++m) {
        text += "comment mesh " + numbers + std::to_string(m) + " " + text_literal(meshes[m].name) + "\n";
      }
    }
  }
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string out = "\"";
  for (const char c : text) {
    out.append(c == '"' ? 2 : 1, c);
  }
  return out + '"';
}

/// Columns that a table has beside its usual ones, for all its rows.
struct Extras {
  bool turn = false;   ///< some species tilts: qx, qy, qz, qw
  bool scale = false;  ///< some species has scales of its own: scale_x, scale_y, scale_z
  bool mesh = false;   ///< some species chooses among meshes

  explicit Extras(const ExportSource& source) {
    for (const ExportSlot& slot : source.slots()) {
      for (const SpeciesSpec& species : slot.species) {
        const TransformSpec& spec = species.transform;
        turn = turn || spec.tilts();
        scale = scale || spec.scale_y || spec.scale_z;
        mesh = mesh || !spec.meshes.empty();
      }
    }
  }
  /// Calls put(name, value) for each column of numbers.
  template <class Put>
  void each_number(const Posed& one, const Put& put) const {
    constexpr std::array<const char*, 4> kTurn = {"qx", "qy", "qz", "qw"};
    constexpr std::array<const char*, 3> kScale = {"scale_x", "scale_y", "scale_z"};
    for (std::size_t i = 0; turn && i < kTurn.size(); ++i) {
      put(kTurn[i], one.turn[i]);
    }
    for (std::size_t i = 0; scale && i < kScale.size(); ++i) {
      put(kScale[i], one.scale[i]);
    }
  }
  /// The names of these columns, each between two texts.
  [[nodiscard]] std::string names(const std::string& before, const std::string& after) const {
    std::string text;
    each_number({}, [&](const char* name, double) { text += before + name + after; });
    return text;
  }
};

/// The row of PLY and NPY up to the id, and what comes after the species.
void append_row(std::vector<std::byte>& row, const Placed& instance, const Posed& one) {
  for (const double value : one.position) {
    append_little(row, value);
  }
  append_little(row, static_cast<float>(one.yaw_degrees));
  append_little(row, static_cast<float>(instance.scale[0]));
}
void append_extras(std::vector<std::byte>& row, const Extras& extras, const Placed& instance,
                   const Posed& one) {
  extras.each_number(one, [&](const char*, double value) { append_little(row, static_cast<float>(value)); });
  if (extras.mesh) {
    append_little(row, instance.mesh);
  }
}

void append_csv_row(std::string& text, const ExportSlot& slot, const Extras& extras, const Placed& instance,
                    const Posed& one) {
  const auto put = [&](double value) {
    text += ",";
    append_number(text, value);
  };
  const SpeciesSpec& species = slot.species[instance.species];
  append_number(text, instance.id);
  text += "," + csv_field(slot.name) + "," + csv_field(species.name);
  std::for_each(one.position.begin(), one.position.end(), put);
  put(one.yaw_degrees);
  put(instance.scale[0]);
  extras.each_number(one, [&](const char*, double value) { put(value); });
  if (extras.mesh) {
    const std::vector<MeshSpec>& meshes = species.transform.meshes;
    text += "," + (instance.mesh < meshes.size() ? csv_field(meshes[instance.mesh].name) : "");
  }
  text += "\n";
}

/// Writes the rows that put(row, placed, posed) appends.
template <class Put>
[[nodiscard]] Status write_rows(const Task& task, const Extras& extras, PieceFile& file,
                                ExportSummary& summary, const Put& put) {
  return write_tiles(task, task.origin, file, summary,
                     [&](const ExportTile&, const std::vector<Placed>& placed, std::vector<std::byte>& rows) {
                       for (const Placed& instance : placed) {
                         put(rows, instance, in_axes(instance, task.options.axes, extras.turn));
                       }
                     });
}

}  // namespace

Status export_csv(const Task& task, ExportSummary& summary) {
  const Extras extras(task.source);
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(task.path));
  std::string header = "id,layer,species,x,y,z,yaw_degrees,scale";
  header += extras.names(",", "");
  STREW_RETURN_IF_ERROR(file.text(header + (extras.mesh ? ",mesh\n" : "\n")));
  STREW_RETURN_IF_ERROR(
      write_tiles(task, task.origin, file, summary,
                  [&](const ExportTile&, const std::vector<Placed>& placed, std::vector<std::byte>& out) {
                    std::string text;
                    for (const Placed& instance : placed) {
                      append_csv_row(text, task.source.slots()[instance.slot], extras, instance,
                                     in_axes(instance, task.options.axes, extras.turn));
                    }
                    append_text(out, text);
                  }));
  return file.finish(summary);
}

Status export_ply(const Task& task, ExportSummary& summary) {
  const Extras extras(task.source);
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(task.path));
  std::string header = "ply\nformat binary_little_endian 1.0\n" + comments(task.source, task.origin) +
                       "element vertex " + std::to_string(total(task.source)) +
                       "\nproperty double x\nproperty double y\nproperty double z\nproperty float "
                       "yaw_degrees\nproperty float scale\nproperty uint id_low\nproperty uint id_high\n"
                       "property ushort layer\nproperty ushort species\n";
  header += extras.names("property float ", "\n");
  STREW_RETURN_IF_ERROR(file.text(header + (extras.mesh ? "property ushort mesh\n" : "") + "end_header\n"));
  STREW_RETURN_IF_ERROR(
      write_rows(task, extras, file, summary,
                 [&](std::vector<std::byte>& rows, const Placed& instance, const Posed& one) {
                   append_row(rows, instance, one);
                   append_little(rows, static_cast<std::uint32_t>(instance.id));
                   append_little(rows, static_cast<std::uint32_t>(instance.id >> 32));
                   append_little(rows, instance.slot);
                   append_little(rows, instance.species);
                   append_extras(rows, extras, instance, one);
                 }));
  return file.finish(summary);
}

Status export_npy(const Task& task, ExportSummary& summary) {
  const Extras extras(task.source);
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(task.path));
  constexpr std::size_t kPrefix = 10;
  std::string header =
      "{'descr': [('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('yaw_degrees', '<f4'), ('scale', '<f4'), ('id', "
      "'<u8'), ('layer', '<u2'), ('species', '<u2')";
  header += extras.names(", ('", "', '<f4')");
  header += std::string(extras.mesh ? ", ('mesh', '<u2')" : "") + "], 'fortran_order': False, 'shape': (" +
            std::to_string(total(task.source)) + ",), }";
  const std::size_t padded = (kPrefix + header.size() + 1 + 63) / 64 * 64 - kPrefix;
  header.append(padded - header.size() - 1, ' ');
  header += '\n';
  std::string front("\x93NUMPY\x01\x00", 8);
  front.push_back(static_cast<char>(header.size() & 0xFFU));
  front.push_back(static_cast<char>(header.size() >> 8));
  STREW_RETURN_IF_ERROR(file.text(front + header));
  STREW_RETURN_IF_ERROR(
      write_rows(task, extras, file, summary,
                 [&](std::vector<std::byte>& rows, const Placed& instance, const Posed& one) {
                   append_row(rows, instance, one);
                   append_little(rows, instance.id);
                   append_little(rows, instance.slot);
                   append_little(rows, instance.species);
                   append_extras(rows, extras, instance, one);
                 }));
  return file.finish(summary);
}

}  // namespace strew::exporting
