// Words of a figure: cleaned, wrapped, measured.
#include "carom/plots/detail/plot_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "carom/core/assert.h"

namespace carom::detail {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kEllipsis = "\u2026";
constexpr std::string_view kReplacement = "\uFFFD";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Bytes of the valid UTF-8 character at the front, 0 if there is none (RFC 3629).
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  std::size_t length = 0;
  if (first < 0x80U) length = 1;
  if (first >= 0xC2U && first < 0xE0U) length = 2;
  if (first >= 0xE0U && first < 0xF0U) length = 3;
  if (first >= 0xF0U && first < 0xF5U) length = 4;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if (!is_continuation(text[k])) return 0;
  }
  if (length < 3) return length;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool too_long = (first == 0xE0U && second < 0xA0U) || (first == 0xF0U && second < 0x90U);
  const bool too_high = (first == 0xEDU && second >= 0xA0U) || (first == 0xF4U && second >= 0x90U);
  // U+FFFE and U+FFFF are no characters of XML.
  const bool forbidden = text.substr(0, 2) == "\xEF\xBF" && text[2] >= '\xBE';
  return too_long || too_high || forbidden ? 0 : length;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// The text, or as much of it as fits together with an ellipsis.
std::string shortened(const TextRuler& ruler, std::string text, const TextStyle& style,
                      double width) {
  if (ruler.width(text, style) <= width) return text;
  while (!text.empty()) {
    while (!text.empty() && is_continuation(text.back())) text.pop_back();
    if (!text.empty()) text.pop_back();
    while (!text.empty() && text.back() == ' ') text.pop_back();
    if (ruler.width(text + std::string(kEllipsis), style) <= width) break;
  }
  return text + std::string(kEllipsis);
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      result += kReplacement;
    } else if (first < 0x20U || first == 0x7FU) {
      result += ' ';
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::vector<std::string> wrapped_text(const TextRuler& ruler, const std::string& text,
                                      const TextStyle& style, double width,
                                      std::size_t most_lines) {
  std::vector<std::string> lines;
  for (const std::string& word : words_of(text)) {
    const bool is_last = lines.size() == most_lines;
    if (!lines.empty() && (is_last || ruler.width(lines.back() + " " + word, style) <= width)) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  for (std::string& line : lines) line = shortened(ruler, std::move(line), style, width);
  return lines;
}

std::string power_of_ten(int exponent) {
  static constexpr std::array<std::string_view, 10> kDigits = {
      "\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
      "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "10\u207B" : "10";
  for (const char c : std::to_string(std::abs(exponent))) {
    text += kDigits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

std::string decimal_text(std::int64_t number, int exponent, int decimals) {
  const int zeros = exponent + decimals;
  CAROM_DEMAND(zeros >= 0);
  std::string digits = std::to_string(std::abs(number));
  if (number != 0) digits.append(static_cast<std::size_t>(zeros), '0');
  const auto after = static_cast<std::size_t>(decimals);
  if (digits.size() <= after) digits.insert(0, after + 1 - digits.size(), '0');
  if (decimals > 0) digits.insert(digits.size() - after, ".");
  return number < 0 ? std::string(kMinus) + digits : digits;
}

std::string short_decimal_text(std::int64_t number, int exponent) {
  if (number == 0) return "0";
  while (number % 10 == 0) {
    number /= 10;
    ++exponent;
  }
  const int digits = static_cast<int>(std::to_string(std::abs(number)).size());
  const bool plain = exponent + digits > -4 && exponent + digits < 8 && exponent > -14;
  if (plain) return decimal_text(number, exponent, std::max(0, -exponent));
  return decimal_text(number, 1 - digits, digits - 1) + "\u00D7" +
         power_of_ten(exponent + digits - 1);
}

std::string bound_text(double value) {
  int exponent = static_cast<int>(std::floor(std::log10(value)));
  // A hair above a digit is that digit, read back from text.
  int digit = static_cast<int>(std::ceil(value / std::pow(10.0, exponent) - 1e-9));
  if (digit >= 10) {
    digit = 1;
    ++exponent;
  }
  return fmt::format("{}e{}", digit, exponent);
}

}  // namespace carom::detail
