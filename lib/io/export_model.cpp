#include "export_model.hpp"

#include <tiny_gltf.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "export_model_geometry.hpp"
#include "export_parts.hpp"

namespace strew::exporting {
namespace {

using Json = nlohmann::json;

/// Extensions that change nothing that is read here.
constexpr std::array<std::string_view, 10> kHarmless = {
    "KHR_mesh_quantization",   "KHR_texture_transform",
    "KHR_texture_basisu",      "EXT_texture_webp",
    "EXT_texture_avif",        "KHR_materials_unlit",
    "KHR_materials_clearcoat", "KHR_materials_specular",
    "KHR_materials_ior",       "KHR_materials_emissive_strength"};

/// The JSON of a .gltf file, or of the first chunk of a .glb, which tinygltf has read already.
Json document_of(const std::vector<char>& bytes, bool binary) {
  if (!binary) {
    return Json::parse(bytes.begin(), bytes.end());
  }
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 12, sizeof length);
  const std::size_t end = std::min(bytes.size(), std::size_t{20} + length);
  return Json::parse(bytes.data() + 20, bytes.data() + end);
}

void collect_extensions(const Json& value, std::vector<std::string>& names) {
  if (!value.is_structured()) {
    return;
  }
  for (const auto& item : value.items()) {
    if (value.is_object() && item.key() == "extensions" && item.value().is_object()) {
      for (const auto& extension : item.value().items()) {
        if (std::find(names.begin(), names.end(), extension.key()) == names.end()) {
          names.push_back(extension.key());
        }
      }
    }
    collect_extensions(item.value(), names);
  }
}

/// Whether every member called `key`, or inside one that ends with Texture where `key` is "index", is a
/// number below `count`.
bool stays_below(const Json& value, std::string_view key, std::size_t count, bool in_texture = false) {
  if (!value.is_structured()) {
    return true;
  }
  for (const auto& item : value.items()) {
    const bool member = value.is_object();
    if (member && item.key() == "extras") {
      continue;  // the file's own notes, copied as they are
    }
    const bool asked = member && item.key() == key && (key != "index" || in_texture);
    if (asked && !(item.value().is_number_unsigned() && item.value().get<std::size_t>() < count)) {
      return false;
    }
    if (!stays_below(item.value(), key, count, member && item.key().ends_with("Texture"))) {
      return false;
    }
  }
  return true;
}

/// Whatever is copied by number exists.
Status check_looks(const Model& model, const std::string& path) {
  const auto all = [](const std::vector<std::string>& texts, std::string_view key, std::size_t count) {
    return std::all_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return stays_below(Json::parse(text), key, count); });
  };
  if (!all(model.materials, "index", model.textures.size())) {
    return invalid_argument("names a texture that is not there; export the mesh again", path);
  }
  if (!all(model.textures, "source", model.images.size())) {
    return invalid_argument("names an image that is not there; export the mesh again", path);
  }
  if (!all(model.textures, "sampler", model.samplers.size())) {
    return invalid_argument("names a sampler that is not there; export the mesh again", path);
  }
  return {};
}

Status take_looks(const Json& document, const std::string& path, Model& out) {
  const auto take = [&](const char* key, std::vector<std::string>& list) {
    if (const auto found = document.find(key); found != document.end() && found->is_array()) {
      for (const Json& item : *found) {
        list.push_back(item.dump());
        collect_extensions(item, out.extensions_used);
      }
    }
  };
  take("materials", out.materials);
  take("textures", out.textures);
  take("samplers", out.samplers);
  for (const std::string& text : out.materials) {
    const Json material = Json::parse(text);
    std::array<float, 3> colour = {1, 1, 1};
    const Json factor = material.value(Json::json_pointer("/pbrMetallicRoughness/baseColorFactor"),
                                       Json::array({1, 1, 1, 1}));
    for (std::size_t i = 0; i < 3 && factor.is_array() && i < factor.size(); ++i) {
      colour[i] = factor[i].is_number() ? factor[i].get<float>() : 1.0F;
    }
    out.colours.push_back(colour);
  }
  for (const ModelPart& part : out.parts) {
    if (part.material && *part.material >= out.materials.size()) {
      return invalid_argument("names a material that is not there; export the mesh again", path);
    }
  }
  if (const auto required = document.find("extensionsRequired"); required != document.end()) {
    for (const Json& item : *required) {
      const auto name = item.get<std::string>();
      if (std::find(kHarmless.begin(), kHarmless.end(), name) == kHarmless.end()) {
        return invalid_argument(
            "needs the extension " + name + ", which strew does not read; export the mesh without it", path);
      }
      if (std::find(out.extensions_used.begin(), out.extensions_used.end(), name) !=
          out.extensions_used.end()) {
        out.extensions_required.push_back(name);
      }
    }
  }
  return {};
}

using Images = std::map<int, ModelImage>;

bool keep_image(tinygltf::Image* image, const int index, std::string* /*error*/, std::string* /*warning*/,
                int /*w*/, int /*h*/, const unsigned char* bytes, int size, void* user) {
  ModelImage& kept = (*static_cast<Images*>(user))[index];
  const auto* from = reinterpret_cast<const std::byte*>(bytes);
  kept.bytes.assign(from, from + size);
  kept.mime = image->mimeType;
  constexpr std::array<std::byte, 3> kJpeg = {std::byte{0xFF}, std::byte{0xD8}, std::byte{0xFF}};
  if (kept.mime.empty()) {  // a file beside it: glTF knows PNG and JPEG
    kept.mime = size >= 3 && std::equal(kJpeg.begin(), kJpeg.end(), from) ? "image/jpeg" : "image/png";
  }
  return true;
}

}  // namespace

Result<Model> load_model(const std::string& path) {
  try {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
      return make_error(StatusCode::kNotFound,
                        "is no file; the world file's \"mesh\" is a path relative to its own folder", path);
    }
    std::string suffix = std::filesystem::path(path).extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    if (suffix != ".glb" && suffix != ".gltf") {
      return invalid_argument("is neither .glb nor .gltf; export the mesh as glTF 2.0", path);
    }
    Images images;
    tinygltf::TinyGLTF loader;
    loader.SetImageLoader(keep_image, &images);
    tinygltf::Model gltf;
    std::string failure;
    std::string warning;
    const bool good = suffix == ".glb" ? loader.LoadBinaryFromFile(&gltf, &failure, &warning, path)
                                       : loader.LoadASCIIFromFile(&gltf, &failure, &warning, path);
    if (!good) {
      std::replace(failure.begin(), failure.end(), '\n', ' ');
      return invalid_argument("cannot be read as glTF: " + failure, path);
    }
    Model model;
    model.name = std::filesystem::path(path).stem().string();
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const Json document = document_of(bytes, suffix == ".glb");
    if (const auto required = document.find("extensionsRequired"); required != document.end()) {
      // Said before the geometry is looked at, which compression leaves without a place.
      Model none;
      STREW_RETURN_IF_ERROR(take_looks(document, path, none));
    }
    STREW_RETURN_IF_ERROR(read_geometry(gltf, path, model));
    STREW_RETURN_IF_ERROR(take_looks(document, path, model));
    for (std::size_t i = 0; i < gltf.images.size(); ++i) {
      const auto found = images.find(static_cast<int>(i));
      if (found == images.end() || found->second.bytes.empty()) {
        return make_error(StatusCode::kNotFound,
                          "names the image " + gltf.images[i].uri + ", which cannot be read", path);
      }
      model.images.push_back(std::move(found->second));
    }
    STREW_RETURN_IF_ERROR(check_looks(model, path));
    return model;
  } catch (const Json::exception& error) {
    return invalid_argument(std::string("cannot be read as glTF: ") + error.what(), path);
  }
}

Result<Models> Models::load(std::span<const ExportSlot> slots) {
  Models out;
  std::map<std::string, const Model*> known;
  for (const ExportSlot& slot : slots) {
    std::vector<const Model*>& list = out.by_species_.emplace_back();
    for (const SpeciesSpec& species : slot.species) {
      const Model*& model = list.emplace_back(nullptr);
      if (species.mesh.empty()) {
        continue;
      }
      const auto found = known.find(species.mesh);
      if (found == known.end()) {
        Result<Model> read = load_model(species.mesh);
        if (!read.ok()) {
          Status status = read.status();
          status.where = "mesh of " + slot.name + ": " + species.name + ", " + status.where;
          return status;
        }
        model = out.models_.emplace_back(std::make_unique<Model>(std::move(read).value())).get();
        known[species.mesh] = model;
      } else {
        model = found->second;
      }
    }
  }
  return out;
}

std::size_t Models::number(const Model* model) const noexcept {
  const auto found = std::find_if(models_.begin(), models_.end(),
                                  [model](const std::unique_ptr<Model>& one) { return one.get() == model; });
  return static_cast<std::size_t>(found - models_.begin());
}

std::string model_image_name(std::size_t model, std::size_t image, const std::string& mime) {
  const std::size_t slash = mime.find('/');
  return std::to_string(model) + "_" + std::to_string(image) + "." +
         (slash == std::string::npos ? mime : mime.substr(slash + 1));
}

Status write_models(const Models& models, const std::string& folder, ExportSummary& summary) {
  const auto write = [&](const std::string& name, std::span<const std::byte> bytes) -> Status {
    PieceFile file;
    STREW_RETURN_IF_ERROR(file.create((std::filesystem::path(folder) / name).string()));
    STREW_RETURN_IF_ERROR(file.bytes(bytes));
    return file.finish(summary);
  };
  if (!models.all().empty()) {
    std::filesystem::create_directories(folder);
  }
  for (std::size_t i = 0; i < models.all().size(); ++i) {
    const Model& model = *models.all()[i];
    STREW_RETURN_IF_ERROR(write(std::to_string(i) + ".bin", model.bin));
    for (std::size_t k = 0; k < model.images.size(); ++k) {
      STREW_RETURN_IF_ERROR(write(model_image_name(i, k, model.images[k].mime), model.images[k].bytes));
    }
  }
  return {};
}

}  // namespace strew::exporting
