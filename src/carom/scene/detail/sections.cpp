#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/scene/detail/instant_parts.h"
#include "carom/scene/settings.h"

namespace carom::detail {
namespace {

SettingValue setting_value(TableReader& section, const std::string& key, const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* text = node.as_string()) return text->get();
  return section.number_of(node, section.key_path(key));
}

void read_operators(TableReader& section, Instant& instant) {
  instant.operators = {instant.settings.impact_operator};
  const std::optional<std::vector<std::string>> names = section.texts("operators");
  if (!names) return;
  if (section.has("operator")) section.refuse("operators", "give operator or operators, not both");
  if (names->empty()) section.refuse("operators", "expected at least one name, found none");
  instant.operators.clear();
  for (const std::string& name : *names) {
    if (std::find(instant.operators.begin(), instant.operators.end(), name) !=
        instant.operators.end()) {
      section.refuse("operators", in_quotes(name) + " is given twice");
    }
    try {
      set_impact_setting(instant.settings, "operator", name);
    } catch (const InputError& error) {
      section.refuse("operators", error.message());
    }
    instant.operators.push_back(name);
  }
  instant.settings.impact_operator = instant.operators.front();
}

Parameters::Value parameter_value(TableReader& table, const std::string& key,
                                  const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* text = node.as_string()) return text->get();
  const toml::array* array = node.as_array();
  if (array == nullptr) return *table.number(key);
  // A list of strings may be names or expressions: only the check knows.
  const bool all_texts =
      !array->empty() && std::all_of(array->begin(), array->end(),
                                     [](const toml::node& item) { return item.is_string(); });
  if (all_texts) return *table.texts(key);
  return *table.number_list(key);
}

Parameters gather_parameters(TableReader& table) {
  Parameters parameters(table.place(""));
  for (const auto& [key, node] : table.table()) {
    const std::string name(key.str());
    if (name == "name" || name == "slow") continue;
    parameters.set(name, parameter_value(table, name, node), table.place(name));
  }
  return parameters;
}

}  // namespace

void read_impact_section(TableReader& root, Instant& instant) {
  std::optional<TableReader> section = root.subtable("impact");
  if (!section) return;
  for (const ImpactSettingInfo& info : impact_setting_registry()) {
    const toml::node* node = section->find(info.key);
    if (node == nullptr) continue;
    try {
      set_impact_setting(instant.settings, info.key, setting_value(*section, info.key, *node));
    } catch (const InputError& error) {
      if (error.place().line > 0) throw;
      section->refuse(info.key, error.message());
    }
  }
  read_operators(*section, instant);
  section->finish();
}

void read_check(TableReader& root, Instant& instant) {
  std::optional<TableReader> section = root.subtable("check");
  if (!section) return;
  const std::optional<std::string> name = section->text("name");
  if (!name || name->empty()) section->refuse_missing("name", "the name of a check");
  instant.check = *name;
  instant.parameters = gather_parameters(*section);
  if (std::optional<TableReader> slow = section->subtable("slow")) {
    instant.slow_parameters = gather_parameters(*slow);
  }
}

}  // namespace carom::detail
