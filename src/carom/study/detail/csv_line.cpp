// Lines of CSV.
#include "carom/study/detail/csv_line.h"

#include <cstdlib>
#include <limits>

namespace carom::detail {

std::string csv_line(std::span<const std::string> cells) {
  std::string line;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (k > 0) line += ',';
    if (cells[k].find_first_of(",\"\n") == std::string::npos) {
      line += cells[k];
      continue;
    }
    line += '"';
    for (const char c : cells[k]) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line;
}

std::vector<std::vector<std::string>> csv_lines(std::string_view text) {
  std::vector<std::vector<std::string>> lines;
  std::size_t at = 0;
  while (at < text.size()) {
    std::vector<std::string> cells(1);
    const bool is_comment = text[at] == '#';
    bool quoted = false;
    for (; at < text.size() && (quoted || text[at] != '\n'); ++at) {
      const char c = text[at];
      if (!is_comment && c == '"') {
        // A doubled quote inside a quoted cell is one.
        if (quoted && at + 1 < text.size() && text[at + 1] == '"') {
          cells.back() += '"';
          ++at;
        } else {
          quoted = !quoted;
        }
      } else if (!is_comment && c == ',' && !quoted) {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    ++at;
    lines.push_back(std::move(cells));
  }
  return lines;
}

double csv_number(const std::string& cell) {
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  return cell.empty() || *end != '\0' ? std::numeric_limits<double>::quiet_NaN() : value;
}

}  // namespace carom::detail
