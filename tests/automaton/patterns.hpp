// Small grids as text and random ones.
#pragma once

#include <string>
#include <string_view>

#include "strew/automaton.hpp"

namespace strew_test {

/// Rows from the first to the last ('/' between), 'x' alive; row 0 of the text is row 0 of the grid.
inline strew::BitGrid grid_of(std::string_view text) {
  const auto width =
      static_cast<std::int64_t>(text.find('/') == std::string_view::npos ? text.size() : text.find('/'));
  const auto height = static_cast<std::int64_t>(text.size() + 1) / (width + 1);
  auto grid = strew::BitGrid::create(width, height).value();
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      grid.set(x, y, text[static_cast<std::size_t>(y * (width + 1) + x)] == 'x');
    }
  }
  return grid;
}

inline std::string text_of(const strew::BitGrid& grid) {
  std::string text;
  for (std::int64_t y = 0; y < grid.height(); ++y) {
    text += y == 0 ? "" : "/";
    for (std::int64_t x = 0; x < grid.width(); ++x) {
      text += grid.get(x, y) ? 'x' : '.';
    }
  }
  return text;
}

inline strew::BitGrid copy_of(const strew::BitGrid& grid) {
  auto copy = strew::BitGrid::create(grid.width(), grid.height()).value();
  for (std::int64_t y = 0; y < grid.height(); ++y) {
    for (std::int64_t i = 0; i < grid.words(); ++i) {
      copy.row(y)[i] = grid.row(y)[i];
    }
  }
  return copy;
}

inline strew::BitGrid random_grid(std::int64_t width, std::int64_t height, double probability,
                                  std::uint64_t seed) {
  auto grid = strew::BitGrid::create(width, height).value();
  strew::AutomatonOptions options;
  options.variant = strew::AutomatonVariant::kSwar;
  EXPECT_TRUE(strew::fill_grid({probability, seed, 0}, 0, 0, grid, options).ok());
  return grid;
}

/// Cells [x0, x1) x [y0, y1) of `grid`.
inline strew::BitGrid crop_of(const strew::BitGrid& grid, std::int64_t x0, std::int64_t y0, std::int64_t x1,
                              std::int64_t y1) {
  auto out = strew::BitGrid::create(x1 - x0, y1 - y0).value();
  for (std::int64_t y = y0; y < y1; ++y) {
    for (std::int64_t x = x0; x < x1; ++x) {
      out.set(x - x0, y - y0, grid.get(x, y));
    }
  }
  return out;
}

}  // namespace strew_test
