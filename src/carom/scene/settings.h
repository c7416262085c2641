#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/impact/resolve.h"
#include "carom/stepping/scheme.h"

namespace carom {

/// A setting of resolve_impacts as files and the command line name it.
struct ImpactSettingInfo {
  std::string key;
  std::string values;  ///< what may be written
  std::string help;
};

/// Every setting that can be written, in the order of ImpactSettings.
[[nodiscard]] const std::vector<ImpactSettingInfo>& impact_setting_registry();

/// Sets one field. Text is read as what the field needs ("true", "1e-8", "lazy"). Throws
/// InputError, its place naming the key, when the key is unknown or the value cannot be used.
void set_impact_setting(ImpactSettings& settings, std::string_view key, const SettingValue& value);

/// The value of one setting as it would be written in a file, strings with their quotes.
[[nodiscard]] std::string impact_setting_text(const ImpactSettings& settings, std::string_view key);

/// Shortest decimal that reads back as the same bits, always with a point or an exponent.
[[nodiscard]] std::string exact_number(double value);

}  // namespace carom
