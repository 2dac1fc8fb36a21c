// Triangles from glTF (through tinygltf) and OBJ.
#include <tiny_gltf.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "gltf_matrix.hpp"
#include "guard.hpp"
#include "strew/io/kit.hpp"

namespace strew {
namespace {

using gltf::kUnit;
using gltf::Matrix;
using gltf::node_matrix;
using gltf::product;

snap::Vec3 direction(const Matrix& m, std::size_t axis) {
  const snap::Vec3 v{m[4 * axis], m[4 * axis + 1], m[4 * axis + 2]};
  const double size = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  return size > 0 ? snap::Vec3{v.x / size, v.y / size, v.z / size} : v;
}

class GltfReader {
 public:
  GltfReader(const tinygltf::Model& model, std::string path) : model_(model), path_(std::move(path)) {}

  Result<MeshFile> read() {
    const int scene = model_.defaultScene >= 0 ? model_.defaultScene : 0;
    if (model_.scenes.empty()) {
      return invalid_argument("has no scene; export the file again", path_);
    }
    if (static_cast<std::size_t>(scene) >= model_.scenes.size()) {
      return invalid_argument("names a scene it does not have", path_);
    }
    for (const int node : model_.scenes[static_cast<std::size_t>(scene)].nodes) {
      STREW_RETURN_IF_ERROR(add_node(node, kUnit, 0));
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] Status fault(const std::string& what) const {
    return invalid_argument(what + "; export the file again", path_);
  }

  Status add_node(int index, const Matrix& parent, int depth) {
    if (index < 0 || static_cast<std::size_t>(index) >= model_.nodes.size() || depth > 64) {
      return fault("its nodes name one that is not there, or nest without end");
    }
    const tinygltf::Node& node = model_.nodes[static_cast<std::size_t>(index)];
    const Matrix world = product(parent, node_matrix(node));
    if (node.name.starts_with("connector.")) {
      out_.connectors.push_back(
          {node.name, {world[12], world[13], world[14]}, direction(world, 2), direction(world, 1)});
    }
    if (node.mesh >= 0) {
      if (static_cast<std::size_t>(node.mesh) >= model_.meshes.size()) {
        return fault("node \"" + node.name + "\" names a mesh that is not there");
      }
      for (const tinygltf::Primitive& part : model_.meshes[static_cast<std::size_t>(node.mesh)].primitives) {
        STREW_RETURN_IF_ERROR(add_primitive(part, world));
      }
    }
    for (const int child : node.children) {
      STREW_RETURN_IF_ERROR(add_node(child, world, depth + 1));
    }
    return {};
  }

  /// Bytes of an accessor: `count` elements of `size` bytes, `stride` apart, all inside the buffer.
  struct View {
    const unsigned char* bytes = nullptr;
    std::size_t count = 0;
    std::size_t stride = 0;
  };
  [[nodiscard]] Result<View> view(const tinygltf::Accessor& accessor, std::size_t size) const {
    if (accessor.sparse.isSparse || accessor.bufferView < 0 ||
        static_cast<std::size_t>(accessor.bufferView) >= model_.bufferViews.size()) {
      return fault("has sparse or compressed data, which strew does not read");
    }
    const tinygltf::BufferView& in = model_.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
    if (in.buffer < 0 || static_cast<std::size_t>(in.buffer) >= model_.buffers.size()) {
      return fault("names a buffer that is not there");
    }
    const auto& data = model_.buffers[static_cast<std::size_t>(in.buffer)].data;
    const std::size_t stride = in.byteStride == 0 ? size : in.byteStride;
    const std::size_t begin = in.byteOffset + accessor.byteOffset;
    const std::size_t room = begin <= data.size() ? data.size() - begin : 0;
    if (accessor.count > 0 && (room < size || (accessor.count - 1) > (room - size) / stride)) {
      return fault("is truncated");
    }
    return View{data.data() + begin, accessor.count, stride};
  }

  Status add_primitive(const tinygltf::Primitive& part, const Matrix& world) {
    if (part.mode != TINYGLTF_MODE_TRIANGLES && part.mode != -1) {
      return {};  // lines and points are no ground
    }
    const auto position = part.attributes.find("POSITION");
    if (position == part.attributes.end()) {
      return {};
    }
    const auto accessor_of = [&](int i) -> const tinygltf::Accessor* {
      return i >= 0 && static_cast<std::size_t>(i) < model_.accessors.size()
                 ? &model_.accessors[static_cast<std::size_t>(i)]
                 : nullptr;
    };
    const tinygltf::Accessor* const places = accessor_of(position->second);
    if (places == nullptr || places->componentType != TINYGLTF_COMPONENT_TYPE_FLOAT ||
        places->type != TINYGLTF_TYPE_VEC3) {
      return fault("has positions that are not three floats");
    }
    STREW_ASSIGN(const View vertices, view(*places, 12));
    const auto base = static_cast<std::uint32_t>(out_.mesh.positions.size() / 3);
    for (std::size_t i = 0; i < vertices.count; ++i) {
      float p[3];
      std::memcpy(p, vertices.bytes + i * vertices.stride, sizeof p);
      for (std::size_t r = 0; r < 3; ++r) {
        out_.mesh.positions.push_back(
            static_cast<float>(world[r] * p[0] + world[4 + r] * p[1] + world[8 + r] * p[2] + world[12 + r]));
      }
    }
    if (part.indices < 0) {
      for (std::uint32_t i = 0; i + 2 < vertices.count; i += 3) {
        out_.mesh.triangles.insert(out_.mesh.triangles.end(), {base + i, base + i + 1, base + i + 2});
      }
      return {};
    }
    const tinygltf::Accessor* const indices = accessor_of(part.indices);
    if (indices == nullptr) {
      return fault("names indices that are not there");
    }
    const std::size_t size = indices->componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE    ? 1
                             : indices->componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ? 2
                                                                                                : 4;
    STREW_ASSIGN(const View list, view(*indices, size));
    for (std::size_t i = 0; i + 2 < list.count; i += 3) {
      for (std::size_t k = 0; k < 3; ++k) {
        std::uint32_t index = 0;  // little-endian, as the file and as every machine strew builds for
        std::memcpy(&index, list.bytes + (i + k) * list.stride, size);
        if (index >= vertices.count) {
          return fault("has an index beyond its vertices");
        }
        out_.mesh.triangles.push_back(base + index);
      }
    }
    return {};
  }

  const tinygltf::Model& model_;
  std::string path_;
  MeshFile out_;
};

Result<MeshFile> read_gltf(const std::string& path, bool binary) {
  tinygltf::TinyGLTF loader;
  // Textures are of no interest: images are left alone.
  loader.SetImageLoader([](tinygltf::Image*, const int, std::string*, std::string*, int, int,
                           const unsigned char*, int, void*) { return true; },
                        nullptr);
  tinygltf::Model model;
  std::string error;
  std::string warning;
  const bool good = binary ? loader.LoadBinaryFromFile(&model, &error, &warning, path)
                           : loader.LoadASCIIFromFile(&model, &error, &warning, path);
  if (!good) {
    while (!error.empty() && error.back() == '\n') {
      error.pop_back();
    }
    return invalid_argument("cannot be read as glTF: " + error, path);
  }
  return GltfReader(model, path).read();
}

Result<MeshFile> read_obj(const std::string& path) {
  std::ifstream file(path);
  MeshFile out;
  std::string line;
  std::size_t number = 0;
  const auto fault = [&](const std::string& what) {
    return invalid_argument(what + ": \"" + line.substr(0, 60) + "\"",
                            path + ", line " + std::to_string(number));
  };
  while (std::getline(file, line)) {
    ++number;
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto skip = [&] {
      while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) {
        ++at;
      }
    };
    if (line.starts_with("v ")) {
      at += 2;
      for (int i = 0; i < 3; ++i) {
        skip();
        float value = 0;
        const auto read = std::from_chars(at, end, value);
        if (read.ec != std::errc()) {
          return fault("expected three numbers");
        }
        at = read.ptr;
        out.mesh.positions.push_back(value);
      }
    } else if (line.starts_with("f ")) {
      at += 2;
      std::vector<std::uint32_t> corners;
      const auto vertices = static_cast<std::int64_t>(out.mesh.positions.size() / 3);
      for (skip(); at < end; skip()) {
        std::int64_t index = 0;
        const auto read = std::from_chars(at, end, index);
        index = index < 0 ? vertices + index : index - 1;  // negative ones count from the end
        if (read.ec != std::errc() || index < 0 || index >= vertices) {
          return fault("expected indices of vertices above it");
        }
        at = read.ptr;
        while (at < end && *at != ' ' && *at != '\t' && *at != '\r') {
          ++at;
        }
        corners.push_back(static_cast<std::uint32_t>(index));
      }
      for (std::size_t i = 2; i < corners.size(); ++i) {
        out.mesh.triangles.insert(out.mesh.triangles.end(), {corners[0], corners[i - 1], corners[i]});
      }
    }
  }
  return out;
}

}  // namespace

Result<MeshFile> read_mesh(const std::string& path) {
  return guarded([&]() -> Result<MeshFile> {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
      return make_error(StatusCode::kNotFound, "is no file; mesh files are looked for beside the kit", path);
    }
    std::string extension = std::filesystem::path(path).extension().string();
    for (char& c : extension) {
      c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    if (extension == ".obj") {
      return read_obj(path);
    }
    if (extension == ".glb" || extension == ".gltf") {
      return read_gltf(path, extension == ".glb");
    }
    return invalid_argument("is neither .glb, .gltf nor .obj", path);
  });
}

}  // namespace strew
