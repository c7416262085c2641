#pragma once

#include <span>
#include <string>
#include <string_view>

#include "carom/scene/detail/table_reader.h"

namespace carom::detail {

/// Applies "table.key=value" to a file's tables. The value is read as TOML, or as a string where it
/// is none. An entry of an array of tables is named by its number or its name: body[0].mass,
/// body.cue.mass; tables that are not there are made. Whatever a later reader refuses about the
/// value is told with the option. Throws InputError on a path that leads nowhere.
void apply_override(toml::table& root, const std::string& option);

/// The overrides that a text carries itself (`set = [...]`), and then these, applied to its tables.
void apply_overrides(toml::table& root, std::span<const std::string> options,
                     const std::string& file);

/// True where one of them changes something of a table of the file, e.g. "time".
[[nodiscard]] bool overrides_reach(const toml::table& root, std::span<const std::string> options,
                                   std::string_view table, const std::string& file);

/// Offset of a line and column (from 1) in a text. Columns count characters, not bytes.
[[nodiscard]] std::size_t offset_of(std::string_view text, const toml::source_position& position);

/// The text with further overrides in its `set` list, which is made where there is none.
[[nodiscard]] std::string text_with_overrides(std::string_view text, const toml::table& root,
                                              std::span<const std::string> options,
                                              const std::string& file);

}  // namespace carom::detail
