#include "event_window.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace strew::poisson {
namespace {

/// Orders events by time, ties by row-major place. Times are >= 0, so their bits order as they do.
std::uint64_t event_key(float time, std::size_t cell) noexcept {
  return (std::uint64_t{std::bit_cast<std::uint32_t>(time)} << 32) | cell;
}

/// Whether some position of the neighbour cell is in conflict with `dart` in the centre cell.
bool cell_in_reach(CellOffset neighbour, Fraction dart) noexcept {
  const std::int32_t x0 = neighbour.x * kCellSteps;
  const std::int32_t y0 = neighbour.y * kCellSteps;
  const std::int32_t dx = std::max({0, x0 - dart.x, dart.x - (x0 + kCellSteps - 1)});
  const std::int32_t dy = std::max({0, y0 - dart.y, dart.y - (y0 + kCellSteps - 1)});
  return in_conflict(dx, dy);
}

}  // namespace

EventWindow::EventWindow(const Allocator* allocator) noexcept
    : states_(allocator), clocks_(allocator), heap_(allocator) {}

bool EventWindow::on_rim(std::int64_t x, std::int64_t y) const noexcept {
  constexpr std::int64_t kReach = 2;
  return x < window_.x0 + kReach || x >= window_.x1 - kReach || y < window_.y0 + kReach ||
         y >= window_.y1 - kReach;
}

bool EventWindow::land(std::int64_t x, std::int64_t y, const DartKeys& keys) {
  const std::size_t cell = index(x, y);
  if (on_rim(x, y)) {
    states_[cell] = CellState::kUnknown;
    return false;
  }
  Clock& clock = clocks_[cell];
  const std::size_t stage = stage_of(clock.time);
  Surroundings around;  // points that stood when the stage began; in the late one all
  Surroundings fresh;   // points of this stage
  bool region_known = true;
  bool unknown_in_reach = false;
  for (std::size_t k = 0; k < kNeighbours.size(); ++k) {
    const std::size_t neighbour = index(x + kNeighbours[k].x, y + kNeighbours[k].y);
    const bool old = stage == kLateStage || clocks_[neighbour].time < stage_begin(stage);
    if (states_[neighbour] == CellState::kPoint) {
      (old ? around : fresh).add(k, clocks_[neighbour].dart);
    } else if (states_[neighbour] == CellState::kUnknown) {
      region_known = region_known && !old;
      unknown_in_reach = unknown_in_reach || cell_in_reach(kNeighbours[k], clock.dart);
    }
  }
  const bool covered = !clock.has_dart || around.covers(clock.dart) || fresh.covers(clock.dart);
  // A dart on covered ground is lost whatever the unknown cells hold, but where the next one falls depends on
  // what stood when the stage began.
  if (covered ? !region_known : unknown_in_reach) {
    states_[cell] = CellState::kUnknown;
    return false;
  }
  if (!covered) {
    states_[cell] = CellState::kPoint;
    return false;
  }
  if (next_dart(keys, x, y, around, stage_end(stage), clock, squares_) != NextDart::kVoid) {
    return true;
  }
  states_[cell] = CellState::kVoid;
  return false;
}

Status EventWindow::evaluate(const CellRect& window, const DartKeys& keys) {
  window_ = window;
  const auto cells = static_cast<std::size_t>(window.width() * window.height());
  STREW_RETURN_IF_ERROR(states_.reserve(cells));
  STREW_RETURN_IF_ERROR(clocks_.reserve(cells));
  STREW_RETURN_IF_ERROR(heap_.reserve(cells));
  std::size_t cell = 0;
  for (std::int64_t y = window.y0; y < window.y1; ++y) {
    for (std::int64_t x = window.x0; x < window.x1; ++x, ++cell) {
      states_[cell] = CellState::kPending;
      clocks_[cell] = first_dart(keys, x, y);
      heap_[cell] = event_key(clocks_[cell].time, cell);
    }
  }
  std::uint64_t* const first = heap_.data();
  std::uint64_t* last = first + cells;
  std::make_heap(first, last, std::greater<>{});
  while (last != first) {
    std::pop_heap(first, last, std::greater<>{});
    cell = static_cast<std::size_t>(*(last - 1) & 0xFFFFFFFFU);
    const auto row = static_cast<std::int64_t>(cell) / window.width();
    const auto column = static_cast<std::int64_t>(cell) % window.width();
    if (land(window.x0 + column, window.y0 + row, keys)) {
      *(last - 1) = event_key(clocks_[cell].time, cell);
      std::push_heap(first, last, std::greater<>{});
    } else {
      --last;
    }
  }
  return {};
}

}  // namespace strew::poisson
