// Dart throwing in continuous time with points of several sizes: a window of the plane, decided in order of
// time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "scratch.hpp"
#include "strew/types.hpp"

namespace strew::poisson {

/// Half-open rectangle of lattice steps.
struct StepRect {
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int64_t x1 = 0;
  std::int64_t y1 = 0;
};

/// The pending dart of a cell, or its point.
struct RainDart {
  float time = 0;           ///< when it lands
  std::uint32_t draws = 0;  ///< draws that the cell has consumed
  std::int32_t x = 0;  ///< in lattice steps from the corner of the cell, or of the window once it is in one
  std::int32_t y = 0;
  std::int32_t radius = 0;  ///< in lattice steps, where the model has radii per point
};

/// The process. Darts rain on the plane in several layers (classes, or octaves of radius), each over its own
/// grid of cells, until the model's time is over. A dart becomes a point unless an earlier point stands
/// closer than the model's distance for the two. All darts of a cell are a function of the cell alone, and a
/// fate depends only on earlier darts within reach; so whatever the window does not know (a cell outside it,
/// or one that turned kUnknown) makes unknown what depends on it later, and nothing else. What ends known is
/// exactly what it is on the infinite plane.
///
/// A Model has, for layers numbered from 0:
///   layers(), side(layer)           cells of a layer, in lattice steps; one holds at most one point
///   next(layer, cx, cy, dart)       advances `dart` to the next of cell (cx, cy); false after the last one
///   reach(layer, dart, other)       bound of the distance below which it conflicts with a point of layer
///   `other` doubled_distance(layer, dart, other, point)   twice the distance that the two must keep, exactly
template <class Model>
class RainWindow {
 public:
  RainWindow(const Model& model, const Allocator* allocator) noexcept
      : model_(model), states_(allocator), darts_(allocator), heap_(allocator) {}

  /// O(n log n) for n darts. The window must be below 2^30 steps wide and below 2^32 cells.
  [[nodiscard]] Status evaluate(const StepRect& window) {
    STREW_RETURN_IF_ERROR(place(window));
    std::uint64_t* const first = heap_.data();
    std::uint64_t* last = first + begin();
    std::make_heap(first, last, std::greater<>{});
    while (last != first) {
      std::pop_heap(first, last, std::greater<>{});
      const auto cell = static_cast<std::size_t>(*(last - 1) & 0xFFFFFFFFU);
      if (land(cell)) {
        *(last - 1) = event_key(cell);
        std::push_heap(first, last, std::greater<>{});
      } else {
        --last;
      }
    }
    return {};
  }

  /// Calls take(layer, x, y) for each point in `core`, in lattice steps; false, perhaps after some calls,
  /// when a cell that overlaps `core` is unknown.
  template <class Take>
  [[nodiscard]] bool collect(const StepRect& core, const Take& take) const {
    for (std::size_t number = 0; number < layers_.size(); ++number) {
      const Layer& layer = layers_[number];
      const Span columns = {floor_div(core.x0, layer.side) - layer.first_column,
                            floor_div(core.x1 - 1, layer.side) - layer.first_column};
      const Span rows = {floor_div(core.y0, layer.side) - layer.first_row,
                         floor_div(core.y1 - 1, layer.side) - layer.first_row};
      for (std::int64_t row = rows.first; row <= rows.last; ++row) {
        for (std::int64_t column = columns.first; column <= columns.last; ++column) {
          const std::size_t cell = layer.index(column, row);
          if (states_[cell] == State::kUnknown) {
            return false;
          }
          const std::int64_t x = window_.x0 + darts_[cell].x;
          const std::int64_t y = window_.y0 + darts_[cell].y;
          if (states_[cell] == State::kPoint && x >= core.x0 && x < core.x1 && y >= core.y0 && y < core.y1) {
            take(number, x, y);
          }
        }
      }
    }
    return true;
  }

 private:
  enum class State : std::uint8_t {
    kPending,  ///< has a dart that waits for its time
    kPoint,    ///< holds a point, for ever
    kOver,     ///< its last dart has fallen, none became a point
    kUnknown,  ///< depends on what lies outside the window
  };
  enum class Verdict : std::uint8_t {
    kFree,      ///< no known point is in conflict with the dart
    kConflict,  ///< one is
    kHopeless,  ///< one is in conflict with every dart of the cell
  };
  struct Span {
    std::int64_t first;
    std::int64_t last;
  };
  /// The cells of one layer that overlap the window, row-major from `offset` in the arrays.
  struct Layer {
    std::int64_t side;
    std::int64_t first_column;  ///< cell indices on the plane
    std::int64_t first_row;
    std::int64_t columns;
    std::int64_t rows;
    std::int64_t x0;  ///< corner of the first cell, in steps from the window's corner
    std::int64_t y0;
    std::size_t offset;
    double per_side;  ///< 1 / side

    [[nodiscard]] std::size_t index(std::int64_t column, std::int64_t row) const noexcept {
      return offset + static_cast<std::size_t>(row * columns + column);
    }
    /// Cells that positions `from` to `to`, in steps from the first cell's corner, lie in; perhaps one more
    /// at either end, and some negative number for what lies before the first.
    [[nodiscard]] Span cells(std::int64_t from, std::int64_t to) const noexcept {
      constexpr double kMargin = 1e-6;  // beyond the rounding of the product
      return {static_cast<std::int64_t>(static_cast<double>(from) * per_side + (1 - kMargin)) - 1,
              static_cast<std::int64_t>(static_cast<double>(to) * per_side + (1 + kMargin)) - 1};
    }
  };

  [[nodiscard]] std::uint64_t event_key(std::size_t cell) const noexcept {
    // Times are >= 0, so their bits order as they do. Ties: by layer, then by row-major place in the window,
    // which is the same order in every window.
    return (std::uint64_t{std::bit_cast<std::uint32_t>(darts_[cell].time)} << 32) | cell;
  }

  /// Number of cells with a first dart, whose events fill the front of the heap.
  [[nodiscard]] std::size_t begin() {
    std::size_t events = 0;
    for (std::size_t number = 0; number < layers_.size(); ++number) {
      const Layer& layer = layers_[number];
      for (std::int64_t row = 0; row < layer.rows; ++row) {
        for (std::int64_t column = 0; column < layer.columns; ++column) {
          const std::size_t cell = layer.index(column, row);
          darts_[cell] = RainDart{};
          states_[cell] = State::kOver;
          if (next(number, column, row, darts_[cell])) {
            states_[cell] = State::kPending;
            heap_[events++] = event_key(cell);
          }
        }
      }
    }
    return events;
  }

  [[nodiscard]] Status place(const StepRect& window) {
    window_ = window;
    layers_.clear();
    std::size_t cells = 0;
    for (std::size_t number = 0; number < model_.layers(); ++number) {
      const std::int64_t side = model_.side(number);
      const std::int64_t column = floor_div(window.x0, side);
      const std::int64_t row = floor_div(window.y0, side);
      layers_.push_back({side, column, row, floor_div(window.x1 - 1, side) + 1 - column,
                         floor_div(window.y1 - 1, side) + 1 - row, column * side - window.x0,
                         row * side - window.y0, cells, 1 / static_cast<double>(side)});
      cells += static_cast<std::size_t>(layers_.back().columns * layers_.back().rows);
    }
    STREW_RETURN_IF_ERROR(states_.reserve(cells));
    STREW_RETURN_IF_ERROR(darts_.reserve(cells));
    return heap_.reserve(cells);
  }

  [[nodiscard]] bool next(std::size_t number, std::int64_t column, std::int64_t row, RainDart& dart) const {
    const Layer& layer = layers_[number];
    if (!model_.next(number, layer.first_column + column, layer.first_row + row, dart)) {
      return false;
    }
    dart.x += static_cast<std::int32_t>(layer.x0 + column * layer.side);
    dart.y += static_cast<std::int32_t>(layer.y0 + row * layer.side);
    return true;
  }

  /// Lets the dart of a pending cell land; true when the cell stays pending with a later dart.
  [[nodiscard]] bool land(std::size_t cell) {
    std::size_t number = layers_.size() - 1;
    while (layers_[number].offset > cell) {
      --number;
    }
    bool unknown = false;
    Verdict verdict = look(number, cell, number, unknown);  // most conflicts are with the own layer
    for (std::size_t other = 0; other < layers_.size() && verdict == Verdict::kFree; ++other) {
      verdict = other == number ? Verdict::kFree : look(number, cell, other, unknown);
    }
    if (verdict == Verdict::kFree) {
      states_[cell] = unknown ? State::kUnknown : State::kPoint;
      return false;
    }
    // Lost whatever the unknown cells hold, and where the next one falls depends on nothing.
    if (verdict == Verdict::kConflict) {
      const Layer& layer = layers_[number];
      const auto place = static_cast<std::int64_t>(cell - layer.offset);
      if (next(number, place % layer.columns, place / layer.columns, darts_[cell])) {
        return true;
      }
    }
    states_[cell] = State::kOver;
    return false;
  }

  /// What the known points of layer `other` mean for the dart of a cell of layer `number`; sets `unknown`
  /// when an unknown point might be in conflict.
  [[nodiscard]] Verdict look(std::size_t number, std::size_t of, std::size_t other, bool& unknown) const {
    const RainDart& dart = darts_[of];
    const Layer& layer = layers_[other];
    const std::int64_t reach = model_.reach(number, dart, other);
    Span columns = layer.cells(dart.x - reach + 1 - layer.x0, dart.x + reach - 1 - layer.x0);
    Span rows = layer.cells(dart.y - reach + 1 - layer.y0, dart.y + reach - 1 - layer.y0);
    if (columns.first < 0 || rows.first < 0 || columns.last >= layer.columns || rows.last >= layer.rows) {
      unknown = true;
      columns = {std::max<std::int64_t>(columns.first, 0), std::min(columns.last, layer.columns - 1)};
      rows = {std::max<std::int64_t>(rows.first, 0), std::min(rows.last, layer.rows - 1)};
    }
    for (std::int64_t row = rows.first; row <= rows.last; ++row) {
      for (std::int64_t column = columns.first; column <= columns.last; ++column) {
        const std::size_t cell = layer.index(column, row);
        if (states_[cell] == State::kPoint) {
          const std::int64_t dx = darts_[cell].x - dart.x;
          const std::int64_t dy = darts_[cell].y - dart.y;
          const std::int64_t doubled = model_.doubled_distance(number, dart, other, darts_[cell]);
          if (4 * (dx * dx + dy * dy) < doubled * doubled) {
            return covers_cell(number, of, other, darts_[cell]) ? Verdict::kHopeless : Verdict::kConflict;
          }
        } else if (states_[cell] == State::kUnknown) {
          unknown = unknown || within(layer, column, row, dart, reach);
        }
      }
    }
    return Verdict::kFree;
  }

  /// Whether every dart of the cell is in conflict with the point.
  [[nodiscard]] bool covers_cell(std::size_t number, std::size_t cell, std::size_t other,
                                 const RainDart& point) const noexcept {
    const Layer& layer = layers_[number];
    const auto place = static_cast<std::int64_t>(cell - layer.offset);
    const std::int64_t x = layer.x0 + place % layer.columns * layer.side;
    const std::int64_t y = layer.y0 + place / layer.columns * layer.side;
    const std::int64_t dx = std::max(std::abs(x - point.x), std::abs(x + layer.side - 1 - point.x));
    const std::int64_t dy = std::max(std::abs(y - point.y), std::abs(y + layer.side - 1 - point.y));
    const std::int64_t doubled = model_.least_doubled(number, other, point);
    return 4 * (dx * dx + dy * dy) < doubled * doubled;
  }

  /// Whether some position of the cell is closer to the dart than `reach`.
  [[nodiscard]] static bool within(const Layer& layer, std::int64_t column, std::int64_t row,
                                   const RainDart& dart, std::int64_t reach) noexcept {
    const std::int64_t x = layer.x0 + column * layer.side;
    const std::int64_t y = layer.y0 + row * layer.side;
    const std::int64_t dx = std::max({std::int64_t{0}, x - dart.x, dart.x - (x + layer.side - 1)});
    const std::int64_t dy = std::max({std::int64_t{0}, y - dart.y, dart.y - (y + layer.side - 1)});
    return dx * dx + dy * dy < reach * reach;
  }

  const Model& model_;
  StepRect window_;
  std::vector<Layer> layers_;
  Scratch<State> states_;
  Scratch<RainDart> darts_;
  Scratch<std::uint64_t> heap_;
};

}  // namespace strew::poisson
