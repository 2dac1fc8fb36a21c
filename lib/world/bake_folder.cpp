#include "bake_folder.hpp"

#include <exception>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "atomic_write.hpp"
#include "journal.hpp"
#include "manifest.hpp"
#include "tile_grid.hpp"

namespace strew {
namespace {

namespace fs = std::filesystem;

std::string_view without_suffix(std::string_view name, std::string_view suffix) {
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name;
}

/// An optional minus and digits from the front of `text`, which is shortened by them.
bool take_number(std::string_view& text) noexcept {
  if (text.starts_with('-')) {
    text.remove_prefix(1);
  }
  const std::size_t digits = text.find_first_not_of("0123456789");
  const std::size_t count = digits == std::string_view::npos ? text.size() : digits;
  text.remove_prefix(count);
  return count > 0;
}

Status check_entries(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool ours = (name == kTileFolder && entry.is_directory()) ||
                      name == std::string(kManifestName) + kTemporarySuffix || name == kWriteProbeName ||
                      without_suffix(name, kTemporarySuffix) == kJournalName;
    if (!ours) {
      return invalid_argument(
          "holds " + name + ", which is not part of a bake; give an empty or a new folder", folder.string());
    }
  }
  if (fs::is_directory(folder / kTileFolder)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / kTileFolder)) {
      if (const std::string name = entry.path().filename().string(); !is_tile_name(name)) {
        return invalid_argument(
            "holds " + name + ", which is not part of a bake; give an empty or a new folder",
            (folder / kTileFolder).string());
      }
    }
  }
  return {};
}

Status remove_manifest(const fs::path& manifest, bool force) {
  if (!force) {
    return invalid_argument(
        "holds a finished bake without its journal, so nothing of it can be taken up; give another folder, "
        "or replace it with --force",
        manifest.parent_path().string());
  }
  {
    std::ifstream text(manifest, std::ios::binary);
    if (!text) {
      return make_error(StatusCode::kIo, "cannot be opened", manifest.string());
    }
    if (!is_manifest(text)) {
      return invalid_argument(
          "was not written by a bake, and is not replaced; give another folder, or remove it",
          manifest.string());
    }
  }
  fs::remove(manifest);
  return flush_folder(manifest.parent_path().string());
}

void remove_tiles(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    return;
  }
  // In batches, so that a folder of a million tiles is no list of a million paths. Files are not removed
  // while the folder is read: whether the reading goes on rightly differs between systems.
  constexpr std::size_t kBatch = 1024;
  std::vector<std::string> stale;
  bool removed = true;
  while (removed) {
    removed = false;
    stale.clear();
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (std::string name = entry.path().filename().string(); is_tile_name(name)) {
        stale.push_back(std::move(name));
        if (stale.size() == kBatch) {
          break;
        }
      }
    }
    for (const std::string& name : stale) {
      removed = fs::remove(folder / name) || removed;
    }
  }
}

}  // namespace

bool is_tile_name(std::string_view name) noexcept {
  name = without_suffix(name, kTemporarySuffix);
  if (!name.ends_with(kTileSuffix)) {
    return false;
  }
  name = without_suffix(name, kTileSuffix);
  if (!take_number(name) || !name.starts_with('_')) {
    return false;
  }
  name.remove_prefix(1);
  return take_number(name) && name.empty();
}

Status prepare_bake_folder(const std::string& folder, bool force) {
  if (folder.empty()) {
    return invalid_argument("is empty; name the folder to bake into", "folder");
  }
  try {
    const fs::path path(folder);
    if (fs::exists(path) && !fs::is_directory(path)) {
      return invalid_argument("is a file; give a folder to bake into", folder);
    }
    fs::create_directories(path);
    if (fs::exists(path / kManifestName)) {
      STREW_RETURN_IF_ERROR(remove_manifest(path / kManifestName, force));
    } else {
      STREW_RETURN_IF_ERROR(check_entries(path));
    }
    // The journal vouches for tiles, so it goes before them.
    fs::remove(path / kJournalName);
    remove_tiles(path / kTileFolder);
    fs::create_directories(path / kTileFolder);
    return {};
  } catch (const fs::filesystem_error& error) {
    return make_error(StatusCode::kIo, "cannot be made ready for a bake: " + error.code().message(), folder);
  } catch (const std::exception& error) {
    return make_error(StatusCode::kIo, std::string("cannot be made ready for a bake: ") + error.what(),
                      folder);
  }
}

}  // namespace strew
