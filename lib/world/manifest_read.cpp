#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>

#include "manifest.hpp"
#include "tile_grid.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 53;

/// What is wrong and where; caught at the border of this file.
struct FieldError {
  std::string where;
  std::string message;
};

/// A value and its path in the document.
class Field {
 public:
  Field(const Json& value, std::string path) : value_(value), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& message) const { throw FieldError{path_, message}; }

  [[nodiscard]] Field at(const char* key) const {
    const std::string path = path_.empty() ? key : path_ + "." + key;
    if (!value_.is_object()) {
      fail("is no object");
    }
    const auto found = value_.find(key);
    if (found == value_.end()) {
      throw FieldError{path, "is missing"};
    }
    return {*found, path};
  }
  [[nodiscard]] bool has(const char* key) const { return value_.is_object() && value_.contains(key); }
  [[nodiscard]] std::size_t size() const {
    if (!value_.is_array()) {
      fail("is no array");
    }
    return value_.size();
  }
  [[nodiscard]] Field operator[](std::size_t i) const {
    return {value_[i], path_ + "[" + std::to_string(i) + "]"};
  }
  [[nodiscard]] const std::string& text() const {
    if (!value_.is_string()) {
      fail("is no string");
    }
    return value_.get_ref<const std::string&>();
  }
  [[nodiscard]] bool boolean() const {
    if (!value_.is_boolean()) {
      fail("is neither true nor false");
    }
    return value_.get<bool>();
  }
  [[nodiscard]] double real(double minimum) const {
    if (!value_.is_number() || !std::isfinite(value_.get<double>()) || value_.get<double>() < minimum) {
      fail("is no number from " + std::to_string(minimum) + " on");
    }
    return value_.get<double>();
  }
  [[nodiscard]] std::uint64_t number(std::uint64_t maximum = kMaxNumber) const {
    if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() > maximum) {
      fail("is no whole number up to " + std::to_string(maximum));
    }
    return value_.get<std::uint64_t>();
  }
  [[nodiscard]] std::int64_t tile_number() const {
    constexpr std::int64_t kLimit = std::int64_t{1} << 31;
    if (!value_.is_number_integer() || value_.get<std::int64_t>() < -kLimit ||
        value_.get<std::int64_t>() > kLimit) {
      fail("is no tile number");
    }
    return value_.get<std::int64_t>();
  }
  template <class Integer>
  [[nodiscard]] Integer from_text(int base, Integer minimum, Integer maximum) const {
    Integer result{};
    const std::string& digits = text();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result, base);
    if (error != std::errc{} || end != digits.data() + digits.size() || result < minimum ||
        result > maximum || (base == 16 && digits.size() != 16)) {
      fail(base == 16 ? "is no hash of 16 hexadecimal digits"
                      : "is no decimal integer in a string, from " + std::to_string(minimum) + " to " +
                            std::to_string(maximum));
    }
    return result;
  }
  [[nodiscard]] std::uint64_t hash() const {
    return from_text<std::uint64_t>(16, 0, std::numeric_limits<std::uint64_t>::max());
  }
  [[nodiscard]] Coord decimal(Coord minimum, Coord maximum) const {
    return from_text<Coord>(10, minimum, maximum);
  }

 private:
  const Json& value_;
  std::string path_;
};

Rect read_rect(const Field& field) {
  if (field.size() != 4) {
    field.fail("is no rectangle [x0, y0, x1, y1]");
  }
  Rect rect;
  Coord* const edges[4] = {&rect.x0, &rect.y0, &rect.x1, &rect.y1};
  for (std::size_t i = 0; i < 4; ++i) {
    *edges[i] = field[i].decimal(-kCoordLimit, kCoordLimit);
  }
  if (rect.empty()) {
    field.fail("is an empty rectangle");
  }
  return rect;
}

Range read_range(const Field& field) {
  constexpr double kLowest = std::numeric_limits<double>::lowest();
  if (field.size() != 2) {
    field.fail("is no range [minimum, maximum]");
  }
  const Range range{field[0].real(kLowest), field[1].real(kLowest)};
  if (range.minimum > range.maximum) {
    field.fail("is an empty range");
  }
  return range;
}

BakedSlot read_slot(const Field& field) {
  BakedSlot slot;
  slot.slot = static_cast<std::uint32_t>(field.at("slot").number(kMaxSlots - 1));
  slot.name = field.at("name").text();
  slot.lattice.pitch = field.at("pitch").decimal(1, kCoordLimit);
  slot.lattice.identity_step = field.at("identity_step").decimal(1, std::numeric_limits<Coord>::max());
  slot.minimum_distance_m = field.at("minimum_distance_m").real(0);
  slot.maximal = field.at("maximal").boolean();
  const Field species = field.at("species");
  for (std::size_t i = 0; i < species.size(); ++i) {
    SpeciesSpec& one = slot.species.emplace_back();
    one.name = species[i].at("name").text();
    one.weight = species[i].at("weight").real(0);
    one.scale = read_range(species[i].at("scale"));
    one.yaw_degrees = read_range(species[i].at("yaw_degrees"));
    if (species[i].has("mesh")) {
      one.mesh = species[i].at("mesh").text();
    }
  }
  const Field spacing = field.at("spacing");
  for (std::size_t i = 0; i < spacing.size(); ++i) {
    slot.spacing_m.emplace_back(spacing[i].at("layer").text(), spacing[i].at("metres").real(0));
  }
  return slot;
}

BakedTile read_tile(const Field& field, std::size_t slots, const TileGrid& grid) {
  BakedTile tile;
  tile.tile_x = field.at("x").tile_number();
  tile.tile_y = field.at("y").tile_number();
  if (!grid.contains({tile.tile_x, tile.tile_y})) {
    field.fail("is a tile beyond the region");
  }
  tile.file = field.at("file").text();
  // Nothing else is accepted, so that a manifest never leads out of its folder.
  if (const std::string expected = tile_file_name({tile.tile_x, tile.tile_y}); tile.file != expected) {
    field.at("file").fail("is not \"" + expected + "\"");
  }
  tile.bytes = field.at("bytes").number();
  tile.checksum = field.at("checksum").hash();
  const Field counts = field.at("counts");
  if (counts.size() != slots) {
    counts.fail("has " + std::to_string(counts.size()) + " entries for " + std::to_string(slots) + " slots");
  }
  for (std::size_t i = 0; i < slots; ++i) {
    tile.counts.push_back(counts[i].number());
  }
  return tile;
}

void read_slots(const Field& field, Manifest& manifest) {
  for (std::size_t i = 0; i < field.size(); ++i) {
    BakedSlot slot = read_slot(field[i]);
    for (const BakedSlot& other : manifest.slots) {
      if (other.slot == slot.slot || other.name == slot.name) {
        field[i].fail("repeats the number or the name of an earlier slot");
      }
    }
    manifest.slots.push_back(std::move(slot));
  }
}

void read_tiles(const Field& field, Manifest& manifest) {
  const TileGrid grid = TileGrid::over(manifest.region, manifest.tile_size);
  manifest.tiles.reserve(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) {
    BakedTile tile = read_tile(field[i], manifest.slots.size(), grid);
    if (!manifest.tiles.empty()) {
      const BakedTile& before = manifest.tiles.back();
      if (tile.tile_y < before.tile_y || (tile.tile_y == before.tile_y && tile.tile_x <= before.tile_x)) {
        field[i].fail("is not in order of y, then x");
      }
    }
    manifest.tiles.push_back(std::move(tile));
  }
}

Manifest read_manifest(const Json& document) {
  const Field root(document, "");
  Manifest manifest;
  manifest.output_version =
      static_cast<std::uint32_t>(root.at("output_version").number(std::numeric_limits<std::uint32_t>::max()));
  manifest.config_hash = root.at("config_hash").text();
  manifest.seed = root.at("seed").from_text<std::uint64_t>(10, 0, std::numeric_limits<std::uint64_t>::max());
  manifest.extent = read_rect(root.at("extent"));
  manifest.region = read_rect(root.at("region"));
  manifest.tile_size = root.at("tile_size").decimal(kUnitsPerMetre, 1000000 * kUnitsPerMetre);
  if (root.has("columns")) {
    if (const std::string& columns = root.at("columns").text(); columns != "exact") {
      root.at("columns").fail("is \"" + columns + "\"; expected \"exact\", or no such key");
    }
    manifest.exact_columns = true;
  }
  if (document.contains("shard")) {
    constexpr std::uint64_t kMaxShards = 65536;
    const Field shard = root.at("shard");
    if (shard.size() != 2) {
      shard.fail("is no pair [index, number of shards]");
    }
    manifest.shards = static_cast<std::uint32_t>(shard[1].number(kMaxShards));
    manifest.shard = static_cast<std::uint32_t>(shard[0].number(kMaxShards));
    if (manifest.shard >= manifest.shards) {
      shard.fail("is an index beyond the number of shards");
    }
  }
  manifest.world_hash = root.at("world_hash").hash();
  manifest.instances = root.at("instances").number();
  manifest.world_json = root.at("world_json").text();
  manifest.terrain_json = root.at("terrain_json").text();
  read_slots(root.at("slots"), manifest);
  read_tiles(root.at("tiles"), manifest);
  return manifest;
}

/// A manifest is written by strew and read back: whatever is wrong with it happened to the file.
constexpr std::string_view kRemedy =
    "; the file was changed or damaged: bake again into the folder, or copy it anew";

std::string place_in(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position > 0 ? position - 1 : 0, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

Json parse_text(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw FieldError{place_in(text, error.byte), error.byte > text.size()
                                                     ? "the text ends before the JSON does"
                                                     : "is no JSON from here on"};
  } catch (const Json::exception&) {
    throw FieldError{"", "holds a number that no double can hold"};
  }
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view text, const std::string& name) {
  try {
    const Json document = parse_text(text);
    const Field root(document, "");
    if (root.at("format").text() != kManifestFormat) {
      root.at("format").fail("is not \"" + std::string(kManifestFormat) +
                             "\": this is no manifest of a bake");
    }
    const std::uint64_t version = root.at("format_version").number();
    if (version > kManifestVersion) {
      return make_error(StatusCode::kUnsupported,
                        "is " + std::to_string(version) + "; this strew reads up to " +
                            std::to_string(kManifestVersion) + ", use a newer one",
                        name + ": format_version");
    }
    Manifest manifest = read_manifest(document);
    manifest.format_version = static_cast<std::uint32_t>(version);
    return manifest;
  } catch (const FieldError& error) {
    return make_error(StatusCode::kCorrupt, error.message + std::string(kRemedy),
                      error.where.empty() ? name : name + ": " + error.where);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory to read the manifest", name);
  } catch (const std::exception& error) {
    return make_error(StatusCode::kInternal, std::string("reading the manifest failed: ") + error.what(),
                      name);
  }
}

}  // namespace strew
