// Points from NumPy's format: float64 or float32 of shape (n, 2 or more), in either order and byte order.
//
// Source: numpy.lib.format, versions 1.0 to 3.0.
#include <charconv>
#include <optional>

#include "little_bytes.hpp"
#include "point_file.hpp"

namespace strew {
namespace {

struct Array {
  std::size_t item = 8;  ///< bytes of a number
  bool big_endian = false;
  bool fortran_order = false;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
};

/// The text of a key's value in the header's dictionary, from its colon on.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "'");
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t colon = header.find(':', at);
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t begin = header.find_first_not_of(' ', colon + 1);
  return begin == std::string_view::npos ? std::nullopt : std::optional(header.substr(begin));
}

/// "(n, k" and nothing more than a comma before the bracket.
bool parse_shape(std::string_view text, Array& array) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto skip = [&](char c) {
    while (at != end && *at == ' ') {
      ++at;
    }
    if (at == end || *at != c) {
      return false;
    }
    ++at;
    while (at != end && *at == ' ') {
      ++at;
    }
    return true;
  };
  const auto number = [&](std::uint64_t& value) {
    const auto [next, error] = std::from_chars(at, end, value);
    const bool read = error == std::errc() && next != at;
    at = next;
    return read;
  };
  if (!skip('(') || !number(array.rows) || !skip(',') || !number(array.columns)) {
    return false;
  }
  skip(',');
  return skip(')') && array.columns >= 2;
}

Result<Array> parse_header(const std::string& path, std::string_view header) {
  const auto type = value_of(header, "descr");
  const auto order = value_of(header, "fortran_order");
  const auto shape = value_of(header, "shape");
  if (!type || !order || !shape) {
    return invalid_argument(
        "the header lacks descr, fortran_order or shape: the file is damaged; write it "
        "again",
        path);
  }
  Array array;
  const std::string_view name = type->substr(0, 5);
  if (name == "'<f8'" || name == "'>f8'" || name == "'<f4'" || name == "'>f4'") {
    array.item = name[3] == '8' ? 8 : 4;
    array.big_endian = name[1] == '>';
  } else {
    return invalid_argument("expected numbers of type float64 or float32, found " +
                                std::string(type->substr(0, type->find(','))) +
                                "; convert with array.astype('float64')",
                            path);
  }
  array.fortran_order = order->starts_with("True");
  if (!parse_shape(*shape, array)) {
    return invalid_argument("expected the shape (n, 2) or wider, found " +
                                std::string(shape->substr(0, shape->find(')') + 1)) +
                                "; give one row per point with x and y first",
                            path);
  }
  return array;
}

}  // namespace

Result<PointColumns> read_points_npy(const std::string& path, std::string_view bytes) {
  constexpr std::size_t kMagic = 8;
  const Status truncated =
      invalid_argument("ends inside its header: the file is truncated; write it again", path);
  if (bytes.size() < kMagic + 2) {
    return truncated;
  }
  const unsigned version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) {
    return invalid_argument(
        "is of the .npy version " + std::to_string(version) + "; versions 1 to 3 can be read", path);
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < kMagic + length_bytes) {
    return truncated;
  }
  const std::size_t length = bytes_to_word(bytes.data() + kMagic, length_bytes, false);
  std::string_view data = bytes.substr(kMagic + length_bytes);
  if (data.size() < length) {
    return truncated;
  }
  STREW_ASSIGN(const Array array, parse_header(path, data.substr(0, length)));
  data.remove_prefix(length);
  // Division, because the product of a damaged shape may not fit.
  const std::uint64_t numbers = data.size() / array.item;
  if (array.rows != 0 && (array.columns > numbers || array.rows > numbers / array.columns)) {
    return invalid_argument("the header promises " + std::to_string(array.rows) + " rows of " +
                                std::to_string(array.columns) + " numbers and the file holds " +
                                std::to_string(numbers) + " numbers: the file is truncated; write it again",
                            path);
  }
  PointColumns points;
  points.x.reserve(array.rows);
  points.y.reserve(array.rows);
  for (std::uint64_t row = 0; row < array.rows; ++row) {
    const std::uint64_t at_x = array.fortran_order ? row : row * array.columns;
    const std::uint64_t at_y = array.fortran_order ? array.rows + row : at_x + 1;
    const double x = bytes_to_real(data.data() + at_x * array.item, array.item, array.big_endian);
    const double y = bytes_to_real(data.data() + at_y * array.item, array.item, array.big_endian);
    STREW_RETURN_IF_ERROR(check_position(x, y, path, "row", row));
    points.x.push_back(x);
    points.y.push_back(y);
  }
  return points;
}

}  // namespace strew
