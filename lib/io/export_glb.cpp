// glTF 2.0: a file per tile in a folder, or one file of all.
#include <filesystem>
#include <mutex>

#include "glb_builder.hpp"
#include "parallel.hpp"

namespace strew::exporting {
namespace {

/// The middle of a tile, on the lattice of metres: what its instances are relative to.
Origin middle_of(const Rect& rect) noexcept {
  return {floor_div((rect.x0 / 2 + rect.x1 / 2), kUnitsPerMetre) * kUnitsPerMetre,
          floor_div((rect.y0 / 2 + rect.y1 / 2), kUnitsPerMetre) * kUnitsPerMetre};
}

Status add_tile(const ExportSource& source, std::size_t index, const Origin& origin, GlbBuilder& builder,
                std::uint64_t& instances) {
  const ExportTile& tile = source.tiles()[index];
  STREW_ASSIGN(const std::vector<InstanceTable> tables, source.load(index));
  const Origin middle = middle_of(tile.rect);
  std::vector<Placed> placed;
  place(source.slots(), tables, middle, placed);
  builder.add_group(std::to_string(tile.x) + "_" + std::to_string(tile.y), to_metres(middle.x - origin.x),
                    to_metres(middle.y - origin.y), 0, placed);
  instances += placed.size();
  return {};
}

Status write_glb(const GlbBuilder& builder, const std::string& path, ExportSummary& summary) {
  STREW_ASSIGN(const std::vector<std::byte> bytes, builder.finish());
  PieceFile file;
  STREW_RETURN_IF_ERROR(file.create(path));
  STREW_RETURN_IF_ERROR(file.bytes(bytes));
  return file.finish(summary);
}

}  // namespace

Status export_glb(const ExportSource& source, const std::string& path, const ExportOptions& options,
                  const Origin& origin, const RunContext& context, ExportSummary& summary) {
  const std::size_t count = source.tiles().size();
  if (path.ends_with(".glb")) {
    GlbBuilder builder(source.slots(), options.instancing);
    for (std::size_t i = 0; i < count; ++i) {
      STREW_RETURN_IF_ERROR(add_tile(source, i, origin, builder, summary.instances));
    }
    return write_glb(builder, path, summary);
  }
  std::filesystem::create_directories(path);
  std::mutex mutex;
  return parallel_for(context, count, [&](std::uint64_t i, std::uint32_t) -> Status {
    GlbBuilder builder(source.slots(), options.instancing);
    ExportSummary own;
    STREW_RETURN_IF_ERROR(add_tile(source, i, origin, builder, own.instances));
    const ExportTile& tile = source.tiles()[i];
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
