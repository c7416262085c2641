#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "carom/core/error.h"

namespace carom::detail {

/// The faults of a file, one after the other. What is at fault is taken out of the table, and the
/// rest is read again: so a reader that ends with the first fault tells all of them. Faults that
/// only follow from what was taken out are not told; where a value is missed for which there is no
/// default its whole table is taken out, with all faults that it may still have.
class FaultList {
 public:
  /// The table is changed.
  FaultList(toml::table& table, std::string file) : table_(&table), file_(std::move(file)) {}

  [[nodiscard]] bool empty() const { return faults_.empty(); }
  /// Takes a fault, and what is at fault out of the table. False: reading again would find nothing
  /// else.
  bool take(const InputError& fault);
  /// All faults as one: the place of the first, a line for each further one. Not empty.
  [[noreturn]] void tell() const;

 private:
  struct Place {
    int line = 0;
    int column = 0;
    bool operator==(const Place&) const = default;
  };
  [[nodiscard]] bool follows(const InputError& fault) const;
  bool take_out(toml::table& table, const std::string& path, const InputError& fault);
  bool take_out_of(toml::array& array, const std::string& path, const InputError& fault);
  [[nodiscard]] std::string key_as_written(const std::string& key) const;

  toml::table* table_;
  std::string file_;
  std::vector<InputError> faults_;
  std::vector<Place> incomplete_;  ///< tables out of which a value was taken
  bool lacks_entries_ = false;     ///< a whole table was taken out
  /// Numbers of the entries of lists that were taken out, as they were written.
  std::map<std::string, std::vector<std::size_t>> gone_;
};

}  // namespace carom::detail
