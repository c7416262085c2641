// TOML tables read key by key, with what is missing, wrong or unknown.
#include "carom/scene/detail/table_reader.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "carom/core/names.h"
#include "carom/scene/expression.h"

namespace carom::detail {
namespace {

// A value that an override put into the table has the option as its origin, and no line.
InputPlace place_at(const std::string& file, const toml::source_region& region, std::string key) {
  if (region.path && *region.path != file) return {*region.path, 0, 0, std::move(key)};
  return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column),
          std::move(key)};
}

std::string number_text(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(place_at(file, error.source(), ""),
                     "not valid TOML: " + std::string(error.description()));
  }
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out;
  for (const char c : text.substr(0, kLongest)) out += c >= ' ' && c <= '~' ? c : '?';
  if (text.size() > kLongest) out += "...";
  return out;
}

std::string in_quotes(std::string_view text) { return "\"" + printable(text) + "\""; }

std::string describe_node(const toml::node& node) {
  if (const auto* text = node.as_string()) return "the string " + in_quotes(text->get());
  if (const auto* number = node.as_integer()) {
    return "the number " + std::to_string(number->get());
  }
  if (const auto* number = node.as_floating_point()) {
    return "the number " + number_text(number->get());
  }
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* array = node.as_array()) return "a list of " + std::to_string(array->size());
  if (node.is_table()) return "a table";
  return "a date or time";
}

TableReader::TableReader(const toml::table& table, std::string path, std::string file)
    : table_(&table), path_(std::move(path)), file_(std::move(file)) {}

const toml::node* TableReader::find(std::string_view key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  return table_->get(key);
}

std::string TableReader::key_path(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

InputPlace TableReader::place(std::string_view key) const {
  const toml::node* node = table_->get(key);
  return place_at(file_, node == nullptr ? table_->source() : node->source(), key_path(key));
}

void TableReader::refuse(std::string_view key, const std::string& message) const {
  throw InputError(place(key), message);
}

void TableReader::refuse_missing(std::string_view key, const std::string& expected) const {
  refuse(key, "is missing; expected " + expected);
}

void TableReader::refuse_node(const toml::node& node, const std::string& key,
                              const std::string& message) const {
  throw InputError(place_of(node, key), message);
}

InputPlace TableReader::place_of(const toml::node& node, const std::string& key) const {
  return place_at(file_, node.source(), key);
}

void TableReader::rethrow(const InputError& error) const {
  // The field is what follows the last ": " of "body 3 (cue): mass".
  const std::string& where = error.place().key;
  const std::size_t colon = where.rfind(": ");
  const std::string field = colon == std::string::npos ? "" : where.substr(colon + 2);
  for (const std::string& key : asked_) {
    if (table_->contains(key) && field.starts_with(key)) refuse(key, error.message());
  }
  refuse("", field.empty() ? error.message() : field + " " + error.message());
}

void TableReader::finish() const {
  for (const auto& [key, node] : *table_) {
    if (std::find(asked_.begin(), asked_.end(), key.str()) != asked_.end()) continue;
    throw InputError(place_at(file_, key.source(), path_),
                     unknown_name_message("key", printable(key.str()), asked_));
  }
}

double TableReader::number_of(const toml::node& node, const std::string& key) const {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* number = node.as_floating_point()) {
    if (!std::isfinite(number->get())) {
      refuse_node(node, key, "must be finite, found " + describe_node(node));
    }
    return number->get();
  }
  if (const auto* text = node.as_string()) {
    const ExpressionResult result = evaluate_expression(text->get());
    if (result.ok()) return result.value;
    refuse_node(node, key,
                "expected a number or an expression such as \"-1/3\", found " +
                    describe_node(node) + ": " + result.fault);
  }
  refuse_node(node, key, "expected a number, found " + describe_node(node));
}

Numbers TableReader::numbers_of(const toml::node& node, const std::string& key) const {
  const toml::array* array = node.as_array();
  if (array == nullptr) return {number_of(node, key)};
  if (array->size() > Numbers::kCapacity) {
    refuse_node(node, key, "expected at most 6 numbers, found " + std::to_string(array->size()));
  }
  Numbers result = Numbers::zeros(array->size());
  for (std::size_t k = 0; k < array->size(); ++k) {
    result[k] = number_of((*array)[k], key + "[" + std::to_string(k) + "]");
  }
  return result;
}

void TableReader::flatten(const toml::node& node, const std::string& key,
                          std::vector<double>& out) const {
  const toml::array* array = node.as_array();
  if (array == nullptr) {
    out.push_back(number_of(node, key));
    return;
  }
  for (std::size_t k = 0; k < array->size(); ++k) {
    flatten((*array)[k], key + "[" + std::to_string(k) + "]", out);
  }
}

std::optional<double> TableReader::number(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  return number_of(*node, key_path(key));
}

std::optional<Numbers> TableReader::numbers(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  return numbers_of(*node, key_path(key));
}

std::optional<std::vector<double>> TableReader::number_list(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  std::vector<double> result;
  flatten(*node, key_path(key), result);
  return result;
}

std::optional<std::vector<Numbers>> TableReader::number_lists(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse(key, "expected a list of lists, found " + describe_node(*node));
  std::vector<Numbers> result;
  for (std::size_t k = 0; k < array->size(); ++k) {
    const std::string item_key = key_path(key) + "[" + std::to_string(k) + "]";
    if (!(*array)[k].is_array()) {
      refuse_node((*array)[k], item_key,
                  "expected a list of numbers, found " + describe_node((*array)[k]));
    }
    result.push_back(numbers_of((*array)[k], item_key));
  }
  return result;
}

std::optional<std::uint64_t> TableReader::count(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const double value = number_of(*node, key_path(key));
  if (value < 0.0 || value > 9e15 || value != std::floor(value)) {
    refuse(key, "expected a whole number that is not negative, found " + describe_node(*node));
  }
  return static_cast<std::uint64_t>(value);
}

std::optional<bool> TableReader::boolean(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* flag = node->as_boolean()) return flag->get();
  refuse(key, "expected true or false, found " + describe_node(*node));
}

std::optional<std::string> TableReader::text(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* text = node->as_string()) return text->get();
  refuse(key, "expected a string, found " + describe_node(*node));
}

std::optional<std::vector<std::string>> TableReader::texts(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* text = node->as_string()) return std::vector<std::string>{text->get()};
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    refuse(key, "expected a string or a list of strings, found " + describe_node(*node));
  }
  std::vector<std::string> result;
  for (std::size_t k = 0; k < array->size(); ++k) {
    const auto* text = (*array)[k].as_string();
    if (text == nullptr) {
      refuse_node((*array)[k], key_path(key) + "[" + std::to_string(k) + "]",
                  "expected a string, found " + describe_node((*array)[k]));
    }
    result.push_back(text->get());
  }
  return result;
}

std::optional<TableReader> TableReader::subtable(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const toml::table* table = node->as_table();
  if (table == nullptr) refuse(key, "expected a table, found " + describe_node(*node));
  return TableReader(*table, key_path(key), file_);
}

std::vector<TableReader> TableReader::subtables(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const std::string expected =
      "expected tables, each headed by [[" + std::string(key) + "]], found ";
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse(key, expected + describe_node(*node));
  std::vector<TableReader> result;
  for (std::size_t k = 0; k < array->size(); ++k) {
    const std::string item_key = key_path(key) + "[" + std::to_string(k) + "]";
    const toml::table* table = (*array)[k].as_table();
    if (table == nullptr) {
      refuse_node((*array)[k], item_key, expected + describe_node((*array)[k]));
    }
    result.emplace_back(*table, item_key, file_);
  }
  return result;
}

}  // namespace carom::detail
