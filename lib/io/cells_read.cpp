#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>

#include "cells_names.hpp"
#include "strew/io/cells.hpp"

namespace strew {
namespace {

Result<std::string> read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return make_error(StatusCode::kNotFound, "is no file that can be read", path);
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && !file.eof()) {
    return make_error(StatusCode::kIo, "reading failed", path);
  }
  return bytes;
}

Status check_size(std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1 || width > kMaxGridSide || height > kMaxGridSide ||
      static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) > kMaxPatternCells) {
    return invalid_argument("holds " + std::to_string(width) + "x" + std::to_string(height) +
                            " cells; expected sides of at least 1 and at most 2^35 cells");
  }
  return {};
}

class PbmReader {
 public:
  explicit PbmReader(std::string_view text) noexcept : text_(text) {}

  Result<BitGrid> read() {
    const bool binary = text_.starts_with("P4");
    if (!binary && !text_.starts_with("P1")) {
      return invalid_argument("is no PBM file: it begins with neither P1 nor P4");
    }
    at_ = 2;
    STREW_ASSIGN(const std::int64_t width, number());
    STREW_ASSIGN(const std::int64_t height, number());
    STREW_RETURN_IF_ERROR(check_size(width, height));
    const std::int64_t row_bytes = (width + 7) / 8;
    // Checked before memory is taken: a short file cannot ask for much.
    const std::int64_t needed = binary ? row_bytes * height : width * height;
    ++at_;  // one white space, then the data
    if (static_cast<std::int64_t>(text_.size()) - static_cast<std::int64_t>(at_) < needed) {
      return invalid_argument("is truncated: " + std::to_string(width) + "x" + std::to_string(height) +
                              " cells need " + std::to_string(needed) + " bytes after the header");
    }
    STREW_ASSIGN(BitGrid grid, BitGrid::create(width, height));
    for (std::int64_t y = height; y-- > 0;) {
      for (std::int64_t x = 0; x < width; ++x) {
        if (binary) {
          const auto byte = static_cast<std::uint8_t>(text_[at_ + static_cast<std::size_t>(x / 8)]);
          grid.set(x, y, ((byte >> (7 - x % 8)) & 1) != 0);
          continue;
        }
        skip();
        if (at_ >= text_.size() || (text_[at_] != '0' && text_[at_] != '1')) {
          return invalid_argument("byte " + std::to_string(at_) + ": expected 0 or 1");
        }
        grid.set(x, y, text_[at_++] == '1');
      }
      at_ += binary ? static_cast<std::size_t>(row_bytes) : 0;
    }
    return grid;
  }

 private:
  void skip() noexcept {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r')) {
        ++at_;
      } else {
        return;
      }
    }
  }
  Result<std::int64_t> number() {
    skip();
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) {
      return invalid_argument("byte " + std::to_string(at_) + ": expected a number, the width or the height");
    }
    at_ = static_cast<std::size_t>(next - text_.data());
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The value of a key of an NPY header, up to the next comma outside brackets.
std::string_view npy_value(std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos) {
    return {};
  }
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::size_t end = rest.starts_with('(') ? rest.find(')') + 1 : rest.find_first_of(",}");
  return rest.substr(0, end);
}

Result<BitGrid> read_npy(std::string_view text) {
  constexpr std::size_t kPrefix = 10;
  if (text.size() < kPrefix || !text.starts_with("\x93NUMPY\x01")) {
    return invalid_argument("is no NPY file of format 1");
  }
  const std::size_t length = static_cast<std::uint8_t>(text[8]) + 256U * static_cast<std::uint8_t>(text[9]);
  const std::string_view header = text.substr(kPrefix, length);
  const std::string_view type = npy_value(header, "descr");
  if (type != "'|u1'" && type != "'|b1'" && type != "'|i1'") {
    return invalid_argument("holds " + std::string(type) + "; expected bool or 8-bit integers");
  }
  if (npy_value(header, "fortran_order") != "False") {
    return invalid_argument("is in Fortran's order; save it with numpy.ascontiguousarray");
  }
  const std::string_view shape = npy_value(header, "shape");
  std::int64_t height = 0;
  std::int64_t width = 0;
  const char* const end = shape.data() + shape.size();
  const char* at = shape.data() + (shape.empty() ? 0 : 1);
  auto first = std::from_chars(at, end, height);
  bool good = first.ec == std::errc() && first.ptr != end && *first.ptr == ',';
  if (good) {
    at = std::find_if(first.ptr + 1, end, [](char c) { return c != ' '; });
    first = std::from_chars(at, end, width);
    good = first.ec == std::errc() && first.ptr != end && *first.ptr == ')';
  }
  if (!good) {
    return invalid_argument("has the shape " + std::string(shape) + "; expected (height, width)");
  }
  STREW_RETURN_IF_ERROR(check_size(width, height));
  const auto needed = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (text.size() < kPrefix + length || text.size() - kPrefix - length < needed) {
    return invalid_argument("is truncated: " + std::to_string(needed) + " cells need as many bytes");
  }
  STREW_ASSIGN(BitGrid grid, BitGrid::create(width, height));
  std::size_t cell = kPrefix + length;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      grid.set(x, y, text[cell++] != '\0');
    }
  }
  return grid;
}

Result<RlePattern> read(const std::string& path) {
  const std::string extension = io::cells_extension(path);
  if (extension != ".rle" && extension != ".pbm" && extension != ".npy") {
    return invalid_argument("has " +
                                (extension.empty() ? "no extension" : "the extension \"" + extension + "\"") +
                                "; cells are read from .rle, .pbm or .npy",
                            path);
  }
  STREW_ASSIGN(const std::string text, read_file(path));
  if (extension == ".rle") {
    auto pattern = parse_rle(text);
    if (!pattern.ok()) {
      Status status = pattern.status();
      status.where = path;
      return status;
    }
    return pattern;
  }
  auto grid = extension == ".pbm" ? PbmReader(text).read() : read_npy(text);
  if (!grid.ok()) {
    Status status = grid.status();
    status.where = path;
    return status;
  }
  return RlePattern{std::move(grid).value(), {}, {}};
}

}  // namespace

Result<RlePattern> read_cells(const std::string& path) {
  try {
    return read(path);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "not enough memory for the file's contents", path);
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal, std::string("reading failed: ") + exception.what(), path);
  }
}

}  // namespace strew
