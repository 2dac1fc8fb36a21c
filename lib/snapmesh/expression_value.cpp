// What an expression is worth: of measures, and of bounds on measures.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "expression_codes.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew::snap {

using namespace expression_code;

namespace {

double apply(std::uint8_t code, double a) noexcept {
  switch (code) {
    case kNot:
      return a == 0 ? 1 : 0;
    case kNegate:
      return -a;
    case kAbs:
      return std::abs(a);
    default:  // kSqrt
      return std::sqrt(a);
  }
}

double apply(std::uint8_t code, double left, double right) noexcept {
  switch (code) {
    case kAdd:
      return left + right;
    case kSubtract:
      return left - right;
    case kMultiply:
      return left * right;
    case kDivide:
      return left / right;
    case kLess:
      return left < right ? 1 : 0;
    case kLessEqual:
      return left <= right ? 1 : 0;
    case kGreater:
      return left > right ? 1 : 0;
    case kGreaterEqual:
      return left >= right ? 1 : 0;
    case kEqual:
      return left == right ? 1 : 0;
    case kUnequal:
      return left != right ? 1 : 0;
    case kAnd:
      return left != 0 && right != 0 ? 1 : 0;
    case kOr:
      return left != 0 || right != 0 ? 1 : 0;
    case kMin:
      return std::min(left, right);
    default:  // kMax
      return std::max(left, right);
  }
}

bool takes_one(std::uint8_t code) noexcept {
  return code == kNot || code == kNegate || code == kAbs || code == kSqrt;
}

}  // namespace

double Expression::value(const Measures& measures) const noexcept {
  std::array<double, kDeepestStack> stack;
  std::size_t top = 0;
  for (const Op& op : ops_) {
    if (op.code == kNumber) {
      stack[top++] = op.number;
    } else if (op.code == kLoad) {
      stack[top++] = measures[static_cast<std::size_t>(op.number)];
    } else if (takes_one(op.code)) {
      stack[top - 1] = apply(op.code, stack[top - 1]);
    } else {
      --top;
      stack[top - 1] = apply(op.code, stack[top - 1], stack[top]);
    }
  }
  return top > 0 ? stack[0] : 0;
}

double Expression::shortfall(const Measures& measures) const noexcept {
  struct Entry {
    double value = 0;
    double missing = 0;
  };
  const auto entry = [](double value, double missing) {
    return Entry{value, std::isnan(value)     ? std::numeric_limits<double>::infinity()
                        : value != 0.0        ? 0.0
                        : std::isnan(missing) ? std::numeric_limits<double>::infinity()
                                              : missing};
  };
  std::array<Entry, kDeepestStack> stack;
  std::size_t top = 0;
  for (const Op& op : ops_) {
    if (op.code == kNumber || op.code == kLoad) {
      stack[top++] = entry(op.code == kNumber ? op.number : measures[static_cast<std::size_t>(op.number)], 1);
      continue;
    }
    const bool alone = takes_one(op.code);
    const Entry b = stack[--top];
    const Entry a = alone ? b : stack[--top];
    const double value = alone ? apply(op.code, b.value) : apply(op.code, a.value, b.value);
    double missing = 1;
    if (op.code >= kLess && op.code <= kEqual) {
      missing = std::abs(a.value - b.value);
    } else if (op.code == kAnd) {
      missing = a.missing + b.missing;
    } else if (op.code == kOr) {
      missing = std::min(a.missing, b.missing);
    }
    stack[top++] = entry(value, missing);
  }
  return top > 0 ? stack[0].missing : 1;
}

namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr Bounds kAnything{-kFar, kFar, true};

/// The hull of numbers, any of which may be NaN.
Bounds hull(std::initializer_list<double> values) noexcept {
  Bounds out{kFar, -kFar, false};
  for (const double v : values) {
    if (std::isnan(v)) {
      return kAnything;
    }
    out.low = std::min(out.low, v);
    out.high = std::max(out.high, v);
  }
  return out;
}
Bounds truth(bool may_be_false, bool may_be_true) noexcept {
  return {may_be_false ? 0.0 : 1.0, may_be_true ? 1.0 : 0.0, false};
}
bool holds_zero(const Bounds& a) noexcept {
  return a.low <= 0 && a.high >= 0;
}
/// As C++ has it: NaN is true.
bool may_be_true(const Bounds& a) noexcept {
  return a.nan || a.low != 0 || a.high != 0;
}
bool may_be_false(const Bounds& a) noexcept {
  return holds_zero(a);
}
bool points_equal(const Bounds& a, const Bounds& b) noexcept {
  return a.low == a.high && b.low == b.high && a.low == b.low;
}
bool apart(const Bounds& a, const Bounds& b) noexcept {
  return a.high < b.low || a.low > b.high;
}

Bounds unary(std::uint8_t code, const Bounds& a) noexcept {
  switch (code) {
    case kNot:
      return truth(may_be_true(a), may_be_false(a));
    case kNegate:
      return {-a.high, -a.low, a.nan};
    case kAbs:
      return {a.low > 0    ? a.low
              : a.high < 0 ? -a.high
                           : 0.0,
              std::max(std::abs(a.low), std::abs(a.high)), a.nan};
    default:  // kSqrt
      return {std::sqrt(std::max(a.low, 0.0)), std::sqrt(std::max(a.high, 0.0)), a.nan || a.low < 0};
  }
}

bool endless(const Bounds& a) noexcept {
  return a.low == -kFar || a.high == kFar;
}
/// Whether infinite operands may meet so that the result is NaN; no end of the operands need show it.
bool may_cancel(std::uint8_t code, const Bounds& a, const Bounds& b) noexcept {
  switch (code) {
    case kAdd:
      return (a.high == kFar && b.low == -kFar) || (a.low == -kFar && b.high == kFar);
    case kSubtract:
      return (a.high == kFar && b.high == kFar) || (a.low == -kFar && b.low == -kFar);
    case kMultiply:
      return (endless(a) && holds_zero(b)) || (holds_zero(a) && endless(b));
    case kDivide:
      return endless(a) && endless(b);
    default:
      return false;
  }
}

/// Rounding to nearest keeps order, so that the ends of the operands give the ends of the result.
Bounds binary(std::uint8_t code, const Bounds& a, const Bounds& b) noexcept {
  const bool nan = a.nan || b.nan || may_cancel(code, a, b);
  const auto with_nan = [&](Bounds out) {
    out.nan = out.nan || nan;
    return out;
  };
  switch (code) {
    case kAdd:
      return with_nan(hull({a.low + b.low, a.high + b.high}));
    case kSubtract:
      return with_nan(hull({a.low - b.high, a.high - b.low}));
    case kMultiply:
      return with_nan(hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high}));
    case kDivide:
      return b.low <= 0 && b.high >= 0
                 ? kAnything
                 : with_nan(hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high}));
    case kLess:
      return truth(nan || a.high >= b.low, a.low < b.high);
    case kLessEqual:
      return truth(nan || a.high > b.low, a.low <= b.high);
    case kGreater:
      return truth(nan || a.low <= b.high, a.high > b.low);
    case kGreaterEqual:
      return truth(nan || a.low < b.high, a.high >= b.low);
    case kEqual:
      return truth(nan || !points_equal(a, b), !apart(a, b));
    case kUnequal:
      return truth(!apart(a, b), nan || !points_equal(a, b));
    case kAnd:
      return truth(may_be_false(a) || may_be_false(b), may_be_true(a) && may_be_true(b));
    case kOr:
      return truth(may_be_false(a) && may_be_false(b), may_be_true(a) || may_be_true(b));
    case kMin:
      return {std::min(a.low, b.low), nan ? std::max(a.high, b.high) : std::min(a.high, b.high), nan};
    default:  // kMax
      return {nan ? std::min(a.low, b.low) : std::max(a.low, b.low), std::max(a.high, b.high), nan};
  }
}

}  // namespace

Bounds Expression::bounds(const MeasureBounds& measures) const noexcept {
  std::array<Bounds, kDeepestStack> stack;
  std::size_t top = 0;
  for (const Op& op : ops_) {
    if (op.code == kNumber) {
      stack[top++] = {op.number, op.number, false};
    } else if (op.code == kLoad) {
      stack[top++] = measures[static_cast<std::size_t>(op.number)];
    } else if (takes_one(op.code)) {
      stack[top - 1] = unary(op.code, stack[top - 1]);
    } else {
      --top;
      stack[top - 1] = binary(op.code, stack[top - 1], stack[top]);
    }
  }
  return top > 0 ? stack[0] : Bounds{};
}

}  // namespace strew::snap
