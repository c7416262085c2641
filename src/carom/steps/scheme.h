#pragma once

#include "carom/stepping/scheme.h"

namespace carom {

/// Steps of one size for all (docs/stepping.md).
[[nodiscard]] SchemeInfo steps_scheme();

}  // namespace carom
