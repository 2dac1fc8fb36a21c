// Places of a projected coordinate system on the WGS 84 ellipsoid.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "export_parts.hpp"

namespace strew::exporting {

/// A frame that touches the ellipsoid at the origin of an export: x and y along the projection's axes there,
/// z up. Instances are moved into it one by one, exactly: a plane over a tile of 512 m leaves the ellipsoid
/// by a centimetre, over a region by metres.
class Globe {
 public:
  /// `crs`: what PROJ understands. Refuses what it does not, and what is no projected system in metres.
  [[nodiscard]] static Result<Globe> create(const std::string& crs, const Origin& origin);
  Globe(Globe&&) noexcept;
  Globe& operator=(Globe&&) noexcept;
  Globe(const Globe&) = delete;
  Globe& operator=(const Globe&) = delete;
  ~Globe();

  /// From the frame to earth-centred, earth-fixed metres: 4 x 4, column by column.
  [[nodiscard]] const std::array<double, 16>& to_earth() const noexcept;
  /// Replaces places relative to the origin, z a height above the ellipsoid, by places in the frame, and
  /// turns `lean` into it. Thread-safe.
  [[nodiscard]] Status place(std::vector<Placed>& placed) const;

 private:
  struct Impl;
  explicit Globe(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strew::exporting
