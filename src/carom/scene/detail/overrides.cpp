// Settings from the command line, put into a file's tables.
#include "carom/scene/detail/overrides.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "carom/core/names.h"
#include "carom/scene/detail/quote.h"

namespace carom::detail {
namespace {

constexpr std::string_view kListKey = "set";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

[[noreturn]] void refuse(const std::string& origin, const std::string& key,
                         const std::string& message) {
  throw InputError({origin, 0, 0, key}, message);
}

// One step of the way: a key, and the number in brackets behind it.
struct Step {
  std::string key;
  std::optional<std::size_t> number;
};

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// A bare key, or one in quotes for names with dots and colons.
std::string take_key(std::string_view path, std::size_t& at, const std::string& origin) {
  std::string key;
  if (at < path.size() && path[at] == '"') {
    const std::size_t end = path.find('"', at + 1);
    if (end == std::string_view::npos) refuse(origin, "", "a quote in the key is not closed");
    key = path.substr(at + 1, end - at - 1);
    at = end + 1;
  } else {
    while (at < path.size() && is_key_character(path[at])) key += path[at++];
  }
  if (key.empty()) refuse(origin, "", "expected table.key=value, e.g. time.step=1e-3");
  return key;
}

std::optional<std::size_t> take_number(std::string_view path, std::size_t& at,
                                       const std::string& origin) {
  if (at >= path.size() || path[at] != '[') return std::nullopt;
  std::size_t number = 0;
  const char* begin = path.data() + at + 1;
  const char* end = path.data() + path.size();
  const auto [rest, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || rest == end || *rest != ']') {
    refuse(origin, "", "expected a whole number in brackets, e.g. body[0].mass=2");
  }
  at = static_cast<std::size_t>(rest - path.data()) + 1;
  return number;
}

struct Assignment {
  std::vector<Step> steps;
  std::string_view value;
};

Assignment split(std::string_view option, const std::string& origin) {
  Assignment assignment;
  std::size_t at = 0;
  for (;;) {
    Step step;
    step.key = take_key(option, at, origin);
    step.number = take_number(option, at, origin);
    assignment.steps.push_back(std::move(step));
    if (at < option.size() && option[at] == '.') {
      ++at;
      continue;
    }
    break;
  }
  if (at >= option.size() || option[at] != '=') {
    refuse(origin, "", "expected table.key=value, e.g. time.step=1e-3");
  }
  assignment.value = option.substr(at + 1);
  return assignment;
}

// The value inside a table of its own, so that its origin is the option.
toml::table parse_value(std::string_view value, const std::string& origin) {
  try {
    toml::table parsed = toml::parse("value = " + std::string(value), origin);
    if (parsed.size() == 1) return parsed;
  } catch (const toml::parse_error&) {
    // A bare word such as an operator's name: a string without its quotes.
  }
  try {
    return toml::parse("value = " + quote(value), origin);
  } catch (const toml::parse_error& error) {
    refuse(origin, "", "not valid TOML: " + std::string(error.description()));
  }
}

// Moving keeps the origin of a value; a new key gets it too.
toml::node& insert(toml::table& table, const std::string& key, std::string_view value,
                   const std::string& origin) {
  toml::table parsed = parse_value(value, origin);
  toml::source_region region = parsed.begin()->first.source();
  const toml::key place(key, std::move(region));
  parsed.begin()->second.visit([&](auto& node) { table.insert_or_assign(place, std::move(node)); });
  return *table.get(key);
}

toml::table& numbered_entry(toml::array& array, const Step& step, const std::string& origin) {
  if (*step.number >= array.size()) {
    refuse(origin, step.key,
           "there is no number " + std::to_string(*step.number) +
               "; they are counted from 0, and " + std::to_string(array.size()) + " are there");
  }
  toml::table* table = array[*step.number].as_table();
  if (table == nullptr) refuse(origin, step.key, "is no array of tables");
  return *table;
}

toml::table& named_entry(toml::array& array, const std::string& key, const std::string& name,
                         const std::string& origin) {
  std::vector<std::string> names;
  for (toml::node& node : array) {
    toml::table* table = node.as_table();
    if (table == nullptr) refuse(origin, key, "is no array of tables");
    const std::optional<std::string> own = (*table)["name"].value<std::string>();
    if (own == name) return *table;
    if (own) names.push_back(*own);
  }
  // Every scene has this material, whether the file describes it or not.
  if (key == "material" && name == "default") {
    toml::table parsed = parse_value("{ name = \"default\" }", origin);
    array.push_back(std::move(*parsed.begin()->second.as_table()));
    return *array.back().as_table();
  }
  if (names.empty()) {
    refuse(
        origin, key,
        "no entry has a name, found '" + printable(name) + "'; by number, from 0: " + key + "[0]");
  }
  refuse(origin, key, unknown_name_message("name", printable(name), names));
}

// One entry of a list of values, e.g. a coordinate of a position.
void replace_number(toml::table& table, const Step& step, std::string_view value,
                    const std::string& origin) {
  toml::node* node = table.get(step.key);
  toml::array* array = node != nullptr ? node->as_array() : nullptr;
  if (array == nullptr) {
    refuse(origin, step.key,
           node == nullptr ? "there is none in the file" : "is " + describe_node(*node));
  }
  if (array->is_array_of_tables()) refuse(origin, step.key, "expected a key behind the brackets");
  if (*step.number >= array->size()) {
    refuse(origin, step.key,
           "there is no number " + std::to_string(*step.number) +
               "; they are counted from 0, and " + std::to_string(array->size()) + " are there");
  }
  toml::table parsed = parse_value(value, origin);
  const auto place = array->cbegin() + static_cast<std::ptrdiff_t>(*step.number);
  parsed.begin()->second.visit([&](auto& found) { array->replace(place, std::move(found)); });
}

// Follows all steps but the last; makes tables that are not there.
toml::table& follow(toml::table& root, const std::vector<Step>& steps, const std::string& origin) {
  toml::table* table = &root;
  for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
    const Step& step = steps[k];
    toml::node* node = table->get(step.key);
    if (node == nullptr) {
      if (step.number) refuse(origin, step.key, "there is none in the file");
      const bool materials = k == 0 && step.key == "material";
      node = &insert(*table, step.key, materials ? "[]" : "{}", origin);
    }
    if (toml::array* array = node->as_array()) {
      if (step.number) {
        table = &numbered_entry(*array, step, origin);
      } else {
        ++k;
        if (k + 1 >= steps.size()) {
          refuse(origin, step.key,
                 "say which one: " + step.key + "[0].key or " + step.key + ".name.key");
        }
        table = &named_entry(*array, step.key, steps[k].key, origin);
      }
      continue;
    }
    if (step.number || !node->is_table()) {
      refuse(origin, step.key,
             "is " + describe_node(*node) + ", not " +
                 (step.number ? "an array of tables" : "a table"));
    }
    table = node->as_table();
  }
  return *table;
}

std::vector<std::string> own_overrides(const toml::table& root, const std::string& file) {
  TableReader reader(root, "", file);
  return reader.texts(kListKey).value_or(std::vector<std::string>{});
}

}  // namespace

std::size_t offset_of(std::string_view text, const toml::source_position& position) {
  std::size_t at = 0;
  for (toml::source_index line = 1; line < position.line; ++line) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  for (toml::source_index column = 1; column < position.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) ++at;
  }
  return at;
}

void apply_override(toml::table& root, const std::string& option) {
  const std::string origin = "--set " + option;
  const Assignment assignment = split(option, origin);
  toml::table& table = follow(root, assignment.steps, origin);
  const Step& last = assignment.steps.back();
  if (last.number) {
    replace_number(table, last, assignment.value, origin);
    return;
  }
  static_cast<void>(insert(table, last.key, assignment.value, origin));
}

void apply_overrides(toml::table& root, std::span<const std::string> options,
                     const std::string& file) {
  for (const std::string& option : own_overrides(root, file)) apply_override(root, option);
  for (const std::string& option : options) apply_override(root, option);
}

bool overrides_reach(const toml::table& root, std::span<const std::string> options,
                     std::string_view table, const std::string& file) {
  std::vector<std::string> all = own_overrides(root, file);
  all.insert(all.end(), options.begin(), options.end());
  return std::any_of(all.begin(), all.end(), [&](const std::string& option) {
    return split(option, "--set " + option).steps.front().key == table;
  });
}

std::string text_with_overrides(std::string_view text, const toml::table& root,
                                std::span<const std::string> options, const std::string& file) {
  if (options.empty()) return std::string(text);
  std::vector<std::string> all = own_overrides(root, file);
  all.insert(all.end(), options.begin(), options.end());
  std::string list = "[";
  for (const std::string& option : all) list += (list.size() == 1 ? "" : ", ") + quote(option);
  list += "]";
  const toml::node* old = root.get(kListKey);
  if (old == nullptr) {
    const std::string_view mark = text.starts_with(kByteOrderMark) ? kByteOrderMark : "";
    return std::string(mark) + std::string(kListKey) + " = " + list + "\n" +
           std::string(text.substr(mark.size()));
  }
  const std::size_t begin = offset_of(text, old->source().begin);
  const std::size_t end = offset_of(text, old->source().end);
  return std::string(text.substr(0, begin)) + list + std::string(text.substr(end));
}

}  // namespace carom::detail
