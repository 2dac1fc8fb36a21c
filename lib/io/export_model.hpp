// Meshes that species name: a glTF file as one mesh that stands at 0, ready to be put into other files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "strew/io/export.hpp"

namespace strew::exporting {

/// Triangles of one material. glTF's axes: y up.
struct ModelPart {
  std::vector<float> positions;  ///< x, y, z
  std::vector<float> normals;    ///< likewise, or empty
  std::vector<std::uint32_t> indices;
  std::optional<std::size_t> material;
  /// glTF attributes by name, each an index into Model::accessors.
  std::vector<std::pair<std::string, std::size_t>> attributes;
  std::size_t index_accessor = 0;
};

struct ModelView {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  int target = 0;
};
struct ModelAccessor {
  std::size_t view = 0;
  int component = 0;
  std::size_t count = 0;
  std::string type;
  std::string more;  ///< further members as JSON, with a comma before each
};
struct ModelImage {
  std::string mime;
  std::vector<std::byte> bytes;
};

/// All meshes of a file's scene with the transforms of their nodes applied; skins, morph targets and
/// animations are left out. Indices in the JSON texts are those of this file.
struct Model {
  std::string name;  ///< of the file, without folder and suffix
  std::vector<ModelPart> parts;
  std::vector<std::byte> bin;
  std::vector<ModelView> views;
  std::vector<ModelAccessor> accessors;
  std::vector<std::string> materials;
  std::vector<std::string> textures;
  std::vector<std::string> samplers;
  std::vector<ModelImage> images;
  std::vector<std::string> extensions_used;
  std::vector<std::string> extensions_required;
  std::vector<std::array<float, 3>> colours;  ///< base colour of each material, linear
  double low = 0;                             ///< height of its lowest point, and of its highest
  double high = 0;
  double radius = 0;  ///< farthest point from the axis
};

/// Reads a .glb or .gltf file with what it refers to. Refuses, naming the file: what is no glTF, holds no
/// triangles, is truncated, or needs an extension that changes geometry (compression).
[[nodiscard]] Result<Model> load_model(const std::string& path);

/// What stands for each species of a source.
class Models {
 public:
  /// Loads each file that a species names, once. Errors name layer, species and file.
  [[nodiscard]] static Result<Models> load(std::span<const ExportSlot> slots);

  /// Null: the species has a stand-in.
  [[nodiscard]] const Model* find(std::size_t slot, std::size_t species) const noexcept {
    return by_species_[slot][species];
  }
  [[nodiscard]] const std::vector<std::unique_ptr<Model>>& all() const noexcept { return models_; }
  /// Index in all() of a model of it.
  [[nodiscard]] std::size_t number(const Model* model) const noexcept;

 private:
  std::vector<std::unique_ptr<Model>> models_;
  std::vector<std::vector<const Model*>> by_species_;
};

/// Name of an image's file beside a model's `.bin`: "3_0.png".
[[nodiscard]] std::string model_image_name(std::size_t model, std::size_t image, const std::string& mime);
/// Writes `N.bin` and the images of each model into `folder`, which is made when there are any.
[[nodiscard]] Status write_models(const Models& models, const std::string& folder, ExportSummary& summary);

}  // namespace strew::exporting
