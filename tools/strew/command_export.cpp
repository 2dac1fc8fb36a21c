// strew export DIR --format F -o OUT: a bake in the files of engines and of other tools.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "bake_source.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "output_folder.hpp"
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
  BakeSource::Choice choice;
  std::string crs;
  bool no_instancing = false;
  bool json = false;
  RunOptions run;
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
  STREW_ASSIGN(const auto source, BakeSource::open(arguments.folder, arguments.choice, context));
  if (options.crs == "terrain") {
    STREW_ASSIGN(options.crs, crs_of_terrain(source->manifest()));
  }
  const bool folder = options.format == strew::ExportFormat::kTileset ||
                      (options.format == strew::ExportFormat::kGlb && !arguments.output.ends_with(".glb"));
  const FreshFolder fresh(arguments.output);
  STREW_RETURN_IF_ERROR(folder ? prepare_output_folder(arguments.output)
                               : prepare_output_file(arguments.output));
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
      .add_option("--layer", arguments->choice.layers,
                  "This layer only, or \"layer/secondary\"; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option("--region", arguments->choice.region,
                     "x0,y0,x1,y1 in metres: export this part of the bake only");
  command.add_option(
      "--crs", arguments->crs,
      "3dtiles: place them on the globe; the coordinate system of the world's x and y (EPSG:31985), "
      "or \"terrain\": that of the bake's rasters");
  command.add_flag("--no-instancing", arguments->no_instancing,
                   "glb: a node per instance, for readers without EXT_mesh_gpu_instancing");
  command.add_flag(
      "--upright", arguments->choice.upright,
      "Place, yaw and uniform scale only, as the tiles hold them: no tilt, offset, sinking, scales "
      "along y and z, meshes. Needs no terrain");
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
