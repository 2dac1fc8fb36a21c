#include "glb_builder.hpp"

#include <algorithm>
#include <limits>

namespace strew::exporting {
namespace {

constexpr int kFloat = 5126;
constexpr int kUnsignedShort = 5123;
constexpr int kVertices = 34962;
constexpr int kIndices = 34963;
constexpr int kNoTarget = 0;

std::string number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

/// strew's axes to glTF's: x east, y up, z south. A rotation about up stays what it is.
std::string gltf_vector(double x, double y, double z) {
  return "[" + number(x) + "," + number(z) + "," + number(0.0 - y) + "]";
}

/// Its turn in glTF's axes.
Quaternion gltf_turn(const Placed& one) {
  const Quaternion turn = turn_of(one);
  return {turn[0], turn[2], 0.0 - turn[1], turn[3]};
}

/// The mesh of the world file that nodes show, for engines that put theirs in its place.
std::string mesh_extras(const SpeciesSpec& species, std::size_t mesh) {
  const std::vector<MeshSpec>& meshes = species.transform.meshes;
  return mesh < meshes.size() ? ",\"extras\":{\"mesh\":" + text_literal(meshes[mesh].name) + "}" : "";
}

std::string list_member(const char* key, const std::string& items) {
  return items.empty() ? std::string() : std::string(",\"") + key + "\":[" + items + "]";
}

}  // namespace

std::size_t GlbBuilder::view(std::size_t start, int target) {
  append_item(views_, "{\"buffer\":0,\"byteOffset\":" + std::to_string(start) +
                          ",\"byteLength\":" + std::to_string(bin_.size() - start) +
                          (target != kNoTarget ? ",\"target\":" + std::to_string(target) : "") + "}");
  bin_.resize((bin_.size() + 3) / 4 * 4);
  return view_count_++;
}

std::size_t GlbBuilder::accessor(std::size_t view, int component, std::size_t count, const char* type,
                                 const std::string& more) {
  append_item(accessors_,
              "{\"bufferView\":" + std::to_string(view) + ",\"componentType\":" + std::to_string(component) +
                  ",\"count\":" + std::to_string(count) + ",\"type\":\"" + type + "\"" + more + "}");
  return accessor_count_++;
}

std::size_t GlbBuilder::mesh_of(std::size_t slot, std::size_t species) {
  const Model* model = models_.find(slot, species);
  return model != nullptr ? add_model(*model) : stand_in_of(slot, species);
}

std::size_t GlbBuilder::stand_in_of(std::size_t slot, std::size_t species) {
  const std::size_t key = slot * 65536 + species;
  const auto known =
      std::find_if(known_.begin(), known_.end(), [&](const KnownMesh& one) { return one.key == key; });
  if (known != known_.end()) {
    return known->mesh;
  }
  const Mesh mesh = stand_in(slots_[slot], species);
  const std::size_t vertices = mesh.positions.size() / 3;
  const auto floats = [&](const std::vector<float>& values, const std::string& more) {
    const std::size_t start = bin_.size();
    for (const float value : values) {
      append_little(bin_, value);
    }
    return accessor(view(start, kVertices), kFloat, vertices, "VEC3", more);
  };
  std::array<float, 3> low = {};
  std::array<float, 3> high = {};
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    low[i % 3] = i < 3 ? mesh.positions[i] : std::min(low[i % 3], mesh.positions[i]);
    high[i % 3] = i < 3 ? mesh.positions[i] : std::max(high[i % 3], mesh.positions[i]);
  }
  const auto corner = [](const std::array<float, 3>& at) {
    std::string text;
    for (const float value : at) {
      text += text.empty() ? "[" : ",";
      append_number(text, value);
    }
    return text + "]";
  };
  const std::size_t position = floats(mesh.positions, ",\"min\":" + corner(low) + ",\"max\":" + corner(high));
  const std::size_t normal = floats(mesh.normals, {});
  const std::size_t start = bin_.size();
  for (const std::uint16_t index : mesh.indices) {
    append_little(bin_, index);
  }
  const std::size_t indices = accessor(view(start, kIndices), kUnsignedShort, mesh.indices.size(), "SCALAR");
  const std::string& name = slots_[slot].species[species].name;
  std::string colour;
  for (const float part : mesh.colour) {
    append_number(colour, part);
    colour += ",";
  }
  append_item(materials_, "{\"name\":" + text_literal(name) +
                              ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[" + colour +
                              "1],\"metallicFactor\":0,\"roughnessFactor\":1}}");
  append_item(meshes_, "{\"name\":" + text_literal(name) + ",\"primitives\":[{\"attributes\":{\"POSITION\":" +
                           std::to_string(position) + ",\"NORMAL\":" + std::to_string(normal) +
                           "},\"indices\":" + std::to_string(indices) +
                           ",\"material\":" + std::to_string(material_count_++) + "}]}");
  known_.push_back({key, mesh_count_});
  return mesh_count_++;
}

std::size_t GlbBuilder::add_node(const std::string& body) {
  append_item(nodes_, "{" + body + "}");
  return node_count_++;
}

template <class Put>
std::size_t GlbBuilder::column(std::span<const Placed* const> placed, int component, const char* type,
                               const Put& put) {
  const std::size_t start = bin_.size();
  for (const Placed* one : placed) {
    put(*one);
  }
  return accessor(view(start, kNoTarget), component, placed.size(), type);
}

std::size_t GlbBuilder::instanced_node(std::size_t slot, std::size_t species,
                                       std::span<const Placed* const> placed) {
  const std::size_t mesh = mesh_of(slot, species);
  const auto put = [this](double value) { append_little(bin_, static_cast<float>(value)); };
  const std::size_t translation = column(placed, kFloat, "VEC3", [&](const Placed& one) {
    put(one.x);
    put(one.z);
    put(-one.y);
  });
  const std::size_t rotation = column(placed, kFloat, "VEC4", [&](const Placed& one) {
    for (const double part : gltf_turn(one)) {
      put(part);
    }
  });
  const std::size_t scale = column(placed, kFloat, "VEC3", [&](const Placed& one) {
    put(one.scale[0]);
    put(one.scale[2]);
    put(one.scale[1]);
  });
  const std::size_t id =
      column(placed, kUnsignedShort, "VEC4", [&](const Placed& one) { append_little(bin_, one.id); });
  const SpeciesSpec& kind = slots_[slot].species[species];
  return add_node(
      "\"name\":" + text_literal(slots_[slot].name + ": " + shown_name(kind, placed.front()->mesh)) +
      ",\"mesh\":" + std::to_string(mesh) + mesh_extras(kind, placed.front()->mesh) +
      ",\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":" +
      std::to_string(translation) + ",\"ROTATION\":" + std::to_string(rotation) +
      ",\"SCALE\":" + std::to_string(scale) + ",\"_STREW_ID\":" + std::to_string(id) + "}}}");
}

void GlbBuilder::add_group(const std::string& name, double x, double y, double z,
                           std::span<const Placed> placed) {
  std::vector<const Placed*> sorted;
  sorted.reserve(placed.size());
  for (const Placed& one : placed) {
    sorted.push_back(&one);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Placed* a, const Placed* b) { return shown_key(*a) < shown_key(*b); });
  std::string children;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    while (end < sorted.size() && shown_key(*sorted[end]) == shown_key(*sorted[begin])) {
      ++end;
    }
    const std::size_t slot = sorted[begin]->slot;
    const std::size_t species = sorted[begin]->species;
    const std::span<const Placed* const> group = std::span(sorted).subspan(begin, end - begin);
    if (instancing_) {
      append_item(children, std::to_string(instanced_node(slot, species, group)));
    } else {
      const std::string mesh = std::to_string(mesh_of(slot, species));
      for (const Placed* one : group) {
        const Quaternion turn = gltf_turn(*one);
        const SpeciesSpec& kind = slots_[slot].species[species];
        append_item(
            children,
            std::to_string(add_node(
                "\"name\":" + text_literal(shown_name(kind, one->mesh)) + ",\"mesh\":" + mesh +
                ",\"translation\":" + gltf_vector(one->x, one->y, one->z) + ",\"rotation\":[" +
                number(turn[0]) + "," + number(turn[1]) + "," + number(turn[2]) + "," + number(turn[3]) +
                "],\"scale\":[" + number(one->scale[0]) + "," + number(one->scale[2]) + "," +
                number(one->scale[1]) + "],\"extras\":{\"id\":\"" + std::to_string(one->id) + "\"}")));
      }
    }
    begin = end;
  }
  if (!children.empty()) {
    append_item(roots_, std::to_string(add_node("\"name\":" + text_literal(name) + ",\"translation\":" +
                                                gltf_vector(x, y, z) + ",\"children\":[" + children + "]")));
  }
}

Result<std::vector<std::byte>> GlbBuilder::finish() const {
  constexpr std::uint32_t kMagic = 0x46546C67;
  constexpr std::uint32_t kJson = 0x4E4F534A;
  constexpr std::uint32_t kBin = 0x004E4942;
  std::vector<std::string> used = extensions_used_;
  std::vector<std::string> required = extensions_required_;
  if (instancing_ && !roots_.empty()) {
    used.insert(used.begin(), "EXT_mesh_gpu_instancing");
    required.insert(required.begin(), "EXT_mesh_gpu_instancing");
  }
  const auto names = [](const std::vector<std::string>& list) {
    std::string items;
    for (const std::string& name : list) {
      append_item(items, text_literal(name));
    }
    return items;
  };
  std::string json = "{\"asset\":{\"version\":\"2.0\",\"generator\":\"strew\",\"extras\":{\"origin_m\":[" +
                     number(to_metres(origin_.x)) + "," + number(to_metres(origin_.y)) + "]}}";
  json += list_member("extensionsUsed", names(used)) + list_member("extensionsRequired", names(required));
  json +=
      ",\"scene\":0,\"scenes\":[{" + (roots_.empty() ? std::string() : "\"nodes\":[" + roots_ + "]") + "}]";
  json += list_member("nodes", nodes_) + list_member("meshes", meshes_) +
          list_member("materials", materials_) + list_member("textures", textures_) +
          list_member("images", images_) + list_member("samplers", samplers_) +
          list_member("accessors", accessors_) + list_member("bufferViews", views_);
  if (!bin_.empty() || !buffers_.empty()) {
    json += ",\"buffers\":[{\"byteLength\":" + std::to_string(bin_.size()) + "}" +
            (buffers_.empty() ? "" : "," + buffers_) + "]";
  }
  json += "}";
  json.append((4 - json.size() % 4) % 4, ' ');
  const std::uint64_t total = 12 + 8 + json.size() + (bin_.empty() ? 0 : 8 + bin_.size());
  if (total > std::numeric_limits<std::uint32_t>::max()) {
    return make_error(StatusCode::kLimit, "a GLB holds at most 4 GiB; export into a folder, a file per tile");
  }
  std::vector<std::byte> out;
  out.reserve(total);
  const auto put = [&out](std::uint64_t value) { append_little(out, static_cast<std::uint32_t>(value)); };
  put(kMagic);
  put(2);
  put(total);
  put(json.size());
  put(kJson);
  const auto text = std::as_bytes(std::span(json));
  out.insert(out.end(), text.begin(), text.end());
  if (!bin_.empty()) {
    put(bin_.size());
    put(kBin);
    out.insert(out.end(), bin_.begin(), bin_.end());
  }
  return out;
}

}  // namespace strew::exporting
