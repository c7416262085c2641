// How a program ends that has found a fault of its own.
#include "carom/core/assert.h"

#include <cstdio>
#include <cstdlib>

namespace carom::detail {

// A broken invariant is the one case in which the library may write and stop: going on would return
// a wrong result as if it were right.
void fail_demand(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "carom: internal error: %s does not hold (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace carom::detail
