// Quadratic programs as text files.
#include "carom/solvers/problem_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <iterator>
#include <ostream>
#include <string_view>

#include "carom/core/decimal.h"
#include "carom/core/error.h"

namespace carom::solvers {
namespace {

constexpr std::string_view kFirstLine = "carom-qp 1";
constexpr Index kMaxBlockSize = 6;

std::string to_text(double value) {
  char buffer[40];
  const std::to_chars_result end = write_decimal(std::begin(buffer), std::end(buffer), value);
  return std::string(buffer, end.ptr);
}

/// The words of one line at a time, with their places.
class Lines {
 public:
  Lines(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {}

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(
        {file_, std::max(line_, 1), static_cast<int>(word_begin_ - line_begin_) + 1, {}}, message);
  }

  /// Goes to the next line that is neither empty nor a comment; false at the end of the text.
  bool next() {
    while (line_end_ < text_.size() || line_ == 0) {
      line_begin_ = line_ == 0 ? 0 : line_end_ + 1;
      if (line_begin_ >= text_.size()) break;
      ++line_;
      line_end_ = std::min(text_.find('\n', line_begin_), text_.size());
      word_begin_ = line_begin_;
      word_end_ = line_begin_;
      const std::size_t content = text_.find_first_not_of(" \t\r", line_begin_);
      if (content < line_end_ && text_[content] != '#') return true;
    }
    word_begin_ = line_begin_ = line_end_ = text_.size();
    return false;
  }

  void expect_line(std::string_view what) {
    if (!next()) fail("the file ends here; expected " + std::string(what));
  }

  [[nodiscard]] std::string_view line() const {
    std::string_view all = std::string_view(text_).substr(line_begin_, line_end_ - line_begin_);
    while (!all.empty() && (all.back() == '\r' || all.back() == ' ')) all.remove_suffix(1);
    return all;
  }

  [[nodiscard]] std::string_view word(std::string_view what) {
    word_begin_ = word_end_;
    while (word_begin_ < line_end_ && is_space(text_[word_begin_])) ++word_begin_;
    word_end_ = word_begin_;
    while (word_end_ < line_end_ && !is_space(text_[word_end_])) ++word_end_;
    if (word_begin_ == word_end_) fail("the line ends here; expected " + std::string(what));
    return std::string_view(text_).substr(word_begin_, word_end_ - word_begin_);
  }

  void keyword(std::string_view expected) {
    const std::string_view found = word("'" + std::string(expected) + "'");
    if (found != expected) {
      fail("found '" + shown(found) + "', expected '" + std::string(expected) + "'");
    }
  }

  [[nodiscard]] Index count(std::string_view what, Index limit) {
    const std::string_view found = word(what);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
    if (error == std::errc::result_out_of_range) {
      fail("'" + shown(found) + "' is too large; expected " + std::string(what) + ", at most " +
           std::to_string(limit));
    }
    if (error != std::errc() || end != found.data() + found.size()) {
      fail("found '" + shown(found) + "', expected " + std::string(what) + " (a whole number)");
    }
    if (value > limit) {
      fail("found " + std::string(found) + ", expected " + std::string(what) + ", at most " +
           std::to_string(limit));
    }
    return static_cast<Index>(value);
  }

  [[nodiscard]] double number(std::string_view what, bool may_be_infinite = false) {
    const std::string_view found = word(what);
    if (may_be_infinite && found == "inf") return kInfinity;
    double value = 0.0;
    const auto [end, error] = read_decimal(found.data(), found.data() + found.size(), value);
    if (error == std::errc::result_out_of_range) {
      fail("'" + shown(found) + "' does not fit a double; expected " + std::string(what));
    }
    if (error != std::errc() || end != found.data() + found.size()) {
      fail("found '" + shown(found) + "', expected " + std::string(what) + " (a number)");
    }
    if (!std::isfinite(value)) {
      fail("found '" + shown(found) + "', expected " + std::string(what) + " (a finite number)");
    }
    return value;
  }

  void end_of_line() {
    std::size_t at = word_end_;
    while (at < line_end_ && is_space(text_[at])) ++at;
    if (at == line_end_) return;
    fail("found '" + shown(word("")) + "' after the end of the item");
  }

  /// How many items of at least `shortest` letters, line break included, the rest could hold.
  [[nodiscard]] Index room(std::size_t shortest) const {
    const std::size_t items = (text_.size() - line_end_) / shortest + 1;
    return static_cast<Index>(std::min<std::size_t>(items, kNone - 1));
  }

 private:
  static bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

  /// At most 40 letters, none that would spoil a terminal.
  static std::string shown(std::string_view found) {
    std::string safe;
    for (const char letter : found.substr(0, 40)) {
      safe += letter >= ' ' && letter <= '~' ? letter : '?';
    }
    return found.size() > 40 ? safe + "..." : safe;
  }

  std::string text_;
  std::string file_;
  int line_ = 0;
  std::size_t line_begin_ = 0;
  std::size_t line_end_ = 0;
  std::size_t word_begin_ = 0;
  std::size_t word_end_ = 0;
};

Index read_count(Lines& lines, std::string_view word, std::size_t shortest) {
  lines.expect_line("'" + std::string(word) + "'");
  lines.keyword(word);
  const Index count = lines.count("the number of " + std::string(word), lines.room(shortest));
  lines.end_of_line();
  return count;
}

bool positive_definite(std::vector<double> mass, Index size) {
  for (Index k = 0; k < size; ++k) {
    const double pivot = mass[k * size + k];
    if (!(pivot > 0.0)) return false;
    for (Index i = k + 1; i < size; ++i) {
      const double factor = mass[i * size + k] / pivot;
      for (Index j = k + 1; j < size; ++j) mass[i * size + j] -= factor * mass[k * size + j];
    }
  }
  return true;
}

void read_block(Lines& lines, BlockRows& rows) {
  lines.expect_line("'block'");
  lines.keyword("block");
  const Index size = lines.count("the size of the block", kMaxBlockSize);
  if (size == 0) lines.fail("found 0, expected a block of 1 to 6 numbers");
  std::vector<double> mass(std::size_t{size} * size);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      const double value = lines.number("an inverse mass");
      mass[i * size + j] = value;
      if (i == j && !(value > 0.0)) lines.fail("the diagonal of an inverse mass must be positive");
      if (j < i && value != mass[j * size + i]) {
        lines.fail("found " + to_text(value) + ", expected " + to_text(mass[j * size + i]) +
                   ": an inverse mass is symmetric");
      }
    }
  }
  lines.end_of_line();
  if (!positive_definite(mass, size)) lines.fail("this inverse mass is not positive definite");
  rows.add_block(size, mass);
}

void read_row(Lines& lines, BlockRows& rows) {
  lines.expect_line("'row'");
  lines.keyword("row");
  const Index part_count = lines.count("the number of parts", rows.block_count());
  std::vector<std::vector<double>> gradients(part_count);
  std::vector<RowPart> parts;
  for (std::vector<double>& gradient : gradients) {
    if (rows.block_count() == 0) lines.fail("there are no blocks to refer to");
    const Index block = lines.count("the number of a block", rows.block_count() - 1);
    for (const RowPart& part : parts) {
      if (part.block == block) lines.fail("block " + std::to_string(block) + " comes twice");
    }
    gradient.resize(rows.block_size(block));
    for (double& value : gradient) value = lines.number("a gradient");
    parts.push_back({block, gradient});
  }
  lines.end_of_line();
  rows.add_row(parts);
}

void read_selected(Lines& lines, StoredProblem& problem, std::vector<unsigned char>& taken) {
  lines.expect_line("'select'");
  lines.keyword("select");
  if (taken.empty()) lines.fail("there are no rows to select");
  const Index row = lines.count("the number of a row", static_cast<Index>(taken.size() - 1));
  if (taken[row] != 0) lines.fail("row " + std::to_string(row) + " is selected twice");
  taken[row] = 1;
  problem.selection.push_back(row);
  problem.c.push_back(lines.number("c"));
  const double lower = lines.number("a lower bound");
  const double upper = lines.number("an upper bound", true);
  if (!(lower <= upper)) {
    lines.fail("found " + to_text(upper) + ", expected an upper bound not below the lower bound " +
               to_text(lower));
  }
  problem.lower.push_back(lower);
  problem.upper.push_back(upper);
  lines.end_of_line();
}

/// Bounds that say nothing are left out, as the writer's problem may have left them out.
void drop_trivial_bounds(StoredProblem& problem) {
  bool all_zero = true;
  bool all_infinite = true;
  for (const double value : problem.lower)
    all_zero = all_zero && value == 0.0 && !std::signbit(value);
  for (const double value : problem.upper) all_infinite = all_infinite && value == kInfinity;
  if (all_zero) problem.lower.clear();
  if (all_infinite) problem.upper.clear();
}

}  // namespace

void write_problem(std::ostream& out, const QuadraticProgram& problem) {
  const BlockRows& rows = *problem.rows;
  out << kFirstLine << "\nblocks " << rows.block_count() << '\n';
  for (Index block = 0; block < rows.block_count(); ++block) {
    out << "block " << rows.block_size(block);
    for (const double value : rows.inverse_mass(block)) out << ' ' << to_text(value);
    out << '\n';
  }
  out << "rows " << rows.row_count() << '\n';
  for (Index row = 0; row < rows.row_count(); ++row) {
    out << "row " << rows.entries(row).size();
    for (const BlockRows::Entry& entry : rows.entries(row)) {
      out << ' ' << entry.block;
      for (const double value : rows.gradient(entry)) out << ' ' << to_text(value);
    }
    out << '\n';
  }
  out << "selection " << problem.selection.size() << '\n';
  for (std::size_t i = 0; i < problem.selection.size(); ++i) {
    const double lower = problem.lower.empty() ? 0.0 : problem.lower[i];
    const double upper = problem.upper.empty() ? kInfinity : problem.upper[i];
    out << "select " << problem.selection[i] << ' ' << to_text(problem.c[i]) << ' '
        << to_text(lower) << ' ' << to_text(upper) << '\n';
  }
  out << "end\n";
}

StoredProblem read_problem(std::istream& in, const std::string& file_name) {
  Lines lines(std::string(std::istreambuf_iterator<char>(in), {}), file_name);
  lines.expect_line("'" + std::string(kFirstLine) + "'");
  if (lines.line() != kFirstLine) {
    lines.fail("expected '" + std::string(kFirstLine) + "' (the format and its version)");
  }
  StoredProblem problem;
  const Index blocks = read_count(lines, "blocks", sizeof("block 1 1"));
  for (Index k = 0; k < blocks; ++k) read_block(lines, problem.rows);
  const Index rows = read_count(lines, "rows", sizeof("row 0"));
  for (Index k = 0; k < rows; ++k) read_row(lines, problem.rows);
  const Index selected = read_count(lines, "selection", sizeof("select 0 0 0 0"));
  std::vector<unsigned char> taken(rows, 0);
  for (Index k = 0; k < selected; ++k) read_selected(lines, problem, taken);
  lines.expect_line("'end'");
  lines.keyword("end");
  lines.end_of_line();
  if (lines.next()) lines.fail("found text after 'end'");
  problem.rows.finish();
  drop_trivial_bounds(problem);
  return problem;
}

}  // namespace carom::solvers
