#include "export_model_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "export_parts.hpp"
#include "gltf_matrix.hpp"
#include "strew/exact_math.hpp"

namespace strew::exporting {
namespace {

using gltf::Matrix;

/// Numbers of an accessor as floats, whatever their component type.
struct Column {
  std::vector<float> values;
  std::size_t width = 0;
};

class ModelReader {
 public:
  ModelReader(const tinygltf::Model& in, const std::string& path) : in_(in), path_(path) {}

  Status read(Model& out) {
    const int scene = in_.defaultScene >= 0 ? in_.defaultScene : 0;
    if (static_cast<std::size_t>(scene) >= in_.scenes.size()) {
      return fault("has no scene");
    }
    for (const int node : in_.scenes[static_cast<std::size_t>(scene)].nodes) {
      STREW_RETURN_IF_ERROR(add_node(node, gltf::kUnit, 0, out));
    }
    if (out.parts.empty()) {
      return fault("holds no triangles");
    }
    return {};
  }

 private:
  [[nodiscard]] Status fault(const std::string& what) const {
    return invalid_argument(what + "; export the mesh again", path_);
  }

  Status add_node(int index, const Matrix& parent, int depth, Model& out) {
    if (index < 0 || static_cast<std::size_t>(index) >= in_.nodes.size() || depth > 64) {
      return fault("has nodes that name one that is not there, or nest without end");
    }
    const tinygltf::Node& node = in_.nodes[static_cast<std::size_t>(index)];
    const Matrix world = gltf::product(parent, gltf::node_matrix(node));
    if (node.mesh >= 0) {
      if (static_cast<std::size_t>(node.mesh) >= in_.meshes.size()) {
        return fault("names a mesh that is not there");
      }
      for (const tinygltf::Primitive& part : in_.meshes[static_cast<std::size_t>(node.mesh)].primitives) {
        STREW_RETURN_IF_ERROR(add_part(part, world, out));
      }
    }
    for (const int child : node.children) {
      STREW_RETURN_IF_ERROR(add_node(child, world, depth + 1, out));
    }
    return {};
  }

  [[nodiscard]] static float component(const unsigned char* from, int type, bool normalized) noexcept {
    const auto as = [&]<class Number>(Number number, float steps) {
      std::memcpy(&number, from, sizeof number);
      return normalized ? std::max(-1.0F, static_cast<float>(number) / steps) : static_cast<float>(number);
    };
    switch (type) {
      case TINYGLTF_COMPONENT_TYPE_BYTE:
        return as(std::int8_t{}, 127.0F);
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
        return as(std::uint8_t{}, 255.0F);
      case TINYGLTF_COMPONENT_TYPE_SHORT:
        return as(std::int16_t{}, 32767.0F);
      case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
        return as(std::uint16_t{}, 65535.0F);
      default:
        return as(float{}, 1.0F);
    }
  }

  /// Elements of an accessor: `use(i, bytes)` for each.
  template <class Use>
  Status each_element(int index, std::size_t size, std::size_t& count, const Use& use) const {
    if (index < 0 || static_cast<std::size_t>(index) >= in_.accessors.size()) {
      return fault("names an accessor that is not there");
    }
    const tinygltf::Accessor& accessor = in_.accessors[static_cast<std::size_t>(index)];
    if (accessor.sparse.isSparse || accessor.bufferView < 0 ||
        static_cast<std::size_t>(accessor.bufferView) >= in_.bufferViews.size()) {
      return fault("has sparse or compressed data, which strew does not read");
    }
    const tinygltf::BufferView& view = in_.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
    if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= in_.buffers.size()) {
      return fault("names a buffer that is not there");
    }
    const auto& data = in_.buffers[static_cast<std::size_t>(view.buffer)].data;
    const std::size_t stride = view.byteStride == 0 ? size : view.byteStride;
    const std::size_t begin = view.byteOffset + accessor.byteOffset;
    const std::size_t room = begin <= data.size() ? data.size() - begin : 0;
    if (accessor.count > 0 && (room < size || (accessor.count - 1) > (room - size) / stride)) {
      return fault("is truncated");
    }
    count = accessor.count;
    for (std::size_t i = 0; i < accessor.count; ++i) {
      use(i, data.data() + begin + i * stride);
    }
    return {};
  }

  Result<Column> column(const tinygltf::Primitive& part, const char* name) const {
    Column out;
    const auto found = part.attributes.find(name);
    if (found == part.attributes.end()) {
      return out;
    }
    if (found->second < 0 || static_cast<std::size_t>(found->second) >= in_.accessors.size()) {
      return fault("names an accessor that is not there");
    }
    const tinygltf::Accessor& accessor = in_.accessors[static_cast<std::size_t>(found->second)];
    const std::int32_t width = tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type));
    const std::int32_t bytes =
        tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(accessor.componentType));
    if (width < 2 || width > 4 || bytes < 1 || bytes > 4 ||
        accessor.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT) {
      return fault(std::string("has an attribute ") + name + " of a type that glTF does not allow");
    }
    out.width = static_cast<std::size_t>(width);
    const auto each = static_cast<std::size_t>(bytes);
    std::size_t count = 0;
    out.values.reserve(accessor.count < (std::size_t{1} << 24) ? accessor.count * out.width : 0);
    STREW_RETURN_IF_ERROR(
        each_element(found->second, each * out.width, count, [&](std::size_t, const unsigned char* from) {
          for (std::size_t k = 0; k < out.width; ++k) {
            out.values.push_back(component(from + k * each, accessor.componentType, accessor.normalized));
          }
        }));
    return out;
  }

  Result<std::vector<std::uint32_t>> corners(const tinygltf::Primitive& part, std::size_t vertices) const {
    std::vector<std::uint32_t> list;
    if (part.indices < 0) {
      for (std::size_t i = 0; i < vertices; ++i) {
        list.push_back(static_cast<std::uint32_t>(i));
      }
    } else {
      if (static_cast<std::size_t>(part.indices) >= in_.accessors.size()) {
        return fault("names indices that are not there");
      }
      const int type = in_.accessors[static_cast<std::size_t>(part.indices)].componentType;
      const std::size_t size = type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE    ? 1
                               : type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ? 2
                                                                                : 4;
      std::size_t count = 0;
      bool good = true;
      STREW_RETURN_IF_ERROR(
          each_element(part.indices, size, count, [&](std::size_t, const unsigned char* at) {
            std::uint32_t index = 0;
            for (std::size_t k = 0; k < size; ++k) {
              index |= std::uint32_t{at[k]} << (8 * k);
            }
            good = good && index < vertices;
            list.push_back(index);
          }));
      if (!good) {
        return fault("has an index beyond its vertices");
      }
    }
    if (part.mode == TINYGLTF_MODE_TRIANGLES || part.mode == -1) {
      list.resize(list.size() / 3 * 3);
      return list;
    }
    std::vector<std::uint32_t> triangles;  // of a strip, or of a fan
    for (std::size_t i = 2; i < list.size(); ++i) {
      const bool fan = part.mode == TINYGLTF_MODE_TRIANGLE_FAN;
      const std::size_t a = fan ? 0 : i - 2 + i % 2;
      const std::size_t b = fan ? i - 1 : i - 1 - i % 2;
      triangles.insert(triangles.end(), {list[a], list[b], list[i]});
    }
    return triangles;
  }

  static void put_view(Model& out, std::size_t start, int target) {
    out.views.push_back({start, out.bin.size() - start, target});
    out.bin.resize((out.bin.size() + 3) / 4 * 4);
  }
  static std::size_t put_floats(Model& out, const std::vector<float>& values, std::size_t width,
                                std::string more = {}) {
    const std::size_t start = out.bin.size();
    for (const float value : values) {
      append_little(out.bin, value);
    }
    put_view(out, start, TINYGLTF_TARGET_ARRAY_BUFFER);
    out.accessors.push_back({out.views.size() - 1, TINYGLTF_COMPONENT_TYPE_FLOAT, values.size() / width,
                             width == 2 ? "VEC2" : (width == 3 ? "VEC3" : "VEC4"), std::move(more)});
    return out.accessors.size() - 1;
  }

  /// Rotates and scales directions by the upper 3 x 3 of `m`, to unit length. `width`: 3, or 4 with a sign.
  static void turn(const std::array<double, 9>& m, std::size_t width, double sign,
                   std::vector<float>& values) {
    for (std::size_t i = 0; i + width <= values.size(); i += width) {
      double v[3] = {};
      for (std::size_t r = 0; r < 3; ++r) {
        v[r] = m[r] * values[i] + m[3 + r] * values[i + 1] + m[6 + r] * values[i + 2];
      }
      const double length = exact_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      for (std::size_t r = 0; r < 3; ++r) {
        values[i + r] = static_cast<float>(length > 0 ? v[r] / length : (r == 1 ? 1.0 : 0.0));
      }
      if (width == 4) {
        values[i + 3] = static_cast<float>(values[i + 3] < 0 ? -sign : sign);
      }
    }
  }

  Status add_part(const tinygltf::Primitive& part, const Matrix& m, Model& out) {
    if (part.mode != -1 && part.mode != TINYGLTF_MODE_TRIANGLES &&
        part.mode != TINYGLTF_MODE_TRIANGLE_STRIP && part.mode != TINYGLTF_MODE_TRIANGLE_FAN) {
      return {};  // lines and points
    }
    STREW_ASSIGN(Column place, column(part, "POSITION"));
    if (place.values.empty()) {
      return {};
    }
    if (place.width != 3) {
      return fault("has positions that are not three numbers");
    }
    const std::size_t vertices = place.values.size() / 3;
    ModelPart made;
    STREW_ASSIGN(made.indices, corners(part, vertices));
    if (made.indices.empty()) {
      return {};
    }
    std::array<float, 3> low{};
    std::array<float, 3> high{};
    for (std::size_t i = 0; i < vertices; ++i) {
      const float* p = place.values.data() + 3 * i;
      double v[3] = {};
      for (std::size_t r = 0; r < 3; ++r) {
        v[r] = m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
      }
      for (std::size_t r = 0; r < 3; ++r) {
        const auto value = static_cast<float>(v[r]);
        if (!std::isfinite(value)) {
          return fault("has a position that is no finite number");
        }
        made.positions.push_back(value);
        low[r] = i == 0 ? value : std::min(low[r], value);
        high[r] = i == 0 ? value : std::max(high[r], value);
      }
      out.radius = std::max(out.radius, exact_sqrt(v[0] * v[0] + v[2] * v[2]));
    }
    out.low = std::min(out.low, static_cast<double>(low[1]));
    out.high = std::max(out.high, static_cast<double>(high[1]));

    // Normals turn with the cofactors, which are the inverse transposed but for a factor; tangents with the
    // matrix itself.
    const auto at = [&m](std::size_t c, std::size_t r) { return m[4 * (c % 3) + r % 3]; };
    std::array<double, 9> plain{};
    std::array<double, 9> cofactors{};
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t r = 0; r < 3; ++r) {
        plain[3 * c + r] = at(c, r);
        cofactors[3 * c + r] = at(c + 1, r + 1) * at(c + 2, r + 2) - at(c + 1, r + 2) * at(c + 2, r + 1);
      }
    }
    const double determinant = at(0, 0) * cofactors[0] + at(0, 1) * cofactors[1] + at(0, 2) * cofactors[2];
    if (determinant < 0) {  // a mirror: triangles face the other way, and cofactors point inwards
      for (std::size_t i = 0; i + 2 < made.indices.size(); i += 3) {
        std::swap(made.indices[i + 1], made.indices[i + 2]);
      }
      for (double& value : cofactors) {
        value = -value;
      }
    }
    const auto corner = [](const std::array<float, 3>& of) {
      std::string text = "[";
      for (std::size_t r = 0; r < 3; ++r) {
        text += r == 0 ? "" : ",";
        append_number(text, of[r]);
      }
      return text + "]";
    };
    const auto attribute = [&](const std::string& name, const std::vector<float>& values, std::size_t width,
                               std::string more = {}) {
      made.attributes.emplace_back(name, put_floats(out, values, width, std::move(more)));
    };
    attribute("POSITION", made.positions, 3, ",\"min\":" + corner(low) + ",\"max\":" + corner(high));
    STREW_ASSIGN(Column normal, column(part, "NORMAL"));
    if (normal.width == 3 && normal.values.size() == 3 * vertices) {
      turn(cofactors, 3, 1, normal.values);
      made.normals = normal.values;
      attribute("NORMAL", normal.values, 3);
    }
    STREW_ASSIGN(Column tangent, column(part, "TANGENT"));
    if (tangent.width == 4 && tangent.values.size() == 4 * vertices && !made.normals.empty()) {
      turn(plain, 4, determinant < 0 ? -1 : 1, tangent.values);
      attribute("TANGENT", tangent.values, 4);
    }
    for (const char* name : {"TEXCOORD_0", "TEXCOORD_1", "COLOR_0"}) {
      STREW_ASSIGN(const Column more, column(part, name));
      if (more.width != 0 && more.values.size() == more.width * vertices) {
        attribute(name, more.values, more.width);
      }
    }
    const std::size_t start = out.bin.size();
    const bool small = vertices <= 65535;
    for (const std::uint32_t index : made.indices) {
      small ? append_little(out.bin, static_cast<std::uint16_t>(index)) : append_little(out.bin, index);
    }
    put_view(out, start, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    out.accessors.push_back(
        {out.views.size() - 1,
         small ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT : TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
         made.indices.size(),
         "SCALAR",
         {}});
    made.index_accessor = out.accessors.size() - 1;
    if (part.material >= 0) {
      made.material = static_cast<std::size_t>(part.material);
    }
    out.parts.push_back(std::move(made));
    return {};
  }

  const tinygltf::Model& in_;
  const std::string& path_;
};

}  // namespace

Status read_geometry(const tinygltf::Model& in, const std::string& path, Model& out) {
  return ModelReader(in, path).read(out);
}

}  // namespace strew::exporting
