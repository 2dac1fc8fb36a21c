// A bake in the files of others: glTF, 3D Tiles, USD, CSV, PLY, NumPy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strew/context.hpp"
#include "strew/scatter.hpp"

namespace strew {

/// One table of a bake, as its manifest describes it.
struct ExportSlot {
  std::uint32_t slot = 0;  ///< number in instance ids
  std::string name;        ///< "canopy", "canopy/mushrooms"
  Lattice lattice;
  /// With a mesh: that file is shown by glb, 3dtiles and usda. Their transforms decide which columns csv, ply
  /// and npy have.
  std::vector<SpeciesSpec> species;
  double size_m = 1;  ///< width of a stand-in mesh at scale 1, above 0
};
struct ExportTile {
  std::int64_t x = 0;
  std::int64_t y = 0;
  Rect rect;  ///< holds all its instances
  std::uint64_t instances = 0;
};

/// Where instances come from. load() is thread-safe.
class ExportSource {
 public:
  ExportSource() = default;
  ExportSource(const ExportSource&) = delete;
  ExportSource& operator=(const ExportSource&) = delete;
  virtual ~ExportSource() = default;
  [[nodiscard]] virtual std::span<const ExportSlot> slots() const noexcept = 0;
  [[nodiscard]] virtual std::span<const ExportTile> tiles() const noexcept = 0;
  /// One table per slot.
  [[nodiscard]] virtual Result<std::vector<InstanceTable>> load(std::size_t tile) const = 0;
  /// How the instances of `tables`, which load(tile) gave, stand on the ground: one list per slot, as
  /// Scatter::transforms() gives it, or empty where all stand as the columns say. Thread-safe. The default
  /// leaves `out` empty: all of them do.
  [[nodiscard]] virtual Status transforms(std::size_t tile, std::span<const InstanceTable> tables,
                                          std::vector<std::vector<InstanceTransform>>& out) const;
};

enum class ExportFormat : std::uint8_t { kGlb, kTileset, kUsda, kCsv, kPly, kNpy };
/// "glb", "3dtiles", "usda" (or "usd"), "csv", "ply", "npy".
[[nodiscard]] Result<ExportFormat> parse_export_format(std::string_view name);

/// Axes and unit of positions in csv, ply and npy. strew's own are x east, y north, z up, metres, yaw
/// counter-clockwise seen from above; O3DE's and Blender's are the same. Unreal: centimetres, y south, yaw
/// clockwise. Unity: x east, y up, z north, yaw clockwise. Godot: x east, y up, z south. Quaternions and
/// scales follow their axes. glTF and USD state axes of their own, which readers convert.
enum class AxisPreset : std::uint8_t { kStrew, kUnreal, kUnity, kGodot, kO3de, kBlender };
[[nodiscard]] Result<AxisPreset> parse_axis_preset(std::string_view name);

struct ExportOptions {
  ExportFormat format = ExportFormat::kGlb;
  AxisPreset axes = AxisPreset::kStrew;
  bool instancing = true;  ///< glb: EXT_mesh_gpu_instancing; false: a node per instance
  /// World position that is 0 in the files, on metres; absent: the middle of the tiles, but 0 for csv, ply
  /// and npy, whose positions are doubles.
  std::optional<double> origin_x_m;
  std::optional<double> origin_y_m;
  /// 3dtiles: coordinate system of the world's x and y, as PROJ knows it ("EPSG:31985", WKT, a PROJ string);
  /// tiles are then placed on the WGS 84 ellipsoid, z taken as the height above it. Empty: a local tileset.
  std::string crs;
};
struct ExportSummary {
  std::uint64_t instances = 0;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  double origin_x_m = 0;
  double origin_y_m = 0;
};

/// Writes to `path`: a folder for 3dtiles, and for glb unless it ends in .glb (a file per tile, named
/// X_Y.glb, or one file of all); a file for the others. Files appear under their names when complete; of a
/// folder, tileset.json last. Memory: csv, ply, npy and usda some tiles per worker; glb one tile per worker,
/// or everything when one file is asked for; 3dtiles some tiles per worker and level; and the meshes that
/// species name. Bytes do not depend on the workers. Instances carry their 64-bit ids: column `id`, glTF
/// attribute _STREW_ID (four 16-bit parts, lowest first) or `extras.id` as text, USD `ids`.
[[nodiscard]] Result<ExportSummary> export_bake(const ExportSource& source, const std::string& path,
                                                const ExportOptions& options, const RunContext& context);

}  // namespace strew
