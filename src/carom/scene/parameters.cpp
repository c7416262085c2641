// Named values with their places, for those who know later what they need.
#include "carom/scene/parameters.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/core/names.h"
#include "carom/scene/expression.h"

namespace carom {

void Parameters::set(std::string key, Value value, InputPlace place) {
  entries_.insert_or_assign(std::move(key), Entry{std::move(value), std::move(place)});
}

void Parameters::override_with(const Parameters& other) {
  for (const auto& [key, entry] : other.entries_) entries_.insert_or_assign(key, entry);
}

bool Parameters::has(std::string_view key) const { return entries_.contains(key); }

const Parameters::Entry& Parameters::entry(std::string_view key) const {
  const auto found = entries_.find(key);
  if (found == entries_.end()) refuse(key, "is missing");
  return found->second;
}

double Parameters::number(std::string_view key) const {
  const Value& value = entry(key).value;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) {
    const ExpressionResult result = evaluate_expression(*text);
    if (result.ok()) return result.value;
    refuse(key, "expected a number or an expression: " + result.fault);
  }
  refuse(key, "expected a number");
}

std::uint64_t Parameters::count(std::string_view key) const {
  const double value = number(key);
  if (value < 0.0 || value > 9e15 || value != std::floor(value)) {
    refuse(key, "expected a whole number that is not negative");
  }
  return static_cast<std::uint64_t>(value);
}

std::string Parameters::text(std::string_view key) const {
  if (const auto* text = std::get_if<std::string>(&entry(key).value)) return *text;
  refuse(key, "expected a string");
}

std::vector<double> Parameters::numbers(std::string_view key) const {
  const Value& value = entry(key).value;
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
  const auto* texts = std::get_if<std::vector<std::string>>(&value);
  if (texts == nullptr) return {number(key)};
  std::vector<double> result;
  for (const std::string& text : *texts) {
    const ExpressionResult evaluated = evaluate_expression(text);
    if (!evaluated.ok()) refuse(key, "expected a list of numbers: " + evaluated.fault);
    result.push_back(evaluated.value);
  }
  return result;
}

std::vector<std::string> Parameters::texts(std::string_view key) const {
  const Value& value = entry(key).value;
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return *list;
  if (const auto* text = std::get_if<std::string>(&value)) return {*text};
  // An empty list has no type of its own.
  const auto* numbers = std::get_if<std::vector<double>>(&value);
  if (numbers != nullptr && numbers->empty()) return {};
  refuse(key, "expected a list of strings");
}

void Parameters::demand_only(const std::vector<std::string>& known) const {
  for (const auto& [key, entry] : entries_) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw InputError(entry.place, unknown_name_message("key", key, known));
    }
  }
}

void Parameters::refuse(std::string_view key, const std::string& message) const {
  const auto found = entries_.find(key);
  InputPlace place = found == entries_.end() ? table_ : found->second.place;
  if (found == entries_.end()) place.key += (place.key.empty() ? "" : ".") + std::string(key);
  throw InputError(std::move(place), message);
}

}  // namespace carom
