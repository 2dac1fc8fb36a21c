// The end of a bake: its journal compacted, its manifest written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "journal.hpp"
#include "strew/world/bake.hpp"

namespace strew {

/// Where the record of a tile stands; without a journal: nowhere.
struct RecordPlace {
  const Journal* journal = nullptr;
  std::uint64_t position = 0;
};

/// Where the records of a grid's tiles stand, asked for one by one.
class RecordPlaces {
 public:
  using Find = std::function<RecordPlace(const TileIndex&)>;
  /// `find` may leave tiles out: those of other shards.
  RecordPlaces(const TileGrid& grid, Find find) : grid_(grid), find_(std::move(find)) {}

  /// Passes each place to `visit`, in order of y, then x, up to the first that it does not return ok for.
  template <class Visit>
  [[nodiscard]] Status for_each(const Visit& visit) const {
    for (TileIndex tile{grid_.x0, grid_.y0}; tile.y < grid_.y1; ++tile.y) {
      for (tile.x = grid_.x0; tile.x < grid_.x1; ++tile.x) {
        if (const RecordPlace place = find_(tile); place.journal != nullptr) {
          STREW_RETURN_IF_ERROR(visit(place));
        }
      }
    }
    return {};
  }

 private:
  TileGrid grid_;
  Find find_;
};

/// Brings the tiles to the disk, writes DIR/bake.journal with one record per place in order of y, then x, and
/// DIR/manifest.json. `manifest` is what plan_manifest() made; its hash and count are filled in, its tiles
/// are not. Adds the totals to `summary`. Memory does not depend on the number of tiles. May throw
/// std::bad_alloc.
[[nodiscard]] Status seal_bake(const std::string& folder, const RecordPlaces& places,
                               const RecordShape& shape, const JournalHead& head, Manifest& manifest,
                               BakeSummary& summary);
/// The totals alone, of a bake that is sealed already.
[[nodiscard]] Status sum_records(const RecordPlaces& places, const RecordShape& shape, Manifest& manifest,
                                 BakeSummary& summary);

}  // namespace strew
