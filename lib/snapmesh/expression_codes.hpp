// Instructions of the stack program that an expression becomes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strew::snap {
namespace expression_code {

enum Code : std::uint8_t {
  kNumber = 0,
  kLoad,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kUnequal,
  kAnd,
  kOr,
  kNot,
  kNegate,
  kMin,
  kMax,
  kAbs,
  kSqrt
};

}  // namespace expression_code

/// Parentheses, signs and functions inside one another.
inline constexpr std::size_t kDeepest = 64;
/// Each level of the grammar holds one operand open at most.
inline constexpr std::size_t kDeepestStack = kDeepest * 8;

}  // namespace strew::snap
