#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "carom/core/error.h"
#include "carom/core/numbers.h"

namespace carom::detail {

/// Parses TOML; a fault of the syntax becomes an InputError with its line and column.
[[nodiscard]] toml::table parse_toml(std::string_view text, const std::string& file);

/// One table of a file, read key by key. A key that was asked for is a known key; finish() refuses
/// all others, so the list of valid names in a message is always the list that the code reads.
/// Every fault is an InputError with file, line, column, key, what was found and what was expected.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string path, std::string file);

  [[nodiscard]] bool has(std::string_view key) { return find(key) != nullptr; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const toml::table& table() const { return *table_; }
  /// The value, or null; the key counts as known from now on.
  const toml::node* find(std::string_view key);

  std::optional<double> number(std::string_view key);
  /// One number or a list of at most six.
  std::optional<Numbers> numbers(std::string_view key);
  /// A list of numbers; lists inside it are laid end to end (a matrix row by row).
  std::optional<std::vector<double>> number_list(std::string_view key);
  /// Lists of at most six numbers each.
  std::optional<std::vector<Numbers>> number_lists(std::string_view key);
  std::optional<std::uint64_t> count(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  /// One string or a list of strings.
  std::optional<std::vector<std::string>> texts(std::string_view key);
  std::optional<TableReader> subtable(std::string_view key);
  /// The tables of [[key]]; empty when there are none.
  std::vector<TableReader> subtables(std::string_view key);

  /// At the value of `key` where there is one, else at the table.
  [[noreturn]] void refuse(std::string_view key, const std::string& message) const;
  [[noreturn]] void refuse_missing(std::string_view key, const std::string& expected) const;
  /// An InputError from below (whose place is no file's) told at this table's place.
  [[noreturn]] void rethrow(const InputError& error) const;
  /// Refuses every key that nobody asked for.
  void finish() const;

  [[nodiscard]] InputPlace place(std::string_view key) const;
  [[nodiscard]] std::string key_path(std::string_view key) const;

  /// The place of a node that is not the direct value of a key.
  [[nodiscard]] InputPlace place_of(const toml::node& node, const std::string& key) const;
  /// Numbers of nodes that are not the direct value of a key.
  [[nodiscard]] double number_of(const toml::node& node, const std::string& key) const;
  [[nodiscard]] Numbers numbers_of(const toml::node& node, const std::string& key) const;

 private:
  [[noreturn]] void refuse_node(const toml::node& node, const std::string& key,
                                const std::string& message) const;
  void flatten(const toml::node& node, const std::string& key, std::vector<double>& out) const;

  const toml::table* table_;
  std::string path_;
  std::string file_;
  std::vector<std::string> asked_;
};

/// "the string \"abc\"", "a list of 3", ...
[[nodiscard]] std::string describe_node(const toml::node& node);
/// Printable and of bounded length: for names and texts that come from a file.
[[nodiscard]] std::string printable(std::string_view text);
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace carom::detail
