// The settings of impacts that files and the command line may give.
#include "carom/scene/settings.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "carom/core/error.h"
#include "carom/core/names.h"
#include "carom/scene/expression.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& message) {
  throw InputError({"", 0, 0, key}, message);
}

std::string found(const SettingValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("found {:g}", *number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "found true" : "found false";
  return fmt::format("found '{}'", std::get<std::string>(value));
}

double as_number(const std::string& key, const SettingValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) {
    const ExpressionResult result = evaluate_expression(*text);
    if (result.ok()) return result.value;
  }
  refuse(key, "expected a number, " + found(value));
}

double as_between(const std::string& key, const SettingValue& value, double low, double high) {
  const double number = as_number(key, value);
  if (number >= low && number <= high) return number;
  refuse(key, fmt::format("must be between {:g} and {:g}, {}", low, high, found(value)));
}

std::uint64_t as_count(const std::string& key, const SettingValue& value) {
  const double number = as_number(key, value);
  if (!(number >= 0.0) || number > 9e15 || number != std::floor(number)) {
    refuse(key, "expected a whole number that is not negative, " + found(value));
  }
  return static_cast<std::uint64_t>(number);
}

bool as_flag(const std::string& key, const SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (*text == "true") return true;
    if (*text == "false") return false;
  }
  refuse(key, "expected true or false, " + found(value));
}

std::string as_text(const std::string& key, const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  refuse(key, "expected a string, " + found(value));
}

std::string as_name(const std::string& key, const SettingValue& value,
                    const std::vector<std::string>& known) {
  std::string name = as_text(key, value);
  for (const std::string& candidate : known) {
    if (candidate == name) return name;
  }
  refuse(key, unknown_name_message("value", name, known));
}

const std::vector<std::string> kEnergyNames = {"impulse_scaling", "velocity_renormalisation",
                                               "none"};
const std::vector<std::string> kLockingNames = {"lazy", "eager", "off"};
const std::vector<std::string> kMixedNames = {"layered", "direct"};

template <class Enumeration>
Enumeration as_choice(const std::string& key, const SettingValue& value,
                      const std::vector<std::string>& names) {
  const std::string name = as_name(key, value, names);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return static_cast<Enumeration>(k);
  }
  return Enumeration{};
}

std::string quote(const std::string& text) { return "\"" + text + "\""; }
std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, "|"));
}

struct Setting {
  ImpactSettingInfo info;
  std::function<void(ImpactSettings&, const std::string&, const SettingValue&)> set;
  std::function<std::string(const ImpactSettings&)> text;
};

using S = ImpactSettings;

std::vector<Setting> make_model_settings() {
  return {
      {{"operator", "name[:key=value,...]", "the impact operator; `carom operators` lists them"},
       [](S& s, const std::string& key, const SettingValue& value) {
         std::string name = as_text(key, value);
         try {
           static_cast<void>(make_operator(name));
         } catch (const InputError& error) {
           refuse(key, error.message());
         }
         s.impact_operator = std::move(name);
       },
       [](const S& s) { return quote(s.impact_operator); }},
      {{"restitution_model", joined(restitution_model_names()),
        "how coefficients of restitution below 1 are honoured"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.restitution_model = as_name(key, value, restitution_model_names());
       },
       [](const S& s) { return quote(s.restitution_model); }},
      {{"friction_model", joined(friction_model_names()), "how friction is resolved"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.friction_model = as_name(key, value, friction_model_names());
       },
       [](const S& s) { return quote(s.friction_model); }},
      {{"restitution_end", joined(restitution_end_names()),
        "what ends a lone collision with friction_model = \"collision\""},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.restitution_end = restitution_end(as_name(key, value, restitution_end_names()));
       },
       [](const S& s) { return quote(std::string(to_string(s.restitution_end))); }},
      {{"several_rows_friction", joined(several_rows_friction_names()),
        "with \"collision\": the model where several contacts meet"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.several_rows_friction = as_name(key, value, several_rows_friction_names());
       },
       [](const S& s) { return quote(s.several_rows_friction); }},
      {{"energy_correction", joined(kEnergyNames), "how energy is kept to round-off"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.energy_correction = as_choice<EnergyCorrection>(key, value, kEnergyNames);
       },
       [](const S& s) {
         return quote(kEnergyNames[static_cast<std::size_t>(s.energy_correction)]);
       }},
      {{"anti_locking", joined(kLockingNames), "when to look for rows that lock each other"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.anti_locking = as_choice<AntiLocking>(key, value, kLockingNames);
       },
       [](const S& s) { return quote(kLockingNames[static_cast<std::size_t>(s.anti_locking)]); }},
      {{"mixed_restitution", joined(kMixedNames),
        "how different coefficients inside one component are combined"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.mixed_restitution = as_choice<MixedRestitution>(key, value, kMixedNames);
       },
       [](const S& s) {
         return quote(kMixedNames[static_cast<std::size_t>(s.mixed_restitution)]);
       }},
  };
}

std::vector<Setting> make_number_settings() {
  return {
      {{"tolerance", "from 1e-14 to 1e-2",
        "closing speed, relative to the speed scale, that counts as 0"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.tolerance = as_between(key, value, 1e-14, 1e-2);
       },
       [](const S& s) { return exact_number(s.tolerance); }},
      {{"max_applications", "a whole number",
        "budget per component; 0: none where FIN is promised"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.max_applications = as_count(key, value);
       },
       [](const S& s) { return std::to_string(s.max_applications); }},
      {{"anti_locking_after", "a whole number", "applications before a lazy look"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.anti_locking_after = as_count(key, value);
       },
       [](const S& s) { return std::to_string(s.anti_locking_after); }},
      {{"lineality_threshold", "from 1e-12 to 0.1", "margins at or below this count as locked"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.lineality_threshold = as_between(key, value, 1e-12, 1e-1);
       },
       [](const S& s) { return exact_number(s.lineality_threshold); }},
      {{"layer_applications", "a whole number > 0", "budget of one layer of mixed restitution"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.layer_applications = as_count(key, value);
         if (s.layer_applications == 0) refuse(key, "must be at least 1, " + found(value));
       },
       [](const S& s) { return std::to_string(s.layer_applications); }},
      {{"friction_passes", "a whole number > 0", "more than 1: staggered repetitions"},
       [](S& s, const std::string& key, const SettingValue& value) {
         const std::uint64_t passes = as_count(key, value);
         if (passes == 0 || passes > 1'000'000) {
           refuse(key, "must be between 1 and 1000000, " + found(value));
         }
         s.friction_passes = static_cast<unsigned>(passes);
       },
       [](const S& s) { return std::to_string(s.friction_passes); }},
      {{"certificate", "true|false", "compute the margin and the bound on applications"},
       [](S& s, const std::string& key, const SettingValue& value) {
         s.certificate = as_flag(key, value);
       },
       [](const S& s) { return std::string(s.certificate ? "true" : "false"); }},
  };
}

const std::vector<Setting>& settings_table() {
  static const std::vector<Setting> table = [] {
    std::vector<Setting> all = make_model_settings();
    for (Setting& setting : make_number_settings()) all.push_back(std::move(setting));
    return all;
  }();
  return table;
}

const Setting& find_setting(std::string_view key) {
  std::vector<std::string> names;
  for (const Setting& setting : settings_table()) {
    if (setting.info.key == key) return setting;
    names.push_back(setting.info.key);
  }
  refuse(std::string(key), unknown_name_message("setting", key, names));
}

}  // namespace

const std::vector<ImpactSettingInfo>& impact_setting_registry() {
  static const std::vector<ImpactSettingInfo> infos = [] {
    std::vector<ImpactSettingInfo> all;
    for (const Setting& setting : settings_table()) all.push_back(setting.info);
    return all;
  }();
  return infos;
}

void set_impact_setting(ImpactSettings& settings, std::string_view key, const SettingValue& value) {
  find_setting(key).set(settings, std::string(key), value);
}

std::string impact_setting_text(const ImpactSettings& settings, std::string_view key) {
  return find_setting(key).text(settings);
}

std::string exact_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace carom
