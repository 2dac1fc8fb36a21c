// A bake, or some of it, as exports read it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "strew/io/export.hpp"
#include "strew/world/bake.hpp"
#include "world_input.hpp"

namespace strew_tool {

class BakeSource final : public strew::ExportSource {
 public:
  struct Choice {
    std::vector<std::string> layers;  ///< names of slots; empty: all
    std::string region;               ///< "x0,y0,x1,y1" in metres, the upper edges outside; empty: all
    /// Instances stand as the tiles say; else the transforms of the world's species are made again, on the
    /// terrain that the bake names where one of them follows the ground.
    bool upright = false;
  };
  /// Reads the tiles that the region cuts, to count what of them it holds.
  [[nodiscard]] static strew::Result<std::unique_ptr<BakeSource>> open(const std::string& folder,
                                                                       const Choice& choice,
                                                                       const strew::RunContext& context);

  [[nodiscard]] const strew::Manifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] std::span<const strew::ExportSlot> slots() const noexcept override { return slots_; }
  [[nodiscard]] std::span<const strew::ExportTile> tiles() const noexcept override { return tiles_; }
  [[nodiscard]] strew::Result<std::vector<strew::InstanceTable>> load(std::size_t tile) const override;
  [[nodiscard]] strew::Status transforms(
      std::size_t tile, std::span<const strew::InstanceTable> tables,
      std::vector<std::vector<strew::InstanceTransform>>& out) const override;

 private:
  [[nodiscard]] strew::Status choose_slots(const std::vector<std::string>& layers);
  [[nodiscard]] strew::Status list_tiles(const strew::RunContext& context);
  [[nodiscard]] strew::Status open_ground();
  [[nodiscard]] strew::Status check_ground(std::size_t slot, const strew::InstanceTable& table,
                                           const strew::RasterView<float>& elevation) const;

  std::string folder_;
  strew::Manifest manifest_;
  strew::Rect region_;             ///< what is exported
  std::vector<std::size_t> kept_;  ///< indices of slots in the manifest
  std::vector<strew::ExportSlot> slots_;
  std::vector<strew::ExportTile> tiles_;
  std::vector<const strew::BakedTile*> baked_;
  std::optional<BakedGround> ground_;  ///< absent: all stand as the tiles say
};

}  // namespace strew_tool
