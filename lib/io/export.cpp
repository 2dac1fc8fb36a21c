#include "strew/io/export.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "export_parts.hpp"

namespace strew {
namespace {

constexpr std::array<std::pair<std::string_view, ExportFormat>, 7> kFormats = {
    {{"glb", ExportFormat::kGlb},
     {"3dtiles", ExportFormat::kTileset},
     {"usda", ExportFormat::kUsda},
     {"usd", ExportFormat::kUsda},
     {"csv", ExportFormat::kCsv},
     {"ply", ExportFormat::kPly},
     {"npy", ExportFormat::kNpy}}};
constexpr std::array<std::pair<std::string_view, AxisPreset>, 6> kPresets = {
    {{"strew", AxisPreset::kStrew},
     {"unreal", AxisPreset::kUnreal},
     {"unity", AxisPreset::kUnity},
     {"godot", AxisPreset::kGodot},
     {"o3de", AxisPreset::kO3de},
     {"blender", AxisPreset::kBlender}}};

template <class Table>
auto look_up(const Table& table, std::string_view name, const char* where)
    -> Result<decltype(table.front().second)> {
  std::string known;
  for (const auto& [key, value] : table) {
    if (key == name) {
      return value;
    }
    known += (known.empty() ? "" : ", ") + std::string(key);
  }
  return invalid_argument("\"" + std::string(name) + "\" is not one of " + known, where);
}

bool is_table(ExportFormat format) noexcept {
  return format == ExportFormat::kCsv || format == ExportFormat::kPly || format == ExportFormat::kNpy;
}

Status check_options(const ExportSource& source, const std::string& path, const ExportOptions& options) {
  if (path.empty()) {
    return invalid_argument("is empty; give a file or a folder to write", "output");
  }
  if (options.axes != AxisPreset::kStrew && !is_table(options.format)) {
    return invalid_argument(
        "apply to csv, ply and npy; glTF, 3D Tiles and USD state their own axes and unit, which every reader "
        "converts",
        "axes");
  }
  if (!options.crs.empty() && options.format != ExportFormat::kTileset) {
    return invalid_argument("applies to 3dtiles alone, the one format that is placed on the globe", "crs");
  }
  if (!options.instancing && options.format != ExportFormat::kGlb) {
    return invalid_argument("applies to glb alone", "no-instancing");
  }
  for (const ExportSlot& slot : source.slots()) {
    if (!(slot.size_m > 0) || slot.species.empty()) {
      return invalid_argument("has no species, or a size of 0", "slot " + slot.name);
    }
  }
  return {};
}

/// The middle of the tiles, on whole metres, for what is stored in floats.
Result<exporting::Origin> origin_of(const ExportSource& source, const ExportOptions& options) {
  exporting::Origin origin;
  if (!source.tiles().empty() && !is_table(options.format)) {
    Rect all = source.tiles().front().rect;
    for (const ExportTile& tile : source.tiles()) {
      all = {std::min(all.x0, tile.rect.x0), std::min(all.y0, tile.rect.y0), std::max(all.x1, tile.rect.x1),
             std::max(all.y1, tile.rect.y1)};
    }
    origin.x = floor_div(all.x0 / 2 + all.x1 / 2, kUnitsPerMetre) * kUnitsPerMetre;
    origin.y = floor_div(all.y0 / 2 + all.y1 / 2, kUnitsPerMetre) * kUnitsPerMetre;
  }
  if (options.origin_x_m) {
    STREW_ASSIGN(origin.x, to_coord(*options.origin_x_m, "origin"));
  }
  if (options.origin_y_m) {
    STREW_ASSIGN(origin.y, to_coord(*options.origin_y_m, "origin"));
  }
  return origin;
}

Result<ExportSummary> run_export(const ExportSource& source, const std::string& path,
                                 const ExportOptions& options, const RunContext& context) {
  STREW_RETURN_IF_ERROR(check_options(source, path, options));
  STREW_ASSIGN(const exporting::Origin origin, origin_of(source, options));
  // Tables have no meshes, and need not find them.
  exporting::Models models;
  if (!is_table(options.format)) {
    STREW_ASSIGN(models, exporting::Models::load(source.slots()));
  }
  ExportSummary summary;
  summary.origin_x_m = to_metres(origin.x);
  summary.origin_y_m = to_metres(origin.y);
  const auto write = [&] {
    switch (options.format) {
      case ExportFormat::kGlb:
        return exporting::export_glb;
      case ExportFormat::kTileset:
        return exporting::export_tileset;
      case ExportFormat::kUsda:
        return exporting::export_usda;
      case ExportFormat::kCsv:
        return exporting::export_csv;
      case ExportFormat::kPly:
        return exporting::export_ply;
      case ExportFormat::kNpy:
        break;
    }
    return exporting::export_npy;
  }();
  Status written = write({source, path, options, origin, context, models}, summary);
  if (written.code == StatusCode::kCancelled) {
    // Wherever it was noticed.
    const bool folder = options.format == ExportFormat::kTileset ||
                        (options.format == ExportFormat::kGlb && !path.ends_with(".glb"));
    return make_error(StatusCode::kCancelled,
                      folder ? "the export was stopped; the folder is not complete, and lists no files"
                             : "the export was stopped; nothing was written under its name",
                      path);
  }
  STREW_RETURN_IF_ERROR(std::move(written));
  return summary;
}

}  // namespace

Status ExportSource::transforms(std::size_t, std::span<const InstanceTable>,
                                std::vector<std::vector<InstanceTransform>>& out) const {
  out.clear();
  return {};
}

Result<ExportFormat> parse_export_format(std::string_view name) {
  return look_up(kFormats, name, "format");
}

Result<AxisPreset> parse_axis_preset(std::string_view name) {
  return look_up(kPresets, name, "axes");
}

Result<ExportSummary> export_bake(const ExportSource& source, const std::string& path,
                                  const ExportOptions& options, const RunContext& context) {
  try {
    return run_export(source, path, options, context);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory,
                      "not enough memory for this export; use smaller tiles or fewer threads", path);
  } catch (const std::filesystem::filesystem_error& error) {
    return make_error(StatusCode::kIo, "cannot be made: " + error.code().message(), path);
  } catch (const std::exception& error) {
    return make_error(StatusCode::kInternal, error.what(), path);
  }
}

}  // namespace strew
