#pragma once

#include <cstddef>

namespace carom::test {

// How often this program has asked for memory with `new` so far.
[[nodiscard]] std::size_t allocation_count();

}  // namespace carom::test
