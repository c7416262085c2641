#pragma once

#include "carom/stepping/scheme.h"

namespace carom::test {

/// Free flight and nothing else: bodies move on straight lines and pass through each other. A
/// scheme that exists in these tests alone.
[[nodiscard]] SchemeInfo toy_scheme();

/// Registers it, once.
void register_toy_scheme();

}  // namespace carom::test
