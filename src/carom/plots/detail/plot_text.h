#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carom/plots/detail/plot_render.h"

namespace carom::detail {

/// Valid UTF-8 on one line: other bytes become U+FFFD, control characters spaces.
[[nodiscard]] std::string clean_text(std::string_view text);

/// Lines of at most `width` pixels, broken at spaces. What does not fit ends in an ellipsis.
[[nodiscard]] std::vector<std::string> wrapped_text(const TextRuler& ruler, const std::string& text,
                                                    const TextStyle& style, double width,
                                                    std::size_t most_lines);

/// "10⁻⁹"
[[nodiscard]] std::string power_of_ten(int exponent);

/// number * 10^exponent with a true minus sign; `decimals` digits after the point.
[[nodiscard]] std::string decimal_text(std::int64_t number, int exponent, int decimals);

/// The same with as many digits as it takes, or with a power of ten where those are too many.
[[nodiscard]] std::string short_decimal_text(std::int64_t number, int exponent);

/// One digit, rounded up: 2.1e-15 becomes "3e-15".
[[nodiscard]] std::string bound_text(double value);

}  // namespace carom::detail
