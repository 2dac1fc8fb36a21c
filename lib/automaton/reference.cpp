#include "reference.hpp"

#include <vector>

#include "rule_tables.hpp"
#include "strew/types.hpp"

namespace strew::automaton {
namespace {

class Bytes {
 public:
  Bytes(std::int64_t width, std::int64_t height)
      : width_(width), cells_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}
  std::uint8_t& at(std::int64_t x, std::int64_t y) {
    return cells_[static_cast<std::size_t>(y * width_ + x)];
  }

 private:
  std::int64_t width_;
  std::vector<std::uint8_t> cells_;
};

/// Generation 0 of one cell.
bool filled(const FillTable& table, std::int64_t x, std::int64_t y) {
  std::uint64_t words[kFillWords];
  fill_row_ref(table, y, floor_div(x, 128), 1, words);
  const std::int64_t bit = floor_mod(x, 128);
  return ((words[bit / 64] >> (bit % 64)) & 1U) != 0;
}

template <class Cell>
bool next_state(AutomatonRule rule, const Cell& cell) {
  unsigned total = 0;
  for (std::int64_t dy = -1; dy <= 1; ++dy) {
    for (std::int64_t dx = -1; dx <= 1; ++dx) {
      total += cell(dx, dy) ? 1U : 0U;
    }
  }
  return lives(rule, cell(0, 0), total);
}

}  // namespace

Status advance_ref(const AutomatonRule& rule, Border border, std::int64_t generations, BitGrid& grid) {
  const std::int64_t width = grid.width();
  const std::int64_t height = grid.height();
  Bytes now(width, height);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      now.at(x, y) = grid.get(x, y) ? 1 : 0;
    }
  }
  for (std::int64_t g = 0; g < generations; ++g) {
    Bytes next(width, height);
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const auto cell = [&](std::int64_t dx, std::int64_t dy) -> bool {
          if (border == Border::kPeriodic) {
            return now.at(floor_mod(x + dx, width), floor_mod(y + dy, height)) != 0;
          }
          const bool inside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
          return inside ? now.at(x + dx, y + dy) != 0 : border == Border::kAlive;
        };
        next.at(x, y) = next_state(rule, cell) ? 1 : 0;
      }
    }
    now = std::move(next);
  }
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      grid.set(x, y, now.at(x, y) != 0);
    }
  }
  return {};
}

Status window_ref(const AutomatonPlane& plane, const FillTable& table, const Bounds& bounds,
                  const CellRange& range, BitGrid& out) {
  const std::int64_t halo = plane.generations;
  const std::int64_t width = range.x1 - range.x0 + 2 * halo;
  const std::int64_t height = range.y1 - range.y0 + 2 * halo;
  const std::int64_t x0 = range.x0 - halo;
  const std::int64_t y0 = range.y0 - halo;
  const bool pinned = bounds.limited && bounds.border != Border::kPeriodic;
  Bytes now(width, height);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const std::int64_t wx = x0 + x;
      const std::int64_t wy = y0 + y;
      bool alive = false;
      if (!bounds.limited || bounds.inside(wx, wy)) {
        alive = filled(table, wx, wy);
      } else if (bounds.border == Border::kPeriodic) {
        alive = filled(table, floor_mod(wx, bounds.width), floor_mod(wy, bounds.height));
      } else {
        alive = bounds.border == Border::kAlive;
      }
      now.at(x, y) = alive ? 1 : 0;
    }
  }
  // Each generation is right on one cell less at every side.
  for (std::int64_t g = 1; g <= halo; ++g) {
    Bytes next(width, height);
    for (std::int64_t y = g; y < height - g; ++y) {
      for (std::int64_t x = g; x < width - g; ++x) {
        if (pinned && !bounds.inside(x0 + x, y0 + y)) {
          next.at(x, y) = now.at(x, y);
          continue;
        }
        next.at(x, y) = next_state(plane.rule, [&](std::int64_t dx,
                                                   std::int64_t dy) { return now.at(x + dx, y + dy) != 0; })
                            ? 1
                            : 0;
      }
    }
    now = std::move(next);
  }
  for (std::int64_t y = 0; y < out.height(); ++y) {
    for (std::int64_t x = 0; x < out.width(); ++x) {
      out.set(x, y, now.at(x + halo, y + halo) != 0);
    }
  }
  return {};
}

}  // namespace strew::automaton
