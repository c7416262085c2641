// `carom schemes`: what the registry knows of the ways through time.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "carom/schemes/registry.h"

#include "commands.h"

namespace carom::cli {
namespace {

std::string values_of(const SchemeSetting& setting) {
  switch (setting.kind) {
    case SchemeSetting::Kind::choice:
      return fmt::format("{}", fmt::join(setting.choices, "|"));
    case SchemeSetting::Kind::positive:
      return "a number > 0";
    case SchemeSetting::Kind::not_negative:
      return "a number >= 0";
    case SchemeSetting::Kind::whole:
      return "a whole number";
    case SchemeSetting::Kind::flag:
      break;
  }
  return "true|false";
}

std::string standard_of(const SchemeSetting& setting) {
  const std::optional<SettingValue> value = setting.get(SchemeSettings());
  if (!value) return "chosen from the scene";
  if (const auto* flag = std::get_if<bool>(&*value)) return *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  return fmt::format("{}", std::get<double>(*value));
}

}  // namespace

int run_schemes(const SchemesOptions& options) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string& name : scheme_names()) {
    const SchemeInfo& info = scheme_info(name);
    nlohmann::ordered_json settings = nlohmann::ordered_json::array();
    if (!options.json) fmt::print("{}\n  {}\n", info.name, info.summary);
    for (const SchemeSetting& setting : info.settings) {
      settings.push_back({{"key", setting.key},
                          {"values", values_of(setting)},
                          {"default", standard_of(setting)},
                          {"help", setting.help}});
      if (options.json) continue;
      fmt::print("    {} = {}  (default {})\n      {}\n", setting.key, values_of(setting),
                 standard_of(setting), setting.help);
    }
    nlohmann::ordered_json columns = nlohmann::ordered_json::array();
    for (const StepColumn& column : info.columns) {
      columns.push_back(
          {{"name", column.name}, {"unit", column.unit}, {"description", column.description}});
    }
    list.push_back({{"name", info.name},
                    {"summary", info.summary},
                    {"settings", settings},
                    {"columns", columns}});
  }
  if (options.json) {
    fmt::print("{}\n", list.dump(2));
  } else {
    fmt::print(
        "\nA scene chooses one: [time] scheme = \"events\"; its settings stand in a table of its "
        "name.\n");
  }
  return kExitFine;
}

}  // namespace carom::cli
