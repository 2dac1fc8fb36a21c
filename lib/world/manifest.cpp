// Reading a finished bake: the manifest, and single tiles checked against it.
#include "manifest.hpp"

#include <array>
#include <charconv>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>

#include "atomic_write.hpp"
#include "tile_grid.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

std::string in_folder(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / name).string();
}

Status matches(const DecodedTile& decoded, const Manifest& manifest, const BakedTile& tile,
               const std::string& where) {
  if (decoded.checksum != tile.checksum || decoded.tile_x != tile.tile_x || decoded.tile_y != tile.tile_y ||
      decoded.slots.size() != manifest.slots.size() || tile.counts.size() != manifest.slots.size()) {
    return make_error(StatusCode::kCorrupt, "is not the tile that the manifest lists; bake again", where);
  }
  for (std::size_t i = 0; i < decoded.slots.size(); ++i) {
    const BakedSlot& slot = manifest.slots[i];
    const InstanceTable& table = decoded.tables[i];
    if (decoded.slots[i] != slot.slot || table.lattice != slot.lattice || table.size() != tile.counts[i]) {
      return make_error(StatusCode::kCorrupt, "disagrees with the manifest about " + slot.name, where);
    }
    if (table.size() != 0 && table.exact() != manifest.exact_columns) {
      return make_error(
          StatusCode::kCorrupt,
          std::string(table.exact() ? "has" : "lacks") + " exact columns, unlike its manifest; bake again",
          where);
    }
    for (const std::uint16_t species : table.species) {
      if (species >= slot.species.size()) {
        return make_error(StatusCode::kCorrupt,
                          "names a species of " + slot.name + " that the manifest lacks", where);
      }
    }
    if (std::size_t row = 0; !rows_in_order(table, row)) {
      return make_error(StatusCode::kCorrupt,
                        "has row " + std::to_string(row) + " of " + slot.name + " out of order", where);
    }
  }
  return {};
}

}  // namespace

Status check_manifest_version(const std::string& path) {
  std::array<char, 256> front{};
  std::ifstream file(path, std::ios::binary);
  file.read(front.data(), front.size() - 1);
  const std::string_view text(front.data());
  constexpr std::string_view kKey = "\"format_version\": ";
  const std::size_t at = text.find(kKey);
  std::uint32_t version = 0;
  if (text.find(kManifestFormat) == std::string_view::npos || at == std::string_view::npos ||
      std::from_chars(text.data() + at + kKey.size(), text.data() + text.size(), version).ec != std::errc()) {
    return make_error(StatusCode::kCorrupt, "is no manifest of a bake; --force bakes from the start", path);
  }
  if (version > kManifestVersion) {
    return make_error(StatusCode::kUnsupported,
                      "has format version " + std::to_string(version) + "; this strew reads up to " +
                          std::to_string(kManifestVersion) + ", use a newer one, or bake anew with --force",
                      path);
  }
  return {};
}

Result<bool> manifest_begins_with(const std::string& path, const Manifest& manifest) {
  STREW_ASSIGN(const std::string head, manifest_head(manifest));
  std::string found(head.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  return file.good() && found == head;
}

Result<Manifest> load_manifest(const std::string& folder) {
  try {
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) {
      return make_error(StatusCode::kNotFound, "there is no such folder", folder);
    }
    if (!std::filesystem::is_directory(folder, error)) {
      return invalid_argument("is no folder; give the folder that was baked into", folder);
    }
    const std::string path = in_folder(folder, kManifestName);
    if (!std::filesystem::exists(path, error)) {
      return make_error(StatusCode::kNotFound,
                        "is not a finished bake: it has no manifest.json; run the bake again to finish it",
                        folder);
    }
    STREW_ASSIGN(const std::vector<std::byte> bytes, read_whole_file(path));
    return parse_manifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  } catch (const std::exception& error) {
    return make_error(StatusCode::kIo, error.what(), folder);
  }
}

Result<std::vector<InstanceTable>> load_tile(const std::string& folder, const Manifest& manifest,
                                             const BakedTile& tile) {
  try {
    const std::string path = in_folder(folder, tile.file);
    const Result<std::vector<std::byte>> bytes = read_whole_file(path);
    if (!bytes.ok()) {
      // The caller named the folder, not this file: a bake without it is damaged.
      return bytes.status().code == StatusCode::kNotFound
                 ? make_error(StatusCode::kCorrupt, "is missing, though the manifest lists it; bake again",
                              path)
                 : bytes.status();
    }
    STREW_ASSIGN(DecodedTile decoded, decode_tile(bytes.value(), path));
    STREW_RETURN_IF_ERROR(matches(decoded, manifest, tile, path));
    return std::move(decoded.tables);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory to read the tile", tile.file);
  } catch (const std::exception& error) {
    return make_error(StatusCode::kIo, error.what(), tile.file);
  }
}

}  // namespace strew
