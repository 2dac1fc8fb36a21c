#include <algorithm>

#include "world_parts.hpp"

namespace strew::world_file {
namespace {

Status read_biome_weights(const ObjectReader& reader, const BiomeNames& names, SpeciesSpec& species) {
  const Json* weights = reader.find("biome_weights");
  if (weights == nullptr) {
    return {};
  }
  const std::string path = reader.path("biome_weights");
  if (!weights->is_object()) {
    return invalid_argument("is " + describe(*weights) + "; expected an object such as {\"Forest\": 2}",
                            path);
  }
  static constexpr Field kFactor = {
      .key = "factor", .kind = FieldKind::kNumber, .description = {}, .minimum = 0, .maximum = 1e9};
  for (const auto& item : weights->items()) {
    const std::string at = key_path(path, item.key());
    BiomeWeight weight;
    STREW_ASSIGN(weight.biome, biome_class(item.key(), names, at));
    STREW_ASSIGN(weight.factor, number_at(item.value(), reader.scope(), at, kFactor));
    if (std::any_of(species.biome_weights.begin(), species.biome_weights.end(),
                    [&](const BiomeWeight& other) { return other.biome == weight.biome; })) {
      return invalid_argument("gives class " + std::to_string(weight.biome) + " a second time", at);
    }
    species.biome_weights.push_back(weight);
  }
  return {};
}

Status read_transform(const ObjectReader& reader, TransformSpec& out) {
  STREW_RETURN_IF_ERROR(reader.number("align", out.align));
  STREW_RETURN_IF_ERROR(reader.number("max_tilt_degrees", out.max_tilt_degrees));
  STREW_RETURN_IF_ERROR(reader.range("offset_m", out.offset_m));
  STREW_RETURN_IF_ERROR(reader.number("sink_m", out.sink_m));
  if (reader.has("scale_y")) {
    STREW_RETURN_IF_ERROR(reader.range("scale_y", out.scale_y.emplace()));
  }
  if (reader.has("scale_z")) {
    STREW_RETURN_IF_ERROR(reader.range("scale_z", out.scale_z.emplace()));
  }
  STREW_RETURN_IF_ERROR(reader.each("meshes", [&out](const ObjectReader& mesh_reader) -> Status {
    MeshSpec mesh;
    STREW_RETURN_IF_ERROR(mesh_reader.text("name", mesh.name));
    STREW_RETURN_IF_ERROR(mesh_reader.number("weight", mesh.weight));
    out.meshes.push_back(std::move(mesh));
    return {};
  }));
  if (!out.meshes.empty() && std::all_of(out.meshes.begin(), out.meshes.end(),
                                         [](const MeshSpec& mesh) { return mesh.weight == 0; })) {
    return invalid_argument("has only weights of 0; at least one must be above 0", reader.path("meshes"));
  }
  return {};
}

}  // namespace

Status read_species(const ObjectReader& owner, const Names& names, const std::string& owner_name,
                    std::vector<SpeciesSpec>& out) {
  STREW_RETURN_IF_ERROR(owner.each("species", [&](const ObjectReader& reader) -> Status {
    SpeciesSpec species;
    STREW_RETURN_IF_ERROR(reader.text("name", species.name));
    if (std::any_of(out.begin(), out.end(),
                    [&](const SpeciesSpec& other) { return other.name == species.name; })) {
      return invalid_argument(
          "is " + in_quotes(species.name) + ", as an earlier one of the list; names must differ",
          reader.path("name"));
    }
    STREW_RETURN_IF_ERROR(reader.number("weight", species.weight));
    STREW_RETURN_IF_ERROR(reader.range("scale", species.scale));
    STREW_RETURN_IF_ERROR(reader.range("yaw_degrees", species.yaw_degrees));
    if (reader.has("constraints")) {
      STREW_ASSIGN(const ObjectReader own, reader.child("constraints"));
      STREW_RETURN_IF_ERROR(read_constraints(own, names, owner_name + "/species/" + species.name,
                                             species.constraints.emplace()));
    }
    STREW_RETURN_IF_ERROR(read_biome_weights(reader, names.biomes, species));
    STREW_RETURN_IF_ERROR(read_transform(reader, species.transform));
    STREW_RETURN_IF_ERROR(resolve_path(reader, "mesh", species.mesh));
    out.push_back(std::move(species));
    return {};
  }));
  if (std::all_of(out.begin(), out.end(), [](const SpeciesSpec& species) { return species.weight == 0; })) {
    return invalid_argument("has only weights of 0; at least one must be above 0", owner.path("species"));
  }
  return {};
}

}  // namespace strew::world_file
