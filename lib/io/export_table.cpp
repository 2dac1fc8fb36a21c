// CSV, PLY and NPY: one row per instance.
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
      text += "comment species " + std::to_string(s) + " " + std::to_string(i) + " " +
              text_literal(slot.species[i].name) + "\n";
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

/// The row of PLY and NPY.
void append_row(std::vector<std::byte>& row, const Placed& one) {
  append_little(row, one.x);
  append_little(row, one.y);
  append_little(row, one.z);
  append_little(row, static_cast<float>(one.yaw_degrees));
  append_little(row, static_cast<float>(one.scale));
}

}  // namespace

Status export_csv(const Task& task, ExportSummary& summary) {
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(task.path));
  STREW_RETURN_IF_ERROR(file.text("id,layer,species,x,y,z,yaw_degrees,scale\n"));
  STREW_RETURN_IF_ERROR(
      write_tiles(task, task.origin, file, summary,
                  [&](const ExportTile&, const std::vector<Placed>& placed, std::vector<std::byte>& out) {
                    std::string text;
                    for (const Placed& instance : placed) {
                      const Placed one = in_axes(instance, task.options.axes);
                      const ExportSlot& slot = task.source.slots()[one.slot];
                      append_number(text, one.id);
                      text += "," + csv_field(slot.name) + "," + csv_field(slot.species[one.species].name);
                      for (const double value : {one.x, one.y, one.z, one.yaw_degrees, one.scale}) {
                        text += ",";
                        append_number(text, value);
                      }
                      text += "\n";
                    }
                    append_text(out, text);
                  }));
  return file.finish(summary);
}

Status export_ply(const Task& task, ExportSummary& summary) {
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(task.path));
  STREW_RETURN_IF_ERROR(file.text("ply\nformat binary_little_endian 1.0\n" +
                                  comments(task.source, task.origin) + "element vertex " +
                                  std::to_string(total(task.source)) +
                                  "\nproperty double x\nproperty double y\nproperty double z\nproperty float "
                                  "yaw_degrees\nproperty float scale\n"
                                  "property uint id_low\nproperty uint id_high\nproperty ushort "
                                  "layer\nproperty ushort species\nend_header\n"));
  STREW_RETURN_IF_ERROR(
      write_tiles(task, task.origin, file, summary,
                  [&](const ExportTile&, const std::vector<Placed>& placed, std::vector<std::byte>& rows) {
                    for (const Placed& instance : placed) {
                      append_row(rows, in_axes(instance, task.options.axes));
                      append_little(rows, static_cast<std::uint32_t>(instance.id));
                      append_little(rows, static_cast<std::uint32_t>(instance.id >> 32));
                      append_little(rows, instance.slot);
                      append_little(rows, instance.species);
                    }
                  }));
  return file.finish(summary);
}

Status export_npy(const Task& task, ExportSummary& summary) {
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(task.path));
  constexpr std::size_t kPrefix = 10;
  std::string header =
      "{'descr': [('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('yaw_degrees', '<f4'), ('scale', '<f4'), ('id', "
      "'<u8'), "
      "('layer', '<u2'), ('species', '<u2')], 'fortran_order': False, 'shape': (" +
      std::to_string(total(task.source)) + ",), }";
  const std::size_t padded = (kPrefix + header.size() + 1 + 63) / 64 * 64 - kPrefix;
  header.append(padded - header.size() - 1, ' ');
  header += '\n';
  std::string front("\x93NUMPY\x01\x00", 8);
  front.push_back(static_cast<char>(header.size() & 0xFFU));
  front.push_back(static_cast<char>(header.size() >> 8));
  STREW_RETURN_IF_ERROR(file.text(front + header));
  STREW_RETURN_IF_ERROR(
      write_tiles(task, task.origin, file, summary,
                  [&](const ExportTile&, const std::vector<Placed>& placed, std::vector<std::byte>& rows) {
                    for (const Placed& instance : placed) {
                      append_row(rows, in_axes(instance, task.options.axes));
                      append_little(rows, instance.id);
                      append_little(rows, instance.slot);
                      append_little(rows, instance.species);
                    }
                  }));
  return file.finish(summary);
}

}  // namespace strew::exporting
