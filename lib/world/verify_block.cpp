#include "verify_block.hpp"

#include <cstdio>
#include <filesystem>

#include "atomic_write.hpp"
#include "number_text.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

/// Reads a tile's file. With `tallies` what is wrong is counted; what cannot be read comes back empty.
Status read_tile(const VerifyPlan& plan, const BakedTile& tile, DecodedTile& out, Tallies* tallies) {
  out = {};
  const std::string path = (std::filesystem::path(plan.folder) / tile.file).string();
  Result<std::vector<std::byte>> bytes = read_whole_file(path);
  if (!bytes.ok()) {
    if (bytes.status().code == StatusCode::kOutOfMemory) {
      return bytes.status();
    }
    if (tallies != nullptr) {
      tallies->violation(Check::kTileFiles, [&] { return bytes.status().text(); });
    }
    return {};
  }
  Result<DecodedTile> decoded = decode_tile(bytes.value(), path);
  if (!decoded.ok()) {
    if (decoded.status().code == StatusCode::kOutOfMemory) {
      return decoded.status();
    }
    if (tallies != nullptr) {
      tallies->violation(Check::kChecksum, [&] { return decoded.status().text(); });
    }
    return {};
  }
  bool listed = decoded.value().tile_x == tile.tile_x && decoded.value().tile_y == tile.tile_y &&
                decoded.value().slots.size() == plan.manifest.slots.size();
  for (std::size_t i = 0; listed && i < decoded.value().slots.size(); ++i) {
    listed = decoded.value().slots[i] == plan.manifest.slots[i].slot &&
             decoded.value().tables[i].lattice == plan.manifest.slots[i].lattice;
  }
  if (tallies != nullptr && (!listed || decoded.value().checksum != tile.checksum)) {
    tallies->violation(Check::kChecksum, [&] { return path + ": is not the tile that the manifest lists"; });
  }
  for (std::size_t i = 0; listed && i < decoded.value().slots.size(); ++i) {
    const InstanceTable& table = decoded.value().tables[i];
    if (table.size() != 0 && table.exact() != plan.manifest.exact_columns) {
      if (tallies != nullptr) {
        tallies->violation(Check::kChecksum, [&] {
          return path + (table.exact() ? ": has exact columns of " : ": lacks the exact columns of ") +
                 plan.manifest.slots[i].name + ", unlike its manifest";
        });
      }
      listed = false;
    }
  }
  if (listed) {
    out = std::move(decoded).value();
  }
  return {};
}

void check_table(const VerifyPlan& plan, const BakedTile& tile, std::size_t slot, const InstanceTable& table,
                 const Rect& bounds, Tallies& tallies) {
  const BakedSlot& baked = plan.manifest.slots[slot];
  const auto describe = [&](std::size_t row) {
    return describe_instance(plan, slot, table.x[row] * table.lattice.pitch,
                             table.y[row] * table.lattice.pitch) +
           ", row " + std::to_string(row) + " of " + tile.file;
  };
  for (const Check check : {Check::kColumnOrder, Check::kTileBounds, Check::kSpecies}) {
    tallies.examined(check, table.size());
  }
  tallies.examined(Check::kCounts, 1);
  if (table.size() != tile.counts[slot]) {
    tallies.violation(Check::kCounts, [&] {
      return tile.file + ": holds " + std::to_string(table.size()) + " of " + baked.name +
             ", the manifest says " + std::to_string(tile.counts[slot]);
    });
  }
  // One violation per table: after the first row out of place, "in order" has no meaning for the rest.
  if (std::size_t row = 0; !rows_in_order(table, row)) {
    tallies.violation(Check::kColumnOrder, [&] { return describe(row); });
  }
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (!bounds.contains(table.x[row] * table.lattice.pitch, table.y[row] * table.lattice.pitch)) {
      tallies.violation(Check::kTileBounds, [&] { return describe(row); });
    }
    if (table.species[row] >= baked.species.size()) {
      tallies.violation(Check::kSpecies, [&] {
        return describe(row) + ": species " + std::to_string(table.species[row]) + " of " +
               std::to_string(baked.species.size());
      });
    }
  }
}

void append_points(const InstanceTable& table, const Rect& bounds, std::uint64_t first_rank, bool own,
                   SlotPoints& points) {
  for (std::size_t row = 0; row < table.size(); ++row) {
    const Coord x = table.x[row] * table.lattice.pitch;
    const Coord y = table.y[row] * table.lattice.pitch;
    if (bounds.contains(x, y)) {
      points.x.push_back(x);
      points.y.push_back(y);
      points.rank.push_back(first_rank + row);
      if (own) {
        points.z_m.push_back(table.z_m(row));
        points.species.push_back(table.species[row]);
      }
    }
  }
  if (own) {
    points.own = points.x.size();
  }
}

Rect rect_of(const TileGrid& tiles) {
  return {tiles.x0 * tiles.side, tiles.y0 * tiles.side, tiles.x1 * tiles.side, tiles.y1 * tiles.side};
}

Status load_tile_of_block(const VerifyPlan& plan, const TileIndex& at, bool own, VerifyBlock& block,
                          Tallies& tallies, SetHash& hash) {
  const BakedTile* tile = plan.find(at);
  if (tile == nullptr) {
    return {};
  }
  if (own) {
    tallies.examined(Check::kTileFiles, 1);
    tallies.examined(Check::kChecksum, 1);
  }
  DecodedTile decoded;
  STREW_RETURN_IF_ERROR(read_tile(plan, *tile, decoded, own ? &tallies : nullptr));
  const auto ordinal = static_cast<std::uint64_t>(tile - plan.manifest.tiles.data());
  Rect bounds = intersection(plan.grid.rect(at), plan.manifest.region);
  for (std::size_t slot = 0; slot < decoded.tables.size(); ++slot) {
    if (own) {
      check_table(plan, *tile, slot, decoded.tables[slot], bounds, tallies);
      hash.merge(hash_instances(plan.manifest.slots[slot].slot, decoded.tables[slot]));
    } else {
      bounds = intersection(bounds, expanded(rect_of(block.tiles), plan.halo));
    }
    append_points(decoded.tables[slot], bounds, ordinal << 32, own, block.slots[slot]);
  }
  return {};
}

}  // namespace

Status load_block(const VerifyPlan& plan, std::uint64_t index, VerifyBlock& block, Tallies& tallies,
                  SetHash& hash) {
  block.tiles = plan.block(index);
  block.slots.assign(plan.manifest.slots.size(), {});
  const TileGrid& tiles = block.tiles;
  for (std::int64_t y = tiles.y0; y < tiles.y1; ++y) {
    for (std::int64_t x = tiles.x0; x < tiles.x1; ++x) {
      STREW_RETURN_IF_ERROR(load_tile_of_block(plan, {x, y}, true, block, tallies, hash));
    }
  }
  const std::int64_t around = ceil_div(plan.halo, tiles.side);
  for (std::int64_t y = tiles.y0 - around; y < tiles.y1 + around; ++y) {
    for (std::int64_t x = tiles.x0 - around; x < tiles.x1 + around; ++x) {
      if (!tiles.contains({x, y})) {
        STREW_RETURN_IF_ERROR(load_tile_of_block(plan, {x, y}, false, block, tallies, hash));
      }
    }
  }
  return {};
}

std::string describe_instance(const VerifyPlan& plan, std::size_t slot, Coord x, Coord y) {
  const BakedSlot& baked = plan.manifest.slots[slot];
  const Lattice& lattice = baked.lattice;
  const std::uint64_t id =
      instance_id(baked.slot, lattice, floor_div(x, lattice.pitch), floor_div(y, lattice.pitch));
  char text[24];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(id));
  return baked.name + " " + text + " at (" + number_text(to_metres(x)) + ", " + number_text(to_metres(y)) +
         ") m in tile " + std::to_string(floor_div(x, plan.grid.side)) + "_" +
         std::to_string(floor_div(y, plan.grid.side));
}

}  // namespace strew
