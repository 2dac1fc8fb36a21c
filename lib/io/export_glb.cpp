// glTF 2.0: a file per tile in a folder, or one file of all.
#include <filesystem>
#include <mutex>

#include "glb_builder.hpp"

namespace strew::exporting {
namespace {

/// The middle of a tile, on the lattice of metres: what its instances are relative to.
Origin middle_of(const Rect& rect) noexcept {
  return {floor_div((rect.x0 / 2 + rect.x1 / 2), kUnitsPerMetre) * kUnitsPerMetre,
          floor_div((rect.y0 / 2 + rect.y1 / 2), kUnitsPerMetre) * kUnitsPerMetre};
}

/// A tile's instances relative to its middle.
Status load_tile(const Task& task, std::size_t index, std::vector<Placed>& placed) {
  return load_placed(task, index, middle_of(task.source.tiles()[index].rect), placed);
}

void add_tile(const Task& task, std::size_t index, const std::vector<Placed>& placed, GlbBuilder& builder) {
  const ExportTile& tile = task.source.tiles()[index];
  const Origin middle = middle_of(tile.rect);
  builder.add_group(std::to_string(tile.x) + "_" + std::to_string(tile.y),
                    to_metres(middle.x - task.origin.x), to_metres(middle.y - task.origin.y), 0, placed);
}

constexpr const char* kIndexName = "tiles.json";

std::string file_name(const ExportTile& tile) {
  return std::to_string(tile.x) + "_" + std::to_string(tile.y) + ".glb";
}

/// What files a folder holds, and where they stand: those of an earlier export may lie beside them.
Status write_index(const Task& task, const std::string& path, ExportSummary& summary) {
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(path));
  std::string text = "{\"origin_m\": [";
  append_number(text, summary.origin_x_m);
  text += ", ";
  append_number(text, summary.origin_y_m);
  text += "],\n\"instances\": " + std::to_string(summary.instances) + ",\n\"tiles\": [";
  STREW_RETURN_IF_ERROR(file.text(text));
  const char* between = "\n";
  for (const ExportTile& tile : task.source.tiles()) {
    text = between + std::string("{\"file\": \"") + file_name(tile) +
           "\", \"instances\": " + std::to_string(tile.instances) + ", \"bounds_m\": [";
    for (const Coord edge : {tile.rect.x0, tile.rect.y0, tile.rect.x1, tile.rect.y1}) {
      text += text.back() == '[' ? "" : ", ";
      append_number(text, to_metres(edge));
    }
    between = ",\n";
    STREW_RETURN_IF_ERROR(file.text(text + "]}"));
  }
  STREW_RETURN_IF_ERROR(file.text("\n]}\n"));
  return file.finish(summary);
}

Status write_glb(const GlbBuilder& builder, const std::string& path, ExportSummary& summary) {
  STREW_ASSIGN(const std::vector<std::byte> bytes, builder.finish());
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(path));
  STREW_RETURN_IF_ERROR(file.bytes(bytes));
  return file.finish(summary);
}

}  // namespace

Status export_glb(const Task& task, ExportSummary& summary) {
  const std::string& path = task.path;
  const bool instancing = task.options.instancing;
  if (path.ends_with(".glb")) {
    GlbBuilder builder(task.source.slots(), task.models, task.origin, instancing);
    STREW_RETURN_IF_ERROR(tiles_in_order<std::vector<Placed>>(
        task, [&](std::size_t i, std::vector<Placed>& placed) { return load_tile(task, i, placed); },
        [&](std::size_t i, const std::vector<Placed>& placed) -> Status {
          add_tile(task, i, placed, builder);
          summary.instances += placed.size();
          return {};
        }));
    return write_glb(builder, path, summary);
  }
  std::filesystem::create_directories(path);
  // What vouches for the files goes before they change, and comes back when they are complete.
  const std::string index = (std::filesystem::path(path) / kIndexName).string();
  std::filesystem::remove(index);
  STREW_RETURN_IF_ERROR(
      write_models(task.models, (std::filesystem::path(path) / kModelFolder).string(), summary));
  std::mutex mutex;
  STREW_RETURN_IF_ERROR(
      parallel_for(task.context, task.source.tiles().size(), [&](std::uint64_t i, std::uint32_t) -> Status {
        GlbBuilder builder(task.source.slots(), task.models, task.origin, instancing, kModelFolder);
        std::vector<Placed> placed;
        STREW_RETURN_IF_ERROR(load_tile(task, i, placed));
        add_tile(task, i, placed, builder);
        ExportSummary own;
        own.instances = placed.size();
        const ExportTile& tile = task.source.tiles()[i];
        STREW_RETURN_IF_ERROR(
            write_glb(builder, (std::filesystem::path(path) / file_name(tile)).string(), own));
        const std::lock_guard lock(mutex);
        summary.instances += own.instances;
        summary.bytes += own.bytes;
        summary.files += own.files;
        return {};
      }));
  return write_index(task, index, summary);
}

}  // namespace strew::exporting
