#include "terrain_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "strew/context.hpp"

namespace strew_tool {
namespace {

constexpr Colour kPlain = {226, 224, 214};
constexpr Colour kNodata = {150, 150, 150};
constexpr Colour kNodataHatch = {128, 128, 128};
constexpr Colour kShallow = {122, 172, 204};
constexpr Colour kDeep = {44, 92, 140};
/// Relief is shown this many times steeper than it is: at map scales true relief is nearly flat.
constexpr double kExaggeration = 1.6;
/// Largest part of the world looked at through one window: bounds the memory of a picture of any world.
constexpr double kWindowMetres = 2048;

/// What the terrain says per pixel, with a margin of one pixel for the gradient. NaN: no elevation there.
struct Samples {
  std::int32_t width = 0;  ///< with margin
  std::int32_t height = 0;
  std::vector<float> elevation;
  std::vector<std::uint8_t> biome;
  bool has_elevation = false;
  bool has_biome = false;

  [[nodiscard]] std::size_t index(std::int32_t column, std::int32_t row) const noexcept {
    return static_cast<std::size_t>(row + 1) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(column + 1);
  }
};

struct SampleTask {
  const strew::TerrainSource* terrain;
  const View* view;
  Samples* samples;
  std::int32_t block = 1;
  std::int32_t blocks_x = 1;
  std::vector<strew::Status> statuses;  ///< per block
  std::vector<std::uint8_t> kinds;      ///< per block: bit 0 elevation, bit 1 biome
};

int sample_block(void* self, std::uint64_t index, std::uint32_t /*worker*/) {
  auto& task = *static_cast<SampleTask*>(self);
  const View& view = *task.view;
  Samples& samples = *task.samples;
  const auto number = static_cast<std::int32_t>(index);
  const std::int32_t column0 = number % task.blocks_x * task.block - 1;
  const std::int32_t row0 = number / task.blocks_x * task.block - 1;
  const std::int32_t column1 = std::min(column0 + task.block, view.width + 1);
  const std::int32_t row1 = std::min(row0 + task.block, view.height + 1);
  const strew::Rect need = {view.world_x(column0), view.world_y(row1 - 1), view.world_x(column1 - 1) + 1,
                            view.world_y(row0) + 1};
  strew::TerrainWindow window;
  task.statuses[index] = task.terrain->window(need, window);
  if (!task.statuses[index].ok()) {
    return 1;
  }
  task.kinds[index] = static_cast<std::uint8_t>((window.view.elevation.empty() ? 0 : 1) |
                                                (window.view.biome.empty() ? 0 : 2));
  for (std::int32_t row = row0; row < row1; ++row) {
    for (std::int32_t column = column0; column < column1; ++column) {
      const strew::Coord x = view.world_x(column);
      const strew::Coord y = view.world_y(row);
      double altitude = 0;
      std::uint8_t biome = 0;
      const bool known = window.view.elevation.empty() ||
                         sample_bilinear(window.view.elevation, x, y, altitude) == strew::SampleState::kValid;
      const bool classed = window.view.biome.empty() ||
                           sample_nearest(window.view.biome, x, y, biome) == strew::SampleState::kValid;
      const std::size_t at = samples.index(column, row);
      samples.elevation[at] =
          known && classed ? static_cast<float>(altitude) : std::numeric_limits<float>::quiet_NaN();
      samples.biome[at] = biome;
    }
  }
  return 0;
}

strew::Status take_samples(const strew::TerrainSource& terrain, const View& view,
                           const strew::RunContext& context, Samples& samples) {
  samples.width = view.width + 2;
  samples.height = view.height + 2;
  const std::size_t total =
      static_cast<std::size_t>(samples.width) * static_cast<std::size_t>(samples.height);
  samples.elevation.assign(total, 0);
  samples.biome.assign(total, 0);
  SampleTask task;
  task.terrain = &terrain;
  task.view = &view;
  task.samples = &samples;
  task.block = std::clamp(static_cast<std::int32_t>(kWindowMetres / view.metres_per_pixel), 1, 128);
  task.blocks_x = (samples.width + task.block - 1) / task.block;
  const std::int32_t blocks_y = (samples.height + task.block - 1) / task.block;
  const auto count = static_cast<std::uint64_t>(task.blocks_x) * static_cast<std::uint64_t>(blocks_y);
  task.statuses.resize(count);
  task.kinds.resize(count);
  const strew::Executor& executor =
      context.executor != nullptr ? *context.executor : strew::serial_executor();
  static_cast<void>(executor.run(executor.self, count, &task, sample_block));
  for (const strew::Status& status : task.statuses) {
    STREW_RETURN_IF_ERROR(status);
  }
  for (const std::uint8_t kinds : task.kinds) {
    samples.has_elevation = samples.has_elevation || (kinds & 1) != 0;
    samples.has_biome = samples.has_biome || (kinds & 2) != 0;
  }
  return {};
}

bool contains_any(const std::string& name, std::initializer_list<const char*> words) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return lower.find(word) != std::string::npos; });
}

/// Light tints, so that the instances drawn over them stand out.
std::vector<Colour> biome_colours(const std::map<std::uint8_t, std::string>& names) {
  std::vector<Colour> colours(256);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    colours[i] = from_hsl(static_cast<double>(i * 137 % 360), 0.22, 0.78);
  }
  for (const auto& [index, name] : names) {
    Colour& colour = colours[index];
    if (contains_any(name, {"sea", "ocean", "water", "lake"})) {
      colour = kShallow;
    } else if (contains_any(name, {"beach", "sand", "dune"})) {
      colour = {240, 226, 180};
    } else if (contains_any(name, {"snow", "ice"})) {
      colour = {245, 247, 250};
    } else if (contains_any(name, {"rock", "cliff", "scree", "bare", "alpine"})) {
      colour = {198, 190, 182};
    } else if (contains_any(name, {"grass", "meadow", "steppe"})) {
      colour = {214, 222, 160};
    } else if (contains_any(name, {"forest", "wood", "jungle", "primary", "secondary"})) {
      colour = from_hsl(70.0 + index * 17 % 75, 0.28, 0.70);
    }
  }
  return colours;
}

Colour hypsometric(double fraction) {
  constexpr Colour kRamp[] = {
      {176, 200, 150}, {214, 214, 160}, {222, 196, 150}, {200, 170, 146}, {244, 244, 244}};
  constexpr int kSteps = static_cast<int>(std::size(kRamp)) - 1;
  const double place = std::clamp(fraction, 0.0, 1.0) * kSteps;
  const int step = std::min(kSteps - 1, static_cast<int>(place));
  return mix(kRamp[step], kRamp[step + 1], place - step);
}

/// Lambert's law with the sun in the north-west, 45 degrees high; level ground gives 1.
double shade(double slope_x, double slope_y) {
  const double length = std::sqrt(slope_x * slope_x + slope_y * slope_y + 1);
  const double light = (0.5 * slope_x - 0.5 * slope_y + std::sqrt(0.5)) / length;
  return 0.35 + 0.65 * std::max(0.0, light) / std::sqrt(0.5);
}

double difference(float before, float here, float after, double step) {
  const float a = std::isnan(before) ? here : before;
  const float b = std::isnan(after) ? here : after;
  const double steps = (std::isnan(before) ? 0 : 1) + (std::isnan(after) ? 0 : 1);
  return steps == 0 ? 0 : static_cast<double>(b - a) / (steps * step);
}

}  // namespace

strew::Status draw_terrain(const strew::TerrainSource& terrain,
                           const std::map<std::uint8_t, std::string>& biome_names, const View& view,
                           const strew::RunContext& context, Canvas& canvas) {
  Samples samples;
  STREW_RETURN_IF_ERROR(take_samples(terrain, view, context, samples));
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -lowest;
  for (const float altitude : samples.elevation) {
    if (!std::isnan(altitude)) {
      lowest = std::min(lowest, altitude);
      highest = std::max(highest, altitude);
    }
  }
  const double floor = std::max(0.0F, lowest);
  const std::vector<Colour> tints = biome_colours(biome_names);
  for (std::int32_t row = 0; row < view.height; ++row) {
    for (std::int32_t column = 0; column < view.width; ++column) {
      const std::size_t at = samples.index(column, row);
      const float altitude = samples.elevation[at];
      if (std::isnan(altitude)) {
        canvas.set(column, row, (column + row) % 8 < 2 ? kNodataHatch : kNodata);
        continue;
      }
      if (samples.has_elevation && altitude < 0) {
        canvas.set(column, row, mix(kShallow, kDeep, -altitude / 60.0));
        continue;
      }
      Colour tint = kPlain;
      if (samples.has_biome) {
        tint = tints[samples.biome[at]];
      } else if (samples.has_elevation) {
        tint = hypsometric((altitude - floor) / std::max(1.0, highest - floor));
      }
      const auto stride = static_cast<std::size_t>(samples.width);
      const double step = view.metres_per_pixel / kExaggeration;
      const double slope_x = difference(samples.elevation[at - 1], altitude, samples.elevation[at + 1], step);
      const double slope_y =
          difference(samples.elevation[at + stride], altitude, samples.elevation[at - stride], step);
      canvas.set(column, row, scaled(tint, shade(slope_x, slope_y)));
    }
  }
  return {};
}

}  // namespace strew_tool
