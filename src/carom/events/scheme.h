#pragma once

#include "carom/stepping/scheme.h"

namespace carom {

/// Every collision at its own moment (docs/events.md).
[[nodiscard]] SchemeInfo events_scheme();

}  // namespace carom
