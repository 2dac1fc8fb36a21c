// strew preview DIR|WORLD.json -o out.png: a picture of a bake, or of a world that was never baked.
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "commands.hpp"
#include "common.hpp"
#include "each_index.hpp"
#include "fmt/format.h"
#include "instance_picture.hpp"
#include "layer_report.hpp"
#include "legend.hpp"
#include "output_folder.hpp"
#include "preview_why.hpp"
#include "progress.hpp"
#include "pyramid.hpp"
#include "strew/scatter_census.hpp"
#include "terrain_picture.hpp"
#include "world_input.hpp"

namespace strew_tool {
namespace {

constexpr double kBlockMetres = 256;
/// Discs of instances beyond the border reach into the picture by no more than this.
constexpr strew::Coord kMargin = 16 * strew::kUnitsPerMetre;
constexpr Colour kGround = {226, 224, 214};

struct Arguments {
  std::string source;
  std::string path;
  std::string region;
  std::string seed;
  std::int32_t pixels = 1024;
  double pyramid_m = 0;  ///< metres a pixel of the finest level; 0: one picture
  bool without_terrain = false;
  bool no_legend = false;
  bool quiet = false;
  bool report = false;
  bool json = false;
  std::string why;
  std::vector<std::string> defines;
  RunOptions run;
};

/// Runs `make(i, tables)` for each i below count, in parallel, and adds the tables to the picture.
template <class Make>
strew::Status add_all(std::uint64_t count, const Make& make, const strew::RunContext& context, bool quiet,
                      InstancePicture& picture) {
  ProgressLine progress(quiet);
  std::mutex mutex;
  strew::BakeProgress done{0, count, 0};
  strew::Status status =
      for_each_index(context, count, "no picture was written", [&](std::uint64_t i) -> strew::Status {
        std::vector<strew::InstanceTable> tables;
        STREW_RETURN_IF_ERROR(make(i, tables));
        picture.add(tables);
        const std::lock_guard lock(mutex);
        ++done.tiles_done;
        for (const strew::InstanceTable& table : tables) {
          done.instances += table.size();
        }
        ProgressLine::on_progress(&progress, done);
        return {};
      });
  progress.finish();
  return status;
}

strew::Status write_picture(const Arguments& arguments, const OpenWorld* world, const View& view,
                            const strew::RunContext& context, const InstancePicture& picture) {
  const std::int32_t strip = arguments.no_legend ? 0 : legend_width(picture);
  Canvas canvas(view.width + strip, view.height, kGround);
  if (world != nullptr) {
    STREW_RETURN_IF_ERROR(draw_terrain(world->terrain(), world->file.biome_names, view, context, canvas));
  }
  picture.draw(canvas);
  if (!arguments.no_legend) {
    draw_legend(picture, view, view.width, canvas);
  }
  STREW_RETURN_IF_ERROR(strew::write_png(arguments.path, canvas.image()));
  fmt::print(stderr, "{}: {} x {} pixels of {:.3g} m, {} instances\n", arguments.path, canvas.width(),
             canvas.height(), view.metres_per_pixel, grouped(picture.count()));
  return {};
}

strew::Status preview_bake(const Arguments& arguments, const strew::RunContext& context) {
  if (!arguments.why.empty() || arguments.report || arguments.json) {
    return strew::invalid_argument(
        "asks what became of candidates, which a bake does not hold; give the world file",
        arguments.why.empty() ? "--report" : "--why");
  }
  STREW_ASSIGN(const strew::Manifest manifest, strew::load_manifest(arguments.source));
  std::optional<OpenWorld> world;
  if (!arguments.without_terrain) {
    auto opened = open_baked_world(manifest);
    if (!opened.ok()) {
      strew::Status status = opened.status();
      status.message += " (--without-terrain draws the instances alone)";
      return status;
    }
    world.emplace(std::move(opened).value());
  }
  STREW_ASSIGN(const strew::Rect region, region_in(manifest.region, arguments.region, "bake"));
  const View view = View::of(region, arguments.pixels);
  std::vector<SlotStyle> styles;
  for (const strew::BakedSlot& slot : manifest.slots) {
    styles.push_back(make_style(slot.name, slot.minimum_distance_m, slot.species, styles.size()));
  }
  const strew::Rect reach = strew::expanded(region, kMargin);
  std::vector<strew::BakedTile> tiles;
  for (const strew::BakedTile& tile : manifest.tiles) {
    const strew::Rect rect = {tile.tile_x * manifest.tile_size, tile.tile_y * manifest.tile_size,
                              (tile.tile_x + 1) * manifest.tile_size, (tile.tile_y + 1) * manifest.tile_size};
    if (!strew::intersection(rect, reach).empty()) {
      tiles.push_back(tile);
    }
  }
  InstancePicture picture(view, std::move(styles));
  const auto load = [&](std::uint64_t index, std::vector<strew::InstanceTable>& tables) -> strew::Status {
    STREW_ASSIGN(tables, strew::load_tile(arguments.source, manifest, tiles[index]));
    return {};
  };
  STREW_RETURN_IF_ERROR(add_all(tiles.size(), load, context, arguments.quiet, picture));
  return write_picture(arguments, world.has_value() ? &*world : nullptr, view, context, picture);
}

/// A rectangle to generate, inside the region or in the margin around it.
struct Part {
  strew::Rect rect;
  bool inside;
};
std::vector<Part> parts_of(const strew::Rect& region, const strew::Rect& reach) {
  const auto block = static_cast<strew::Coord>(kBlockMetres) * strew::kUnitsPerMetre;
  std::vector<Part> parts;
  const auto add = [&](const strew::Rect& rect, bool inside) {
    for (strew::Coord y = rect.y0; y < rect.y1; y += block) {
      for (strew::Coord x = rect.x0; x < rect.x1; x += block) {
        parts.push_back({strew::intersection({x, y, x + block, y + block}, rect), inside});
      }
    }
  };
  add(region, true);
  add({reach.x0, reach.y0, reach.x1, region.y0}, false);
  add({reach.x0, region.y1, reach.x1, reach.y1}, false);
  add({reach.x0, region.y0, region.x0, region.y1}, false);
  add({region.x1, region.y0, reach.x1, region.y1}, false);
  return parts;
}

/// The whole of a bake as Z/X/Y.png.
strew::Status preview_pyramid(const Arguments& arguments, const strew::RunContext& context) {
  STREW_ASSIGN(const strew::Manifest manifest, strew::load_manifest(arguments.source));
  std::optional<OpenWorld> world;
  if (!arguments.without_terrain) {
    STREW_ASSIGN(OpenWorld opened, open_baked_world(manifest));
    world.emplace(std::move(opened));
  }
  STREW_ASSIGN(const strew::Rect region, region_in(manifest.region, arguments.region, "bake"));
  STREW_ASSIGN(const Pyramid pyramid, Pyramid::over(arguments.path, region, arguments.pyramid_m));
  std::vector<SlotStyle> styles;
  for (const strew::BakedSlot& slot : manifest.slots) {
    styles.push_back(make_style(slot.name, slot.minimum_distance_m, slot.species, styles.size()));
  }
  std::map<std::pair<std::int64_t, std::int64_t>, const strew::BakedTile*> tiles;
  for (const strew::BakedTile& tile : manifest.tiles) {
    tiles[{tile.tile_x, tile.tile_y}] = &tile;
  }
  strew::RunContext alone = context;
  alone.executor = nullptr;  // each picture is the work of one thread already
  const auto draw = [&](const View& view, Canvas& canvas) -> strew::Status {
    if (world.has_value()) {
      STREW_RETURN_IF_ERROR(draw_terrain(world->terrain(), world->file.biome_names, view, alone, canvas));
    }
    InstancePicture picture(view, styles);
    const strew::Rect reach = strew::expanded(view.region, kMargin);
    for (std::int64_t y = strew::floor_div(reach.y0, manifest.tile_size); y * manifest.tile_size < reach.y1;
         ++y) {
      for (std::int64_t x = strew::floor_div(reach.x0, manifest.tile_size); x * manifest.tile_size < reach.x1;
           ++x) {
        if (const auto tile = tiles.find({x, y}); tile != tiles.end()) {
          STREW_ASSIGN(const std::vector<strew::InstanceTable> tables,
                       strew::load_tile(arguments.source, manifest, *tile->second));
          picture.add(tables);
        }
      }
    }
    picture.draw(canvas);
    return {};
  };
  STREW_RETURN_IF_ERROR(prepare_output_folder(arguments.path));
  const auto meets = [&](const strew::Rect& rect) { return !strew::intersection(rect, region).empty(); };
  STREW_ASSIGN(const std::uint64_t files, write_pyramid(pyramid, context, draw, meets));
  fmt::print(stderr, "{}: {} pictures of {} x {} pixels in {} levels, the finest of {:.3g} m a pixel\n",
             arguments.path, grouped(files), kPyramidPixels, kPyramidPixels, pyramid.depth + 1,
             pyramid.metres_per_pixel);
  return {};
}

double minimum_distance_of(const strew::LayerSpec& layer) {
  const strew::Registry registry = strew::builtin_registry();
  const auto strategy = registry.find_points(layer.strategy);
  if (!strategy.ok()) {
    return 0;
  }
  const auto parameters = strew::ResolvedParameters::resolve(strategy.value()->info(), layer.parameters);
  return parameters.ok() ? strategy.value()->minimum_distance(parameters.value()) : 0;
}

strew::Status preview_world(const Arguments& arguments, const strew::RunContext& context) {
  STREW_ASSIGN(const auto seed, parse_seed(arguments.seed));
  STREW_ASSIGN(const OpenWorld world, open_world(arguments.source, arguments.defines, seed));
  const strew::Rect& extent = world.file.scatter.extent;
  STREW_ASSIGN(const strew::Rect region, region_in(extent, arguments.region));
  const View view = View::of(region, arguments.pixels);
  if (!arguments.why.empty()) {
    return preview_why({arguments.why, arguments.path, arguments.without_terrain, !arguments.no_legend},
                       world, view, context);
  }
  std::vector<SlotStyle> styles;
  for (const strew::SlotInfo& slot : world.scatter.slots()) {
    const double distance =
        slot.secondary.has_value() ? 0 : minimum_distance_of(world.scatter.spec().layers[slot.layer]);
    styles.push_back(make_style(slot.name, distance, slot.species, styles.size()));
  }
  InstancePicture picture(view, std::move(styles));
  const strew::Rect reach = strew::intersection(strew::expanded(region, kMargin), extent);
  constexpr double kMostBlocks = 1 << 22;  // a day's work on a large machine; the list of them is held
  const double blocks = strew::to_metres(reach.x1 - reach.x0) / kBlockMetres *
                        (strew::to_metres(reach.y1 - reach.y0) / kBlockMetres);
  if (blocks > kMostBlocks) {
    return strew::invalid_argument(
        fmt::format(
            "{} holds {:.3g} blocks of {} m, each to be generated; a preview makes at most {}: give a "
            "part of it, or bake and preview the bake",
            describe(region), blocks, kBlockMetres, kMostBlocks),
        "--region");
  }
  const std::vector<Part> parts = parts_of(region, reach);
  LayerReport report(world.scatter, region, kMargin);
  const bool reporting = arguments.report || arguments.json;
  strew::Census census(world.scatter, world.terrain());
  STREW_RETURN_IF_ERROR(census.prepare({&reach, 1}, context));
  const auto generate = [&](std::uint64_t index, std::vector<strew::InstanceTable>& tables) -> strew::Status {
    // Each part is the work of one thread already.
    strew::RunContext alone = context;
    alone.executor = nullptr;
    std::vector<strew::SlotReport> reports(reporting && parts[index].inside ? world.scatter.slots().size()
                                                                            : 0);
    STREW_RETURN_IF_ERROR(
        world.scatter.generate(parts[index].rect, world.terrain(), alone, tables, reports, &census));
    if (reporting) {
      report.add(tables, reports);
    }
    return {};
  };
  STREW_RETURN_IF_ERROR(add_all(parts.size(), generate, context, arguments.quiet, picture));
  if (reporting) {
    fmt::print("{}\n", arguments.json ? report.json() : report.table());
  }
  return write_picture(arguments, arguments.without_terrain ? nullptr : &world, view, context, picture);
}

int run(const Arguments& arguments) {
  const bool pyramid = arguments.pyramid_m != 0;
  if (!pyramid && !arguments.path.ends_with(".png")) {
    return fail(strew::invalid_argument("expected a name that ends in .png", arguments.path));
  }
  if (const strew::Status status = pyramid ? strew::Status{} : prepare_output_file(arguments.path);
      !status.ok()) {
    return fail(status);
  }
  const auto runner = Runner::create(arguments.run);
  if (!runner.ok()) {
    return fail(runner.status());
  }
  std::error_code error;
  const bool baked = std::filesystem::is_directory(arguments.source, error);
  const strew::RunContext context = runner.value().context();
  if (pyramid && !baked) {
    return fail(
        strew::invalid_argument("is no folder of a bake; a pyramid is drawn from tiles", arguments.source));
  }
  const strew::Status status = pyramid ? preview_pyramid(arguments, context)
                               : baked ? preview_bake(arguments, context)
                                       : preview_world(arguments, context);
  return status.ok() ? kExitDone : fail(status);
}

}  // namespace

void add_preview(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand("preview", "Draw a bake, or a world without baking it");
  command.add_option("DIR|WORLD.json", arguments->source, "Folder of a bake, or a world file")->required();
  command.add_option("-o,--output", arguments->path, "Picture to write (.png), or folder of a pyramid")
      ->required();
  command.add_option(
      "--pyramid", arguments->pyramid_m,
      "Metres a pixel: draw the whole bake into the output folder as Z/X/Y.png, as web maps read them");
  command.add_option("--region", arguments->region, "x0,y0,x1,y1 in metres: draw this part only");
  command.add_option("--pixels", arguments->pixels, "Pixels along the longer side")
      ->check(CLI::Range(16, 8192))
      ->capture_default_str();
  command.add_option("--seed", arguments->seed, "Seed in place of the world's own (for a world file)");
  command
      .add_option("-D,--define", arguments->defines, "NAME=VALUE: what ${NAME} in the world file stands for")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option(
      "--why", arguments->why,
      "LAYER or LAYER/SECONDARY of a world file: draw its candidates, each coloured by the rule that "
      "rejected it");
  command.add_flag(
      "--report", arguments->report,
      "Of a world file: per layer and species what was requested, placed and rejected, density and "
      "nearest neighbours, as a table");
  command.add_flag("--json", arguments->json, "The report as JSON");
  command.add_flag("--without-terrain", arguments->without_terrain, "Plain ground: needs no rasters");
  command.add_flag("--no-legend", arguments->no_legend, "The map alone");
  command.add_flag("--quiet", arguments->quiet, "No progress");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
