// Messages that name the nearest valid name, and numbers as text.
#include "carom/core/names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "carom/core/decimal.h"

namespace carom {
namespace {

// Insertions, deletions, substitutions and swaps of neighbours, each counting one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, substitute});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    const std::size_t longest = std::max(name.size(), candidate.size());
    const bool near = distance < longest && distance <= std::max<std::size_t>(1, longest / 3);
    if (near && (best.empty() || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string unknown_name_message(std::string_view what, std::string_view name,
                                 std::span<const std::string> candidates) {
  std::string text = "unknown " + std::string(what) + " '" + std::string(name) + "'";
  const std::string near = nearest_name(name, candidates);
  if (!near.empty()) text += "; did you mean '" + near + "'?";
  text += near.empty() ? "; known: " : " Known: ";
  for (std::size_t i = 0; i < candidates.size(); ++i) text += (i == 0 ? "" : ", ") + candidates[i];
  return text;
}

std::string number_text(double value) {
  std::array<char, 32> buffer{};  // the longest double takes 24
  const std::to_chars_result end =
      write_decimal(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

}  // namespace carom
