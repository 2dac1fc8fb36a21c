// Joining the shards of a bake: their tiles under one roof, one journal, one manifest.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "atomic_write.hpp"
#include "bake_folder.hpp"
#include "bake_seal.hpp"
#include "folder_lock.hpp"
#include "guard.hpp"
#include "manifest.hpp"
#include "parallel.hpp"
#include "shards.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

namespace fs = std::filesystem;

struct Shard {
  std::string folder;
  FolderLock lock;
  Manifest manifest;
  Journal journal;
};

/// More names than this make a message no clearer.
constexpr std::size_t kNamed = 10;

Status load_shard(const std::string& folder, Shard& shard) {
  shard.folder = folder;
  STREW_RETURN_IF_ERROR(shard.lock.take(folder));
  STREW_ASSIGN(shard.manifest, load_manifest(folder));
  shard.manifest.tiles.clear();
  shard.manifest.tiles.shrink_to_fit();
  STREW_RETURN_IF_ERROR(shard.journal.open((fs::path(folder) / kJournalName).string()));
  const JournalHead& head = shard.journal.head();
  if (head.shard != shard.manifest.shard || head.shards != shard.manifest.shards) {
    return make_error(StatusCode::kCorrupt, "has a journal and a manifest of different shards; bake it again",
                      folder);
  }
  return {};
}

/// All of one bake, each share once, none missing.
Status check_shards(const std::vector<std::unique_ptr<Shard>>& shards) {
  const JournalHead& first = shards.front()->journal.head();
  std::vector<const Shard*> by_index(first.shards, nullptr);
  for (const std::unique_ptr<Shard>& shard : shards) {
    const JournalHead& head = shard->journal.head();
    if (head.key != first.key || head.record_bytes != first.record_bytes || head.shards != first.shards) {
      return invalid_argument("is a shard of another bake than " + shards.front()->folder +
                                  " (world, seed, region, tile size, version or number of shards differ)",
                              shard->folder);
    }
    // Transforms are in no tile and so in no key, but the whole has one manifest to say them.
    if (shard->manifest.world_json != shards.front()->manifest.world_json) {
      return invalid_argument(
          "was baked with other transforms of species (align, max_tilt_degrees, offset_m, sink_m, scale_y, "
          "scale_z or meshes) than " +
              shards.front()->folder +
              "; bake it again into its folder with the same world file, which makes no tile again",
          shard->folder);
    }
    if (by_index[head.shard] != nullptr) {
      return invalid_argument("is shard " + std::to_string(head.shard) + "/" + std::to_string(head.shards) +
                                  ", and so is " + by_index[head.shard]->folder + "; give each shard once",
                              shard->folder);
    }
    by_index[head.shard] = shard.get();
  }
  std::string missing;
  std::size_t count = 0;
  for (std::size_t i = 0; i < by_index.size(); ++i) {
    if (by_index[i] == nullptr && ++count <= kNamed) {
      missing += (count == 1 ? "" : ", ") + std::to_string(i);
    }
  }
  if (count != 0) {
    return invalid_argument("lack " + std::to_string(count) + " of " + std::to_string(by_index.size()) +
                                ": " + missing + (count > kNamed ? ", ..." : "") +
                                "; bake them, and give all folders",
                            "shards");
  }
  return {};
}

/// Where the records of all shards stand. Knows the shards in their order.
struct Collected {
  TileGrid grid;
  std::vector<const Shard*> shards;
  std::vector<TileShare> tiles;                       ///< of each shard
  std::vector<std::vector<std::uint32_t>> record_at;  ///< of each shard, by tile

  /// The shard that has a tile of the grid, and where in its journal.
  [[nodiscard]] std::pair<const Shard*, std::uint64_t> find(const TileIndex& tile) const noexcept {
    const std::size_t shard = shard_of(grid, tile, static_cast<std::uint32_t>(shards.size()));
    return {shards[shard], record_at[shard][tiles[shard].find(tile)]};
  }
};

Status collect(const std::vector<std::unique_ptr<Shard>>& shards, const RecordShape& shape, Collected& out) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::byte> bytes(shape.bytes());
  TileRecord record;
  const Manifest& manifest = shards.front()->manifest;
  out.grid = TileGrid::over(manifest.region, manifest.tile_size);
  out.shards.resize(shards.size());
  out.tiles.resize(shards.size());
  out.record_at.resize(shards.size());
  for (const std::unique_ptr<Shard>& shard : shards) {
    const JournalHead& head = shard->journal.head();
    const TileShare tiles(out.grid, head.shard, head.shards);
    std::vector<std::uint32_t> record_at(tiles.size(), kNone);
    bool whole = shard->journal.size() == tiles.size();
    for (std::uint64_t i = 0; i < shard->journal.size(); ++i) {
      STREW_RETURN_IF_ERROR(shard->journal.read(i, bytes));
      if (!shape.decode(bytes.data(), record)) {
        return make_error(StatusCode::kCorrupt, "has a damaged journal; run its bake again", shard->folder);
      }
      const std::uint64_t tile = tiles.find(record.tile);
      whole = whole && tile < tiles.size() && record_at[tile] == kNone;
      if (!whole) {
        return make_error(StatusCode::kCorrupt,
                          "has a journal that does not hold the tiles of its shard; run its bake again",
                          shard->folder);
      }
      record_at[tile] = static_cast<std::uint32_t>(i);
    }
    if (!whole) {
      return make_error(StatusCode::kCorrupt,
                        "has a journal that does not hold the tiles of its shard; run its bake again",
                        shard->folder);
    }
    out.shards[head.shard] = shard.get();
    out.tiles[head.shard] = tiles;
    out.record_at[head.shard] = std::move(record_at);
  }
  return {};
}

Status join_file(const std::string& from, const std::string& to, bool move) {
  std::error_code error;
  const auto linked = [&] {
    move ? fs::rename(from, to, error) : fs::create_hard_link(from, to, error);
    return !error;
  };
  if (linked()) {
    return {};
  }
  // Another file system, or one without links.
  STREW_ASSIGN(const std::vector<std::byte> bytes, read_whole_file(from));
  STREW_RETURN_IF_ERROR(write_atomically(to, bytes, Flush::kLater));
  if (move) {
    fs::remove(from, error);
  }
  return {};
}

Status join_tile(const Shard& shard, std::uint64_t position, const std::string& folder,
                 const RecordShape& shape, bool move) {
  std::vector<std::byte> bytes(shape.bytes());
  TileRecord record;
  STREW_RETURN_IF_ERROR(shard.journal.read(position, bytes));
  if (!shape.decode(bytes.data(), record) || record.bytes == 0) {
    return {};
  }
  const std::string name = tile_file_name(record.tile);
  const std::string from = (fs::path(shard.folder) / name).string();
  STREW_ASSIGN(const std::vector<std::byte> content, read_whole_file(from));
  if (content.size() != record.bytes || !tile_file_whole(content, record.checksum)) {
    return make_error(StatusCode::kCorrupt,
                      "is damaged; run the bake of this shard again, which makes it anew", from);
  }
  return join_file(from, (fs::path(folder) / name).string(), move);
}

}  // namespace

Result<BakeSummary> merge_bakes(const std::vector<std::string>& folders, const std::string& folder,
                                const MergeOptions& options, const RunContext& context) {
  return guarded([&]() -> Result<BakeSummary> {
    const auto start = std::chrono::steady_clock::now();
    if (folders.empty()) {
      return invalid_argument("is empty; give the folders of the shards", "shards");
    }
    std::vector<std::unique_ptr<Shard>> shards;
    for (const std::string& name : folders) {
      std::error_code error;
      if (fs::exists(folder, error) && fs::equivalent(name, folder, error)) {
        return invalid_argument("is one of the shards; merge into another folder", folder);
      }
      STREW_RETURN_IF_ERROR(load_shard(name, *shards.emplace_back(std::make_unique<Shard>())));
    }
    STREW_RETURN_IF_ERROR(check_shards(shards));
    Manifest& manifest = shards.front()->manifest;
    std::vector<std::size_t> species;
    for (const BakedSlot& slot : manifest.slots) {
      species.push_back(slot.species.size());
    }
    const RecordShape shape(std::move(species));
    JournalHead head = shards.front()->journal.head();
    if (head.record_bytes != shape.bytes()) {
      return make_error(StatusCode::kCorrupt, "has a journal that does not fit its manifest; bake it again",
                        folders[0]);
    }
    Collected collected;
    STREW_RETURN_IF_ERROR(collect(shards, shape, collected));

    FolderLock lock;
    STREW_RETURN_IF_ERROR(lock.take(folder));
    STREW_RETURN_IF_ERROR(prepare_bake_folder(folder, options.force));
    STREW_RETURN_IF_ERROR(
        parallel_for(context, collected.grid.tiles(), [&](std::uint64_t i, std::uint32_t) -> Status {
          const auto [shard, position] = collected.find(morton_tile(collected.grid, i));
          return join_tile(*shard, position, folder, shape, options.move);
        }));
    head.shard = 0;
    head.shards = 1;
    for (const std::unique_ptr<Shard>& shard : shards) {
      // Machines may see the same rasters under different times: the terrain is then compared tile by tile,
      // if ever.
      if (shard->journal.head().inputs_stamp != head.inputs_stamp) {
        head.inputs_stamp = 0;
      }
    }
    manifest.shard = 0;
    manifest.shards = 1;
    BakeSummary summary;
    const RecordPlaces places(collected.grid, [&collected](const TileIndex& tile) -> RecordPlace {
      const auto [shard, position] = collected.find(tile);
      return {&shard->journal, position};
    });
    STREW_RETURN_IF_ERROR(seal_bake(folder, places, shape, head, manifest, summary));
    summary.peak_memory_bytes = peak_memory_bytes();
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return summary;
  });
}

}  // namespace strew
