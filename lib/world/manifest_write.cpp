#include <exception>
#include <new>
#include <nlohmann/json.hpp>

#include "manifest.hpp"

namespace strew {
namespace {

using Json = nlohmann::ordered_json;

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) {
    text[i] = "0123456789abcdef"[value & 15U];
  }
  return text;
}

Json rect_json(const Rect& rect) {
  return {std::to_string(rect.x0), std::to_string(rect.y0), std::to_string(rect.x1), std::to_string(rect.y1)};
}

Json range_json(const Range& range) {
  return Json::array({range.minimum, range.maximum});
}

Json slot_json(const BakedSlot& slot) {
  Json species = Json::array();
  for (const SpeciesSpec& one : slot.species) {
    species.push_back({{"name", one.name},
                       {"weight", one.weight},
                       {"scale", range_json(one.scale)},
                       {"yaw_degrees", range_json(one.yaw_degrees)}});
    if (!one.mesh.empty()) {
      species.back()["mesh"] = one.mesh;
    }
  }
  Json spacing = Json::array();
  for (const auto& [layer, metres] : slot.spacing_m) {
    spacing.push_back({{"layer", layer}, {"metres", metres}});
  }
  return {{"slot", slot.slot},
          {"name", slot.name},
          {"pitch", std::to_string(slot.lattice.pitch)},
          {"identity_step", std::to_string(slot.lattice.identity_step)},
          {"minimum_distance_m", slot.minimum_distance_m},
          {"maximal", slot.maximal},
          {"species", std::move(species)},
          {"spacing", std::move(spacing)}};
}

Json tile_json(const BakedTile& tile) {
  return {{"x", tile.tile_x},
          {"y", tile.tile_y},
          {"file", tile.file},
          {"bytes", tile.bytes},
          {"checksum", hex(tile.checksum)},
          {"counts", tile.counts}};
}

void append_list(std::string& text, std::string_view key, const std::vector<std::string>& lines) {
  text += ",\n\"" + std::string(key) + "\": [";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += (i == 0 ? "\n " : ",\n ") + lines[i];
  }
  text += lines.empty() ? "]" : "\n]";
}

}  // namespace

Result<std::string> manifest_head(const Manifest& manifest) {
  std::string field;
  try {
    std::vector<std::pair<const char*, Json>> head = {
        {"format", std::string(kManifestFormat)},    {"format_version", manifest.format_version},
        {"output_version", manifest.output_version}, {"config_hash", manifest.config_hash},
        {"seed", std::to_string(manifest.seed)},     {"extent", rect_json(manifest.extent)},
        {"region", rect_json(manifest.region)},      {"tile_size", std::to_string(manifest.tile_size)},
        {"world_hash", hex(manifest.world_hash)},    {"instances", manifest.instances},
        {"world_json", manifest.world_json},         {"terrain_json", manifest.terrain_json},
    };
    if (manifest.exact_columns) {
      head.emplace_back("columns", "exact");
    }
    if (manifest.shards != 1) {
      head.emplace_back("shard", Json::array({manifest.shard, manifest.shards}));
    }
    std::string text = "{";
    for (const auto& [key, value] : head) {
      field = key;
      text += (text.size() == 1 ? "\n\"" : ",\n\"") + field + "\": " + value.dump();
    }
    std::vector<std::string> lines;
    for (const BakedSlot& slot : manifest.slots) {
      field = "slots[" + std::to_string(lines.size()) + "]";
      lines.push_back(slot_json(slot).dump());
    }
    append_list(text, "slots", lines);
    return text + ",\n\"tiles\": [";
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory to write the manifest");
  } catch (const std::exception& error) {
    // The only thing the JSON writer refuses is text that is not UTF-8.
    return invalid_argument(std::string("cannot stand in a manifest: ") + error.what(), field);
  }
}

std::string manifest_tile(const BakedTile& tile, bool first) {
  return (first ? "\n " : ",\n ") + tile_json(tile).dump();
}

std::string manifest_tail(bool any_tile) {
  return any_tile ? "\n]\n}\n" : "]\n}\n";
}

Result<std::string> manifest_text(const Manifest& manifest) {
  STREW_ASSIGN(std::string text, manifest_head(manifest));
  try {
    for (const BakedTile& tile : manifest.tiles) {
      text += manifest_tile(tile, &tile == manifest.tiles.data());
    }
    return text + manifest_tail(!manifest.tiles.empty());
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory to write the manifest; use larger tiles");
  }
}

}  // namespace strew
