// Arithmetic expressions and conditions as texts in scene files: a parser that computes as it
// reads.

#include "carom/scene/expression.h"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <system_error>

#include "carom/core/decimal.h"

namespace carom {
namespace {

constexpr std::size_t kMaxLength = 1000;
constexpr int kMaxDepth = 50;
constexpr double kDegree = std::numbers::pi / 180.0;

struct Function {
  std::string_view name;
  double (*evaluate)(double);
};

constexpr std::array<Function, 5> kFunctions = {{
    {"abs", [](double x) { return std::abs(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent. The first fault wins; after it every step returns 0 without reading on.
class Evaluator {
 public:
  explicit Evaluator(std::string_view text, std::span<const ExpressionVariable> variables = {})
      : text_(text), variables_(variables) {}

  ExpressionResult run() { return whole(&Evaluator::sum); }
  ExpressionResult run_condition() { return whole(&Evaluator::any_of); }

 private:
  ExpressionResult whole(double (Evaluator::*part)()) {
    if (text_.size() > kMaxLength) {
      fail(kMaxLength, "longer than " + std::to_string(kMaxLength) + " characters");
      return result_;
    }
    result_.value = (this->*part)();
    skip_blanks();
    if (result_.ok() && at_ < text_.size()) fail(at_, "unexpected " + here());
    if (result_.ok() && !std::isfinite(result_.value)) fail(0, "the value is not finite");
    return result_;
  }

  void fail(std::size_t at, const std::string& fault) {
    if (!result_.ok()) return;
    result_.fault = fault;
    result_.at = at;
  }

  std::string here() const {
    if (at_ >= text_.size()) return "end";
    const char c = text_[at_];
    return c >= ' ' && c <= '~' ? "'" + std::string(1, c) + "'" : "character";
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take(std::string_view word) {
    skip_blanks();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  // Conditions are 1 or 0. Both sides are always read, so that a fault does not hide in one.
  double any_of() {
    bool holds = all_of() != 0.0;
    while (result_.ok() && take("||")) holds = (all_of() != 0.0) || holds;
    return holds ? 1.0 : 0.0;
  }

  double all_of() {
    bool holds = one_condition() != 0.0;
    while (result_.ok() && take("&&")) holds = (one_condition() != 0.0) && holds;
    return holds ? 1.0 : 0.0;
  }

  double one_condition() {
    if (++depth_ > kMaxDepth) {
      fail(at_, "nested too deeply");
      return 0.0;
    }
    double value = 0.0;
    if (take('!')) {
      value = one_condition() == 0.0 ? 1.0 : 0.0;
    } else if (condition_in_parentheses()) {
      ++at_;
      value = any_of();
      if (result_.ok() && !take(')')) fail(at_, "expected ')', found " + here());
    } else {
      value = comparisons();
    }
    --depth_;
    return value;
  }

  // Whether there is a parenthesis around a condition, and not one around a number.
  bool condition_in_parentheses() {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != '(') return false;
    int open = 0;
    for (std::size_t k = at_; k < text_.size(); ++k) {
      if (text_[k] == '(') ++open;
      if (text_[k] == ')' && --open == 0) return false;
      if (std::string_view("<>=!&|").find(text_[k]) != std::string_view::npos) return true;
    }
    return false;
  }

  // "0 < x <= 1": each with the next.
  double comparisons() {
    double left = sum();
    bool holds = true;
    int count = 0;
    for (; result_.ok(); ++count) {
      const std::optional<bool (*)(double, double)> compare = take_comparison();
      if (!compare) break;
      const double right = sum();
      holds = (*compare)(left, right) && holds;
      left = right;
    }
    if (result_.ok() && count == 0) fail(at_, "expected a comparison such as <, found " + here());
    return holds ? 1.0 : 0.0;
  }

  std::optional<bool (*)(double, double)> take_comparison() {
    if (take("<=")) return [](double a, double b) { return a <= b; };
    if (take(">=")) return [](double a, double b) { return a >= b; };
    if (take("==")) return [](double a, double b) { return a == b; };
    if (take("!=")) return [](double a, double b) { return a != b; };
    if (take('<')) return [](double a, double b) { return a < b; };
    if (take('>')) return [](double a, double b) { return a > b; };
    return std::nullopt;
  }

  double sum() {
    double value = product();
    while (result_.ok()) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        break;
      }
    }
    return value;
  }

  double product() {
    double value = signed_value();
    while (result_.ok()) {
      if (take('*')) {
        value *= signed_value();
      } else if (take('/')) {
        const std::size_t at = at_;
        const double divisor = signed_value();
        if (divisor == 0.0) fail(at, "division by zero");
        value /= divisor;
      } else {
        break;
      }
    }
    return value;
  }

  double signed_value() {
    if (++depth_ > kMaxDepth) {
      fail(at_, "nested too deeply");
      return 0.0;
    }
    double value = 0.0;
    if (take('-')) {
      value = -signed_value();
    } else if (take('+')) {
      value = signed_value();
    } else {
      value = primary();
      if (result_.ok() && take_degree()) value *= kDegree;
    }
    --depth_;
    return value;
  }

  // "30 deg": the unit behind a value.
  bool take_degree() {
    skip_blanks();
    if (text_.substr(at_, 3) != "deg") return false;
    if (at_ + 3 < text_.size() && is_letter(text_[at_ + 3])) return false;
    at_ += 3;
    return true;
  }

  double primary() {
    if (take('(')) return parenthesised();
    skip_blanks();
    if (at_ < text_.size() && is_letter(text_[at_])) return named();
    return number();
  }

  double parenthesised() {
    const double value = sum();
    if (result_.ok() && !take(')')) fail(at_, "expected ')', found " + here());
    return value;
  }

  double number() {
    // from_chars would also read "inf" and "nan", but those begin with a letter.
    double value = 0.0;
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    if (begin == end || !(is_digit(*begin) || *begin == '.')) {
      fail(at_, "expected a number, found " + here());
      return 0.0;
    }
    const auto [rest, error] = read_decimal(begin, end, value);
    if (error != std::errc()) {
      fail(at_, error == std::errc::result_out_of_range ? "number out of range"
                                                        : "expected a number, found " + here());
      return 0.0;
    }
    at_ += static_cast<std::size_t>(rest - begin);
    return value;
  }

  double named() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "pi") return std::numbers::pi;
    if (name == "deg") return kDegree;
    for (const ExpressionVariable& variable : variables_) {
      if (name == variable.name) return variable.value;
    }
    for (const Function& function : kFunctions) {
      if (name != function.name) continue;
      if (!take('(')) {
        fail(at_, "expected '(' after " + std::string(name) + ", found " + here());
        return 0.0;
      }
      const double argument = parenthesised();
      if (name == "sqrt" && argument < 0.0) fail(begin, "square root of a negative number");
      return function.evaluate(argument);
    }
    fail(begin, "unknown name '" + std::string(name.substr(0, 20)) + "'; known: " + known_names());
    return 0.0;
  }

  std::string known_names() const {
    std::string names;
    for (const ExpressionVariable& variable : variables_) names += variable.name + ", ";
    for (const Function& function : kFunctions) names += std::string(function.name) + ", ";
    return names + "pi, deg";
  }

  std::string_view text_;
  std::span<const ExpressionVariable> variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
  ExpressionResult result_;
};

}  // namespace

ExpressionResult evaluate_expression(std::string_view text) { return Evaluator(text).run(); }

ExpressionResult evaluate_condition(std::string_view text,
                                    std::span<const ExpressionVariable> variables) {
  return Evaluator(text, variables).run_condition();
}

}  // namespace carom
