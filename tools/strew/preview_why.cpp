#include "preview_why.hpp"

#include <algorithm>
#include <vector>

#include "common.hpp"
#include "each_index.hpp"
#include "fate_picture.hpp"
#include "fmt/format.h"
#include "strew/scatter_census.hpp"
#include "terrain_picture.hpp"

namespace strew_tool {
namespace {

constexpr strew::Coord kBlock = 256 * strew::kUnitsPerMetre;
constexpr Colour kGround = {226, 224, 214};

strew::Result<std::size_t> slot_named(const OpenWorld& world, const std::string& name) {
  std::string known;
  const auto slots = world.scatter.slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].name == name) {
      return i;
    }
    known += (known.empty() ? "" : ", ") + slots[i].name;
  }
  return strew::invalid_argument(fmt::format("is \"{}\", no layer of this world; it has: {}", name, known),
                                 "--why");
}

/// The fates of all blocks of the region, in the order of blocks.
strew::Status collect(const OpenWorld& world, const strew::Rect& region, std::size_t slot,
                      const strew::RunContext& context, std::vector<strew::CandidateFate>& out) {
  const std::int64_t columns = strew::ceil_div(region.x1 - region.x0, kBlock);
  const std::int64_t rows = strew::ceil_div(region.y1 - region.y0, kBlock);
  strew::Census census(world.scatter, world.terrain());
  STREW_RETURN_IF_ERROR(census.prepare({&region, 1}, context));
  strew::RunContext alone = context;
  alone.executor = nullptr;
  std::vector<std::vector<strew::CandidateFate>> blocks(static_cast<std::size_t>(columns * rows));
  STREW_RETURN_IF_ERROR(
      for_each_index(context, blocks.size(), "no picture was written", [&](std::uint64_t index) {
        const strew::Coord x = region.x0 + static_cast<std::int64_t>(index) % columns * kBlock;
        const strew::Coord y = region.y0 + static_cast<std::int64_t>(index) / columns * kBlock;
        return world.scatter.explain(strew::intersection({x, y, x + kBlock, y + kBlock}, region),
                                     world.terrain(), alone, slot, blocks[index], &census);
      }));
  for (const auto& block : blocks) {
    out.insert(out.end(), block.begin(), block.end());
  }
  return {};
}

}  // namespace

strew::Status preview_why(const WhyOptions& options, const OpenWorld& world, const View& view,
                          const strew::RunContext& context) {
  STREW_ASSIGN(const std::size_t slot, slot_named(world, options.layer));
  std::vector<strew::CandidateFate> fates;
  STREW_RETURN_IF_ERROR(collect(world, view.region, slot, context, fates));
  Canvas canvas(view.width + (options.legend ? fate_legend_width() : 0), view.height, kGround);
  if (!options.without_terrain) {
    STREW_RETURN_IF_ERROR(draw_terrain(world.terrain(), world.file.biome_names, view, context, canvas));
  }
  draw_fates(fates, view, canvas);
  if (options.legend) {
    draw_fate_legend(options.layer, fates, view.width, canvas);
  }
  STREW_RETURN_IF_ERROR(strew::write_png(options.path, canvas.image()));
  const auto placed = std::count_if(fates.begin(), fates.end(), [](const strew::CandidateFate& fate) {
    return fate.reason == strew::Rejection::kCount;
  });
  fmt::print(stderr, "{}: {} of {} candidates of {} stand\n", options.path,
             grouped(static_cast<std::uint64_t>(placed)), grouped(fates.size()), options.layer);
  return {};
}

}  // namespace strew_tool
