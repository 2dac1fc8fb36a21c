#include <algorithm>
#include <bit>

#include "guard.hpp"
#include "strew/automaton_rle.hpp"

namespace strew {
namespace {

/// Tokens in lines of at most 70 characters.
class Lines {
 public:
  explicit Lines(std::string header) : text_(std::move(header)), line_start_(text_.size()) {}

  void add(std::int64_t count, char what) {
    constexpr std::size_t kMostInLine = 70;
    const std::string token = (count == 1 ? std::string() : std::to_string(count)) + what;
    if (text_.size() + token.size() - line_start_ > kMostInLine) {
      text_ += '\n';
      line_start_ = text_.size();
    }
    text_ += token;
  }
  std::string finish() {
    text_ += '\n';
    return std::move(text_);
  }

 private:
  std::string text_;
  std::size_t line_start_;
};

/// End of the run of cells equal to that at x.
std::int64_t run_end(const BitGrid& grid, std::int64_t y, std::int64_t x, bool alive) noexcept {
  const std::uint64_t flip = alive ? ~std::uint64_t{0} : 0;
  const std::uint64_t* const row = grid.row(y);
  while (x < grid.width()) {
    const std::uint64_t other = (row[x / 64] ^ flip) >> (x % 64);
    if (other != 0) {
      return std::min(x + std::countr_zero(other), grid.width());
    }
    x = (x / 64 + 1) * 64;
  }
  return grid.width();
}

}  // namespace

Result<std::string> format_rle(const BitGrid& cells, const AutomatonRule& rule, Border border) {
  return guarded([&]() -> Result<std::string> {
    if (border == Border::kAlive) {
      return invalid_argument(
          "is alive, which RLE files cannot express; write PBM, PNG or NPY, or use dead or periodic",
          "border");
    }
    const std::string size = std::to_string(cells.width()) + "," + std::to_string(cells.height());
    Lines lines("x = " + std::to_string(cells.width()) + ", y = " + std::to_string(cells.height()) +
                ", rule = " + to_string(rule) + (border == Border::kDead ? ":P" : ":T") + size + "\n");
    std::int64_t rows_to_end = 0;  // '$' not yet written: those after the last living row are left out
    for (std::int64_t y = cells.height(); y-- > 0;) {
      for (std::int64_t x = 0; x < cells.width();) {
        const bool alive = cells.get(x, y);
        const std::int64_t end = run_end(cells, y, x, alive);
        if (alive || end < cells.width()) {
          if (rows_to_end > 0) {
            lines.add(rows_to_end, '$');
            rows_to_end = 0;
          }
          lines.add(end - x, alive ? 'o' : 'b');
        }
        x = end;
      }
      ++rows_to_end;
    }
    lines.add(1, '!');
    return lines.finish();
  });
}

}  // namespace strew
