#include "bake_source.hpp"

#include <algorithm>
#include <cmath>

#include "common.hpp"
#include "each_index.hpp"
#include "fmt/format.h"
#include "strew/terrain.hpp"

namespace strew_tool {
namespace {

/// Stand-ins of layers without a minimum distance.
constexpr double kSizeWithoutDistance = 0.8;

bool has_transform(const strew::SpeciesSpec& species) noexcept {
  return !species.transform.plain();
}

bool follows_ground(const strew::SpeciesSpec& species) noexcept {
  return species.transform.tilts() || species.transform.sink_m > 0;
}

/// The terrain around the instances of a tile: one window, read once for all of its tables.
class TileGround final : public strew::TerrainSource {
 public:
  explicit TileGround(const strew::TerrainSource& source) : source_(source) {}

  [[nodiscard]] strew::Status open(const std::vector<const strew::InstanceTable*>& tables) {
    strew::Rect around;
    for (const strew::InstanceTable* table : tables) {
      const strew::Coord pitch = table->lattice.pitch;
      for (std::size_t i = 0; i < table->size(); ++i) {
        const strew::Coord x = table->x[i] * pitch;
        const strew::Coord y = table->y[i] * pitch;
        around = around.empty() ? strew::Rect{x, y, x + 1, y + 1}
                                : strew::Rect{std::min(around.x0, x), std::min(around.y0, y),
                                              std::max(around.x1, x + 1), std::max(around.y1, y + 1)};
      }
    }
    if (around.empty()) {
      return {};
    }
    // Transforms look a cell farther than instances stand.
    STREW_RETURN_IF_ERROR(source_.window({around.x0, around.y0, around.x0 + 1, around.y0 + 1}, window_));
    const double cell = std::max(window_.view.elevation.dx, window_.view.elevation.dy);
    if (!window_.view.elevation.empty()) {
      around = strew::expanded(around, static_cast<strew::Coord>(cell * 4294967296.0) + 1);
      window_ = strew::TerrainWindow{};
      STREW_RETURN_IF_ERROR(source_.window(around, window_));
    }
    covered_ = around;
    return {};
  }
  [[nodiscard]] const strew::RasterView<float>& elevation() const noexcept { return window_.view.elevation; }
  [[nodiscard]] strew::Status window(const strew::Rect& need, strew::TerrainWindow& out) const override {
    if (strew::intersection(need, covered_) != need) {
      return source_.window(need, out);
    }
    out.view = window_.view;
    return {};
  }

 private:
  const strew::TerrainSource& source_;
  strew::TerrainWindow window_;
  strew::Rect covered_;
};

/// Takes out of a table what stands outside, and leaves the order of the rest.
void keep_inside(const strew::Rect& region, strew::InstanceTable& table) {
  std::size_t kept = 0;
  const auto each_column = [&table](const auto& change) {
    change(table.x);
    change(table.y);
    change(table.z_steps);
    change(table.species);
    change(table.yaw);
    change(table.scale);
    change(table.z_exact);
    change(table.yaw_exact);
    change(table.scale_exact);
  };
  const std::size_t count = table.size();
  for (std::size_t i = 0; i < count; ++i) {
    const strew::Coord x = table.x[i] * table.lattice.pitch;
    const strew::Coord y = table.y[i] * table.lattice.pitch;
    if (x < region.x0 || x >= region.x1 || y < region.y0 || y >= region.y1) {
      continue;
    }
    if (kept != i) {
      each_column([&](auto& column) {
        if (!column.empty()) {
          column[kept] = column[i];
        }
      });
    }
    ++kept;
  }
  each_column([&](auto& column) { column.resize(std::min(kept, column.size())); });
}

}  // namespace

strew::Result<std::unique_ptr<BakeSource>> BakeSource::open(const std::string& folder, const Choice& choice,
                                                            const strew::RunContext& context) {
  auto source = std::make_unique<BakeSource>();
  source->folder_ = folder;
  STREW_ASSIGN(source->manifest_, strew::load_manifest(folder));
  const strew::Manifest& manifest = source->manifest_;
  source->region_ = manifest.region;
  if (!choice.region.empty()) {
    STREW_ASSIGN(source->region_, region_in(manifest.region, choice.region, "bake"));
  }
  STREW_RETURN_IF_ERROR(source->choose_slots(choice.layers));
  if (!choice.upright && !manifest.world_json.empty()) {
    STREW_RETURN_IF_ERROR(source->open_ground());
  }
  STREW_RETURN_IF_ERROR(source->list_tiles(context));
  return source;
}

strew::Status BakeSource::choose_slots(const std::vector<std::string>& layers) {
  for (const std::string& name : layers) {
    if (std::none_of(manifest_.slots.begin(), manifest_.slots.end(),
                     [&](const strew::BakedSlot& slot) { return slot.name == name; })) {
      std::string known;
      for (const strew::BakedSlot& slot : manifest_.slots) {
        known += (known.empty() ? "" : ", ") + slot.name;
      }
      return strew::invalid_argument(fmt::format("\"{}\" is not in this bake, which has {}", name, known),
                                     "--layer");
    }
  }
  for (std::size_t i = 0; i < manifest_.slots.size(); ++i) {
    const strew::BakedSlot& slot = manifest_.slots[i];
    if (layers.empty() || std::find(layers.begin(), layers.end(), slot.name) != layers.end()) {
      kept_.push_back(i);
      slots_.push_back({slot.slot, slot.name, slot.lattice, slot.species,
                        slot.minimum_distance_m > 0 ? slot.minimum_distance_m * 0.8 : kSizeWithoutDistance});
    }
  }
  return {};
}

strew::Status BakeSource::list_tiles(const strew::RunContext& context) {
  const strew::Coord side = manifest_.tile_size;
  const bool whole = region_ == manifest_.region;
  std::vector<std::size_t> cut;
  for (const strew::BakedTile& tile : manifest_.tiles) {
    const strew::Rect square = {tile.tile_x * side, tile.tile_y * side, (tile.tile_x + 1) * side,
                                (tile.tile_y + 1) * side};
    const strew::Rect part = strew::intersection(square, region_);
    std::uint64_t count = 0;
    for (const std::size_t i : kept_) {
      count += tile.counts[i];
    }
    if (count == 0 || part.empty()) {
      continue;
    }
    if (!whole && part != strew::intersection(square, manifest_.region)) {
      cut.push_back(tiles_.size());
    }
    tiles_.push_back({tile.tile_x, tile.tile_y, whole ? square : part, count});
    baked_.push_back(&tile);
  }
  STREW_RETURN_IF_ERROR(
      for_each_index(context, cut.size(), "nothing was written", [&](std::uint64_t i) -> strew::Status {
        STREW_ASSIGN(const std::vector<strew::InstanceTable> tables, load(cut[i]));
        tiles_[cut[i]].instances = 0;
        for (const strew::InstanceTable& table : tables) {
          tiles_[cut[i]].instances += table.size();
        }
        return {};
      }));
  for (std::size_t i = tiles_.size(); i-- > 0;) {
    if (tiles_[i].instances == 0) {
      tiles_.erase(tiles_.begin() + static_cast<std::ptrdiff_t>(i));
      baked_.erase(baked_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return {};
}

strew::Status BakeSource::open_ground() {
  STREW_ASSIGN(BakedGround ground, baked_world(manifest_));
  const std::span<const strew::SlotInfo> known = ground.scatter.slots();
  bool plain = true;
  bool needed = false;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const strew::SlotInfo* slot = kept_[i] < known.size() ? &known[kept_[i]] : nullptr;
    if (slot == nullptr || slot->name != slots_[i].name || slot->species.size() != slots_[i].species.size()) {
      return strew::make_error(strew::StatusCode::kCorrupt,
                               "lists other layers than the world that it records", "manifest.json");
    }
    for (std::size_t s = 0; s < slot->species.size(); ++s) {
      slots_[i].species[s].transform = slot->species[s].transform;
    }
    plain = plain && std::none_of(slot->species.begin(), slot->species.end(), has_transform);
    needed = needed || std::any_of(slot->species.begin(), slot->species.end(), follows_ground);
  }
  if (plain) {
    return {};
  }
  if (needed) {
    if (strew::Status status = open_baked_ground(ground); !status.ok()) {
      status.message +=
          "; species that tilt or sink need the terrain of their bake: put it back there, or give --upright "
          "to export place, yaw and uniform scale alone";
      return status;
    }
  }
  ground_.emplace(std::move(ground));
  return {};
}

strew::Result<std::vector<strew::InstanceTable>> BakeSource::load(std::size_t tile) const {
  STREW_ASSIGN(std::vector<strew::InstanceTable> all, strew::load_tile(folder_, manifest_, *baked_[tile]));
  std::vector<strew::InstanceTable> kept;
  for (const std::size_t i : kept_) {
    keep_inside(region_, all[i]);
    kept.push_back(std::move(all[i]));
  }
  return kept;
}

// A raster that was edited since would tilt what stands by another ground.
strew::Status BakeSource::check_ground(std::size_t slot, const strew::InstanceTable& table,
                                       const strew::RasterView<float>& elevation) const {
  constexpr double kStep = 1.0 / 1024;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const strew::Coord x = table.x[i] * table.lattice.pitch;
    const strew::Coord y = table.y[i] * table.lattice.pitch;
    double height = 0;
    const bool there =
        elevation.empty() || strew::sample_bilinear(elevation, x, y, height) == strew::SampleState::kValid;
    if (there && std::fabs(height - table.z_m(i)) <= kStep) {
      continue;
    }
    return strew::invalid_argument(
        fmt::format(
            "has changed since the bake: at ({:.2f}, {:.2f}) it was {:.3f} m high and {}; bake again, "
            "or give --upright to export place, yaw and uniform scale alone",
            strew::to_metres(x), strew::to_metres(y), table.z_m(i),
            there ? fmt::format("is {:.3f} m", height) : "has no data"),
        "the terrain under " + slots_[slot].name);
  }
  return {};
}

strew::Status BakeSource::transforms(std::size_t, std::span<const strew::InstanceTable> tables,
                                     std::vector<std::vector<strew::InstanceTransform>>& out) const {
  out.clear();
  if (!ground_) {
    return {};
  }
  out.resize(tables.size());
  const auto any = [&](std::size_t i, bool (*is)(const strew::SpeciesSpec&) noexcept) {
    const std::vector<strew::SpeciesSpec>& species = slots_[i].species;
    return tables[i].size() != 0 && std::any_of(species.begin(), species.end(), is);
  };
  std::vector<const strew::InstanceTable*> on_ground;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (any(i, follows_ground)) {
      on_ground.push_back(&tables[i]);
    }
  }
  TileGround ground(ground_->terrain());
  STREW_RETURN_IF_ERROR(ground.open(on_ground));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (any(i, follows_ground)) {
      STREW_RETURN_IF_ERROR(check_ground(i, tables[i], ground.elevation()));
    }
    if (any(i, has_transform)) {
      STREW_RETURN_IF_ERROR(ground_->scatter.transforms(kept_[i], tables[i], ground, out[i]));
    }
  }
  return {};
}

}  // namespace strew_tool
