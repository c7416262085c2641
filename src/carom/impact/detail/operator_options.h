#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "carom/impact/operator.h"

namespace carom {

/// The part of an operator's specification after the colon: "order=worst,seed=7". Keys are checked
/// against the operator's own list; values by the getters. All faults are InputErrors.
class OperatorOptions {
 public:
  OperatorOptions(const OperatorInfo& info, std::string_view text);

  /// One of `choices`.
  [[nodiscard]] std::string choice(const std::string& key,
                                   std::span<const std::string> choices) const;
  [[nodiscard]] double number(const std::string& key, double lowest, double highest) const;
  [[nodiscard]] std::uint64_t whole_number(const std::string& key) const;

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& message) const;

  std::string operator_name_;
  std::map<std::string, std::string> values_;  // every key of the operator, defaults included
};

}  // namespace carom
