// The end of a bake: its journal compacted, its manifest written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "journal.hpp"
#include "strew/world/bake.hpp"

namespace strew {

/// Where the record of a tile stands.
struct RecordPlace {
  TileIndex tile;
  std::uint64_t position = 0;
  const Journal* journal = nullptr;
};

/// Brings the tiles to the disk, writes DIR/bake.journal with one record per place in order of y, then x, and
/// DIR/manifest.json. `manifest` is what plan_manifest() made; its hash and count are filled in, its tiles
/// are not. Adds the totals to `summary`. Memory does not depend on the number of tiles. May throw
/// std::bad_alloc.
[[nodiscard]] Status seal_bake(const std::string& folder, std::vector<RecordPlace> places,
                               const RecordShape& shape, const JournalHead& head, Manifest& manifest,
                               BakeSummary& summary);
/// The totals alone, of a bake that is sealed already.
[[nodiscard]] Status sum_records(const std::vector<RecordPlace>& places, const RecordShape& shape,
                                 Manifest& manifest, BakeSummary& summary);

}  // namespace strew
