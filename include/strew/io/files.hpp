// Writing points and pictures; atomic whole-file writes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "strew/strategy.hpp"

namespace strew {

/// Writes bytes to a temporary name beside `path`, flushes to disk, renames. On failure nothing stands under `path` that
/// did not before, and the message carries the system's words (full disk, permission).
[[nodiscard]] Status write_file_atomically(const std::string& path, std::span<const std::byte> bytes);

/// By the extension of `path`: .csv ("x,y" header, shortest text that round-trips), .npy (float64, shape (n, 2)),
/// .ply (binary little-endian, double x y z), .png (a picture of the points in `region`, at most 2048 pixels a side).
[[nodiscard]] Status write_points(const std::string& path, const PointSet& points, const Rect& region);
/// Refuses an extension write_points does not know, before any work is done.
[[nodiscard]] Status check_points_path(const std::string& path);

/// 8-bit RGB, row 0 at the top.
struct Image {
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::vector<std::uint8_t> rgb;
};
[[nodiscard]] Status write_png(const std::string& path, const Image& image);

}  // namespace strew
