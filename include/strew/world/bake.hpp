// Baking a world to a folder of tiles, and checking such a folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "strew/scatter.hpp"

namespace strew {

struct BakeOptions {
  double tile_size_m = 512;  ///< in [1, 1e6]
  Rect region;               ///< empty: the whole extent; otherwise must overlap it
  bool force = false;        ///< replace an existing bake in the folder, and begin from nothing
  bool trust_files = false;  ///< take up finished tiles by the size of their files, without their checksums
  std::uint32_t shard = 0;   ///< bake the share `shard` of `shards`; merge_bakes() joins the shares
  std::uint32_t shards = 1;  ///< in [1, 65536]
  std::string config_hash;   ///< recorded in the manifest
  std::string world_json;    ///< recorded in the manifest, for verify and preview
  std::string terrain_json;  ///< recorded likewise
  /// Tells whether the terrain may have changed since an earlier bake into the folder, such as a hash of its
  /// files' names, sizes and times: the same stamp, the same terrain. 0: unknown, so each tile's terrain is
  /// read and compared.
  std::uint64_t inputs_stamp = 0;
  Registry registry =
      builtin_registry();  ///< the one the Scatter was created with: tells what its layers promise
};

struct BakeSummary {
  std::uint64_t instances = 0;
  std::uint64_t world_hash = 0;
  std::uint64_t tiles = 0;           ///< non-empty tiles of the bake
  std::uint64_t tiles_total = 0;     ///< all tiles of the bake, or of its shard
  std::uint64_t tiles_made = 0;      ///< by this call; the others were taken up as they stood
  std::uint64_t tiles_changed = 0;   ///< made again because their terrain changed
  std::uint64_t instances_made = 0;  ///< by this call
  std::vector<std::string> damaged;  ///< files found missing or damaged, and made again; the first 16
  std::uint64_t tiles_damaged = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
  double seconds_read = 0;      ///< summed over workers
  double seconds_generate = 0;  ///< validation included
  double seconds_write = 0;
  std::uint64_t peak_memory_bytes = 0;  ///< of the process: see peak_memory_bytes()
  std::vector<SlotReport> reports;      ///< in Scatter::slots() order
};

/// The most memory of this process that was resident so far; 0 where the system does not tell.
[[nodiscard]] std::uint64_t peak_memory_bytes() noexcept;

/// Called after each tile, never concurrently; false cancels. Counts the tiles and instances that this call
/// makes.
struct BakeProgress {
  std::uint64_t tiles_done = 0;
  std::uint64_t tiles_total = 0;
  std::uint64_t instances = 0;
};
using BakeProgressFn = bool (*)(void* user, const BakeProgress& progress);

/// Bakes scatter over terrain into `folder` (created if absent): tiles/X_Y.strewtile, bake.journal and
/// manifest.json, each file written to a temporary name and renamed; the manifest comes last, once all tiles
/// are flushed to the disk, so a folder with a manifest is complete. Tiles are begun in Morton order over
/// context.executor; memory is a function of the tile size and the number of workers, but for eight bytes
/// a tile. The output never depends on threads or order, and instances do not depend on the tile size.
///
/// A folder that holds an unfinished or a finished bake of the same world, region, tile size and shard is
/// taken up: tiles whose terrain is the same as when they were made and whose files are whole are kept, the
/// others are made, and the result is byte for byte what a bake from nothing gives. A bake of anything else
/// is refused without `force`, and a folder that holds what is no bake is refused with or without it.
/// Cancelling finishes the tiles in flight.
[[nodiscard]] Result<BakeSummary> bake(const Scatter& scatter, const TerrainSource& terrain,
                                       const std::string& folder, const BakeOptions& options,
                                       const RunContext& context, BakeProgressFn progress = nullptr,
                                       void* progress_user = nullptr);

struct MergeOptions {
  bool force = false;  ///< replace an existing bake in the folder
  bool move = false;   ///< take the files out of the shards' folders; otherwise they are linked, or copied
};
/// Joins the finished shards of one bake into `folder`, which is then what one unsharded bake would have
/// made, byte for byte. Every tile is checked on the way. Refuses shards that are missing, given twice, or of
/// different bakes, and those whose worlds transform species otherwise. Paths of rasters and meshes, which
/// may differ between machines, are recorded as the first shard has them.
[[nodiscard]] Result<BakeSummary> merge_bakes(const std::vector<std::string>& shards,
                                              const std::string& folder, const MergeOptions& options,
                                              const RunContext& context);

/// Reading a bake.
struct BakedTile {
  std::int64_t tile_x = 0;  ///< tile covers [tile_x, tile_x + 1) * tile_size on x
  std::int64_t tile_y = 0;
  std::string file;  ///< relative to the folder
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
  std::vector<std::uint64_t> counts;  ///< per slot
};
struct BakedSlot {
  std::uint32_t slot = 0;
  std::string name;
  Lattice lattice;
  double minimum_distance_m = 0;  ///< 0: none promised
  bool maximal = false;           ///< the layer's points leave no hole of that radius
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
  std::uint32_t shard = 0;  ///< which share of the bake this is, of `shards`
  std::uint32_t shards = 1;
  std::uint64_t world_hash = 0;
  std::uint64_t instances = 0;
  std::vector<BakedSlot> slots;
  std::vector<BakedTile> tiles;  ///< sorted by tile_y, then tile_x
  std::string world_json;
  std::string terrain_json;
  bool exact_columns = false;  ///< every tile has the exact columns of InstanceTable
};
[[nodiscard]] Result<Manifest> load_manifest(const std::string& folder);
/// One tile's tables in slot order; checks the checksum, the sizes and the order of columns (kCorrupt).
[[nodiscard]] Result<std::vector<InstanceTable>> load_tile(const std::string& folder,
                                                           const Manifest& manifest, const BakedTile& tile);

struct VerifyCheck {
  std::string name;  ///< "minimum_distance", "spacing", "duplicate_ids", ...
  std::uint64_t violations = 0;
  std::uint64_t examined = 0;
  std::string first_offender;  ///< in words; empty when there is none
  std::string note;            ///< why a check was skipped, if it was
};
struct VerifyReport {
  std::uint64_t violations = 0;
  std::vector<VerifyCheck> checks;
};
/// Independent of the generator: reads the tiles and checks checksums, column order, tile bounds, ids, world
/// hash, minimum distances within and between layers across all seams, and, when `terrain` and `scatter` are
/// given, the constraints against the rasters, the rings of secondaries, the distance between siblings (of
/// pairs that can have one parent only: tiles do not say whose they are), amounts, and the uncovered area of
/// maximal layers.
[[nodiscard]] Result<VerifyReport> verify(const std::string& folder, const Scatter* scatter,
                                          const TerrainSource* terrain, const RunContext& context);

}  // namespace strew
