// Meshes that species name, put into a GLB or referred to beside it.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "glb_builder.hpp"

namespace strew::exporting {
namespace {

using Json = nlohmann::ordered_json;

/// Adds to the numbers by which a material names textures: members called ...Texture have an index.
void shift_textures(Json& value, std::size_t by) {
  if (!value.is_structured()) {
    return;
  }
  for (auto& item : value.items()) {
    if (value.is_object() && (item.key().ends_with("Texture")) && item.value().is_object() &&
        item.value().contains("index")) {
      item.value()["index"] = item.value()["index"].get<std::size_t>() + by;
    }
    if (!value.is_object() || item.key() != "extras") {
      shift_textures(item.value(), by);
    }
  }
}

/// The image and the sampler of a texture; extensions name images of other kinds.
void shift_sources(Json& texture, std::size_t images, std::size_t samplers) {
  if (texture.contains("source")) {
    texture["source"] = texture["source"].get<std::size_t>() + images;
  }
  if (texture.contains("sampler")) {
    texture["sampler"] = texture["sampler"].get<std::size_t>() + samplers;
  }
  if (texture.contains("extensions")) {
    for (auto& item : texture["extensions"].items()) {
      if (item.value().is_object()) {
        shift_sources(item.value(), images, 0);
      }
    }
  }
}

void add_names(const std::vector<std::string>& names, std::vector<std::string>& to) {
  for (const std::string& name : names) {
    if (std::find(to.begin(), to.end(), name) == to.end()) {
      to.push_back(name);
    }
  }
}

}  // namespace

std::size_t GlbBuilder::add_model(const Model& model) {
  const auto known = std::find_if(known_models_.begin(), known_models_.end(),
                                  [&](const auto& one) { return one.first == &model; });
  if (known != known_models_.end()) {
    return known->second;
  }
  const bool beside = !model_folder_.empty();
  const std::size_t number = models_.number(&model);
  std::size_t base = 0;
  std::size_t buffer = 0;
  if (beside) {
    append_item(buffers_, "{\"byteLength\":" + std::to_string(model.bin.size()) + ",\"uri\":" +
                              text_literal(model_folder_ + "/" + std::to_string(number) + ".bin") + "}");
    buffer = buffer_count_++;
  } else {
    base = bin_.size();
    bin_.insert(bin_.end(), model.bin.begin(), model.bin.end());
  }
  const std::size_t first_view = view_count_;
  for (const ModelView& view : model.views) {
    append_item(views_, "{\"buffer\":" + std::to_string(buffer) +
                            ",\"byteOffset\":" + std::to_string(base + view.offset) + ",\"byteLength\":" +
                            std::to_string(view.bytes) + ",\"target\":" + std::to_string(view.target) + "}");
    ++view_count_;
  }
  const std::size_t first_accessor = accessor_count_;
  for (const ModelAccessor& one : model.accessors) {
    static_cast<void>(accessor(first_view + one.view, one.component, one.count, one.type.c_str(), one.more));
  }
  for (const std::string& text : model.samplers) {
    append_item(samplers_, text);
  }
  for (const std::string& text : model.textures) {
    Json texture = Json::parse(text);
    shift_sources(texture, image_count_, sampler_count_);
    append_item(textures_, texture.dump());
  }
  for (const std::string& text : model.materials) {
    Json material = Json::parse(text);
    shift_textures(material, texture_count_);
    append_item(materials_, material.dump());
  }
  for (std::size_t i = 0; i < model.images.size(); ++i) {
    const ModelImage& image = model.images[i];
    std::string place;
    if (beside) {
      place = "\"uri\":" + text_literal(model_folder_ + "/" + model_image_name(number, i, image.mime));
    } else {
      const std::size_t start = bin_.size();
      bin_.insert(bin_.end(), image.bytes.begin(), image.bytes.end());
      place = "\"bufferView\":" + std::to_string(view(start, 0));
    }
    append_item(images_, "{" + place + ",\"mimeType\":" + text_literal(image.mime) + "}");
  }
  std::string primitives;
  for (const ModelPart& part : model.parts) {
    std::string attributes;
    for (const auto& [name, index] : part.attributes) {
      append_item(attributes, text_literal(name) + ":" + std::to_string(first_accessor + index));
    }
    append_item(
        primitives,
        "{\"attributes\":{" + attributes +
            "},\"indices\":" + std::to_string(first_accessor + part.index_accessor) +
            (part.material ? ",\"material\":" + std::to_string(material_count_ + *part.material) : "") + "}");
  }
  append_item(meshes_, "{\"name\":" + text_literal(model.name) + ",\"primitives\":[" + primitives + "]}");
  material_count_ += model.materials.size();
  texture_count_ += model.textures.size();
  image_count_ += model.images.size();
  sampler_count_ += model.samplers.size();
  add_names(model.extensions_used, extensions_used_);
  add_names(model.extensions_required, extensions_required_);
  known_models_.emplace_back(&model, mesh_count_);
  return mesh_count_++;
}

}  // namespace strew::exporting
