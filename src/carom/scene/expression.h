#pragma once

#include <cstddef>
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
/// numbers, + - * /, parentheses, sqrt, sin, cos, tan (of radians), pi, and deg (pi/180, also
/// written behind a number). Any text is safe: length and depth are bounded, and a value that is
/// not finite is a fault.
[[nodiscard]] ExpressionResult evaluate_expression(std::string_view text);

}  // namespace carom
