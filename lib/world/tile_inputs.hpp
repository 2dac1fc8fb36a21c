// What a tile was made from: a fingerprint of the terrain that it read.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>

#include "bytes.hpp"
#include "strew/random.hpp"
#include "strew/scatter.hpp"
#include "strew/shapes.hpp"

namespace strew {

namespace tile_inputs {

template <class T>
std::uint64_t fingerprint_of(const RasterView<T>& view, const std::vector<T>& data,
                             std::uint64_t seed) noexcept {
  const std::uint64_t frame[] = {static_cast<std::uint64_t>(view.width),
                                 static_cast<std::uint64_t>(view.height),
                                 static_cast<std::uint64_t>(view.x0),
                                 static_cast<std::uint64_t>(view.y0),
                                 static_cast<std::uint64_t>(view.first_column),
                                 static_cast<std::uint64_t>(view.first_row),
                                 std::bit_cast<std::uint64_t>(view.dx),
                                 std::bit_cast<std::uint64_t>(view.dy),
                                 view.has_nodata ? 1U : 0U};
  seed = checksum_bytes(seed, std::as_bytes(std::span(frame)));
  if (view.has_nodata) {
    seed = checksum_bytes(seed, std::as_bytes(std::span(&view.nodata, 1)));
  }
  return checksum_bytes(seed, std::as_bytes(std::span(data)));
}

}  // namespace tile_inputs

/// Every bit that a tile can see of a window over `need`: samples, their places, what is nodata, of the
/// rasters and of the maps; and the shapes there. The slope is a function of the elevation and of the frame.
[[nodiscard]] inline Status add_window_fingerprint(const Rect& need, const TerrainWindow& window,
                                                   std::uint64_t& seed) {
  seed = tile_inputs::fingerprint_of(window.view.elevation, window.elevation, seed);
  seed = tile_inputs::fingerprint_of(window.view.biome, window.biome, seed);
  for (std::size_t i = 0; i < window.view.maps.size(); ++i) {
    seed = tile_inputs::fingerprint_of(window.view.maps[i], window.map_data[i], seed);
  }
  for (const Shapes* shapes : window.view.shapes) {
    STREW_ASSIGN(const std::uint64_t one, shapes->fingerprint(need));
    seed = mix64(seed ^ mix64(one));
  }
  return {};
}

/// Of what a tile saw of the terrain, and of what its census says about it (0: no layer has an amount).
[[nodiscard]] inline std::uint64_t tile_fingerprint(std::uint64_t terrain, std::uint64_t census) noexcept {
  return census == 0 ? terrain : mix64(terrain ^ mix64(census));
}

/// Passes window requests on, times them and takes their fingerprint. One per tile, so it is used by one
/// thread.
class WatchedTerrain final : public TerrainSource {
 public:
  explicit WatchedTerrain(const TerrainSource& source) : source_(source) {}
  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    const auto start = std::chrono::steady_clock::now();
    Status status = source_.window(need, out);
    if (status.ok()) {
      status = add_window_fingerprint(need, out, fingerprint_);
    }
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return status;
  }
  [[nodiscard]] double seconds() const noexcept { return seconds_; }
  [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }

 private:
  const TerrainSource& source_;
  mutable double seconds_ = 0;
  mutable std::uint64_t fingerprint_ = 0;
};

}  // namespace strew
