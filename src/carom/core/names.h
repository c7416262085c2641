#pragma once

#include <span>
#include <string>
#include <string_view>

namespace carom {

/// The candidate with the smallest edit distance to `name`, or "" when none is near enough to be
/// what was meant (at most a third of the letters wrong, at least one letter right).
[[nodiscard]] std::string nearest_name(std::string_view name,
                                       std::span<const std::string> candidates);

/// "unknown operator 'grr'; did you mean 'gr'? Known: gr, lcp, ..."
[[nodiscard]] std::string unknown_name_message(std::string_view what, std::string_view name,
                                               std::span<const std::string> candidates);

/// A number as a person would write it, with as many digits as it takes to read it back.
[[nodiscard]] std::string number_text(double value);

}  // namespace carom
