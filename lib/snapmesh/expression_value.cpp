// What an expression is worth: of measures, and of bounds on measures.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "expression_codes.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew::snap {

using namespace expression_code;

double Expression::value(const Measures& measures) const noexcept {
  std::array<double, kDeepestStack> stack;
  std::size_t top = 0;
  for (const Op& op : ops_) {
    if (op.code == kNumber) {
      stack[top++] = op.number;
      continue;
    }
    if (op.code == kLoad) {
      stack[top++] = measures[static_cast<std::size_t>(op.number)];
      continue;
    }
    double& a = stack[top - 1];
    switch (op.code) {
      case kNot:
        a = a == 0 ? 1 : 0;
        continue;
      case kNegate:
        a = -a;
        continue;
      case kAbs:
        a = std::abs(a);
        continue;
      case kSqrt:
        a = std::sqrt(a);
        continue;
      default:
        break;
    }
    const double right = stack[--top];
    double& left = stack[top - 1];
    switch (op.code) {
      case kAdd:
        left += right;
        break;
      case kSubtract:
        left -= right;
        break;
      case kMultiply:
        left *= right;
        break;
      case kDivide:
        left /= right;
        break;
      case kLess:
        left = left < right ? 1 : 0;
        break;
      case kLessEqual:
        left = left <= right ? 1 : 0;
        break;
      case kGreater:
        left = left > right ? 1 : 0;
        break;
      case kGreaterEqual:
        left = left >= right ? 1 : 0;
        break;
      case kEqual:
        left = left == right ? 1 : 0;
        break;
      case kUnequal:
        left = left != right ? 1 : 0;
        break;
      case kAnd:
        left = left != 0 && right != 0 ? 1 : 0;
        break;
      case kOr:
        left = left != 0 || right != 0 ? 1 : 0;
        break;
      case kMin:
        left = std::min(left, right);
        break;
      case kMax:
        left = std::max(left, right);
        break;
      default:
        break;
    }
  }
  return top > 0 ? stack[0] : 0;
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
/// As C++ has it: NaN is true.
bool may_be_true(const Bounds& a) noexcept {
  return a.nan || a.low != 0 || a.high != 0;
}
bool may_be_false(const Bounds& a) noexcept {
  return a.low <= 0 && a.high >= 0;
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

/// Rounding to nearest keeps order, so that the ends of the operands give the ends of the result.
Bounds binary(std::uint8_t code, const Bounds& a, const Bounds& b) noexcept {
  const bool nan = a.nan || b.nan;
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
    } else if (op.code == kNot || op.code == kNegate || op.code == kAbs || op.code == kSqrt) {
      stack[top - 1] = unary(op.code, stack[top - 1]);
    } else {
      --top;
      stack[top - 1] = binary(op.code, stack[top - 1], stack[top]);
    }
  }
  return top > 0 ? stack[0] : Bounds{};
}

}  // namespace strew::snap
