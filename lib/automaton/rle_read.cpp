#include <algorithm>
#include <charconv>

#include "guard.hpp"
#include "strew/automaton_rle.hpp"

namespace strew {
namespace {

bool is_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// Position and size of a rectangle of cells, rows counted from the top as in the file.
struct Header {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::optional<ParsedRule> rule;
  std::optional<Border> border;
  std::int64_t grid_width = 0;  ///< of the bounded grid, else the pattern's
  std::int64_t grid_height = 0;
};

class Reader {
 public:
  Reader(std::string_view text, std::uint64_t max_cells) noexcept : text_(text), max_cells_(max_cells) {}

  Result<RlePattern> read() {
    Header header;
    STREW_RETURN_IF_ERROR(read_comments());
    STREW_RETURN_IF_ERROR(read_header(header));
    std::int64_t left = (header.grid_width - header.width) / 2;
    std::int64_t top = (header.grid_height - header.height) / 2;
    if (placed_ && header.border) {
      // Golly counts cells from the middle of a bounded grid.
      left = place_x_ + header.grid_width / 2;
      top = place_y_ + header.grid_height / 2;
    }
    if (left < 0 || top < 0 || left > header.grid_width - header.width ||
        top > header.grid_height - header.height) {
      return fault("the pattern of " + size_text(header.width, header.height) +
                   " cells does not lie in the bounded grid of " +
                   size_text(header.grid_width, header.grid_height));
    }
    const auto cells =
        static_cast<std::uint64_t>(header.grid_width) * static_cast<std::uint64_t>(header.grid_height);
    if (cells > max_cells_) {
      return fault("a grid of " + size_text(header.grid_width, header.grid_height) +
                   " cells is more than the " + std::to_string(max_cells_) + " allowed");
    }
    STREW_ASSIGN(BitGrid grid, BitGrid::create(header.grid_width, header.grid_height));
    STREW_RETURN_IF_ERROR(read_runs(header, left, top, grid));
    return RlePattern{std::move(grid), std::move(header.rule), header.border};
  }

 private:
  static std::string size_text(std::int64_t width, std::int64_t height) {
    return std::to_string(width) + "x" + std::to_string(height);
  }

  [[nodiscard]] Status fault(const std::string& what) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
    return invalid_argument(
        "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + what, "rle");
  }
  [[nodiscard]] bool ended() const noexcept { return at_ >= text_.size(); }
  void skip_space() noexcept {
    while (!ended() && is_space(text_[at_])) {
      ++at_;
    }
  }
  void skip_blanks() noexcept {
    while (!ended() && (text_[at_] == ' ' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  Status read_comments() {
    for (skip_space(); !ended() && text_[at_] == '#'; skip_space()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::string_view line = text_.substr(at_, end - at_);
      const std::size_t pos = line.find("Pos=");
      if (line.starts_with("#CXRLE") && pos != std::string_view::npos) {
        const char* const last = line.data() + line.size();
        const auto x = std::from_chars(line.data() + pos + 4, last, place_x_);
        const bool comma = x.ec == std::errc() && x.ptr != last && *x.ptr == ',';
        const auto y = comma ? std::from_chars(x.ptr + 1, last, place_y_) : x;
        constexpr std::int64_t kFar = kMaxGridSide;
        if (!comma || y.ec != std::errc() || std::max(std::abs(place_x_), std::abs(place_y_)) > kFar) {
          at_ += pos;
          return fault("expected Pos=x,y");
        }
        placed_ = true;
      }
      at_ = end;
    }
    return {};
  }

  Status expect(char c) {
    skip_blanks();
    if (ended() || text_[at_] != c) {
      return fault(std::string("expected '") + c + "'; a pattern begins with x = WIDTH, y = HEIGHT");
    }
    ++at_;
    return {};
  }
  Result<std::int64_t> read_number(std::int64_t most) {
    skip_blanks();
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value < 1 || value > most) {
      return fault("expected a whole number from 1 to " + std::to_string(most));
    }
    at_ = static_cast<std::size_t>(next - text_.data());
    return value;
  }

  Status read_header(Header& header) {
    STREW_RETURN_IF_ERROR(expect('x'));
    STREW_RETURN_IF_ERROR(expect('='));
    STREW_ASSIGN(header.width, read_number(kMaxGridSide));
    STREW_RETURN_IF_ERROR(expect(','));
    STREW_RETURN_IF_ERROR(expect('y'));
    STREW_RETURN_IF_ERROR(expect('='));
    STREW_ASSIGN(header.height, read_number(kMaxGridSide));
    header.grid_width = header.width;
    header.grid_height = header.height;
    skip_blanks();
    if (!ended() && text_[at_] == ',') {
      ++at_;
      skip_blanks();
      if (!text_.substr(at_).starts_with("rule")) {
        return fault("expected rule = ...");
      }
      at_ += 4;
      STREW_RETURN_IF_ERROR(expect('='));
      STREW_RETURN_IF_ERROR(read_rule(header));
    }
    skip_blanks();
    if (!ended() && text_[at_] != '\n' && text_[at_] != '\r') {
      return fault("expected the end of the header's line");
    }
    return {};
  }

  Status read_rule(Header& header) {
    skip_blanks();
    const std::size_t start = at_;
    while (!ended() && !is_space(text_[at_]) && text_[at_] != ':') {
      ++at_;
    }
    auto rule = parse_rule(text_.substr(start, at_ - start));
    if (!rule.ok()) {
      at_ = start;
      return fault(rule.status().message);
    }
    header.rule = std::move(rule).value();
    if (ended() || text_[at_] != ':') {
      return {};
    }
    ++at_;
    if (ended() || (text_[at_] != 'P' && text_[at_] != 'T')) {
      return fault("expected P (a bounded plane) or T (a torus); other bounded grids are not known here");
    }
    header.border = text_[at_] == 'P' ? Border::kDead : Border::kPeriodic;
    ++at_;
    STREW_ASSIGN(header.grid_width, read_number(kMaxGridSide));
    header.grid_height = header.grid_width;  // ":T100" is a square
    if (!ended() && text_[at_] == ',') {
      ++at_;
      STREW_ASSIGN(header.grid_height, read_number(kMaxGridSide));
    }
    return {};
  }

  Status read_runs(const Header& header, std::int64_t left, std::int64_t top, BitGrid& grid) {
    std::int64_t x = 0;
    std::int64_t y = 0;
    while (true) {
      skip_space();
      if (ended()) {
        return fault("the pattern ends without '!'; is the file truncated?");
      }
      std::int64_t count = 1;
      if (is_digit(text_[at_])) {
        STREW_ASSIGN(count, read_number(kMaxGridSide));
        skip_space();
        if (ended()) {
          return fault("the pattern ends after a count; is the file truncated?");
        }
      }
      const char c = text_[at_];
      if (c == '!') {
        return {};
      }
      if (c == '$') {
        y += count;
        x = 0;
      } else if (c == 'b' || c == '.' || c == 'o' || c == 'A') {
        if (y >= header.height) {
          return fault("row " + std::to_string(y + 1) + " of a pattern of " + std::to_string(header.height));
        }
        if (count > header.width - x) {
          return fault("a run to column " + std::to_string(x + count) + " in a pattern of width " +
                       std::to_string(header.width));
        }
        if (c == 'o' || c == 'A') {
          set_run(grid, left + x, left + x + count, grid.height() - 1 - (top + y));
        }
        x += count;
      } else {
        return fault(std::string("'") + (c >= ' ' && c <= '~' ? c : '?') +
                     "' is no state of a two-state rule; expected b, o, $ or !");
      }
      ++at_;
    }
  }

  static void set_run(BitGrid& grid, std::int64_t first, std::int64_t end, std::int64_t y) noexcept {
    std::uint64_t* const row = grid.row(y);
    for (std::int64_t x = first; x < end;) {
      const std::int64_t bit = x % 64;
      const std::int64_t length = std::min(end - x, 64 - bit);
      const std::uint64_t ones = length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
      row[x / 64] |= ones << bit;
      x += length;
    }
  }

  std::string_view text_;
  std::uint64_t max_cells_;
  std::size_t at_ = 0;
  bool placed_ = false;
  std::int64_t place_x_ = 0;
  std::int64_t place_y_ = 0;
};

}  // namespace

Result<RlePattern> parse_rle(std::string_view text, std::uint64_t max_cells) {
  return guarded([&]() { return Reader(text, max_cells).read(); });
}

}  // namespace strew
