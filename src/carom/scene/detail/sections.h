#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/impact/resolve.h"
#include "carom/scene/detail/table_reader.h"
#include "carom/scene/parameters.h"

// What instant files and scene files say in the same words. All throw InputError.
namespace carom::detail {

/// Refuses a file whose kind is another one.
void check_kind(TableReader& root, const std::string& expected);

/// [impact]: the settings, and the operators in their order.
void read_impact_section(TableReader& root, ImpactSettings& settings,
                         std::vector<std::string>& operators);

struct CheckSection {
  std::string name;  ///< "" where the file has no check
  Parameters parameters;
  Parameters slow_parameters;
};
/// [check] and [check.slow]
[[nodiscard]] CheckSection read_check(TableReader& root);

[[nodiscard]] ImpactStatus read_impact_status(const TableReader& table, std::string_view key,
                                              const std::string& name);

}  // namespace carom::detail
