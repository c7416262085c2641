// Decimal text of doubles: the standard library's where it has it, and a portable way of our own
// that gives the same characters and the same bits.

#include "carom/core/decimal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <version>

namespace carom {
namespace portable {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* after_digits(const char* at, const char* last) {
  while (at != last && is_digit(*at)) ++at;
  return at;
}

/// Where a word ends that begins at `at`, in any case; null when it is another one.
const char* after_word(const char* at, const char* last, std::string_view word) {
  for (const char letter : word) {
    if (at == last || (*at | 0x20) != letter) return nullptr;
    ++at;
  }
  return at;
}

/// "inf", "infinity", "nan", "nan(letters)".
std::from_chars_result read_name(const char* first, const char* at, const char* last,
                                 double& value) {
  const bool negative = *first == '-';
  if (const char* end = after_word(at, last, "inf")) {
    const char* longer = after_word(end, last, "inity");
    const double infinity = std::numeric_limits<double>::infinity();
    value = negative ? -infinity : infinity;
    return {longer != nullptr ? longer : end, std::errc()};
  }
  const char* end = after_word(at, last, "nan");
  if (end == nullptr) return {first, std::errc::invalid_argument};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  value = negative ? -nan : nan;
  if (end != last && *end == '(') {
    const char* close = std::find(end, last, ')');
    if (close != last) end = close + 1;
  }
  return {end, std::errc()};
}

/// Sign, digits without point and the exponent of the first digit: 0.d1d2... 10^exponent.
struct Digits {
  std::string text;
  int exponent = 0;
};

double value_of(const Digits& digits) {
  const std::string text = "0." + digits.text + "e" + std::to_string(digits.exponent);
  return std::strtod(text.c_str(), nullptr);
}

/// A positive number rounded to `count` digits.
Digits rounded(double value, int count) {
  std::array<char, 40> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.*e", count - 1, value);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(length));
  const std::size_t mark = text.find('e');
  Digits digits;
  for (const char c : text.substr(0, mark)) {
    if (is_digit(c)) digits.text += c;
  }
  digits.exponent = std::atoi(text.data() + mark + 1) + 1;
  return digits;
}

/// The next larger number of as many digits.
Digits next_above(Digits digits) {
  std::size_t k = digits.text.size();
  while (k > 0 && digits.text[k - 1] == '9') digits.text[--k] = '0';
  if (k > 0) {
    ++digits.text[k - 1];
  } else {
    digits.text.insert(digits.text.begin(), '1');
    digits.text.pop_back();
    ++digits.exponent;
  }
  return digits;
}

/// The fewest digits that read back as the positive number, and of those the nearest to it.
Digits shortest(double value) {
  // Decimals of 15 digits lie further apart than doubles, except where those lose digits.
  const bool subnormal = value < std::numeric_limits<double>::min();
  // Doubles below a power of two lie closer than above: there the nearest decimal may read back as
  // another double although the next one above reads back as this.
  int exponent = 0;
  const bool power_of_two = std::frexp(value, &exponent) == 0.5;
  for (int count = subnormal ? 1 : 15;; ++count) {
    Digits digits = rounded(value, count);
    if (value_of(digits) != value && power_of_two) digits = next_above(digits);
    if (count < 17 && value_of(digits) != value) continue;
    while (digits.text.size() > 1 && digits.text.back() == '0') digits.text.pop_back();
    return digits;
  }
}

std::string with_exponent(const Digits& digits) {
  std::string text = digits.text.substr(0, 1);
  if (digits.text.size() > 1) text += "." + digits.text.substr(1);
  const int exponent = digits.exponent - 1;
  const std::string number = std::to_string(std::abs(exponent));
  return text + (exponent < 0 ? "e-" : "e+") + (number.size() < 2 ? "0" : "") + number;
}

std::string without_exponent(const Digits& digits, double value) {
  const auto count = static_cast<int>(digits.text.size());
  if (digits.exponent <= 0) {
    return "0." + std::string(static_cast<std::size_t>(-digits.exponent), '0') + digits.text;
  }
  if (digits.exponent < count) {
    const auto whole = static_cast<std::size_t>(digits.exponent);
    return digits.text.substr(0, whole) + "." + digits.text.substr(whole);
  }
  // A whole number has all its digits, not zeros in place of the last.
  std::array<char, 400> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.0f", value);
  return buffer.data();
}

std::string text_of(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return "inf";
  if (value == 0.0) return "0";
  const Digits digits = shortest(value);
  std::string scientific = with_exponent(digits);
  // Below 1 by zeros and the digits, above by as many digits as the number has.
  const auto count = static_cast<int>(digits.text.size());
  const int fixed_length = digits.exponent <= 0      ? 2 - digits.exponent + count
                           : digits.exponent < count ? count + 1
                                                     : digits.exponent;
  if (fixed_length > static_cast<int>(scientific.size())) return scientific;
  return without_exponent(digits, value);
}

}  // namespace

std::from_chars_result read_decimal(const char* first, const char* last, double& value) {
  const char* at = first;
  if (at != last && *at == '-') ++at;
  const char* whole = at;
  at = after_digits(at, last);
  bool has_digits = at != whole;
  if (at != last && *at == '.') {
    const char* fraction = at + 1;
    const char* end = after_digits(fraction, last);
    if (has_digits || end != fraction) at = end;
    has_digits = has_digits || end != fraction;
  }
  if (!has_digits) {
    if (whole == last) return {first, std::errc::invalid_argument};
    return read_name(first, whole, last, value);
  }
  const char* mantissa = at;
  if (at != last && (*at == 'e' || *at == 'E')) {
    const char* digits = at + 1;
    if (digits != last && (*digits == '+' || *digits == '-')) ++digits;
    const char* end = after_digits(digits, last);
    if (end != digits) at = end;
  }
  const std::string text(first, at);  // with a zero behind it
  const double read = std::strtod(text.c_str(), nullptr);
  const bool is_zero = std::all_of(whole, mantissa, [](char c) { return c == '0' || c == '.'; });
  if (std::isinf(read) || (read == 0.0 && !is_zero)) return {at, std::errc::result_out_of_range};
  value = read;
  return {at, std::errc()};
}

std::to_chars_result write_decimal(char* first, char* last, double value) {
  std::string text = text_of(std::abs(value));
  if (std::signbit(value)) text.insert(text.begin(), '-');
  if (static_cast<std::size_t>(last - first) < text.size()) {
    return {last, std::errc::value_too_large};
  }
  return {std::copy(text.begin(), text.end(), first), std::errc()};
}

}  // namespace portable

#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L

std::from_chars_result read_decimal(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}
std::to_chars_result write_decimal(char* first, char* last, double value) {
  return std::to_chars(first, last, value);
}

#else

std::from_chars_result read_decimal(const char* first, const char* last, double& value) {
  return portable::read_decimal(first, last, value);
}
std::to_chars_result write_decimal(char* first, char* last, double value) {
  return portable::write_decimal(first, last, value);
}

#endif

}  // namespace carom
