// Reference of poisson/tiled: sequential dart throwing in continuous time over a window of cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cell_lattice.hpp"
#include "dart_region.hpp"
#include "scratch.hpp"

namespace strew::poisson {

enum class CellState : std::uint8_t {
  kPending,  ///< has a dart that waits for its time
  kPoint,    ///< holds a point, for ever
  kVoid,     ///< holds none and has no uncovered position left
  kUnknown,  ///< depends on what lies outside the window
};

/// The process. On the infinite plane darts rain uniformly in space and time; a dart becomes a point unless a
/// point stands closer than the radius when it lands. That is random sequential adsorption, exactly. The fate
/// of a cell depends only on earlier darts within reach, so any order of evaluation that respects those
/// dependencies gives the same points; here the order is time itself, by a heap.
///
/// A lost dart's successor is drawn on the region that the points older than the stage (dart_region.hpp)
/// leave. Freezing the region costs a few draws and frees the order of evaluation inside a stage: where a
/// cell's darts may fall is known before the stage begins. In the late stage it is all earlier points.
///
/// The window's two outer rings of cells lack neighbours: each turns kUnknown when its first dart lands. An
/// unknown cell makes unknown what depends on it later, and nothing else. Every cell that ends as kPoint or
/// kVoid is therefore exactly what it is on the infinite plane.
class EventWindow {
 public:
  explicit EventWindow(const Allocator* allocator) noexcept;

  /// O(n log n) for n cells. The window must be at most 2^16 cells on a side.
  [[nodiscard]] Status evaluate(const CellRect& window, const DartKeys& keys);

  [[nodiscard]] CellState state(std::int64_t x, std::int64_t y) const noexcept {
    return states_[index(x, y)];
  }
  /// Position of the point of a kPoint cell.
  [[nodiscard]] Fraction point(std::int64_t x, std::int64_t y) const noexcept {
    return clocks_[index(x, y)].dart;
  }

 private:
  [[nodiscard]] std::size_t index(std::int64_t x, std::int64_t y) const noexcept {
    return static_cast<std::size_t>((y - window_.y0) * window_.width() + (x - window_.x0));
  }
  [[nodiscard]] bool on_rim(std::int64_t x, std::int64_t y) const noexcept;
  /// Lets the dart of a pending cell land; true when the cell stays pending with a later clock.
  [[nodiscard]] bool land(std::int64_t x, std::int64_t y, const DartKeys& keys);

  CellRect window_;
  Scratch<CellState> states_;
  Scratch<Clock> clocks_;
  Scratch<std::uint64_t> heap_;
  std::array<std::vector<Square>, 2> squares_;
};

}  // namespace strew::poisson
