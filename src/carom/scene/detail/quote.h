#pragma once

#include <string>
#include <string_view>

namespace carom::detail {

/// A text as a TOML string, with its quotes.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace carom::detail
