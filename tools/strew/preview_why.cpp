#include "preview_why.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "common.hpp"
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
  struct Task {
    strew::Census& census;
    const OpenWorld& world;
    const strew::Rect& region;
    std::size_t slot;
    strew::RunContext alone;
    std::int64_t columns;
    std::vector<std::vector<strew::CandidateFate>> blocks;
    std::mutex mutex;
    strew::Status failure;
  } task{census, world, region, slot, context, columns, {}, {}, {}};
  task.blocks.resize(static_cast<std::size_t>(columns * rows));
  task.alone.executor = nullptr;
  const auto step = [](void* self, std::uint64_t index, std::uint32_t /*worker*/) {
    Task& t = *static_cast<Task*>(self);
    const strew::Coord x = t.region.x0 + static_cast<std::int64_t>(index) % t.columns * kBlock;
    const strew::Coord y = t.region.y0 + static_cast<std::int64_t>(index) / t.columns * kBlock;
    strew::Status status =
        t.alone.cancelled()
            ? strew::make_error(strew::StatusCode::kCancelled, "no picture was written")
            : t.world.scatter.explain(strew::intersection({x, y, x + kBlock, y + kBlock}, t.region),
                                      t.world.terrain(), t.alone, t.slot, t.blocks[index], &t.census);
    if (!status.ok()) {
      const std::lock_guard lock(t.mutex);
      t.failure = std::move(status);
      return 1;
    }
    return 0;
  };
  const strew::Executor& executor =
      context.executor != nullptr ? *context.executor : strew::serial_executor();
  static_cast<void>(executor.run(executor.self, task.blocks.size(), &task, step));
  for (const auto& block : task.blocks) {
    out.insert(out.end(), block.begin(), block.end());
  }
  return task.failure;
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
