#pragma once

#include <string>
#include <vector>

namespace carom::cli {

/// Columns of plain text: the first `left` columns and the last `trailing` ones flush left, those
/// between them flush right.
class TextTable {
 public:
  explicit TextTable(std::size_t left = 1, std::size_t trailing = 0)
      : left_(left), trailing_(trailing) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Every line indented by two blanks and ended by a newline.
  [[nodiscard]] std::string text() const;

 private:
  std::size_t left_;
  std::size_t trailing_;
  std::vector<std::vector<std::string>> rows_;
};

/// Seven significant digits; what is round-off beside `scale` is shown as 0.
[[nodiscard]] std::string number_text(double value, double scale = 0.0);
/// Two significant digits, for residuals.
[[nodiscard]] std::string residual_text(double value);

}  // namespace carom::cli
