// The options of an operator's specification.
#include "carom/impact/detail/operator_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

#include "carom/core/decimal.h"
#include "carom/core/error.h"
#include "carom/core/names.h"

namespace carom {

void OperatorOptions::refuse(const std::string& key, const std::string& message) const {
  throw InputError({"", 0, 0, "operator " + operator_name_ + ": " + key}, message);
}

OperatorOptions::OperatorOptions(const OperatorInfo& info, std::string_view text)
    : operator_name_(info.name) {
  std::vector<std::string> keys;
  for (const OperatorOption& option : info.options) {
    keys.push_back(option.key);
    values_[option.key] = option.standard;
  }
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view pair = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) {
      refuse(std::string(pair), "expected key=value");
    }
    const std::string key(pair.substr(0, equals));
    if (!values_.contains(key)) {
      throw InputError({"", 0, 0, "operator " + operator_name_},
                       keys.empty() ? operator_name_ + " takes no options, found '" + key + "'"
                                    : unknown_name_message("option", key, keys));
    }
    values_[key] = std::string(pair.substr(equals + 1));
  }
}

std::string OperatorOptions::choice(const std::string& key,
                                    std::span<const std::string> choices) const {
  const std::string& value = values_.at(key);
  if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
    refuse(key, unknown_name_message("value", value, choices));
  }
  return value;
}

double OperatorOptions::number(const std::string& key, double lowest, double highest) const {
  const std::string& value = values_.at(key);
  double result = 0.0;
  const auto [end, error] = read_decimal(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(result)) {
    refuse(key, "expected a number, found '" + value + "'");
  }
  if (result < lowest || result > highest)
    refuse(key, key + " must be between " + number_text(lowest) + " and " + number_text(highest) +
                    ", found " + value);
  return result;
}

std::uint64_t OperatorOptions::whole_number(const std::string& key) const {
  const std::string& value = values_.at(key);
  std::uint64_t result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || end != value.data() + value.size()) {
    refuse(key, "expected a whole number from 0 up, found '" + value + "'");
  }
  return result;
}

}  // namespace carom
