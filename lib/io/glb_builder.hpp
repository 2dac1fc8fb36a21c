// A binary glTF 2.0 file, built part by part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "export_parts.hpp"

namespace strew::exporting {

/// Slot, species within it and mesh of that in one number: what one node shows.
[[nodiscard]] constexpr std::uint64_t shown_key(const Placed& one) noexcept {
  return (std::uint64_t{one.slot} << 32) | (std::uint64_t{one.species} << 16) | one.mesh;
}

/// Folder of shared meshes beside the files of an export.
inline constexpr const char* kModelFolder = "meshes";

/// Groups of instances become nodes; meshes are added when first used.
class GlbBuilder {
 public:
  /// `origin` stands in the file for those who look: the world position that is 0 in it.
  /// Models that species name are put into the file, or, when `model_folder` is given, referred to as
  /// write_models() wrote them into that folder beside it.
  GlbBuilder(std::span<const ExportSlot> slots, const Models& models, const Origin& origin, bool instancing,
             std::string model_folder = {})
      : slots_(slots),
        models_(models),
        origin_(origin),
        instancing_(instancing),
        model_folder_(std::move(model_folder)) {}

  /// A node at (x, y, z) in strew's axes, with a child per species and mesh: `placed` are relative to it, in
  /// any order.
  void add_group(const std::string& name, double x, double y, double z, std::span<const Placed> placed);
  /// The whole file. Refuses what no GLB holds: 4 GiB.
  [[nodiscard]] Result<std::vector<std::byte>> finish() const;

 private:
  [[nodiscard]] std::size_t view(std::size_t start, int target);
  [[nodiscard]] std::size_t accessor(std::size_t view, int component, std::size_t count, const char* type,
                                     const std::string& more = {});
  [[nodiscard]] std::size_t add_model(const Model& model);
  [[nodiscard]] std::size_t stand_in_of(std::size_t slot, std::size_t species);
  [[nodiscard]] std::size_t mesh_of(std::size_t slot, std::size_t species);
  [[nodiscard]] std::size_t add_node(const std::string& body);
  [[nodiscard]] std::size_t instanced_node(std::size_t slot, std::size_t species,
                                           std::span<const Placed* const> placed);
  template <class Put>
  [[nodiscard]] std::size_t column(std::span<const Placed* const> placed, int component, const char* type,
                                   const Put& put);

  struct KnownMesh {
    std::size_t key = 0;
    std::size_t mesh = 0;
  };
  std::span<const ExportSlot> slots_;
  const Models& models_;
  Origin origin_;
  bool instancing_;
  std::string model_folder_;
  std::vector<std::byte> bin_;
  std::string nodes_;
  std::string roots_;
  std::string meshes_;
  std::string materials_;
  std::string accessors_;
  std::string views_;
  std::string buffers_;  ///< but for the first, which is this file's own
  std::string textures_;
  std::string images_;
  std::string samplers_;
  std::size_t node_count_ = 0;
  std::size_t accessor_count_ = 0;
  std::size_t view_count_ = 0;
  std::size_t mesh_count_ = 0;
  std::size_t material_count_ = 0;
  std::size_t buffer_count_ = 1;
  std::size_t texture_count_ = 0;
  std::size_t image_count_ = 0;
  std::size_t sampler_count_ = 0;
  std::vector<std::string> extensions_used_;
  std::vector<std::string> extensions_required_;
  std::vector<std::pair<const Model*, std::size_t>> known_models_;
  std::vector<KnownMesh> known_;
};

/// Appends to the list of a JSON array, with a comma between items.
inline void append_item(std::string& list, const std::string& item) {
  list += list.empty() ? "" : ",";
  list += item;
}

}  // namespace strew::exporting
