// Reading and writing points, writing pictures; atomic whole-file writes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "strew/strategy.hpp"

namespace strew {

/// The file that `path` names, where it is a symbolic link: the end of the chain, whether or not it exists;
/// `path` itself where it is none. kInvalidArgument: the links lead in a circle.
[[nodiscard]] Result<std::string> follow_links(const std::string& path);

/// Writes bytes to a temporary name beside `path`, flushes to disk, renames. On failure nothing stands under
/// `path` that did not before, and the message carries the system's words (full disk, permission). A symbolic
/// link stays, and the file that it names is written. So do all writers of files here.
[[nodiscard]] Status write_file_atomically(const std::string& path, std::span<const std::byte> bytes);

/// By the extension of `path`: .csv ("x,y" header, shortest text that round-trips), .npy (float64, shape (n,
/// 2)), .ply (binary little-endian, double x y z), .png (a picture of the points in `region`, at most 2048
/// pixels a side). A set of several classes gets one column more: "class" in .csv, a third float64 in .npy,
/// an uchar in .ply.
[[nodiscard]] Status write_points(const std::string& path, const PointSet& points, const Rect& region);
/// Refuses an extension write_points does not know, before any work is done.
[[nodiscard]] Status check_points_path(const std::string& path);

/// Positions as a file gives them, all finite.
struct PointColumns {
  std::vector<double> x;
  std::vector<double> y;

  [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
};
/// Reads points, told apart by what the file holds: CSV with a header that names the columns x and y (or x_m
/// and y_m) anywhere, fields separated by comma, semicolon or tab; NPY of float64 or float32, shape (n, 2 or
/// more); PLY, ASCII or binary, vertices with x and y. Other columns are ignored. Damaged or truncated files,
/// missing columns, and positions that are not finite are kInvalidArgument, with the line or row. No points
/// at all is a result.
[[nodiscard]] Result<PointColumns> read_points(const std::string& path);

/// 8-bit RGB, row 0 at the top.
struct Image {
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::vector<std::uint8_t> rgb;
};
/// The bytes of a PNG file.
[[nodiscard]] Result<std::vector<std::byte>> encode_png(const Image& image);
[[nodiscard]] Status write_png(const std::string& path, const Image& image);

}  // namespace strew
