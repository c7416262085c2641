#include "text_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "carom/core/types.h"

namespace carom::cli {

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line = " ";
    for (std::size_t k = 0; k < row.size(); ++k) {
      line += k == 0 ? " " : "  ";
      const bool flush_left = k < left_ || k + trailing_ >= widths.size();
      line += flush_left ? fmt::format("{:<{}}", row[k], widths[k])
                         : fmt::format("{:>{}}", row[k], widths[k]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string number_text(double value, double scale) {
  if (std::abs(value) <= 4.0 * kRoundOff * scale) return "0";
  std::string text = fmt::format("{:.7g}", value);
  return text == "-0" ? "0" : text;
}

std::string residual_text(double value) {
  std::string text = fmt::format("{:.2g}", value);
  return text == "-0" ? "0" : text;
}

}  // namespace carom::cli
