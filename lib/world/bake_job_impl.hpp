// The state of a bake that is going on.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "folder_lock.hpp"
#include "journal.hpp"
#include "shards.hpp"
#include "strew/scatter_census.hpp"
#include "strew/world/bake_job.hpp"
#include "tile_grid.hpp"

namespace strew {

struct BakeJob::Impl {
  static constexpr std::uint32_t kNoRecord = std::numeric_limits<std::uint32_t>::max();

  /// What a worker has added up.
  struct Worker {
    double seconds_read = 0;
    double seconds_generate = 0;
    double seconds_write = 0;
  };

  Impl(const Scatter& scatter_in, const TerrainSource& terrain_in, std::string folder_in,
       BakeOptions options_in, const RunContext& context_in)
      : scatter(scatter_in),
        terrain(terrain_in),
        folder(std::move(folder_in)),
        options(std::move(options_in)),
        context(context_in),
        census(scatter_in, terrain_in) {}

  /// Plans: manifest, grid, tiles, shape and head. Touches no file.
  [[nodiscard]] Status plan();
  [[nodiscard]] Rect area_of(const TileIndex& tile) const noexcept {
    return intersection(grid.rect(tile), manifest.region);
  }
  /// Counts, over the context's executor, what tiles need of the world beyond them.
  [[nodiscard]] Status count_for(std::span<const std::uint32_t> tile_numbers);
  [[nodiscard]] std::string path_of(std::string_view name) const;

  const Scatter& scatter;
  const TerrainSource& terrain;
  const std::string folder;
  const BakeOptions options;
  const RunContext& context;
  Census census;  ///< of the layers that have an amount
  Manifest manifest;
  TileGrid grid;
  TileShare tiles;
  std::vector<std::uint32_t> slot_numbers;
  RecordShape shape;
  JournalHead head;
  FolderLock lock;
  Journal journal;
  std::vector<std::uint32_t> record_at;  ///< by tile: where its record stands in the journal
  std::vector<std::uint32_t> pending;
  bool sealed = false;  ///< the folder holds the finished bake already
  std::vector<Worker> workers;
  BakeSummary summary;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  std::mutex mutex;  ///< guards the journal, record_at and what follows
  std::chrono::steady_clock::time_point last_mark = start;
  bool marking = false;
};

/// Makes the folder the owner's: locks it, takes up what is in it, and fills `pending`.
[[nodiscard]] Status take_up(BakeJob::Impl& job);

}  // namespace strew
