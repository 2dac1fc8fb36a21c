#include "pyramid.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <vector>

#include "fmt/format.h"
#include "strew/io/files.hpp"

namespace strew_tool {
namespace {

constexpr Colour kNothing = {226, 224, 214};
/// Levels below this one are the work of one thread each.
constexpr std::int32_t kParallelLevel = 4;

struct Place {
  std::int32_t level = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;  ///< from the north
};

class Writer {
 public:
  Writer(const Pyramid& pyramid, const strew::RunContext& context,
         const std::function<strew::Status(const View&, Canvas&)>& draw,
         const std::function<bool(const strew::Rect&)>& meets)
      : pyramid_(pyramid),
        context_(context),
        draw_(draw),
        meets_(meets),
        split_(std::min(pyramid.depth, kParallelLevel)) {}

  strew::Result<std::uint64_t> write() {
    const std::int64_t side = std::int64_t{1} << split_;
    subtrees_.assign(static_cast<std::size_t>(side * side), Canvas(0, 0, kNothing));
    const strew::Executor& executor =
        context_.executor != nullptr ? *context_.executor : strew::serial_executor();
    executor.run(executor.self, subtrees_.size(), this, [](void* self, std::uint64_t index, std::uint32_t) {
      auto& writer = *static_cast<Writer*>(self);
      const std::int64_t columns = std::int64_t{1} << writer.split_;
      strew::Status status = writer.visit({writer.split_, static_cast<std::int64_t>(index) % columns,
                                           static_cast<std::int64_t>(index) / columns},
                                          writer.subtrees_[index]);
      const std::scoped_lock lock(writer.mutex_);
      if (!status.ok() && writer.failure_.ok()) {
        writer.failure_ = std::move(status);
      }
      return writer.failure_.ok() ? 0 : 1;
    });
    STREW_RETURN_IF_ERROR(failure_);
    drawn_ = true;
    Canvas top(0, 0, kNothing);
    STREW_RETURN_IF_ERROR(visit({0, 0, 0}, top));
    return files_.load();
  }

 private:
  [[nodiscard]] strew::Rect rect_of(const Place& place) const noexcept {
    const strew::Coord side = (pyramid_.square.x1 - pyramid_.square.x0) >> place.level;
    const strew::Coord x = pyramid_.square.x0 + place.x * side;
    const strew::Coord y = pyramid_.square.y1 - place.y * side;
    return {x, y - side, x + side, y};
  }

  /// Leaves `canvas` without pixels where nothing is.
  strew::Status visit(const Place& place, Canvas& canvas) {
    if (context_.cancelled()) {
      return strew::make_error(strew::StatusCode::kCancelled, "the pyramid is not complete", pyramid_.folder);
    }
    const strew::Rect rect = rect_of(place);
    if (!meets_(rect)) {
      return {};
    }
    if (drawn_ && place.level == split_) {
      const std::int64_t columns = std::int64_t{1} << split_;
      canvas = std::move(subtrees_[static_cast<std::size_t>(place.y * columns + place.x)]);
      return {};
    }
    Canvas picture(kPyramidPixels, kPyramidPixels, kNothing);
    if (place.level == pyramid_.depth) {
      STREW_RETURN_IF_ERROR(
          draw_({rect, kPyramidPixels, kPyramidPixels, pyramid_.metres_per_pixel}, picture));
    } else {
      for (std::int32_t child = 0; child < 4; ++child) {
        Canvas below(0, 0, kNothing);
        STREW_RETURN_IF_ERROR(
            visit({place.level + 1, 2 * place.x + child % 2, 2 * place.y + child / 2}, below));
        if (below.width() != 0) {
          halve(below, (child % 2) * kPyramidPixels / 2, (child / 2) * kPyramidPixels / 2, picture);
        }
      }
    }
    const std::filesystem::path folder =
        std::filesystem::path(pyramid_.folder) / std::to_string(place.level) / std::to_string(place.x);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    STREW_RETURN_IF_ERROR(
        strew::write_png((folder / (std::to_string(place.y) + ".png")).string(), picture.image()));
    files_.fetch_add(1);
    canvas = std::move(picture);
    return {};
  }

  /// Every four pixels become their mean: density stays what it is at any zoom.
  static void halve(const Canvas& from, std::int32_t column0, std::int32_t row0, Canvas& to) {
    const std::vector<std::uint8_t>& rgb = from.image().rgb;
    const auto at = [&](std::int32_t column, std::int32_t row, std::size_t channel) {
      return static_cast<unsigned>(
          rgb[3 * (static_cast<std::size_t>(row) * kPyramidPixels + static_cast<std::size_t>(column)) +
              channel]);
    };
    for (std::int32_t row = 0; row < kPyramidPixels / 2; ++row) {
      for (std::int32_t column = 0; column < kPyramidPixels / 2; ++column) {
        std::uint8_t mean[3] = {};
        for (std::size_t channel = 0; channel < 3; ++channel) {
          const unsigned sum = at(2 * column, 2 * row, channel) + at(2 * column + 1, 2 * row, channel) +
                               at(2 * column, 2 * row + 1, channel) +
                               at(2 * column + 1, 2 * row + 1, channel);
          mean[channel] = static_cast<std::uint8_t>((sum + 2) / 4);
        }
        to.set(column0 + column, row0 + row, {mean[0], mean[1], mean[2]});
      }
    }
  }

  const Pyramid& pyramid_;
  const strew::RunContext& context_;
  const std::function<strew::Status(const View&, Canvas&)>& draw_;
  const std::function<bool(const strew::Rect&)>& meets_;
  std::int32_t split_;
  bool drawn_ = false;
  std::vector<Canvas> subtrees_;
  std::atomic<std::uint64_t> files_{0};
  std::mutex mutex_;
  strew::Status failure_;
};

}  // namespace

strew::Result<Pyramid> Pyramid::over(std::string folder, const strew::Rect& region, double metres_per_pixel) {
  constexpr std::int32_t kDeepest = 16;
  if (!(metres_per_pixel >= 0.01 && metres_per_pixel <= 1e5)) {
    return strew::invalid_argument(
        fmt::format("expected 0.01 to 100000 metres a pixel, found {}", metres_per_pixel), "--pyramid");
  }
  Pyramid pyramid;
  pyramid.folder = std::move(folder);
  pyramid.metres_per_pixel = metres_per_pixel;
  STREW_ASSIGN(strew::Coord side, strew::to_coord(metres_per_pixel * kPyramidPixels, "--pyramid"));
  const strew::Coord wanted = std::max(region.x1 - region.x0, region.y1 - region.y0);
  while (side < wanted) {
    side *= 2;
    if (++pyramid.depth > kDeepest) {
      return strew::invalid_argument("makes more than 65536 pictures a side; give more metres a pixel",
                                     "--pyramid");
    }
  }
  pyramid.square = {region.x0, region.y1 - side, region.x0 + side, region.y1};
  return pyramid;
}

strew::Result<std::uint64_t> write_pyramid(const Pyramid& pyramid, const strew::RunContext& context,
                                           const std::function<strew::Status(const View&, Canvas&)>& draw,
                                           const std::function<bool(const strew::Rect&)>& meets) {
  return Writer(pyramid, context, draw, meets).write();
}

}  // namespace strew_tool
