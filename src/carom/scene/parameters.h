#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/core/error.h"

namespace carom {

/// Named values of a file's table, for readers that only later know what they need (the checks of
/// the gallery). Every value remembers its place, so that a wrong one is still reported by line.
class Parameters {
 public:
  using Value =
      std::variant<double, bool, std::string, std::vector<double>, std::vector<std::string>>;

  Parameters() = default;
  explicit Parameters(InputPlace table) : table_(std::move(table)) {}

  void set(std::string key, Value value, InputPlace place);
  /// Replaces or adds every value of `other`.
  void override_with(const Parameters& other);

  [[nodiscard]] bool has(std::string_view key) const;
  /// Each throws InputError when the key is missing or of another type. A text is also accepted as
  /// a number when it is an expression, one number as a list of one.
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] std::uint64_t count(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;

  /// Throws InputError on the first value whose key is not among `known`.
  void demand_only(const std::vector<std::string>& known) const;
  [[noreturn]] void refuse(std::string_view key, const std::string& message) const;

 private:
  struct Entry {
    Value value;
    InputPlace place;
  };
  [[nodiscard]] const Entry& entry(std::string_view key) const;

  std::map<std::string, Entry, std::less<>> entries_;
  InputPlace table_;
};

}  // namespace carom
