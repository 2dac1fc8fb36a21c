// Expressions over measures, compiled to a stack program.
#include <algorithm>
#include <array>
#include <charconv>

#include "expression_codes.hpp"
#include "guard.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew::snap {
namespace {

using namespace expression_code;

struct Name {
  std::string_view name;
  std::string_view meaning;
};
constexpr std::array<Name, kMeasures> kNames = {{
    {"pieces", "pieces placed, caps included"},
    {"loops", "joints beyond a tree"},
    {"dead_ends", "free connectors"},
    {"diameter", "largest number of joints between two pieces"},
    {"longest_path", "longest shortest way between pieces through their connectors, metres"},
    {"width", "extent of the bounds along x, metres"},
    {"depth", "extent along y (z in the published frame), metres"},
    {"height", "extent along the vertical, metres"},
    {"tentatives", "pieces tried"},
    {"A_r_max", "share of the largest region in the walkable area"},
    {"c_bar", "share of pairs of places that are connected"},
    {"area", "walkable area, square metres"},
    {"reachable_area", "area of the largest region, square metres"},
    {"regions", "separate regions"},
    {"cover", "walkable area over the area of the bounds seen from above"},
}};

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string_view measure_name(Measure measure) noexcept {
  return kNames[static_cast<std::size_t>(measure)].name;
}
std::string_view measure_meaning(Measure measure) noexcept {
  return kNames[static_cast<std::size_t>(measure)].meaning;
}

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) { out_.text_ = std::string(text); }

  Result<Expression> parse() {
    STREW_RETURN_IF_ERROR(binary(0));
    skip();
    if (at_ != text_.size()) {
      return fault(text_[at_] == '=' ? "expected an operator (equality is ==)" : "expected an operator");
    }
    return std::move(out_);
  }

 private:
  struct Operator {
    std::string_view sign;
    Code code;
    int level;
  };
  // Longer signs first, so that "<=" is not read as "<".
  static constexpr Operator kOperators[] = {
      {"||", kOr, 0},        {"&&", kAnd, 1},          {"==", kEqual, 2},   {"!=", kUnequal, 2},
      {"<=", kLessEqual, 3}, {">=", kGreaterEqual, 3}, {"<", kLess, 3},     {">", kGreater, 3},
      {"+", kAdd, 4},        {"-", kSubtract, 4},      {"*", kMultiply, 5}, {"/", kDivide, 5}};
  static constexpr int kHighest = 6;
  static constexpr std::size_t kMostShown = 60;

  [[nodiscard]] Status fault(const std::string& what) const {
    std::string shown(text_);
    if (text_.size() > 2 * kMostShown) {
      const std::size_t begin = at_ > kMostShown ? at_ - kMostShown : 0;
      shown = (begin > 0 ? "..." : "") + std::string(text_.substr(begin, at_ - begin)) + "...";
    }
    return invalid_argument(what + " at column " + std::to_string(at_ + 1) + " of \"" + shown + "\"",
                            "expression");
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
      ++at_;
    }
  }
  bool take(std::string_view sign) {
    skip();
    if (text_.substr(at_, sign.size()) != sign) {
      return false;
    }
    at_ += sign.size();
    return true;
  }
  void emit(Code code, double number = 0) { out_.ops_.push_back({code, number}); }

  Status binary(int level) {
    if (level == kHighest) {
      return unary();
    }
    STREW_RETURN_IF_ERROR(binary(level + 1));
    const bool compares = level == 2 || level == 3;
    for (bool first = true;; first = false) {
      skip();
      const Operator* found = nullptr;
      for (const Operator& candidate : kOperators) {
        if (text_.substr(at_, candidate.sign.size()) == candidate.sign) {
          found = candidate.level == level ? &candidate : nullptr;
          break;
        }
      }
      if (found == nullptr) {
        return {};
      }
      if (compares && !first) {
        // 5 <= pieces <= 20 would compare a truth with 20.
        return fault("comparisons do not chain (write a <= b && b <= c)");
      }
      at_ += found->sign.size();
      STREW_RETURN_IF_ERROR(binary(level + 1));
      emit(found->code);
    }
  }

  Status unary() {
    if (++depth_ > kDeepest) {
      return fault("nested too deep (64 levels at most; leave parentheses out or split the requirement)");
    }
    Status status = unary_inside();
    --depth_;
    return status;
  }
  Status unary_inside() {
    if (take("-")) {
      STREW_RETURN_IF_ERROR(unary());
      emit(kNegate);
      return {};
    }
    if (take("!")) {
      STREW_RETURN_IF_ERROR(unary());
      emit(kNot);
      return {};
    }
    if (take("(")) {
      STREW_RETURN_IF_ERROR(binary(0));
      return take(")") ? Status() : fault("expected )");
    }
    skip();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      double number = 0;
      const auto read = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
      if (read.ec != std::errc()) {
        return fault("expected a number");
      }
      at_ = static_cast<std::size_t>(read.ptr - text_.data());
      emit(kNumber, number);
      return {};
    }
    return name();
  }

  Status name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) {
      return fault("expected a number, a measure or (");
    }
    for (std::size_t m = 0; m < kMeasures; ++m) {
      if (kNames[m].name == word) {
        out_.uses_ |= 1U << m;
        emit(kLoad, static_cast<double>(m));
        return {};
      }
    }
    struct Function {
      std::string_view name;
      Code code;
      int arguments;
    };
    for (const Function& f :
         {Function{"min", kMin, 2}, {"max", kMax, 2}, {"abs", kAbs, 1}, {"sqrt", kSqrt, 1}}) {
      if (f.name == word) {
        if (!take("(")) {
          return fault("expected (");
        }
        for (int i = 0; i < f.arguments; ++i) {
          if (i > 0 && !take(",")) {
            return fault("expected a comma");
          }
          STREW_RETURN_IF_ERROR(binary(0));
        }
        emit(f.code);
        return take(")") ? Status() : fault("expected )");
      }
    }
    std::vector<std::string_view> known;
    for (const Name& n : kNames) {
      known.push_back(n.name);
    }
    const std::string_view near = nearest_name(word, known);
    std::string all;
    for (const std::string_view n : known) {
      all += (all.empty() ? "" : ", ") + std::string(n);
    }
    at_ = begin;
    return fault("no measure is called '" + std::string(word) + "'" +
                 (near.empty() ? "; there are " + all : "; did you mean '" + std::string(near) + "'?"));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  Expression out_;
};

Result<Expression> Expression::parse(std::string_view text) {
  return guarded([&]() -> Result<Expression> { return ExpressionParser(text).parse(); });
}

}  // namespace strew::snap
