#include "bake_plan.hpp"

#include "bytes.hpp"
#include "journal.hpp"
#include "manifest.hpp"
#include "number_text.hpp"
#include "tile_grid.hpp"
#include "world_parts.hpp"

namespace strew {
namespace {

// Their list alone would take some gigabytes.
constexpr std::uint64_t kMaxTiles = std::uint64_t{1} << 26;

Result<Rect> area_of(const Scatter& scatter, const BakeOptions& options) {
  const Rect& extent = scatter.spec().extent;
  if (options.region.empty()) {
    return extent;
  }
  const Rect area = intersection(options.region, extent);
  if (area.empty()) {
    return invalid_argument("does not meet the world's extent, (" + number_text(to_metres(extent.x0)) + ", " +
                                number_text(to_metres(extent.y0)) + ") to (" +
                                number_text(to_metres(extent.x1)) + ", " + number_text(to_metres(extent.y1)) +
                                ") m",
                            "region");
  }
  return area;
}

}  // namespace

Result<Manifest> plan_manifest(const Scatter& scatter, const BakeOptions& options) {
  if (!(options.tile_size_m >= 1 && options.tile_size_m <= 1e6)) {
    return invalid_argument("is " + number_text(options.tile_size_m) + " m; give 1 to 1000000", "tile_size");
  }
  constexpr std::uint32_t kMaxShards = 65536;
  if (options.shards < 1 || options.shards > kMaxShards || options.shard >= options.shards) {
    return invalid_argument("is " + std::to_string(options.shard) + "/" + std::to_string(options.shards) +
                                "; give i/N with N from 1 to 65536 and i from 0 to N - 1",
                            "shard");
  }
  Manifest manifest;
  manifest.shard = options.shard;
  manifest.shards = options.shards;
  manifest.output_version = scatter.output_version();
  manifest.config_hash = options.config_hash;
  manifest.seed = scatter.spec().seed;
  manifest.exact_columns = scatter.spec().exact_columns;
  manifest.format_version = manifest.exact_columns ? kManifestVersion : 1;
  manifest.extent = scatter.spec().extent;
  manifest.world_json = options.world_json;
  manifest.terrain_json = options.terrain_json;
  STREW_ASSIGN(manifest.tile_size, to_coord(options.tile_size_m, "tile_size"));
  STREW_ASSIGN(manifest.region, area_of(scatter, options));
  const TileGrid grid = TileGrid::over(manifest.region, manifest.tile_size);
  if (grid.rows() > kMaxTiles / grid.columns()) {
    return invalid_argument("of " + number_text(options.tile_size_m) + " m makes more than " +
                                std::to_string(kMaxTiles) + " tiles; use larger tiles or a smaller region",
                            "tile_size");
  }
  for (const SlotInfo& slot : scatter.slots()) {
    BakedSlot& baked = manifest.slots.emplace_back();
    baked.slot = slot.slot;
    baked.name = slot.name;
    baked.lattice = slot.lattice;
    baked.species.assign(slot.species.begin(), slot.species.end());
    if (!slot.secondary.has_value()) {
      const LayerSpec& layer = scatter.spec().layers[slot.layer];
      baked.spacing_m = layer.spacing_m;
      STREW_ASSIGN(const PointStrategy* strategy, options.registry.find_points(layer.strategy));
      STREW_ASSIGN(const ResolvedParameters parameters,
                   ResolvedParameters::resolve(strategy->info(), layer.parameters));
      baked.minimum_distance_m = strategy->minimum_distance(parameters);
      baked.maximal = (strategy->info().promises & kMaximal) != 0 && baked.minimum_distance_m > 0;
    }
  }
  return manifest;
}

std::uint64_t bake_key(const Scatter& scatter, Manifest manifest) {
  manifest.terrain_json.clear();
  // How instances stand on the ground is made again by exports, and no part of the tiles.
  manifest.world_json = world_file::text_without_transforms(manifest.world_json);
  manifest.shard = 0;
  manifest.shards = 1;
  // What shows a species is no part of the world.
  for (BakedSlot& slot : manifest.slots) {
    for (SpeciesSpec& species : slot.species) {
      species.mesh.clear();
    }
  }
  const Result<std::string> head = manifest_head(manifest);
  // The Scatter itself, because a caller may leave config_hash and world_json empty.
  WorldFile world;
  world.scatter = scatter.spec();
  const std::string text = (head.ok() ? head.value() : std::string()) +
                           world_file::text_without_transforms(world_file::canonical_document(world).dump(
                               -1, ' ', false, world_file::Json::error_handler_t::replace));
  return checksum_bytes(kJournalVersion, std::as_bytes(std::span(text)));
}

}  // namespace strew
