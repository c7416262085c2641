#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "carom/scene/detail/table_reader.h"
#include "carom/scene/instant.h"

// The sections of an instant file, one function each. All throw InputError.
namespace carom::detail {

/// The instant so far, and the names in it by number: files of many thousand rows stay quick.
struct InstantBuilder {
  Instant instant;
  std::unordered_map<std::string, Index> bodies;
  std::unordered_map<std::string, Index> rows;
};

/// [[body]]; gives every body a name
void read_bodies(TableReader& root, InstantBuilder& builder);
/// [defaults], [[contact]] and [[row]]; contacts come first in the problem
void read_rows(TableReader& root, InstantBuilder& builder);
/// [expect], [expect.velocity], [expect.<operator>], ...
void read_expectations(TableReader& root, InstantBuilder& builder);

/// Body of that name; refuses at `key` of `reader` with the nearest name.
[[nodiscard]] Index find_body(const InstantBuilder& builder, const std::string& name,
                              const TableReader& reader, std::string_view key);

}  // namespace carom::detail
