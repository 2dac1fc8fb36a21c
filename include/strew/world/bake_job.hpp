// A bake step by step, for those who hand its tiles out themselves: to processes, to machines, to an engine's
// own jobs. strew::bake() is this over a RunContext's executor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "strew/world/bake.hpp"

namespace strew {

/// One process opens the job as its owner; it alone reads and writes the journal and the manifest. Helpers,
/// in other processes that see the same folder, make tiles and give the owner their records. A helper that is
/// lost costs the tiles that it had not given back, and nothing else: another makes them.
class BakeJob {
 public:
  /// As bake(): takes up what is in the folder, or refuses it. `scatter`, `terrain` and `context` outlive the
  /// job. Checks files and terrain of finished tiles over context.executor.
  [[nodiscard]] static Result<BakeJob> own(const Scatter& scatter, const TerrainSource& terrain,
                                           const std::string& folder, const BakeOptions& options,
                                           const RunContext& context);
  /// Touches nothing in the folder but the tile files that make() writes.
  [[nodiscard]] static Result<BakeJob> help(const Scatter& scatter, const TerrainSource& terrain,
                                            const std::string& folder, const BakeOptions& options,
                                            const RunContext& context);
  BakeJob(BakeJob&&) noexcept;
  BakeJob& operator=(BakeJob&&) noexcept;
  BakeJob(const BakeJob&) = delete;
  BakeJob& operator=(const BakeJob&) = delete;
  ~BakeJob();

  /// Tiles to make, in Morton order. Owner only.
  [[nodiscard]] std::span<const std::uint32_t> pending() const noexcept;
  /// Generates a tile and writes its file; the record is for commit(). Thread-safe for different `worker`
  /// numbers, each below worker_count(context). A tile is finished once begun: cancellation is for the caller
  /// to look at between tiles.
  [[nodiscard]] Result<std::vector<std::byte>> make(std::uint64_t tile, std::uint32_t worker);
  /// Appends a record to the journal. Refuses what make() of this bake did not write. A tile may be committed
  /// twice. Returns the instances of the tile. Thread-safe. Owner only.
  [[nodiscard]] Result<std::uint64_t> commit(std::span<const std::byte> record);
  /// Flushes, compacts the journal and writes the manifest. Precondition: every tile of pending() was
  /// committed. Owner only.
  [[nodiscard]] Result<BakeSummary> finish();

  struct Impl;  ///< defined inside the library

 private:
  explicit BakeJob(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strew
