// Joining the shards of a bake: their tiles under one roof, one journal, one manifest.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>

#include "atomic_write.hpp"
#include "bake_folder.hpp"
#include "bake_seal.hpp"
#include "folder_lock.hpp"
#include "guard.hpp"
#include "manifest.hpp"
#include "parallel.hpp"
#include "process_memory.hpp"
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

/// The records of all shards, one per tile of the bake.
Status collect(const std::vector<std::unique_ptr<Shard>>& shards, const RecordShape& shape,
               std::vector<RecordPlace>& places) {
  std::vector<std::byte> bytes(shape.bytes());
  TileRecord record;
  const Manifest& manifest = shards.front()->manifest;
  const std::vector<TileIndex> tiles = morton_order(TileGrid::over(manifest.region, manifest.tile_size));
  for (const std::unique_ptr<Shard>& shard : shards) {
    const JournalHead& head = shard->journal.head();
    std::vector<TileIndex> expected = tiles_of_shard(tiles, head.shard, head.shards);
    std::vector<TileIndex> found;
    for (std::uint64_t i = 0; i < shard->journal.size(); ++i) {
      STREW_RETURN_IF_ERROR(shard->journal.read(i, bytes));
      if (!shape.decode(bytes.data(), record)) {
        return make_error(StatusCode::kCorrupt, "has a damaged journal; run its bake again", shard->folder);
      }
      found.push_back(record.tile);
      places.push_back({record.tile, i, &shard->journal});
    }
    const auto before = [](const TileIndex& a, const TileIndex& b) {
      return a.y != b.y ? a.y < b.y : a.x < b.x;
    };
    std::sort(expected.begin(), expected.end(), before);
    std::sort(found.begin(), found.end(), before);
    if (found != expected) {
      return make_error(StatusCode::kCorrupt,
                        "has a journal that does not hold the tiles of its shard; run its bake again",
                        shard->folder);
    }
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

Status join_tile(const RecordPlace& place, const std::string& source, const std::string& folder,
                 const RecordShape& shape, bool move) {
  std::vector<std::byte> bytes(shape.bytes());
  TileRecord record;
  STREW_RETURN_IF_ERROR(place.journal->read(place.position, bytes));
  if (!shape.decode(bytes.data(), record) || record.bytes == 0) {
    return {};
  }
  const std::string name = tile_file_name(record.tile);
  const std::string from = (fs::path(source) / name).string();
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
    std::vector<RecordPlace> places;
    STREW_RETURN_IF_ERROR(collect(shards, shape, places));

    FolderLock lock;
    STREW_RETURN_IF_ERROR(lock.take(folder));
    STREW_RETURN_IF_ERROR(prepare_bake_folder(folder, options.force));
    STREW_RETURN_IF_ERROR(parallel_for(context, places.size(), [&](std::uint64_t i, std::uint32_t) -> Status {
      const auto source = std::find_if(
          shards.begin(), shards.end(),
          [&](const std::unique_ptr<Shard>& shard) { return &shard->journal == places[i].journal; });
      return join_tile(places[i], (*source)->folder, folder, shape, options.move);
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
    STREW_RETURN_IF_ERROR(seal_bake(folder, std::move(places), shape, head, manifest, summary));
    summary.peak_memory_bytes = peak_memory_bytes();
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return summary;
  });
}

}  // namespace strew
