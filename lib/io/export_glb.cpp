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
    GlbBuilder builder(task.source.slots(), task.models, instancing);
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
  STREW_RETURN_IF_ERROR(
      write_models(task.models, (std::filesystem::path(path) / kModelFolder).string(), summary));
  std::mutex mutex;
  return parallel_for(
      task.context, task.source.tiles().size(), [&](std::uint64_t i, std::uint32_t) -> Status {
        GlbBuilder builder(task.source.slots(), task.models, instancing, kModelFolder);
        std::vector<Placed> placed;
        STREW_RETURN_IF_ERROR(load_tile(task, i, placed));
        add_tile(task, i, placed, builder);
        ExportSummary own;
        own.instances = placed.size();
        const ExportTile& tile = task.source.tiles()[i];
        const std::string name = std::to_string(tile.x) + "_" + std::to_string(tile.y) + ".glb";
        STREW_RETURN_IF_ERROR(write_glb(builder, (std::filesystem::path(path) / name).string(), own));
        const std::lock_guard lock(mutex);
        summary.instances += own.instances;
        summary.bytes += own.bytes;
        summary.files += own.files;
        return {};
      });
}

}  // namespace strew::exporting
