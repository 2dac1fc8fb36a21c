// Polygons and lines as fields of signed distance: plots, lakes, roads, rivers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "strew/status.hpp"
#include "strew/types.hpp"

namespace strew {

struct Vertex {
  Coord x = 0;
  Coord y = 0;
  friend constexpr bool operator==(const Vertex&, const Vertex&) = default;
};

using Ring = std::vector<Vertex>;

/// What one Shapes is made of. A ring is closed by itself (its last vertex need not repeat the first). Holes
/// and islands of a polygon are further rings of it, and what is inside is decided by the even-odd rule over
/// its rings: a ring that crosses itself is no error, a place is inside where a ray from it crosses an odd
/// number of edges. What is inside any polygon is inside. Lines have no inside but their buffer.
struct ShapeData {
  std::vector<std::vector<Ring>> polygons;  ///< rings of at least 3 vertices
  std::vector<std::vector<Vertex>> lines;   ///< at least 2 vertices each
  double buffer_m = 0;  ///< grows both: distances count from this far outside; finite, in [0, 10000]
};

/// A prepared ShapeData: immutable, thread-safe. Signed distance is negative inside, positive outside.
class Shapes {
 public:
  /// `reach_m`: beyond this, in (0, 10000], distances are not told apart. Refuses coordinates beyond
  /// +-kCoordLimit, rings and lines that are too short, and more than 2^24 edges. O(edges + cells they
  /// reach).
  [[nodiscard]] static Result<Shapes> create(const ShapeData& data, double reach_m);
  Shapes(Shapes&&) noexcept;
  Shapes& operator=(Shapes&&) noexcept;
  Shapes(const Shapes&) = delete;
  Shapes& operator=(const Shapes&) = delete;
  ~Shapes();

  /// Metres from the nearest edge (less buffer_m), below 0 inside; where polygons overlap, edges inside
  /// another one count too. Clamped to [-reach_m, reach_m]. A function of the shapes and the place alone, the
  /// same bits everywhere. Empty shapes are reach_m away from everything.
  [[nodiscard]] double signed_distance(Coord x, Coord y) const noexcept;
  [[nodiscard]] double reach_m() const noexcept;
  /// Of all that signed_distance() depends on in `area`: where two Shapes agree in it, they agree at every
  /// place of the area, but for a chance of 2^-64; what is changed farther than their reach and their buffer
  /// from the area does not enter, unless it puts the area inside or outside a polygon. O(edges near the area
  /// + those of its southern edge's row).
  [[nodiscard]] Result<std::uint64_t> fingerprint(const Rect& area) const;
  /// Number of edges, for reports.
  [[nodiscard]] std::size_t edges() const noexcept;

 private:
  struct Impl;
  explicit Shapes(std::unique_ptr<const Impl> impl) noexcept;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace strew
