#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace carom {

/// What a written expression came to. `fault` is empty when `value` is usable.
struct ExpressionResult {
  double value = 0.0;
  std::string fault;
  std::size_t at = 0;  ///< offset of the fault in the text

  [[nodiscard]] bool ok() const { return fault.empty(); }
};

/// Value of an arithmetic expression such as "-1/3", "sqrt(3)/2", "7 - 4*sqrt(3)" or "sin(30 deg)":
/// numbers, + - * /, parentheses, abs, sqrt, sin, cos, tan (of radians), pi, and deg (pi/180, also
/// written behind a number). Any text is safe: length and depth are bounded, and a value that is
/// not finite is a fault.
[[nodiscard]] ExpressionResult evaluate_expression(std::string_view text);

/// A letter of a condition, and what it stands for.
struct ExpressionVariable {
  std::string name;
  double value = 0.0;
};

/// 1 or 0: whether a condition such as "x < 0.1 && y > 2" or "!(0 <= x <= 1) || abs(y) > 2*z"
/// holds. Expressions as above, compared by < <= > >= == !=, several one after the other each with
/// the next; && binds more tightly than ||.
[[nodiscard]] ExpressionResult evaluate_condition(std::string_view text,
                                                  std::span<const ExpressionVariable> variables);

}  // namespace carom
