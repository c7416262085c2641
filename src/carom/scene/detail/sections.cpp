// Sections that instants and scenes share: kind, impact, operators, parameters.
#include "carom/scene/detail/sections.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/scene/settings.h"

namespace carom::detail {
namespace {

SettingValue setting_value(TableReader& section, const std::string& key, const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* text = node.as_string()) return text->get();
  return section.number_of(node, section.key_path(key));
}

void read_operators(TableReader& section, ImpactSettings& settings,
                    std::vector<std::string>& operators) {
  operators = {settings.impact_operator};
  const std::optional<std::vector<std::string>> names = section.texts("operators");
  if (!names) return;
  if (section.has("operator")) section.refuse("operators", "give operator or operators, not both");
  if (names->empty()) section.refuse("operators", "expected at least one name, found none");
  operators.clear();
  for (const std::string& name : *names) {
    if (std::find(operators.begin(), operators.end(), name) != operators.end()) {
      section.refuse("operators", in_quotes(name) + " is given twice");
    }
    try {
      set_impact_setting(settings, "operator", name);
    } catch (const InputError& error) {
      section.refuse("operators", error.message());
    }
    operators.push_back(name);
  }
  settings.impact_operator = operators.front();
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

void read_impact_section(TableReader& root, ImpactSettings& settings,
                         std::vector<std::string>& operators) {
  std::optional<TableReader> section = root.subtable("impact");
  if (!section) return;
  for (const ImpactSettingInfo& info : impact_setting_registry()) {
    const toml::node* node = section->find(info.key);
    if (node == nullptr) continue;
    try {
      set_impact_setting(settings, info.key, setting_value(*section, info.key, *node));
    } catch (const InputError& error) {
      if (error.place().line > 0) throw;
      section->refuse(info.key, error.message());
    }
  }
  read_operators(*section, settings, operators);
  section->finish();
}

CheckSection read_check(TableReader& root) {
  CheckSection check;
  std::optional<TableReader> section = root.subtable("check");
  if (!section) return check;
  const std::optional<std::string> name = section->text("name");
  if (!name || name->empty()) section->refuse_missing("name", "the name of a check");
  check.name = *name;
  check.parameters = gather_parameters(*section);
  if (std::optional<TableReader> slow = section->subtable("slow")) {
    check.slow_parameters = gather_parameters(*slow);
  }
  return check;
}

ImpactStatus read_impact_status(const TableReader& table, std::string_view key,
                                const std::string& name) {
  std::vector<std::string> names;
  for (const ImpactStatus status :
       {ImpactStatus::resolved, ImpactStatus::still_closing, ImpactStatus::collapsed,
        ImpactStatus::diverged, ImpactStatus::budget_exhausted, ImpactStatus::solver_failed,
        ImpactStatus::infeasible}) {
    if (to_string(status) == name) return status;
    names.emplace_back(to_string(status));
  }
  table.refuse(key, unknown_name_message("status", printable(name), names));
}

void check_kind(TableReader& root, const std::string& expected) {
  const std::optional<std::string> kind = root.text("kind");
  if (!kind) root.refuse_missing("kind", "kind = \"" + expected + "\"");
  if (*kind != expected) {
    if (*kind == "scene" || *kind == "instant") {
      root.refuse("kind", "the file is of kind \"" + *kind + "\"; expected \"" + expected + "\"");
    }
    const std::vector<std::string> known = {"instant", "scene"};
    root.refuse("kind", unknown_name_message("kind", printable(*kind), known));
  }
}

}  // namespace carom::detail
