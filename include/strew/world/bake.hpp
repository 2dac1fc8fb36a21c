// Baking a world to a folder of tiles, and checking such a folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "strew/scatter.hpp"

namespace strew {

struct BakeOptions {
  double tile_size_m = 512;     ///< in [1, 1e6]
  Rect region;                  ///< empty: the whole extent; otherwise must overlap it
  bool force = false;           ///< replace an existing bake in the folder
  std::string config_hash;      ///< recorded in the manifest
  std::string world_json;       ///< recorded in the manifest, for verify and preview
  std::string terrain_json;     ///< recorded likewise
  Registry registry = builtin_registry();  ///< the one the Scatter was created with: tells what its layers promise
};

struct BakeSummary {
  std::uint64_t instances = 0;
  std::uint64_t world_hash = 0;
  std::uint64_t tiles = 0;            ///< non-empty tiles written
  std::uint64_t tiles_total = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
  double seconds_read = 0;            ///< summed over workers
  double seconds_generate = 0;        ///< validation included
  double seconds_write = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::vector<SlotReport> reports;    ///< in Scatter::slots() order
};

/// Called after each tile, never concurrently; false cancels.
struct BakeProgress {
  std::uint64_t tiles_done = 0;
  std::uint64_t tiles_total = 0;
  std::uint64_t instances = 0;
};
using BakeProgressFn = bool (*)(void* user, const BakeProgress& progress);

/// Bakes scatter over terrain into `folder` (created if absent): tiles/X_Y.strewtile and manifest.json, each written to a
/// temporary name and renamed; the manifest comes last, once all tiles are flushed to the disk, so a folder with a
/// manifest is complete. Tiles are scheduled in Morton order over context.executor. An existing bake is refused without
/// `force`; what an unfinished one left is removed, and a folder that holds anything else is refused. The output never
/// depends on threads or order, and instances do not depend on the tile size.
[[nodiscard]] Result<BakeSummary> bake(const Scatter& scatter, const TerrainSource& terrain,
                                       const std::string& folder, const BakeOptions& options,
                                       const RunContext& context, BakeProgressFn progress = nullptr,
                                       void* progress_user = nullptr);

/// Reading a bake.
struct BakedTile {
  std::int64_t tile_x = 0;  ///< tile covers [tile_x, tile_x + 1) * tile_size on x
  std::int64_t tile_y = 0;
  std::string file;         ///< relative to the folder
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
  std::vector<std::uint64_t> counts;  ///< per slot
};
struct BakedSlot {
  std::uint32_t slot = 0;
  std::string name;
  Lattice lattice;
  double minimum_distance_m = 0;            ///< 0: none promised
  bool maximal = false;                     ///< the layer's points leave no hole of that radius
  std::vector<SpeciesSpec> species;
  std::vector<std::pair<std::string, double>> spacing_m;
};
struct Manifest {
  std::uint32_t format_version = 1;
  std::uint32_t output_version = 1;
  std::string config_hash;
  std::uint64_t seed = 0;
  Rect extent;
  Rect region;
  Coord tile_size = 0;
  std::uint64_t world_hash = 0;
  std::uint64_t instances = 0;
  std::vector<BakedSlot> slots;
  std::vector<BakedTile> tiles;   ///< sorted by tile_y, then tile_x
  std::string world_json;
  std::string terrain_json;
};
[[nodiscard]] Result<Manifest> load_manifest(const std::string& folder);
/// One tile's tables in slot order; checks the checksum, the sizes and the order of columns (kCorrupt).
[[nodiscard]] Result<std::vector<InstanceTable>> load_tile(const std::string& folder, const Manifest& manifest,
                                                           const BakedTile& tile);

struct VerifyCheck {
  std::string name;             ///< "minimum_distance", "spacing", "duplicate_ids", ...
  std::uint64_t violations = 0;
  std::uint64_t examined = 0;
  std::string first_offender;   ///< in words; empty when there is none
  std::string note;             ///< why a check was skipped, if it was
};
struct VerifyReport {
  std::uint64_t violations = 0;
  std::vector<VerifyCheck> checks;
};
/// Independent of the generator: reads the tiles and checks checksums, column order, tile bounds, ids, world hash,
/// minimum distances within and between layers across all seams, and, when `terrain` and `scatter` are given, the
/// constraints against the rasters and the uncovered area of maximal layers.
[[nodiscard]] Result<VerifyReport> verify(const std::string& folder, const Scatter* scatter,
                                          const TerrainSource* terrain, const RunContext& context);

}  // namespace strew
