#include "life_task.hpp"

#include <cmath>

#include "fmt/format.h"
#include "output_folder.hpp"
#include "strew/io/cells.hpp"

namespace strew_tool {
namespace {

strew::Result<std::vector<std::int64_t>> whole_numbers(const std::string& text, char separator,
                                                       std::size_t count, const char* where) {
  STREW_ASSIGN(const std::vector<double> numbers, parse_numbers(text, separator, count, where));
  std::vector<std::int64_t> out;
  for (const double number : numbers) {
    if (number != std::floor(number) || std::abs(number) > 1e15) {
      return strew::invalid_argument(fmt::format("expected whole numbers of cells, found \"{}\"", text),
                                     where);
    }
    out.push_back(static_cast<std::int64_t>(number));
  }
  return out;
}

/// The pattern in the middle of a grid of the size asked for.
strew::Result<strew::BitGrid> in_the_middle(const strew::BitGrid& cells, std::int64_t width,
                                            std::int64_t height) {
  if (cells.width() > width || cells.height() > height) {
    return strew::invalid_argument(fmt::format("{}x{} is smaller than the {}x{} cells of --in", width, height,
                                               cells.width(), cells.height()),
                                   "--size");
  }
  STREW_ASSIGN(strew::BitGrid grid, strew::BitGrid::create(width, height));
  const std::int64_t x0 = (width - cells.width()) / 2;
  const std::int64_t y0 = (height - cells.height()) / 2;
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) {
      if (cells.get(x, y)) {
        grid.set(x + x0, y + y0, true);
      }
    }
  }
  return grid;
}

strew::Status resolve_rule(const LifeArguments& arguments, const std::optional<strew::ParsedRule>& of_file,
                           LifeTask& task) {
  strew::ParsedRule rule{strew::kDayAndNight, {}};
  if (!arguments.rule.empty()) {
    auto parsed = strew::parse_rule(arguments.rule);
    if (!parsed.ok()) {
      return strew::invalid_argument(parsed.status().message, "--rule");
    }
    rule = std::move(parsed).value();
    if (of_file && of_file->rule != rule.rule) {
      return strew::invalid_argument(
          fmt::format("is {}, but {} says {}: leave the option out to take the file's",
                      strew::to_string(rule.rule), arguments.input, strew::to_string(of_file->rule)),
          "--rule");
    }
  } else if (of_file) {
    rule = *of_file;
  }
  if (!rule.note.empty()) {
    fmt::print(stderr, "strew: note: {}\n", rule.note);
  }
  task.world.plane.rule = rule.rule;
  return {};
}

strew::Status resolve_border(const LifeArguments& arguments, const std::optional<strew::Border>& of_file,
                             LifeTask& task) {
  task.world.border = of_file.value_or(strew::Border::kDead);
  if (arguments.border.empty()) {
    return {};
  }
  auto border = strew::parse_border(arguments.border);
  if (!border.ok()) {
    return strew::invalid_argument(border.status().message, "--border");
  }
  task.world.border = border.value();
  if (of_file && *of_file != border.value()) {
    return strew::invalid_argument(
        fmt::format("is {}, but {} says {}: leave the option out to take the file's", arguments.border,
                    arguments.input, strew::to_string(*of_file)),
        "--border");
  }
  return {};
}

strew::Status resolve_size(const LifeArguments& arguments, LifeTask& task) {
  if (arguments.size.empty() && !task.from_file) {
    return strew::invalid_argument("is needed without --in: give WxH in cells", "--size");
  }
  task.world.width = task.start.width();
  task.world.height = task.start.height();
  if (!arguments.size.empty()) {
    STREW_ASSIGN(const auto size, whole_numbers(arguments.size, 'x', 2, "--size"));
    if (size[0] < 1 || size[1] < 1 || size[0] > strew::kMaxGridSide || size[1] > strew::kMaxGridSide) {
      return strew::invalid_argument(
          fmt::format("is {}; expected sides from 1 to {}", arguments.size, strew::kMaxGridSide), "--size");
    }
    task.world.width = size[0];
    task.world.height = size[1];
    if (task.from_file) {
      STREW_ASSIGN(task.start, in_the_middle(task.start, size[0], size[1]));
    }
  }
  task.region = {0, 0, task.world.width, task.world.height};
  if (!arguments.region.empty()) {
    STREW_ASSIGN(const auto sides, whole_numbers(arguments.region, ',', 4, "--region"));
    const strew::CellRange region{sides[0], sides[1], sides[2], sides[3]};
    if (region.x0 < 0 || region.y0 < 0 || region.x1 > task.world.width || region.y1 > task.world.height ||
        region.x0 >= region.x1 || region.y0 >= region.y1) {
      return strew::invalid_argument(
          fmt::format("is {}; expected x0 < x1 and y0 < y1 inside the grid of {}x{} cells", arguments.region,
                      task.world.width, task.world.height),
          "--region");
    }
    task.region = region;
  }
  return {};
}

}  // namespace

strew::Result<LifeTask> resolve_life(const LifeArguments& arguments) {
  LifeTask task;
  std::optional<strew::ParsedRule> file_rule;
  std::optional<strew::Border> file_border;
  if (!arguments.input.empty()) {
    STREW_ASSIGN(strew::RlePattern pattern, strew::read_cells(arguments.input));
    task.start = std::move(pattern.cells);
    task.from_file = true;
    file_rule = std::move(pattern.rule);
    file_border = pattern.border;
  }
  STREW_RETURN_IF_ERROR(resolve_rule(arguments, file_rule, task));
  STREW_RETURN_IF_ERROR(resolve_border(arguments, file_border, task));
  STREW_RETURN_IF_ERROR(resolve_size(arguments, task));
  STREW_ASSIGN(const auto seed, parse_seed(arguments.seed));
  if (!(arguments.fill >= 0 && arguments.fill <= 1)) {
    return strew::invalid_argument(fmt::format("is {}; expected a probability from 0 to 1", arguments.fill),
                                   "--fill");
  }
  task.world.plane.fill = {arguments.fill, seed.value_or(0), 0};
  constexpr std::int64_t kMostGenerations = 1000000000;
  if (arguments.generations < 0 || arguments.generations > kMostGenerations) {
    return strew::invalid_argument(
        fmt::format("is {}; expected 0 to {}", arguments.generations, kMostGenerations), "--generations");
  }
  task.world.plane.generations = arguments.generations;
  auto variant = strew::parse_variant(arguments.variant);
  if (!variant.ok()) {
    return strew::invalid_argument(variant.status().message, "--variant");
  }
  if (arguments.depth < 0 || arguments.depth > 64) {
    return strew::invalid_argument(fmt::format("is {}; expected 1 to 64", arguments.depth), "--depth");
  }
  task.options = {variant.value(), arguments.depth, 0};
  if (!arguments.output.empty()) {
    STREW_RETURN_IF_ERROR(strew::check_cells_path(arguments.output, task.world.border));
    STREW_RETURN_IF_ERROR(prepare_output_file(arguments.output));
  }
  return task;
}

}  // namespace strew_tool
