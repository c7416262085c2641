#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::detail {

/// Cells of a table as one line, without its end; those with commas, quotes or line ends stand in
/// quotes.
[[nodiscard]] std::string csv_line(std::span<const std::string> cells);

/// The lines of such a text as cells; a line that begins with # is one cell.
[[nodiscard]] std::vector<std::vector<std::string>> csv_lines(std::string_view text);

/// Also "nan" and "inf"; not a number where it is none.
[[nodiscard]] double csv_number(const std::string& cell);

}  // namespace carom::detail
