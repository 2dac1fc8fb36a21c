// Points from text with a header: columns x and y anywhere, other columns ignored.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "point_file.hpp"

namespace strew {
namespace {

constexpr std::array<char, 3> kSeparators = {',', ';', '\t'};
constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) {
    return {};
  }
  text = text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

/// Fields of a line; a separator inside double quotes is text (RFC 4180, without line breaks in fields).
void split(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i == line.size() || (line[i] == separator && !quoted)) {
      fields.push_back(trimmed(line.substr(begin, i - begin)));
      begin = i + 1;
    } else if (line[i] == '"') {
      quoted = !quoted;
    }
  }
}

/// Lines of the text, numbered from 1; lines without any field are passed over.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  [[nodiscard]] bool next(std::string_view& line) {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      line = text_.substr(at_, end - at_);
      at_ = end + 1;
      ++number_;
      if (!trimmed(line).empty()) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;
};

std::size_t column_of(const std::vector<std::string_view>& fields, char axis) {
  // The plain name before the one with its unit, wherever they stand.
  const std::string plain(1, axis);
  for (const std::string& name : {plain, plain + "_m"}) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::string lower(fields[i]);
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
      if (lower == name) {
        return i;
      }
    }
  }
  return kNoColumn;
}

struct Header {
  char separator = ',';
  std::size_t x = kNoColumn;
  std::size_t y = kNoColumn;
};

std::string excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown;
  for (const char c : text.substr(0, kLongest)) {
    shown += c >= ' ' && c <= '~' ? c : '?';
  }
  return "\"" + shown + (text.size() > kLongest ? "...\"" : "\"");
}

Result<Header> read_header(const std::string& path, std::string_view line, std::size_t number) {
  std::vector<std::string_view> fields;
  for (const char separator : kSeparators) {
    split(line, separator, fields);
    const Header header{separator, column_of(fields, 'x'), column_of(fields, 'y')};
    if (header.x != kNoColumn && header.y != kNoColumn) {
      return header;
    }
  }
  return invalid_argument("line " + std::to_string(number) +
                              ": expected a header with the columns x and y (or x_m and y_m), found " +
                              excerpt(trimmed(line)) + "; name the two columns in the first line",
                          path);
}

std::optional<double> number_in(std::string_view field) {
  if (field.starts_with('+')) {
    field.remove_prefix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

Result<PointColumns> read_points_csv(const std::string& path, std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    bytes.remove_prefix(3);
  }
  Lines lines(bytes);
  std::string_view line;
  if (!lines.next(line)) {
    return invalid_argument("holds only blank lines; the first must name the columns x and y", path);
  }
  STREW_ASSIGN(const Header header, read_header(path, line, lines.number()));
  const std::size_t needed = std::max(header.x, header.y) + 1;
  std::vector<std::string_view> fields;
  PointColumns points;
  while (lines.next(line)) {
    split(line, header.separator, fields);
    const std::string place = "line " + std::to_string(lines.number());
    if (fields.size() < needed) {
      return invalid_argument(place + ": has " + std::to_string(fields.size()) + " field" +
                                  (fields.size() == 1 ? "" : "s") + " and needs " + std::to_string(needed) +
                                  " for x and y; complete the line or leave it out",
                              path);
    }
    const auto x = number_in(fields[header.x]);
    const auto y = number_in(fields[header.y]);
    if (!x || !y) {
      return invalid_argument(place + ": " + (x ? "y" : "x") + " is " +
                                  excerpt(x ? fields[header.y] : fields[header.x]) +
                                  ", expected a number; correct it or leave the line out",
                              path);
    }
    STREW_RETURN_IF_ERROR(check_position(*x, *y, path, "line", lines.number()));
    points.x.push_back(*x);
    points.y.push_back(*y);
  }
  return points;
}

}  // namespace strew
