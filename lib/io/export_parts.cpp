#include "export_parts.hpp"

#include <tuple>

#include "strew/exact_math.hpp"

namespace strew::exporting {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

/// Replaces what the columns of a table say by how the instance stands.
void stand(const InstanceTransform& transform, Placed& one) noexcept {
  one.z = transform.z_m;
  one.scale[1] = transform.scale[1];
  one.scale[2] = transform.scale[2];
  one.mesh = transform.mesh;
  const std::array<float, 4>& turn = transform.rotation;
  // One that does not tilt keeps its yaw to the last bit.
  if (turn[0] != 0 || turn[1] != 0) {
    double sine = 0;
    double cosine = 0;
    half_angle(one.yaw_degrees, sine, cosine);
    const Quaternion lean = product({turn[0], turn[1], turn[2], turn[3]}, {0, 0, -sine, cosine});
    std::copy(lean.begin(), lean.end(), one.lean.begin());
  }
}

}  // namespace

Status load_instances(const ExportSource& source, std::size_t tile, const Origin& origin,
                      std::vector<Placed>& out) {
  STREW_ASSIGN(const std::vector<InstanceTable> tables, source.load(tile));
  std::vector<std::vector<InstanceTransform>> transforms;
  STREW_RETURN_IF_ERROR(source.transforms(tile, tables, transforms));
  const std::span<const ExportSlot> slots = source.slots();
  for (std::size_t s = 0; s < slots.size() && s < tables.size(); ++s) {
    const InstanceTable& table = tables[s];
    const bool as_columns_say = s >= transforms.size() || transforms[s].size() != table.size();
    for (std::size_t i = 0; i < table.size(); ++i) {
      const SpeciesSpec& species = slots[s].species[table.species[i]];
      Placed one;
      one.x = to_metres(table.x[i] * table.lattice.pitch - origin.x);
      one.y = to_metres(table.y[i] * table.lattice.pitch - origin.y);
      one.z = table.z_m(i);
      one.yaw_degrees = table.yaw_degrees(i, species.yaw_degrees);
      one.scale.fill(table.scale_factor(i, species.scale));
      one.id = instance_id(slots[s].slot, table.lattice, table.x[i], table.y[i]);
      one.slot = static_cast<std::uint16_t>(s);
      one.species = table.species[i];
      if (!as_columns_say) {
        stand(transforms[s][i], one);
      }
      out.push_back(one);
    }
  }
  return {};
}

Quaternion product(const Quaternion& a, const Quaternion& b) noexcept {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Quaternion turn_of(const Placed& instance) noexcept {
  double sine = 0;
  double cosine = 0;
  half_angle(instance.yaw_degrees, sine, cosine);
  if (!instance.leans()) {
    return {0, 0, sine, cosine};
  }
  const std::array<float, 4>& lean = instance.lean;
  return product({lean[0], lean[1], lean[2], lean[3]}, {0, 0, sine, cosine});
}

std::string shown_name(const SpeciesSpec& species, std::size_t mesh) {
  const std::vector<MeshSpec>& meshes = species.transform.meshes;
  return mesh < meshes.size() ? species.name + ": " + meshes[mesh].name : species.name;
}

Status load_placed(const Task& task, std::size_t tile, const Origin& origin, std::vector<Placed>& out) {
  out.clear();
  STREW_RETURN_IF_ERROR(load_instances(task.source, tile, origin, out));
  const ExportTile& listed = task.source.tiles()[tile];
  return out.size() == listed.instances
             ? Status{}
             : make_error(StatusCode::kCorrupt,
                          "holds " + std::to_string(out.size()) + " instances, not " +
                              std::to_string(listed.instances) + " as its list says",
                          "tile " + std::to_string(listed.x) + "_" + std::to_string(listed.y));
}

Posed in_axes(const Placed& instance, AxisPreset axes, bool with_turn) noexcept {
  constexpr double kCentimetres = 100;
  const auto& [x, y, z] = std::tie(instance.x, instance.y, instance.z);
  const auto& [wide, deep, high] = instance.scale;
  Posed out = {{x, y, z}, instance.yaw_degrees, {0, 0, 0, 1}, instance.scale};
  if (with_turn) {
    out.turn = turn_of(instance);
  }
  // A mirror image turns the other way: the axis of a turn is mirrored, and its sense is changed.
  const auto [i, j, k, w] = out.turn;
  switch (axes) {
    case AxisPreset::kUnreal:
      out.position = {x * kCentimetres, -y * kCentimetres, z * kCentimetres};
      out.yaw_degrees = -instance.yaw_degrees;
      out.turn = {-i, j, -k, w};
      break;
    case AxisPreset::kUnity:
      out.position = {x, z, y};
      out.yaw_degrees = -instance.yaw_degrees;
      out.turn = {-i, -k, -j, w};
      out.scale = {wide, high, deep};
      break;
    case AxisPreset::kGodot:
      out.position = {x, z, -y};
      out.turn = {i, k, -j, w};
      out.scale = {wide, high, deep};
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
