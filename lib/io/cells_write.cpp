#include <algorithm>
#include <bit>
#include <exception>
#include <filesystem>
#include <new>

#include "cells_names.hpp"
#include "strew/io/cells.hpp"

namespace strew {
namespace {

/// PBM's bits run from the highest; 1 is black, here alive.
std::string pbm(const BitGrid& cells) {
  std::string out = "P4\n" + std::to_string(cells.width()) + " " + std::to_string(cells.height()) + "\n";
  const std::int64_t bytes = (cells.width() + 7) / 8;
  out.reserve(out.size() + static_cast<std::size_t>(bytes * cells.height()));
  for (std::int64_t y = cells.height(); y-- > 0;) {
    for (std::int64_t i = 0; i < bytes; ++i) {
      auto byte = static_cast<std::uint8_t>(cells.row(y)[i / 8] >> (8 * (i % 8)));
      byte = static_cast<std::uint8_t>((byte & 0xF0U) >> 4 | (byte & 0x0FU) << 4);
      byte = static_cast<std::uint8_t>((byte & 0xCCU) >> 2 | (byte & 0x33U) << 2);
      byte = static_cast<std::uint8_t>((byte & 0xAAU) >> 1 | (byte & 0x55U) << 1);
      out.push_back(static_cast<char>(byte));
    }
  }
  return out;
}

std::string npy(const BitGrid& cells) {
  constexpr std::size_t kPrefix = 10;
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" +
                       std::to_string(cells.height()) + ", " + std::to_string(cells.width()) + "), }";
  const std::size_t padded = (kPrefix + header.size() + 1 + 63) / 64 * 64 - kPrefix;
  header.append(padded - header.size() - 1, ' ');
  header += '\n';
  std::string out;
  out.reserve(kPrefix + header.size() + static_cast<std::size_t>(cells.width() * cells.height()));
  out.append("\x93NUMPY\x01\x00", 8);
  out.push_back(static_cast<char>(header.size() & 0xFFU));
  out.push_back(static_cast<char>(header.size() >> 8));
  out += header;
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) {
      out.push_back(cells.get(x, y) ? '\1' : '\0');
    }
  }
  return out;
}

/// Living cells of columns [x0, x1) of a row.
std::int64_t living(const std::uint64_t* row, std::int64_t x0, std::int64_t x1) noexcept {
  std::int64_t count = 0;
  for (std::int64_t x = x0; x < x1;) {
    const std::int64_t bit = x % 64;
    const std::int64_t length = std::min(x1 - x, 64 - bit);
    const std::uint64_t ones = length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
    count += std::popcount((row[x / 64] >> bit) & ones);
    x += length;
  }
  return count;
}

Status write(const std::string& path, const BitGrid& cells, const AutomatonRule& rule, Border border) {
  STREW_RETURN_IF_ERROR(check_cells_path(path, border));
  const std::string extension = io::cells_extension(path);
  if (extension == ".png") {
    return write_png(path, draw_cells(cells));
  }
  std::string bytes;
  if (extension == ".rle") {
    STREW_ASSIGN(bytes, format_rle(cells, rule, border));
  } else {
    bytes = extension == ".pbm" ? pbm(cells) : npy(cells);
  }
  return write_file_atomically(path, std::as_bytes(std::span(bytes)));
}

}  // namespace

namespace io {

std::string cells_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

}  // namespace io

Status check_cells_path(const std::string& path, Border border) {
  try {
    const std::string extension = io::cells_extension(path);
    if (extension == ".rle" && border == Border::kAlive) {
      return invalid_argument(
          "cannot express an alive border; write .pbm, .png or .npy, or use dead or periodic", path);
    }
    if (extension == ".rle" || extension == ".pbm" || extension == ".png" || extension == ".npy") {
      return {};
    }
    return invalid_argument("has " +
                                (extension.empty() ? "no extension" : "the extension \"" + extension + "\"") +
                                "; cells are written as .rle, .pbm, .png or .npy",
                            path);
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal,
                      std::string("the path cannot be taken apart: ") + exception.what());
  }
}

Image draw_cells(const BitGrid& cells, std::int32_t most_pixels) {
  const std::int64_t longest = std::max(cells.width(), cells.height());
  const std::int64_t side = std::max<std::int64_t>(1, (longest + most_pixels - 1) / most_pixels);
  Image image;
  image.width = static_cast<std::int32_t>((cells.width() + side - 1) / side);
  image.height = static_cast<std::int32_t>((cells.height() + side - 1) / side);
  image.rgb.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
  constexpr std::int64_t kLight[3] = {244, 241, 228};
  constexpr std::int64_t kDark[3] = {30, 66, 38};
  std::size_t at = 0;
  for (std::int32_t py = 0; py < image.height; ++py) {
    // Pictures are read from the top: the first row is that of largest y.
    const std::int64_t y1 = cells.height() - py * side;
    const std::int64_t y0 = std::max<std::int64_t>(0, y1 - side);
    for (std::int64_t x0 = 0; x0 < cells.width(); x0 += side) {
      const std::int64_t x1 = std::min(x0 + side, cells.width());
      std::int64_t count = 0;
      for (std::int64_t y = y0; y < y1; ++y) {
        count += living(cells.row(y), x0, x1);
      }
      const std::int64_t all = (x1 - x0) * (y1 - y0);
      for (int channel = 0; channel < 3; ++channel) {
        image.rgb[at++] = static_cast<std::uint8_t>(
            (kLight[channel] * (all - count) + kDark[channel] * count + all / 2) / all);
      }
    }
  }
  return image;
}

Status write_cells(const std::string& path, const BitGrid& cells, const AutomatonRule& rule, Border border) {
  try {
    return write(path, cells, rule, border);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory,
                      "not enough memory for the file's contents; write a region of it", path);
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal, std::string("writing failed: ") + exception.what(), path);
  }
}

}  // namespace strew
