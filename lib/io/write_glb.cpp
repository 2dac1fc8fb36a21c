// Binary glTF 2.0: header, one JSON chunk, one buffer.
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "strew/io/kit.hpp"

namespace strew {
namespace {

using Json = nlohmann::ordered_json;

/// z up to y up: (x, y, z) -> (x, z, -y).
struct Buffer {
  std::vector<std::byte> bytes;

  std::size_t put(const void* data, std::size_t size) {
    const std::size_t at = bytes.size();
    bytes.resize(at + size);
    std::memcpy(bytes.data() + at, data, size);
    return at;
  }
  void align() { bytes.resize((bytes.size() + 3) / 4 * 4); }
};

struct FlatMesh {
  std::vector<float> positions;  ///< three vertices of its own for each triangle: flat shading
  std::vector<float> normals;
};

FlatMesh flatten(const snap::Mesh& mesh) {
  FlatMesh out;
  for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
    double p[3][3];
    for (std::size_t k = 0; k < 3; ++k) {
      const float* const v = &mesh.positions[3 * std::size_t{mesh.triangles[t + k]}];
      p[k][0] = v[0];
      p[k][1] = v[2];
      p[k][2] = -static_cast<double>(v[1]);
    }
    const double u[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
    const double w[3] = {p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]};
    const double n[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    const double size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(size > 0)) {
      continue;  // no area, no normal
    }
    for (const auto& corner : p) {
      for (std::size_t k = 0; k < 3; ++k) {
        out.positions.push_back(static_cast<float>(corner[k]));
        out.normals.push_back(static_cast<float>(n[k] / size));
      }
    }
  }
  return out;
}

struct Document {
  Json json;
  Buffer buffer;

  int add_view(const std::vector<float>& data, bool bounds) {
    const std::size_t at = buffer.put(data.data(), data.size() * sizeof(float));
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", at}, {"byteLength", data.size() * sizeof(float)}, {"target", 34962}});
    Json accessor = {{"bufferView", json["bufferViews"].size() - 1},
                     {"componentType", 5126},
                     {"count", data.size() / 3},
                     {"type", "VEC3"}};
    if (bounds) {
      float low[3] = {data[0], data[1], data[2]};
      float high[3] = {data[0], data[1], data[2]};
      for (std::size_t i = 0; i < data.size(); ++i) {
        low[i % 3] = std::min(low[i % 3], data[i]);
        high[i % 3] = std::max(high[i % 3], data[i]);
      }
      accessor["min"] = {low[0], low[1], low[2]};
      accessor["max"] = {high[0], high[1], high[2]};
    }
    json["accessors"].push_back(std::move(accessor));
    return static_cast<int>(json["accessors"].size()) - 1;
  }

  /// -1 for a mesh without area: glTF has no empty meshes.
  int add_mesh(const ColouredMesh& mesh) {
    const FlatMesh flat = flatten(*mesh.mesh);
    if (flat.positions.empty()) {
      return -1;
    }
    json["materials"].push_back({{"name", mesh.name},
                                 {"doubleSided", true},
                                 {"pbrMetallicRoughness",
                                  {{"baseColorFactor", {mesh.colour[0], mesh.colour[1], mesh.colour[2], 1}},
                                   {"metallicFactor", 0},
                                   {"roughnessFactor", 0.9}}}});
    const int position = add_view(flat.positions, true);
    const int normal = add_view(flat.normals, false);
    json["meshes"].push_back(
        {{"name", mesh.name},
         {"primitives", Json::array({{{"attributes", {{"POSITION", position}, {"NORMAL", normal}}},
                                      {"material", json["materials"].size() - 1}}})}});
    return static_cast<int>(json["meshes"].size()) - 1;
  }
};

void put_word(std::vector<std::byte>& out, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<std::byte>(word >> shift & 0xFFU));
  }
}

std::vector<std::byte> pack(Document& document) {
  document.buffer.align();
  if (!document.buffer.bytes.empty()) {
    document.json["buffers"].push_back({{"byteLength", document.buffer.bytes.size()}});
  }
  std::string text = document.json.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const bool with_buffer = !document.buffer.bytes.empty();
  std::vector<std::byte> out;
  put_word(out, 0x46546C67U);  // "glTF"
  put_word(out, 2);
  put_word(out, static_cast<std::uint32_t>(20 + text.size() +
                                           (with_buffer ? 8 + document.buffer.bytes.size() : 0)));
  put_word(out, static_cast<std::uint32_t>(text.size()));
  put_word(out, 0x4E4F534AU);  // "JSON"
  const auto* const letters = reinterpret_cast<const std::byte*>(text.data());
  out.insert(out.end(), letters, letters + text.size());
  if (with_buffer) {
    put_word(out, static_cast<std::uint32_t>(document.buffer.bytes.size()));
    put_word(out, 0x004E4942U);  // "BIN"
    out.insert(out.end(), document.buffer.bytes.begin(), document.buffer.bytes.end());
  }
  return out;
}

/// The boxes of a piece as triangles.
snap::Mesh boxes_mesh(const snap::Piece& piece) {
  snap::Mesh mesh;
  for (const snap::Box& box : piece.boxes) {
    const auto base = static_cast<std::uint32_t>(mesh.positions.size() / 3);
    const snap::Quat& q = box.rotation;
    for (int corner = 0; corner < 8; ++corner) {
      const double x = (corner & 1 ? 1 : -1) * box.half_extents.x;
      const double y = (corner & 2 ? 1 : -1) * box.half_extents.y;
      const double z = (corner & 4 ? 1 : -1) * box.half_extents.z;
      // v + 2 q x (q x v + w v)
      const double cx = q.y * z - q.z * y + q.w * x;
      const double cy = q.z * x - q.x * z + q.w * y;
      const double cz = q.x * y - q.y * x + q.w * z;
      mesh.positions.push_back(static_cast<float>(box.centre.x + x + 2 * (q.y * cz - q.z * cy)));
      mesh.positions.push_back(static_cast<float>(box.centre.y + y + 2 * (q.z * cx - q.x * cz)));
      mesh.positions.push_back(static_cast<float>(box.centre.z + z + 2 * (q.x * cy - q.y * cx)));
    }
    constexpr std::uint32_t kFaces[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (const std::uint32_t i : kFaces) {
      mesh.triangles.push_back(base + i);
    }
  }
  return mesh;
}

}  // namespace

std::vector<std::byte> glb_bytes(std::span<const ColouredMesh> meshes, std::span<const MeshNode> nodes) {
  Document document;
  document.json["asset"] = {{"version", "2.0"}, {"generator", "strew"}};
  document.json["scene"] = 0;
  document.json["scenes"] = Json::array({Json::object()});
  std::vector<int> index;
  for (const ColouredMesh& mesh : meshes) {
    index.push_back(document.add_mesh(mesh));
  }
  for (const MeshNode& node : nodes) {
    Json out = {{"name", node.name}};
    const int mesh = node.mesh >= 0 ? index[static_cast<std::size_t>(node.mesh)] : -1;
    if (mesh >= 0) {
      out["mesh"] = mesh;
    }
    out["translation"] = {node.position.x, node.position.z, -node.position.y};
    const snap::Quat& q = node.rotation;
    const double size = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    out["rotation"] = {q.x / size, q.z / size, -q.y / size, q.w / size};
    document.json["scenes"][0]["nodes"].push_back(document.json["nodes"].size());
    document.json["nodes"].push_back(std::move(out));
  }
  return pack(document);
}

std::vector<std::byte> map_glb(const snap::Kit& kit, const snap::Map& map) {
  std::map<std::uint32_t, std::int32_t> mesh_of;
  std::vector<snap::Mesh> made;
  std::vector<ColouredMesh> meshes;
  made.reserve(kit.pieces.size());
  std::vector<MeshNode> nodes;
  for (std::size_t i = 0; i < map.placements.size(); ++i) {
    const snap::Placement& placement = map.placements[i];
    const snap::Piece& piece = kit.pieces[placement.piece];
    auto [at, fresh] = mesh_of.try_emplace(placement.piece, static_cast<std::int32_t>(meshes.size()));
    if (fresh) {
      const bool own = !piece.mesh.triangles.empty();
      if (!own) {
        made.push_back(boxes_mesh(piece));
      }
      // Hues a golden turn apart, so that neighbours in the kit differ.
      const double turn = 0.618033988749895 * static_cast<double>(placement.piece);
      const auto channel = [&](double shift) {
        const double t = turn + shift - std::floor(turn + shift);
        return static_cast<float>(0.35 + 0.45 * std::abs(2 * t - 1));
      };
      meshes.push_back(
          {piece.name, own ? &piece.mesh : &made.back(), {channel(0), channel(1.0 / 3), channel(2.0 / 3)}});
    }
    nodes.push_back(
        {piece.name + "." + std::to_string(i), at->second, placement.position, placement.rotation});
  }
  return glb_bytes(meshes, nodes);
}

}  // namespace strew
