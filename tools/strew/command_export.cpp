// strew export DIR --format F -o OUT: a bake in the files of engines and of other tools.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "strew/io/export.hpp"
#include "strew/io/raster.hpp"
#include "strew/world/bake.hpp"
#include "world_input.hpp"

namespace strew_tool {
namespace {

struct Arguments {
  std::string folder;
  std::string output;
  std::string format;
  std::string axes = "strew";
  std::string origin;
  std::vector<std::string> layers;
  std::string crs;
  bool no_instancing = false;
  bool json = false;
  RunOptions run;
};

/// Stand-ins of layers without a minimum distance.
constexpr double kSizeWithoutDistance = 0.8;

/// A bake, or some of its layers.
class BakeSource final : public strew::ExportSource {
 public:
  static strew::Result<std::unique_ptr<BakeSource>> open(const std::string& folder,
                                                         const std::vector<std::string>& layers) {
    auto source = std::make_unique<BakeSource>();
    source->folder_ = folder;
    STREW_ASSIGN(source->manifest_, strew::load_manifest(folder));
    const strew::Manifest& manifest = source->manifest_;
    for (const std::string& name : layers) {
      if (std::none_of(manifest.slots.begin(), manifest.slots.end(),
                       [&](const strew::BakedSlot& slot) { return slot.name == name; })) {
        std::string known;
        for (const strew::BakedSlot& slot : manifest.slots) {
          known += (known.empty() ? "" : ", ") + slot.name;
        }
        return strew::invalid_argument(fmt::format("\"{}\" is not in this bake, which has {}", name, known),
                                       "--layer");
      }
    }
    for (std::size_t i = 0; i < manifest.slots.size(); ++i) {
      const strew::BakedSlot& slot = manifest.slots[i];
      if (layers.empty() || std::find(layers.begin(), layers.end(), slot.name) != layers.end()) {
        source->kept_.push_back(i);
        source->slots_.push_back(
            {slot.slot, slot.name, slot.lattice, slot.species,
             slot.minimum_distance_m > 0 ? slot.minimum_distance_m * 0.8 : kSizeWithoutDistance});
      }
    }
    for (const strew::BakedTile& tile : manifest.tiles) {
      std::uint64_t count = 0;
      for (const std::size_t i : source->kept_) {
        count += tile.counts[i];
      }
      if (count != 0) {
        const strew::Coord side = manifest.tile_size;
        source->tiles_.push_back(
            {tile.tile_x,
             tile.tile_y,
             {tile.tile_x * side, tile.tile_y * side, (tile.tile_x + 1) * side, (tile.tile_y + 1) * side},
             count});
        source->baked_.push_back(&tile);
      }
    }
    return source;
  }

  [[nodiscard]] const strew::Manifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] std::span<const strew::ExportSlot> slots() const noexcept override { return slots_; }
  [[nodiscard]] std::span<const strew::ExportTile> tiles() const noexcept override { return tiles_; }
  [[nodiscard]] strew::Result<std::vector<strew::InstanceTable>> load(std::size_t tile) const override {
    STREW_ASSIGN(std::vector<strew::InstanceTable> all, strew::load_tile(folder_, manifest_, *baked_[tile]));
    std::vector<strew::InstanceTable> kept;
    for (const std::size_t i : kept_) {
      kept.push_back(std::move(all[i]));
    }
    return kept;
  }

 private:
  std::string folder_;
  strew::Manifest manifest_;
  std::vector<std::size_t> kept_;
  std::vector<strew::ExportSlot> slots_;
  std::vector<strew::ExportTile> tiles_;
  std::vector<const strew::BakedTile*> baked_;
};

strew::Result<std::string> crs_of_terrain(const strew::Manifest& manifest) {
  STREW_ASSIGN(const OpenWorld world, open_baked_world(manifest));
  const strew::TerrainSpec& spec = world.file.terrain;
  if (spec.kind != strew::TerrainSpec::Kind::kRasters) {
    return strew::invalid_argument("the world has no rasters that could tell; name a coordinate system",
                                   "--crs");
  }
  return strew::raster_crs(spec.elevation_path.empty() ? spec.biome_path : spec.elevation_path);
}

strew::Result<strew::ExportSummary> export_it(const Arguments& arguments, const strew::RunContext& context) {
  strew::ExportOptions options;
  STREW_ASSIGN(options.format, strew::parse_export_format(arguments.format));
  STREW_ASSIGN(options.axes, strew::parse_axis_preset(arguments.axes));
  options.instancing = !arguments.no_instancing;
  if (!arguments.origin.empty()) {
    STREW_ASSIGN(const std::vector<double> origin, parse_numbers(arguments.origin, ',', 2, "--origin"));
    options.origin_x_m = origin[0];
    options.origin_y_m = origin[1];
  }
  options.crs = arguments.crs;
  STREW_ASSIGN(const auto source, BakeSource::open(arguments.folder, arguments.layers));
  if (options.crs == "terrain") {
    STREW_ASSIGN(options.crs, crs_of_terrain(source->manifest()));
  }
  return strew::export_bake(*source, arguments.output, options, context);
}

int run(const Arguments& arguments) {
  const auto runner = Runner::create(arguments.run);
  if (!runner.ok()) {
    return fail(runner.status());
  }
  const auto done = export_it(arguments, runner.value().context());
  if (!done.ok()) {
    return fail(done.status());
  }
  const strew::ExportSummary& summary = done.value();
  if (arguments.json) {
    nlohmann::ordered_json out;
    out["format"] = arguments.format;
    out["instances"] = summary.instances;
    out["files"] = summary.files;
    out["bytes"] = summary.bytes;
    out["origin_m"] = {summary.origin_x_m, summary.origin_y_m};
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}: {} instances in {} file{}, {}; origin ({}, {}) m\n", arguments.output,
               grouped(summary.instances), grouped(summary.files), summary.files == 1 ? "" : "s",
               bytes_text(summary.bytes), summary.origin_x_m, summary.origin_y_m);
  }
  return kExitDone;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand("export", "Write a bake for engines and other tools");
  command.add_option("DIR", arguments->folder, "Folder of a bake")->required();
  command.add_option("-f,--format", arguments->format, "glb, 3dtiles, usda, csv, ply or npy")->required();
  command
      .add_option("-o,--output", arguments->output,
                  "A folder for 3dtiles, and for glb unless it ends in .glb; a file otherwise")
      ->required();
  command
      .add_option("--axes", arguments->axes,
                  "Axes and unit of csv, ply and npy: strew, unreal, unity, godot, o3de, blender")
      ->capture_default_str();
  command.add_option(
      "--origin", arguments->origin,
      "x,y in metres: the place that is 0 in the files (default: the middle; 0 for csv, ply, npy)");
  command
      .add_option("--layer", arguments->layers, "This layer only, or \"layer/secondary\"; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option(
      "--crs", arguments->crs,
      "3dtiles: place them on the globe; the coordinate system of the world's x and y (EPSG:31985), "
      "or \"terrain\": that of the bake's rasters");
  command.add_flag("--no-instancing", arguments->no_instancing,
                   "glb: a node per instance, for readers without EXT_mesh_gpu_instancing");
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
