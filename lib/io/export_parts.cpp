#include "export_parts.hpp"

#include "strew/exact_math.hpp"

namespace strew::exporting {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

}  // namespace

void place(std::span<const ExportSlot> slots, std::span<const InstanceTable> tables, const Origin& origin,
           std::vector<Placed>& out) {
  for (std::size_t s = 0; s < slots.size() && s < tables.size(); ++s) {
    const InstanceTable& table = tables[s];
    for (std::size_t i = 0; i < table.size(); ++i) {
      const SpeciesSpec& species = slots[s].species[table.species[i]];
      Placed one;
      one.x = to_metres(table.x[i] * table.lattice.pitch - origin.x);
      one.y = to_metres(table.y[i] * table.lattice.pitch - origin.y);
      one.z = table.z_m(i);
      one.yaw_degrees = table.yaw_degrees(i, species.yaw_degrees);
      one.scale = table.scale_factor(i, species.scale);
      one.id = instance_id(slots[s].slot, table.lattice, table.x[i], table.y[i]);
      one.slot = static_cast<std::uint16_t>(s);
      one.species = table.species[i];
      out.push_back(one);
    }
  }
}

Status load_placed(const Task& task, std::size_t tile, const Origin& origin, std::vector<Placed>& out) {
  STREW_ASSIGN(const std::vector<InstanceTable> tables, task.source.load(tile));
  out.clear();
  place(task.source.slots(), tables, origin, out);
  const ExportTile& listed = task.source.tiles()[tile];
  return out.size() == listed.instances
             ? Status{}
             : make_error(StatusCode::kCorrupt,
                          "holds " + std::to_string(out.size()) + " instances, not " +
                              std::to_string(listed.instances) + " as its list says",
                          "tile " + std::to_string(listed.x) + "_" + std::to_string(listed.y));
}

Placed in_axes(const Placed& instance, AxisPreset axes) noexcept {
  constexpr double kCentimetres = 100;
  Placed out = instance;
  switch (axes) {
    case AxisPreset::kUnreal:
      out.x = instance.x * kCentimetres;
      out.y = -instance.y * kCentimetres;
      out.z = instance.z * kCentimetres;
      out.yaw_degrees = -instance.yaw_degrees;
      break;
    case AxisPreset::kUnity:
      out.y = instance.z;
      out.z = instance.y;
      out.yaw_degrees = -instance.yaw_degrees;
      break;
    case AxisPreset::kGodot:
      out.y = instance.z;
      out.z = -instance.y;
      break;
    case AxisPreset::kStrew:
    case AxisPreset::kO3de:
    case AxisPreset::kBlender:
      break;
  }
  return out;
}

void half_angle(double yaw_degrees, double& sine, double& cosine) noexcept {
  exact_sincos_turns(yaw_degrees / 720.0, sine, cosine);
}

std::string text_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      out += "\\u00";
      out += kDigits[static_cast<unsigned char>(c) >> 4];
      out += kDigits[static_cast<unsigned char>(c) & 15U];
    } else {
      out += c;
    }
  }
  return out + '"';
}

Status PieceFile::create(const std::string& path) {
  path_ = path;
  return file_.create(path);
}

Status PieceFile::text(std::string_view text) {
  return bytes(std::as_bytes(std::span(text)));
}

Status PieceFile::bytes(std::span<const std::byte> bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= kBufferBytes) {
    STREW_RETURN_IF_ERROR(file_.write(buffer_, path_));
    written_ += buffer_.size();
    buffer_.clear();
  }
  return {};
}

Status PieceFile::finish(ExportSummary& summary) {
  STREW_RETURN_IF_ERROR(file_.write(buffer_, path_));
  STREW_RETURN_IF_ERROR(file_.flush_and_rename(path_));
  summary.bytes += written_ + buffer_.size();
  ++summary.files;
  return {};
}

}  // namespace strew::exporting
