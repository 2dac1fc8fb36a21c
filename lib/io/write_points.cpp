#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <exception>
#include <filesystem>
#include <new>

#include "points_picture.hpp"
#include "strew/io/files.hpp"

namespace strew {
namespace {

constexpr std::array<std::string_view, 4> kExtensions = {".csv", ".npy", ".ply", ".png"};

/// Little-endian on every machine.
void append_double(std::string& out, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int shift = 0; shift < 64; shift += 8) {
    out.push_back(static_cast<char>((bits >> shift) & 0xFFU));
  }
}

/// Shortest text that reads back as the same double, never with an exponent: every reader takes it, and a
/// distance computed from it is the distance computed from the doubles.
void append_text(std::string& out, double value) {
  std::array<char, 64> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  out.append(buffer.data(), end.ptr);
}

/// Sets of several classes get a column more, set of one class none.
bool has_classes(const PointSet& points) noexcept {
  return !points.class_of.empty();
}

std::string csv(const PointSet& points) {
  constexpr std::size_t kTypicalLine = 46;
  std::string out;
  out.reserve(points.size() * kTypicalLine + 10);
  out += has_classes(points) ? "x,y,class\n" : "x,y\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    append_text(out, to_metres(points.unit_x(i)));
    out += ",";
    append_text(out, to_metres(points.unit_y(i)));
    if (has_classes(points)) {
      out += "," + std::to_string(points.class_of[i]);
    }
    out += "\n";
  }
  return out;
}

/// NumPy's format 1.0: magic, version, length of the header, header padded so that the data starts at a
/// multiple of 64.
std::string npy(const PointSet& points) {
  constexpr std::size_t kPrefix = 10;
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(points.size()) +
                       (has_classes(points) ? ", 3), }" : ", 2), }");
  const std::size_t padded = (kPrefix + header.size() + 1 + 63) / 64 * 64 - kPrefix;
  header.append(padded - header.size() - 1, ' ');
  header += '\n';
  std::string out;
  out.reserve(kPrefix + header.size() + points.size() * 24);
  out.append("\x93NUMPY\x01\x00", 8);
  out.push_back(static_cast<char>(header.size() & 0xFFU));
  out.push_back(static_cast<char>(header.size() >> 8));
  out += header;
  for (std::size_t i = 0; i < points.size(); ++i) {
    append_double(out, to_metres(points.unit_x(i)));
    append_double(out, to_metres(points.unit_y(i)));
    if (has_classes(points)) {
      append_double(out, points.class_of[i]);
    }
  }
  return out;
}

std::string ply(const PointSet& points) {
  const std::string header = "ply\nformat binary_little_endian 1.0\nelement vertex " +
                             std::to_string(points.size()) +
                             "\nproperty double x\nproperty double y\nproperty double z\n" +
                             (has_classes(points) ? "property uchar class\n" : "") + "end_header\n";
  std::string out;
  out.reserve(header.size() + points.size() * 25);
  out += header;
  for (std::size_t i = 0; i < points.size(); ++i) {
    append_double(out, to_metres(points.unit_x(i)));
    append_double(out, to_metres(points.unit_y(i)));
    append_double(out, 0);
    if (has_classes(points)) {
      out.push_back(static_cast<char>(points.class_of[i]));
    }
  }
  return out;
}

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

Status write(const std::string& path, const PointSet& points, const Rect& region) {
  STREW_RETURN_IF_ERROR(check_points_path(path));
  const std::string extension = extension_of(path);
  if (points.x.size() != points.y.size()) {
    return invalid_argument("the point set has " + std::to_string(points.x.size()) + " x and " +
                                std::to_string(points.y.size()) + " y values; give as many of each",
                            path);
  }
  if (has_classes(points) && points.class_of.size() != points.size()) {
    return invalid_argument("the point set has " + std::to_string(points.size()) + " points and " +
                                std::to_string(points.class_of.size()) +
                                " classes; give one a point, or none",
                            path);
  }
  if (extension == ".png") {
    if (region.empty()) {
      return invalid_argument("the region of the picture is empty; give x1 > x0 and y1 > y0", path);
    }
    return write_png(path, draw_points(points, region));
  }
  const std::string bytes = extension == ".csv"   ? csv(points)
                            : extension == ".npy" ? npy(points)
                                                  : ply(points);
  return write_file_atomically(path, std::as_bytes(std::span(bytes)));
}

}  // namespace

Status check_points_path(const std::string& path) {
  try {
    const std::string extension = extension_of(path);
    if (std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end()) {
      return {};
    }
    const std::string found = extension.empty() ? "no extension" : "the extension \"" + extension + "\"";
    return invalid_argument("has " + found + "; points are written as .csv, .npy, .ply or .png", path);
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal,
                      std::string("the path cannot be taken apart: ") + exception.what());
  }
}

Status write_points(const std::string& path, const PointSet& points, const Rect& region) {
  try {
    return write(path, points, region);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory,
                      "not enough memory for the file's contents; write a smaller region", path);
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal, std::string("writing failed: ") + exception.what(), path);
  }
}

}  // namespace strew
