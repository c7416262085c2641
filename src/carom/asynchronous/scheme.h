#pragma once

#include "carom/stepping/scheme.h"

namespace carom::asynchronous {

/// Asynchronous contact mechanics (docs/asynchronous.md).
[[nodiscard]] SchemeInfo asynchronous_scheme();

}  // namespace carom::asynchronous
