// Points from PLY: the element "vertex" with properties x and y, ASCII or binary.
//
// Source: Turk, "The PLY polygon file format", 1994.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "little_bytes.hpp"
#include "point_file.hpp"

namespace strew {
namespace {

struct Property {
  std::string name;
  std::size_t size = 0;  ///< bytes in a binary file
  bool real = false;
  bool is_signed = false;
};
struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
  bool has_list = false;

  [[nodiscard]] std::size_t stride() const {
    std::size_t sum = 0;
    for (const Property& property : properties) {
      sum += property.size;
    }
    return sum;
  }
};
enum class Format : std::uint8_t { kAscii, kLittle, kBig };
struct Header {
  std::optional<Format> format;
  std::vector<Element> elements;
  std::size_t lines = 0;
};

struct TypeName {
  std::string_view name;
  std::size_t size;
  bool real;
  bool is_signed;
};
constexpr std::array<TypeName, 16> kTypes = {{{"char", 1, false, true},
                                              {"int8", 1, false, true},
                                              {"uchar", 1, false, false},
                                              {"uint8", 1, false, false},
                                              {"short", 2, false, true},
                                              {"int16", 2, false, true},
                                              {"ushort", 2, false, false},
                                              {"uint16", 2, false, false},
                                              {"int", 4, false, true},
                                              {"int32", 4, false, true},
                                              {"uint", 4, false, false},
                                              {"uint32", 4, false, false},
                                              {"float", 4, true, true},
                                              {"float32", 4, true, true},
                                              {"double", 8, true, true},
                                              {"float64", 8, true, true}}};

/// The next word of a line, which it is taken from; empty at the end.
std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = std::min(line.find_first_not_of(kBlank), line.size());
  const std::size_t end = std::min(line.find_first_of(kBlank, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

bool next_line(std::string_view& text, std::string_view& line) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) {
    return false;
  }
  line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

bool read_property(std::string_view line, Element& element) {
  const std::string_view type = next_word(line);
  if (type == "list") {
    element.has_list = true;
    return true;
  }
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) { return t.name == type; });
  const std::string_view name = next_word(line);
  if (found == kTypes.end() || name.empty()) {
    return false;
  }
  element.properties.push_back({std::string(name), found->size, found->real, found->is_signed});
  return true;
}

bool read_header_line(std::string_view line, Header& header) {
  const std::string_view keyword = next_word(line);
  if (keyword == "format") {
    const std::string_view name = next_word(line);
    header.format = name == "ascii"                  ? std::optional(Format::kAscii)
                    : name == "binary_little_endian" ? std::optional(Format::kLittle)
                    : name == "binary_big_endian"    ? std::optional(Format::kBig)
                                                     : std::nullopt;
    return header.format.has_value();
  }
  if (keyword == "element") {
    Element element;
    element.name = next_word(line);
    const std::string_view count = next_word(line);
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), element.count);
    header.elements.push_back(std::move(element));
    return error == std::errc() && end == count.data() + count.size();
  }
  if (keyword == "property") {
    return !header.elements.empty() && read_property(line, header.elements.back());
  }
  return keyword == "comment" || keyword == "obj_info" || keyword.empty();
}

/// Takes the header from the front of `bytes`.
Result<Header> read_header(const std::string& path, std::string_view& bytes) {
  Header header;
  std::string_view line;
  while (next_line(bytes, line)) {
    ++header.lines;
    std::string_view words = line;
    if (next_word(words) == "end_header") {
      if (!header.format) {
        return invalid_argument("the header names no format; write the file again", path);
      }
      return header;
    }
    if (header.lines > 1 && !read_header_line(line, header)) {
      return invalid_argument("line " + std::to_string(header.lines) +
                                  " of the header cannot be understood; write the file again",
                              path);
    }
  }
  return invalid_argument("ends inside its header: the file is truncated; write it again", path);
}

Status truncated(const std::string& path, std::uint64_t promised, std::uint64_t found) {
  return invalid_argument("the header promises " + std::to_string(promised) +
                              " vertices and the file holds " + std::to_string(found) +
                              ": the file is truncated; write it again",
                          path);
}

struct Columns {
  std::size_t x = 0;
  std::size_t y = 0;
};

Result<PointColumns> read_ascii(const std::string& path, std::string_view text, const Header& header,
                                const Element& vertex, std::uint64_t skipped, Columns columns) {
  PointColumns points;
  std::string_view line;
  std::size_t number = header.lines;
  // The last line may lack its line feed.
  const auto take = [&] {
    ++number;
    if (next_line(text, line)) {
      return true;
    }
    line = text;
    text = {};
    return !line.empty();
  };
  for (std::uint64_t i = 0; i < skipped; ++i) {
    if (!take()) {
      return truncated(path, vertex.count, 0);
    }
  }
  for (std::uint64_t i = 0; i < vertex.count; ++i) {
    if (!take()) {
      return truncated(path, vertex.count, i);
    }
    std::array<double, 2> value{};
    for (std::size_t column = 0; column < vertex.properties.size(); ++column) {
      const std::string_view word = next_word(line);
      double parsed = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), parsed);
      if (error != std::errc() || end != word.data() + word.size()) {
        return invalid_argument("line " + std::to_string(number) + ": expected " +
                                    std::to_string(vertex.properties.size()) +
                                    " numbers for a vertex; the file is damaged: write it again",
                                path);
      }
      if (column == columns.x) {
        value[0] = parsed;
      } else if (column == columns.y) {
        value[1] = parsed;
      }
    }
    STREW_RETURN_IF_ERROR(check_position(value[0], value[1], path, "line", number));
    points.x.push_back(value[0]);
    points.y.push_back(value[1]);
  }
  return points;
}

double value_at(const char* bytes, const Property& property, bool big_endian) {
  if (property.real) {
    return bytes_to_real(bytes, property.size, big_endian);
  }
  const std::uint64_t word = bytes_to_word(bytes, property.size, big_endian);
  const std::uint64_t half = std::uint64_t{1} << (8 * property.size - 1);
  const double value = static_cast<double>(word);
  return property.is_signed && word >= half ? value - 2 * static_cast<double>(half) : value;
}

Result<PointColumns> read_binary(const std::string& path, std::string_view data, const Header& header,
                                 const Element& vertex, Columns columns) {
  const bool big_endian = *header.format == Format::kBig;
  const std::size_t stride = vertex.stride();
  const std::uint64_t held = data.size() / stride;
  if (held < vertex.count) {
    return truncated(path, vertex.count, held);
  }
  const auto offset_of = [&](std::size_t column) {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < column; ++i) {
      offset += vertex.properties[i].size;
    }
    return offset;
  };
  const std::size_t offset_x = offset_of(columns.x);
  const std::size_t offset_y = offset_of(columns.y);
  PointColumns points;
  points.x.reserve(vertex.count);
  points.y.reserve(vertex.count);
  for (std::uint64_t i = 0; i < vertex.count; ++i) {
    const char* const record = data.data() + i * stride;
    const double x = value_at(record + offset_x, vertex.properties[columns.x], big_endian);
    const double y = value_at(record + offset_y, vertex.properties[columns.y], big_endian);
    STREW_RETURN_IF_ERROR(check_position(x, y, path, "vertex", i));
    points.x.push_back(x);
    points.y.push_back(y);
  }
  return points;
}

}  // namespace

Result<PointColumns> read_points_ply(const std::string& path, std::string_view bytes) {
  STREW_ASSIGN(const Header header, read_header(path, bytes));
  std::uint64_t skipped_lines = 0;
  for (const Element& element : header.elements) {
    if (element.name != "vertex") {
      // In text an element is a line whatever it holds; in binary its size must be known.
      const std::size_t stride = element.stride();
      if (*header.format != Format::kAscii && element.count != 0) {
        if (element.has_list || (stride != 0 && element.count > bytes.size() / stride)) {
          return invalid_argument("the element " + element.name +
                                      " before the vertices has a list or is truncated; write the vertices "
                                      "first",
                                  path);
        }
        bytes.remove_prefix(stride * element.count);
      }
      skipped_lines += element.count;
      continue;
    }
    const auto column = [&](std::string_view name) {
      const auto found = std::find_if(element.properties.begin(), element.properties.end(),
                                      [&](const Property& property) { return property.name == name; });
      return static_cast<std::size_t>(found - element.properties.begin());
    };
    const Columns columns{column("x"), column("y")};
    if (element.has_list || std::max(columns.x, columns.y) >= element.properties.size()) {
      return invalid_argument("the vertices need the properties x and y and no list; write them so", path);
    }
    return *header.format == Format::kAscii ? read_ascii(path, bytes, header, element, skipped_lines, columns)
                                            : read_binary(path, bytes, header, element, columns);
  }
  return invalid_argument("has no element vertex; write the points as vertices", path);
}

}  // namespace strew
